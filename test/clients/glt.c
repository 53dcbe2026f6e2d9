/* test/clients/glt.c -- a thin layer that gives the calls names of its own, after that of GLT (generic lightweight
 * threads), and a program that uses all of them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/every.h"

#include <qthread/barrier.h>
#include <qthread/dictionary.h>
#include <qthread/qloop.h>
#include <qthread/qtimer.h>
#include <qthread/sinc.h>

#include <string.h>

enum { CHECKS_PER_RUN = 25, TASKS = 40 };

/* ---- The layer: a thread is its return word -------------------------------------------------------------------------- */

typedef aligned_t glt_ult;

static void glt_ult_create(qthread_f f, void *arg, glt_ult *ult)
{
	if (qthread_fork(f, arg, ult) != QTHREAD_SUCCESS)
		bail_out("qthread_fork failed");
}

static void glt_ult_create_to(qthread_f f, void *arg, glt_ult *ult, int where)
{
	if (qthread_fork_to(f, arg, ult, (qthread_shepherd_id_t)where) != QTHREAD_SUCCESS)
		bail_out("qthread_fork_to failed");
}

static aligned_t glt_ult_join(glt_ult *ult)
{
	aligned_t result = 0;

	qthread_readFF(&result, ult);
	return result;
}

/* ---- Threads ---------------------------------------------------------------------------------------------------- */

static aligned_t my_id(void *arg)
{
	(void)arg;
	const unsigned id = qthread_id();

	qthread_yield();
	return id == qthread_id() ? id : 0;
}

static aligned_t my_shepherd(void *arg)
{
	(void)arg;
	return qthread_shep();
}

static aligned_t my_word(void *arg)
{
	(void)arg;
	return (aligned_t)(uintptr_t)qthread_retloc();
}

static aligned_t moves(void *arg)
{
	const qthread_shepherd_id_t to = *(qthread_shepherd_id_t *)arg;

	return qthread_migrate_to(to) == QTHREAD_SUCCESS && qthread_shep() == to;
}

static void threads(const char *what)
{
	glt_ult ult[TASKS];
	unsigned char seen[4 * TASKS] = { 0 };
	int wrong = 0;

	for (int i = 0; i < TASKS; i++)
		glt_ult_create(my_id, NULL, &ult[i]);
	for (int i = 0; i < TASKS; i++) {
		const aligned_t id = glt_ult_join(&ult[i]);
		wrong += id == 0 || id >= sizeof(seen) || seen[id]++;
	}
	is_int(wrong, 0, "%s: qthread_id numbers tasks", what);
	for (int i = 0; i < TASKS; i++)
		glt_ult_create_to(my_shepherd, NULL, &ult[i], i);
	for (int i = 0; i < TASKS; i++)
		wrong += glt_ult_join(&ult[i]) != (aligned_t)i % qthread_num_shepherds();
	is_int(wrong, 0, "%s: qthread_fork_to and qthread_shep", what);
	for (int i = 0; i < TASKS; i++)
		glt_ult_create(my_word, NULL, &ult[i]);
	for (int i = 0; i < TASKS; i++)
		wrong += glt_ult_join(&ult[i]) != (aligned_t)(uintptr_t)&ult[i];
	is_int(wrong, 0, "%s: qthread_retloc is the word of the fork", what);
	qthread_shepherd_id_t to = (qthread_shepherd_id_t)(qthread_num_shepherds() - 1);
	glt_ult_create(moves, &to, &ult[0]);
	is_int(glt_ult_join(&ult[0]), 1, "%s: qthread_migrate_to", what);
}

/* ---- Mutexes, barriers, sincs ------------------------------------------------------------------------------------- */

static struct {
	aligned_t mutex;
	uint64_t plain;         /* under the mutex */
	aligned_t before;       /* atomically */
	int early;
	qt_barrier_t *barrier;
} shared;

