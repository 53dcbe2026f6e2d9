/* api/waits.c -- see api/waits.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing is kept for this while the program runs: the records of those who wait are in the lists of what they wait
 * for, and a visitor finds them there under the lock that who wakes them needs.  A task's return word leads to the
 * task.
 */
#include "api/waits.h"

#include "base/container.h"
#include "base/diag.h"
#include "base/mem.h"
#include "core/guest.h"
#include "machine/symbol.h"
#include "sync/barrier.h"
#include "sync/febtable.h"
#include "sync/line.h"
#include "sync/queue.h"
#include "sync/sinc.h"
#include "sync/syncvar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINES = 40,                     /* of a list, at most */
	CYCLES = 8,
	CHAIN = 16,                     /* of a cycle that is printed */
	SPARE = 64,                     /* that may come between counting and looking */
	MOST = 1 << 20,
	TEXT = 128,
};

struct qti_wait {
	const struct qti_task *task;    /* NULL: a thread; not looked into later */
	const void *word;
	enum qti_wait_kind kind;
	uint32_t id;                    /* 0: a guest's */
	const void *fn;
	const void *ret;
	bool main, returned;
	int thread;                     /* of a guest's region; -1: none */
	const struct qti_task *holder;  /* who is known to end it; NULL */
	uint32_t mark;                  /* of the walk that has come by */
};

/* --- looking --------------------------------------------------------------------------------------------- */

static void each_waiter(qti_waiter_visit visit, void *arg)
{
	const struct qti_guest *guest = qti_guest_here();

	qti_feb_each_waiter(visit, arg);
	qti_syncvar_each_waiter(visit, arg);
	qti_queues_each_waiter(visit, arg);
	qti_barriers_each_waiter(visit, arg);
	qti_lines_each_waiter(visit, arg);
	if (guest && guest->waiters)
		guest->waiters(visit, arg);
}

/* A thread that still looks out for its turn may go on by itself. */
static bool thread_sleeps(const struct qti_waiter *w)
{
	return !w->task && load_acq(&w->state) == QTI_WAITER_SLEEPING;                          /* W1 */
}

static void waiter_count(const struct qti_waiter *w, void *waits)
{
	struct qti_waits *all = waits;

	all->tasks += w->task != NULL;
	all->threads += thread_sleeps(w);
}

size_t qti_waits_threads(void)
{
	struct qti_waits all = { .n = 0 };

	each_waiter(waiter_count, &all);
	return all.threads;
}

/* Of a recursive spin lock the owner is known. */
static const struct qti_task *spinlock_holder(const struct qti_waiter *w)
{
	const qthread_spinlock_t *s = qti_container_of(w->word, qthread_spinlock_t, lock.s.ticket);
	int64_t owner = load_rlx((const int64_t *)&s->state.s);

	return owner == QTHREAD_SPINLOCK_IS_NOT_RECURSIVE || owner == QTHREAD_SPINLOCK_IS_RECURSIVE ?
		NULL : (const struct qti_task *)(intptr_t)owner;
}

static const struct qti_task *holder_of(const struct qti_waiter *w)
{
	const struct qti_guest *guest = qti_guest_here();

	if (w->kind == QTI_WAIT_TURN)
		return spinlock_holder(w);
	return guest && guest->holder ? guest->holder(w) : NULL;
}

static void waiter_note(const struct qti_waiter *w, void *waits)
{
	struct qti_waits *all = waits;
	struct qti_task *t = w->task;

	waiter_count(w, waits);
	if (!t || all->n == all->room)
		return;
	bool guests = qti_task_is(t, QTI_TASK_GUEST);
	all->wait[all->n++] = (struct qti_wait){
		.task = t, .word = w->word, .kind = w->kind,
		.id = guests ? 0 : qti_task_id(t), .fn = qti_task_function(t),
		.ret = load_rlx(&t->ret), .main = t == qti_rt.main_task, .returned = qti_task_is(t, QTI_TASK_DONE),
		.holder = holder_of(w), .thread = -1,
	};
	if (guests && qti_guest_here()->thread)
		all->wait[all->n - 1].thread = qti_guest_here()->thread(t, &all->wait[all->n - 1].fn);
}

/* --- who waits for whom ---------------------------------------------------------------------------------- */

static int compare(uintptr_t a, uintptr_t b)
{
	return (a > b) - (a < b);
}

static int by_task(const void *a, const void *b)
{
	return compare((uintptr_t)((const struct qti_wait *)a)->task, (uintptr_t)((const struct qti_wait *)b)->task);
}

