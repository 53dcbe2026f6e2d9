/* test/api/out_of_memory.c -- each allocation fails once, and all from one on: a clear code, nothing lost, no leak.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A scenario is repeated with the first, second, third, ... allocation failing until it asks for no more than have
 * been tried: each under the usual scheduler, on two shapes; under the others, which allocate little, the first ones
 * and then some, on one shape.  Leaks are for valgrind and AddressSanitizer to see.
 */
#include "fault.h"
#include "waiting.h"
#include "process.h"

#include <qthread/bubble.h>
#include <qthread/sinc.h>

#include <string.h>

/* ---- Failing -------------------------------------------------------------------------------------------------- */

enum mode { ONCE, FROM_THEN_ON, MODES };

static const char *const mode_name[] = { "one fails", "all fail from one on" };

/* Whose allocations: everybody's, or only those that tasks other than the main one ask for. */
enum whose { EVERYBODYS, TASKS_ONLY };

static uint32_t whose_fail;

static bool fault_of_whose(void)
{
	if (load_rlx(&whose_fail) == TASKS_ONLY && (!qti_current() || qti_current() == qti_rt.main_task))
		return false;
	return fault();
}

static void arm(uint64_t nth, enum mode mode, enum whose whose)
{
	store_rlx(&whose_fail, (uint32_t)whose);
	fault_range(nth, mode == ONCE ? nth + 1 : UINT64_MAX);
}

/* ---- Scenarios ------------------------------------------------------------------------------------------------ */

struct scenario {
	const char *name;
	enum whose whose;
	void (*prepare)(void);          /* in a fresh runtime; may be NULL */
	void (*act)(void);              /* while allocations fail */
	bool (*check)(void);            /* afterwards: what there was was said, and the rest works */
	bool starts;                    /* act starts the runtime itself */
	uint64_t least;                 /* allocations at least that it must ask for: else it shows nothing */
};

static bool each; /* allocation, not some */
static const char *the_scheduler, *the_shepherds, *the_workers;

static bool repeat(const struct scenario *s, enum mode mode)
{
	enum { TOO_MANY = 1000 };

	for (uint64_t nth = 1; nth < TOO_MANY; nth += each ? 1 : 1 + nth / (every_is_slow() ? 2 : 4)) {
		if (!s->starts)
			every_start(the_scheduler, the_shepherds, the_workers);
		if (s->prepare)
			s->prepare();
		arm(nth, mode, s->whose);
		s->act();
		fault_end();
		const bool right = s->check();
		const bool failed = fault_asked() >= nth;
		qthread_finalize();
		if (!right) {
			diag("%s, number %d: %s", s->name, (int)nth, mode_name[mode]);
			return false;
		}
		if (failed)
			continue;
		if (nth <= s->least)
			diag("%s asks for fewer than %d allocations", s->name, (int)nth);
		return nth > s->least;
	}
	diag("%s never comes to an end", s->name);
	return false;
}

/* Every allocation of the runtime is small, so that there are many. */
static void small_pools(void)
{
	setenv("QT_MAX_POOL_ALLOC_SIZE", "1", 1);
}

static aligned_t ended;

static aligned_t seven(void *arg)
{
	(void)arg;
	qthread_incr(&ended, 1);
	return 7;
}

static bool tasks_run(void)
{
	aligned_t ret = 0;

	return qthread_fork(seven, NULL, &ret) == QTHREAD_SUCCESS && qthread_readFF(NULL, &ret) == QTHREAD_SUCCESS && ret == 7;
}

/* ---- qthread_initialize --------------------------------------------------------------------------------------- */

static int rc_of_start;
static int threads_before;

static void start(void)
{
	setenv("QT_SCHEDULER", the_scheduler, 1);
	setenv("QT_NUM_SHEPHERDS", the_shepherds, 1);
	setenv("QT_NUM_WORKERS_PER_SHEPHERD", the_workers, 1);
	rc_of_start = qthread_initialize();
}

