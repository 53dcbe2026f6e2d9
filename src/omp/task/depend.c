/* omp/task/depend.c -- which child has to wait for which: the parent's table.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  A set is what the table keeps of an address: the last children that have named it and do not wait for each
 * other. It holds one child that writes the address, or any number of children that only read it (or are in one
 * inoutset).  The gate of a set is the one task that all of its members wait for: the task before them, or a stand-in
 * for the set before them.  A stand-in is an extra without a task; it ends as soon as it could start.
 *
 * Promise: every item of a depend clause needs two edges at most, and no memory but its own.
 *
 * Why.  A task that joins the set waits for the set's gate.  A task that does not fit begins a new set and waits for
 * all of the last one:
 *
 *     the last set has    a writer comes                      a reader comes, the first after others
 *     one member          waits for that                      that is the gate of the new set
 *     several             each gets an edge to it, in         each gets an edge to a stand-in, which is the gate
 *                         its own item
 *
 * mutexinoutset is a writer.  The protocols are in omp/task/depend.h.
 */
#include "omp/task/depend.h"

#include "base/mem.h"
#include "base/tuning.h"
#include "omp/env/text.h"
#include "omp/task/wait.h"
#include "omp/team/address_wait.h"
#include "omp/team/store.h"
#include "omp/team/told.h"

#include <string.h>

enum set_kind { UNUSED, WRITER, READERS, INOUTSET };

struct entry {
	const void *address;
	struct qomp_item *set;          /* newest member first; NULL if all have ended and were taken off */
	struct qomp_extra *gate;        /* not for WRITER; NULL: open */
	uint32_t size;                  /* members in the set */
	uint32_t kind : 2;              /* enum set_kind */
	uint32_t limit : 30;            /* size at which to look for members that have ended */
};

struct qomp_depends {
	struct qomp_belonging own;
	struct entry *entry;
	struct qomp_extra *all;         /* later tasks wait for it, whatever their address; NULL: none */
	uint32_t used;                  /* entries that are not UNUSED */
	uint8_t bits;                   /* 1 << bits entries */
	struct entry small[];
};

enum { SMALL_TABLE = 320 };              /* bytes */

enum { SMALL_BITS = 3, LARGE_BITS = 5 };

_Static_assert(sizeof(struct qomp_depends) + (sizeof(struct entry) << SMALL_BITS) <= SMALL_TABLE, "fits");

/* --- extras ---------------------------------------------------------------------------------------------- */

/* Values that no edge has. */
#define ENDED ((struct qomp_edge *)1)           /* of `edges` */
#define SLEEPER ((struct qomp_task *)1)         /* of `task`: that of a frame that waits for one edge, on its stack */

enum { AHEAD = 1u << 31 };                      /* E2 */

static struct qomp_extra *extra_new(struct qomp_task *task)
{
	struct qomp_extra *x = qomp_store_get(QOMP_STORE_EXTRAS, sizeof(struct qomp_extra));

	store_rlx(&x->edges, NULL);
	x->task = task;
	x->holders = 1;
	x->listed = 0;
	x->bits = 0;
	x->item[0].in.to = x;
	return x;
}

struct qomp_extra *qomp_extra_of(struct qomp_task *t)
{
	if (!t->frame.extra)
		t->frame.extra = extra_new(t);
	return t->frame.extra;
}

/* E3.  A single holder need not count itself off. */
static void record_let_go(struct qomp_extra *x)
{
	if (load_acq(&x->holders) != 1 && sub_acq_rel(&x->holders, 1) != 1)
		return;
	if (x->bits & QOMP_EXTRA_MORE)
		qti_mem_free(x->more);
	if (qti_unlikely(x->bits & QOMP_EXTRA_TOLD))
		qomp_told_free(x->told);
	qomp_store_put(QOMP_STORE_EXTRAS, x);
}

static void extra_unlist(struct qomp_extra *x)
{
	if (--x->listed == 0)
		record_let_go(x);
}

static bool has_ended(struct qomp_extra *x)
{
	return load_acq(&x->edges) == ENDED;                                                    /* E1 */
}

/* The parent's table still has `from`, or it is the gate of a set there. */
static __attribute__((noinline)) void edge_tell(const struct qomp_extra *from, const struct qomp_extra *to)
{
	if (qomp_depend_keeps_told(from) && qomp_depend_keeps_told(to))
		qomp_tell_dependence(from->told, to->told);
}

