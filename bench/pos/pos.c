/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "pos/pos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pos/hash.h"

enum {
	DIGEST = 28,
	WORDS = 4,    /* of a puzzle */
	SEGMENT = 16, /* puzzles */
};

struct puzzle {
	uint8_t digest[DIGEST];
	uint32_t number;
};

/* What is in a bucket, whatever the order. */
struct contents {
	unsigned long n;
	uint64_t sum[WORDS];
};

/* Segments that have been handed out; atomic. */
struct bucket {
	unsigned long taken;
} __attribute__((aligned(64)));

/* Threads fill segments of their own: were every puzzle to get its place from the bucket, they would do nothing but
 * pass cache lines to each other.  What remains of a thread's last segment stays zero. */
struct segment {
	struct puzzle *next, *end;
};
struct segments {
	struct segments *next;
	struct segment of[]; /* each bucket */
};

static unsigned long npuzzles, batch = 1;
static unsigned bits;          /* of the digest that name a bucket */
static unsigned long capacity; /* of each, in segments */
static struct puzzle *puzzles; /* capacity segments for each bucket */
static struct bucket *buckets;
static struct segments *everybodys; /* atomic */
static __thread struct segments *mine;
static struct contents *known;
static bool is_known;

static unsigned bucket_of(const struct puzzle *p)
{
	return (unsigned)((p->digest[0] << 16 | p->digest[1] << 8 | p->digest[2]) >> (24 - bits));
}

static void make(struct puzzle *p, uint32_t number)
{
	pos_hash(&number, sizeof(number), p->digest, DIGEST);
	p->number = number;
}

unsigned long pos_batches(void)
{
	return (npuzzles + batch - 1) / batch;
}

static struct segments *my_segments(void)
{
	if (!mine) {
		mine = bench_room("pos", 1, sizeof(*mine) + (sizeof(mine->of[0]) << bits));
		mine->next = __atomic_load_n(&everybodys, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(
			&everybodys, &mine->next, mine, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			;
	}
	return mine;
}

/* Relaxed: who takes a segment is alone with it. */
static void take_segment(struct segment *s, unsigned b)
{
	const unsigned long place = __atomic_fetch_add(&buckets[b].taken, 1, __ATOMIC_RELAXED);

	if (place >= capacity)
		bench_fail("pos", "WRONG RESULT: bucket %u is full", b);
	s->next = puzzles + (b * capacity + place) * SEGMENT;
	s->end = s->next + SEGMENT;
}

void pos_batch(unsigned long which)
{
	const unsigned long first = which * batch, end = npuzzles - first < batch ? npuzzles : first + batch;
	struct segments *const segments = my_segments();
	struct puzzle p;

	for (unsigned long i = first; i < end; i++) {
		make(&p, (uint32_t)i);
		const unsigned b = bucket_of(&p);
		struct segment *s = &segments->of[b];
		if (s->next == s->end)
			take_segment(s, b);
		*s->next++ = p;
	}
}

/* ---- The program */

/* A library that hashes otherwise would still agree with itself. */
static void try_hash(void)
{
	static const uint8_t right[] = { 0xaf, 0x13, 0x49, 0xb9, 0xf5, 0xf9, 0xa1, 0xa6 };
	uint8_t digest[sizeof(right)];

	pos_hash("", 0, digest, sizeof(digest));
	if (memcmp(digest, right, sizeof(right)) != 0)
		bench_fail("pos", "WRONG RESULT: the library's digest of nothing is not BLAKE3's");
}

static void setup(void)
{
	static const unsigned long sizes[BENCH_SIZES] = { 4096, 1 << 18, 1 << 22, 1 << 26 };

	try_hash();
	npuzzles = bench_by_size(npuzzles, sizes);
	for (bits = 4; bits < 20 && npuzzles >> bits > 4096;)
		bits++;
	known = bench_room("pos", (size_t)1 << bits, sizeof(*known));
}

/* Eight standard deviations: no sequence of numbers will fill a bucket.  And a segment begun for each thread. */
static void make_room(void)
{
	const double mean = (double)npuzzles / (double)(1u << bits);

	capacity = (unsigned long)(mean + 8 * sqrt(mean)) / SEGMENT + bench_runtime.workers() + 2;
	buckets = aligned_alloc(_Alignof(struct bucket), sizeof(*buckets) << bits);
	puzzles = bench_room("pos", (capacity * SEGMENT) << bits, sizeof(*puzzles));
	if (!buckets)
		bench_fail("pos", "out of memory for buckets");
}

static void before(void)
{
	if (!puzzles)
		make_room();
	else
		memset(puzzles, 0, (capacity * SEGMENT * sizeof(*puzzles)) << bits);
	memset(buckets, 0, sizeof(*buckets) << bits);
	for (struct segments *s = __atomic_load_n(&everybodys, __ATOMIC_ACQUIRE); s; s = s->next)
		memset(s->of, 0, sizeof(s->of[0]) << bits);
}

static void serial(void)
{
	for (unsigned long i = 0; i < pos_batches(); i++)
		pos_batch(i);
}

static void add(struct contents *c, const struct puzzle *p)
{
	uint64_t word[WORDS];

	memcpy(word, p, sizeof(word));
	c->n++;
	for (unsigned i = 0; i < WORDS; i++)
		c->sum[i] += bench_scramble(word[i] + i);
}

static void learn(void)
{
	for (unsigned long i = 0; i < npuzzles; i++) {
		struct puzzle p;
		make(&p, (uint32_t)i);
		add(&known[bucket_of(&p)], &p);
	}
	is_known = true;
}

static struct contents look_into(unsigned b)
{
	static const uint8_t none[DIGEST];
	const struct puzzle *p = puzzles + b * capacity * SEGMENT, *end = p + buckets[b].taken * SEGMENT;
	struct contents c = { 0 };

	for (; p < end; p++)
		if (memcmp(p->digest, none, DIGEST) != 0)
			add(&c, p);
	return c;
}

static bool check(char *why, size_t size)
{
	if (!is_known)
		learn();
	for (unsigned b = 0; b < 1u << bits; b++) {
		const struct contents c = look_into(b);
		if (memcmp(&c, &known[b], sizeof(c)) == 0)
			continue;
		snprintf(why, size, "bucket %u has %lu puzzles, should have %lu; or they are others", b, c.n, known[b].n);
		return false;
	}
	return true;
}

static double units(void)
{
	return (double)npuzzles;
}

static double tasks(void)
{
	return (double)pos_batches();
}

static void describe(char *text, size_t size)
{
	snprintf(text, size, "%lu puzzles into %u buckets, %lu a task", npuzzles, 1u << bits, batch);
}

static const struct bench_option options[] = {
	{ "n", "puzzles; 2 to the power of 12, 18, 22, 26 by size", BENCH_NUMBER, &npuzzles, 1, 4294967295, NULL },
	{ "batch", "puzzles that a task makes", BENCH_NUMBER, &batch, 1, 4294967295, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "pos", "hash", "proof of space: BLAKE3 digests into buckets, a batch of them a task" },
	.options = options,
	.takes = { .size = true },
	.default_reps = 5,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, tasks },
};