static bool started_or_down(void)
{
	if (rc_of_start == QTHREAD_MALLOC_ERROR) {
		for (int i = 0; process_threads() != threads_before && i < 1000000; i++)
			sched_yield();
		if (process_threads() != threads_before || qthread_num_workers() != 0 || qthread_fork(seven, NULL, NULL) != QTHREAD_NOT_ALLOWED)
			return false;
		rc_of_start = qthread_initialize();
	}
	return rc_of_start == QTHREAD_SUCCESS && tasks_run();
}

/* ---- qthread_fork_bubble -------------------------------------------------------------------------------------- */

enum { BUBBLES = 30, IN_EACH = 5 };

static struct {
	int rc;
	aligned_t ret;
} bubbles[BUBBLES];

static void prepare_bubbles(void)
{
	ended = 0;
	for (int i = 0; i < BUBBLES; i++)
		bubbles[i].ret = 55;
}

static void make_bubbles(void)
{
	for (int i = 0; i < BUBBLES; i++)
		bubbles[i].rc = qthread_fork_bubble(seven, NULL, 0, IN_EACH, &bubbles[i].ret);
}

/* All of a bubble, and their sum; or none, and a ret that is as it was. */
static bool bubbles_are_right(void)
{
	bool right = true;
	unsigned forked = 0;

	for (int i = 0; i < BUBBLES; i++) {
		const bool made = bubbles[i].rc == QTHREAD_SUCCESS;
		if (!made && (bubbles[i].rc != QTHREAD_MALLOC_ERROR || qthread_feb_status(&bubbles[i].ret) != 1))
			right = false;
		qthread_readFF(NULL, &bubbles[i].ret);
		right = right && bubbles[i].ret == (made ? 7 * IN_EACH : 55);
		forked += made ? IN_EACH : 0;
	}
	until_quiet();
	return right && ended == forked && tasks_run();
}

/* ---- fork ----------------------------------------------------------------------------------------------------- */

enum { FORMS = 10, EACH = 20, FORKS = FORMS * EACH };

static struct {
	int rc;
	union {
		aligned_t word;
		syncvar_t syncvar;
	} ret;
} forks[FORKS];

static aligned_t open_word;
static qt_sinc_t *fork_sinc;
static unsigned teams_before;

static bool has_syncvar(int i)
{
	return i % FORMS == 3 || i % FORMS == 4 || i % FORMS == 7;
}

static bool has_sinc(int i)
{
	return i % FORMS == 9;
}

static int fork_form(int i)
{
	static char bytes[5000];
	aligned_t *word = &forks[i].ret.word, *words[] = { &open_word, &open_word };
	syncvar_t *sv = &forks[i].ret.syncvar;

	switch (i % FORMS) {
	case 0:
		return qthread_fork(seven, NULL, word);
	case 1:
		return qthread_fork_copyargs(seven, bytes, 16, word);
	case 2:
		return qthread_fork_copyargs(seven, bytes, 700, word);
	case 3:
		return qthread_fork_syncvar_copyargs(seven, bytes, 5000, sv);
	case 4:
		return qthread_fork_copyargs_precond(seven, bytes, 5000, sv, 2, &open_word, &open_word);
	case 5:
		return qthread_fork_precond(seven, NULL, word, -2, words);
	case 6:
		return qthread_fork_to(seven, NULL, word, (qthread_shepherd_id_t)i);
	case 7:
		return qthread_spawn(seven, bytes, 16, sv, 0, NULL, NO_SHEPHERD,
			QTHREAD_SPAWN_NEW_SUBTEAM | QTHREAD_SPAWN_RET_SYNCVAR_T);
	case 8:
		return qthread_fork_copyargs_new_team(seven, bytes, 5000, word);
	default:
		return qthread_spawn(seven, bytes, 100, fork_sinc, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC_VOID);
	}
}

