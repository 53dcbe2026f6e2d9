/* test/api/syncvar.c -- syncvars: the full/empty table on words that carry their own state; 60 bits of value.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks can be known to wait (until_quiet); of pthreads only the first, by the state in the word.  So what is said
 * about several pthreads holds whether they wait already or come late.
 */
#include "waiting.h"

#include <string.h>

enum { CHECKS_PER_RUN = 16, OTHER_CHECKS = 8 };

/* ---- The calls, as a table ---------------------------------------------------------------------------------- */

enum { WAITS = 1000 };
enum state { EMPTY, FULL };

struct call {
	const char *name;
	int (*make)(syncvar_t *v, uint64_t *dest, uint64_t value);
	int when_full, when_empty;
	bool copies, stores;
	enum state leaves;
};

#define CALL(name, expression)                                                              \
	static int call_##name(syncvar_t *v, uint64_t *dest, uint64_t value)                \
	{                                                                                   \
		(void)dest;                                                                 \
		(void)value;                                                                \
		return qthread_syncvar_##name expression;                                   \
	}

CALL(readFF, (dest, v))
CALL(readFF_nb, (dest, v))
CALL(readFE, (dest, v))
CALL(readFE_nb, (dest, v))
CALL(writeEF, (v, &value))
CALL(writeEF_const, (v, value))
CALL(writeEF_nb, (v, &value))
CALL(writeEF_const_nb, (v, value))
CALL(writeF, (v, &value))
CALL(writeF_const, (v, value))
CALL(fill, (v))
CALL(empty, (v))

enum { READFF, READFF_NB, READFE, READFE_NB, WRITEEF, WRITEEF_CONST, WRITEEF_NB, WRITEEF_CONST_NB, WRITEF, WRITEF_CONST, FILL,
	EMPTY_, NCALLS };

static const struct call calls[NCALLS] = {
	/*                                                               full            empty           copies stores leaves */
	[READFF] = { "readFF", call_readFF,                              0,              WAITS,          true,  false, FULL },
	[READFF_NB] = { "readFF_nb", call_readFF_nb,                     0,              QTHREAD_OPFAIL, true,  false, FULL },
	[READFE] = { "readFE", call_readFE,                              0,              WAITS,          true,  false, EMPTY },
	[READFE_NB] = { "readFE_nb", call_readFE_nb,                     0,              QTHREAD_OPFAIL, true,  false, EMPTY },
	[WRITEEF] = { "writeEF", call_writeEF,                           WAITS,          0,              false, true,  FULL },
	[WRITEEF_CONST] = { "writeEF_const", call_writeEF_const,         WAITS,          0,              false, true,  FULL },
	[WRITEEF_NB] = { "writeEF_nb", call_writeEF_nb,                  QTHREAD_OPFAIL, 0,              false, true,  FULL },
	[WRITEEF_CONST_NB] = { "writeEF_const_nb", call_writeEF_const_nb,QTHREAD_OPFAIL, 0,              false, true,  FULL },
	[WRITEF] = { "writeF", call_writeF,                              0,              0,              false, true,  FULL },
	[WRITEF_CONST] = { "writeF_const", call_writeF_const,            0,              0,              false, true,  FULL },
	[FILL] = { "fill", call_fill,                                    0,              0,              false, false, FULL },
	[EMPTY_] = { "empty", call_empty,                                0,              0,              false, false, EMPTY },
};

static uint64_t data_of(const syncvar_t *v)
{
	return v->u.w >> 4;
}

/* The state bits, without the lock bit, as qthread.h draws them. */
static unsigned state_of(syncvar_t *v)
{
	return __atomic_load_n(&v->u.w, __ATOMIC_ACQUIRE) >> 1 & 7;
}

static syncvar_t made(uint64_t value, bool full)
{
	return full ? SYNCVAR_INITIALIZE_TO(value) : SYNCVAR_EMPTY_INITIALIZE_TO(value);
}

