#!/bin/sh
# test/tools/qtprof.sh -- what is recorded of a program of OpenMP, and qtprof's report, page and export of it and of a native
# one; records that are none.  QTI_PERFETTO is the folder of Perfetto's page, if that is to load the export (test/tools/perfetto).
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
build=${abs_top_builddir:?}
qtprof=$top/src/tools/qtprof
[ -e "$build/.libs/libqomp.so" ] || skip_all "no shared library in this build"
[ -z "${SANITIZER_FLAGS-}" ] || skip_all "the programs here are compiled without the sanitizer"
command -v "${PYTHON3:-python3}" >/dev/null || skip_all "python3 is not installed"
for name in $(env | sed -n 's/^\(QT_[A-Z_]*\)=.*/\1/p; s/^\(QTHREAD_[A-Z_]*\)=.*/\1/p; s/^\(OMP_[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done
cd "$work" || exit 1

prof() {        # ARGUMENT...
	timeout -k 5 100 "${PYTHON3:-python3}" "$qtprof" "$@" >"$work/log" 2>&1 </dev/null
}

says() {        # PATTERN NAME
	grep -Eq -e "$1" "$work/log"
	report $? "$2"
}

compile() {     # PROGRAM ARGUMENT...
	program=$1
	shift
	${CC:-cc} -g -O1 -I"$top/include" -o "$program" "$program.c" "$@" -Wl,-rpath,"$build/.libs" -pthread >"$work/log" 2>&1 ||
		{ report 1 "$program compiles"; finish; exit; }
}

# ---- A native program ------------------------------------------------------------------------------------------------

cat >native.c <<'END'
#include <qthread.h>
#include <stdlib.h>

static aligned_t tree(void *arg)
{
	const long n = (long)arg;
	aligned_t x = 0, y = 0;

	if (n < 2)
		return 1;
	qthread_fork(tree, (void *)(n - 1), &x);
	qthread_fork(tree, (void *)(n - 2), &y);
	qthread_readFF(NULL, &x);
	qthread_readFF(NULL, &y);
	return x + y;
}

int main(int argc, char **argv)
{
	aligned_t ret;

	qthread_initialize();
	qthread_fork(tree, (void *)10, &ret);
	qthread_readFF(NULL, &ret);
	(void)argv;
	if (argc > 1)
		abort();
	exit(3);
}
END
compile native "$build/.libs/libqthread.so"
QT_HWPAR=2
export QT_HWPAR
prof --keep kept --html page.html --chrome events.json -- ./native
[ $? -eq 3 ]
report $? "the program's exit status is qtprof's"
says '^ *[0-9.]+ [mun]?s +177 .* tree$' "the function, by its name, with the number of its tasks"
says '^tasks 17[78],' "so many tasks"
says '^work .* parallelism [0-9.]+$' "work and parallelism"
says '^with .* at each creation and wait .* burdened parallelism [0-9.]+$' "what is left of that if each task is stolen"
says '^worker 1 ' "each worker"
"${PYTHON3:-python3}" - >"$work/log" 2>&1 <<'END'
import decimal, json
d = json.load(open("events.json"), parse_float=decimal.Decimal)["traceEvents"]
known = {"M", "X", "s", "t", "f", "C"}
assert {e["ph"] for e in d} <= known and all("pid" in e and "name" in e for e in d)
assert all(e["dur"] >= 0 and "ts" in e and "tid" in e for e in d if e["ph"] == "X")
begun = {e["id"] for e in d if e["ph"] == "s"}
assert {e["name"] for e in d if e["ph"] == "C"} <= {"ready", "waiting"}
assert all(isinstance(v, int) and v >= 0 for e in d if e["ph"] == "C" for v in e["args"].values())
assert len(begun) == 177 and begun == {e["id"] for e in d if e["ph"] == "f"}
flows, slices = {}, {}
for e in d:
    if e["ph"] in "stf":
        flows.setdefault(e["id"], []).append(e)
        assert e["ph"] == "s" or e["bp"] == "e"
    elif e["ph"] == "X":
        begin, size = int(e["ts"] * 1000), int(e["dur"] * 1000)         # whole nanoseconds, for who rounds as well
        assert (begin, size) == (round(e["ts"] * 1000), round(e["dur"] * 1000)), e
        slices.setdefault(e["tid"], []).append((begin, begin + size))
for flow in flows.values():
    assert "".join(e["ph"] for e in flow) in ("stf", "sf"), flow
    assert all(a["ts"] <= b["ts"] and (a["cat"], a["name"]) == (b["cat"], b["name"]) for a, b in zip(flow, flow[1:])), flow
    assert all(any(a <= int(e["ts"] * 1000) <= b for a, b in slices[e["tid"]]) for e in flow), flow
assert sum(len(flow) == 3 for flow in flows.values()) >= 88     # half of them, at least, end after their creators have come to wait
for mine in slices.values():                                        # they nest: none goes on after who it has begun in
    around = []
    for begin, end in sorted(mine, key=lambda s: (s[0], -s[1])):
        while around and around[-1] <= begin:
            around.pop()
        assert not around or end <= around[-1], (begin, end, around)
        around.append(end)
tasks = [e for e in d if e["ph"] == "X" and e["name"] == "tree"]
assert {e["cat"] for e in tasks} == {"task"} and {e["args"]["task"] for e in tasks} == begun
with open("expected", "w") as f:                                   # of who counts them in SQL
    rows = [sum(e["ph"] == "X" for e in d), len(begun), sum(len(flow) - 1 for flow in flows.values()), sum(e["ph"] == "C" for e in d)]
    print(*rows, "native", "worker 0", "worker 1", sep="\n", file=f)
END
report $? "the export has slices, and arrows of each task from where it is created to where it runs, and is joined"
grep -q '^const d = {' page.html && ! grep -Eq 'https?://|src=' page.html
report $? "the page has its data, and needs nothing from elsewhere"

if command -v addr2line >/dev/null; then
	mkdir 'a folder'
	cp native.c 'a folder'
	${CC:-cc} -g -O1 -I"$top/include" -o 'a folder/native' 'a folder/native.c' "$build/.libs/libqthread.so" \
		-Wl,-rpath,"$build/.libs" -pthread >"$work/log" 2>&1
	QT_INLINE_JOIN=no prof -- './a folder/native'
	says ' wait at native[.]c:1[34] in tree$' "where it waited, by the source's line, in a folder with a space in its name"
else
	skip "where it waited, by the source's line, in a folder with a space in its name" "addr2line is not installed"
fi

# In a browser: the page is drawn, the wheel zooms in, about where it points, and out again.
zoom_check() {
	cat <<'END'
<script>addEventListener("load", () => {
const box = lanes.getBoundingClientRect(), all = to - from;
const wheel = by => lanes.dispatchEvent(new WheelEvent("wheel", { deltaY: by, clientX: box.left + box.width / 2, clientY: box.top + 9 }));
const painted = () => new Set(lanes.getContext("2d").getImageData(0, 12, lanes.width, 1).data).size > 3;
const first = painted(); for (let i = 0; i < 10; i++) wheel(-1);
const near = (to - from) / all, middle = (to + from) / 2 / all; for (let i = 0; i < 12; i++) wheel(1);
document.body.dataset.zoom = [first, painted(), near.toFixed(3), middle > .4 && middle < .6, to - from === all].join(" ");
});</script>
END
}
browser=$(command -v chromium || command -v chromium-headless-shell)
if [ -n "$browser" ]; then
	{ sed 's,</body></html>,,' page.html; zoom_check; } >zoom.html
	timeout -k 5 100 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --dump-dom \
		"file://$work/zoom.html" 2>/dev/null | grep -o 'data-zoom="[^"]*"' >log
	grep -qx 'data-zoom="true true 0.107 true true"' log
	report $? "in a browser the page is drawn, and zooms"
else
	skip "in a browser the page is drawn, and zooms" "chromium is not installed"
fi

# Perfetto's own page: all of the export arrives there, and nothing is found wrong with it (a row then, which no count is).
status=77
[ -z "$browser" ] || {
	timeout -k 5 100 "${PYTHON3:-python3}" "$top/test/tools/perfetto" "$browser" events.json "select count(*) from slice" \
		"select count(distinct arg_set_id) from slice where category = 'task' and name = 'tree'" \
		"select count(*) from flow" "select count(*) from counter" "select name from process where name is not null" \
		"select name from thread where name is not null order by name" \
		"select name, value from stats where severity in ('error', 'data_loss') and value > 0" >loaded 2>"$work/log"
	status=$?
}
if [ $status -eq 77 ]; then
	skip "Perfetto loads the export" "its page is not here"
else
	diff expected loaded >>"$work/log" 2>&1
	report $? "Perfetto loads the export"
fi

# The workers' time adds up, and what begins ends.
cat >adds-up.py <<'END'
import importlib.machinery, importlib.util, sys
loader = importlib.machinery.SourceFileLoader("qtprof", sys.argv[1])
sys.dont_write_bytecode = True
q = importlib.util.module_from_spec(importlib.util.spec_from_loader("qtprof", loader))
loader.exec_module(q)
log = q.Log(sys.argv[2])
story = q.Story(log)
total = sum(sum(t.values()) for t in story.time)
wall = (story.last - story.first) * log.workers
print(f"states {total}, wall time {wall}, recorded {story.recorded}, unmatched {story.unmatched}")
for kind in sys.argv[3:]:
    kind, _, wanted = kind.partition("=")
    n = sum(1 for e in log.events if e[2] == kind and not e[3])
    print(kind, n)
    assert n == int(wanted) if wanted else n, kind
assert total == story.recorded and abs(total - wall) <= 0.02 * wall
assert story.unmatched <= 4 * log.workers       # of what had begun before
END
"${PYTHON3:-python3}" adds-up.py "$qtprof" kept task create log >"$work/log" 2>&1
report $? "the states' times add up to the wall time of all workers"

# Where a tick is long, as 40 ns are on some machines, tasks begin and end in the same one: callers come before what they call,
# and what took no time before what comes then.
cat >coarse.py <<'END'
import importlib.machinery, importlib.util, json, sys
loader = importlib.machinery.SourceFileLoader("qtprof", sys.argv[1])
sys.dont_write_bytecode = True
q = importlib.util.module_from_spec(importlib.util.spec_from_loader("qtprof", loader))
loader.exec_module(q)
class Log:
    pid, workers, lost, short, ns, modules = 1, 1, [0], False, 40.0, []
    events = [(1, 0, "worker", 0, 0, 0, 0)] + [(2, 0, "task", 0, n, 0, 0) for n in (1, 2, 3)] + \
        [(2, 0, "task", 1, 3, 0, 0), (2, 0, "task", 0, 4, 0, 0)] + [(3, 0, "task", 1, n, 0, 0) for n in (4, 2, 1)] + \
        [(4, 0, "worker", 1, 0, 0, 0)]
q.export_chrome(q.Story(Log), None, "coarse.json")
with open("coarse.json") as f:
    found = [e["args"]["task"] for e in json.load(f)["traceEvents"] if e["ph"] == "X" and e["cat"] == "task"]
print(found)
assert found == [1, 2, 3, 4]
END
"${PYTHON3:-python3}" coarse.py "$qtprof" >"$work/log" 2>&1
report $? "tasks of one tick are within their callers"

# A creator may lose its CPU before it has recorded the end of a creation: the task begins, and even ends, meanwhile.
cat >early.py <<'END'
import importlib.machinery, importlib.util, json, sys
loader = importlib.machinery.SourceFileLoader("qtprof", sys.argv[1])
sys.dont_write_bytecode = True
q = importlib.util.module_from_spec(importlib.util.spec_from_loader("qtprof", loader))
loader.exec_module(q)
class Log:
    pid, workers, lost, short, ns, modules = 1, 2, [0, 0], False, 1.0, []
    def __init__(self, begin):
        self.events = sorted([(1, 0, "worker", 0, 0, 0, 0), (2, 0, "task", 0, 1, 0, 0), (10, 0, "create", 0, 0, 0, 7),
            (100, 0, "create", 1, 2, 0, 0), (110, 0, "taskwait", 0, 0, 0, 0), (120, 0, "taskwait", 1, 0, 0, 0),
            (130, 0, "task", 1, 1, 0, 0), (131, 0, "worker", 1, 0, 0, 0), (1, 1, "worker", 0, 0, 0, 0),
            (begin, 1, "task", 0, 2, 0, 7), (begin + 20, 1, "task", 1, 2, 0, 0), (131, 1, "worker", 1, 0, 0, 0)])
for begin in 10, 12, 55, 90, 98:
    story = q.Story(Log(begin))
    q.export_chrome(story, q.Symbols([]), "early.json")
    with open("early.json") as f:
        events = json.load(f)["traceEvents"]
    flow = [(e["ph"], e["ts"] * 1000) for e in events if e["ph"] in "stf"]
    ready = [e["args"]["tasks"] for e in events if e["ph"] == "C" and e["name"] == "ready"]
    print(begin, flow, ready)
    assert [step for step, _ in flow] == ["s", "t", "f"] and 10 <= round(flow[0][1]) <= round(flow[1][1]) == begin, flow
    assert ready == [1, 0]
    assert story.tasks[2].parent is story.tasks[1] and story.tasks[2].path >= 28
END
"${PYTHON3:-python3}" early.py "$qtprof" >"$work/log" 2>&1
report $? "a task that begins within its creation has an arrow forwards, and its creator"

ulimit -c 0
for name in first second third; do              # who is killed asleep, or about to be, has no end of that
	QT_TRACE=$work/$name ./native abort >/dev/null 2>&1
	"${PYTHON3:-python3}" adds-up.py "$qtprof" $name || echo "$name does not"
done >"$work/log" 2>&1
! grep -q 'does not' "$work/log"
report $? "those of a process that was ended by a signal, too"

# An old Python, as systems that live for long have: what came after 3.6 is taken away.
cat >old.py <<'END'
import ast, math, runpy, subprocess, sys
with open(sys.argv[1]) as f:
    ast.parse(f.read(), **({"feature_version": (3, 6)} if sys.version_info >= (3, 8) else {}))
for name in ("comb", "dist", "isqrt", "lcm", "nextafter", "perm", "prod", "remainder", "ulp"):
    math.__dict__.pop(name, None)
def older(call):
    def refuse(*arguments, **named):
        assert "text" not in named and "capture_output" not in named
        return call(*arguments, **named)
    return refuse
subprocess.run, subprocess.Popen.__init__ = older(subprocess.run), older(subprocess.Popen.__init__)
sys.argv[:] = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
END

# ---- A program of OpenMP ---------------------------------------------------------------------------------------------

if [ -n "${OMPCC-}" ]; then
	cat >openmp.c <<'END'
#include <omp.h>
#include <stdio.h>

static long sum;
static omp_lock_t lock;

__attribute__((noinline)) static void note(int i)
{
	__asm__ volatile("" : : "r"(i));
}

static long tree(int n)
{
	long x, y;

	if (n < 2)
		return 1;
	#pragma omp task shared(x)
	x = tree(n - 1);
	#pragma omp task shared(y)
	y = tree(n - 2);
	#pragma omp taskwait
	return x + y;
}

int main(void)
{
	omp_init_lock(&lock);
	#pragma omp parallel num_threads(2)
	{
		#pragma omp single
		for (int i = 0; i < 200; i++) {
			#pragma omp task
			if (tree(8) != 34)
				puts("wrong");
		}
		#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < 40; i++) {
			omp_set_lock(&lock);
			sum += i;
			omp_unset_lock(&lock);
		}
		#pragma omp barrier
	}
	#pragma omp parallel for schedule(dynamic, 2) num_threads(2)
	for (int i = 0; i < 40; i++)
		note(i);
	printf("%ld\n", sum);
	return sum != 780;
}
END
	$OMPCC -g -O1 -fopenmp -o openmp openmp.c >"$work/log" 2>&1
	report $? "a program of OpenMP compiles"
	OMP_NUM_THREADS=2 prof --keep kept --html page.html --chrome events.json -- env LD_PRELOAD="$build/.libs/libqomp.so" ./openmp
	report $? "it runs"
	says ' (tree|main)[.]_omp_fn' "the compiler's functions, by their names"
	says '^tasks 13400, ' "each task, called in place or not"
	says 'barrier (at|in) .*omp_(fn|outlined)' "where it waited for the team"
	if command -v addr2line >/dev/null; then
		says ' taskwait at openmp[.]c:22 in tree(, of task .*)?$' "and for its children, by the source's line"
	else
		skip "and for its children, by the source's line" "addr2line is not installed"
	fi
	"${PYTHON3:-python3}" adds-up.py "$qtprof" kept region barrier chunk=40 task create taskwait idle >"$work/log" 2>&1
	report $? "all is there, nests and adds up"
	"${PYTHON3:-python3}" old.py "$qtprof" --read kept --html old.html --chrome old.json >"$work/log" 2>&1 && [ -s old.html ] &&
		cmp -s events.json old.json
	report $? "Python 3.6 is enough"
	cp kept cut
	if [ -z "${SANITIZER_FLAGS-}${QTI_EMULATED-}" ] && clang -g -O1 -fopenmp -o theirs openmp.c 2>"$work/log"; then
		OMP_NUM_THREADS=2 prof -- env LD_PRELOAD="$build/.libs/libqomp.so" ./theirs
		says '^tasks 13400, ' "clang's: each task"
		says 'omp_task_entry' "by their names"
	else
		skip "clang's: each task" "it is not here"
		skip "by their names" "it is not here"
	fi
	QT_TRACE=$work/stopped OMP_NUM_THREADS=2 LD_PRELOAD="$build/.libs/libqomp.so" ./openmp >"$work/log" 2>&1
	prof --read stopped
	report $? "what QT_TRACE has recorded is read"
