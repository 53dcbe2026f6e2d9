/* test/api/fork.c -- the fork family: every form, with every feature, from tasks and from outside.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "waiting.h"

#include <qthread/sinc.h>

#include <string.h>

enum { CHECKS_PER_RUN = 23, OTHER_CHECKS = 4 };

/* ---- The forms, as a table ---------------------------------------------------------------------------------- */

enum ret { WORD, SYNCVAR };

enum {
	COPIES = 1 << 0,        /* takes a size */
	PINS = 1 << 1,          /* takes a shepherd */
	SIMPLE = 1 << 2,
	PRECONDS = 1 << 3,      /* takes preconditions */
};

struct request {
	qthread_f f;
	const void *arg;
	size_t size;
	void *ret;
	qthread_shepherd_id_t shepherd;
	aligned_t *precond[2];          /* NULL: none */
};

struct form {
	const char *name;
	int (*make)(const struct request *r);
	enum ret ret;
	unsigned takes;
};

#define FORM(name, expression)                                  \
	static int form_##name(const struct request *r)         \
	{                                                       \
		return expression;                              \
	}

/* The first two arguments are always the same; preconditions come as one array or one by one. */
FORM(fork, qthread_fork(r->f, r->arg, r->ret))
FORM(fork_net, qthread_fork_net(r->f, r->arg, r->ret))
FORM(fork_to, qthread_fork_to(r->f, r->arg, r->ret, r->shepherd))
FORM(fork_syncvar, qthread_fork_syncvar(r->f, r->arg, r->ret))
FORM(fork_syncvar_to, qthread_fork_syncvar_to(r->f, r->arg, r->ret, r->shepherd))
FORM(fork_copyargs, qthread_fork_copyargs(r->f, r->arg, r->size, r->ret))
FORM(fork_copyargs_to, qthread_fork_copyargs_to(r->f, r->arg, r->size, r->ret, r->shepherd))
FORM(fork_syncvar_copyargs, qthread_fork_syncvar_copyargs(r->f, r->arg, r->size, r->ret))
FORM(fork_syncvar_copyargs_simple, qthread_fork_syncvar_copyargs_simple(r->f, r->arg, r->size, r->ret))
FORM(fork_syncvar_copyargs_to, qthread_fork_syncvar_copyargs_to(r->f, r->arg, r->size, r->ret, r->shepherd))

static int count_of(const struct request *r)
{
	return !r->precond[0] ? 0 : !r->precond[1] ? 1 : 2;
}

FORM(fork_precond, qthread_fork_precond(r->f, r->arg, r->ret, count_of(r), r->precond[0], r->precond[1]))
FORM(fork_precond_array, qthread_fork_precond(r->f, r->arg, r->ret, -count_of(r), (aligned_t **)r->precond))
FORM(fork_precond_to,
	qthread_fork_precond_to(r->f, r->arg, r->ret, r->shepherd, count_of(r), r->precond[0], r->precond[1]))
FORM(fork_precond_simple, qthread_fork_precond_simple(r->f, r->arg, r->ret, -count_of(r), (aligned_t **)r->precond))
FORM(fork_copyargs_precond,
	qthread_fork_copyargs_precond(r->f, r->arg, r->size, r->ret, count_of(r), r->precond[0], r->precond[1]))

/* The block is the runtime's on success only. */
static int spawn(const struct request *r, unsigned features)
{
	const size_t n = (size_t)count_of(r);
	void **block = n ? malloc((n + 1) * sizeof(*block)) : NULL;

	for (size_t i = 0; i < n; i++)
		block[i + 1] = r->precond[i];
	if (n)
		block[0] = (void *)n;
	int rc = qthread_spawn(r->f, r->arg, r->size, r->ret, n, block, r->shepherd, features);
	if (rc != QTHREAD_SUCCESS)
		free(block);
	return rc;
}

