/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* BLAKE3 of whichever library was found: libblake3, or LLVM's under names of its own. */
#ifndef BENCH_POS_HASH_H
#define BENCH_POS_HASH_H

#include <stddef.h>
#include <stdint.h>

#if BENCH_LIBBLAKE3
#include <blake3.h>
#else
#include <llvm-c/blake3.h>
#define blake3_hasher llvm_blake3_hasher
#define blake3_hasher_init llvm_blake3_hasher_init
#define blake3_hasher_update llvm_blake3_hasher_update
#define blake3_hasher_finalize llvm_blake3_hasher_finalize
#endif

/* The first `out_size` bytes of the digest. */
static inline void pos_hash(const void *data, size_t size, uint8_t *out, size_t out_size)
{
	blake3_hasher h;

	blake3_hasher_init(&h);
	blake3_hasher_update(&h, data, size);
	blake3_hasher_finalize(&h, out, out_size);
}

#endif