static void prepare_forks(void)
{
	fork_sinc = qt_sinc_create(0, NULL, NULL, EACH);
	teams_before = 0;
	ended = 0;
	open_word = 1;
	for (int i = 0; i < FORKS; i++) {
		if (has_syncvar(i))
			forks[i].ret.syncvar = SYNCVAR_INITIALIZE_TO(55);
		else
			forks[i].ret.word = 55;
	}
}

static void make_forks(void)
{
	for (int i = 0; i < FORKS; i++)
		forks[i].rc = fork_form(i);
}

/* A result, or a ret that is as it was. */
static bool fork_is_right(int i)
{
	const bool forked = forks[i].rc == QTHREAD_SUCCESS;
	uint64_t got = 0;

	if (!forked && forks[i].rc != QTHREAD_MALLOC_ERROR)
		return false;
	if (has_sinc(i))
		return true;
	if (has_syncvar(i)) {
		if (!forked && qthread_syncvar_status(&forks[i].ret.syncvar) != 1)
			return false;
		qthread_syncvar_readFF(&got, &forks[i].ret.syncvar);
	} else {
		if (!forked && qthread_feb_status(&forks[i].ret.word) != 1)
			return false;
		qthread_readFF(&got, &forks[i].ret.word);
	}
	return got == (forked ? 7 : 55);
}

static aligned_t tell_team(void *arg)
{
	(void)arg;
	return qt_team_id();
}

/* Those that could not be made have got no number. */
static bool teams_are_right(void)
{
	aligned_t ret = 0;
	unsigned made = 0;

	for (int i = 0; i < FORKS; i++)
		made += i % FORMS >= 7 && i % FORMS <= 8 && forks[i].rc == QTHREAD_SUCCESS;
	return qthread_fork_new_team(tell_team, NULL, &ret) == QTHREAD_SUCCESS &&
		qthread_readFF(NULL, &ret) == QTHREAD_SUCCESS && ret == 2 + teams_before + made;
}

static bool forks_are_right(void)
{
	bool right = true;
	unsigned forked = 0;

	for (int i = 0; i < FORKS; i++) {
		right = right && fork_is_right(i);
		forked += forks[i].rc == QTHREAD_SUCCESS;
		if (has_sinc(i) && forks[i].rc != QTHREAD_SUCCESS)
			qt_sinc_submit(fork_sinc, NULL);
	}
	qt_sinc_wait(fork_sinc, NULL);
	qt_sinc_destroy(fork_sinc);
	until_quiet();
	return right && ended == forked && tasks_run() && teams_are_right();
}

/* ---- fork in a team -------------------------------------------------------------------------------------------- */

static aligned_t team_gate, team_ret;

static aligned_t lead(void *arg)
{
	(void)arg;
	qthread_readFF(NULL, &team_gate);
	make_forks();
	return 7;
}

static void prepare_team(void)
{
	prepare_forks();
	qthread_empty(&team_gate);
	qthread_fork_new_team(lead, NULL, &team_ret);
	until_waiting(&team_gate, QTI_WAIT_READ_FF, 1);
	teams_before = 1;
}

static void make_forks_in_team(void)
{
	qthread_fill(&team_gate);
	until_quiet();
}

/* Who could not be forked does not keep the team waiting. */
static bool forks_in_team_are_right(void)
{
	return forks_are_right() && qthread_readFF(NULL, &team_ret) == QTHREAD_SUCCESS && team_ret == 7;
}

/* ---- Words in one chain --------------------------------------------------------------------------------------- */

static int rc_of_word[3][CHAIN];
static aligned_t read_of_word[CHAIN];

static void prepare_chain(void)
{
	for (int i = 0; i < CHAIN; i++) {
		qthread_writeF_const(chain[i], 10 + (aligned_t)i);
		read_of_word[i] = 0;
	}
	qthread_empty(chain[CHAIN - 1]);        /* holds the slot, so that the others need entries */
}