FORM(spawn, spawn(r, 0))
FORM(spawn_syncvar, spawn(r, QTHREAD_SPAWN_RET_SYNCVAR_T))
FORM(spawn_simple, spawn(r, QTHREAD_SPAWN_SIMPLE))
FORM(spawn_no_effect, spawn(r, QTHREAD_SPAWN_PARENT | QTHREAD_SPAWN_PC_SYNCVAR_T | QTHREAD_SPAWN_LOCAL_PRIORITY |
	QTHREAD_SPAWN_NETWORK))

static const struct form forms[] = {
	{ "fork", form_fork, WORD, 0 },
	{ "fork_net", form_fork_net, WORD, 0 },
	{ "fork_to", form_fork_to, WORD, PINS },
	{ "fork_syncvar", form_fork_syncvar, SYNCVAR, 0 },
	{ "fork_syncvar_to", form_fork_syncvar_to, SYNCVAR, PINS },
	{ "fork_copyargs", form_fork_copyargs, WORD, COPIES },
	{ "fork_copyargs_to", form_fork_copyargs_to, WORD, COPIES | PINS },
	{ "fork_syncvar_copyargs", form_fork_syncvar_copyargs, SYNCVAR, COPIES },
	{ "fork_syncvar_copyargs_simple", form_fork_syncvar_copyargs_simple, SYNCVAR, COPIES | SIMPLE },
	{ "fork_syncvar_copyargs_to", form_fork_syncvar_copyargs_to, SYNCVAR, COPIES | PINS },
	{ "fork_precond", form_fork_precond, WORD, PRECONDS },
	{ "fork_precond with an array", form_fork_precond_array, WORD, PRECONDS },
	{ "fork_precond_to", form_fork_precond_to, WORD, PRECONDS | PINS },
	{ "fork_precond_simple", form_fork_precond_simple, WORD, PRECONDS | SIMPLE },
	{ "fork_copyargs_precond", form_fork_copyargs_precond, SYNCVAR, COPIES | PRECONDS },
	{ "spawn", form_spawn, WORD, COPIES | PINS | PRECONDS },
	{ "spawn with SPAWN_RET_SYNCVAR_T", form_spawn_syncvar, SYNCVAR, COPIES | PINS | PRECONDS },
	{ "spawn with SPAWN_SIMPLE", form_spawn_simple, WORD, COPIES | PINS | PRECONDS | SIMPLE },
	{ "spawn with features of no effect", form_spawn_no_effect, WORD, COPIES | PINS | PRECONDS },
};
enum { NFORMS = sizeof(forms) / sizeof(forms[0]) };

/* A return word of either kind. */
union result {
	aligned_t word;
	syncvar_t syncvar;
};

static void make_full(union result *r, enum ret kind, aligned_t value)
{
	r->word = 0;
	if (kind == WORD)
		qthread_writeF_const(&r->word, value);
	else
		r->syncvar = SYNCVAR_INITIALIZE_TO(value);
}

static bool is_full(union result *r, enum ret kind)
{
	return kind == WORD ? qthread_feb_status(&r->word) == 1 : qthread_syncvar_status(&r->syncvar) == 1;
}

static aligned_t result(union result *r, enum ret kind)
{
	aligned_t value = 0;

	if (kind == WORD)
		qthread_readFF(&value, &r->word);
	else
		qthread_syncvar_readFF(&value, &r->syncvar);
	return value;
}

/* ---- Arguments and results ---------------------------------------------------------------------------------- */

enum { WRONG = 999 };

struct note {
	struct note *self;      /* where the forker's lies */
	aligned_t number;
};

/* The bytes that the forker had; the pointer too, unless they were to be copied. */
static aligned_t answer(void *arg)
{
	struct note *n = arg;
	aligned_t number = n->number;

	return n == n->self ? number : number + 1;
}

