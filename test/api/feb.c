/* test/api/feb.c -- full/empty bits: every row of the table in qthread.h, with nobody, one or many waiting, in every
 * way.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_SEED chooses the random operations on chained words.
 */
#include "waiting.h"

#include <string.h>

enum { CHECKS_PER_RUN = 16, OTHER_CHECKS = 4 };

/* ---- The calls, as a table ---------------------------------------------------------------------------------- */

enum { WAITS = 1000 };          /* no return code */

enum data { UNTOUCHED, VALUE, ZERO };
enum state { EMPTY, FULL, SAME };

struct call {
	const char *name;
	int (*make)(aligned_t *word, aligned_t *dest, aligned_t value);
	int when_full, when_empty;      /* what comes back, unless it has to wait */
	bool copies;                    /* the word's data to dest */
	enum data stores;
	enum state leaves;
};

#define CALL(name, expression)                                                              \
	static int call_##name(aligned_t *word, aligned_t *dest, aligned_t value)           \
	{                                                                                   \
		(void)dest;                                                                 \
		(void)value;                                                                \
		return qthread_##name expression;                                           \
	}

CALL(readFF, (dest, word))
CALL(readFF_nb, (dest, word))
CALL(readFE, (dest, word))
CALL(readFE_nb, (dest, word))
CALL(readXX, (dest, word))
CALL(writeEF, (word, &value))
CALL(writeEF_const, (word, value))
CALL(writeEF_nb, (word, &value))
CALL(writeEF_const_nb, (word, value))
CALL(writeF, (word, &value))
CALL(writeF_const, (word, value))
CALL(writeFF, (word, &value))
CALL(writeFF_const, (word, value))
CALL(fill, (word))
CALL(empty, (word))
CALL(purge, (word))
CALL(purge_to, (word, &value))
CALL(purge_to_const, (word, value))

enum {
	READFF, READFF_NB, READFE, READFE_NB, READXX, WRITEEF, WRITEEF_CONST, WRITEEF_NB, WRITEEF_CONST_NB, WRITEF,
	WRITEF_CONST, WRITEFF, WRITEFF_CONST, FILL, EMPTY_, PURGE, PURGE_TO, PURGE_TO_CONST, NCALLS
};

static const struct call calls[NCALLS] = {
	/*                                              full            empty           copies stores     leaves */
	[READFF] = { "readFF", call_readFF,             0,              WAITS,          true,  UNTOUCHED, FULL },
	[READFF_NB] = { "readFF_nb", call_readFF_nb,    0,              QTHREAD_OPFAIL, true,  UNTOUCHED, FULL },
	[READFE] = { "readFE", call_readFE,             0,              WAITS,          true,  UNTOUCHED, EMPTY },
	[READFE_NB] = { "readFE_nb", call_readFE_nb,    0,              QTHREAD_OPFAIL, true,  UNTOUCHED, EMPTY },
	[READXX] = { "readXX", call_readXX,             0,              0,              true,  UNTOUCHED, SAME },
	[WRITEEF] = { "writeEF", call_writeEF,          WAITS,          0,              false, VALUE,     FULL },
	[WRITEEF_CONST] = { "writeEF_const", call_writeEF_const, WAITS, 0,              false, VALUE,     FULL },
	[WRITEEF_NB] = { "writeEF_nb", call_writeEF_nb, QTHREAD_OPFAIL, 0,              false, VALUE,     FULL },
	[WRITEEF_CONST_NB] = { "writeEF_const_nb", call_writeEF_const_nb,
	                                                QTHREAD_OPFAIL, 0,              false, VALUE,     FULL },
	[WRITEF] = { "writeF", call_writeF,             0,              0,              false, VALUE,     FULL },
	[WRITEF_CONST] = { "writeF_const", call_writeF_const, 0,        0,              false, VALUE,     FULL },
	[WRITEFF] = { "writeFF", call_writeFF,          0,              WAITS,          false, VALUE,     FULL },
	[WRITEFF_CONST] = { "writeFF_const", call_writeFF_const, 0,     WAITS,          false, VALUE,     FULL },
	[FILL] = { "fill", call_fill,                   0,              0,              false, UNTOUCHED, FULL },
	[EMPTY_] = { "empty", call_empty,               0,              0,              false, UNTOUCHED, EMPTY },
	[PURGE] = { "purge", call_purge,                0,              0,              false, ZERO,      EMPTY },
	[PURGE_TO] = { "purge_to", call_purge_to,       0,              0,              false, VALUE,     EMPTY },
	[PURGE_TO_CONST] = { "purge_to_const", call_purge_to_const, 0,  0,              false, VALUE,     EMPTY },
};

