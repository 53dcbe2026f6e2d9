# src/tools/qthread-gdb.py -- gdb knows qthreads: lists them, and looks at one that waits as it looks at a thread.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# gdb loads it by itself with the library; see qthreads_debugging(7), which lists its commands.  It reads memory and calls nothing, so it works
# on a running process and on a core file alike.  What it knows of the library's structures comes from its debug
# information.
#
# How a task that waits is shown.  Its registers lie at `context` on its own stack (machine/context.h).  An unwinder says
# that they are the caller's registers of the innermost frame of the thread that is selected: so below frame 0, which
# stays that thread's, gdb finds the task's frames, and bt, up, frame and print work on them.

# A gdb without Python takes this file for commands of its own: here it says that it lacks it, and reads no further.
python = None

import os
import struct

import gdb
import gdb.unwinder

LIVE, STARTED, GUEST = 1 << 0, 1 << 1, 1 << 12
GROUPED = 40                    # from so many tasks on those alike are one line
WORKER = ("awake", "leaving", "off duty", "parked", "asleep")
CHUNK = 4 << 20
BLOCK = 64 << 10                # second parts of descriptors lie close together


class Machine:
    """Where a context has which register, as src/machine/context_*.S say."""

    def __init__(self, sp, pc, size, registers):
        self.sp = sp
        self.pc = pc
        self.size = size
        self.registers = registers


# Of aarch64's, those that hold doubles alone are left out.
MACHINES = {
    "i386:x86-64": Machine("rsp", "rip", 64, (
        ("r12", 8), ("r13", 16), ("r14", 24), ("r15", 32), ("rbx", 40), ("rbp", 48), ("rip", 56))),
    "aarch64": Machine("sp", "pc", 176, (
        ("x29", 0), ("pc", 8)) + tuple(("x%d" % i, 16 + 8 * (i - 19)) for i in range(19, 29))),
}


class Unknown(gdb.GdbError):
    """What the program lacks: one line, and gdb goes on."""


class Direct:
    """A living process's memory as the kernel shows it: gdb's own reading takes ten times as long, and a task that waits has a
    record on a stack of its own.  file: None where gdb reads, as of a core file."""

    file = None

    @classmethod
    def open(cls):
        if cls.file is not None:
            os.close(cls.file)
        cls.file = None
        inferior = gdb.selected_inferior()
        try:
            if inferior.connection is not None and inferior.connection.type == "native":
                cls.file = os.open("/proc/%d/mem" % inferior.pid, os.O_RDONLY | os.O_CLOEXEC)
        except (AttributeError, OSError):
            pass                # a gdb before 11, or one that may not

    @classmethod
    def read(cls, address, size):
        """None: ask gdb."""
        try:
            data = os.pread(cls.file, size, address) if cls.file is not None else b""
        except (OSError, OverflowError):
            return None
        return data if len(data) == size else None


def memory(address, size):
    data = Direct.read(address, size)
    return bytes(gdb.selected_inferior().read_memory(address, size)) if data is None else data


def pointer(at):
    return struct.unpack("<Q", memory(at, 8))[0]


def variable(name):
    symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
    if symbol is None:
        raise Unknown("%s: libqthread is not loaded here, or has no debug information" % name)
    return symbol.value()


def offset(type_name, *path):
    """Where a member lies, in bytes."""
    try:
        type_, at = gdb.lookup_type(type_name), 0
    except gdb.error:
        raise Unknown("%s: libqthread is not loaded here, or has no debug information" % type_name)
    for name in path:
        field = type_.strip_typedefs()[name]
        at += field.bitpos // 8
        type_ = field.type
    return at


def wait_name(kind, known={}):
    """What the library itself calls a kind of waiting."""
    if kind not in known:
        known[kind] = variable("qti_wait_names")[kind].string()
    return known[kind]


def address(value):
    return int(value.cast(gdb.lookup_type("unsigned long")))


def function(pc):
    """NAME or NAME+OFFSET, or the number itself."""
    if pc == 0:
        return "-"
    text = gdb.execute("info symbol 0x%x" % pc, to_string=True).split(" in section")[0].strip()
    return text.replace(" + ", "+") if not text.startswith("No symbol") else "0x%x" % pc


