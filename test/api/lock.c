/* test/api/lock.c -- locks on addresses: the full/empty bit, or a spin lock that was registered for the address.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "waiting.h"

enum { CHECKS_PER_RUN = 20, OTHER_CHECKS = 7 };

static void answers(const char *what)
{
	aligned_t word = 42;

	ok(qthread_trylock(&word) == QTHREAD_SUCCESS && qthread_feb_status(&word) == 0 && qthread_trylock(&word) == QTHREAD_OPFAIL,
		"%s: trylock takes a free lock and refuses a held one", what);
	ok(qthread_unlock(&word) == QTHREAD_SUCCESS && qthread_feb_status(&word) == 1 && qthread_unlock(&word) == QTHREAD_SUCCESS,
		"%s: unlock frees it, and is harmless on a free one", what);
	ok(qthread_lock(&word) == QTHREAD_SUCCESS && qthread_feb_status(&word) == 0 && qthread_unlock(&word) == QTHREAD_SUCCESS,
		"%s: lock takes it", what);
	is_int(word, 42, "%s: none of it touches the word", what);
}

static void bad_addresses(const char *what)
{
	aligned_t words[2] = { 0, 0 };
	aligned_t *const bad[] = { (aligned_t *)(void *)((char *)words + 1), (aligned_t *)(void *)((char *)words + 4) };
	bool right = true;

	for (int i = 0; i < 2; i++)
		right = right && qthread_lock(bad[i]) == QTHREAD_BADARGS && qthread_trylock(bad[i]) == QTHREAD_BADARGS &&
			qthread_unlock(bad[i]) == QTHREAD_BADARGS && qthread_lock_init(bad[i], false) == QTHREAD_BADARGS &&
			qthread_lock_init(bad[i], true) == QTHREAD_BADARGS && qthread_lock_destroy(bad[i]) == QTHREAD_BADARGS;
	ok(right, "%s: misaligned addresses are refused", what);
}

enum { ROUNDS_AT_NULL = 200, TASKS_AT_NULL = 4 };

static aligned_t counts_at_null(void *number)
{
	volatile aligned_t *n = number;
	int bad = 0;

	for (int i = 0; i < ROUNDS_AT_NULL; i++) {
		bad += qthread_lock(NULL) != QTHREAD_SUCCESS;
		const aligned_t seen = *n;
		qthread_yield();
		*n = seen + 1;
		bad += qthread_unlock(NULL) != QTHREAD_SUCCESS;
	}
	return (aligned_t)bad;
}

/* Programs of Qthreads use locks that they have not allocated. */
static void null_excludes(const char *what)
{
	aligned_t n = 0, bad = 0, ret[TASKS_AT_NULL];

	for (int i = 0; i < TASKS_AT_NULL; i++)
		qthread_fork(counts_at_null, &n, &ret[i]);
	for (int i = 0; i < TASKS_AT_NULL; i++) {
		qthread_readFF(NULL, &ret[i]);
		bad += ret[i];
	}
	ok(bad == 0 && n == TASKS_AT_NULL * ROUNDS_AT_NULL, "%s: address 0 is a lock, too", what);
}

/* ---- Waiting ------------------------------------------------------------------------------------------------ */

static struct {
	aligned_t word;
	aligned_t passed;
	aligned_t unlocker_rc;
} door;

static aligned_t pass(void *arg)
{
	(void)arg;
	qthread_lock(&door.word);
	qthread_incr(&door.passed, 1);
	return 0;
}

static void unlock_door(void *arg)
{
	(void)arg;
	door.unlocker_rc = (aligned_t)qthread_unlock(&door.word);
}

/* One unlock lets one waiter in, whoever unlocks. */
static void unlock_lets_one_in(const char *what)
{
	enum { TASKS = 5 };
	aligned_t ret[TASKS];
	bool right = true;

	door.passed = 0;
	qthread_lock(&door.word);
	for (int i = 0; i < TASKS; i++)
		qthread_fork(pass, NULL, &ret[i]);
	until_waiting(&door.word, QTI_WAIT_READ_FE, TASKS);
	for (aligned_t i = 1; i <= TASKS; i++) {
		if (i % 2)
			qthread_unlock(&door.word);
		else
			every_outside(unlock_door, NULL);
		while (qthread_cas(&door.passed, 0, 0) != i)
			let_others_run();
		right = right && waiting_at(&door.word, QTI_WAIT_READ_FE) == TASKS - i && qthread_feb_status(&door.word) == 0;
	}
	for (int i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ret[i]);
	ok(right && door.unlocker_rc == QTHREAD_SUCCESS, "%s: each unlock, by whomever, lets one waiter in", what);
	qthread_unlock(&door.word);
}

/* ---- Exclusion ---------------------------------------------------------------------------------------------- */