static aligned_t look(const aligned_t *word)
{
	aligned_t value = 0;

	qthread_readXX(&value, word);
	return value;
}

static void set(aligned_t *word, aligned_t value, bool full)
{
	qthread_purge_to_const(word, value);
	if (full)
		qthread_fill(word);
}

/* One call on a word at which nobody waits. */
static bool call_is_right(const struct call *c, bool full)
{
	enum { OLD = 11, NEW = 22, ELSE = 33 };
	const int want = full ? c->when_full : c->when_empty;
	const bool goes_on = want == QTHREAD_SUCCESS;
	aligned_t word, dest = ELSE;

	set(&word, OLD, full);
	const int rc = c->make(&word, &dest, NEW);
	const aligned_t data = !goes_on || c->stores == UNTOUCHED ? OLD : c->stores == VALUE ? NEW : 0;
	const int state = !goes_on || c->leaves == SAME ? full : c->leaves == FULL;
	const bool right = rc == want && look(&word) == data && qthread_feb_status(&word) == state &&
		dest == (goes_on && c->copies ? OLD : ELSE);
	if (!right)
		diag("%s of %s word: %d, word %d %s, dest %d", c->name, full ? "a full" : "an empty", rc, (int)look(&word),
			qthread_feb_status(&word) ? "full" : "empty", (int)dest);
	qthread_fill(&word);
	return right;
}

static void calls_without_waiters(const char *what)
{
	for (int full = 0; full <= 1; full++) {
		bool right = true;

		for (int i = 0; i < NCALLS; i++)
			if ((full ? calls[i].when_full : calls[i].when_empty) != WAITS)
				right = call_is_right(&calls[i], full) && right;
		ok(right, "%s: each call on %s word does what its row says", what, full ? "a full" : "an empty");
	}
}

static void odd_destinations(const char *what)
{
	aligned_t word;
	bool right;

	set(&word, 5, true);
	right = qthread_readFF(NULL, &word) == 0 && qthread_readFF(&word, &word) == 0 && qthread_readXX(NULL, &word) == 0 &&
		qthread_readXX(&word, &word) == 0 && qthread_feb_status(&word) == 1;
	right = right && qthread_readFE(NULL, &word) == 0 && qthread_feb_status(&word) == 0;
	qthread_fill(&word);
	right = right && qthread_readFE(&word, &word) == 0 && qthread_feb_status(&word) == 0 && look(&word) == 5;
	qthread_fill(&word);
	ok(right, "%s: a destination of NULL, or the word itself, is waited for and not written", what);
}

static void bad_addresses(const char *what)
{
	_Alignas(aligned_t) char bytes[3 * sizeof(aligned_t)] = { 0 };
	aligned_t word = 1, dest = 77;
	bool right = true;

	for (int i = 0; i < NCALLS; i++)
		for (unsigned off = 0; off < sizeof(aligned_t); off++) {
			aligned_t *bad = off ? (aligned_t *)(void *)(bytes + off) : NULL;

			if (!off && (i == FILL || i == EMPTY_))
				continue;       /* they touch no data: null_is_a_word */
			if (calls[i].make(bad, &dest, 5) != QTHREAD_BADARGS || (off && qthread_feb_status(bad) != QTHREAD_BADARGS)) {
				diag("%s at an address %u bytes off", calls[i].name, off);
				right = false;
			}
		}
	for (unsigned i = 0; i < sizeof(bytes); i++)
		right = right && bytes[i] == 0;
	ok(right && dest == 77, "%s: misaligned words, and data at NULL, are refused and nothing is written", what);
	ok(qthread_writeEF(&word, NULL) == QTHREAD_BADARGS && qthread_writeEF_nb(&word, NULL) == QTHREAD_BADARGS &&
		qthread_writeF(&word, NULL) == QTHREAD_BADARGS && qthread_writeFF(&word, NULL) == QTHREAD_BADARGS &&
		qthread_purge_to(&word, NULL) == QTHREAD_BADARGS && look(&word) == 1 && qthread_feb_status(&word) == 1,
		"%s: a source of NULL is refused", what);
}

