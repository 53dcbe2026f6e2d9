/* test/api/hash.c -- hash functions: known results, every bit counts, buckets fill evenly.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The inputs are fixed, so the statistics are the same in every run; their bounds are those of a random function.
 */
#include "tap.h"

#include <qthread/hash.h>

#include <string.h>

/* ---- qt_hash64 */

enum { SAMPLES = 4000, BUCKETS = 1024, FILL = 64 };

static uint64_t input(uint64_t i)
{
	return i * i * UINT64_C(0x9e3779b97f4a7c15) + i;
}

/* How often, of SAMPLES, a change of input bit `in` changes output bit `out`: half of the times, and a standard
 * deviation is 32.  Of 4096 pairs the farthest is less than 5 deviations away unless one in 400 functions is. */
static void qt_hash64_avalanche(void)
{
	int farthest = 0;

	for (int in = 0; in < 64; in++) {
		int changes[64] = { 0 };

		for (uint64_t i = 0; i < SAMPLES; i++) {
			const uint64_t diff = qt_hash64(input(i)) ^ qt_hash64(input(i) ^ UINT64_C(1) << in);
			for (int out = 0; out < 64; out++)
				changes[out] += diff >> out & 1;
		}
		for (int out = 0; out < 64; out++) {
			const int off = changes[out] > SAMPLES / 2 ? changes[out] - SAMPLES / 2 : SAMPLES / 2 - changes[out];
			farthest = off > farthest ? off : farthest;
		}
	}
	ok(farthest < 5 * 32, "qt_hash64: each bit changes each bit half of the times (farthest off: %d of %d)", farthest,
		SAMPLES);
}

/* Chi-square of BUCKETS - 1 degrees of freedom: mean 1023, standard deviation 45.2; within 5 of them. */
static double chi_square(const unsigned *fill)
{
	double sum = 0;

	for (int b = 0; b < BUCKETS; b++)
		sum += ((double)fill[b] - FILL) * ((double)fill[b] - FILL) / FILL;
	return sum;
}

static bool even(double chi)
{
	return chi > 1023 - 5 * 45.2 && chi < 1023 + 5 * 45.2;
}

static void qt_hash64_buckets(void)
{
	for (unsigned step = 0; step < 64; step += 9) {
		unsigned low[BUCKETS] = { 0 }, high[BUCKETS] = { 0 };

		for (uint64_t i = 0; i < BUCKETS * FILL; i++) {
			const uint64_t h = qt_hash64(i << step | i >> (63 - step) >> 1);
			low[h % BUCKETS]++;
			high[h >> 54]++;
		}
		ok(even(chi_square(low)), "qt_hash64: multiples of 2^%u fill buckets evenly by the low bits (%.0f)", step,
			chi_square(low));
		ok(even(chi_square(high)), "qt_hash64: and by the high bits (%.0f)", chi_square(high));
	}
}

static void qt_hash64_values(void)
{
	ok(qt_hash64(0) == UINT64_C(0xe220a8397b1dcdaf), "qt_hash64(0) is the first number of SplitMix64 begun with 0");
	ok(qt_hash64(1) != qt_hash64(2), "qt_hash64: different keys differ");
	ok(qt_hash64(7) == qt_hash64(7), "qt_hash64: the same key gives the same");
}

/* ---- qt_hash_bytes */

static void qt_hash_bytes_values(void)
{
	static const struct {
		const char *text;
		uint64_t hash;
	} known[] = { { "", UINT64_C(0xef46db3751d8e999) }, { "a", UINT64_C(0xd24ec4f1a98c6e5b) },
		{ "abc", UINT64_C(0x44bc2cf5ad770999) },
		{ "Nobody inspects the spammish repetition", UINT64_C(0xfbcea83c8a378bf1) } };

	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		ok(qt_hash_bytes((void *)(uintptr_t)known[i].text, strlen(known[i].text), 0) == known[i].hash,
			"qt_hash_bytes: XXH64 of \"%s\"", known[i].text);
	ok(qt_hash_bytes(NULL, 0, 5) == qt_hash_bytes((char[]){ "x" }, 0, 5), "qt_hash_bytes: no bytes at NULL");
	ok(qt_hash_bytes(NULL, 100, 5) == qt_hash_bytes(NULL, 0, 5), "qt_hash_bytes: NULL is no bytes");
}

