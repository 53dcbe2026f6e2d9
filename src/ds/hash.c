/* ds/hash.c -- hash functions, written from their published descriptions.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * qt_hash64      the finalizer of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom Number
 *                Generators, OOPSLA 2014), whose constants are D. Stafford's 13th mix; each step can be undone, so
 *                different keys stay different
 * qt_hash_bytes  XXH64 as Y. Collet's specification (xxHash fast digest algorithm) states it: four lanes of 8 bytes,
 *                which the CPU works on at once, then what is left, then an avalanche
 */
#include "qthread/hash.h"

#include <string.h>

/* ---- Numbers */

uint64_t qt_hash64(uint64_t key)
{
	key += UINT64_C(0x9e3779b97f4a7c15);    /* or else 0 would stay 0 */
	key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
	return key ^ key >> 31;
}

/* ---- Bytes */

#define P1 UINT64_C(0x9e3779b185ebca87)
#define P2 UINT64_C(0xc2b2ae3d27d4eb4f)
#define P3 UINT64_C(0x165667b19e3779f9)
#define P4 UINT64_C(0x85ebca77c2b2ae63)
#define P5 UINT64_C(0x27d4eb2f165667c5)

enum { LANES = 4, LANE_BYTES = 8, STRIPE_BYTES = LANES * LANE_BYTES };

static inline uint64_t rotate_left(uint64_t x, unsigned by)
{
	return x << by | x >> (64 - by);
}

/* Words are little-endian wherever they are read, at any address. */
static inline uint64_t read64(const unsigned char *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	return x;
}

static inline uint64_t read32(const unsigned char *p)
{
	uint32_t x;

	memcpy(&x, p, sizeof(x));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap32(x);
#endif
	return x;
}

static inline uint64_t lane_round(uint64_t lane, uint64_t word)
{
	return rotate_left(lane + word * P2, 31) * P1;
}

/* Whole stripes; *p is moved behind them. */
static uint64_t hash_stripes(const unsigned char **p, size_t bytes, uint64_t seed)
{
	uint64_t lane[LANES] = { seed + P1 + P2, seed + P2, seed, seed - P1 };
	static const unsigned turn[LANES] = { 1, 7, 12, 18 };
	uint64_t hash = 0;

	for (; bytes >= STRIPE_BYTES; bytes -= STRIPE_BYTES, *p += STRIPE_BYTES)
		for (int i = 0; i < LANES; i++)
			lane[i] = lane_round(lane[i], read64(*p + i * LANE_BYTES));
	for (int i = 0; i < LANES; i++)
		hash += rotate_left(lane[i], turn[i]);
	for (int i = 0; i < LANES; i++)
		hash = (hash ^ lane_round(0, lane[i])) * P1 + P4;
	return hash;
}

static uint64_t hash_rest(uint64_t hash, const unsigned char *p, size_t bytes)
{
	for (; bytes >= 8; bytes -= 8, p += 8)
		hash = rotate_left(hash ^ lane_round(0, read64(p)), 27) * P1 + P4;
	for (; bytes >= 4; bytes -= 4, p += 4)
		hash = rotate_left(hash ^ read32(p) * P1, 23) * P2 + P3;
	for (; bytes > 0; bytes--, p++)
		hash = rotate_left(hash ^ *p * P5, 11) * P1;
	return hash;
}

static uint64_t avalanche(uint64_t hash)
{
	hash = (hash ^ hash >> 33) * P2;
	hash = (hash ^ hash >> 29) * P3;
	return hash ^ hash >> 32;
}

aligned_t qt_hash_bytes(void *key_ptr, size_t bytes, aligned_t state)
{
	const unsigned char *p = key_ptr;
	const size_t n = p ? bytes : 0;
	uint64_t hash = n >= STRIPE_BYTES ? hash_stripes(&p, n, state) : state + P5;

	return avalanche(hash_rest(hash + n, p, n % STRIPE_BYTES));
}