static aligned_t waits_at_null(void *unused)
{
	(void)unused;
	return (aligned_t)qthread_readFF(NULL, NULL);
}

/* It has a state, and no data. */
static void null_is_a_word(const char *what)
{
	aligned_t ret[3] = { 1, 1, 1 };
	bool right = qthread_feb_status(NULL) == 1 && qthread_readFF(NULL, NULL) == 0 && qthread_readXX(NULL, NULL) == 0 &&
		qthread_empty(NULL) == 0 && qthread_feb_status(NULL) == 0 && qthread_readFF_nb(NULL, NULL) == QTHREAD_OPFAIL &&
		qthread_readFE_nb(NULL, NULL) == QTHREAD_OPFAIL;

	for (int i = 0; i < 3; i++)
		qthread_fork(waits_at_null, NULL, &ret[i]);
	for (int i = 0; i < 10; i++)
		qthread_yield();
	right = right && qthread_fill(NULL) == 0;
	for (int i = 0; i < 3; i++)
		qthread_readFF(NULL, &ret[i]);
	right = right && ret[0] + ret[1] + ret[2] == 0 && qthread_readFE(NULL, NULL) == 0 && qthread_feb_status(NULL) == 0 &&
		qthread_fill(NULL) == 0;
	ok(right && qthread_feb_status(NULL) == 1, "%s: address 0 is emptied, waited for and filled like any other", what);
}

/* ---- Waiters ------------------------------------------------------------------------------------------------ */

enum flow { TASKS, THREADS, BOTH, FLOWS };

enum { MOST_WAITERS = 640 };

struct waiter {
	enum qti_wait_kind kind;
	aligned_t *word;
	aligned_t value;        /* to be written, or read */
	int rc;
	int saw;
	uint32_t done;
	bool outside;           /* a plain pthread */
	pthread_t thread;
};

static struct {
	aligned_t word;
	int published;          /* plain: set before the word's state changes, so who waited for that may read it */
	unsigned n;
	struct waiter w[MOST_WAITERS];
} group;

static void wait_here(struct waiter *w)
{
	switch (w->kind) {
	case QTI_WAIT_READ_FF:
		w->rc = qthread_readFF(&w->value, w->word);
		break;
	case QTI_WAIT_READ_FE:
		w->rc = qthread_readFE(&w->value, w->word);
		break;
	case QTI_WAIT_WRITE_EF:
		w->rc = qthread_writeEF(w->word, &w->value);
		break;
	case QTI_WAIT_WRITE_FF:
		w->rc = qthread_writeFF(w->word, &w->value);
		break;
	case QTI_WAIT_PRECOND:
		w->rc = QTHREAD_SUCCESS;        /* this function's start is what waited */
		break;
	default:
		bail_out("that is not waiting for a word");
	}
	w->saw = group.published;
	flag_raise(&w->done);
}

static aligned_t wait_in_task(void *arg)
{
	wait_here(arg);
	return 0;
}

static void *wait_in_thread(void *arg)
{
	wait_here(arg);
	return NULL;
}

static void start(struct waiter *w)
{
	if (w->kind == QTI_WAIT_PRECOND)
		w->rc = qthread_fork_precond(wait_in_task, w, NULL, 1, w->word);
	else if (w->outside)
		w->rc = pthread_create(&w->thread, NULL, wait_in_thread, w);
	else
		w->rc = qthread_fork(wait_in_task, w, NULL);
	if (w->rc != 0)
		bail_out("a waiter could not be started: %d", w->rc);
}

