/* ds/units.c -- see ds/units.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Static maps: a set bit in `used` is an item in use.  Taking and giving back is one compare-and-swap on the bit's word
 * (acq_rel: who takes an item sees what its last owner did with it), so that the file is right at any time.
 *
 * Dynamic maps: a block is a unit with its bit in `heads` and the used units behind it that have none.  A stream's lock
 * guards the words of its range; a block that reaches into the next ranges takes their locks as well, always in
 * ascending order.  Taking sets the used bits first, giving back clears the head first: a process that is killed in
 * between leaves used units that belong to no block, or to the end of the one before.  The former are given back when
 * the file is loaded next, the latter with their block.
 */
#include "ds/units.h"

#include <string.h>

enum { WORD_BITS = 64 };

/* --- bits ------------------------------------------------------------------------------------------------ */

static inline bool bit_at(const uint64_t *map, uint64_t i)
{
	return map[i / WORD_BITS] >> i % WORD_BITS & 1;
}

enum look_for { SET, CLEAR, BLOCK_END };

static inline uint64_t bits_matching(const struct mapfile *f, enum look_for what, const uint64_t *map, uint64_t word)
{
	switch (what) {
	case SET:
		return map[word];
	case CLEAR:
		return ~map[word];
	default:
		return ~f->used[word] | f->heads[word];
	}
}

/* The first i from `from` on, below `to`, that matches; `to` if there is none. */
static inline uint64_t next_matching(const struct mapfile *f, enum look_for what, const uint64_t *map, uint64_t from,
	uint64_t to)
{
	for (uint64_t i = from; i < to; i = (i / WORD_BITS + 1) * WORD_BITS) {
		const uint64_t rest = bits_matching(f, what, map, i / WORD_BITS) >> i % WORD_BITS;
		if (rest) {
			const uint64_t found = i + (uint64_t)__builtin_ctzll(rest);
			return found < to ? found : to;
		}
	}
	return to;
}

static uint64_t next_set(const uint64_t *map, uint64_t from, uint64_t to)
{
	return next_matching(NULL, SET, map, from, to);
}

static uint64_t next_clear(const uint64_t *map, uint64_t from, uint64_t to)
{
	return next_matching(NULL, CLEAR, map, from, to);
}

/* Of the block that goes on at `from`: where it is free, or another begins. */
static uint64_t next_end(const struct mapfile *f, uint64_t from, uint64_t to)
{
	return next_matching(f, BLOCK_END, NULL, from, to);
}