static struct qti_wait *wait_of(const struct qti_waits *all, const struct qti_task *t)
{
	const struct qti_wait key = { .task = t };

	return t ? bsearch(&key, all->wait, all->n, sizeof(key), by_task) : NULL;
}

struct word_index {
	const void *word;
	struct qti_wait *wait;
};

static int by_word(const void *a, const void *b)
{
	return compare(
		(uintptr_t)((const struct word_index *)a)->word, (uintptr_t)((const struct word_index *)b)->word);
}

/* A word that is to be full, and is some task's that waits to return it, is filled by that. */
static void find_returners(const struct qti_waits *all)
{
	struct word_index *index = qti_mem_alloc(all->n * sizeof(*index)), *found;

	if (!index)
		return;
	for (size_t i = 0; i < all->n; i++)
		index[i] = (struct word_index){ all->wait[i].returned ? NULL : all->wait[i].ret, &all->wait[i] };
	qsort(index, all->n, sizeof(*index), by_word);
	for (size_t i = 0; i < all->n; i++) {
		const struct word_index key = { all->wait[i].word, NULL };
		bool fills = all->wait[i].kind != QTI_WAIT_WRITE_EF && all->wait[i].kind < QTI_WAIT_QUEUE;
		found = fills && key.word ? bsearch(&key, index, all->n, sizeof(key), by_word) : NULL;
		if (found)
			all->wait[i].holder = found->wait->task;
	}
	qti_mem_free(index);
}

void qti_waits_take(struct qti_waits *all)
{
	*all = (struct qti_waits){ .n = 0 };
	each_waiter(waiter_count, all);
	size_t room = all->tasks < MOST ? all->tasks + SPARE : MOST;
	*all = (struct qti_waits){ .wait = qti_mem_alloc(room * sizeof(struct qti_wait)) };
	all->room = all->wait ? room : 0;
	each_waiter(waiter_note, all);
	all->still = qti_idle_awake() == 0;
	if (all->n == 0)
		return;
	qsort(all->wait, all->n, sizeof(all->wait[0]), by_task);
	find_returners(all);
}

void qti_waits_free(struct qti_waits *all)
{
	qti_mem_free(all->wait);
}

/* --- words for it ---------------------------------------------------------------------------------------- */

/* "task 7 (reader)". */
static void task_name(const struct qti_wait *w, char *text, size_t size)
{
	const struct qti_guest *guest = qti_guest_here();
	char function[QTI_MODULE_TEXT] = "";

	if (w->main) {
		snprintf(text, size, "the main task");
		return;
	}
	if (w->fn)
		qti_symbol_show(w->fn, function, sizeof(function));
	if (w->id)
		snprintf(text, size, "task %u (%s)", w->id, function);
	else if (w->thread >= 0)
		snprintf(text, size, "thread %d of a region (%s)", w->thread, function);
	else
		snprintf(text, size, "%s%s%s%s", guest ? guest->tasks : "a task", w->fn ? " (" : "", function,
			w->fn ? ")" : "");
}

static void name_of(const struct qti_waits *all, const struct qti_task *t, char *text, size_t size)
{
	const struct qti_wait *w = wait_of(all, t);

	if (w)
		task_name(w, text, size);
	else
		snprintf(text, size, "a task that waits for nothing");
}

/* What is known beyond the word. */
static void add_state(const struct qti_wait *w, char *text, size_t size)
{
	size_t all;

	switch (w->kind) {
	case QTI_WAIT_READ_FF:
	case QTI_WAIT_READ_FE:
	case QTI_WAIT_WRITE_FF:
	case QTI_WAIT_PRECOND:
		snprintf(text, size, ", which is empty");
		break;
	case QTI_WAIT_WRITE_EF:
		snprintf(text, size, ", which is full");
		break;
	case QTI_WAIT_BARRIER: {
		size_t here = qti_barrier_entered(w->word, &all);
		snprintf(text, size, ", where %zu of %zu have come", here, all);
		break;
	}
	case QTI_WAIT_SINC:
		snprintf(text, size, ", which lacks %zu submission(s)", qti_sinc_missing(w->word));
		break;
	default:
		text[0] = '\0';
	}
}

static void add_holder(const struct qti_waits *all, const struct qti_wait *w, char *text, size_t size)
{
	char who[TEXT];

	text[0] = '\0';
	if (!w->holder)
		return;
	if (w->holder == w->task)
		snprintf(who, sizeof(who), "that task itself");
	else
		name_of(all, w->holder, who, sizeof(who));
	snprintf(text, size, w->kind < QTI_WAIT_QUEUE ? "; %s fills it when it returns" : "; %s has it", who);
}