/* `to` waits for `from`, unless that has ended. */
static bool edge_connect(struct qomp_extra *from, struct qomp_edge *e, struct qomp_extra *to)
{
	struct qomp_edge *head = load_acq(&from->edges);

	e->to = to;
	do {
		if (head == ENDED)
			return false;
		e->next = head;
	} while (!cas_acq_rel(&from->edges, &head, e));                                         /* E1 */
	if (qomp_tool_here())
		edge_tell(from, to);
	return true;
}

/* What runs next was written by its creator, on another CPU perhaps: lines fetched together come in the time of one.
 * So does the edge that will be followed when it ends. */
static void task_prefetch(const struct qomp_task *t, struct qomp_extra *x)
{
	__builtin_prefetch(&t->frame, 1);
	__builtin_prefetch(&t->frame.remote, 1);
	__builtin_prefetch(&t->base, 1);
	__builtin_prefetch(t->arg);
	__builtin_prefetch(load_rlx(&x->edges), 1);
}

/* What may go on because tasks have ended. */
struct successors {
	struct qomp_task *first, *last; /* that may run, linked by base.next; first == NULL: none */
	struct qomp_edge *work;         /* stand-ins, which end at once, linked by item[0].in:
					 * that is on no other list any more */
};

/* Wakes the frame, and finds the tasks, that waited for x alone. */
static void extra_release(struct qomp_extra *x, struct successors *s)
{
	struct qomp_edge *next;

	for (struct qomp_edge *e = swap_acq_rel(&x->edges, ENDED); e; e = next) {               /* E1 */
		struct qomp_extra *to = e->to;
		struct qomp_task *t = to->task;
		next = e->next;
		if (t == SLEEPER) {
			qomp_address_set(&to->missing, 0);
		} else if (sub_acq_rel(&to->missing, 1) == 1) {                                 /* E2 */
			if (t) {
				task_prefetch(t, to);
				t->base.next = NULL;
				if (s->first)
					s->last->base.next = &t->base;
				else
					s->first = t;
				s->last = t;
			} else {
				to->item[0].in.next = s->work;
				s->work = &to->item[0].in;
			}
		}
	}
}

static struct qomp_task *extra_end(struct qomp_extra *x)
{
	struct successors s = { 0 };

	for (;;) {
		extra_release(x, &s);
		record_let_go(x);
		if (!s.work)
			return s.first;
		x = s.work->to;
		s.work = s.work->next;
	}
}

struct qomp_task *qomp_depend_done(struct qomp_task *t)
{
	return extra_end(t->frame.extra);
}

/* --- adding ---------------------------------------------------------------------------------------------- */

static void begin_waiting(struct qomp_extra *x)
{
	store_rlx(&x->missing, AHEAD);
}

/* E2.  False if x waits for some of `made` edges. */
static bool end_waiting(struct qomp_extra *x, uint32_t made)
{
	return made == 0 || sub_acq_rel(&x->missing, AHEAD - made) == AHEAD - made;
}

/* Members of the set that have ended are taken off, so that it does not grow for ever. */
static void thin_out(struct entry *e)
{
	struct qomp_item **at = &e->set;

	for (struct qomp_item *i = *at; i; i = *at) {
		if (!has_ended(i->in.to)) {
			at = &i->older;
			continue;
		}
		*at = i->older;
		e->size--;
		extra_unlist(i->in.to);
	}
	e->limit = 2 * e->size > TUNE_DEPEND_CLEAN ? 2 * e->size : TUNE_DEPEND_CLEAN;
}

static void set_gate(struct entry *e, struct qomp_extra *gate)
{
	struct qomp_extra *old = e->gate;

	if (gate)
		gate->listed++;
	e->gate = gate;
	if (old)
		extra_unlist(old);
}

/* The set is over.  Returns how many of its members `to`, if any, waits for, by edges in their items. */
static uint32_t close_set(struct entry *e, struct qomp_extra *to)
{
	struct qomp_item *older;
	uint32_t made = 0;

	for (struct qomp_item *i = e->set; i; i = older) {
		struct qomp_extra *from = i->in.to;
		older = i->older;
		made += to && from != to && edge_connect(from, &i->out, to);
		extra_unlist(from);
	}
	e->set = NULL;
	e->size = 0;
	return made;
}

/* A task that waits for the set from now on waits for this one. */
static struct qomp_extra *stand_in_for(struct entry *e)
{
	struct qomp_extra *x = extra_new(NULL);

	begin_waiting(x);
	x->holders = 2;
	if (end_waiting(x, close_set(e, x)))
		extra_end(x);   /* nobody waits for it yet */
	return x;
}

