/* omp/env/places.c -- see omp/env/places.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/env/places.h"

#include "base/env.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES_MAX = 65536 };            /* more than anybody means */

struct qomp_places qomp_places;

struct set {
	uint64_t bits[QTI_CPUS_MAX / 64];
};

/* Sets in the making: CPUs that the process may not use are still in them. */
struct draft {
	struct set *set;
	unsigned n, room;
};

static bool set_has(const struct set *s, uint64_t cpu)
{
	return s->bits[cpu / 64] >> (cpu % 64) & 1;
}

static void set_put(struct set *s, uint64_t cpu)
{
	s->bits[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

static void set_drop(struct set *s, uint64_t cpu)
{
	s->bits[cpu / 64] &= ~(UINT64_C(1) << (cpu % 64));
}

static bool cpu_exists(int64_t cpu)
{
	return cpu >= 0 && cpu < QTI_CPUS_MAX;
}

/* A copy of s that is the last set from now on.  False when out of memory, or if there are too many. */
static bool draft_append(struct draft *d, const struct set *s)
{
	if (d->n == d->room) {
		unsigned room = d->room ? 2 * d->room : 16;
		struct set *more = room <= PLACES_MAX ? qti_mem_alloc(room * sizeof(*more)) : NULL;

		if (!more)
			return false;
		if (d->n > 0)
			memcpy(more, d->set, d->n * sizeof(*more));
		qti_mem_free(d->set);
		d->set = more;
		d->room = room;
	}
	d->set[d->n++] = *s;
	return true;
}

static bool draft_append_cpu(struct draft *d, uint64_t cpu)
{
	struct set one = { { 0 } };

	set_put(&one, cpu);
	return draft_append(d, &one);
}

/* False if it is not there. */
static bool draft_remove(struct draft *d, const struct set *s)
{
	unsigned kept = 0, n = d->n;

	for (unsigned i = 0; i < n; i++)
		if (memcmp(&d->set[i], s, sizeof(*s)) != 0)
			d->set[kept++] = d->set[i];
	d->n = kept;
	return kept < n;
}

/* ---- From draft to list ----------------------------------------------------------------------------------------- */

static unsigned restrict_to(struct set *s, const struct qti_affinity *allowed)
{
	unsigned n = 0;

	for (unsigned i = 0; i < QTI_CPUS_MAX / 64; i++) {
		s->bits[i] &= allowed->bits[i];
		n += (unsigned)__builtin_popcountll(s->bits[i]);
	}
	return n;
}

static void fill_in(struct qomp_places *p, const struct draft *d)
{
	unsigned at = 0;

	for (unsigned i = 0; i < d->n; i++) {
		p->first[i] = at;
		for (unsigned cpu = 0; cpu < QTI_CPUS_MAX; cpu++)
			if (set_has(&d->set[i], cpu))
				p->cpu[at++] = cpu;
	}
	p->first[d->n] = at;
}

void qomp_places_free(void)
{
	qti_mem_free(qomp_places.first);
	qti_mem_free(qomp_places.cpu);
	qomp_places = (struct qomp_places){ 0 };
}

/* The draft's end: what is in it and can be used becomes the list. */
static bool draft_publish(struct draft *d, const struct qti_affinity *allowed)
{
	struct qomp_places p = { 0 };
	unsigned asked = d->n, cpus = 0;

	d->n = 0;
	for (unsigned i = 0; i < asked; i++) {
		unsigned usable = restrict_to(&d->set[i], allowed);

		if (usable > 0)
			d->set[d->n++] = d->set[i];
		cpus += usable;
	}
	if (d->n > 0) {
		p.n = d->n;
		p.first = qti_mem_alloc((d->n + 1) * sizeof(*p.first));
		p.cpu = qti_mem_alloc(cpus * sizeof(*p.cpu));
	}
	if (!p.first || !p.cpu) {
		qti_mem_free(p.first);
		qti_mem_free(p.cpu);
		return false;
	}
	fill_in(&p, d);
	if (d->n < asked && qti_env_trusted())
		qomp_warn("%u of %u places have no CPU that this process may use and are left out", asked - d->n,
			asked);
	qomp_places_free();
	qomp_places = p;
	return true;
}

static bool draft_finish(struct draft *d, bool complete, const struct qti_affinity *allowed)
{
	bool done = complete && draft_publish(d, allowed);

	qti_mem_free(d->set);
	return done;
}

/* ---- Lists of places -------------------------------------------------------------------------------------------- */

/* [: length [: stride]] */
static bool read_interval(const char **text, uint64_t *length, int64_t *stride)
{
	*length = 1;
	*stride = 1;
	if (!qomp_read_char(text, ':'))
		return true;
	if (!qomp_read_number(text, PLACES_MAX, length) || *length == 0)
		return false;
	return !qomp_read_char(text, ':') || qomp_read_signed(text, PLACES_MAX, stride);
}

static bool read_cpu(const char **text, uint64_t *cpu)
{
	return qomp_read_number(text, QTI_CPUS_MAX - 1, cpu);
}

static bool read_cpus(const char **text, struct set *s)
{
	bool drop = qomp_read_char(text, '!');
	uint64_t cpu, length;
	int64_t stride;

	if (!read_cpu(text, &cpu))
		return false;
	if (drop) {
		bool had = set_has(s, cpu);

		set_drop(s, cpu);
		return had;
	}
	if (!read_interval(text, &length, &stride))
		return false;
	for (int64_t at = (int64_t)cpu; length > 0; length--, at += stride) {
		if (!cpu_exists(at))
			return false;
		set_put(s, (uint64_t)at);
	}
	return true;
}

static bool read_set(const char **text, struct set *s)
{
	uint64_t cpu;

	memset(s, 0, sizeof(*s));
	if (!qomp_read_char(text, '{')) {
		if (!read_cpu(text, &cpu))
			return false;
		set_put(s, cpu);
		return true;
	}
	do
		if (!read_cpus(text, s))
			return false;
	while (qomp_read_char(text, ','));
	return qomp_read_char(text, '}');
}

/* False if a CPU's number would be none. */
static bool set_shift(struct set *s, int64_t by)
{
	struct set moved = { { 0 } };

	for (unsigned i = 0; i < QTI_CPUS_MAX / 64; i++)
		for (uint64_t left = s->bits[i]; left; left &= left - 1) {
			const int64_t cpu = (int64_t)i * 64 + __builtin_ctzll(left);
			if (!cpu_exists(cpu + by))
				return false;
			set_put(&moved, (uint64_t)(cpu + by));
		}
	*s = moved;
	return true;
}

static bool read_sets(const char **text, struct draft *d)
{
	bool drop = qomp_read_char(text, '!');
	uint64_t length;
	int64_t stride;
	struct set s;

	if (!read_set(text, &s))
		return false;
	if (drop)
		return draft_remove(d, &s);
	if (!read_interval(text, &length, &stride))
		return false;
	for (; length > 0; length--)
		if (!draft_append(d, &s) || (length > 1 && !set_shift(&s, stride)))
			return false;
	return true;
}

/* ---- Names of places -------------------------------------------------------------------------------------------- */

/* Which group a PU belongs to: equal numbers are one place. */
static int group_of(const struct qti_pu *pu, enum qomp_group_kind kind)
{
	int alone = -2 - pu->group[QTI_LEVEL_PU];

	switch (kind) {
	case QOMP_BY_THREAD:
		break;
	case QOMP_BY_CORE:
		return pu->group[QTI_LEVEL_CORE] >= 0 ? pu->group[QTI_LEVEL_CORE] : alone;
	case QOMP_BY_CACHE:
		for (int level = QTI_LEVEL_L4; level >= QTI_LEVEL_L1; level--)
			if (pu->group[level] >= 0)
				return level * QTI_CPUS_MAX + pu->group[level];
		return pu->group[QTI_LEVEL_SOCKET];
	case QOMP_BY_NODE:
		return pu->group[QTI_LEVEL_NUMA];
	case QOMP_BY_SOCKET:
		return pu->group[QTI_LEVEL_SOCKET];
	}
	return alone;
}

static bool group_comes_first(const struct qti_topo *t, unsigned pu, enum qomp_group_kind kind)
{
	for (unsigned i = 0; i < pu; i++)
		if (group_of(&t->pu[i], kind) == group_of(&t->pu[pu], kind))
			return false;
	return true;
}

bool qomp_places_group(const struct qti_topo *t, enum qomp_group_kind kind, unsigned n,
                       const struct qti_affinity *allowed)
{
	struct draft d = { 0 };
	bool enough = true;

	for (unsigned i = 0; enough && i < t->npus && d.n < n; i++) {
		struct set s = { { 0 } };

		if (!group_comes_first(t, i, kind))
			continue;
		for (unsigned j = i; j < t->npus; j++)
			if (cpu_exists(t->pu[j].os) && group_of(&t->pu[j], kind) == group_of(&t->pu[i], kind))
				set_put(&s, t->pu[j].os);
		enough = draft_append(&d, &s);
	}
	return draft_finish(&d, enough, allowed);
}

/* name [( number )] */
static bool read_group(const char *text, int kind, const struct qti_affinity *allowed)
{
	const unsigned levels = 1u << QTI_LEVEL_CORE | 1u << QTI_LEVEL_L1 | 1u << QTI_LEVEL_L2 | 1u << QTI_LEVEL_L3 |
		1u << QTI_LEVEL_L4 | 1u << QTI_LEVEL_SOCKET | 1u << QTI_LEVEL_NUMA;
	uint64_t n = PLACES_MAX;
	struct qti_topo topo;

	if (qomp_read_char(&text, '(') &&
		(!qomp_read_number(&text, UINT64_MAX, &n) || n == 0 || !qomp_read_char(&text, ')')))
		return false;
	if (!qomp_read_end(text) || qti_topo_load(&topo, levels) != 0)
		return false;
	if (n > PLACES_MAX)
		n = PLACES_MAX;
	bool done = qomp_places_group(&topo, (enum qomp_group_kind)kind, (unsigned)n, allowed);
	qti_topo_free(&topo);
	return done;
}

bool qomp_places_read(const char *text, const struct qti_affinity *allowed)
{
	static const char *const names[] = { "threads", "cores", "ll_caches", "numa_domains", "sockets", NULL };
	int kind = qomp_read_one_of(&text, names);
	struct draft d = { 0 };
	bool good;

	if (kind >= 0)
		return read_group(text, kind, allowed);
	do
		good = read_sets(&text, &d);
	while (good && qomp_read_char(&text, ','));
	return draft_finish(&d, good && qomp_read_end(text), allowed);
}

/* This variable is older than OpenMP's places, and its numbers are C's. */
static bool read_c_cpu(const char **text, uint64_t *cpu)
{
	const char *p = *text + strspn(*text, " \t");
	char *end;

	if (*p < '0' || *p > '9')
		return false;
	*cpu = strtoull(p, &end, 0);
	*text = end;
	return *cpu < QTI_CPUS_MAX;
}

/* first [- last [: stride]], each CPU a place of its own */
static bool read_range(const char **text, struct draft *d)
{
	uint64_t cpu, last, stride = 1;

	if (!read_c_cpu(text, &cpu))
		return false;
	last = cpu;
	if (qomp_read_char(text, '-')) {
		if (!read_c_cpu(text, &last) || last < cpu)
			return false;
		if (qomp_read_char(text, ':') && (!qomp_read_number(text, QTI_CPUS_MAX, &stride) || stride == 0))
			return false;
	}
	for (; cpu <= last; cpu += stride)
		if (!draft_append_cpu(d, cpu))
			return false;
	return true;
}

bool qomp_places_read_cpus(const char *text, const struct qti_affinity *allowed)
{
	struct draft d = { 0 };
	bool good, more;

	do {
		good = read_range(&text, &d);
		more = qomp_read_char(&text, ',') || !qomp_read_end(text);
	} while (good && more);
	return draft_finish(&d, good, allowed);
}

/* ---- Showing ---------------------------------------------------------------------------------------------------- */

void qomp_places_show(struct qomp_text *out)
{
	for (unsigned i = 0; i < qomp_places.n; i++) {
		const unsigned *cpu = qomp_place_cpus(i);
		unsigned size = qomp_place_size(i);

		qomp_text_add(out, "%s{", i ? "," : "");
		for (unsigned at = 0, run; at < size; at += run) {
			for (run = 1; at + run < size && cpu[at + run] == cpu[at] + run;)
				run++;
			qomp_text_add(out, run > 1 ? "%s%u:%u" : "%s%u", at ? "," : "", cpu[at], run);
		}
		qomp_text_add(out, "}");
	}
}

void qomp_place_mask(unsigned place, struct qti_affinity *mask)
{
	const unsigned *cpu = qomp_place_cpus(place);

	memset(mask, 0, sizeof(*mask));
	mask->valid = true;
	for (unsigned i = 0; i < qomp_place_size(place); i++)
		mask->bits[cpu[i] / 64] |= UINT64_C(1) << (cpu[i] % 64);
}