static bool answers(const struct form *f, bool copy)
{
	struct note note = { &note, 40 };
	struct request r = { .f = answer, .arg = &note, .size = copy ? sizeof(note) : 0, .shepherd = NO_SHEPHERD };
	union result ret;

	make_full(&ret, f->ret, 7);
	r.ret = &ret;
	const int rc = f->make(&r);
	if (rc != QTHREAD_SUCCESS)
		return false;
	if (copy)
		note = (struct note){ NULL, WRONG };    /* f has its own */
	const aligned_t got = result(&ret, f->ret);
	if (got != (copy ? 41 : 40))
		diag("%s%s: result %d", f->name, copy ? ", copied" : "", (int)got);
	return got == (copy ? 41 : 40) && is_full(&ret, f->ret);
}

static bool all_answer(void)
{
	bool right = true;

	for (int i = 0; i < NFORMS; i++) {
		right = answers(&forms[i], false) && right;
		right = (!(forms[i].takes & COPIES) || answers(&forms[i], true)) && right;
	}
	return right;
}

static void all_answer_outside(void *right)
{
	*(bool *)right = all_answer();
}

static aligned_t all_answer_in_task(void *arg)
{
	(void)arg;
	return all_answer();
}

static void results_arrive(const char *what)
{
	aligned_t in_task = 0;
	bool outside = false;

	ok(all_answer(), "%s: %d forms, forked by the main task: argument and result arrive", what, NFORMS);
	qthread_fork(all_answer_in_task, NULL, &in_task);
	qthread_readFF(NULL, &in_task);
	ok(in_task, "%s: the same from another task", what);
	every_outside(all_answer_outside, &outside);
	ok(outside, "%s: and from a pthread", what);
}

static aligned_t gate;

static aligned_t wait_at_gate(void *arg)
{
	qthread_readFF(NULL, &gate);
	return (aligned_t)(uintptr_t)arg;
}

static void ret_is_empty_meanwhile(const char *what)
{
	bool right = true;

	for (int i = 0; i < NFORMS; i++) {
		struct request r = { .f = wait_at_gate, .arg = (void *)5, .shepherd = NO_SHEPHERD };
		union result ret;

		if (forms[i].takes & SIMPLE)
			continue;
		qthread_empty(&gate);
		make_full(&ret, forms[i].ret, 3);
		r.ret = &ret;
		right = forms[i].make(&r) == QTHREAD_SUCCESS && !is_full(&ret, forms[i].ret) && right;
		qthread_fill(&gate);
		right = result(&ret, forms[i].ret) == 5 && right;
	}
	ok(right, "%s: ret is empty when the fork returns, until the task has ended", what);
}

/* As writeEF: somebody has filled the word meanwhile, so the finished task waits. */
static void a_filled_ret_is_waited_for(const char *what)
{
	aligned_t ret = 1, got = 0;
	syncvar_t sv = SYNCVAR_INITIALIZER;
	uint64_t got_sv = 0;

	qthread_empty(&gate);
	qthread_fork(wait_at_gate, (void *)5, &ret);
	qthread_writeF_const(&ret, 77);
	qthread_fork_syncvar(wait_at_gate, (void *)6, &sv);
	qthread_syncvar_writeF_const(&sv, 78);
	qthread_fill(&gate);
	until_waiting(&ret, QTI_WAIT_WRITE_EF, 1);
	until_quiet();
	qthread_readFE(&got, &ret);
	qthread_syncvar_readFE(&got_sv, &sv);
	bool right = got == 77 && got_sv == 78;
	qthread_readFF(&got, &ret);
	qthread_syncvar_readFF(&got_sv, &sv);
	ok(right && got == 5 && got_sv == 6, "%s: a ret that somebody filled is written when it is empty again", what);
}

static aligned_t same(void *arg)
{
	return (aligned_t)(uintptr_t)arg;
}

static void syncvar_results_have_60_bits(const char *what)
{
	syncvar_t ret;
	uint64_t got = 0;

	ret = SYNCVAR_INITIALIZER;
	qthread_fork_syncvar(same, (void *)UINT64_MAX, &ret);
	qthread_syncvar_readFF(&got, &ret);
	ok(got == UINT64_MAX >> 4, "%s: a syncvar gets the low 60 bits of the result", what);
}