/* A set of readers, or an inoutset, begins. */
static void begin_set(struct entry *e, enum set_kind kind)
{
	struct qomp_extra *before = e->size == 1 ? e->set->in.to : e->size > 1 ? stand_in_for(e) : NULL;

	if (e->kind != UNUSED)
		set_gate(e, before);
	close_set(e, NULL);
	e->kind = kind;
	e->limit = TUNE_DEPEND_CLEAN;
}

static uint32_t join_set(struct entry *e, struct qomp_item *i)
{
	bool waits = e->gate && edge_connect(e->gate, &i->in, i->in.to);

	if (e->gate && !waits)
		set_gate(e, NULL);
	i->older = e->set;
	e->set = i;
	e->size++;
	i->in.to->listed++;
	if (e->size >= e->limit)
		thin_out(e);
	return waits;
}

/* Item i's task writes: it is all of the set that begins.  It may have been a member of the last one. */
static uint32_t begin_writer(struct entry *e, struct qomp_item *i)
{
	struct qomp_extra *x = i->in.to;
	struct qomp_extra *before = e->size == 0 ? e->gate : e->size == 1 ? e->set->in.to : NULL;
	uint32_t made = before && before != x && edge_connect(before, &i->in, x);

	x->listed++;
	made += close_set(e, before ? NULL : x);
	set_gate(e, NULL);
	i->older = NULL;
	e->set = i;
	e->size = 1;
	e->kind = WRITER;
	return made;
}

/* --- the table ------------------------------------------------------------------------------------------- */

static struct qomp_depends *depends_of(const struct qomp_frame *f)
{
	return f->depends ? qti_container_of(f->depends, struct qomp_depends, own) : NULL;
}

static struct entry *place_of(const struct qomp_depends *d, const void *address)
{
	size_t mask = ((size_t)1 << d->bits) - 1;
	size_t at = (uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - d->bits);

	while (d->entry[at].kind != UNUSED && d->entry[at].address != address)
		at = (at + 1) & mask;
	return &d->entry[at];
}

static void entry_clear(struct entry *e)
{
	close_set(e, NULL);
	set_gate(e, NULL);
	e->kind = UNUSED;
}

static void drop_entries(struct qomp_depends *d, struct entry *entry)
{
	if (entry != d->small)
		qti_mem_free(entry);
}

/* Addresses whose tasks have all ended are left out.  So the table does not grow for ever. */
static void table_rebuild(struct qomp_depends *d)
{
	struct qomp_depends old = *d;
	size_t n = (size_t)1 << old.bits, live = 0;

	for (size_t i = 0; i < n; i++) {
		struct entry *e = &old.entry[i];
		if (e->kind == UNUSED)
			continue;
		thin_out(e);
		if (e->size == 0)
			entry_clear(e);
		live += e->kind != UNUSED;
	}
	for (d->bits = LARGE_BITS; live * 4 > (size_t)1 << d->bits;)
		d->bits++;
	d->entry = qti_mem_zalloc(sizeof(struct entry) << d->bits);
	if (!d->entry)
		qomp_fatal("out of memory for the dependences of OpenMP tasks");
	d->used = (uint32_t)live;
	for (size_t i = 0; i < n; i++)
		if (old.entry[i].kind != UNUSED)
			*place_of(d, old.entry[i].address) = old.entry[i];
	drop_entries(d, old.entry);
}

static struct entry *entry_for(struct qomp_depends *d, const void *address)
{
	struct entry *e = place_of(d, address);

	if (e->kind != UNUSED)
		return e;
	if (d->used * 4 >= 3u << d->bits) {
		table_rebuild(d);
		e = place_of(d, address);
	}
	e->address = address;
	if (d->all && !has_ended(d->all))
		set_gate(e, d->all);
	d->used++;
	return e;
}

static void depends_drop(struct qomp_frame *f)
{
	struct qomp_depends *d = depends_of(f);

	for (size_t i = 0; i < (size_t)1 << d->bits; i++)
		if (d->entry[i].kind != UNUSED)
			entry_clear(&d->entry[i]);
	if (d->all)
		extra_unlist(d->all);
	drop_entries(d, d->entry);
	qomp_store_put(QOMP_STORE_TABLES, d);
	f->depends = NULL;
}

static struct qomp_depends *table_new(void)
{
	struct qomp_depends *d = qomp_store_get(QOMP_STORE_TABLES, SMALL_TABLE);

	memset(d, 0, SMALL_TABLE);
	d->own.drop = depends_drop;
	d->entry = d->small;
	d->bits = SMALL_BITS;
	return d;
}

/* --- clauses --------------------------------------------------------------------------------------------- */

