/* api/lock.c -- lock and unlock on an address: its full/empty bit, or a spin lock registered for it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As long as nobody has registered an address anywhere, which is the usual case, one load of a counter tells.
 */
#include "base/lock.h"
#include "base/mem.h"
#include "qthread/qthread.h"
#include "sync/feb.h"

enum { BUCKETS = 256 };

struct registered {
	struct registered *next;
	const aligned_t *address;
	qthread_spinlock_t spinlock;
};

static struct {
	struct qti_lock lock;
	struct registered *first;
} buckets[BUCKETS];

static uint32_t nregistered;

static unsigned bucket_of(const aligned_t *a)
{
	return (unsigned)((uintptr_t)a >> 3) % BUCKETS;
}

/* Under the bucket's lock: the link to a's registration, or the last link. */
static struct registered **registered_find(const aligned_t *a)
{
	struct registered **link = &buckets[bucket_of(a)].first;

	while (*link && (*link)->address != a)
		link = &(*link)->next;
	return link;
}

/* NULL: the address has none.  A registration lives until qthread_lock_destroy, beside which no use is allowed. */
static qthread_spinlock_t *spinlock_of(const aligned_t *a)
{
	if (qti_likely(load_rlx(&nregistered) == 0))
		return NULL;
	struct qti_lock *lock = &buckets[bucket_of(a)].lock;
	qti_lock_take(lock);
	struct registered *r = *registered_find(a);
	qti_lock_drop(lock);
	return r ? &r->spinlock : NULL;
}

int qthread_lock(const aligned_t *a)
{
	qthread_spinlock_t *s = spinlock_of(a);

	return s ? qthread_spinlock_lock(s) : qthread_readFE(NULL, a);
}

int qthread_unlock(const aligned_t *a)
{
	qthread_spinlock_t *s = spinlock_of(a);

	return s ? qthread_spinlock_unlock(s) : qthread_fill(a);
}

int qthread_trylock(const aligned_t *a)
{
	qthread_spinlock_t *s = spinlock_of(a);

	return s ? qthread_spinlock_trylock(s) : qthread_readFE_nb(NULL, a);
}

int qthread_lock_init(const aligned_t *a, bool is_recursive)
{
	if (!qti_feb_valid(a))
		return QTHREAD_BADARGS;
	struct registered *r = qti_mem_alloc(sizeof(*r));
	if (!r)
		return QTHREAD_MALLOC_ERROR;
	r->next = NULL;
	r->address = a;
	qthread_spinlock_init(&r->spinlock, is_recursive);

	struct qti_lock *lock = &buckets[bucket_of(a)].lock;
	qti_lock_take(lock);
	struct registered **link = registered_find(a);
	bool taken = *link != NULL;
	if (!taken) {
		*link = r;
		add_rlx(&nregistered, 1);
	}
	qti_lock_drop(lock);
	if (!taken)
		return QTHREAD_SUCCESS;
	qti_mem_free(r);
	return QTHREAD_OPFAIL;
}

int qthread_lock_destroy(aligned_t *a)
{
	if (!qti_feb_valid(a))
		return QTHREAD_BADARGS;
	struct qti_lock *lock = &buckets[bucket_of(a)].lock;
	qti_lock_take(lock);
	struct registered **link = registered_find(a), *r = *link;
	if (r) {
		*link = r->next;
		add_rlx(&nregistered, -1);
	}
	qti_lock_drop(lock);
	qti_mem_free(r);
	return QTHREAD_SUCCESS;
}
