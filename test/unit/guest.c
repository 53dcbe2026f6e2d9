/* test/unit/guest.c -- core/guest.h: a guest that is not libqomp.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Its tasks are calls of fib, whose records lie on the stacks of their creators.  Who waits for its calls takes them
 * back out of its worker's queue and runs them on top of itself, or sleeps until the last of them has ended.  Native
 * qthreads come and go meanwhile, with words of their own.
 */
#include "api/every.h"
#include "core/guest.h"
#include "leaks.h"

#include <qthread/io.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHECKS = 12, FIB = 14, FIB_OF_FIB = 377, NATIVES = 40, LEAVES = 3, LOOKS = 200 };

/* --- what it is told ------------------------------------------------------------------------------------- */

static struct {
	int started, leave, stop, gone, before, after, child;
	enum qti_standing where;
	void *word;                     /* of the main thread when the runtime started */
	bool refuse_start, refuse_end;
} told;

static char thread_word;

static bool started(void)
{
	told.started++;
	told.where = qti_guest_standing();
	told.word = qti_guest_word();
	return !told.refuse_start;
}

static bool stays(void)
{
	return false;
}

static bool leave(enum qti_end end)
{
	(void)end;
	told.leave++;
	return !told.refuse_end;
}

static bool stop(void)
{
	told.stop++;
	return true;
}

static void gone(void)
{
	told.gone++;
}

static void before_fork(void)
{
	told.before++;
}

static void after_fork(void)
{
	told.after++;
}

static void in_child(void)
{
	told.child++;
}

static const void *function(const struct qti_task *t)
{
	return (const void *)t->fn;
}

static const struct qti_guest guest = {
	.tasks = "a call",
	.started = started, .stays = stays, .leave = leave, .stop = stop, .gone = gone, .function = function,
	.before_fork = before_fork, .after_fork = after_fork, .in_child = in_child,
};

/* --- its tasks ------------------------------------------------------------------------------------------- */

enum { ASLEEP = 1 << 16 };      /* in `open` */

struct call {
	struct qti_task base;
	struct qti_task_more more;
	struct qti_task *task;          /* base, or the main task */
	struct call *creator;
	uint32_t n, result;
	uint32_t open;                  /* calls that it waits for.  Whoever finds it asleep and
					 * without any makes it ready. */
};

static uint32_t wrong_words, on_top, slept;

static void expect_word(const void *word)
{
	if (qti_guest_word() != word)
		add_rlx(&wrong_words, 1);
}

static void one_has_ended(struct call *c)
{
	if (sub_acq_rel(&c->open, 1) - 1 == ASLEEP)
		qti_ready(c->task);
}

/* Its record is its creator's again, who may go on at once. */
static bool finish(struct qti_task *t, aligned_t unused)
{
	(void)unused;
	one_has_ended(((struct call *)(void *)t)->creator);
	return false;
}

static bool fall_asleep(struct qti_task *left, void *arg)
{
	struct call *c = arg;

	(void)left;
	add_rlx(&slept, 1);
	return add_acq_rel(&c->open, ASLEEP) != 0;
}

static void sleep_for_calls(struct call *c)
{
	qti_guest_sleep(fall_asleep, c);
	if (load_acq(&c->open) & ASLEEP)
		sub_acq_rel(&c->open, ASLEEP);
}

static void await(struct call *c)
{
	while (load_acq(&c->open) != 0) {
		struct qti_worker *w = qti_self();
		struct qti_task *t = qti_worker_stack_left(w) > qti_worker_stack_size(w) / 4 ? qti_guest_claim(w, c) : NULL;
		if (t && qti_guest_task_is_free(t)) {
			qti_run_on_top(w, t);
			add_rlx(&on_top, 1);
		} else {
			if (t)
				qti_guest_put_back(w, t);       /* it has yielded, and goes on from its own stack */
			sleep_for_calls(c);
		}
		expect_word(c);
	}
}

static aligned_t fib(void *arg);

static void begin(struct call *c, struct call *creator, uint32_t n)
{
	c->task = &c->base;
	c->creator = creator;
	c->n = n;
	c->open = 0;
	qti_guest_task_set(&c->base, &c->more, fib, c, creator, finish, QTI_TASK_OPEN);
	add_rlx(&creator->open, 1);
	qti_guest_push(qti_self(), &c->base);
}

static aligned_t fib(void *arg)
{
	struct call *c = arg, part[2];

	expect_word(NULL);
	qti_guest_word_set(c);
	if (c->n < 2) {
		c->result = c->n;
		return 0;
	}
	begin(&part[0], c, c->n - 1);
	begin(&part[1], c, c->n - 2);
	if (c->n % 3 == 0) {
		qthread_yield();
		expect_word(c);
	}
	await(c);
	c->result = part[0].result + part[1].result;
	return 0;
}

/* The main task runs whatever is there, and lets others go on; it sleeps when it has found nothing for long. */
static void look_for_calls(struct call *own)
{
	qti_guest_seek(true);
	qti_guest_out_of_work(true);
	for (unsigned looks = 1; load_acq(&own->open) != 0 && looks <= LOOKS; looks++) {
		struct qti_task *t = qti_guest_look(qti_self(), looks % 8 == 0);
		if (!t)
			continue;
		looks = 0;
		if (qti_guest_task_is_free(t))
			qti_run_on_top(qti_self(), t);
		else
			qti_guest_give_way(t);
		expect_word(own);
	}
	qti_guest_out_of_work(false);
	qti_guest_seek(false);
	while (load_acq(&own->open) != 0)
		sleep_for_calls(own);
	expect_word(own);
}