/* What compiled code passes: the number of items and of those that write, then the addresses, writers first.  Or, if
 * the first word is 0, the numbers of all items, writers, mutexinoutsets and readers, then these addresses, and then
 * pointers to pairs of an address and a kind. */
struct clauses {
	void **address;
	size_t n;
	size_t writers;                 /* come first, mutexinoutsets among them */
	size_t plain;                   /* then readers, up to here; then pairs */
};

enum { PAIR_IN = 1, PAIR_OUT, PAIR_INOUT, PAIR_MUTEX, PAIR_INOUTSET };

static struct clauses clauses_of(void **depend)
{
	size_t n = (uintptr_t)depend[0];

	if (n != 0)
		return (struct clauses){ depend + 2, n, (uintptr_t)depend[1], n };
	if (!depend[1])         /* no items: of iterators over nothing, in either form; the shorter one ends here */
		return (struct clauses){ 0 };
	size_t writers = (uintptr_t)depend[2] + (uintptr_t)depend[3];
	return (struct clauses){ depend + 5, (uintptr_t)depend[1], writers, writers + (uintptr_t)depend[4] };
}

static const void *clause_item(const struct clauses *c, size_t i, enum set_kind *kind)
{
	if (i < c->plain) {
		*kind = i < c->writers ? WRITER : READERS;
		return c->address[i];
	}
	void **pair = c->address[i];
	uintptr_t type = (uintptr_t)pair[1];
	*kind = type == PAIR_IN ? READERS : type == PAIR_INOUTSET ? INOUTSET : WRITER;
	return pair[0];
}

static ompt_dependence_type_t clause_told_type(const struct clauses *c, size_t i, uintptr_t mutexes)
{
	static const ompt_dependence_type_t of_pair[] = {
		[PAIR_IN] = ompt_dependence_type_in, [PAIR_OUT] = ompt_dependence_type_out,
		[PAIR_INOUT] = ompt_dependence_type_inout, [PAIR_MUTEX] = ompt_dependence_type_mutexinoutset,
		[PAIR_INOUTSET] = ompt_dependence_type_inoutset,
	};

	if (i >= c->plain)
		return of_pair[(uintptr_t)((void **)c->address[i])[1] % (PAIR_INOUTSET + 1)];
	if (i >= c->writers)
		return ompt_dependence_type_in;
	if (i >= c->writers - mutexes)
		return ompt_dependence_type_mutexinoutset;
	return c->address[i] ? ompt_dependence_type_inout : ompt_dependence_type_inout_all_memory;
}

/* As the tool is told of them.  NULL: out of memory, or there are none. */
static ompt_dependence_t *clauses_told(void **depend, int *n)
{
	struct clauses c = clauses_of(depend);
	uintptr_t mutexes = depend[0] ? 0 : (uintptr_t)depend[3];
	ompt_dependence_t *list = c.n ? qti_mem_zalloc(c.n * sizeof(*list)) : NULL;

	*n = list ? (int)c.n : 0;
	for (int i = 0; i < *n; i++) {
		list[i].variable.ptr = (size_t)i < c.plain ? c.address[i] : ((void **)c.address[i])[0];
		list[i].dependence_type = clause_told_type(&c, (size_t)i, mutexes);
	}
	return list;
}

void qomp_depend_tell(struct qomp_told *told, void **depend)
{
	int n;
	ompt_dependence_t *list = clauses_told(depend, &n);

	if (list)
		qomp_tell_dependences(told, list, n);
	qti_mem_free(list);
}

/* The running task has waited for them. */
static __attribute__((noinline, cold)) void clauses_waited(struct qomp_frame *f, void **depend)
{
	int n;
	ompt_dependence_t *list = clauses_told(depend, &n);

	qomp_race_waited(qomp_told_of(f), list, n);
	qti_mem_free(list);
}

/* omp_all_memory */
static bool is_all(const void *address, enum set_kind kind)
{
	return !address && kind == WRITER;
}

/* The task waits for all that the table knows, and all later ones wait for it. */
static uint32_t add_all(struct qomp_depends *d, struct qomp_item *i)
{
	struct qomp_extra *x = i->in.to;
	uint32_t made = d->all && edge_connect(d->all, &i->in, x);

	x->listed++;
	for (size_t at = 0; at < (size_t)1 << d->bits; at++) {
		struct entry *e = &d->entry[at];
		if (e->kind == UNUSED)
			continue;
		made += close_set(e, x);
		entry_clear(e);
	}
	d->used = 0;
	if (d->all)
		extra_unlist(d->all);
	d->all = x;
	return made;
}