static void empty_chain(void)
{
	for (int i = 0; i < CHAIN - 1; i++)
		switch (i % 3) {
		case 0:
			rc_of_word[0][i] = qthread_empty(chain[i]);
			break;
		case 1:
			rc_of_word[0][i] = qthread_purge_to_const(chain[i], 99);
			break;
		default:
			rc_of_word[0][i] = qthread_readFE(&read_of_word[i], chain[i]);
			break;
		}
	for (int i = 0; i < CHAIN - 1; i++)
		if (rc_of_word[0][i] != QTHREAD_SUCCESS) {
			rc_of_word[1][i] = qthread_readFF(&read_of_word[i], chain[i]);
			rc_of_word[2][i] = qthread_writeFF_const(chain[i], 70);
		}
}

static bool chain_is_right(void)
{
	bool right = true;

	for (int i = 0; i < CHAIN - 1; i++) {
		const bool done = rc_of_word[0][i] == QTHREAD_SUCCESS;
		const aligned_t was = 10 + (aligned_t)i;

		right = right && (done || rc_of_word[0][i] == QTHREAD_MALLOC_ERROR) && qthread_feb_status(chain[i]) == !done;
		if (done)
			right = right && *chain[i] == (i % 3 == 1 ? 99 : was) && (i % 3 != 2 || read_of_word[i] == was);
		else    /* it is full: what needs no waiting needs no memory */
			right = right && rc_of_word[1][i] == 0 && rc_of_word[2][i] == 0 && read_of_word[i] == was && *chain[i] == 70;
		qthread_fill(chain[i]);
		right = right && qthread_empty(chain[i]) == QTHREAD_SUCCESS && qthread_feb_status(chain[i]) == 0;
		qthread_fill(chain[i]);
	}
	return right && tasks_run();
}

/* ---- Tasks that have to wait ---------------------------------------------------------------------------------- */

enum { WAITERS = 90 };

static struct {
	aligned_t word;         /* empty: readers wait */
	aligned_t full;         /* full: writers wait */
	syncvar_t sv, full_sv;
	aligned_t locked;
	qthread_queue_t queue;
	aligned_t succeeded, failed, strange;
} crowd;

enum { KINDS = 9 };

static int wait_somehow(int i)
{
	aligned_t value = 0;
	uint64_t got = 0;
	int rc;

	switch (i % KINDS) {
	case 0:
		rc = qthread_readFF(&value, &crowd.word);
		return rc == QTHREAD_SUCCESS && value != 5 ? -1 : rc;
	case 1:
		return qthread_writeFF_const(&crowd.word, 5);
	case 2:
		rc = qthread_readFE(&value, &crowd.word);
		return rc == QTHREAD_SUCCESS && value != 5 ? -1 : rc;
	case 3:
		return qthread_writeEF_const(&crowd.full, 6);
	case 4:
		rc = qthread_syncvar_readFF(&got, &crowd.sv);
		return rc == QTHREAD_SUCCESS && got != 5 ? -1 : rc;
	case 5:
		return qthread_syncvar_writeEF_const(&crowd.full_sv, 6);
	case 6:
		rc = qthread_lock(&crowd.locked);
		return rc == QTHREAD_SUCCESS ? qthread_unlock(&crowd.locked) : rc;
	case 7:
		return qthread_queue_join(crowd.queue);
	default:
		rc = qthread_migrate_to((qthread_shepherd_id_t)((qthread_shep() + 1u) % qthread_num_shepherds()));
		for (int k = 0; k < 3; k++)
			qthread_yield();
		return rc;
	}
}

static aligned_t waiter(void *arg)
{
	const int rc = wait_somehow((int)(intptr_t)arg);

	qthread_incr(rc == QTHREAD_SUCCESS ? &crowd.succeeded : rc == QTHREAD_MALLOC_ERROR ? &crowd.failed : &crowd.strange, 1);
	return 0;
}