static aligned_t meets(void *arg)
{
	(void)arg;
	qthread_lock(&shared.mutex);
	const uint64_t seen = shared.plain;
	qthread_yield();
	shared.plain = seen + 1;
	qthread_unlock(&shared.mutex);

	qthread_incr(&shared.before, 1);
	qt_barrier_enter(shared.barrier);
	if (__atomic_load_n(&shared.before, __ATOMIC_ACQUIRE) != TASKS + 1)
		__atomic_store_n(&shared.early, 1, __ATOMIC_RELAXED);
	return 1;
}

static void add(void *tgt, void const *src)
{
	*(aligned_t *)tgt += *(aligned_t const *)src;
}

static void meetings(const char *what)
{
	glt_ult ult[TASKS];
	aligned_t zero = 0, sum = 0;

	memset(&shared, 0, sizeof(shared));
	shared.barrier = qt_barrier_create(TASKS + 1, REGION_BARRIER);
	ok(shared.barrier != NULL, "%s: qt_barrier_create", what);
	for (int i = 0; i < TASKS; i++)
		glt_ult_create(meets, NULL, &ult[i]);
	meets(NULL);
	for (int i = 0; i < TASKS; i++)
		glt_ult_join(&ult[i]);
	qt_barrier_destroy(shared.barrier);
	is_int(shared.plain, TASKS + 1, "%s: qthread_lock and qthread_unlock", what);
	is_int(shared.early, 0, "%s: qt_barrier_enter lets nobody go before all have come", what);

	qt_sinc_t *sinc = qt_sinc_create(sizeof(sum), &zero, add, TASKS);
	for (int i = 0; i < TASKS; i++)
		qthread_spawn(my_shepherd, NULL, 0, sinc, 0, NULL, (qthread_shepherd_id_t)i, QTHREAD_SPAWN_RET_SINC);
	qt_sinc_wait(sinc, &sum);
	qt_sinc_destroy(sinc);
	aligned_t want = 0;
	for (int i = 0; i < TASKS; i++)
		want += (aligned_t)(i % qthread_num_shepherds());
	is_int(sum, want, "%s: qt_sinc_wait has the sum", what);
}

/* ---- Loops ------------------------------------------------------------------------------------------------------ */

static void visit(size_t const startat, size_t const stopat, void *arg)
{
	for (size_t i = startat; i < stopat; i++)
		qthread_incr((aligned_t *)arg + i, 1);
}

static void step(void *arg)
{
	qthread_incr((aligned_t *)arg, 1);
}

static void count(size_t const startat, size_t const stopat, void *restrict arg, void *restrict ret)
{
	(void)arg;
	*(aligned_t *)ret = stopat - startat;
}

static void fold(void *restrict a, void const *restrict b)
{
	*(aligned_t *)a += *(aligned_t const *)b;
}

static void loops(const char *what)
{
	aligned_t visits[TASKS] = { 0 }, steps = 0, all = 0;
	int wrong = 0;

	qt_loop(0, TASKS, visit, visits);
	qt_loop_balance(0, TASKS, visit, visits);
	for (int i = 0; i < TASKS; i++)
		wrong += visits[i] != 2;
	is_int(wrong, 0, "%s: qt_loop and qt_loop_balance", what);
	qt_loop_step(0, TASKS, 3, step, &steps);
	is_int(steps, (TASKS + 2) / 3, "%s: qt_loop_step", what);
	qt_loopaccum_balance(0, TASKS, sizeof(all), &all, count, NULL, fold);
	is_int(all, TASKS, "%s: qt_loopaccum_balance", what);
}

/* ---- A dictionary ------------------------------------------------------------------------------------------------- */

static int same_key(void *a, void *b)
{
	return strcmp(a, b) == 0;
}

static int hash_key(void *key)
{
	int h = 0;

	for (const char *s = key; *s; s++)
		h = (int)(31u * (unsigned)h + (unsigned char)*s);
	return h;
}