static uint32_t add_item(struct qomp_depends *d, struct qomp_item *i, const void *address, enum set_kind kind)
{
	struct qomp_extra *x = i->in.to;

	if (d->all == x)
		return 0;
	if (is_all(address, kind))
		return add_all(d, i);
	struct entry *e = entry_for(d, address);
	bool own = e->set && e->set->in.to == x;
	if (own && (e->kind == kind || e->kind == WRITER))
		return 0;
	if (own || kind == WRITER)
		return begin_writer(e, i);
	if (e->kind != kind)
		begin_set(e, kind);
	return join_set(e, i);
}

static struct qomp_item *items_for(struct qomp_extra *x, size_t n)
{
	if (n <= QOMP_ITEMS_INSIDE)
		return x->item;
	x->more = qti_mem_alloc(n * sizeof(struct qomp_item));
	if (!x->more)
		qomp_fatal("out of memory for the %zu dependences of an OpenMP task", n);
	x->bits |= QOMP_EXTRA_MORE;
	return x->more;
}

/* True if x has nothing to wait for. */
static bool depend_add(struct qomp_frame *f, struct qomp_extra *x, void **depend)
{
	struct clauses c = clauses_of(depend);
	struct qomp_item *item = items_for(x, c.n);
	uint32_t made = 0;

	if (!f->depends)
		f->depends = &table_new()->own;
	begin_waiting(x);
	for (size_t i = 0; i < c.n; i++) {
		enum set_kind kind;
		const void *address = clause_item(&c, i, &kind);
		item[i].in.to = x;
		made += add_item(depends_of(f), &item[i], address, kind);
	}
	if (x->listed != 0)
		x->holders = 2;
	return end_waiting(x, made);
}

bool qomp_depend_add(struct qomp_task *t, void **depend)
{
	struct qomp_extra *x = qomp_extra_of(t);

	if (qomp_tool_here() && t->told) {
		x->told = t->told;
		or_acq_rel(&x->bits, QOMP_EXTRA_TOLD);
	}
	return depend_add(t->frame.parent, x, depend);
}

void qomp_depend_join(struct qomp_frame *f, void **depend)
{
	struct qomp_extra *x = extra_new(NULL);

	if (depend_add(f, x, depend))
		extra_end(x);   /* nobody waits for it yet */
}

/* --- waiting --------------------------------------------------------------------------------------------- */

/* What a task with some clauses would have to wait for, one after the other; false: no need to know the others. */
typedef bool (*visit)(struct qomp_frame *f, struct qomp_extra *x);

static bool each_of_set(struct qomp_frame *f, struct entry *e, enum set_kind kind, visit call)
{
	if (e->gate && (e->kind == kind || e->size == 0) && !call(f, e->gate))
		return false;
	if (e->kind == kind && kind != WRITER)
		return true;
	for (struct qomp_item *i = e->set; i; i = i->older)
		if (!call(f, i->in.to))
			return false;
	return true;
}

static bool each_of_all(struct qomp_frame *f, struct qomp_depends *d, visit call)
{
	for (size_t at = 0; at < (size_t)1 << d->bits; at++)
		if (d->entry[at].kind != UNUSED && !each_of_set(f, &d->entry[at], WRITER, call))
			return false;
	return !d->all || call(f, d->all);
}

static bool each_before(struct qomp_frame *f, void **depend, visit call)
{
	struct qomp_depends *d = depends_of(f);
	struct clauses c = clauses_of(depend);
	bool more = true;

	for (size_t i = 0; d && more && i < c.n; i++) {
		enum set_kind kind;
		const void *address = clause_item(&c, i, &kind);
		struct entry *e = place_of(d, address);
		if (is_all(address, kind))
			more = each_of_all(f, d, call);
		else if (e->kind != UNUSED)
			more = each_of_set(f, e, kind, call);
		else if (d->all)
			more = call(f, d->all);
	}
	return more;
}

/* The last one to end counts. */
static bool wait_for(struct qomp_frame *f, struct qomp_extra *x)
{
	struct qomp_extra self = { .task = SLEEPER, .missing = 1 };
	struct qomp_edge e;

	if (edge_connect(x, &e, &self))
		qomp_task_wait_while(f, &self.missing, 1);
	return true;
}

void qomp_depend_wait(struct qomp_frame *f, void **depend)
{
	each_before(f, depend, wait_for);
	if (qti_races())
		clauses_waited(f, depend);
}

static bool need_not_wait_for(struct qomp_frame *unused, struct qomp_extra *x)
{
	(void)unused;
	return has_ended(x);
}

bool qomp_depend_open(struct qomp_frame *f, void **depend)
{
	return each_before(f, depend, need_not_wait_for);
}
