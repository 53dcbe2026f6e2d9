/* omp/abi/kmpc_depend.c -- dependences of tasks, as clang passes them: translated to what GCC's code says.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_record.h"

#include "omp/abi/device.h"
#include "omp/task/depend.h"
#include "omp/task/request.h"

enum {
	DEPEND_IN = 1, DEPEND_OUT = 2, DEPEND_INOUT = 3, DEPEND_MUTEX = 4, DEPEND_INOUTSET = 8, DEPEND_ALL = 0x80,
	PAIR_INOUTSET = 5,              /* omp/task/depend.c: a pair's kind */
};

/* Both lists of a call. */
struct lists {
	const struct kmpc_depend *list, *noalias;
	size_t n, n_noalias;
};

/* The clauses' words: a header of 5, then addresses by kind, then pairs. */
enum { HEADER = 5 };

static size_t words_of(const struct lists *l)
{
	return HEADER + l->n + l->n_noalias;
}

static const struct kmpc_depend *list_item(const struct lists *l, size_t i)
{
	return i < l->n ? &l->list[i] : &l->noalias[i - l->n];
}

static unsigned kind_of(const struct kmpc_depend *d)
{
	if (d->flags & DEPEND_ALL)
		return DEPEND_OUT;
	if (d->flags & DEPEND_OUT)
		return DEPEND_OUT;
	return d->flags & (DEPEND_MUTEX | DEPEND_INOUTSET) ? d->flags & (DEPEND_MUTEX | DEPEND_INOUTSET) : DEPEND_IN;
}

/* NULL is what all of memory is called; nothing lies at 1 either. */
static void *address_of(const struct kmpc_depend *d)
{
	return d->flags & DEPEND_ALL ? NULL : d->base ? (void *)d->base : (void *)1;
}

/* Returns how many there were. */
static size_t add_kind(void **depend, size_t at, const struct lists *l, unsigned kind, struct qomp_depend_object *pair)
{
	size_t first = at;

	for (size_t i = 0; i < l->n + l->n_noalias; i++) {
		const struct kmpc_depend *d = list_item(l, i);
		if (kind_of(d) != kind)
			continue;
		depend[at] = address_of(d);
		if (pair) {
			pair[at - first] = (struct qomp_depend_object){ depend[at], PAIR_INOUTSET };
			depend[at] = &pair[at - first];
		}
		at++;
	}
	return at - first;
}

static void translate(void **depend, struct qomp_depend_object *pair, const struct lists *l)
{
	size_t n = l->n + l->n_noalias;
	size_t writers = add_kind(depend, HEADER, l, DEPEND_OUT, NULL);
	size_t mutexes = add_kind(depend, HEADER + writers, l, DEPEND_MUTEX, NULL);
	size_t readers = add_kind(depend, HEADER + writers + mutexes, l, DEPEND_IN, NULL);

	add_kind(depend, HEADER + writers + mutexes + readers, l, DEPEND_INOUTSET, pair);
	depend[0] = NULL;
	depend[1] = (void *)n;
	depend[2] = (void *)writers;
	depend[3] = (void *)mutexes;
	depend[4] = (void *)readers;
}

static struct lists lists_of(
	int32_t n, const struct kmpc_depend *list, int32_t n_noalias, const struct kmpc_depend *noalias)
{
	return (struct lists){ list, noalias, n > 0 ? (size_t)n : 0, n_noalias > 0 ? (size_t)n_noalias : 0 };
}

/* use(f or t, clauses): they are on the stack, unless there are very many. */

enum { FEW = 256 };

static void with_clauses(const struct lists *l, void (*use)(void *arg, void **depend), void *arg)
{
	size_t n = l->n + l->n_noalias;

	if (n == 0) {
		use(arg, NULL);
	} else if (n <= FEW) {
		void *depend[HEADER + n];
		struct qomp_depend_object pair[n];
		translate(depend, pair, l);
		use(arg, depend);
	} else {
		struct qomp_depend_object *pair = qti_mem_alloc(n * sizeof(*pair) + words_of(l) * sizeof(void *));
		if (!pair)
			qomp_fatal("out of memory for %zu dependences of an OpenMP task", n);
		void **depend = (void **)(pair + n);
		translate(depend, pair, l);
		use(arg, depend);
		qti_mem_free(pair);
	}
}

static void submit(void *t, void **depend)
{
	qomp_task_submit_known(t, depend);
}

static void wait_for(void *f, void **depend)
{
	if (depend)
		qomp_depend_wait(f, depend);
}

static void join(void *f, void **depend)
{
	if (depend)
		qomp_depend_join(f, depend);
}

/* Where tasks of this creator end before it goes on, and all have ended, nothing is to be waited for; nor will t be. */
static bool depends_on_none(struct qomp_task *t)
{
	const struct qomp_frame *creator = t->frame.parent;

	if (creator->created != creator->finished || creator->flags & QOMP_TRACED ||
	    kmpc_head(t)->flags & (KMPC_TASK_PRIORITY | KMPC_TASK_DETACHABLE | KMPC_TASK_PROXY))
		return false;
	return creator->flags & QOMP_FINAL || qomp_frame_runs_alone(creator);
}

int32_t __kmpc_omp_task_with_deps(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task, int32_t n,
                                  struct kmpc_depend *list, int32_t n_noalias, struct kmpc_depend *noalias)
{
	qomp_tool_called();
	struct lists l = lists_of(n, list, n_noalias, noalias);
	struct qomp_task *t = kmpc_record(task);

	if (l.n + l.n_noalias == 0 || qomp_frame_now() == &t->frame)
		return __kmpc_omp_task(loc, thread, task);
	if (depends_on_none(t)) {
		qomp_task_run(t);
		return 0;
	}
	if (kmpc_head(t)->flags & KMPC_TASK_PRIORITY)
		qomp_task_set_priority(t, task->priority);
	with_clauses(&l, submit, t);
	return 0;
}

void __kmpc_omp_wait_deps(struct kmpc_ident *loc, int32_t thread, int32_t n, struct kmpc_depend *list,
	int32_t n_noalias, struct kmpc_depend *noalias)
{
	__kmpc_omp_taskwait_deps_51(loc, thread, n, list, n_noalias, noalias, 0);
}

/* nowait: later tasks wait for those, as if an empty one had. */
void __kmpc_omp_taskwait_deps_51(struct kmpc_ident *loc, int32_t thread, int32_t n, struct kmpc_depend *list,
                                 int32_t n_noalias, struct kmpc_depend *noalias, int32_t nowait)
{
	struct lists l = lists_of(n, list, n_noalias, noalias);

	(void)loc, (void)thread;
	with_clauses(&l, nowait ? join : wait_for, qomp_frame());
}