static aligned_t ended;

static aligned_t count(void *arg)
{
	(void)arg;
	qthread_incr(&ended, 1);
	return 0;
}

static void ret_may_be_null(const char *what)
{
	bool right = true;

	ended = 0;
	for (int i = 0; i < NFORMS; i++)
		right = forms[i].make(&(struct request){ .f = count, .shepherd = NO_SHEPHERD }) == QTHREAD_SUCCESS && right;
	until_quiet();
	ok(right && ended == NFORMS, "%s: without a ret each form's task runs all the same", what);
}

/* ---- Copies ------------------------------------------------------------------------------------------------- */

static const size_t sizes[] = { 1, 7, 8, 16, 17, 63, 64, 1024, 1025, 4096, 100000 };
enum { NSIZES = sizeof(sizes) / sizeof(sizes[0]), LARGEST = 100000 };

static unsigned char source[LARGEST];

/* Checks that the bytes are those, that the copy is aligned, and that it can be written: ends as another pattern. */
static bool check_copy(unsigned char *copy, size_t size)
{
	bool right = (uintptr_t)copy % sizeof(void *) == 0;

	for (size_t i = 0; i < size; i++)
		right = right && copy[i] == (unsigned char)(size + i * 7);
	memset(copy, 0xee, size);
	qthread_yield();
	for (size_t i = 0; i < size; i++)
		right = right && copy[i] == 0xee;
	return right;
}

#define CHECKER(size)                                           \
	static aligned_t check_##size(void *copy)               \
	{                                                       \
		return check_copy(copy, size);                  \
	}

CHECKER(1) CHECKER(7) CHECKER(8) CHECKER(16) CHECKER(17) CHECKER(63) CHECKER(64) CHECKER(1024) CHECKER(1025)
CHECKER(4096) CHECKER(100000)

static const qthread_f checkers[] = {
	check_1, check_7, check_8, check_16, check_17, check_63, check_64, check_1024, check_1025, check_4096, check_100000,
};

/* All sizes at once, by all forms that copy: no copy may lie in another. */
static bool copies_are_apart(void)
{
	union result ret[NFORMS][NSIZES];
	bool right = true;

	for (int f = 0; f < NFORMS; f++)
		for (int s = 0; s < NSIZES && forms[f].takes & COPIES; s++) {
			for (size_t i = 0; i < sizes[s]; i++)
				source[i] = (unsigned char)(sizes[s] + i * 7);
			make_full(&ret[f][s], forms[f].ret, 0);
			right = forms[f].make(&(struct request){ .f = checkers[s], .arg = source, .size = sizes[s],
				.ret = &ret[f][s], .shepherd = NO_SHEPHERD }) == QTHREAD_SUCCESS && right;
		}
	for (int f = 0; f < NFORMS; f++)
		for (int s = 0; s < NSIZES && forms[f].takes & COPIES; s++)
			if (result(&ret[f][s], forms[f].ret) != 1) {
				diag("%s of %zu bytes", forms[f].name, sizes[s]);
				right = false;
			}
	return right;
}

static void copies_are_apart_outside(void *right)
{
	*(bool *)right = copies_are_apart();
}

static void arguments_are_copied(const char *what)
{
	bool outside = false;

	ok(copies_are_apart(), "%s: copies of %d sizes, from 1 to %d bytes: aligned, writable, apart", what, NSIZES, LARGEST);
	every_outside(copies_are_apart_outside, &outside);
	ok(outside, "%s: the same from a pthread", what);
}

/* ---- Shepherds ---------------------------------------------------------------------------------------------- */

/* 1 if it starts there and is there after it has waited and given way. */
static aligned_t stay(void *arg)
{
	const qthread_shepherd_id_t want = (qthread_shepherd_id_t)(uintptr_t)arg;
	bool right = qthread_shep() == want;

	for (int i = 0; i < 5; i++) {
		qthread_yield();
		right = right && qthread_shep() == want;
	}
	qthread_readFF(NULL, &gate);
	return right && qthread_shep() == want;
}