/* n more waiters at the group's word; each writes, if it does, a number of its own. */
static void add_waiters(enum qti_wait_kind kind, unsigned n, enum flow flow)
{
	const unsigned before = waiting_at(&group.word, kind);

	for (unsigned i = 0; i < n; i++) {
		struct waiter *w = &group.w[group.n];
		const bool outside = kind != QTI_WAIT_PRECOND && (flow == THREADS || (flow == BOTH && i % 2 == 1));

		*w = (struct waiter){ .kind = kind, .word = &group.word, .value = 1000 + group.n, .outside = outside };
		group.n++;
		start(w);
	}
	until_waiting(&group.word, kind, before + n);
}

/* Waits until n of that kind have come back, and says whether all of them were well. */
static bool came_back(enum qti_wait_kind kind, unsigned n)
{
	for (;;) {
		unsigned back = 0, well = 0;

		for (unsigned i = 0; i < group.n; i++) {
			struct waiter *w = &group.w[i];
			if (w->kind == kind && flag_is_up(&w->done)) {
				back++;
				well += w->rc == QTHREAD_SUCCESS && w->saw == group.published;
			}
		}
		if (back >= n)
			return back == n && well == n;
		let_others_run();
	}
}

static void group_begin(aligned_t data, bool full)
{
	group.n = 0;
	set(&group.word, data, full);
}

static void group_end(void)
{
	for (unsigned i = 0; i < group.n; i++)
		if (group.w[i].outside)
			pthread_join(group.w[i].thread, NULL);
	qthread_fill(&group.word);
}

/* How many waiters of a kind that came back have that value. */
static unsigned with_value(enum qti_wait_kind kind, aligned_t value)
{
	unsigned n = 0;

	for (unsigned i = 0; i < group.n; i++)
		n += group.w[i].kind == kind && flag_is_up(&group.w[i].done) && group.w[i].value == value;
	return n;
}

/* ---- A word becomes full ------------------------------------------------------------------------------------- */

struct crowd {
	unsigned read_ff, read_fe, write_ff, preconds;
};

enum { OLD = 7, NEW = 8, LATER = 500 };

/* The writeFFs first, so that the others get what one of them stored; then all readFFs; then one readFE, and the word
 * is empty again; and so on with each further fill. */
static bool fill_serves(const struct call *fill, struct crowd crowd, enum flow flow)
{
	group_begin(OLD, false);
	add_waiters(QTI_WAIT_READ_FE, crowd.read_fe, flow);
	add_waiters(QTI_WAIT_READ_FF, crowd.read_ff, flow);
	add_waiters(QTI_WAIT_PRECOND, crowd.preconds, flow);
	add_waiters(QTI_WAIT_WRITE_FF, crowd.write_ff, flow);

	group.published++;
	unsigned left = crowd.read_fe ? crowd.read_fe - 1 : 0;
	bool right = fill->make(&group.word, NULL, NEW) == QTHREAD_SUCCESS;
	right &= waiting_at(&group.word, QTI_WAIT_READ_FE) == left;
	right &= qthread_feb_status(&group.word) == (crowd.read_fe == 0);
	right &= came_back(QTI_WAIT_WRITE_FF, crowd.write_ff);
	right &= came_back(QTI_WAIT_READ_FF, crowd.read_ff);
	right &= came_back(QTI_WAIT_PRECOND, crowd.preconds);
	right &= came_back(QTI_WAIT_READ_FE, crowd.read_fe - left);

	const aligned_t data = look(&group.word);
	right &= crowd.write_ff ? with_value(QTI_WAIT_WRITE_FF, data) == 1 : data == (fill->stores == VALUE ? NEW : OLD);
	right &= with_value(QTI_WAIT_READ_FF, data) == crowd.read_ff;
	right &= with_value(QTI_WAIT_READ_FE, data) == crowd.read_fe - left;

	while (left > 0) {
		left--;
		qthread_writeF_const(&group.word, LATER + left);
		right &= waiting_at(&group.word, QTI_WAIT_READ_FE) == left && qthread_feb_status(&group.word) == 0;
		right &= came_back(QTI_WAIT_READ_FE, crowd.read_fe - left);
		right &= with_value(QTI_WAIT_READ_FE, LATER + left) == 1;
	}
	group_end();
	if (!right)
		diag("%s with %u readFF, %u readFE, %u writeFF, %u preconditions, flow %d", fill->name, crowd.read_ff,
			crowd.read_fe, crowd.write_ff, crowd.preconds, flow);
	return right;
}

