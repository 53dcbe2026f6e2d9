/* test/ompt/checker.c -- a tool that believes nothing: every event has to fit what came before on its thread and in its task.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For OMP_TOOL_LIBRARIES.  The first mistakes are said on stderr, and a process that ends with mistakes ends with status 99.
 * OMPT_COUNTS=FILE: how often each event was told, a line `NAME N` each, when the tool is finalized.  OMPT_OPEN=yes: the
 * program ends where tasks and regions are open.  OMPT_FROM=yes: an event that says from where it comes names the program.
 */
#define _GNU_SOURCE 1

#include "omp-tools.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYNC_KINDS (ompt_sync_region_barrier_teams + 1)

struct region {
	uint64_t magic;
	struct task *met;
	unsigned size, begun;
	const void *from;
};

struct task {
	uint64_t magic;
	struct thread *on;              /* NULL: it has not begun, or has ended */
	struct task *below;             /* begun there before, and not ended */
	struct region *region;
	int flags;
	bool begun, ended, detached;
	unsigned open[SYNC_KINDS], waits[SYNC_KINDS];
	unsigned depth;                 /* of syncs */
	ompt_work_t work;
	bool single;
	unsigned masked, reductions, taskloops;
	ompt_wait_id_t wants;
};

struct thread {
	uint64_t magic;
	struct task *current;
	ompt_thread_t kind;
	bool ended;
};

#define REGION UINT64_C(0x7265)
#define TASK UINT64_C(0x7461)
#define THREAD UINT64_C(0x7468)
#define DEAD UINT64_C(0xdead)
#define TASK_MARK UINT64_C(0x6d61726b65647461)    /* test/ompt/program.c has it in tasks' data */

static pid_t process;
static unsigned long mistakes;
static unsigned long counts[ompt_callback_error + 1];
static long regions, explicits, threads, marked;

static __thread struct thread *self;

#define COUNT(event) __atomic_fetch_add(&counts[ompt_callback_##event], 1, __ATOMIC_RELAXED)
#define ADD(counter, n) __atomic_fetch_add(&(counter), (n), __ATOMIC_RELAXED)

#define CHECK(what, ...) ((what) ? (void)0 : mistake(__LINE__, __VA_ARGS__))

static void mistake(int line, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void mistake(int line, const char *fmt, ...)
{
	va_list args;

	if (ADD(mistakes, 1) >= 20)
		return;
	va_start(args, fmt);
	flockfile(stderr);
	fprintf(stderr, "# ompt checker, line %d: ", line);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	funlockfile(stderr);
	va_end(args);
}

#include "asks.h"

static void *make(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		abort();
	return p;
}

static struct task *task_of(ompt_data_t *data, int line)
{
	struct task *t = data ? data->ptr : NULL;

	if (!t || t->magic != TASK) {
		mistake(line, "not a task: %p", (void *)t);
		return NULL;
	}
	return t;
}

static struct region *region_of(ompt_data_t *data, int line)
{
	struct region *r = data ? data->ptr : NULL;

	if (r && r->magic != REGION)
		mistake(line, "not a region: %p", (void *)r);
	return r && r->magic == REGION ? r : NULL;
}

/* --- where the program calls from ------------------------------------------------------------------------ */

static uintptr_t text[2];               /* of the program, from one address to the other; 0: nobody asks */

/* The first object is the program. */
static int find_text(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			text[0] = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			text[1] = text[0] + info->dlpi_phdr[i].p_memsz;
		}
	}
	return 1;
}

/* Not all events say it. */
static void is_program(const void *from, int line)
{
	if (from && text[1] && ((uintptr_t)from < text[0] || (uintptr_t)from >= text[1]))
		mistake(line, "called from %p, which is not in the program", from);
}

/* --- which task runs ------------------------------------------------------------------------------------- */

static void take_out(struct thread *th, struct task *t)
{
	struct task **at = &th->current;

	while (*at && *at != t)
		at = &(*at)->below;
	CHECK(*at, "a task that is not on this thread leaves it");
	if (*at)
		*at = t->below;
	t->below = NULL;
	t->on = NULL;
}

static void put_on(struct thread *th, struct task *t)
{
	t->below = th->current;
	th->current = t;
	t->on = th;
}

/* It is what runs, as the library says and as the events so far do. */
static void is_running(struct task *t, int line)
{
	ompt_data_t *data = NULL;
	int flags = 0;

	if (!t)
		return;
	if (!self) {
		mistake(line, "an event on a thread that has not begun");
		return;
	}
	if (self->current != t)
		mistake(line, "task %x runs, %x was told to", t->flags, self->current ? self->current->flags : 0);
	if (get_task_info(0, &flags, &data, NULL, NULL, NULL) != 2 || !data || data->ptr != t || flags != t->flags)
		mistake(line, "ompt_get_task_info(0) is another task");
	if (!get_thread_data() || get_thread_data()->ptr != self)
		mistake(line, "ompt_get_thread_data is another thread's");
}

