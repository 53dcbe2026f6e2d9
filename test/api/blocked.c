/* test/api/blocked.c -- qthread_feb_callback and qthread_syncvar_callback tell who waits, and for what.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "child.h"
#include "waiting.h"

#include <string.h>

enum { CHECKS_PER_RUN = 13, OTHER_CHECKS = 5 };

/* ---- What was told ------------------------------------------------------------------------------------------- */

struct report {
	void *address;
	qthread_f f;
	void *f_arg, *retloc;
	unsigned id;
	void *tasklocal;
};

enum { MOST = 64 };

static struct {
	int n;
	struct report report[MOST];
} told;

static void listen(void *address, qthread_f f, void *f_arg, void *retloc, unsigned id, void *tasklocal, void *arg)
{
	if (arg == &told && told.n < MOST)
		told.report[told.n++] = (struct report){ address, f, f_arg, retloc, id, tasklocal };
}

static int ask(void (*whom)(qt_feb_callback_f, void *))
{
	memset(&told, 0, sizeof(told));
	whom(listen, &told);
	return told.n;
}

/* The only one about an address, NULL if there is another number of them. */
static const struct report *about(const void *address)
{
	const struct report *found = NULL;

	for (int i = 0; i < told.n; i++) {
		if (told.report[i].address != address)
			continue;
		if (found)
			return NULL;
		found = &told.report[i];
	}
	return found;
}

/* ---- Waiters of all kinds ------------------------------------------------------------------------------------ */

enum { KINDS = 6, SYNCVARS = 3 };

static struct waiting {
	aligned_t word;
	syncvar_t sv;
	unsigned id;
	void *tasklocal;
	aligned_t ret;
} w[KINDS];

static aligned_t wait_somehow(void *arg)
{
	struct waiting *me = arg;

	me->tasklocal = qthread_get_tasklocal(me == &w[1] ? 5000 : 1);
	if (me != &w[2])
		me->id = qthread_id();
	switch (me - w) {
	case 0:
		qthread_readFF(NULL, &me->word);
		break;
	case 1:
		qthread_readFE(NULL, &me->word);
		break;
	case 2:
		qthread_writeEF_const(&me->word, 3);
		break;
	case 3:
		qthread_writeFF_const(&me->word, 3);
		break;
	default:
		qthread_lock(&me->word);
		break;
	}
	if (me == &w[2])
		me->id = qthread_id();
	return 0;
}

static void feb(const char *what)
{
	unsigned third = 0;
	bool all = true, right = true;

	memset(w, 0, sizeof(w));
	for (int i = 0; i < KINDS; i++) {
		if (i != 2)
			qthread_empty(&w[i].word);
		if (i < 5)
			qthread_fork(wait_somehow, &w[i], &w[i].ret);
		else
			qthread_fork_precond(wait_somehow, &w[i], &w[i].ret, 1, &w[i].word);
	}
	until_quiet();
	is_int(ask(qthread_feb_callback), KINDS, "%s: qthread_feb_callback tells of every task that waits", what);
	for (int i = 0; i < KINDS; i++) {
		const struct report *r = about(&w[i].word);
		all = r && all;
		if (!r)
			continue;
		right = r->f == wait_somehow && r->f_arg == &w[i] && r->retloc == &w[i].ret && r->id != 0 && right;
		right = (i == 5 || r->tasklocal == w[i].tasklocal) && (i == 2 || i == 5 || r->id == w[i].id) && right;
		if (i == 2)
			third = r->id;
	}
	ok(all, "%s: qthread_feb_callback tells what each waits for", what);
	ok(right, "%s: qthread_feb_callback tells function, argument, return word, number and data", what);
	is_int(ask(qthread_syncvar_callback), 0, "%s: qthread_syncvar_callback tells of none of them", what);
	qthread_empty(&w[2].word);
	for (int i = 0; i < KINDS; i++)
		qthread_fill(&w[i].word);
	for (int i = 0; i < KINDS; i++)
		qthread_readFF(NULL, &w[i].ret);
	ok(w[2].id == third, "%s: qthread_id gives a task the number that was told", what);
	is_int(ask(qthread_feb_callback), 0, "%s: qthread_feb_callback tells of nobody when nobody waits", what);
}