enum lock_kind { FEB, SPIN, RECURSIVE, KINDS };

static const char *const kind_name[] = { "a full/empty lock", "a registered lock", "a recursive registered lock" };

struct shared {
	aligned_t lock;
	enum lock_kind kind;
	int rounds;
	aligned_t inside, crowded;      /* holders now; times there was another one */
	uint64_t plain;                 /* not atomic: the lock is all that protects it */
};

static void enter(struct shared *s, bool give_way)
{
	if (qthread_incr(&s->inside, 1) != 0)
		qthread_incr(&s->crowded, 1);
	s->plain++;
	if (give_way)
		qthread_yield();
	qthread_incr(&s->inside, -1);
}

static void hammer(void *arg)
{
	struct shared *s = arg;

	for (int i = 0; i < s->rounds; i++) {
		while (i % 4 == 3 && qthread_trylock(&s->lock) != QTHREAD_SUCCESS)
			let_others_run();
		if (i % 4 != 3)
			qthread_lock(&s->lock);
		if (s->kind == RECURSIVE)
			qthread_lock(&s->lock);
		enter(s, i % 16 == 0);
		if (s->kind == RECURSIVE)
			qthread_unlock(&s->lock);
		qthread_unlock(&s->lock);
	}
}

static aligned_t hammer_task(void *arg)
{
	hammer(arg);
	return 0;
}

static void *hammer_thread(void *arg)
{
	hammer(arg);
	return NULL;
}