static void is_region(ompt_data_t *data, struct task *t, int line)
{
	struct region *r = region_of(data, line);

	if (t && r && t->region && t->region != r)
		mistake(line, "a region that is not the task's");
}

/* In the child of fork(2) as well: the parent's other threads have gone without an end. */
static bool may_be_open(void)
{
	return getenv("OMPT_OPEN") || getpid() != process;
}

/* --- threads --------------------------------------------------------------------------------------------- */

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *data)
{
	COUNT(thread_begin);
	CHECK(!self, "a thread begins twice");
	CHECK(data->ptr == NULL, "a thread begins with data");
	self = make(sizeof(*self));
	self->magic = THREAD;
	self->kind = kind;
	data->ptr = self;
	ADD(threads, 1);
}

static void on_thread_end(ompt_data_t *data)
{
	COUNT(thread_end);
	CHECK(self && data->ptr == self, "another thread ends");
	if (self && !may_be_open())
		CHECK(!self->current, "a thread ends with task %x", self->current->flags);
	ADD(threads, -1);
	free(self);
	self = NULL;
}

/* --- regions --------------------------------------------------------------------------------------------- */

static void on_parallel_begin(ompt_data_t *met, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned requested, int flags,
                              const void *from)
{
	struct task *t = task_of(met, __LINE__);
	struct region *r = make(sizeof(*r));

	COUNT(parallel_begin);
	is_running(t, __LINE__);
	CHECK(parallel->ptr == NULL, "a region begins with data");
	CHECK(requested > 0, "a region of no threads");
	bool league = flags & (int)ompt_parallel_league;
	CHECK(league != !!(flags & (int)ompt_parallel_team), "a region that is no team, nor a league");
	CHECK(frame->enter_frame.ptr != NULL, "nobody has called the runtime");
	CHECK(from != NULL, "a region begins nowhere");
	is_program(from, __LINE__);
	r->magic = REGION;
	r->met = t;
	r->from = from;
	parallel->ptr = r;
	ADD(regions, 1);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *met, int flags, const void *from)
{
	struct region *r = region_of(parallel, __LINE__);
	struct task *t = task_of(met, __LINE__);

	(void)flags;
	COUNT(parallel_end);
	is_running(t, __LINE__);
	if (!r)
		return;
	CHECK(r->met == t, "a region ends in another task");
	CHECK(r->from == from, "a region ends elsewhere");
	CHECK(__atomic_load_n(&r->begun, __ATOMIC_RELAXED) == r->size, "%u of %u threads began", r->begun, r->size);
	r->magic = DEAD;
	free(r);
	ADD(regions, -1);
}

static void nothing_open(const struct task *t)
{
	CHECK(t->depth == 0, "a task ends while it waits");
	CHECK(!t->work && !t->single && !t->masked && !t->reductions && !t->taskloops, "a task ends in work %d", t->work);
	CHECK(!t->wants, "a task ends that wants a lock");
}

static void region_entered(struct region *r, unsigned size)
{
	if (!r)
		return;
	__atomic_store_n(&r->size, size, __ATOMIC_RELAXED);
	__atomic_fetch_add(&r->begun, 1, __ATOMIC_RELAXED);
}

static void on_implicit_task(ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *task, unsigned size, unsigned index,
                             int flags)
{
	COUNT(implicit_task);
	if (!self) {
		mistake(__LINE__, "an implicit task on a thread that has not begun");
		return;
	}
	if (end == ompt_scope_begin) {
		struct task *t = make(sizeof(*t));
		CHECK(task->ptr == NULL, "a task begins with data");
		t->magic = TASK;
		t->flags = flags;
		t->begun = true;
		t->region = region_of(parallel, __LINE__);
		task->ptr = t;
		put_on(self, t);
		if (flags & ompt_task_initial) {
			CHECK(t->region ? index < size : size == 1 && index == 1, "an initial task of %u, %u", size, index);
			region_entered(t->region, size);
			return;
		}
		CHECK(flags & ompt_task_implicit, "an implicit task that is none");
		CHECK(index < size, "thread %u of %u", index, size);
		region_entered(t->region, size);
		is_running(t, __LINE__);
		ask_member(parallel, size, index);
		return;
	}
	struct task *t = task_of(task, __LINE__);
	if (!t)
		return;
	CHECK(parallel == NULL, "a region at an implicit task's end");
	is_running(t, __LINE__);
	nothing_open(t);
	take_out(self, t);
	t->ended = true;
	t->magic = DEAD;
	free(t);
}

