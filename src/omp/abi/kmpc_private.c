/* omp/abi/kmpc_private.c -- see omp/abi/kmpc_private.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A variable is known by its address from the first call about it, for good.  Its table has room for all numbers from
 * the beginning, so that no table is ever replaced while compiled code looks into it; pages that nobody has touched
 * take no memory. Each thread writes its own place of a table alone, and reads no other.
 */
#include "omp/abi/kmpc_private.h"

#include "base/lock.h"
#include "base/mem.h"
#include "omp/abi/kmpc_thread.h"
#include "omp/env/text.h"

#include <string.h>

struct variable {
	void *data;
	void *begin;                    /* its contents when somebody first did */
	kmpc_construct *construct;
	kmpc_copy *copy;
	kmpc_destruct *destruct;
	kmpc_construct_many *construct_many;
	kmpc_copy_many *copy_many;
	kmpc_destruct_many *destruct_many;
	size_t n;                       /* of the last three */
	void **block;                   /* by thread */
	struct qti_lock lock;           /* who sets `begin` has it; free in a child of fork(2) (FK2) */
	struct variable *next;          /* in a bucket */
};

/* Who adds a variable swaps it for the head of its bucket (acq_rel); readers load that (acquire). */
enum { BUCKETS = 256 };
static struct variable *bucket[BUCKETS];

static struct variable **bucket_of(const void *data)
{
	return &bucket[(uintptr_t)data * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}

_Static_assert(BUCKETS == 1 << 8, "that many bits");

/* --- ending --------------------------------------------------------------------------------------------- */

static void object_drop(const struct variable *v, void *object)
{
	if (v->destruct_many)
		v->destruct_many(object, v->n);
	else if (v->destruct)
		v->destruct(object);
	qti_mem_free(object);
}

static void block_end(struct variable *v, uint32_t number)
{
	void *block = v->block[number];

	v->block[number] = NULL;
	if (block)
		object_drop(v, block);
}

/* By the thread with that number. */
static void blocks_end(uint32_t number)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct variable *v = load_acq(&bucket[i]); v; v = v->next)
			block_end(v, number);
}

/* --- variables ------------------------------------------------------------------------------------------- */

static struct variable *variable_among(struct variable *v, const void *data)
{
	while (v && v->data != data)
		v = v->next;
	return v;
}

static struct variable *variable_new(void *data)
{
	struct variable *v = qti_mem_zalloc(sizeof(*v));

	if (!v || !(v->block = qti_mem_zalloc(KMPC_NUMBERS * sizeof(*v->block))))
		qomp_fatal("out of memory for a threadprivate variable");
	v->data = data;
	store_rel(&qomp_kmpc_thread_end, blocks_end);
	return v;
}

static struct variable *variable_of(void *data)
{
	struct variable **head = bucket_of(data), *first = load_acq(head), *v = variable_among(first, data);

	if (v)
		return v;
	struct variable *mine = variable_new(data);
	do {
		mine->next = first;
		if (cas_acq_rel(head, &first, mine))
			return mine;
	} while (!(v = variable_among(first, data)));
	qti_mem_free(mine->block);
	qti_mem_free(mine);
	return v;
}

/* Before any thread has a block, as compiled code promises. */

void __kmpc_threadprivate_register(struct kmpc_ident *loc, void *data, kmpc_construct *construct, kmpc_copy *copy,
                                   kmpc_destruct *destruct)
{
	struct variable *v = variable_of(data);

	(void)loc;
	v->construct = construct;
	v->copy = copy;
	v->destruct = destruct;
}

void __kmpc_threadprivate_register_vec(struct kmpc_ident *loc, void *data, kmpc_construct_many *construct,
                                       kmpc_copy_many *copy, kmpc_destruct_many *destruct, size_t n)
{
	struct variable *v = variable_of(data);

	(void)loc;
	v->construct_many = construct;
	v->copy_many = copy;
	v->destruct_many = destruct;
	v->n = n;
}

/* --- blocks ---------------------------------------------------------------------------------------------- */

static void object_copy(const struct variable *v, void *to, void *from, size_t size)
{
	if (v->copy_many)
		v->copy_many(to, from, v->n);
	else if (v->copy)
		v->copy(to, from);
	else
		memcpy(to, from, size);
}

static void block_begin(const struct variable *v, void *block, size_t size)
{
	if (v->construct_many)
		v->construct_many(block, v->n);
	else if (v->construct)
		v->construct(block);
	else
		object_copy(v, block, load_acq(&v->begin), size);
}

static void *room_for(size_t size)
{
	void *room = qti_mem_aligned(QTI_CACHE_LINE, qti_mem_round(size, QTI_CACHE_LINE));

	if (!room)
		qomp_fatal("out of memory for a threadprivate variable of %zu bytes", size);
	return room;
}

/* Later threads begin as the first did, whatever the variable has become.  One thread alone copies it, and all others
 * wait until that is done: the first of the program has the variable itself,
 * and may change it once it comes back from here. */
static void begin_remember(struct variable *v, size_t size)
{
	if (v->construct_many || v->construct || load_acq(&v->begin))
		return;
	qti_lock_take(&v->lock);
	if (!load_rlx(&v->begin)) {
		void *begin = room_for(size);
		object_copy(v, begin, v->data, size);
		store_rel(&v->begin, begin);
	}
	qti_lock_drop(&v->lock);
}

static __attribute__((noinline)) void *block_make(struct variable *v, uint32_t number, size_t size)
{
	void *block = v->data;

	begin_remember(v, size);
	if (number > 0) {
		block = room_for(size);
		block_begin(v, block, size);
	}
	return v->block[number] = block;
}

static void *block_of(struct variable *v, size_t size)
{
	uint32_t number = (uint32_t)qomp_kmpc_thread();

	if (number >= KMPC_NUMBERS)
		qomp_fatal("a threadprivate variable and more than %d threads", KMPC_NUMBERS);
	return v->block[number] ? v->block[number] : block_make(v, number, size);
}

void *__kmpc_threadprivate(struct kmpc_ident *loc, int32_t thread, void *data, size_t size)
{
	(void)loc, (void)thread;
	return block_of(variable_of(data), size);
}

void *__kmpc_threadprivate_cached(struct kmpc_ident *loc, int32_t thread, void *data, size_t size, void ***cache)
{
	struct variable *v = variable_of(data);
	void *block = block_of(v, size);

	(void)loc, (void)thread;
	if (load_rlx(cache) != v->block)
		store_rel(cache, v->block);
	return block;
}