enum { LONGEST = 100 };

static void qt_hash_bytes_alignment(void)
{
	static unsigned char text[LONGEST], buffer[LONGEST + 16];
	int differ = 0;

	for (int i = 0; i < LONGEST; i++)
		text[i] = (unsigned char)(i * 37);
	for (int n = 0; n <= LONGEST; n++)
		for (int at = 0; at < 16; at++) {
			memset(buffer, at, sizeof(buffer));
			memcpy(buffer + at, text, (size_t)n);
			differ += qt_hash_bytes(buffer + at, (size_t)n, 1) != qt_hash_bytes(text, (size_t)n, 1);
		}
	is_int(differ, 0, "qt_hash_bytes: at any address, and what lies around does not count");
}

/* Each bit of input and state, at every length, changes about half of the result: 32 of 64, deviation 4.  The mean
 * over all lengths and bits is far closer. */
static void qt_hash_bytes_avalanche(void)
{
	static unsigned char text[LONGEST];
	int least = 64, most = 0, same = 0;
	double sum = 0, tried = 0;

	for (int n = 1; n <= LONGEST; n++)
		for (int bit = -64; bit < 8 * n; bit++) {
			const uint64_t seed = 42, before = qt_hash_bytes(text, (size_t)n, seed);
			uint64_t after;

			if (bit < 0) {
				after = qt_hash_bytes(text, (size_t)n, seed ^ UINT64_C(1) << (bit + 64));
			} else {
				text[bit / 8] ^= (unsigned char)(1 << bit % 8);
				after = qt_hash_bytes(text, (size_t)n, seed);
			}
			const int changed = __builtin_popcountll(before ^ after);
			least = changed < least ? changed : least;
			most = changed > most ? changed : most;
			same += before == after;
			sum += changed;
			tried++;
		}
	is_int(same, 0, "qt_hash_bytes: every bit of the bytes and of the state counts");
	ok(sum / tried > 31.8 && sum / tried < 32.2, "qt_hash_bytes: it changes half of the result (%.2f of 64)",
		sum / tried);
	ok(least >= 8 && most <= 56, "qt_hash_bytes: never much less or more (%d to %d)", least, most);
}

static void qt_hash_bytes_buckets(void)
{
	unsigned fill[BUCKETS] = { 0 };

	for (unsigned i = 0; i < BUCKETS * FILL; i++) {
		char text[16] = { 0 };
		for (unsigned n = i, at = 0; n || !at; n /= 10)
			text[at++] = (char)('0' + n % 10);
		fill[qt_hash_bytes(text, strlen(text), 0) % BUCKETS]++;
	}
	ok(even(chi_square(fill)), "qt_hash_bytes: decimal numbers fill buckets evenly (%.0f)", chi_square(fill));
}

static void qt_hash_bytes_chains(void)
{
	char text[] = "one two";

	ok(qt_hash_bytes(text + 3, 4, qt_hash_bytes(text, 3, 0)) != qt_hash_bytes(text, 3, qt_hash_bytes(text + 3, 4, 0)),
		"qt_hash_bytes: pieces in another order give another hash");
}

int main(void)
{
	plan(32);
	qt_hash64_values();
	qt_hash64_avalanche();
	qt_hash64_buckets();
	qt_hash_bytes_values();
	qt_hash_bytes_alignment();
	qt_hash_bytes_avalanche();
	qt_hash_bytes_buckets();
	qt_hash_bytes_chains();
	return done();
}