/* --- explicit tasks -------------------------------------------------------------------------------------- */

static void on_task_create(ompt_data_t *creator, const ompt_frame_t *frame, ompt_data_t *task, int flags, int dependences,
                           const void *from)
{
	struct task *c = task_of(creator, __LINE__), *t = make(sizeof(*t));

	(void)dependences;
	is_program(from, __LINE__);
	COUNT(task_create);
	is_running(c, __LINE__);
	CHECK(frame->enter_frame.ptr != NULL, "nobody has called the runtime");
	CHECK(task->ptr == NULL, "a task is created with data");
	CHECK(flags & ompt_task_explicit, "a task that is not explicit");
	t->magic = TASK;
	t->flags = flags;
	t->region = c ? c->region : NULL;
	task->ptr = t;
	ADD(explicits, 1);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	COUNT(task_schedule);
	if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill) {
		struct task *t = task_of(prior, __LINE__);
		CHECK(next == NULL, "a fulfilled event has a next task");
		if (t && status == ompt_task_late_fulfill) {
			CHECK(t->detached, "fulfilled late, and did not wait");
			t->magic = DEAD;
			free(t);
			ADD(explicits, -1);
		}
		return;
	}
	if (!self) {
		mistake(__LINE__, "a task is scheduled on a thread that has not begun");
		return;
	}
	struct task *p = prior ? task_of(prior, __LINE__) : NULL, *n = next ? task_of(next, __LINE__) : NULL;
	CHECK(p, "nobody makes way");
	CHECK(p != n, "a task makes way for itself");
	CHECK(!p || self->current == p, "%x makes way, %x was told to run", p->flags, self->current ? self->current->flags : 0);
	if (status == ompt_task_switch || status == ompt_task_yield) {
		CHECK(n, "a switch to no task");
		if (!n)
			return;
		if (!n->begun) {
			CHECK(n->flags & ompt_task_explicit, "an implicit task begins by a switch");
			ask_memory();
			n->begun = true;
			put_on(self, n);
		} else {
			CHECK(n->on == self, "a task goes on on another thread");
			take_out(self, n);
			put_on(self, n);
		}
		return;
	}
	if (!p)
		return;
	CHECK(status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_detach, "status %d", status);
	CHECK(p->flags & ompt_task_explicit && p->begun && !p->ended, "task %x completes", p->flags);
	nothing_open(p);
	take_out(self, p);
	CHECK(n == self->current, "the task that goes on is another one");
	p->ended = true;
	if (status == ompt_task_detach) {
		p->detached = true;
		return;
	}
	p->magic = DEAD;
	free(p);
	ADD(explicits, -1);
}

static bool is_doacross(ompt_dependence_type_t type)
{
	return type == ompt_dependence_type_source || type == ompt_dependence_type_sink;
}

static bool is_dependence(ompt_dependence_type_t type)
{
	return (type >= ompt_dependence_type_in && type <= ompt_dependence_type_inoutset) ||
	       type == ompt_dependence_type_out_all_memory || type == ompt_dependence_type_inout_all_memory;
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int n)
{
	struct task *t = task_of(task, __LINE__);

	COUNT(dependences);
	bool doacross = n > 0 && is_doacross(list[0].dependence_type);
	CHECK(!t || t->begun == doacross, "dependences of a task that %s", doacross ? "does not run" : "runs");
	for (int i = 0; i < n; i++)
		CHECK(doacross ? list[i].dependence_type == list[0].dependence_type : is_dependence(list[i].dependence_type),
		      "dependence of type %d", (int)list[i].dependence_type);
}

static void on_task_dependence(ompt_data_t *before, ompt_data_t *after)
{
	COUNT(task_dependence);
	CHECK(before && after && before != after, "a dependence of nothing");
}

