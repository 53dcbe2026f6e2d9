/* test/check/depends.c -- omp/task/depend.h: a task runs once, after all that it depends on (E1 to E3, C3).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Thread 0 creates the tasks, the others run them.
 */
#include "check/omp_sources.h"

#include "omp/task/create.c"

#include "check/omp.h"

enum { ADDRESSES = 2 };

static unsigned x[ADDRESSES];           /* that tasks depend on, and write */
static unsigned ran;                    /* atomic */
static uint32_t over;                   /* atomic */

#define ITEMS(n) ((void *)(uintptr_t)(n))

static void *writes_first[] = { ITEMS(1), ITEMS(1), &x[0] };
static void *writes_second[] = { ITEMS(1), ITEMS(1), &x[1] };
static void *reads_first[] = { ITEMS(1), ITEMS(0), &x[0] };
static void *reads_both[] = { ITEMS(2), ITEMS(0), &x[0], &x[1] };

static void writes(void *at)
{
	++*(unsigned *)at;
	add_rlx(&ran, 1);
}

static void reads(void *at)
{
	check_that(*(unsigned *)at == 1, "it comes after the task that writes");
	add_rlx(&ran, 1);
}

static void reads_all(void *unused)
{
	(void)unused;
	check_that(x[0] == 1 && x[1] == 1, "it comes after both tasks that write");
	add_rlx(&ran, 1);
}

static void create(void (*fn)(void *), void *data, void **depend)
{
	struct qomp_task *t = task_new(frame_of(0), fn, data);

	qomp_task_count(t);
	if (qomp_depend_add(t, depend))
		queue_put(t);
}

static void begin_two(void)
{
	team_begin(2);
}

static void begin_three(void)
{
	team_begin(3);
}

static void serve(unsigned thread)
{
	while (!load_acq(&over))
		if (!team_help(frame_of(thread)))
			check_pause();
}

static void finish(void)
{
	qomp_taskwait(frame_of(0));
	store_rel(&over, 1);
}

static void run_chain(unsigned thread)
{
	if (thread != 0) {
		serve(thread);
		return;
	}
	create(writes, &x[0], writes_first);
	create(reads, &x[0], reads_first);
	finish();
}

/* One waits for two, which end at a time. */
static void run_join(unsigned thread)
{
	if (thread != 0) {
		serve(thread);
		return;
	}
	create(writes, &x[0], writes_first);
	create(writes, &x[1], writes_second);
	create(reads_all, NULL, reads_both);
	finish();
}

/* A writer after two readers, which may run at a time. */
static void run_readers(unsigned thread)
{
	if (thread != 0) {
		serve(thread);
		return;
	}
	x[0] = 1;
	create(reads, &x[0], reads_first);
	create(reads, &x[0], reads_first);
	create(writes, &x[0], writes_first);
	finish();
	check_that(x[0] == 2, "all have ended");
}

/* The creator itself waits for one, with no task to run for that. */
static void run_wait(unsigned thread)
{
	if (thread != 0) {
		serve(thread);
		return;
	}
	create(writes, &x[0], writes_first);
	qomp_depend_wait(frame_of(0), reads_first);
	check_that(x[0] == 1, "it comes after the task that writes");
	finish();
}

/* The creator waits a moment for what it could run next: the task that may run then comes to it,
 * or goes to the queue. */
static void run_handoff(unsigned thread)
{
	if (thread != 0) {
		serve(thread);
		return;
	}
	create(writes, &x[0], writes_first);
	create(reads, &x[0], reads_first);
	struct qomp_task *t = receive_handoff(frame_of(0));
	if (t)
		task_run_found(frame_of(0), t);
	finish();
}

/* It ends, and its table goes, while they run. */
static void run_drop(unsigned thread)
{
	if (thread != 0) {
		serve(thread);
		return;
	}
	create(writes, &x[0], writes_first);
	create(reads, &x[0], reads_first);
	qomp_frame_drop(frame_of(0));
	finish();
}

static void end(void)
{
	qomp_frame_drop(frame_of(0));
	check_that(load_rlx(&ran) == load_rlx(&records_used), "each has run once");
	team_end();
}

#define NOTHING "it hands nothing over, and nobody learns anything from it"
#define CHILDREN "C1, C2: test/check/children.c"

static const struct check_spare spare[] = {
	{ "create.c", "store_rel(&f->handoff, QOMP_HANDOFF_OPEN);", NOTHING },
	{ "create.c", "struct qomp_task *t = swap_acq_rel(&f->handoff, NULL);", NOTHING },
	{ "task.c", "uint64_t now = add_acq_rel(&parent->remote, 1) + 1;", CHILDREN },
	{ "task.c", "if (add_acq_rel(&f->remote, lead) + lead == QOMP_REMOTE_LAST)", CHILDREN },
	{ "task.c", "store_rel(&m->finished, m->finished + 1);", "T2: test/check/gates.c" },
	{ "task.c", "cas_acq_rel(&parent->handoff, &open, next))",
		"to the parent nothing comes from there but the task, which this thread knows" },
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, first) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = end, .switches = 3, \
	  .stale = 2, .most = 1900 }

int main(int argc, char **argv)
{
	static const struct check_unit chain = UNIT(chain, 2, begin_two), joins = UNIT(join, 3, begin_three),
		readers = UNIT(readers, 3, begin_three), waits = UNIT(wait, 2, begin_two), drop = UNIT(drop, 2, begin_two),
		handoff = UNIT(handoff, 2, begin_two);
	static const struct check_unit *const units[] = { &chain, &joins, &readers, &waits, &drop, &handoff };
	static const char *const of[] = { "omp/task/depend.c", "omp/task/create.c", "omp/task/task.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	store_rlx(&qti_poll_rate, 0);
	return check_run(&program, argc, argv);
}
