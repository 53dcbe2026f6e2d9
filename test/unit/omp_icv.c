/* test/unit/omp_icv.c -- sets of control variables: equal ones are one.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/env/icv.h"

#include "base/atomic.h"
#include "fault.h"
#include "tap.h"

#include <pthread.h>
#include <string.h>

enum { VALUES = 3000, THREADS = 4 };

static const struct qomp_icv some = {
	.nthreads = 4, .thread_limit = 100, .schedule = QOMP_GUIDED, .max_active_levels = 3, .chunk = 5, .allocator = 1,
};

static void each_variable_counts(void)
{
	struct qomp_icv v[12];

	for (unsigned i = 0; i < 12; i++)
		v[i] = some;
	v[1].nthreads++;
	v[2].thread_limit++;
	v[3].schedule = QOMP_STATIC;
	v[4].monotonic = true;
	v[5].dynamic = true;
	v[6].max_active_levels++;
	v[7].bind = QOMP_BIND_CLOSE;
	v[8].default_device++;
	v[9].chunk++;
	v[10].allocator++;
	v[11].inner = qomp_sizes_of((const int32_t[]){ 7, 5 }, 2);
	for (unsigned i = 0; i < 12; i++) {
		const struct qomp_icv *set = qomp_icv_of(&v[i]);
		bool alone = set != &v[i] && memcmp(set, &v[i], sizeof(v[i])) == 0;

		for (unsigned j = 0; j < i; j++)
			alone = alone && set != qomp_icv_of(&v[j]);
		ok(alone && set == qomp_icv_of(&v[i]), "icv_of: set %u is a copy that is found again, and no other", i);
	}
}

/* A struct's unused bytes are no values. */
static void padding_does_not_count(void)
{
	struct qomp_icv a, b;

	memset(&a, 0, sizeof(a));
	memset(&b, 0xff, sizeof(b));
	a.nthreads = b.nthreads = some.nthreads;
	a.thread_limit = b.thread_limit = some.thread_limit;
	a.schedule = b.schedule = some.schedule;
	a.monotonic = b.monotonic = some.monotonic;
	a.dynamic = b.dynamic = some.dynamic;
	a.max_active_levels = b.max_active_levels = some.max_active_levels;
	a.bind = b.bind = some.bind;
	a.default_device = b.default_device = some.default_device;
	a.chunk = b.chunk = some.chunk;
	a.allocator = b.allocator = some.allocator;
	a.inner = b.inner = some.inner;
	ok(qomp_sizes_of((const int32_t[]){ 7, 5 }, 2)->rest == qomp_sizes_of((const int32_t[]){ 5 }, 1),
	   "sizes_of: equal lists are one");
	ok(qomp_icv_of(&a) == qomp_icv_of(&b), "icv_of: unused bytes do not matter");
}

static const struct qomp_icv *found[THREADS][VALUES];
static uint32_t here;

static void *intern_all(void *arg)
{
	unsigned me = (unsigned)(uintptr_t)arg;

	add_sc(&here, 1);
	while (load_acq(&here) < THREADS)
		sched_yield();
	for (unsigned i = 0; i < VALUES; i++) {
		struct qomp_icv v = some;

		v.chunk = 1000 + i;
		found[me][i] = qomp_icv_of(&v);
	}
	return NULL;
}

static void threads_agree(void)
{
	pthread_t thread[THREADS];
	unsigned bad = 0;

	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, intern_all, (void *)i);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (unsigned i = 0; i < VALUES; i++)
		for (unsigned t = 0; t < THREADS; t++)
			bad += !found[t][i] || found[t][i] != found[0][i] || found[t][i]->chunk != 1000 + i;
	is_int(bad, 0, "icv_of: %u threads that add the same %u sets at the same time get the same", THREADS, VALUES);
}

static void memory_runs_out(void)
{
	struct qomp_icv v = some;

	v.nthreads = 77;
	fault_after(0);
	ok(qomp_icv_of(&v) == NULL, "icv_of: NULL when out of memory");
	ok(qomp_icv_of(&some) != NULL, "icv_of: but not for a set that there is");
	fault_end();
	const struct qomp_icv *set = qomp_icv_of(&v);
	ok(set && set->nthreads == 77, "icv_of: nothing is amiss afterwards");
}

static void lists_by_level(void)
{
	const struct qomp_icv *outer = qomp_icv_of(&some), *in;

	ok(qomp_icv_inside(outer, 1, 0) == outer, "icv_inside: without lists all is inherited");
	qomp_settings.nthreads = (struct qomp_levels){ 3, { 8, 6, 2 } };
	qomp_settings.bind = (struct qomp_levels){ 2, { QOMP_BIND_SPREAD, QOMP_BIND_CLOSE } };
	in = qomp_icv_inside(outer, 1, 0);
	ok(in->nthreads == 6 && in->bind == QOMP_BIND_CLOSE && in->chunk == 5, "icv_inside: one region around");
	ok(qomp_icv_inside(outer, 1, 0) == in, "icv_inside: always the same set");
	in = qomp_icv_inside(in, 2, 0);
	ok(in->nthreads == 2 && in->bind == QOMP_BIND_CLOSE, "icv_inside: two; the shorter list's last value stays");
	ok(qomp_icv_inside(in, 3, 0) == in, "icv_inside: no list is that long");
	qomp_settings.nthreads.value[1] = 1234;
	fault_after(0);
	ok(qomp_icv_inside(outer, 1, 0) == outer, "icv_inside: the outer set when out of memory");
	fault_end();
}

static void bound_by_clause(void)
{
	struct qomp_icv v = some;

	qomp_settings.nthreads.n = qomp_settings.bind.n = 0;
	const struct qomp_icv *unbound = qomp_icv_of(&v);
	ok(qomp_icv_inside(unbound, 1, QOMP_BIND_CLOSE) == unbound, "icv_inside: a clause binds nobody who is not bound");
	v.bind = QOMP_BIND_TRUE;
	const struct qomp_icv *outer = qomp_icv_of(&v), *in = qomp_icv_inside(outer, 1, QOMP_BIND_SPREAD);
	ok(in->bind == QOMP_BIND_SPREAD && in->nthreads == 4, "icv_inside: the clause is what regions inside inherit");
	ok(qomp_icv_inside(in, 2, 0) == in, "icv_inside: and those inside these");
	qomp_settings.bind = (struct qomp_levels){ 2, { QOMP_BIND_TRUE, QOMP_BIND_PRIMARY } };
	ok(qomp_icv_inside(outer, 1, QOMP_BIND_SPREAD)->bind == QOMP_BIND_PRIMARY, "icv_inside: a list counts for more");
}

int main(void)
{
	qti_mem_fault = fault;
	plan(28);
	each_variable_counts();
	padding_does_not_count();
	threads_agree();
	memory_runs_out();
	lists_by_level();
	bound_by_clause();
	return done();
}