static bool call_is_right(const struct call *c, bool full)
{
	enum { OLD = 11, NEW = 22, ELSE = 33 };
	const int want = full ? c->when_full : c->when_empty;
	const bool goes_on = want == QTHREAD_SUCCESS;
	syncvar_t v = made(OLD, full);
	uint64_t dest = ELSE;

	const int rc = c->make(&v, &dest, NEW);
	const uint64_t data = goes_on && c->stores ? NEW : OLD;
	const int state = goes_on ? c->leaves == FULL : full;
	const bool right = rc == want && data_of(&v) == data && qthread_syncvar_status(&v) == state &&
		state_of(&v) == (state ? 0 : 2) && dest == (goes_on && c->copies ? OLD : ELSE);
	if (!right)
		diag("%s of %s syncvar: %d, word 0x%llx, dest %d", c->name, full ? "a full" : "an empty", rc,
			(unsigned long long)v.u.w, (int)dest);
	return right;
}

static bool calls_are_right(bool full)
{
	bool right = true;

	for (int i = 0; i < NCALLS; i++)
		if ((full ? calls[i].when_full : calls[i].when_empty) != WAITS)
			right = call_is_right(&calls[i], full) && right;
	return right;
}

static void calls_without_waiters(const char *what)
{
	ok(calls_are_right(true), "%s: each call on a full syncvar does what its row says", what);
	ok(calls_are_right(false), "%s: each call on an empty syncvar does what its row says", what);

	syncvar_t v = SYNCVAR_INITIALIZER;
	ok(qthread_syncvar_readFF(NULL, &v) == 0 && qthread_syncvar_status(&v) == 1 &&
		qthread_syncvar_readFE(NULL, &v) == 0 && qthread_syncvar_status(&v) == 0,
		"%s: a destination of NULL is not written", what);
}

static void bad_addresses(const char *what)
{
	_Alignas(syncvar_t) char bytes[2 * sizeof(syncvar_t)] = { 0 };
	syncvar_t v = made(1, false);
	uint64_t dest = 77;
	bool right = true;

	for (unsigned off = 0; off < sizeof(syncvar_t); off++) {
		syncvar_t *bad = off ? (syncvar_t *)(void *)(bytes + off) : NULL;

		for (int i = 0; i < NCALLS; i++)
			right = right && calls[i].make(bad, &dest, 5) == QTHREAD_BADARGS;
		right = right && qthread_syncvar_status(bad) == QTHREAD_BADARGS;
		right = right && qthread_syncvar_incrF(bad, 1) == UINT64_MAX;
	}
	for (unsigned i = 0; i < sizeof(bytes); i++)
		right = right && bytes[i] == 0;
	right = right && qthread_syncvar_writeEF(&v, NULL) == QTHREAD_BADARGS &&
		qthread_syncvar_writeEF_nb(&v, NULL) == QTHREAD_BADARGS &&
		qthread_syncvar_writeF(&v, NULL) == QTHREAD_BADARGS && qthread_syncvar_status(&v) == 0;
	ok(right && dest == 77, "%s: NULL and misaligned syncvars, and sources of NULL, are refused", what);
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

static const uint64_t largest = (UINT64_C(1) << 60) - 1;

static void sixty_bits(const char *what)
{
	const uint64_t values[] = { 0, 1, largest, largest - 1, UINT64_C(1) << 59, UINT64_C(0x0123456789abcdef) };
	bool kept = true, refused = true;

	for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		uint64_t got = 0;
		syncvar_t v = SYNCVAR_EMPTY_INITIALIZER;

		kept &= qthread_syncvar_writeEF_const(&v, values[i]) == 0 && qthread_syncvar_readFE(&got, &v) == 0 &&
			got == values[i];
		kept &= qthread_syncvar_writeF(&v, &values[i]) == 0 && qthread_syncvar_readFF(&got, &v) == 0 && got == values[i];
	}
	ok(kept, "%s: values of up to 60 bits come back as they were", what);

	for (int bit = 60; bit < 64; bit++)
		for (int full = 0; full <= 1; full++)
			for (int i = 0; i < NCALLS; i++) {
				syncvar_t v = made(3, full);

				if (!calls[i].stores)
					continue;
				refused &= calls[i].make(&v, NULL, UINT64_C(1) << bit) == QTHREAD_OVERFLOW;
				refused &= data_of(&v) == 3 && qthread_syncvar_status(&v) == full;
			}
	ok(refused, "%s: larger ones are refused at once, full or empty, and change nothing", what);
}

