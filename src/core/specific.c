/* core/specific.c -- see core/specific.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A key is a number in the guise of a pointer: which of the QTI_KEYS places, and how often that has been given out.  It
 * is odd, so that the address of a key, which some programs pass in its stead, is never taken for one.
 *
 *   U1  make:  takes a free place (compare-and-swap, acquire), stores the destructor, then the state USED (release)
 *       ->  whoever finds the key valid (acquire) sees its destructor.
 *
 * An owner's values lie in one block, in the order of the places, as far as it has used them; each remembers for which
 * key it was set.  Only the owner touches its block.
 */
#include "core/specific.h"

#include "base/mem.h"
#include "core/worker.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

/* --- keys ------------------------------------------------------------------------------------------------ */

enum { FREE, TAKEN, USED, STATES = 4 }; /* of a place, in the lowest two bits; above them, how often it was made */

static struct place {
	uint64_t state;
	void (*destructor)(void *);
} places[QTI_KEYS];

static inline qthread_key_t key_of(unsigned place, uint64_t state)
{
	return (qthread_key_t)(uintptr_t)((state / STATES * QTI_KEYS + place) * 2 + 1);
}

static inline unsigned place_of(qthread_key_t key)
{
	return (unsigned)((uintptr_t)key / 2 % QTI_KEYS);
}

static inline uint64_t used_state(qthread_key_t key)
{
	return (uint64_t)(uintptr_t)key / 2 / QTI_KEYS * STATES + USED;
}

bool qti_key_valid(qthread_key_t key)
{
	return (uintptr_t)key % 2 == 1 && load_acq(&places[place_of(key)].state) == used_state(key);    /* U1 */
}

bool qti_key_make(qthread_key_t *key, void (*destructor)(void *))
{
	for (unsigned i = 0; i < QTI_KEYS; i++) {
		uint64_t seen = load_rlx(&places[i].state);

		if (seen % STATES != FREE || !cas_acq(&places[i].state, &seen, seen + TAKEN))
			continue;
		const uint64_t used = seen + STATES + USED;
		store_rlx(&places[i].destructor, destructor);
		store_rel(&places[i].state, used);                                              /* U1 */
		*key = key_of(i, used);
		return true;
	}
	return false;
}

bool qti_key_drop(qthread_key_t key)
{
	uint64_t seen = used_state(key);

	return (uintptr_t)key % 2 == 1 && cas_acq_rel(&places[place_of(key)].state, &seen, seen - USED + FREE);
}

/* --- values ---------------------------------------------------------------------------------------------- */

struct value {
	qthread_key_t key;
	void *value;
};

struct values {
	void *own;
	unsigned n;
	struct value at[];
};

/* An OS thread's; the main task's are worker 0's OS thread's, from a proxy as well. */
static __thread struct values *threads_own;
static struct values **mains_own;
static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool thread_end_known;

static void end_thread(void *unused)
{
	(void)unused;
	qti_specific_end();
}

static void know_thread_end(void)
{
	thread_end_known = pthread_key_create(&thread_end, end_thread) == 0;
}

/* NULL: an OS thread is the owner. */
static struct qti_task *owning_task(void)
{
	struct qti_task *t = qti_current();

	return t && t != qti_rt.main_task ? t : NULL;
}

void qti_specific_main(void)
{
	mains_own = &threads_own;
}

/* The main task, away from its OS thread. */
static bool main_is_away(void)
{
	return qti_proxied() && !owning_task();
}

/* Out of line: the address of a thread's variable must not be kept across a wait. */
static __attribute__((noinline)) struct values *values_now(void)
{
	struct qti_task *t = owning_task();

	if (!t)
		return main_is_away() ? *mains_own : threads_own;
	return qti_task_is(t, QTI_TASK_SPECIFIC) ? qti_task_more(t)->specific : NULL;
}

/* False if the thread's end would not be noticed. */
static __attribute__((noinline)) bool values_become(struct values *v)
{
	struct qti_task *t = owning_task();

	if (t) {
		qti_task_more(t)->specific = v;
		t->flags |= QTI_TASK_SPECIFIC;
		return true;
	}
	if (main_is_away()) {           /* qthread_finalize will see to them */
		*mains_own = v;
		return true;
	}
	pthread_once(&once, know_thread_end);
	if (!thread_end_known || pthread_setspecific(thread_end, v) != 0)
		return false;
	threads_own = v;
	return true;
}

/* With room for n values at least; NULL when out of memory. */
static struct values *values_with_room(unsigned n)
{
	struct values *old = values_now();
	unsigned room = 4;

	if (old && old->n >= n)
		return old;
	while (room < n)
		room *= 2;
	struct values *v = qti_mem_zalloc(sizeof(*v) + room * sizeof(v->at[0]));
	if (!v)
		return NULL;
	v->n = room;
	if (old) {
		v->own = old->own;
		memcpy(v->at, old->at, old->n * sizeof(v->at[0]));
	}
	if (!values_become(v)) {
		qti_mem_free(v);
		return NULL;
	}
	qti_mem_free(old);
	return v;
}

void *qti_specific_get(qthread_key_t key)
{
	const struct values *v = values_now();
	const unsigned i = place_of(key);

	return v && i < v->n && v->at[i].key == key && qti_key_valid(key) ? v->at[i].value : NULL;
}

int qti_specific_set(qthread_key_t key, void *value)
{
	const unsigned i = place_of(key);
	struct values *v = value ? values_with_room(i + 1) : values_now();

	if (v && i < v->n)
		v->at[i] = (struct value){ key, value };
	return v || !value ? QTHREAD_SUCCESS : QTHREAD_MALLOC_ERROR;
}

void *qti_specific_get_own(void)
{
	const struct values *v = values_now();

	return v ? v->own : NULL;
}

int qti_specific_set_own(void *value)
{
	struct values *v = value ? values_with_room(0) : values_now();

	if (v)
		v->own = value;
	return v || !value ? QTHREAD_SUCCESS : QTHREAD_MALLOC_ERROR;
}

/* --- the end --------------------------------------------------------------------------------------------- */

/* A destructor may set values, for which the block may move, and may go on on another worker.  True if one was
 * called. */
static bool destroy_value(unsigned i)
{
	struct value *x = &values_now()->at[i];
	void *value = x->value;

	if (!value)
		return false;
	x->value = NULL;
	if (!qti_key_valid(x->key))
		return false;
	void (*destructor)(void *) = load_rlx(&places[i].destructor);                           /* U1 */
	if (!destructor)
		return false;
	destructor(value);
	return true;
}

static bool destroy_round(void)
{
	bool again = false;

	for (unsigned i = 0; i < values_now()->n; i++)
		again |= destroy_value(i);
	return again;
}

enum { ROUNDS = 4 };

void qti_specific_end(void)
{
	struct values *v = values_now();

	if (!v)
		return;
	for (unsigned round = 0; round < ROUNDS && destroy_round(); round++)
		continue;
	v = values_now();
	struct qti_task *t = owning_task();
	if (t)
		t->flags &= ~(uint32_t)QTI_TASK_SPECIFIC;
	else
		(void)values_become(NULL);
	qti_mem_free(v);
}