static void dictionary(const char *what)
{
	static char names[TASKS][8];
	qt_dictionary *d = qt_dictionary_create(same_key, hash_key, NULL);
	int wrong = 0, seen = 0;

	ok(d != NULL, "%s: qt_dictionary_create", what);
	for (int i = 0; i < TASKS; i++) {
		snprintf(names[i], sizeof(names[i]), "key%d", i);
		wrong += qt_dictionary_put(d, names[i], &names[i]) != &names[i];
	}
	wrong += qt_dictionary_put_if_absent(d, names[3], &wrong) != &names[3];
	for (int i = 0; i < TASKS; i++) {
		char key[8];
		snprintf(key, sizeof(key), "key%d", i);
		wrong += qt_dictionary_get(d, key) != &names[i];
	}
	wrong += qt_dictionary_delete(d, names[0]) != &names[0] || qt_dictionary_get(d, names[0]) != NULL;
	is_int(wrong, 0, "%s: qt_dictionary_put, _put_if_absent, _get and _delete", what);

	qt_dictionary_iterator *it = qt_dictionary_iterator_create(d), *end = qt_dictionary_end(d);
	while (qt_dictionary_iterator_next(it))
		seen += qt_dictionary_iterator_get(it)->value == qt_dictionary_iterator_get(it)->key;
	is_int(seen, TASKS - 1, "%s: an iterator meets each entry once", what);
	is_int(qt_dictionary_iterator_equals(it, end), 1, "%s: and ends at the end", what);
	qt_dictionary_iterator_destroy(it);
	qt_dictionary_iterator_destroy(end);
	qt_dictionary_destroy(d);
}

/* ---- Words and syncvars --------------------------------------------------------------------------------------------- */

static void words(const char *what)
{
	aligned_t word = 1, got = 0;

	is_int(qthread_feb_status(&word), 1, "%s: qthread_feb_status", what);
	qthread_empty(&word);
	qthread_writeEF_const(&word, 2);
	ok(qthread_readFE(&got, &word) == QTHREAD_SUCCESS && got == 2, "%s: qthread_writeEF_const, qthread_readFE", what);
	got = 3;
	qthread_writeEF(&word, &got);
	qthread_writeF_const(&word, 4);
	ok(qthread_readFF(&got, &word) == QTHREAD_SUCCESS && got == 4, "%s: qthread_writeF_const, qthread_readFF", what);
	got = 5;
	qthread_writeF(&word, &got);
	qthread_empty(&word);
	qthread_fill(&word);
	is_int(word, 5, "%s: qthread_writeF, qthread_empty, qthread_fill", what);
	is_int(qthread_incr(&word, 2), 5, "%s: qthread_incr", what);
	is_int(qthread_cas(&word, 7, 8), 7, "%s: qthread_cas", what);
}

static void syncvars(const char *what)
{
	syncvar_t v = SYNCVAR_STATIC_EMPTY_INITIALIZER;
	uint64_t got = 0, six = 6;

	is_int(qthread_syncvar_status(&v), 0, "%s: qthread_syncvar_status", what);
	qthread_syncvar_writeEF_const(&v, 5);
	ok(qthread_syncvar_readFE(&got, &v) == QTHREAD_SUCCESS && got == 5, "%s: qthread_syncvar_readFE", what);
	qthread_syncvar_writeEF(&v, &six);
	qthread_syncvar_writeF_const(&v, 7);
	ok(qthread_syncvar_readFF(&got, &v) == QTHREAD_SUCCESS && got == 7, "%s: qthread_syncvar_readFF", what);
	qthread_syncvar_writeF(&v, &six);
	qthread_syncvar_empty(&v);
	qthread_syncvar_fill(&v);
	is_int(qthread_syncvar_incrF(&v, 1), 7, "%s: qthread_syncvar_incrF", what);
}

static void run(const char *what)
{
	threads(what);
	meetings(what);
	loops(what);
	dictionary(what);
	words(what);
	syncvars(what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN);
	every_runtime(run);
	return done();
}
