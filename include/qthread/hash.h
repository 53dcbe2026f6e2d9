/* qthread/hash.h -- hash functions for tables and for placing work; not for secrets.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both may be called by anybody at any time, before qthread_initialize too, and neither blocks.  Results are the same
 * on every machine and in every run, so they may be stored; another release of the library may change them.
 */
#ifndef QTHREAD_HASH_H
#define QTHREAD_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "qthread.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* 2^64 divided by the golden ratio: an odd number whose multiples are far apart. */
#define GOLDEN_RATIO 0x9e3779b97f4a7c13LL

/* A number as good as random for each key: about half of the bits change when one of the key's does.  Different keys
 * give different results. */
uint64_t qt_hash64(uint64_t key);

/* The hash of `bytes` bytes, at any alignment.  Another `state` makes another function; with the result of an earlier
 * call as state, several pieces give one hash.  Nothing is read if bytes is 0 or key_ptr NULL: the hash is that of no
 * bytes then. */
aligned_t qt_hash_bytes(void *key_ptr, size_t bytes, aligned_t state);

#pragma GCC visibility pop
Q_ENDCXX

#endif