static bool fills(const struct call *c)
{
	return c->when_empty == QTHREAD_SUCCESS && c->leaves == FULL;
}

/* Every call that fills, or only one of them for each crowd where a tool makes that long. */
static bool every_fill_serves(struct crowd crowd, enum flow flow)
{
	static unsigned turn;
	bool right = true;
	int i = 0;

	if (!every_is_slow()) {
		for (; i < NCALLS; i++)
			right = (!fills(&calls[i]) || fill_serves(&calls[i], crowd, flow)) && right;
		return right;
	}
	while (!fills(&calls[i = turn++ % NCALLS]))
		continue;
	return fill_serves(&calls[i], crowd, flow);
}

static const char *const flow_name[] = { "tasks", "pthreads", "tasks and pthreads" };

static void a_full_word_serves(const char *what, enum flow flow)
{
	static const unsigned counts[] = { 0, 1, 3 };
	bool right = true;

	for (int ff = 0; ff < 3; ff++)
		for (int fe = 0; fe < 3; fe++)
			for (int wff = 0; wff < 3; wff++)
				right = every_fill_serves((struct crowd){ counts[ff], counts[fe], counts[wff], (unsigned)(ff + fe) % 3 },
					flow) && right;
	ok(right, "%s: a word that becomes full serves %s in the order of the table", what, flow_name[flow]);
}

/* ---- A word becomes empty ------------------------------------------------------------------------------------ */

static bool empties(const struct call *c)
{
	return c->when_full == QTHREAD_SUCCESS && c->leaves == EMPTY;
}

static bool empty_serves(const struct call *empty, unsigned writers, enum flow flow)
{
	aligned_t got = 0;
	unsigned left = writers ? writers - 1 : 0;

	group_begin(OLD, true);
	add_waiters(QTI_WAIT_WRITE_EF, writers, flow);
	bool right = qthread_feb_status(&group.word) == 1 && qthread_readFF(&got, &group.word) == 0 && got == OLD;

	group.published++;
	right &= empty->make(&group.word, &got, NEW) == QTHREAD_SUCCESS && (!empty->copies || got == OLD);
	right &= waiting_at(&group.word, QTI_WAIT_WRITE_EF) == left && qthread_feb_status(&group.word) == (writers > 0);
	right &= came_back(QTI_WAIT_WRITE_EF, writers - left);
	if (!writers)
		right &= look(&group.word) == (empty->stores == VALUE ? NEW : empty->stores == ZERO ? 0 : OLD);

	for (unsigned i = 0; i < writers; i++) {
		right &= qthread_feb_status(&group.word) == 1 && qthread_readFE(&got, &group.word) == 0;
		left = writers - i > 2 ? writers - i - 2 : 0;
		right &= waiting_at(&group.word, QTI_WAIT_WRITE_EF) == left && came_back(QTI_WAIT_WRITE_EF, writers - left);
		right &= with_value(QTI_WAIT_WRITE_EF, got) == 1;
		for (unsigned k = 0; k < writers; k++)          /* each value comes once */
			group.w[k].value = group.w[k].value == got ? 0 : group.w[k].value;
	}
	right &= qthread_feb_status(&group.word) == 0;
	group_end();
	if (!right)
		diag("%s with %u writeEF, flow %d", empty->name, writers, flow);
	return right;
}

static void an_empty_word_serves(const char *what)
{
	bool right = true;

	for (int i = 0; i < NCALLS; i++)
		for (unsigned writers = 0; writers <= 3; writers++)
			for (int flow = 0; flow < FLOWS; flow++)
				if (empties(&calls[i]))
					right = empty_serves(&calls[i], writers, flow) && right;
	ok(right, "%s: a word that becomes empty serves one writeEF and is full again", what);
}

static void many_wait(const char *what)
{
	const unsigned n = (unsigned)every_scaled(200);

	ok(fill_serves(&calls[FILL], (struct crowd){ n, n / 2, n / 2, n / 2 }, TASKS) && empty_serves(&calls[EMPTY_], n, TASKS),
		"%s: %u tasks of each kind at one word", what, n);
	ok(fill_serves(&calls[WRITEEF], (struct crowd){ 20, 20, 20, 20 }, BOTH) && empty_serves(&calls[PURGE], 20, BOTH),
		"%s: 20 of each kind, every other a pthread", what);
}