static void signed_values(void)
{
	const int64_t values[] = { 0, -1, -5, 7, INT64_C(1) << 58, -(INT64_C(1) << 59) };
	const double third = 1.0 / 3.0;
	bool right = true;
	uint64_t bits = 0;
	double back;

	for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		uint64_t got = 0;
		syncvar_t v = SYNCVAR_INITIALIZE_TO(INT64TOINT60(values[i]));

		qthread_syncvar_readFF(&got, &v);
		right &= INT60TOINT64(got) == values[i];
	}
	ok(right, "INT64TOINT60 and INT60TOINT64 keep signed values of 60 bits");

	DBL64TODBL60(third, bits);
	syncvar_t v = SYNCVAR_EMPTY_INITIALIZER;
	qthread_syncvar_writeEF(&v, &bits);
	qthread_syncvar_readFF(&bits, &v);
	DBL60TODBL64(bits, back);
	ok(back != 0.0 && back - third < 1e-14 && third - back < 1e-14, "a double comes back but for its last four bits");
}

static void initializers(void)
{
	static syncvar_t full = SYNCVAR_STATIC_INITIALIZER, full_to = SYNCVAR_STATIC_INITIALIZE_TO(5);
	static syncvar_t empty = SYNCVAR_STATIC_EMPTY_INITIALIZER, empty_to = SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(6);

	ok(qthread_syncvar_status(&full) == 1 && data_of(&full) == 0 && qthread_syncvar_status(&full_to) == 1 &&
		data_of(&full_to) == 5, "the initializers of full syncvars");
	ok(qthread_syncvar_status(&empty) == 0 && data_of(&empty) == 0 && qthread_syncvar_status(&empty_to) == 0 &&
		data_of(&empty_to) == 6, "and of empty ones");
}

/* ---- incrF -------------------------------------------------------------------------------------------------- */

static struct {
	syncvar_t v;
	int rounds;
} counter;

static aligned_t add_rounds(void *arg)
{
	(void)arg;
	for (int i = 0; i < counter.rounds; i++)
		qthread_syncvar_incrF(&counter.v, 3);
	return 0;
}

static void add_outside(void *arg)
{
	add_rounds(arg);
}

static void increments(const char *what)
{
	enum { TASKS = 5 };
	aligned_t ret[TASKS];
	syncvar_t full = made(10, true), empty = made(10, false), last = made(largest, true);

	ok(qthread_syncvar_incrF(&full, 5) == 15 && full.u.w == made(15, true).u.w &&
		qthread_syncvar_incrF(&empty, 5) == 15 && empty.u.w == made(15, false).u.w,
		"%s: incrF returns the sum and leaves the state alone", what);
	ok(qthread_syncvar_incrF(&last, 3) == 2 && last.u.w == made(2, true).u.w &&
		qthread_syncvar_incrF(&last, UINT64_MAX) == 1 && last.u.w == made(1, true).u.w,
		"%s: and counts modulo 2^60", what);

	counter.v = made(0, true);
	counter.rounds = every_scaled(500);
	for (int i = 0; i < TASKS; i++)
		qthread_fork(add_rounds, NULL, &ret[i]);
	every_outside(add_outside, NULL);
	for (int i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ret[i]);
	is_int(data_of(&counter.v), 3 * (TASKS + 1) * counter.rounds, "%s: from everywhere at once, none is lost", what);
}

/* ---- Waiters ------------------------------------------------------------------------------------------------ */

enum kind { READ_FF, READ_FE, WRITE_EF };

enum { MOST_WAITERS = 512 };

struct waiter {
	enum kind kind;
	syncvar_t *v;
	uint64_t value;
	int rc, saw;
	uint32_t done;
};