else
	skip "a program of OpenMP" "no compiler for it"
fi

# ---- What is no record -----------------------------------------------------------------------------------------------

refuses() {     # NAME ARGUMENT...
	what=$1
	shift
	prof "$@"
	[ $? -ne 0 ] && [ "$(wc -l <"$work/log")" -eq 1 ] && grep -q '^qtprof: ' "$work/log"
	report $? "$what: one line"
}

printf 'something else, and long enough to be looked at: %080d' 1 >other
head -c 100 kept >short
head -c 70000 kept >cut
refuses "another file" --read other
refuses "a file that is not there" --read nowhere
refuses "a record without its front" --read short
refuses "a program that is not there" -- ./nowhere
refuses "a program without qthreads" -- true
prof --read cut
[ $? -eq 0 ] || [ "$(wc -l <"$work/log")" -eq 1 ]
report $? "a record that is cut off is read as far as it goes, or is one line"
QT_TRACE=/nowhere/file ./native >"$work/log" 2>&1
[ $? -eq 3 ] && [ "$(grep -c 'QT_TRACE=/nowhere/file' "$work/log")" -eq 1 ]
report $? "a record that cannot be made is one line, and the program runs on"

"${PYTHON3:-python3}" "$top/test/fuzz/qtprof" --runs 40 --seed 1 >"$work/log" 2>&1
report $? "40 records with damage are read, or refused by one line"
finish