/* ---- Many words ---------------------------------------------------------------------------------------------- */

static void very_many_words(const char *what)
{
	enum { WORDS = 100000 };
	const int n = every_scaled(WORDS);
	aligned_t *word = calloc((size_t)n, sizeof(*word));
	int wrong = 0;

	for (int i = 0; i < n; i++)
		wrong += qthread_empty(&word[i]) != QTHREAD_SUCCESS;
	for (int i = 0; i < n; i++)
		wrong += qthread_feb_status(&word[i]) != 0;
	for (int i = 0; i < n; i += 2)
		wrong += qthread_writeEF_const_nb(&word[i], (aligned_t)i) != QTHREAD_SUCCESS;
	for (int i = 0; i < n; i++)
		wrong += qthread_feb_status(&word[i]) != (i % 2 == 0) || word[i] != (i % 2 ? 0 : (aligned_t)i);
	for (int i = 0; i < n; i++)
		wrong += qthread_fill(&word[i]) != QTHREAD_SUCCESS || qthread_feb_status(&word[i]) != 1;
	is_int(wrong, 0, "%s: %d words empty at once, each on its own", what, n);
	free(word);
}

/* Calls that do not wait, on words of one chain in random order: each word's state and data are its own. */
static void chained_words_are_apart(const char *what)
{
	const unsigned seed = getenv("QTI_SEED") ? (unsigned)atoi(getenv("QTI_SEED")) : 1;
	const int rounds = every_scaled(5000);
	unsigned random = seed;
	bool full[CHAIN];
	aligned_t data[CHAIN];
	int wrong = 0;

	for (int i = 0; i < CHAIN; i++) {
		full[i] = true;
		data[i] = 0;
		set(chain[i], 0, true);
	}
	for (int r = 1; r <= rounds; r++) {
		const int i = (random = random * 1103515245 + 12345) >> 16 & 0x7fff, k = i % CHAIN;
		const struct call *c = &calls[(i / CHAIN) % NCALLS];
		const int want = full[k] ? c->when_full : c->when_empty;
		aligned_t dest = 0;

		if (want == WAITS)
			continue;
		wrong += c->make(chain[k], &dest, (aligned_t)r) != want;
		if (want == QTHREAD_SUCCESS) {
			wrong += c->copies && dest != data[k];
			data[k] = c->stores == VALUE ? (aligned_t)r : c->stores == ZERO ? 0 : data[k];
			full[k] = c->leaves == SAME ? full[k] : c->leaves == FULL;
		}
		for (int j = 0; j < CHAIN; j++)
			wrong += *chain[j] != data[j] || qthread_feb_status(chain[j]) != full[j];
	}
	for (int i = 0; i < CHAIN; i++)
		qthread_fill(chain[i]);
	is_int(wrong, 0, "%s: %d words in one chain, %d calls (seed %u), each word on its own", what, CHAIN, rounds, seed);
}

/* Two waiters at every word of the chain; the words are filled in another order than they were emptied. */
static void chained_words_wake_their_own(const char *what)
{
	unsigned n = 0;
	int wrong = 0;

	group.published++;
	for (int i = 0; i < CHAIN; i++) {
		set(chain[i], 0, i % 3 == 2);
		for (int k = 0; k < 2; k++, n++) {
			const enum qti_wait_kind kind = i % 3 == 2 ? QTI_WAIT_WRITE_EF : k ? QTI_WAIT_READ_FE : QTI_WAIT_READ_FF;

			group.w[n] = (struct waiter){ .kind = kind, .word = chain[i], .value = 900, .outside = n % 8 == 0 };
			start(&group.w[n]);
			until_waiting(chain[i], kind, kind == QTI_WAIT_WRITE_EF ? (unsigned)k + 1 : 1);
		}
	}
	for (int i = 0; i < CHAIN; i++) {
		const int k = (i * 7 + 5) % CHAIN;
		if (k % 3 == 2)
			for (int j = 0; j < 3; j++)
				qthread_empty(chain[k]);
		else
			qthread_writeEF_const(chain[k], 100 + (aligned_t)k);
	}
	for (unsigned i = 0; i < n; i++) {
		until_flag(&group.w[i].done);
		if (group.w[i].outside)
			pthread_join(group.w[i].thread, NULL);
		if (group.w[i].kind != QTI_WAIT_WRITE_EF)
			wrong += group.w[i].value != 100 + i / 2;
	}
	for (int i = 0; i < CHAIN; i++) {
		wrong += qthread_feb_status(chain[i]) != 0;
		qthread_fill(chain[i]);
	}
	is_int(wrong, 0, "%s: %u waiters in one chain, each woken by its own word", what, n);
}