static struct waiter waiters[MOST_WAITERS];
static unsigned nwaiters;
static int published;           /* plain: set before the state changes, so who waited for that may read it */

static aligned_t wait_here(void *arg)
{
	struct waiter *w = arg;

	w->rc = w->kind == READ_FF ? qthread_syncvar_readFF(&w->value, w->v)
	      : w->kind == READ_FE ? qthread_syncvar_readFE(&w->value, w->v)
				   : qthread_syncvar_writeEF(w->v, &w->value);
	w->saw = published;
	flag_raise(&w->done);
	return 0;
}

static void *wait_in_thread(void *arg)
{
	wait_here(arg);
	return NULL;
}

static struct waiter *new_waiter(enum kind kind, syncvar_t *v)
{
	struct waiter *w = &waiters[nwaiters];

	*w = (struct waiter){ .kind = kind, .v = v, .value = 1000 + nwaiters };
	nwaiters++;
	return w;
}

static void add_tasks(enum kind kind, syncvar_t *v, unsigned n)
{
	while (n-- > 0)
		qthread_fork(wait_here, new_waiter(kind, v), NULL);
	until_quiet();
}

static unsigned back(enum kind kind)
{
	unsigned n = 0;

	for (unsigned i = 0; i < nwaiters; i++)
		n += waiters[i].kind == kind && flag_is_up(&waiters[i].done) && waiters[i].rc == 0 && waiters[i].saw == published;
	return n;
}

static unsigned with_value(enum kind kind, uint64_t value)
{
	unsigned n = 0;

	for (unsigned i = 0; i < nwaiters; i++)
		n += waiters[i].kind == kind && flag_is_up(&waiters[i].done) && waiters[i].value == value;
	return n;
}

static bool fill_serves(const struct call *fill, unsigned ff, unsigned fe)
{
	enum { OLD = 7, NEW = 8, LATER = 500 };
	syncvar_t v = made(OLD, false);
	const uint64_t want = fill->stores ? NEW : OLD;
	unsigned left = fe ? fe - 1 : 0;

	nwaiters = 0;
	add_tasks(READ_FE, &v, fe);
	add_tasks(READ_FF, &v, ff);
	bool right = state_of(&v) == (ff + fe ? 3 : 2);
	published++;
	right &= fill->make(&v, NULL, NEW) == 0;
	right &= state_of(&v) == (fe == 0 ? 0 : left ? 3 : 2);
	until_quiet();
	right &= back(READ_FF) == ff && back(READ_FE) == fe - left;
	right &= with_value(READ_FF, want) == ff && with_value(READ_FE, want) == fe - left && data_of(&v) == want;
	while (left > 0) {
		left--;
		right &= qthread_syncvar_writeEF_const(&v, LATER + left) == 0;
		right &= state_of(&v) == (left ? 3 : 2);
		until_quiet();
		right &= back(READ_FE) == fe - left && with_value(READ_FE, LATER + left) == 1;
	}
	if (!right)
		diag("%s with %u readFF, %u readFE", fill->name, ff, fe);
	return right;
}

static bool empty_serves(const struct call *empty, unsigned writers)
{
	enum { OLD = 7 };
	syncvar_t v = made(OLD, true);
	uint64_t got = 0;
	unsigned left = writers ? writers - 1 : 0;

	nwaiters = 0;
	add_tasks(WRITE_EF, &v, writers);
	bool right = state_of(&v) == (writers ? 1 : 0) && qthread_syncvar_readFF(&got, &v) == 0 && got == OLD;
	published++;
	right &= empty->make(&v, &got, 0) == 0 && got == OLD;
	right &= state_of(&v) == (writers == 0 ? 2 : left ? 1 : 0);
	until_quiet();
	right &= back(WRITE_EF) == writers - left;
	for (unsigned i = 0; i < writers; i++) {
		right &= qthread_syncvar_readFE(&got, &v) == 0 && with_value(WRITE_EF, got) == 1;
		left = writers - i > 2 ? writers - i - 2 : 0;
		until_quiet();
		right &= back(WRITE_EF) == writers - left;
		for (unsigned k = 0; k < writers; k++)          /* each value comes once */
			waiters[k].value = waiters[k].value == got ? 0 : waiters[k].value;
	}
	right &= state_of(&v) == 2;
	if (!right)
		diag("%s with %u writeEF", empty->name, writers);
	return right;
}

