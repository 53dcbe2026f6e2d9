/* omp/team/parts.c -- see omp/team/parts.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/parts.h"

#include "base/least.h"

static uint64_t part_word(uint32_t first, uint32_t end)
{
	return (uint64_t)end << 32 | first;
}

static bool part_is_empty(uint64_t word)
{
	return qomp_part_first(word) >= qomp_part_end(word);
}

/* A member's in the beginning; the first ones have one chunk more if it does not come out even. */
static uint64_t part_whole(const struct qomp_parts_loop *l, unsigned num)
{
	uint32_t each = (l->chunks - 1) / l->n, over = (l->chunks - 1) % l->n;
	uint32_t first = 1 + num * each + qti_least(num, over);

	return part_word(first, first + each + (num < over));
}

static uint64_t *part_of(const struct qomp_parts_loop *l, unsigned num)
{
	return l->own + ((ptrdiff_t)num - (ptrdiff_t)l->num) * QOMP_PARTS_LOOPS;
}

void qomp_parts_enter(const struct qomp_parts_loop *l)
{
	uint64_t seen = 0;

	(void)cas_rlx(l->own, &seen, part_whole(l, l->num));    /* or it has been robbed: what is left is there */
}

static bool part_rob(const struct qomp_parts_loop *l, unsigned victim, uint32_t *chunk)
{
	uint64_t *word = part_of(l, victim), seen = load_rlx(word), part;
	uint32_t first, end, middle;

	do {
		part = seen ? seen : part_whole(l, victim);
		if (part_is_empty(part))
			return false;
		first = qomp_part_first(part);
		end = qomp_part_end(part);
		middle = first + (end - first) / 2;
	} while (!cas_rlx(word, &seen, part_word(first, middle)));                              /* PT1 */
	store_rlx(l->own, part_word(middle + 1, end));
	*chunk = middle;
	return true;
}

bool qomp_parts_take(const struct qomp_parts_loop *l, uint32_t *chunk)
{
	if (!part_is_empty(load_rlx(l->own)) && qomp_part_take(l->own, chunk))
		return true;
	for (unsigned victim = l->num + 1; victim < l->n; victim++)
		if (part_rob(l, victim, chunk))
			return true;
	for (unsigned victim = 0; victim < l->num; victim++)
		if (part_rob(l, victim, chunk))
			return true;
	*chunk = l->chunks;
	return load_rlx(l->last) == 0 && add_rlx(l->last, 1) == 0;                              /* PT1 */
}