/* --- native qthreads ------------------------------------------------------------------------------------- */

static aligned_t native(void *arg)
{
	enum qti_standing in_call;
	char own;

	expect_word(NULL);
	qti_guest_word_set(&own);
	qthread_yield();
	expect_word(&own);
	qti_guest_task_bind(qti_guest_running(qti_self()), qti_worker_number(qti_self()));
	bool right = qti_guest_standing() == QTI_STANDS_IN_TASK;
	qt_begin_blocking_action();
	in_call = qti_guest_standing();
	expect_word(&own);
	qt_end_blocking_action();
	expect_word(&own);
	qthread_readFF(NULL, arg);
	expect_word(&own);
	return right && in_call == QTI_STANDS_IN_CALL;
}

static void asks_outside(void *arg)
{
	*(bool *)arg = qti_guest_standing() == QTI_STANDS_OUTSIDE && !qti_guest_word();
}

/* --- one runtime ----------------------------------------------------------------------------------------- */

/* A policy whose queues have no owner's end to count says nothing. */
static bool holds_just(const struct qti_worker *w, size_t n)
{
	return !qti_rt.sched->holds || (qti_worker_holds(w, n) && !qti_worker_holds(w, n + 1));
}

/* On one worker nobody else takes them. */
static bool takes_back(struct call *own)
{
	struct call leaf[LEAVES];
	struct qti_worker *w = qti_self();
	bool right = true;

	for (int i = 0; i < LEAVES; i++)
		begin(&leaf[i], own, 1);
	if (qti_rt.sched->claim && qti_host_workers() == 1) {
		struct qti_task *t = qti_guest_claim(w, own);
		right = holds_just(w, LEAVES - 1) && t == &leaf[LEAVES - 1].base && !qti_guest_claim(w, &leaf);
		qti_guest_put_back(w, t);
		right = right && holds_just(w, LEAVES) && qti_worker_has_queued(w) && !qti_worker_has_assigned(w);
	}
	qti_worker_publish(w);
	look_for_calls(own);
	for (int i = 0; i < LEAVES; i++)
		right = right && leaf[i].result == 1;
	return right;
}

static bool sees_who_is_out_of_work(void)
{
	bool before = qti_host_anybody_out_of_work();

	qti_guest_out_of_work(true);
	bool then = qti_host_anybody_out_of_work() && qti_host_has_idle();
	qti_guest_out_of_work(false);
	return !before && then && !qti_host_anybody_out_of_work();
}

static void calls(const char *what)
{
	struct call own = { .task = qti_guest_running(qti_self()) }, root;
	aligned_t go = 0, ret[NATIVES];
	bool good = true, outside = false;

	wrong_words = on_top = slept = 0;
	qti_guest_word_set(&own);
	qthread_empty(&go);
	for (int i = 0; i < NATIVES; i++)
		qthread_fork(native, &go, &ret[i]);
	begin(&root, &own, FIB);
	look_for_calls(&own);
	ok(root.result == FIB_OF_FIB, "%s: its tasks find the right number (%u)", what, root.result);
	qthread_fill(&go);
	for (int i = 0; i < NATIVES; i++) {
		qthread_readFF(NULL, &ret[i]);
		good = good && ret[i] == 1;
	}
	ok(good, "%s: native tasks stand in tasks, and in blocking calls", what);
	ok(qti_rt.sched->claim ? on_top > 0 : slept > 0, "%s: it ran %u on top of others, %u times one slept", what, on_top, slept);
	ok(takes_back(&own), "%s: it takes back what stands in its worker's queue", what);
	ok(sees_who_is_out_of_work(), "%s: who is out of work is seen", what);
	every_outside(asks_outside, &outside);
	ok(outside, "%s: another thread stands outside, and has no word", what);
	is_int(wrong_words, 0, "%s: each task's word comes and goes with it", what);
}

static bool forks(void)
{
	int before = told.before, after = told.after, status = 1;
	pid_t child = fork();

	if (child == 0) {
		leaks_allow();  /* the parent's runtime */
		_exit(told.before == before + 1 && told.after == after + 1 && told.child == 1 ? 0 : 1);
	}
	waitpid(child, &status, 0);
	return status == 0 && told.before == before + 1 && told.after == after + 1 && told.child == 0;
}

static void run(const char *what)
{
	memset(&told, 0, sizeof(told));
	qti_guest_word_set(&thread_word);
	told.refuse_start = true;
	ok(qthread_initialize() == QTHREAD_MALLOC_ERROR && told.started == 1 && !qti_host_runs(),
	   "%s: the runtime does not start without it", what);
	told.refuse_start = false;
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("%s: qthread_initialize failed", what);
	ok(told.started == 2 && told.where == QTI_STANDS_IN_MAIN && told.word == &thread_word,
	   "%s: it is told of the start in the main task, which has the thread's word", what);
	calls(what);
	ok(forks(), "%s: it is told of fork(2)", what);
	told.refuse_end = true;
	qthread_finalize();
	ok(told.leave == 1 && qti_host_runs(), "%s: the runtime stays if it does not leave", what);
	told.refuse_end = false;
	told.stop = 0;
	qthread_finalize();
	ok(told.leave == 3 && told.stop == 1 && told.gone == 1 && !qti_host_runs(), "%s: it is told of the end", what);
}

int main(void)
{
	qti_guest_come(&guest);
	plan(every_runs() * CHECKS);
	every_setting(run);
	return done();
}