static aligned_t start_there(void *arg)
{
	return qthread_shep() == (qthread_shepherd_id_t)(uintptr_t)arg;
}

static void pinned_tasks_stay(const char *what)
{
	enum { SHEPHERDS = 5 };         /* more than there are: taken modulo */
	const unsigned n = qthread_num_shepherds();
	union result ret[NFORMS][SHEPHERDS];
	bool right = true;

	qthread_empty(&gate);
	for (int f = 0; f < NFORMS; f++)
		for (unsigned s = 0; s < SHEPHERDS && forms[f].takes & PINS; s++) {
			struct request r = { .f = forms[f].takes & SIMPLE ? start_there : stay, .ret = &ret[f][s],
				.arg = (void *)(uintptr_t)(s % n), .shepherd = (qthread_shepherd_id_t)s };

			make_full(&ret[f][s], forms[f].ret, 0);
			right = forms[f].make(&r) == QTHREAD_SUCCESS && right;
		}
	qthread_fill(&gate);
	for (int f = 0; f < NFORMS; f++)
		for (unsigned s = 0; s < SHEPHERDS && forms[f].takes & PINS; s++)
			if (result(&ret[f][s], forms[f].ret) != 1) {
				diag("%s to %u of %u shepherds", forms[f].name, s, n);
				right = false;
			}
	ok(right, "%s: a task forked to a shepherd, taken modulo %u, runs there and stays", what, n);
	aligned_t last = 0;
	qthread_fork_to(start_there, (void *)(uintptr_t)((NO_SHEPHERD - 1u) % n), &last, NO_SHEPHERD - 1);
	qthread_readFF(NULL, &last);
	ok(last == 1, "%s: the largest number there is, too", what);
}

/* ---- Simple tasks ------------------------------------------------------------------------------------------- */

static aligned_t simple(void *arg)
{
	aligned_t *word = arg;

	qthread_yield();        /* does nothing */
	if (qthread_migrate_to(0) != QTHREAD_NOT_ALLOWED || qthread_stackleft() != 0 || qthread_tos() || qthread_bos())
		return 1;
	if (qthread_id() == QTHREAD_NON_TASK_ID || qthread_worker(NULL) == NO_WORKER || !qthread_get_tasklocal(1000))
		return 2;
	if (qthread_fork(count, NULL, NULL) != QTHREAD_SUCCESS || qthread_writeF_const(word, 3) != QTHREAD_SUCCESS)
		return 3;
	return qthread_readFF(NULL, word) == QTHREAD_SUCCESS ? 0 : 4;
}

static void simple_tasks(const char *what)
{
	aligned_t word = 0, ret = 9;

	ended = 0;
	qthread_empty(&word);
	qthread_spawn(simple, &word, 0, &ret, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_SIMPLE);
	qthread_readFF(NULL, &ret);
	until_quiet();
	ok(ret == 0 && word == 3 && ended == 1, "%s: a simple task can do all that does not wait, %d", what, (int)ret);
}

/* ---- Sincs -------------------------------------------------------------------------------------------------- */

static void sum(void *tgt, void const *src)
{
	*(aligned_t *)tgt += *(aligned_t const *)src;
}

static void results_for_sincs(const char *what)
{
	enum { TASKS = 50 };
	aligned_t total = 1;
	qt_sinc_t *s = qt_sinc_create(sizeof(aligned_t), NULL, sum, 2 * TASKS);
	bool right = s != NULL;

	for (uintptr_t i = 1; i <= TASKS; i++)
		right = right && qthread_spawn(same, (void *)i, 0, s, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC) == 0 &&
			qthread_spawn(same, (void *)i, 0, s, 0, NULL, (qthread_shepherd_id_t)(i % 2),
				QTHREAD_SPAWN_RET_SINC_VOID | (i % 3 ? 0 : QTHREAD_SPAWN_SIMPLE)) == 0;
	qt_sinc_wait(s, &total);
	qt_sinc_destroy(s);
	ok(right && total == TASKS * (TASKS + 1) / 2, "%s: SPAWN_RET_SINC submits results, SPAWN_RET_SINC_VOID none", what);
}