static void set_bits(uint64_t *map, uint64_t from, uint64_t to, bool value)
{
	while (from < to) {
		const uint64_t shift = from % WORD_BITS;
		const uint64_t n = to - from < WORD_BITS - shift ? to - from : WORD_BITS - shift;
		const uint64_t bits = (n == WORD_BITS ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << shift;
		if (value)
			map[from / WORD_BITS] |= bits;
		else
			map[from / WORD_BITS] &= ~bits;
		from += n;
	}
}

static uint64_t count_clear(const uint64_t *map, uint64_t first, uint64_t end)
{
	uint64_t n = 0;

	for (uint64_t i = first; i < end; i++)
		n += (uint64_t)__builtin_popcountll(~map[i]);
	return n;
}

/* --- beginning ------------------------------------------------------------------------------------------- */

/* Pages of the two bit maps may be of different times: a head is used; a used unit without a block is free. */
static void make_good(struct mapfile *f)
{
	const uint64_t nunits = f->header->nunits;

	for (size_t i = 0; i < f->nwords; i++)
		f->used[i] |= f->heads[i];
	for (uint64_t at = 0; (at = next_set(f->used, at, nunits)) < nunits;) {
		const uint64_t run_end = next_clear(f->used, at, nunits);
		const uint64_t head = next_set(f->heads, at, run_end);
		set_bits(f->used, at, head, false);
		at = run_end;
	}
}

static inline uint64_t stream_bits(const struct units *u, uint64_t word)
{
	const uint64_t bits = word * WORD_BITS, nunits = u->file.header->nunits;

	return bits < nunits ? bits : nunits;
}

static unsigned stream_of(const struct units *u, uint64_t unit)
{
	unsigned low = 0, high = u->nstreams - 1;

	while (low < high) {
		const unsigned middle = (low + high + 1) / 2;
		if (u->stream[middle].first <= unit / WORD_BITS)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

void qti_units_begin(struct units *u, uint64_t streams)
{
	struct mapfile *f = &u->file;
	const uint64_t most = f->nwords < UNITS_STREAMS ? f->nwords : UNITS_STREAMS;

	qti_mapfile_begin(f);
	if (f->crashed && f->heads)
		make_good(f);
	u->nstreams = (unsigned)(streams == 0 ? 1 : streams < most ? streams : most);
	for (unsigned i = 0; i < u->nstreams; i++) {
		struct units_stream *s = &u->stream[i];
		memset(s, 0, sizeof(*s));
		s->first = f->nwords * i / u->nstreams;
		s->end = f->nwords * (i + 1) / u->nstreams;
		s->hint = f->heads ? s->first * WORD_BITS : s->first;
		s->nfree = count_clear(f->used, s->first, s->end);
	}
}

/* --- items ----------------------------------------------------------------------------------------------- */

static uint64_t take_in_word(uint64_t *word)
{
	uint64_t seen = load_rlx(word);

	while (~seen) {
		const unsigned bit = (unsigned)__builtin_ctzll(~seen);
		if (cas_acq_rel(word, &seen, seen | UINT64_C(1) << bit))
			return bit;
	}
	return UNITS_NONE;
}

static uint64_t take_in_stream(struct units *u, struct units_stream *s)
{
	const uint64_t n = s->end - s->first, start = load_rlx(&s->hint) - s->first;

	for (uint64_t i = 0; i < n; i++) {
		const uint64_t word = s->first + (start + i < n ? start + i : start + i - n);
		const uint64_t bit = take_in_word(&u->file.used[word]);
		if (bit == UNITS_NONE)
			continue;
		if (i != 0)
			store_rlx(&s->hint, word);
		sub_rlx(&s->nfree, 1);
		return word * WORD_BITS + bit;
	}
	return UNITS_NONE;
}

uint64_t qti_units_take_one(struct units *u, unsigned stream)
{
	uint64_t got = UNITS_NONE;

	for (unsigned i = 0; got == UNITS_NONE && i < u->nstreams; i++) {
		struct units_stream *s = &u->stream[(stream + i) % u->nstreams];
		if (load_rlx(&s->nfree) != 0)
			got = take_in_stream(u, s);
	}
	return got;
}

bool qti_units_give_one(struct units *u, uint64_t at)
{
	uint64_t *word = &u->file.used[at / WORD_BITS];
	const uint64_t bit = UINT64_C(1) << at % WORD_BITS;
	struct units_stream *s = &u->stream[stream_of(u, at)];
	uint64_t seen = load_rlx(word);

	do {
		if (!(seen & bit))
			return false;
	} while (!cas_acq_rel(word, &seen, seen & ~bit));
	add_rlx(&s->nfree, 1);
	if (load_rlx(&s->hint) != at / WORD_BITS)
		store_rlx(&s->hint, at / WORD_BITS);
	return true;
}

/* --- runs ------------------------------------------------------------------------------------------------ */

/* Under the locks of what it looks at. */
static uint64_t find_run(const struct units *u, uint64_t from, uint64_t to, uint64_t n)
{
	const uint64_t *used = u->file.used;

	while (from < to && to - from >= n) {
		const uint64_t start = next_clear(used, from, to);
		if (to - start < n)
			break;
		const uint64_t end = next_set(used, start, start + n);
		if (end == start + n)
			return start;
		from = end;
	}
	return UNITS_NONE;
}

/* Units of streams from `first` on change hands; their locks are held. */
static void note_free(struct units *u, unsigned first, uint64_t from, uint64_t to, bool is_free)
{
	for (unsigned i = first; from < to; i++) {
		struct units_stream *s = &u->stream[i];
		const uint64_t end = stream_bits(u, s->end) < to ? stream_bits(u, s->end) : to;
		store_rlx(&s->nfree, is_free ? s->nfree + (end - from) : s->nfree - (end - from));
		from = end;
	}
}

static void mark_taken(struct units *u, unsigned stream, uint64_t at, uint64_t n)
{
	set_bits(u->file.used, at, at + n, true);
	fence_compiler();       /* in this order in the file, whenever the process ends */
	set_bits(u->file.heads, at, at + 1, true);
	note_free(u, stream, at, at + n, false);
}

/* Next fit: on from the last one, and around.  Gaps are passed once a round, not at every call. */
static uint64_t run_in_stream(struct units *u, unsigned stream, uint64_t n)
{
	struct units_stream *s = &u->stream[stream];
	uint64_t at;

	qti_lock_take(&s->lock);
	at = find_run(u, s->hint, stream_bits(u, s->end), n);
	if (at == UNITS_NONE)
		at = find_run(u, s->first * WORD_BITS, stream_bits(u, s->end), n);
	if (at != UNITS_NONE) {
		mark_taken(u, stream, at, n);
		s->hint = at + n;
	}
	qti_lock_drop(&s->lock);
	return at;
}

void qti_units_take_all(struct units *u)
{
	for (unsigned i = 0; i < u->nstreams; i++)
		qti_lock_take(&u->stream[i].lock);
}

void qti_units_drop_all(struct units *u)
{
	for (unsigned i = 0; i < u->nstreams; i++)
		qti_lock_drop(&u->stream[i].lock);
}

/* Across the borders of streams. */
static uint64_t run_anywhere(struct units *u, uint64_t n)
{
	qti_units_take_all(u);
	const uint64_t at = find_run(u, 0, u->file.header->nunits, n);
	if (at != UNITS_NONE)
		mark_taken(u, stream_of(u, at), at, n);
	qti_units_drop_all(u);
	return at;
}

uint64_t qti_units_take_run(struct units *u, unsigned stream, uint64_t n)
{
	uint64_t got = UNITS_NONE, nfree = 0;

	for (unsigned i = 0; got == UNITS_NONE && i < u->nstreams; i++) {
		const unsigned at = (stream + i) % u->nstreams;
		const uint64_t here = load_rlx(&u->stream[at].nfree);
		nfree += here;
		if (here >= n)
			got = run_in_stream(u, at, n);
	}
	return got == UNITS_NONE && u->nstreams > 1 && nfree >= n ? run_anywhere(u, n) : got;
}

/* The block's end.  Its stream's lock is held; so are, afterwards, those of the streams up to *last. */
static uint64_t run_end(struct units *u, uint64_t at, unsigned *last)
{
	for (uint64_t from = at + 1;; ++*last) {
		const uint64_t border = stream_bits(u, u->stream[*last].end);
		const uint64_t end = next_end(&u->file, from, border);
		if (end < border || *last + 1 == u->nstreams)
			return end;
		qti_lock_take(&u->stream[*last + 1].lock);
		from = border;
	}
}

bool qti_units_give_run(struct units *u, uint64_t at)
{
	const unsigned first = stream_of(u, at);
	unsigned last = first;

	qti_lock_take(&u->stream[first].lock);
	const bool is_block = bit_at(u->file.heads, at);
	if (is_block) {
		const uint64_t end = run_end(u, at, &last);
		set_bits(u->file.heads, at, at + 1, false);
		fence_compiler();       /* as in mark_taken */
		set_bits(u->file.used, at, end, false);
		note_free(u, first, at, end, true);
		if (end == u->stream[first].hint)
			u->stream[first].hint = at;
	}
	for (unsigned i = first; i <= last; i++)
		qti_lock_drop(&u->stream[i].lock);
	return is_block;
}