static aligned_t wait_for_syncvar(void *arg)
{
	struct waiting *me = arg;

	me->id = qthread_id();
	me->tasklocal = qthread_get_tasklocal(1);
	if (me == &w[0])
		qthread_syncvar_readFF(NULL, &me->sv);
	else if (me == &w[1])
		qthread_syncvar_readFE(NULL, &me->sv);
	else
		qthread_syncvar_writeEF_const(&me->sv, 3);
	return 0;
}

static void syncvar(const char *what)
{
	bool right = true;

	memset(w, 0, sizeof(w));
	for (int i = 0; i < SYNCVARS; i++) {
		w[i].sv = i == 2 ? (syncvar_t)SYNCVAR_STATIC_INITIALIZER : (syncvar_t)SYNCVAR_STATIC_EMPTY_INITIALIZER;
		qthread_fork(wait_for_syncvar, &w[i], &w[i].ret);
	}
	until_quiet();
	is_int(ask(qthread_syncvar_callback), SYNCVARS, "%s: qthread_syncvar_callback tells of every task that waits", what);
	for (int i = 0; i < SYNCVARS; i++) {
		const struct report *r = about(&w[i].sv);
		right = r && r->f == wait_for_syncvar && r->f_arg == &w[i] && r->retloc == &w[i].ret && r->id == w[i].id &&
			r->tasklocal == w[i].tasklocal && right;
	}
	ok(right, "%s: qthread_syncvar_callback tells the same of each", what);
	is_int(ask(qthread_feb_callback), 0, "%s: qthread_feb_callback tells of none of them", what);
	qthread_syncvar_fill(&w[0].sv);
	qthread_syncvar_fill(&w[1].sv);
	qthread_syncvar_empty(&w[2].sv);
	for (int i = 0; i < SYNCVARS; i++)
		qthread_readFF(NULL, &w[i].ret);
}

/* ---- Words in one chain, and results that wait ---------------------------------------------------------------- */

static aligned_t wait_for(void *arg)
{
	qthread_readFF(NULL, arg);
	return 0;
}

static void chained(const char *what)
{
	aligned_t ret[CHAIN];
	bool all = true;

	for (int i = 0; i < CHAIN; i++)
		qthread_empty(chain[i]);
	for (int i = 0; i < CHAIN; i++)
		qthread_fork(wait_for, chain[i], &ret[i]);
	until_quiet();
	const int n = ask(qthread_feb_callback);
	for (int i = 0; i < CHAIN; i++)
		all = about(chain[i]) && about(chain[i])->f_arg == chain[i] && all;
	ok(n == CHAIN && all, "%s: qthread_feb_callback finds the words of a chain", what);
	for (int i = 0; i < CHAIN; i++)
		qthread_fill(chain[i]);
	for (int i = 0; i < CHAIN; i++)
		qthread_readFF(NULL, &ret[i]);
}

static aligned_t gate;

static aligned_t answer(void *arg)
{
	qthread_readFF(NULL, &gate);
	return *(aligned_t *)arg;
}

static void undelivered(const char *what)
{
	const aligned_t seven = 7;
	aligned_t ret, value = 0;

	qthread_empty(&gate);
	qthread_fork_copyargs(answer, &seven, sizeof(seven), &ret);
	qthread_writeF_const(&ret, 1);
	qthread_fill(&gate);
	until_waiting(&ret, QTI_WAIT_WRITE_EF, 1);
	const int n = ask(qthread_feb_callback);
	const struct report *r = about(&ret);
	ok(n == 1 && r && r->f == answer && !r->f_arg && r->retloc == &ret,
		"%s: qthread_feb_callback tells of a task whose result waits", what);
	qthread_readFE(NULL, &ret);
	qthread_readFF(&value, &ret);
	is_int(value, 7, "%s: which is delivered all the same", what);
}