static bool are_alike(const struct qti_wait *a, const struct qti_wait *b)
{
	return a->word == b->word && a->kind == b->kind && a->fn == b->fn && a->main == b->main &&
		a->thread == b->thread && a->returned == b->returned;
}

static void print_group(const struct qti_waits *all, const struct qti_wait *w, size_t n)
{
	char who[TEXT], word[QTI_MODULE_TEXT + 1] = "", state[TEXT], holder[TEXT + 32], others[40] = "";

	task_name(w, who, sizeof(who));
	if (w->kind != QTI_WAIT_CHILDREN && w->kind != QTI_WAIT_TEAM) {
		word[0] = ' ';
		qti_symbol_show(w->word, word + 1, sizeof(word) - 1);
	}
	add_state(w, state, sizeof(state));
	add_holder(all, w, holder, sizeof(holder));
	if (n > 1)
		snprintf(others, sizeof(others), " and %zu like it", n - 1);
	qti_warn("  %s%s%s: %s%s%s%s", who, others,
		w->returned ? " has returned, its result waits" : n > 1 ? " wait" : " waits",
	         qti_wait_names[w->kind], word, state, holder);
}

/* --- cycles ---------------------------------------------------------------------------------------------- */

static void print_cycle(const struct qti_waits *all, const struct qti_wait *first)
{
	const struct qti_wait *w = first;
	char line[400] = "", who[TEXT];
	size_t used = 0;
	unsigned n = 0;

	do {
		task_name(w, who, sizeof(who));
		if (n < CHAIN && used < sizeof(line))
			used += (size_t)snprintf(line + used, sizeof(line) - used, "%s -> ", who);
		w = wait_of(all, w->holder);
		n++;
	} while (w != first);
	task_name(first, who, sizeof(who));
	qti_warn("  a cycle of %u, each waits for the next: %s%s%s", n, line,
		n > CHAIN || used >= sizeof(line) ? "... -> " : "", who);
}

/* Each task waits for one at most: so a walk comes back to where it has been, or ends. */
static void print_cycles(const struct qti_waits *all)
{
	unsigned found = 0;

	for (size_t i = 0; i < all->n && found < CYCLES; i++) {
		struct qti_wait *w = &all->wait[i];
		uint32_t mark = (uint32_t)i + 1;
		for (; w && w->mark == 0; w = wait_of(all, w->holder))
			w->mark = mark;
		if (!w || w->mark != mark)
			continue;
		print_cycle(all, w);
		found++;
	}
}

static int by_group(const void *a, const void *b)
{
	const struct qti_wait *x = a, *y = b;
	int order = (int)y->main - (int)x->main;

	if (!order)
		order = compare((uintptr_t)x->fn, (uintptr_t)y->fn);
	if (!order)
		order = compare((uintptr_t)x->word, (uintptr_t)y->word);
	if (!order)
		order = (int)x->kind - (int)y->kind;
	if (!order)
		order = x->thread - y->thread;
	return order ? order : compare(x->id, y->id);
}

static void print_list(const struct qti_waits *all, const struct qti_wait *sorted)
{
	unsigned lines = 0;
	size_t i, n;

	for (i = 0; i < all->n && lines < LINES; i += n, lines++) {
		for (n = 1; i + n < all->n && are_alike(&sorted[i], &sorted[i + n]);)
			n++;
		print_group(all, &sorted[i], n);
	}
	if (i < all->tasks)
		qti_warn("  and %zu more", all->tasks - i);
}

/* Who waits for a task that has not begun runs it where it stands, and is in no list then. */
static bool main_is_known(const struct qti_waits *all)
{
	return !all->still || wait_of(all, qti_rt.main_task);
}

void qti_waits_print(const struct qti_waits *all)
{
	struct qti_wait *sorted = all->n ? qti_mem_alloc(all->n * sizeof(*sorted)) : NULL;

	if (sorted) {
		memcpy(sorted, all->wait, all->n * sizeof(*sorted));
		qsort(sorted, all->n, sizeof(*sorted), by_group);
		print_list(all, sorted);
		print_cycles(all);
		qti_mem_free(sorted);
	}
	if (!main_is_known(all))
		qti_warn("  the main task waits below one of these, which runs on top of it");
	if (all->threads)
		qti_warn("  threads that are no workers, and wait: %zu", all->threads);
}