/* --- waiting --------------------------------------------------------------------------------------------- */

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *task,
                           const void *from)
{
	struct task *t = task_of(task, __LINE__);

	is_program(from, __LINE__);
	COUNT(sync_region);
	is_running(t, __LINE__);
	is_region(parallel, t, __LINE__);
	CHECK(kind > 0 && kind < SYNC_KINDS, "waits in %d", kind);
	if (!t || kind >= SYNC_KINDS)
		return;
	if (end == ompt_scope_begin) {
		CHECK(kind == ompt_sync_region_taskgroup || t->depth - t->open[ompt_sync_region_taskgroup] == 0,
		      "waits while it waits: %d", kind);
		t->open[kind]++;
		t->depth++;
	} else {
		CHECK(t->open[kind] > 0, "waits no longer in %d, and did not", kind);
		CHECK(t->waits[kind] == 0, "has left %d, and waits", kind);
		t->open[kind] -= t->open[kind] > 0;
		t->depth -= t->depth > 0;
	}
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *task,
                                const void *from)
{
	struct task *t = task_of(task, __LINE__);

	is_program(from, __LINE__);
	COUNT(sync_region_wait);
	is_running(t, __LINE__);
	is_region(parallel, t, __LINE__);
	if (!t || kind >= SYNC_KINDS)
		return;
	if (end == ompt_scope_begin) {
		CHECK(t->open[kind] > 0, "waits in %d, and has not come to it", kind);
		CHECK(t->waits[kind] == 0, "waits twice in %d", kind);
		t->waits[kind] = 1;
	} else {
		CHECK(t->waits[kind] == 1, "goes on from %d, and did not wait", kind);
		t->waits[kind] = 0;
	}
}

/* --- work ------------------------------------------------------------------------------------------------ */

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *task, uint64_t count,
                    const void *from)
{
	struct task *t = task_of(task, __LINE__);

	(void)count;
	is_program(from, __LINE__);
	COUNT(work);
	is_running(t, __LINE__);
	is_region(parallel, t, __LINE__);
	if (!t)
		return;
	if (kind == ompt_work_taskloop) {
		t->taskloops += end == ompt_scope_begin ? 1u : -1u;
	} else if (kind == ompt_work_single_executor || kind == ompt_work_single_other) {
		CHECK(t->single == (end == ompt_scope_end), "single: %d", end);
		t->single = end == ompt_scope_begin;
	} else if (end == ompt_scope_begin) {
		CHECK(!t->work, "work %d within %d", kind, t->work);
		t->work = kind;
	} else {
		CHECK(t->work == kind, "work %d ends, %d began", kind, t->work);
		t->work = 0;
	}
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t what)
{
	struct task *t = task_of(task, __LINE__);

	COUNT(dispatch);
	is_running(t, __LINE__);
	is_region(parallel, t, __LINE__);
	CHECK(!t || t->work, "a piece of nothing");
	if (kind == ompt_dispatch_ws_loop_chunk)
		CHECK(((ompt_dispatch_chunk_t *)what.ptr)->iterations > 0, "a piece without iterations");
}

static void on_masked(ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *task, const void *from)
{
	struct task *t = task_of(task, __LINE__);

	is_program(from, __LINE__);
	COUNT(masked);
	is_running(t, __LINE__);
	is_region(parallel, t, __LINE__);
	if (t)
		t->masked += end == ompt_scope_begin ? 1u : -1u;
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *task,
                         const void *from)
{
	struct task *t = task_of(task, __LINE__);

	(void)kind;
	is_program(from, __LINE__);
	COUNT(reduction);
	is_running(t, __LINE__);
	is_region(parallel, t, __LINE__);
	if (t)
		t->reductions += end == ompt_scope_begin ? 1u : -1u;
}

static void on_cancel(ompt_data_t *task, int flags, const void *from)
{
	is_program(from, __LINE__);
	COUNT(cancel);
	is_running(task_of(task, __LINE__), __LINE__);
	CHECK(flags & (ompt_cancel_activated | ompt_cancel_detected | ompt_cancel_discarded_task), "cancels: %x", flags);
}

/* --- locks ----------------------------------------------------------------------------------------------- */

static struct task *running(void)
{
	ompt_data_t *data = NULL;

	return get_task_info(0, NULL, &data, NULL, NULL, NULL) == 2 ? task_of(data, __LINE__) : NULL;
}

static void on_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *from)
{
	struct task *t = running();
	bool tries = kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock;

	(void)hint, (void)impl;
	COUNT(mutex_acquire);
	is_running(t, __LINE__);
	CHECK(from != NULL, "a lock is wanted nowhere");
	is_program(from, __LINE__);
	CHECK(id != 0 || kind == ompt_mutex_ordered, "no lock is wanted");
	if (t)
		t->wants = tries ? 0 : id;
}

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *from)
{
	struct task *t = running();
	bool tries = kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock;

	is_program(from, __LINE__);
	COUNT(mutex_acquired);
	is_running(t, __LINE__);
	CHECK(!t || tries || t->wants == id, "another lock than was wanted");
	CHECK(get_state(NULL) < ompt_state_wait_barrier, "it has the lock, and its state is %x", get_state(NULL));
	if (t)
		t->wants = 0;
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *from)
{
	(void)kind, (void)id;
	is_program(from, __LINE__);
	COUNT(mutex_released);
	is_running(running(), __LINE__);
}