static void prepare_waiters(void)
{
	memset(&crowd, 0, sizeof(crowd));
	qthread_purge_to_const(&crowd.word, 5);
	qthread_writeF_const(&crowd.full, 5);
	crowd.sv = SYNCVAR_EMPTY_INITIALIZER;
	crowd.full_sv = SYNCVAR_INITIALIZE_TO(5);
	qthread_lock(&crowd.locked);
	crowd.queue = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);
}

static void let_tasks_wait(void)
{
	for (int i = 0; i < WAITERS; i++)
		qthread_fork(waiter, (void *)(intptr_t)i, NULL);
	until_quiet();
}

/* Everybody is let go on; who failed must have left nothing behind. */
static bool waiters_are_right(void)
{
	const unsigned readers = waiting_at(&crowd.word, QTI_WAIT_READ_FE), writers = waiting_at(&crowd.full, QTI_WAIT_WRITE_EF);
	uint64_t got;

	qthread_queue_release_all(crowd.queue);
	qthread_queue_destroy(crowd.queue);
	qthread_unlock(&crowd.locked);
	qthread_syncvar_writeF_const(&crowd.sv, 5);
	for (unsigned i = 0; i < (readers ? readers : 1); i++)
		qthread_fill(&crowd.word);
	for (unsigned i = 0; i < writers + 1; i++)
		qthread_empty(&crowd.full);
	while (crowd.full_sv.u.s.state == 1 || crowd.full_sv.u.s.state == 0)
		qthread_syncvar_readFE(&got, &crowd.full_sv);
	until_quiet();
	const bool right = crowd.strange == 0 && crowd.succeeded + crowd.failed == WAITERS;
	const bool states = qthread_feb_status(&crowd.word) == (readers == 0) && qthread_feb_status(&crowd.full) == 0 &&
		qthread_feb_status(&crowd.locked) == 1;
	if (!right || !states)
		diag("%d went on, %d failed, %d strange; states %d", (int)crowd.succeeded, (int)crowd.failed, (int)crowd.strange, states);
	return right && states && tasks_run();
}

/* ---- The main task has to wait -------------------------------------------------------------------------------- */

enum { WAITS = 100 };

static struct {
	aligned_t ret;          /* of a task that goes on to wait, so that each needs a stack of its own */
	int forked, read;
	aligned_t value;
} mains[WAITS];

static aligned_t gate;

static aligned_t answer_and_wait(void *arg)
{
	qthread_yield();
	qthread_writeF_const(arg, 7);
	qthread_readFF(NULL, &gate);
	return 0;
}

static void prepare_main(void)
{
	memset(mains, 0, sizeof(mains));
	qthread_empty(&gate);
}

static void let_main_wait(void)
{
	for (int i = 0; i < WAITS; i++) {
		mains[i].read = QTHREAD_MALLOC_ERROR;
		mains[i].forked = qthread_empty(&mains[i].ret);
		if (mains[i].forked == QTHREAD_SUCCESS)
			mains[i].forked = qthread_fork_to(answer_and_wait, &mains[i].ret, NULL, (qthread_shepherd_id_t)i);
		if (mains[i].forked == QTHREAD_SUCCESS)
			mains[i].read = qthread_readFF(&mains[i].value, &mains[i].ret);
		qthread_yield();
	}
}

static bool main_is_right(void)
{
	bool right = true;

	for (int i = 0; i < WAITS; i++) {
		if (mains[i].read == QTHREAD_MALLOC_ERROR) {
			right = right && mains[i].value == 0;
			if (mains[i].forked == QTHREAD_SUCCESS)
				mains[i].read = qthread_readFF(&mains[i].value, &mains[i].ret);
		}
		right = right && (mains[i].forked == QTHREAD_SUCCESS ? mains[i].read == QTHREAD_SUCCESS && mains[i].value == 7
		                                                      : mains[i].forked == QTHREAD_MALLOC_ERROR);
		qthread_fill(&mains[i].ret);
	}
	qthread_fill(&gate);
	until_quiet();
	return right && tasks_run();
}

