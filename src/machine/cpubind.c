/* machine/cpubind.c -- see machine/cpubind.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/cpubind.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <stdlib.h>

static const char not_lists[] = "not lists of CPUs";

/* The number at *text, which moves behind it.  False: there is none, or no machine has that CPU. */
static bool cpu_read(const char **text, unsigned *cpu)
{
	char *end;

	if (!qti_ascii_is_digit(**text))
		return false;
	const unsigned long n = strtoul(*text, &end, 10);
	*text = end;
	*cpu = (unsigned)n;
	return n < QTI_CPUS_MAX;
}

/* The index of that CPU; t->npus if it is not there. */
static unsigned pu_of(const struct qti_topo *t, unsigned cpu)
{
	unsigned i = 0;

	while (i < t->npus && t->pu[i].os != cpu)
		i++;
	return i;
}

static const char *range_add(struct qti_cpubind *b, const struct qti_topo *t, unsigned first, unsigned last, unsigned most)
{
	for (unsigned cpu = first; cpu <= last; cpu++) {
		const unsigned pu = pu_of(t, cpu);

		if (pu == t->npus)
			return "a CPU that the process may not use";
		if (b->n == most)
			return "too many CPUs";
		b->pu[b->n++] = pu;
	}
	return NULL;
}

static const char *lists_read(struct qti_cpubind *b, const char *text, const struct qti_topo *t, unsigned most)
{
	for (;; text++) {
		unsigned first, last;

		if (!cpu_read(&text, &first))
			return not_lists;
		last = first;
		if (*text == '-') {
			text++;
			if (!cpu_read(&text, &last) || last < first)
				return not_lists;
		}
		const char *wrong = range_add(b, t, first, last, most);
		if (wrong)
			return wrong;
		if (*text == ':' || *text == '\0')
			b->begin[++b->nlists] = b->n;
		if (*text == '\0')
			return NULL;
		if (*text != ':' && *text != ',')
			return not_lists;
	}
}

const char *qti_cpubind_read(struct qti_cpubind *b, const char *text, const struct qti_topo *t, unsigned most)
{
	unsigned *block = qti_mem_zalloc((2 * (size_t)most + 1) * sizeof(*block));

	if (!block)
		return "no memory";
	*b = (struct qti_cpubind){ .pu = block, .begin = block + most };
	const char *wrong = lists_read(b, text, t, most);
	if (wrong)
		qti_cpubind_free(b);
	return wrong;
}

void qti_cpubind_free(struct qti_cpubind *b)
{
	qti_mem_free(b->pu);
	*b = (struct qti_cpubind){ 0 };
}