/* ---- Beside tasks that come and go ----------------------------------------------------------------------------- */

static uint32_t stop;

static aligned_t ping[2];
static syncvar_t sping[2];

static aligned_t bounce(void *arg)
{
	const int me = *(int *)arg;

	while (!flag_is_up(&stop)) {
		qthread_readFE(NULL, &ping[me]);
		qthread_fill(&ping[!me]);
		qthread_syncvar_readFE(NULL, &sping[me]);
		qthread_syncvar_fill(&sping[!me]);
	}
	qthread_fill(&ping[!me]);
	qthread_syncvar_fill(&sping[!me]);
	return 0;
}

static void check_report(void *address, qthread_f f, void *f_arg, void *retloc, unsigned id, void *tasklocal, void *arg)
{
	const bool known = address == &ping[0] || address == &ping[1] || address == &sping[0] || address == &sping[1];

	(void)retloc, (void)tasklocal;
	if (known && (f != bounce || *(int *)f_arg > 1 || id == 0))
		++*(int *)arg;
}

static void look_outside(void *wrong)
{
	for (int i = every_scaled(30); i > 0; i--) {
		qthread_feb_callback(check_report, wrong);
		qthread_syncvar_callback(check_report, wrong);
	}
	flag_raise(&stop);
}

static void changing(const char *what)
{
	int number[2] = { 0, 1 }, wrong = 0;
	aligned_t ret[2];

	stop = 0;
	for (int i = 0; i < 2; i++) {
		sping[i] = i ? (syncvar_t)SYNCVAR_STATIC_EMPTY_INITIALIZER : (syncvar_t)SYNCVAR_STATIC_INITIALIZER;
		if (i)
			qthread_empty(&ping[i]);
		else
			qthread_fill(&ping[i]);
	}
	for (int i = 0; i < 2; i++)
		qthread_fork(bounce, &number[i], &ret[i]);
	every_outside(look_outside, &wrong);
	for (int i = 0; i < 2; i++)
		qthread_readFF(NULL, &ret[i]);
	is_int(wrong, 0, "%s: both tell what is so while tasks wait and go on", what);
	qthread_fill(&ping[0]);
	qthread_fill(&ping[1]);
}

/* ---- Waiters that are left ----------------------------------------------------------------------------------- */

static aligned_t wait_for_ever(void *word)
{
	qthread_readFF(NULL, word);
	return 0;
}

static void leave_some(void *how_many)
{
	static aligned_t never;
	int n = *(int *)how_many;

	every_start("mts", "1", "2");
	qthread_empty(&never);
	for (int i = 0; i < n; i++)
		qthread_fork(wait_for_ever, &never, NULL);
	qthread_finalize();
}

static void left_behind(void)
{
	static struct child child;

	child_run(&child, leave_some, &(int){ 3 });
	is_str(child.said, "", "qthread_finalize leaves tasks that wait without a word");
	setenv("QT_INFO", "1", 1);
	child_run(&child, leave_some, &(int){ 3 });
	ok(strstr(child.said, "libqthread: qthread_finalize: 3 task(s) still waited and will never go on\n"),
		"with QT_INFO it says how many");
	child_run(&child, leave_some, &(int){ 0 });
	ok(!strstr(child.said, "still waited"), "and nothing if there are none");
	unsetenv("QT_INFO");
}

static void run(const char *what)
{
	feb(what);
	syncvar(what);
	chained(what);
	undelivered(what);
	changing(what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	left_behind();
	setenv("QT_INLINE_JOIN", "0", 1);
	is_int(ask(qthread_feb_callback) + ask(qthread_syncvar_callback), 0, "both tell of nobody while the runtime is down");
	every_start("mts", "1", "1");
	qthread_feb_callback(NULL, NULL);
	qthread_syncvar_callback(NULL, NULL);
	ok(true, "both ignore a NULL callback");
	chain_find();
	qthread_finalize();
	every_runtime(run);
	chain_forget();
	return done();
}