/* ---- Preconditions ------------------------------------------------------------------------------------------ */

static bool fork_waits_for_both(const struct form *f)
{
	union result ret;
	aligned_t a = 0, b = 0;
	struct request r = { .f = same, .arg = (void *)4, .ret = &ret, .shepherd = NO_SHEPHERD, .precond = { &a, &b } };

	make_full(&ret, f->ret, 0);
	qthread_empty(&a);
	qthread_empty(&b);
	bool right = f->make(&r) == QTHREAD_SUCCESS;
	r.precond[0] = r.precond[1] = NULL;     /* the addresses have been copied */
	right &= waiting_at(&b, QTI_WAIT_PRECOND) == 1 && waiting_at(&a, QTI_WAIT_PRECOND) == 0;
	qthread_writeEF_const(&b, 1);
	right &= waiting_at(&a, QTI_WAIT_PRECOND) == 1;
	until_quiet();
	right &= !is_full(&ret, f->ret);
	qthread_empty(&b);                      /* it has been seen full: that is enough */
	qthread_fill(&a);
	right &= result(&ret, f->ret) == 4 && qthread_feb_status(&a) == 1 && qthread_feb_status(&b) == 0;
	qthread_fill(&b);
	if (!right)
		diag("%s", f->name);
	return right;
}

static bool fork_starts_at_once(const struct form *f)
{
	union result ret;
	aligned_t a = 0, b = 0;
	struct request r = { .f = same, .arg = (void *)4, .ret = &ret, .shepherd = NO_SHEPHERD, .precond = { &a, &b } };

	make_full(&ret, f->ret, 0);
	bool right = f->make(&r) == QTHREAD_SUCCESS && result(&ret, f->ret) == 4;
	r.precond[1] = NULL;
	qthread_empty(&a);
	right = f->make(&r) == QTHREAD_SUCCESS && right;
	qthread_fill(&a);
	return right && result(&ret, f->ret) == 4;
}

static void fill_both(void *arg)
{
	qthread_fill(((aligned_t **)arg)[0]);
	qthread_fill(((aligned_t **)arg)[1]);
}

static void preconditions(const char *what)
{
	bool waits = true, starts = true, pins = true;

	for (int i = 0; i < NFORMS; i++)
		if (forms[i].takes & PRECONDS) {
			waits = fork_waits_for_both(&forms[i]) && waits;
			starts = fork_starts_at_once(&forms[i]) && starts;
		}
	ok(waits, "%s: a task starts when each of its words has been seen full, the last first", what);
	ok(starts, "%s: at once if they all are", what);

	for (int i = 0; i < NFORMS; i++)
		for (unsigned s = 0; s < qthread_num_shepherds() && forms[i].takes & PRECONDS && forms[i].takes & PINS; s++) {
			aligned_t a = 0, b = 0, *both[2] = { &a, &b };
			union result ret;

			make_full(&ret, forms[i].ret, 0);
			qthread_empty(&a);
			qthread_empty(&b);
			pins = forms[i].make(&(struct request){ .f = start_there, .arg = (void *)(uintptr_t)s, .ret = &ret,
				.shepherd = (qthread_shepherd_id_t)s, .precond = { &a, &b } }) == QTHREAD_SUCCESS && pins;
			every_outside(fill_both, both);
			pins = result(&ret, forms[i].ret) == 1 && pins;
		}
	ok(pins, "%s: filled from outside, it still starts on its shepherd", what);
}

