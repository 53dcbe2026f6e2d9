/* omp/abi/xomp_outlined.c -- XOMP for Fortran: regions and tasks, whose subroutines take one address for each variable.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "libxomp.h"

#include "omp/abi/outlined.h"
#include "omp/abi/xomp_fortran.h"
#include "omp/env/text.h"
#include "omp/task/task.h"

#include <stdarg.h>
#include <string.h>

enum { MOST = 256 };    /* variables of a region, or of a task */

static unsigned count_checked(const char *caller, int n)
{
	if (n < 0 || n > MOST)
		qomp_fatal("%s: %d variables; at most %d are supported", caller, n, MOST);
	return (unsigned)n;
}

/* --- regions --------------------------------------------------------------------------------------------- */

struct region {
	void (*func)(void);
	void **arg;
	unsigned n;
};

static void run_region(void *data)
{
	const struct region *r = data;

	qomp_outlined_call(r->func, r->arg, r->n);
}

void xomp_parallel_start_(void (*func)(void), const int *if_clause, const int *threads, const int *count, ...)
{
	void *arg[MOST];
	struct region r = { .func = func, .arg = arg, .n = count_checked(__func__, *count) };
	va_list ap;

	va_start(ap, count);
	for (unsigned i = 0; i < r.n; i++)
		arg[i] = va_arg(ap, void *);
	va_end(ap);
	XOMP_parallel_start(run_region, &r, *if_clause != 0, *threads > 0 ? (unsigned)*threads : 0, NULL, 0);
}

void xomp_parallel_end_(void)
{
	XOMP_parallel_end(NULL, 0);
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

struct parameter {
	bool by_value;
	size_t size;            /* of a value */
	void *variable;
};

struct request {
	void (*func)(void);
	unsigned n;
	struct parameter parameter[MOST];
};

/* A task's data: this, and behind it what it has by value. */
struct task {
	void (*func)(void);
	unsigned n;
	void *arg[];
};

static void run_task(void *data)
{
	struct task *t = data;

	qomp_outlined_call(t->func, t->arg, t->n);
}

static size_t size_padded(size_t size)
{
	return (size + QOMP_ARG_ALIGN - 1) & ~(size_t)(QOMP_ARG_ALIGN - 1);
}

static size_t size_before_values(const struct request *r)
{
	return size_padded(sizeof(struct task) + r->n * sizeof(void *));
}

static size_t size_of_task(const struct request *r)
{
	size_t size = size_before_values(r);

	for (unsigned i = 0; i < r->n; i++)
		if (r->parameter[i].by_value)
			size += size_padded(r->parameter[i].size);
	return size;
}

static void make_task(void *to, void *from)
{
	struct task *t = to;
	const struct request *r = from;
	char *value = (char *)t + size_before_values(r);

	t->func = r->func;
	t->n = r->n;
	for (unsigned i = 0; i < r->n; i++) {
		const struct parameter *p = &r->parameter[i];
		t->arg[i] = p->variable;
		if (!p->by_value)
			continue;
		t->arg[i] = memcpy(value, p->variable, p->size);
		value += size_padded(p->size);
	}
}

/* The sizes that ROSE gives for the whole mean nothing, and there is no copying by functions of the program. */
void xomp_task_(void (*func)(void), const void *cpyfn, const int *arg_size, const int *arg_align, const int *if_clause,
                const int *untied, const int *count, ...)
{
	struct request r;
	va_list ap;

	(void)cpyfn, (void)arg_size, (void)arg_align;
	r.func = func;
	r.n = count_checked(__func__, *count / 3);
	va_start(ap, count);
	for (unsigned i = 0; i < r.n; i++) {
		struct parameter *p = &r.parameter[i];
		p->by_value = *va_arg(ap, const int *) != 0;
		p->size = (size_t)*va_arg(ap, const int *);
		p->variable = va_arg(ap, void *);
	}
	va_end(ap);
	XOMP_task(run_task, &r, make_task, (long)size_of_task(&r), QOMP_ARG_ALIGN, *if_clause != 0, *untied != 0);
}
