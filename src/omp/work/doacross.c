/* omp/work/doacross.c -- see omp/work/doacross.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/work/doacross.h"

#include "base/mem.h"
#include "base/race.h"
#include "base/tuning.h"
#include "omp/env/icv.h"
#include "omp/work/range.h"

#include <string.h>

enum { A_LINE = QTI_CACHE_LINE / sizeof(struct qomp_counter) };

/* --- making ---------------------------------------------------------------------------------------------- */

/* Iterations of the outermost loop that one member runs in order, whichever it is.  Pieces of guided loops, and
 * of those that are left to the library, begin anywhere. */
static uint64_t unit_of(const struct qomp_share *s)
{
	switch (s->schedule) {
	case QOMP_GUIDED:
	case QOMP_AUTO:
		return 1;
	case QOMP_DYNAMIC:
		return s->chunk ? s->chunk : 1;
	case QOMP_STATIC:
		return s->chunk;
	default:
		return 0;
	}
}

static uint64_t doacross_counters(const struct qomp_share *s, const struct qomp_range *r, unsigned n)
{
	uint64_t unit = unit_of(s);

	return unit ? qomp_iterations(r->count, unit) : n;
}

static unsigned spacing_of(uint64_t n)
{
	return n <= TUNE_COUNTERS_APART ? A_LINE : 1;
}

static size_t head_size(unsigned dims)
{
	return qti_mem_round(sizeof(struct qomp_doacross) + dims * sizeof(uint64_t), QTI_CACHE_LINE);
}

size_t qomp_doacross_size(const struct qomp_share *s, const struct qomp_range *r, unsigned n, unsigned dims)
{
	uint64_t places = doacross_counters(s, r, n);

	places *= spacing_of(places);
	if (places > SIZE_MAX / 2 / sizeof(struct qomp_counter))
		places = SIZE_MAX / 2 / sizeof(struct qomp_counter);    /* which nobody has */
	return head_size(dims) + places * sizeof(struct qomp_counter);
}

struct qomp_doacross *qomp_doacross_make(void *place, const struct qomp_share *s, const struct qomp_range *r,
	unsigned n, unsigned dims, const uint64_t *counts)
{
	struct qomp_doacross *d = place;

	d->unit = unit_of(s);
	d->each = r->count / n;
	d->over = r->count % n;
	d->dims = dims;
	d->spacing = spacing_of(doacross_counters(s, r, n));
	d->counter = (struct qomp_counter *)((char *)place + head_size(dims));
	d->inner = 1;
	memcpy(d->count, counts + 1, (d->dims - 1) * sizeof(uint64_t));
	for (unsigned k = 0; k + 1 < d->dims; k++)
		d->inner *= d->count[k];
	return d;
}

/* --- posting and waiting --------------------------------------------------------------------------------- */

/* Dividing is much faster where 32 bits will do. */
static uint64_t quotient(uint64_t a, uint64_t b, uint64_t *rest)
{
	if (((a | b) >> 32) == 0) {
		*rest = (uint32_t)a % (uint32_t)b;
		return (uint32_t)a / (uint32_t)b;
	}
	*rest = a % b;
	return a / b;
}

/* Which counter counts an iteration of the outermost loop; *before: how many of these it has counted before that. */
static uint64_t counter_of(const struct qomp_doacross *d, uint64_t outer, uint64_t *before)
{
	if (d->unit == 1) {
		*before = 0;
		return outer;
	}
	if (d->unit)
		return quotient(outer, d->unit, before);

	uint64_t larger = d->over * (d->each + 1);
	if (outer < larger)
		return quotient(outer, d->each + 1, before);
	return d->over + quotient(outer - larger, d->each, before);
}

void qomp_doacross_post(struct qomp_share_place *p, uint64_t outer, uint64_t inside)
{
	const struct qomp_doacross *d = p->doacross;
	uint64_t before;

	if (p->n == 1)
		return;
	struct qomp_counter *c = &d->counter[counter_of(d, outer, &before) * d->spacing];
	qti_race_release(c);
	qomp_gate_raise(&c->gate, &c->value, before * d->inner + inside + 1);
}

/* What is in the member's own piece has run before, and in a team of one everything. */
void qomp_doacross_wait(struct qomp_share_place *p, uint64_t outer, uint64_t inside)
{
	const struct qomp_doacross *d = p->doacross;
	uint64_t before, enough;

	if (p->n == 1 || outer - p->mine < p->mine_end - p->mine)
		return;
	struct qomp_counter *c = &d->counter[counter_of(d, outer, &before) * d->spacing];
	enough = before * d->inner + inside + 1;
	if (load_acq(&c->value) < enough)
		qomp_gate_await(&c->gate, &c->value, enough);
	qti_race_acquire(c);
}