static void waiting_tasks_are_served(const char *what)
{
	static const unsigned counts[] = { 0, 1, 3 };
	bool fill = true, empty = true;

	for (int i = 0; i < NCALLS; i++)
		for (int a = 0; a < 3; a++) {
			for (int b = 0; b < 3; b++)
				if (calls[i].when_empty == 0 && calls[i].leaves == FULL)
					fill = fill_serves(&calls[i], counts[a], counts[b]) && fill;
			if (calls[i].when_full == 0 && calls[i].leaves == EMPTY)
				empty = empty_serves(&calls[i], counts[a]) && empty;
		}
	fill = fill_serves(&calls[WRITEF], 100, 50) && fill;
	empty = empty_serves(&calls[EMPTY_], 50) && empty;
	ok(fill, "%s: a syncvar that becomes full serves every readFF, then one readFE", what);
	ok(empty, "%s: one that becomes empty serves one writeEF and is full again", what);
}

/* Neither a store nor an increment in between may forget who waits. */
static void writers_are_remembered(const char *what)
{
	syncvar_t v = made(1, true);
	uint64_t got = 0;

	nwaiters = 0;
	add_tasks(WRITE_EF, &v, 2);
	bool right = qthread_syncvar_writeF_const(&v, 5) == 0 && state_of(&v) == 1;
	right &= qthread_syncvar_fill(&v) == 0 && state_of(&v) == 1;
	right &= qthread_syncvar_incrF(&v, 1) == 6 && state_of(&v) == 1;
	right &= qthread_syncvar_readFE(&got, &v) == 0 && got == 6;
	right &= qthread_syncvar_readFE(&got, &v) == 0 && with_value(WRITE_EF, got) <= 1;
	right &= qthread_syncvar_readFE(&got, &v) == 0;
	until_quiet();
	ok(right && back(WRITE_EF) == 2 && state_of(&v) == 2, "%s: writeF and incrF on a full one leave its writers waiting",
		what);
}

/* The only change of state that an increment makes. */
static void increments_serve_readers(const char *what)
{
	syncvar_t v = made(40, false);
	bool right = true;

	nwaiters = 0;
	add_tasks(READ_FF, &v, 5);
	published++;
	right = qthread_syncvar_incrF(&v, 2) == 42 && v.u.w == made(42, true).u.w;
	until_quiet();
	right = right && back(READ_FF) == 5 && with_value(READ_FF, 42) == 5;
	qthread_syncvar_empty(&v);
	nwaiters = 0;
	add_tasks(READ_FE, &v, 2);
	published++;
	right = right && qthread_syncvar_incrF(&v, 1) == 43 && state_of(&v) == 3;
	until_quiet();
	right = right && with_value(READ_FE, 43) == 1;
	right = right && qthread_syncvar_incrF(&v, 1) == 44 && state_of(&v) == 2;
	until_quiet();
	right = right && back(READ_FE) == 2 && with_value(READ_FE, 44) == 1;
	ok(right, "%s: incrF serves readers that wait, with the sum", what);
}

static void each_wakes_its_own(const char *what)
{
	enum { VARS = 300 };
	static syncvar_t vars[VARS];
	int wrong = 0;

	nwaiters = 0;
	for (int i = 0; i < VARS; i++) {
		vars[i] = made(0, false);
		qthread_fork(wait_here, new_waiter(READ_FE, &vars[i]), NULL);
	}
	until_quiet();
	published++;
	for (int i = 0; i < VARS; i++)
		qthread_syncvar_writeF_const(&vars[(i * 7 + 5) % VARS], 2000 + (uint64_t)((i * 7 + 5) % VARS));
	until_quiet();
	for (int i = 0; i < VARS; i++)
		wrong += !flag_is_up(&waiters[i].done) || waiters[i].value != 2000 + (uint64_t)i || state_of(&vars[i]) != 2;
	is_int(wrong, 0, "%s: %d waiters, each woken by its own syncvar", what, VARS);
}

