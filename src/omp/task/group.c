/* omp/task/group.c -- opening, counting and closing task groups.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/group.h"

#include "base/tuning.h"
#include "omp/task/wait.h"
#include "omp/team/address_wait.h"
#include "omp/team/patience.h"
#include "omp/team/store.h"
#include "omp/team/told.h"

#include <unistd.h>

/* --- opening --------------------------------------------------------------------------------------------- */

enum { CAPACITY_MAX = 1024 };

/* Workers that have slots of their own if there are so many. */
static unsigned slot_capacity(void)
{
	static unsigned known;
	unsigned n = load_rlx(&known);

	if (n == 0) {
		long cpus = sysconf(_SC_NPROCESSORS_CONF);
		n = cpus < 1 ? 1 : cpus > CAPACITY_MAX ? CAPACITY_MAX : (unsigned)cpus;
		store_rlx(&known, n);
	}
	return n;
}

static size_t group_size(void)
{
	return sizeof(struct qomp_group) + (1 + slot_capacity()) * sizeof(struct qomp_group_slot);
}

static unsigned slots_needed(void)
{
	unsigned workers = qti_host_runs() ? qti_host_workers() : 0;

	return 1 + (workers < slot_capacity() ? workers : slot_capacity());
}

/* The numbers in its slots go on, with equal sums, from where its last user left them. */
struct qomp_group *qomp_group_new(struct qomp_group *outer)
{
	struct qomp_group *g = qomp_store_get(QOMP_STORE_GROUPS, group_size());
	unsigned slots = slots_needed();

	g->outer = outer;
	g->reductions = outer ? outer->reductions : NULL;
	g->copies = NULL;
	store_rlx(&g->owner, NULL);
	g->implied = false;
	if (g->slots < slots)
		store_rlx(&g->slots, slots);
	store_rlx(&g->cancelled, 0);
	return g;
}

void qomp_group_free(struct qomp_group *g)
{
	qomp_store_put(QOMP_STORE_GROUPS, g);
}

static __attribute__((noinline)) struct qomp_group *group_start_told(struct qomp_frame *f, struct qomp_group *g)
{
	if (qomp_is_told(f))
		qomp_tell_group(qomp_told_of(f));
	return g;
}

struct qomp_group *qomp_group_start(struct qomp_frame *f)
{
	struct qomp_group *g = qomp_group_new(f->group);

	store_rlx(&g->owner, f);
	store_rlx(&f->group, g);
	return qti_unlikely(f->flags & QOMP_TRACED) ? group_start_told(f, g) : g;
}

/* --- counting -------------------------------------------------------------------------------------------- */

/* The calling thread's slot, NULL: the shared one. */
static inline struct qomp_group_slot *own_slot(struct qomp_group *g)
{
	struct qti_worker *w = qti_self();

	return qti_likely(w && qti_worker_number(w) + 1 < load_rlx(&g->slots))
		? &g->slot[qti_worker_number(w) + 1] : NULL;
}

/* Relaxed: who must see it, at G1, does because it has seen an end that comes after it, or is the creator. */
void qomp_group_enter(struct qomp_group *g)
{
	struct qomp_group_slot *own = own_slot(g);

	if (qti_likely(own != NULL))
		bump_rlx(&own->created);
	else
		add_rlx(&g->slot[0].created, 1);
}

/* G1 */
static bool group_quiet(const struct qomp_group *g)
{
	unsigned n = load_rlx(&g->slots);
	uint32_t open = 0;

	for (unsigned i = 0; i < n; i++)
		open -= load_acq(&g->slot[i].ended);
	for (unsigned i = 0; i < n; i++)
		open += load_rlx(&g->slot[i].created);
	return open == 0;
}

static bool parent_will_ask(const struct qomp_group *g, struct qomp_frame *parent)
{
	return parent != load_rlx(&g->owner) && load_rlx(&parent->group) == g;                             /* G4 */
}

static __attribute__((noinline)) void leave_watched(struct qomp_group *g, struct qomp_frame *f)
{
	uint32_t watched = 1;

	fence_sc();                                                                             /* G3, G4 */
	if (!parent_will_ask(g, f->parent) && group_quiet(g) && cas_acq_rel(&g->watched, &watched, 0))
		qomp_address_wake(&g->watched, UINT_MAX);
}

void qomp_group_leave(struct qomp_frame *f)
{
	struct qomp_group *g = f->group;
	struct qomp_group_slot *own = own_slot(g);

	store_rlx(&f->group, NULL);                                                             /* G4 */
	if (qti_likely(own != NULL)) {
		store_rel(&own->ended, load_rlx(&own->ended) + 1);                              /* G1 */
	} else {
		add_acq_rel(&g->slot[0].ended, 1);                                              /* G1 */
	}
	fence_light();                                                                          /* G2 */
	if (qti_unlikely(load_rlx(&g->watched) != 0))
		leave_watched(g, f);
}

/* --- closing --------------------------------------------------------------------------------------------- */

static bool quiet_soon(const struct qomp_group *g)
{
	struct qti_poll poll = { .ns = qomp_poll_ns(TUNE_CHILDREN_NS) };

	do
		if (group_quiet(g))
			return true;
	while (qti_poll_again(&poll));
	return false;
}

static void sleep_for(struct qomp_frame *f, struct qomp_group *g)
{
	store_rel(&g->watched, 1);                                                              /* G4 */
	qti_fence_heavy();                                                                      /* G2 */
	if (!group_quiet(g))
		qomp_wait_sleep(f, (struct qomp_filter){ .parent = f, .group = g }, &g->watched, 1);
	store_rlx(&g->watched, 0);
}

static inline __attribute__((always_inline)) void group_end(struct qomp_frame *f, struct qomp_group *g, bool watched)
{
	while (!group_quiet(g))
		if (!qomp_wait_run(f, (struct qomp_filter){ .parent = f, .group = g }) && !quiet_soon(g))
			sleep_for(f, g);
	if (watched)
		qomp_race_group_end(g);
	store_rlx(&f->group, g->outer);
	qomp_group_free(g);
}

static __attribute__((noinline)) void group_end_told(struct qomp_frame *f)
{
	struct qomp_told *t = qomp_is_told(f) ? qomp_told_of(f) : NULL;

	qomp_tell_group_wait(t);
	group_end(f, f->group, true);
	qomp_tell_sync_end(t, ompt_sync_region_taskgroup);
}

void qomp_group_end(struct qomp_frame *f)
{
	if (qti_unlikely(f->flags & QOMP_TRACED))
		group_end_told(f);
	else
		group_end(f, f->group, false);
}