class Task:
    def __init__(self, at, fields):
        self.at = at
        (self.fn, self.ret, self.flags, self.id, self.more) = fields
        self.worker = None
        self.waits = None               # (kind, word)
        self.context = 0


class Runtime:
    """What is found in memory, at this stop."""

    def __init__(self):
        rt = variable("qti_rt")
        if not int(variable("qti_running")):
            raise Unknown("the runtime is not up: there are no qthreads")
        Direct.open()
        self.rt = rt
        self.tasks = {}
        self.layout = [offset("struct qti_task", name) for name in ("fn", "ret", "flags", "id", "more")]
        self.line = gdb.lookup_type("struct qti_task").sizeof
        self.read_pool()
        self.read_workers()
        self.read_words()
        self.read_contexts()

    # --- descriptors -----------------------------------------------------------------------------------------

    def read_pool(self):
        pool = self.rt["tasks"]
        size = int(pool["size"])
        slab, fresh = pool["slabs"], address(pool["fresh"])
        first = True
        while address(slab):
            begin = address(slab["first"])
            end = fresh if first else begin + int(slab["carved"])
            self.read_slab(begin, (end - begin) // size, size)
            slab, first = slab["next"], False

    def read_slab(self, begin, count, size):
        at_flags = self.layout[2]
        step = max(1, CHUNK // size)
        for i in range(0, count, step):
            n = min(step, count - i)
            data = memory(begin + i * size, n * size)
            for k in range(n):
                if data[k * size + at_flags] & LIVE:
                    self.add(begin + (i + k) * size, data, k * size)

    def add(self, at, data, base):
        fn, ret, flags, id_, more = self.layout
        self.tasks[at] = Task(at, (
            struct.unpack_from("<Q", data, base + fn)[0], struct.unpack_from("<Q", data, base + ret)[0],
            struct.unpack_from("<I", data, base + flags)[0], struct.unpack_from("<I", data, base + id_)[0],
            struct.unpack_from("<I", data, base + more)[0]))
        return self.tasks[at]

    def task(self, at):
        """One that is pointed to; a guest's lies in no pool of ours."""
        if at not in self.tasks:
            self.add(at, memory(at, self.line), 0)
        return self.tasks[at]

    # --- who runs and who waits ------------------------------------------------------------------------------

    def read_workers(self):
        self.workers = [self.rt["workers"][i] for i in range(int(self.rt["nworkers"]))]
        self.stacks = set()
        for number, worker in enumerate(self.workers):
            self.stacks.add(address(worker["stack"]))
            current = address(worker["current"])
            if current:
                self.task(current).worker = number

    def read_ring(self, last):
        """A ring of waiters that its last one closes; a word's readers are one, too."""
        at, seen = last, 0
        while at and seen < 1 << 22:
            data = memory(at, self.waiter_size)
            self.read_waiter(data)
            at = struct.unpack_from("<Q", data, self.waiter[0])[0]
            seen += 1
            if at == last:
                break

    def read_waiter(self, data):
        _, at_task, at_word, at_kind = self.waiter
        task = struct.unpack_from("<Q", data, at_task)[0]
        what = (struct.unpack_from("<I", data, at_kind)[0], struct.unpack_from("<Q", data, at_word)[0])
        if task:
            self.task(task).waits = what
        else:
            self.outside.append(what)

    def read_words(self):
        self.outside = []
        self.empty = []
        self.waiter = [offset("struct qti_waiter", name) for name in ("next", "task", "word", "kind")]
        self.waiter_size = gdb.lookup_type("struct qti_waiter").sizeof
        table = address(variable("qti_feb_table"))
        if not table:
            return
        size = gdb.lookup_type("struct feb_entry").sizeof
        names = [offset("struct feb_entry", name) for name in ("word", "readers", "queue", "below")]
        slots = 1 << 18
        for i in range(0, slots, CHUNK // size):
            data = memory(table + i * size, min(CHUNK, (slots - i) * size))
            if data.count(0) == len(data):
                continue
            for k in range(0, len(data), size):
                self.read_entry([struct.unpack_from("<Q", data, k + at)[0] for at in names], names, size)

    def read_entry(self, entry, names, size):
        while True:
            word, readers, queue, below = entry
            if word & 4:                                # FEB_EMPTY
                self.empty.append(word & ((1 << 56) - 8))
            self.read_ring(readers)
            self.read_ring(queue)
            if not below & 1:
                return
            data = memory(below - 1, size)
            entry = [struct.unpack_from("<Q", data, at)[0] for at in names]

    def read_contexts(self):
        self.blocks = {}
        at_context = offset("struct qti_task_more", "context")
        at_stack = offset("struct qti_task_more", "stack")
        for task in self.tasks.values():
            if not task.flags & STARTED or task.worker is not None:
                continue
            more = task.at + task.more * self.line
            stack = self.word_near(more + at_stack)
            if stack and stack not in self.stacks:
                task.context = self.word_near(more + at_context)

    def word_near(self, at):
        """With what lies around it, as far as that is there."""
        begin = at - at % BLOCK
        if begin not in self.blocks:
            try:
                self.blocks[begin] = memory(begin, BLOCK)
            except gdb.MemoryError:
                self.blocks[begin] = b""
        block = self.blocks[begin]
        return struct.unpack("<Q", memory(at, 8))[0] if not block else struct.unpack_from("<Q", block, at - begin)[0]

    # --- words for it ----------------------------------------------------------------------------------------

    def state(self, task):
        if task.worker is not None:
            return "runs on worker %d" % task.worker
        if task.waits:
            return "waits"
        if not task.flags & STARTED:
            return "ready, has not begun"
        return "suspended" if task.context else "lets another run on top"

    def reason(self, task):
        if task.waits:
            kind, word = task.waits
            return "%s %s" % (wait_name(kind), function(word) if word else "")
        return "in %s" % called(task) if task.context else ""

    def alike(self, task):
        waits = wait_name(task.waits[0]) if task.waits else ""
        return (self.state(task), self.begun_by(task), waits)

    def begun_by(self, task):
        """The program's function: an OpenMP task's is in the record that its descriptor is a part of."""
        if not task.flags & GUEST:
            return task.fn
        try:
            record = task.at - offset("struct qomp_task", "base")
            fn = pointer(record + offset("struct qomp_task", "frame", "fn"))
            if function(fn) == "kmpc_task_run":         # of clang's code: what its struct kmpc_head points to says more
                head = record + offset("struct qomp_task", "frame", "small")
                fn = pointer(pointer(head) + offset("struct kmpc_task", "routine"))
            return fn
        except (Unknown, KeyError):
            return task.fn


PUBLIC = ("qt_", "qthread_", "spr_", "omp_", "GOMP_", "XOMP_")


def called(task):
    """The routine of the library that a suspended task has called, or what stands in its place."""
    names = [name for name, _ in frames_of(task, 12)]
    return next((name for name in names if name.startswith(PUBLIC)), names[-1] if names else "?")


# --- its frames ----------------------------------------------------------------------------------------------


class Selected:
    """The task that the unwinder shows, and the frame below which it does."""

    task = None
    sp = None
    thread = None


class Unwinder(gdb.unwinder.Unwinder):
    def __init__(self):
        super().__init__("qthread")

    def __call__(self, pending):
        if Selected.task is None or gdb.selected_thread() is None or gdb.selected_thread().ptid != Selected.thread:
            return None
        machine = machine_here()
        sp = pending.read_register(machine.sp)
        if int(sp) & (1 << 64) - 1 != Selected.sp:
            return None
        context = Selected.task.context
        data = memory(context, machine.size)
        word = gdb.lookup_type("unsigned long")
        # Frames must not lie below each other: so frame 0 is said to be where the task's begin.
        info = pending.create_unwind_info(FrameId(gdb.Value(context).cast(word), pending.read_register(machine.pc)))
        for name, at in machine.registers:
            value = struct.unpack_from("<Q", data, at)[0]
            if name == "pc":
                value &= (1 << 48) - 1          # without its signature
            info.add_saved_register(name, gdb.Value(value).cast(word))
        info.add_saved_register(machine.sp, gdb.Value(context + machine.size).cast(word))
        return info


class FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


def machine_here():
    name = gdb.selected_inferior().architecture().name()
    if name not in MACHINES:
        raise Unknown("backtraces of tasks that wait are known for x86-64 and aarch64 alone")
    return MACHINES[name]


def select(task):
    Selected.task = None
    gdb.invalidate_cached_frames()
    if task is None:
        return
    Selected.sp = int(gdb.newest_frame().read_register(machine_here().sp)) & (1 << 64) - 1
    Selected.thread = gdb.selected_thread().ptid
    Selected.task = task
    gdb.invalidate_cached_frames()


def frames_of(task, most):
    """Names, or else program counters, of a suspended task's frames, and the latter; innermost first."""
    before = Selected.task
    select(task)
    try:
        frame, found = gdb.newest_frame().older(), []
        while frame is not None and frame.is_valid() and len(found) < most:
            found.append((frame.name() or "0x%x" % frame.pc(), frame.pc()))
            frame = frame.older()
        return found
    finally:
        select(before)


def backtrace(task):
    """What makes two alike: where they are, whichever way the library has left them."""
    frames = frames_of(task, 64)
    left = [i for i, (name, _) in enumerate(frames[:4]) if name.startswith("qti_suspend")]
    return tuple(frames[left[-1] + 1 if left else 0:])


# --- commands ------------------------------------------------------------------------------------------------


class Listing:
    """The numbers of the last list, by which tasks are named."""

    runtime = None
    order = []


def listing():
    Listing.runtime = Runtime()
    Listing.order = sorted(Listing.runtime.tasks.values(), key=lambda t: (t.worker is None, t.waits is None, t.at))
    return Listing.runtime, Listing.order


def chosen(text):
    """A number of the list, or a descriptor's address."""
    if not Listing.order:
        listing()
    try:
        number = int(text, 0)
    except ValueError:
        raise Unknown("%s: a number from `info qthreads` is wanted, or a task's address" % text)
    if number in Listing.runtime.tasks:
        return Listing.runtime.tasks[number]
    if not 1 <= number <= len(Listing.order):
        raise Unknown("%s: there are qthreads 1 to %d" % (text, len(Listing.order)))
    return Listing.order[number - 1]


def line(runtime, number, task):
    mark = "*" if Selected.task is not None and Selected.task.at == task.at else " "
    id_ = " id %d" % task.id if task.id else ""
    main = " (main)" if task.at == address(runtime.rt["main_task"]) else ""
    return "%s %-5d 0x%x%s %-24s %s%s  %s" % (
        mark, number, task.at, id_, runtime.state(task), function(runtime.begun_by(task)), main, runtime.reason(task))


class InfoQthreads(gdb.Command):
    """List qthreads: number, descriptor, state, function, what each waits for.

info qthreads [all]

From 40 tasks on, those in the same state with the same function are one line, with their count and the number of one of
them; `all` lists each."""

    def __init__(self):
        super().__init__("info qthreads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        runtime, order = listing()
        print("%d qthreads, %d workers, %d words are empty, %d threads outside wait" % (
            len(order), len(runtime.workers), len(runtime.empty), len(runtime.outside)))
        if argument.strip() == "all" or len(order) < GROUPED:
            for number, task in enumerate(order, 1):
                print(line(runtime, number, task))
            return
        groups = {}
        for number, task in enumerate(order, 1):
            groups.setdefault(runtime.alike(task), []).append((number, task))
        for (state, fn, waits), members in sorted(groups.items(), key=lambda g: -len(g[1])):
            if len(members) == 1:
                print(line(runtime, *members[0]))
            else:
                print("  %d x %s: %s %s, such as %d" % (len(members), function(fn), state, waits, members[0][0]))


class InfoQworkers(gdb.Command):
    """List the workers of libqthread: number, shepherd, state, what each runs."""

    def __init__(self):
        super().__init__("info qworkers", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        runtime = Runtime()
        for number, worker in enumerate(runtime.workers):
            current = address(worker["current"])
            print("  %-3d shepherd %d  %-8s %s" % (
                number, int(worker["shepherd"]["id"]), WORKER[int(worker["state"])],
                "runs 0x%x %s" % (current, function(runtime.begun_by(runtime.task(current)))) if current else "has no task"))


class InfoQwords(gdb.Command):
    """List full/empty words that are empty, and those that somebody waits for."""

    def __init__(self):
        super().__init__("info qwords", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        runtime = Runtime()
        waiting = {}
        for kind, word in [t.waits for t in runtime.tasks.values() if t.waits] + runtime.outside:
            waiting.setdefault(word, []).append(wait_name(kind))
        for word in sorted(set(runtime.empty) | set(waiting)):
            kinds = waiting.get(word, [])
            text = ", ".join("%d x %s" % (kinds.count(kind), kind) for kind in sorted(set(kinds)))
            print("  0x%x %s  %s  %s" % (word, function(word), "empty" if word in runtime.empty else "full",
                                         "waits: " + text if text else ""))


class Qthread(gdb.Command):
    """Look at a qthread: bt, up, frame and print show it from then on.

qthread N|ADDRESS   by its number in the last `info qthreads`, or its descriptor's address
qthread             which one it is
qthread off         back to the thread

Frame 0 stays the selected thread's own; the task's frames are those behind it.  A running task is shown by switching to
its worker's thread."""

    def __init__(self):
        super().__init__("qthread", gdb.COMMAND_STACK, prefix=True)

    def invoke(self, argument, from_tty):
        argument = argument.strip()
        if not argument:
            print("no qthread is selected" if Selected.task is None else "qthread 0x%x" % Selected.task.at)
            return
        if argument == "off":
            select(None)
            return
        self.show(chosen(argument))

    def show(self, task):
        runtime = Listing.runtime
        if task.worker is not None:
            select(None)
            self.show_running(runtime.workers[task.worker])
        elif task.context:
            select(task)
            gdb.newest_frame().older().select()
        else:
            raise Unknown("0x%x: %s, so it has no frames of its own" % (task.at, runtime.state(task)))
        gdb.execute("frame")

    def show_running(self, worker):
        stack = worker["stack"]
        low, high = address(stack["limit"]), address(stack["base"])
        for thread in gdb.selected_inferior().threads():
            thread.switch()
            if low <= int(gdb.newest_frame().read_register("rsp")) & (1 << 64) - 1 <= high:
                return
        raise Unknown("no thread stands on the stack of worker %d" % int(worker["id"]))


class QthreadApply(gdb.Command):
    """Run a command for qthreads that wait.

qthread apply all COMMAND       for each; those with the same backtrace are one, with their count
qthread apply N COMMAND         for one of them"""

    def __init__(self):
        super().__init__("qthread apply", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = argument.split(None, 1)
        if len(words) < 2:
            raise Unknown("usage: qthread apply all|N COMMAND")
        before = Selected.task
        runtime, order = listing()
        if words[0] != "all":
            self.apply([(chosen(words[0]), 1)], words[1])
        else:
            groups = {}
            for task in order:
                if task.context:
                    groups.setdefault(backtrace(task), []).append(task)
            self.apply([(members[0], len(members)) for members in sorted(groups.values(), key=len, reverse=True)], words[1])
        select(before)

    def apply(self, tasks, command):
        for task, count in tasks:
            if not task.context:
                raise Unknown("0x%x: %s, so it has no frames of its own" % (task.at, Listing.runtime.state(task)))
            print("\n%d x qthread 0x%x (%s)" % (count, task.at, function(Listing.runtime.begun_by(task))))
            select(task)
            gdb.newest_frame().older().select()
            gdb.execute(command)


gdb.unwinder.register_unwinder(None, Unwinder(), True)
gdb.events.cont.connect(lambda event: select_none())


def select_none():
    """What was found is old once the program goes on."""
    Selected.task = None
    Listing.order = []


InfoQthreads()
InfoQworkers()
InfoQwords()
Qthread()
QthreadApply()