static void pthreads_wait(const char *what)
{
	enum { THREADS = 6 };
	pthread_t thread[THREADS];
	syncvar_t v = made(0, false), other = made(9, true);
	uint64_t sum = 0, got = 0;
	bool right = true;

	nwaiters = 0;
	published++;
	for (int i = 0; i < THREADS; i++) {
		struct waiter *w = i < 3 ? new_waiter(i ? READ_FE : READ_FF, &v) : new_waiter(WRITE_EF, &other);
		if (pthread_create(&thread[i], NULL, wait_in_thread, w) != 0)
			bail_out("pthread_create failed");
		while (i == 0 && state_of(&v) != 3)
			let_others_run();
		while (i == 3 && state_of(&other) != 1)
			let_others_run();
	}
	for (uint64_t i = 1; i <= 2; i++)
		right &= qthread_syncvar_writeEF_const(&v, i) == 0;
	until_flag(&waiters[1].done);
	until_flag(&waiters[2].done);
	right &= qthread_syncvar_writeEF_const(&v, 3) == 0;
	for (int i = 0; i < 4; i++) {
		right &= qthread_syncvar_readFE(&got, &other) == 0;
		sum += got;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	right &= waiters[0].value == 1 && waiters[1].value + waiters[2].value == 3;
	ok(right && sum == 9 + 1003 + 1004 + 1005 && state_of(&v) == 0 && state_of(&other) == 2,
		"%s: pthreads wait for each kind and are served", what);
}

/* ---- A syncvar as a channel --------------------------------------------------------------------------------- */

struct channel {
	syncvar_t v;
	aligned_t sum;
	int values;
};

static void send(void *arg)
{
	struct channel *c = arg;

	for (int i = 1; i <= c->values; i++)
		qthread_syncvar_writeEF_const(&c->v, (uint64_t)i);
}

static aligned_t send_task(void *arg)
{
	send(arg);
	return 0;
}

static aligned_t receive_task(void *arg)
{
	struct channel *c = arg;
	uint64_t value, sum = 0;

	for (int i = 0; i < c->values; i++) {
		qthread_syncvar_readFE(&value, &c->v);
		sum += value;
	}
	qthread_incr(&c->sum, sum);
	return 0;
}

static void a_syncvar_is_a_channel(const char *what)
{
	enum { PAIRS = 4 };
	struct channel c = { .v = made(0, false), .values = every_scaled(300) };
	aligned_t ret[2 * PAIRS - 1];

	for (int i = 0; i < PAIRS; i++)
		qthread_fork(receive_task, &c, &ret[i]);
	for (int i = 1; i < PAIRS; i++)
		qthread_fork(send_task, &c, &ret[PAIRS + i - 1]);
	every_outside(send, &c);
	for (int i = 0; i < 2 * PAIRS - 1; i++)
		qthread_readFF(NULL, &ret[i]);
	is_int(c.sum, (aligned_t)PAIRS * c.values * (c.values + 1) / 2, "%s: %d writers and readers of one syncvar, %s", what,
		PAIRS, "no value is lost or comes twice");
}

static void run(const char *what)
{
	calls_without_waiters(what);
	bad_addresses(what);
	sixty_bits(what);
	increments(what);
	waiting_tasks_are_served(what);
	writers_are_remembered(what);
	increments_serve_readers(what);
	each_wakes_its_own(what);
	pthreads_wait(what);
	a_syncvar_is_a_channel(what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	signed_values();
	initializers();
	ok(calls_are_right(true), "before qthread_initialize each call on a full syncvar does what its row says");
	ok(calls_are_right(false), "and on an empty one");
	every_runtime(run);
	ok(calls_are_right(true), "after qthread_finalize each call on a full syncvar does what its row says");
	ok(calls_are_right(false), "and on an empty one");
	return done();
}