/* ---- A word as a channel ------------------------------------------------------------------------------------- */

struct channel {
	aligned_t word;
	aligned_t sum, ended;
	int values;
};

static void send(void *arg)
{
	struct channel *c = arg;

	for (int i = 1; i <= c->values; i++)
		qthread_writeEF_const(&c->word, (aligned_t)i);
}

static aligned_t send_task(void *arg)
{
	send(arg);
	return 0;
}

static aligned_t receive_task(void *arg)
{
	struct channel *c = arg;
	aligned_t value, sum = 0;

	for (int i = 0; i < c->values; i++) {
		qthread_readFE(&value, &c->word);
		sum += value;
	}
	qthread_incr(&c->sum, sum);
	return 0;
}

static void a_word_is_a_channel(const char *what)
{
	enum { PAIRS = 4 };
	struct channel c = { .values = every_scaled(300) };
	aligned_t ret[2 * PAIRS - 1];

	qthread_empty(&c.word);
	for (int i = 0; i < PAIRS; i++)
		qthread_fork(receive_task, &c, &ret[i]);
	for (int i = 1; i < PAIRS; i++)
		qthread_fork(send_task, &c, &ret[PAIRS + i - 1]);
	every_outside(send, &c);
	for (int i = 0; i < 2 * PAIRS - 1; i++)
		qthread_readFF(NULL, &ret[i]);
	is_int(c.sum, (aligned_t)PAIRS * c.values * (c.values + 1) / 2, "%s: %d writers and readers of one word, %s", what,
		PAIRS, "no value is lost or comes twice");
	qthread_fill(&c.word);
}

/* ---- While the runtime is down ------------------------------------------------------------------------------- */

static void while_down(const char *when)
{
	aligned_t word = 9, dest = 0;
	bool right = true;

	for (int i = 0; i < NCALLS; i++) {
		const bool works = i == FILL || i == READXX;
		right &= calls[i].make(&word, &dest, 4) == (works ? QTHREAD_SUCCESS : QTHREAD_NOT_ALLOWED);
		right &= calls[i].make(NULL, &dest, 4) ==
			(i == FILL ? QTHREAD_SUCCESS : i == EMPTY_ ? QTHREAD_NOT_ALLOWED : QTHREAD_BADARGS);
		right &= word == 9 && qthread_feb_status(&word) == 1;
	}
	ok(right && dest == 9, "%s fill, readXX and feb_status work and the other calls are not allowed", when);
}

static void a_new_runtime_knows_no_empty_words(void)
{
	static aligned_t word;

	every_start("mts", "1", "2");
	qthread_empty(&word);
	qthread_finalize();
	ok(qthread_feb_status(&word) == 1, "what was empty is full while the runtime is down");
	every_start("mts", "1", "2");
	ok(qthread_feb_status(&word) == 1 && qthread_readFF(NULL, &word) == 0, "and after the next start");
	qthread_finalize();
}

static void run(const char *what)
{
	calls_without_waiters(what);
	odd_destinations(what);
	bad_addresses(what);
	null_is_a_word(what);
	a_full_word_serves(what, TASKS);
	a_full_word_serves(what, THREADS);
	a_full_word_serves(what, BOTH);
	an_empty_word_serves(what);
	many_wait(what);
	very_many_words(what);
	chain_find();
	chained_words_are_apart(what);
	chained_words_wake_their_own(what);
	a_word_is_a_channel(what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	while_down("before qthread_initialize,");
	every_runtime(run);
	while_down("after qthread_finalize,");
	a_new_runtime_knows_no_empty_words();
	chain_forget();
	return done();
}
