/* omp/work/marks.c -- see omp/work/marks.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/work/marks.h"

#include "base/mem.h"
#include "base/race.h"
#include "omp/team/address_wait.h"
#include "omp/team/told.h"

#include <string.h>

struct qomp_marks {
	unsigned n;
	uint32_t less;                  /* 1: the last of each dimension is not there */
	uint32_t *word;
	struct side {
		struct qomp_dim dim;
		uint64_t count;
	} side[];
};

enum { BITS = 32 };

static size_t head_size(unsigned n)
{
	return qti_mem_round(sizeof(struct qomp_marks) + n * sizeof(struct side), QTI_CACHE_LINE);
}

static uint64_t count_of(const struct qomp_dim *d)
{
	uint64_t distance =
		d->step < 0 ? (uint64_t)d->lower - (uint64_t)d->upper : (uint64_t)d->upper - (uint64_t)d->lower;

	return distance / (d->step < 0 ? -(uint64_t)d->step : (uint64_t)d->step) + 1;
}

/* By who comes first. */
static void make(struct qomp_share *s, unsigned n, const struct qomp_dim *dim)
{
	uint64_t all = 1;

	for (unsigned k = 0; k < n; k++)
		if (__builtin_mul_overflow(all, count_of(&dim[k]), &all))
			all = UINT64_MAX / 2;                           /* which nobody has */
	struct qomp_marks *m = qomp_share_memory(s, head_size(n) + all / BITS * sizeof(uint32_t) + sizeof(uint32_t));
	m->n = n;
	m->word = (uint32_t *)((char *)m + head_size(n));
	for (unsigned k = 0; k < n; k++)
		m->side[k] = (struct side){ dim[k], count_of(&dim[k]) };
}

/* The marks are there until all members have left their block of shares: which they have not while they are in the
 * loop, if that has a share in the same block. */
static struct qomp_share *open_share(struct qomp_frame *f, struct qomp_share_place *p)
{
	struct qomp_share *s;

	do {
		s = qomp_share_open(&f->team->shares, p, f->team->n);
	} while (p->unmet == 0);
	return s;
}

void qomp_marks_open(struct qomp_frame *f, unsigned n, const struct qomp_dim *dim)
{
	struct qomp_share_place *p = qomp_share_place_of(f);

	p->marks = NULL;
	if (f->team->n == 1)
		return;
	struct qomp_share *s = open_share(f, p);
	if (qomp_share_first(s)) {
		make(s, n, dim);
		qomp_share_set(s);
	}
	qomp_share_close(p);
	p->marks = s->memory;
	p->taking = QOMP_TAKE_MARKED;
}

/* The first dimensions may be one loop to the runtime. */
static bool fits(const struct qomp_marks *m, uint64_t count, uint64_t less)
{
	uint64_t product = 1;

	for (unsigned k = 0; k < m->n; k++) {
		product *= m->side[k].count - less;
		if (product == count)
			return true;
	}
	return false;
}

void qomp_marks_count(struct qomp_share_place *p, uint64_t count)
{
	struct qomp_marks *m = p->marks;

	if (!fits(m, count, 0) && fits(m, count, 1))
		store_rlx(&m->less, 1);
	p->taking = QOMP_TAKE_NOTHING;
}

/* False: outside of the loop. */
static bool number_of(const struct qomp_marks *m, const int64_t *at, uint64_t *number)
{
	uint32_t less = load_rlx(&m->less);

	*number = 0;
	for (unsigned k = 0; k < m->n; k++) {
		const struct side *s = &m->side[k];
		int64_t step = s->dim.step, off = (int64_t)((uint64_t)at[k] - (uint64_t)s->dim.lower);
		if ((step < 0 ? off > 0 : off < 0) || (uint64_t)(off / step) >= s->count - less)
			return false;
		*number = *number * s->count + (uint64_t)(off / step);
	}
	return true;
}

static __attribute__((noinline, cold)) void marks_tell(const struct qomp_share_place *p, ompt_dependence_type_t type,
                                                       const int64_t *at)
{
	if (p->marks)
		qomp_tell_doacross(qomp_told_of(qomp_frame()), type, (const uint64_t *)at, p->marks->n);
}

void qomp_marks_post(struct qomp_share_place *p, const int64_t *at)
{
	uint64_t i;

	if (qomp_tool_here())
		marks_tell(p, ompt_dependence_type_source, at);
	if (!p->marks || !number_of(p->marks, at, &i))
		return;
	qti_race_release((char *)p->marks + i);
	or_acq_rel(&p->marks->word[i / BITS], UINT32_C(1) << i % BITS);
	qomp_address_wake(&p->marks->word[i / BITS], UINT_MAX);
}

void qomp_marks_wait(struct qomp_share_place *p, const int64_t *at)
{
	uint64_t i;
	uint32_t seen;

	if (qomp_tool_here())
		marks_tell(p, ompt_dependence_type_sink, at);
	if (!p->marks || !number_of(p->marks, at, &i))
		return;
	while (!((seen = load_acq(&p->marks->word[i / BITS])) >> i % BITS & 1))
		qomp_address_wait(&p->marks->word[i / BITS], seen);
	qti_race_acquire((char *)p->marks + i);
}