static void excludes(const char *what, enum lock_kind kind)
{
	enum { TASKS = 6, THREADS = 2 };
	struct shared s = { .kind = kind, .rounds = every_scaled(200) };
	aligned_t ret[TASKS];
	pthread_t thread[THREADS];

	if (kind != FEB && qthread_lock_init(&s.lock, kind == RECURSIVE) != QTHREAD_SUCCESS)
		bail_out("qthread_lock_init failed");
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, hammer_thread, &s) != 0)
			bail_out("pthread_create failed");
	for (int i = 0; i < TASKS; i++)
		qthread_fork(hammer_task, &s, &ret[i]);
	hammer(&s);
	for (int i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ret[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	is_int(s.crowded, 0, "%s: %s has one holder", what, kind_name[kind]);
	ok(s.plain == (uint64_t)(TASKS + THREADS + 1) * s.rounds, "%s: and the next one sees what it wrote", what);
	qthread_lock_destroy(&s.lock);
}

/* ---- Registered addresses ------------------------------------------------------------------------------------ */

static aligned_t registered;
static int others_trylock, others_unlock;

static void try_from_outside(void *arg)
{
	(void)arg;
	others_trylock = qthread_trylock(&registered);
	others_unlock = qthread_unlock(&registered);
}

static void registering(const char *what)
{
	registered = 7;
	ok(qthread_lock_init(&registered, false) == QTHREAD_SUCCESS && qthread_lock_init(&registered, true) == QTHREAD_OPFAIL &&
		qthread_lock_init(&registered, false) == QTHREAD_OPFAIL, "%s: an address can be registered once", what);
	qthread_lock(&registered);
	ok(qthread_feb_status(&registered) == 1 && registered == 7 && qthread_trylock(&registered) == QTHREAD_OPFAIL,
		"%s: its lock is neither its full/empty bit nor in the word", what);
	ok(qthread_unlock(&registered) == QTHREAD_SUCCESS && qthread_trylock(&registered) == QTHREAD_SUCCESS &&
		qthread_unlock(&registered) == QTHREAD_SUCCESS, "%s: unlock frees it", what);
	ok(qthread_lock_destroy(&registered) == QTHREAD_SUCCESS && qthread_lock_destroy(&registered) == QTHREAD_SUCCESS &&
		qthread_lock(&registered) == QTHREAD_SUCCESS && qthread_feb_status(&registered) == 0 &&
		qthread_unlock(&registered) == QTHREAD_SUCCESS,
		"%s: after qthread_lock_destroy the full/empty bit is the lock again", what);
}

static void recursion(const char *what)
{
	qthread_lock_init(&registered, true);
	bool right = qthread_lock(&registered) == QTHREAD_SUCCESS && qthread_lock(&registered) == QTHREAD_SUCCESS &&
		qthread_trylock(&registered) == QTHREAD_SUCCESS;
	for (int i = 0; i < 3; i++) {
		every_outside(try_from_outside, NULL);
		right = right && others_trylock == QTHREAD_OPFAIL && others_unlock == QTHREAD_OPFAIL;
		right = right && qthread_unlock(&registered) == QTHREAD_SUCCESS;
	}
	ok(right && qthread_unlock(&registered) == QTHREAD_OPFAIL, "%s: a recursive lock counts, and is its owner's alone", what);
	qthread_lock_destroy(&registered);
}

/* The lock belongs to the task, wherever it runs and whoever else runs there. */
static aligned_t hold_while_moving(void *arg)
{
	const qthread_shepherd_id_t to = (qthread_shepherd_id_t)(qthread_num_shepherds() - 1);

	(void)arg;
	if (qthread_lock(&registered) != QTHREAD_SUCCESS || qthread_migrate_to(to) != QTHREAD_SUCCESS)
		return 1;
	for (int i = 0; i < 5; i++)
		qthread_yield();
	if (qthread_lock(&registered) != QTHREAD_SUCCESS)
		return 2;
	if (qthread_unlock(&registered) != QTHREAD_SUCCESS || qthread_unlock(&registered) != QTHREAD_SUCCESS)
		return 3;
	return qthread_unlock(&registered) == QTHREAD_OPFAIL ? 0 : 4;
}

static void owner_moves(const char *what)
{
	aligned_t ret = 9;

	qthread_lock_init(&registered, true);
	qthread_fork(hold_while_moving, NULL, &ret);
	qthread_readFF(NULL, &ret);
	is_int(ret, 0, "%s: a task that moves keeps its recursive lock", what);
	qthread_lock_destroy(&registered);
}

static void many_registered(const char *what)
{
	enum { ADDRESSES = 1000 };
	static aligned_t words[ADDRESSES];
	int wrong = 0;

	for (int i = 0; i < ADDRESSES; i += 2)
		wrong += qthread_lock_init(&words[i], i % 4 == 0) != QTHREAD_SUCCESS;
	for (int i = 0; i < ADDRESSES; i++)
		wrong += qthread_lock(&words[i]) != QTHREAD_SUCCESS;
	for (int i = 0; i < ADDRESSES; i++) {
		wrong += qthread_feb_status(&words[i]) != (i % 2 == 0);
		wrong += qthread_trylock(&words[i]) != (i % 4 == 0 ? QTHREAD_SUCCESS : QTHREAD_OPFAIL);
	}
	for (int i = 0; i < ADDRESSES; i++) {
		wrong += qthread_unlock(&words[i]) != QTHREAD_SUCCESS;
		wrong += i % 4 == 0 && qthread_unlock(&words[i]) != QTHREAD_SUCCESS;
		wrong += qthread_lock_destroy(&words[i]) != QTHREAD_SUCCESS;
		wrong += qthread_feb_status(&words[i]) != 1;
	}
	is_int(wrong, 0, "%s: %d addresses, every other one registered", what, ADDRESSES);
}

/* ---- While the runtime is down ------------------------------------------------------------------------------- */

static void while_down(const char *when)
{
	aligned_t word = 3;

	ok(qthread_lock(&word) == QTHREAD_NOT_ALLOWED && qthread_trylock(&word) == QTHREAD_NOT_ALLOWED && word == 3,
		"%s a full/empty lock cannot be had", when);
	ok(qthread_unlock(&word) == QTHREAD_SUCCESS && qthread_feb_status(&word) == 1, "%s but released", when);
	ok(qthread_lock(NULL) == QTHREAD_NOT_ALLOWED && qthread_unlock(NULL) == QTHREAD_SUCCESS &&
		qthread_lock_init(NULL, false) == QTHREAD_BADARGS && qthread_lock_destroy(NULL) == QTHREAD_BADARGS,
		"%s address 0 is a lock like any other, but for a spin lock", when);
}

static void registrations_last(void)
{
	bool right = qthread_lock_init(&registered, false) == QTHREAD_SUCCESS && qthread_lock(&registered) == QTHREAD_SUCCESS &&
		qthread_trylock(&registered) == QTHREAD_OPFAIL;

	every_start("mts", "1", "2");
	right = right && qthread_trylock(&registered) == QTHREAD_OPFAIL && qthread_feb_status(&registered) == 1;
	right = right && qthread_unlock(&registered) == QTHREAD_SUCCESS && qthread_lock(&registered) == QTHREAD_SUCCESS;
	qthread_finalize();
	right = right && qthread_trylock(&registered) == QTHREAD_OPFAIL && qthread_unlock(&registered) == QTHREAD_SUCCESS;
	ok(right && qthread_lock_destroy(&registered) == QTHREAD_SUCCESS && qthread_trylock(&registered) == QTHREAD_NOT_ALLOWED,
		"a registered lock needs no runtime, and outlasts one");
}

static void run(const char *what)
{
	answers(what);
	bad_addresses(what);
	null_excludes(what);
	unlock_lets_one_in(what);
	for (enum lock_kind k = FEB; k < KINDS; k++)
		excludes(what, k);
	registering(what);
	recursion(what);
	owner_moves(what);
	many_registered(what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	while_down("before qthread_initialize");
	every_runtime(run);
	while_down("after qthread_finalize");
	registrations_last();
	return done();
}