static void on_lock_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *from)
{
	(void)hint, (void)impl, (void)id;
	is_program(from, __LINE__);
	COUNT(lock_init);
	CHECK(kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock, "a lock of kind %d", kind);
}

static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t id, const void *from)
{
	(void)kind, (void)id;
	is_program(from, __LINE__);
	COUNT(lock_destroy);
}

static void on_nest_lock(ompt_scope_endpoint_t end, ompt_wait_id_t id, const void *from)
{
	struct task *t = running();

	(void)id;
	is_program(from, __LINE__);
	COUNT(nest_lock);
	if (t && end == ompt_scope_begin)
		t->wants = 0;
}

static void on_flush(ompt_data_t *data, const void *from)
{
	is_program(from, __LINE__);
	COUNT(flush);
	CHECK(data->ptr == self, "another thread's flush");
}

static int on_control(uint64_t command, uint64_t modifier, void *arg, const void *from)
{
	(void)modifier, (void)arg;
	is_program(from, __LINE__);
	COUNT(control_tool);
	return command == 1 ? 0 : 1;
}

static void on_error(ompt_severity_t severity, const char *message, size_t length, const void *from)
{
	(void)severity, (void)message, (void)length;
	is_program(from, __LINE__);
	COUNT(error);
}

/* --- begin and end --------------------------------------------------------------------------------------- */

static const char *const names[] = {
	[1] = "thread_begin", "thread_end", "parallel_begin", "parallel_end", "task_create", "task_schedule", "implicit_task",
	[11] = "control_tool", [16] = "sync_region_wait", "mutex_released", "dependences", "task_dependence", "work", "masked",
	[23] = "sync_region", "lock_init", "lock_destroy", "mutex_acquire", "mutex_acquired", "nest_lock", "flush", "cancel",
	"reduction", "dispatch", [37] = "error",
};

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	static const struct {
		ompt_callbacks_t event;
		ompt_callback_t callback;
	} all[] = {
#define ON(event, function) { ompt_callback_##event, (ompt_callback_t)(function) }
		ON(thread_begin, on_thread_begin), ON(thread_end, on_thread_end), ON(parallel_begin, on_parallel_begin),
		ON(parallel_end, on_parallel_end), ON(implicit_task, on_implicit_task), ON(task_create, on_task_create),
		ON(task_schedule, on_task_schedule), ON(dependences, on_dependences),
		ON(task_dependence, on_task_dependence), ON(sync_region, on_sync_region),
		ON(sync_region_wait, on_sync_region_wait), ON(work, on_work), ON(dispatch, on_dispatch),
		ON(masked, on_masked), ON(reduction, on_reduction), ON(cancel, on_cancel), ON(mutex_acquire, on_acquire),
		ON(mutex_acquired, on_acquired), ON(mutex_released, on_released), ON(lock_init, on_lock_init),
		ON(lock_destroy, on_lock_destroy), ON(nest_lock, on_nest_lock), ON(flush, on_flush),
		ON(control_tool, on_control), ON(error, on_error),
	};
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device, (void)data;
	process = getpid();
	if (getenv("OMPT_FROM"))
		dl_iterate_phdr(find_text, NULL);
	ask_first(lookup);
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		ompt_set_result_t often = set(all[i].event, all[i].callback);
		CHECK(often == ompt_set_always || often == ompt_set_sometimes, "event %d is told %d", all[i].event, often);
		ask_callback(all[i].event, all[i].callback);
	}
	CHECK(set(ompt_callback_target, NULL) == ompt_set_never, "a device is told of");
	CHECK(set(ompt_callback_error + 1, NULL) == ompt_set_error, "an event that is none is told of");
	return 1;
}

/* A program may exit in the handler of a signal: no stdio from here on. */
static void write_counts(void)
{
	const char *file = getenv("OMPT_COUNTS");
	int out = file ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;

	if (out < 0)
		return;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i])
			dprintf(out, "%s %lu\n", names[i], counts[i]);
	dprintf(out, "mistakes %lu\nmarked %ld\n", mistakes, marked);
	close(out);
}

static void finalize(ompt_data_t *data)
{
	(void)data;
	if (!may_be_open()) {
		CHECK(regions == 0, "%ld regions have not ended", regions);
		CHECK(explicits == 0, "%ld tasks have not ended", explicits);
	}
	write_counts();
	if (mistakes) {
		dprintf(STDERR_FILENO, "# ompt checker: %lu mistakes\n", mistakes);
		_exit(99);
	}
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	(void)version, (void)runtime;
	return &result;
}