/* ---- Parents that join their children in place ---------------------------------------------------------------- */

/* A read that finds no memory to wait with is tried again: that is what a program can do. */
static aligned_t fib(void *arg)
{
	const uintptr_t n = (uintptr_t)arg;
	aligned_t x = 0, y = 0;

	if (n < 2)
		return n;
	while (qthread_fork(fib, (void *)(n - 1), &x) == QTHREAD_MALLOC_ERROR)
		qthread_yield();
	while (qthread_fork(fib, (void *)(n - 2), &y) == QTHREAD_MALLOC_ERROR)
		qthread_yield();
	while (qthread_readFF(NULL, &x) == QTHREAD_MALLOC_ERROR)
		qthread_yield();
	while (qthread_readFF(NULL, &y) == QTHREAD_MALLOC_ERROR)
		qthread_yield();
	return x + y;
}

enum { CHILDREN = 200 };

static aligned_t children[CHILDREN];

static void run_children(void)
{
	for (int i = 0; i < CHILDREN; i++)
		while (qthread_fork(fib, (void *)4, &children[i]) == QTHREAD_MALLOC_ERROR)
			qthread_yield();
	for (int i = 0; i < CHILDREN; i++)
		while (qthread_readFF(NULL, &children[i]) == QTHREAD_MALLOC_ERROR)
			qthread_yield();
}

static bool children_are_right(void)
{
	bool right = true;

	for (int i = 0; i < CHILDREN; i++)
		right = right && children[i] == 3;
	return right && tasks_run();
}

/* ---- Small things --------------------------------------------------------------------------------------------- */

static struct {
	char *before, *after;
	unsigned size_before;
	aligned_t lock;
	int registered;
	qt_sinc_t *counter, *sum;
	int forked;
	qthread_queue_t queue;
} small;

static void add(void *tgt, void const *src)
{
	*(aligned_t *)tgt += *(aligned_t const *)src;
}

static void prepare_small(void)
{
	memset(&small, 0, sizeof(small));
	small.size_before = qthread_size_tasklocal();
	small.before = qthread_get_tasklocal(small.size_before);
	memset(small.before, 'a', small.size_before);
}

static void do_small_things(void)
{
	small.after = qthread_get_tasklocal(10000);
	small.registered = qthread_lock_init(&small.lock, true);
	small.counter = qt_sinc_create(0, NULL, NULL, 1);
	small.queue = qthread_queue_create(QTHREAD_QUEUE_CAPPED, 5);
	small.sum = qt_sinc_create(sizeof(aligned_t), NULL, add, 1);
	if (small.sum)
		small.forked = qthread_spawn(seven, NULL, 0, small.sum, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC);
}

static bool small_things_are_right(void)
{
	aligned_t total = 0;
	bool right = true;

	if (small.after)
		right = qthread_size_tasklocal() >= 10000 && memcmp(small.after, "aaaaaaaa", small.size_before < 8 ? small.size_before : 8) == 0;
	else
		right = qthread_size_tasklocal() == small.size_before && qthread_get_tasklocal(1) == (void *)small.before &&
			small.before[0] == 'a';
	qthread_lock(&small.lock);
	right = right && qthread_feb_status(&small.lock) == (small.registered == QTHREAD_SUCCESS);
	right = right && (small.registered == QTHREAD_SUCCESS || small.registered == QTHREAD_MALLOC_ERROR);
	qthread_unlock(&small.lock);
	qthread_lock_destroy(&small.lock);
	right = right && qthread_queue_destroy(small.queue) == (small.queue ? QTHREAD_SUCCESS : QTHREAD_BADARGS);
	if (small.counter) {
		qt_sinc_submit(small.counter, NULL);
		qt_sinc_wait(small.counter, NULL);
	}
	qt_sinc_destroy(small.counter);
	if (small.sum) {
		if (small.forked != QTHREAD_SUCCESS)
			qt_sinc_submit(small.sum, &(aligned_t){ 7 });
		qt_sinc_wait(small.sum, &total);
		right = right && total == 7;
	}
	qt_sinc_destroy(small.sum);
	return right && tasks_run();
}