static void many_preconditions(const char *what)
{
	enum { WORDS = 100, TASKS = 20 };
	static aligned_t words[WORDS];
	aligned_t *addresses[WORDS], ret[TASKS], a = 0;
	bool right = true;

	for (int i = 0; i < WORDS; i++) {
		addresses[i] = &words[i];
		qthread_empty(&words[i]);
	}
	ended = 0;
	for (int i = 0; i < TASKS; i++)
		right = qthread_fork_precond(count, NULL, &ret[i], -WORDS, addresses) == QTHREAD_SUCCESS && right;
	for (int i = 0; i < WORDS; i++) {
		right = right && qthread_cas(&ended, 0, 0) == 0;
		qthread_fill(&words[(i * 7 + 3) % WORDS]);
	}
	for (int i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ret[i]);
	qthread_empty(&a);
	right = right && qthread_fork_precond(count, NULL, NULL, 5, &a, &words[0], &words[1], &a, &a) == QTHREAD_SUCCESS;
	until_quiet();
	right = right && ended == TASKS;
	qthread_fill(&a);
	until_quiet();
	ok(right && ended == TASKS + 1, "%s: %d tasks with %d preconditions each, and one word named thrice", what, TASKS, WORDS);
}

/* ---- Bad input ---------------------------------------------------------------------------------------------- */

/* Nothing happens: no task, and ret is as it was. */
static bool refused(const struct form *f, struct request r)
{
	union result ret;
	void *const given = r.ret;

	make_full(&ret, f->ret, 55);
	if (!given)
		r.ret = &ret;
	const int rc = f->make(&r);
	const bool right = rc == QTHREAD_BADARGS && is_full(&ret, f->ret) && result(&ret, f->ret) == 55;
	if (!right)
		diag("%s: %d", f->name, rc);
	return right;
}

static void bad_arguments(const char *what)
{
	_Alignas(16) char bytes[32] = { 0 };
	aligned_t word = 0;
	bool function = true, ret = true, arg = true, precond = true;

	ended = 0;
	for (int i = 0; i < NFORMS; i++) {
		const struct form *f = &forms[i];
		const struct request good = { .f = count, .shepherd = NO_SHEPHERD };
		struct request no_function = good, bad_ret = good, no_arg = good, bad_precond = good;

		no_function.f = NULL;
		function = refused(f, no_function) && function;
		for (int off = 1; off < 8; off++) {
			bad_ret.ret = bytes + off;
			ret = refused(f, bad_ret) && ret;
		}
		no_arg.size = 8;
		arg = (!(f->takes & COPIES) || refused(f, no_arg)) && arg;
		if (!(f->takes & PRECONDS))
			continue;
		bad_precond.precond[0] = (aligned_t *)(void *)(bytes + 4);
		precond = refused(f, bad_precond) && precond;
		bad_precond.precond[0] = &word;
		bad_precond.precond[1] = (aligned_t *)(void *)(bytes + 1);
		precond = refused(f, bad_precond) && precond;
	}
	precond = precond && qthread_fork_precond(count, NULL, NULL, 2, &word, (aligned_t *)NULL) == QTHREAD_BADARGS &&
		qthread_fork_precond(count, NULL, NULL, -2, (aligned_t **)NULL) == QTHREAD_BADARGS;
	until_quiet();
	ok(function && ended == 0, "%s: a NULL function is refused", what);
	ok(ret && ended == 0, "%s: a misaligned ret is refused", what);
	ok(arg && ended == 0, "%s: NULL to copy from is refused", what);
	ok(precond && ended == 0, "%s: preconditions that are NULL or misaligned are refused", what);
}

