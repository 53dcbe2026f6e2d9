/* omp/work/single.c -- see omp/work/single.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/work/single.h"

#include "omp/team/address_wait.h"
#include "omp/team/team.h"
#include "omp/team/told.h"
#include "omp/team/wait_loop.h"

bool qomp_single(struct qomp_frame *f)
{
	struct qomp_shares *all = &f->team->shares;
	uint32_t number = qomp_member(f)->share.singles++;

	if (f->team->n == 1)
		return true;
	return cas_acq(&all->singles, &number, number + 1);                                     /* SG1 */
}

bool qomp_single_told(struct qomp_frame *f)
{
	bool mine = qomp_single(f);

	if (qomp_is_told(f))
		qomp_tell_single(qomp_told_of(f), mine);
	return mine;
}

static bool is_copied(struct qomp_shares *all, uint32_t number, uint32_t *seen)
{
	*seen = load_acq(&all->copied);                                                         /* SG2 */
	return (*seen & ~UINT32_C(1)) == number * 2;
}

static bool copied_soon(struct qomp_frame *f, uint32_t number)
{
	struct qomp_wait_loop v = qomp_wait_loop_begin(f);
	uint32_t seen;

	while (!is_copied(&f->team->shares, number, &seen))
		if (qomp_wait_loop_over(&v))
			return false;
	qomp_wait_loop_end(&v);
	return true;
}

static void wait_copied(struct qomp_frame *f, uint32_t number)
{
	struct qomp_shares *all = &f->team->shares;
	uint32_t seen;

	if (copied_soon(f, number))
		return;
	while (!is_copied(all, number, &seen))
		if ((seen & 1) || cas_acq_rel(&all->copied, &seen, seen | 1))
			qomp_address_wait(&all->copied, seen | 1);
}

static inline __attribute__((always_inline)) void *single_copy(struct qomp_frame *f, bool watched)
{
	struct qomp_shares *all = &f->team->shares;
	uint32_t number = ++qomp_member(f)->share.copies;

	if (watched ? qomp_single_told(f) : qomp_single(f))
		return NULL;
	wait_copied(f, number);
	if (watched)
		qti_race_acquire(all);
	return all->copies;
}

static __attribute__((noinline)) void *single_copy_watched(struct qomp_frame *f)
{
	return single_copy(f, true);
}

void *qomp_single_copy(struct qomp_frame *f)
{
	return qti_unlikely(f->flags & QOMP_TRACED) ? single_copy_watched(f) : single_copy(f, false);
}

static inline __attribute__((always_inline)) void single_copied(struct qomp_frame *f, void *data, bool watched)
{
	struct qomp_shares *all = &f->team->shares;

	all->copies = data;
	if (watched)
		qti_race_release(all);
	if (swap_acq_rel(&all->copied, qomp_member(f)->share.copies * 2) & 1)                   /* SG2 */
		qomp_address_wake(&all->copied, UINT_MAX);
}

static __attribute__((noinline)) void single_copied_watched(struct qomp_frame *f, void *data)
{
	single_copied(f, data, true);
}

void qomp_single_copied(struct qomp_frame *f, void *data)
{
	if (qti_unlikely(f->flags & QOMP_TRACED))
		single_copied_watched(f, data);
	else
		single_copied(f, data, false);
}

void *qomp_single_share(struct qomp_frame *f, void *data)
{
	uint32_t number = ++qomp_member(f)->share.copies;

	if (data)
		qomp_single_copied(f, data);
	else if (f->team->n > 1)
		wait_copied(f, number);
	qti_race_acquire(&f->team->shares);
	return f->team->shares.copies;
}