/* ---- qthread_finalize ----------------------------------------------------------------------------------------- */

/* Out of memory for a stack it cannot run what is ready; it must come to an end all the same. */
static void prepare_end(void)
{
	prepare_waiters();
	let_tasks_wait();
	for (int i = 0; i < 10; i++)
		qthread_fork(seven, NULL, NULL);
}

static void end(void)
{
	qthread_finalize();
}

static bool has_ended(void)
{
	return qthread_num_workers() == 0 && qthread_queue_destroy(crowd.queue) == QTHREAD_SUCCESS;
}

/* ---- All of them ---------------------------------------------------------------------------------------------- */

static const struct scenario scenarios[] = {
	{ "qthread_initialize", EVERYBODYS, NULL, start, started_or_down, true, 8 },
	{ "bubbles", EVERYBODYS, prepare_bubbles, make_bubbles, bubbles_are_right, false, 8 },
	{ "every form of fork", EVERYBODYS, prepare_forks, make_forks, forks_are_right, false, 8 },
	{ "every form of fork in a team", TASKS_ONLY, prepare_team, make_forks_in_team, forks_in_team_are_right, false, 8 },
	{ "words in one chain", EVERYBODYS, prepare_chain, empty_chain, chain_is_right, false, 1 },
	{ "tasks that have to wait", TASKS_ONLY, prepare_waiters, let_tasks_wait, waiters_are_right, false, 2 },
	{ "a main task that has to wait", EVERYBODYS, prepare_main, let_main_wait, main_is_right, false, 1 },
	{ "task-local data, locks, sincs, queues", EVERYBODYS, prepare_small, do_small_things, small_things_are_right, false, 5 },
	{ "qthread_finalize", EVERYBODYS, prepare_end, end, has_ended, false, 0 },
};
enum { NSCENARIOS = sizeof(scenarios) / sizeof(scenarios[0]) };

/* Memory must come back for that one. */
static const struct scenario joining = { "parents that join", EVERYBODYS, NULL, run_children, children_are_right, false, 2 };

int main(void)
{
	static const char *const shapes[][2] = { { "2", "2" }, { "1", "1" } };
	enum { NSHAPES = sizeof(shapes) / sizeof(shapes[0]) };
	const int nruns = every_is_slow() ? 2 : EVERY_SCHEDULERS - 1 + NSHAPES;

	process_needs_proc();
	plan(nruns * (MODES * NSCENARIOS + 1));
	threads_before = process_threads_at_first();
	qti_mem_fault = fault_of_whose; /* before there are workers to read it */
	small_pools();
	every_start("mts", "1", "1");
	chain_find();
	qthread_finalize();
	for (int s = 0; s < EVERY_SCHEDULERS; s++) {
		const bool usual = strcmp(every_scheduler[s], "mts") == 0;

		/* A tool takes its time for each start. */
		if (every_is_slow() && !usual && strcmp(every_scheduler[s], "bq") != 0)
			continue;
		each = usual && !every_is_slow();
		for (int w = 0; w < (each ? NSHAPES : 1); w++) {
			the_scheduler = every_scheduler[s];
			the_shepherds = shapes[w][0];
			the_workers = shapes[w][1];
			for (int i = 0; i < NSCENARIOS; i++)
				for (enum mode m = ONCE; m < MODES; m++)
					ok(repeat(&scenarios[i], m), "%s %s x %s: %s: %s", the_scheduler, the_shepherds, the_workers,
						scenarios[i].name, mode_name[m]);
			ok(repeat(&joining, ONCE), "%s %s x %s: %s: %s", the_scheduler, the_shepherds, the_workers, joining.name,
				mode_name[ONCE]);
		}
	}
	chain_forget();
	return done();
}