static void bad_spawns(const char *what)
{
	const unsigned rets[] = { QTHREAD_SPAWN_RET_SYNCVAR_T, QTHREAD_SPAWN_RET_SINC, QTHREAD_SPAWN_RET_SINC_VOID };
	aligned_t word = 0, ret = 0;
	void *block[3] = { (void *)2, &word, &word };
	bool right = true;

	ended = 0;
	for (int i = 0; i < 3; i++)
		right &= qthread_spawn(count, NULL, 0, &ret, 0, NULL, NO_SHEPHERD, rets[i] | rets[(i + 1) % 3]) == QTHREAD_BADARGS;
	for (unsigned bit = 0; bit < 32; bit++)
		if (bit == SPAWN_COUNT || bit > SPAWN_NETWORK)
			right &= qthread_spawn(count, NULL, 0, &ret, 0, NULL, NO_SHEPHERD, 1u << bit) == QTHREAD_BADARGS;
	right &= qthread_spawn(count, NULL, 0, &ret, 1, block, NO_SHEPHERD, 0) == QTHREAD_BADARGS;
	right &= qthread_spawn(count, NULL, 0, &ret, 3, block, NO_SHEPHERD, 0) == QTHREAD_BADARGS;
	right &= qthread_spawn(count, NULL, 0, &ret, 2, NULL, NO_SHEPHERD, 0) == QTHREAD_BADARGS;
	right &= qthread_feb_status(&ret) == 1;
	until_quiet();
	right &= ended == 0;
	right &= qthread_spawn(count, NULL, 0, NULL, 0, block, NO_SHEPHERD, 0) == QTHREAD_SUCCESS;
	until_quiet();
	ok(right && ended == 1, "%s: spawn refuses unknown bits, two kinds of ret, and a block that does not begin with its size",
		what);
}

/* ---- qthread_call_method ------------------------------------------------------------------------------------ */

static void call_method(const char *what)
{
	aligned_t word = 0, total = 0;
	syncvar_t sv = SYNCVAR_EMPTY_INITIALIZER;
	qt_sinc_t *s = qt_sinc_create(sizeof(aligned_t), NULL, sum, 1);
	uint64_t got = 0;

	qthread_empty(&word);
	qthread_call_method(same, (void *)5, &word, 0);
	qthread_call_method(same, (void *)6, &sv, 4);
	qthread_call_method(same, (void *)7, s, 8);
	qthread_call_method(same, (void *)8, NULL, 0);
	qthread_call_method(NULL, (void *)9, &word, 0);
	qt_sinc_wait(s, &total);
	qt_sinc_destroy(s);
	qthread_syncvar_readFF(&got, &sv);
	ok(word == 5 && qthread_feb_status(&word) == 1 && got == 6 && total == 7,
		"%s: qthread_call_method delivers to a word, a syncvar and a sinc", what);
}

/* ---- While the runtime is down ------------------------------------------------------------------------------ */

static void while_down(const char *when)
{
	bool right = true;

	ended = 0;
	for (int i = 0; i < NFORMS; i++) {
		union result ret = { 0 };
		right &= forms[i].make(&(struct request){ .f = count, .ret = &ret, .shepherd = NO_SHEPHERD }) == QTHREAD_NOT_ALLOWED;
		right &= ret.word == 0;
	}
	ok(right && ended == 0, "%s nothing can be forked", when);

	aligned_t word = 0, *words[] = { &word, &word };
	void *block[3] = { (void *)2, &word, &word };
	ok(qthread_fork_precond(count, NULL, NULL, 2, &word, &word) == QTHREAD_NOT_ALLOWED &&
		qthread_fork_precond(count, NULL, NULL, -2, words) == QTHREAD_NOT_ALLOWED &&
		qthread_spawn(count, NULL, 0, NULL, 2, block, NO_SHEPHERD, 0) == QTHREAD_NOT_ALLOWED,
		"%s neither with preconditions, which stay the caller's", when);
}

static void run(const char *what)
{
	results_arrive(what);
	ret_is_empty_meanwhile(what);
	a_filled_ret_is_waited_for(what);
	syncvar_results_have_60_bits(what);
	ret_may_be_null(what);
	arguments_are_copied(what);
	pinned_tasks_stay(what);
	simple_tasks(what);
	results_for_sincs(what);
	preconditions(what);
	many_preconditions(what);
	bad_arguments(what);
	bad_spawns(what);
	call_method(what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	while_down("before qthread_initialize");
	every_runtime(run);
	while_down("after qthread_finalize");
	return done();
}
