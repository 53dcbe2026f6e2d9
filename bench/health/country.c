/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The country and what a day does to it. */
#include "health/country.h"

#include <stdlib.h>

/* Park and Miller's "minimal standard" generator, by Schrage's division; Communications of the ACM 31(10), 1988. */
enum { FACTOR = 16807, MODULUS = 2147483647, QUOTIENT = 127773, REMAINDER = 2836, MASK = 123459876 };

static const struct health_country *country;
static struct village *villages;
static struct patient *everybody;
struct village *health_top;

/* The published totals depend on every detail, such as that what is kept is the negated number (the product with the
 * modulus, in 32 bits) and that the comparison is one of floats. */
static float draw(uint32_t *seed)
{
	int32_t x = (int32_t)(*seed ^ MASK);
	int32_t k = x / QUOTIENT;

	x = (int32_t)((uint32_t)FACTOR * (uint32_t)(x - k * QUOTIENT) - (uint32_t)REMAINDER * (uint32_t)k);
	x = (int32_t)((uint32_t)x ^ MASK);
	if (x < 0)
		x = (int32_t)((uint32_t)x + MODULUS);
	*seed = (uint32_t)x * MODULUS;
	return (float)(1.0 / MODULUS) * (float)x;
}

/* ---- Lists of patients */

static void append(struct patients *l, struct patient *p)
{
	p->next = NULL;
	p->prev = l->last;
	if (l->last)
		l->last->next = p;
	else
		l->first = p;
	l->last = p;
}

static void take_out(struct patients *l, struct patient *p)
{
	if (p->prev)
		p->prev->next = p->next;
	else
		l->first = p->next;
	if (p->next)
		p->next->prev = p->prev;
	else
		l->last = p->prev;
}

static void move(struct patients *from, struct patients *to, struct patient *p)
{
	take_out(from, p);
	append(to, p);
}

/* ---- A day */

static void assess(struct village *v, struct patient *p)
{
	v->free--;
	p->left = country->assess_days;
	p->time += p->left;
	append(&v->assessed, p);
}

static void admit(struct village *v, struct patient *p)
{
	p->visits++;
	if (v->free > 0)
		assess(v, p);
	else
		append(&v->waiting, p);
}

/* Several villages below may do so at once; the one above looks when all of them are through. */
static void refer(struct village *to, struct patient *p)
{
	p->next = __atomic_load_n(&to->referred, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		&to->referred, &p->next, p, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static void day_inside(struct village *v)
{
	for (struct patient *p = v->inside.first, *next; p; p = next) {
		next = p->next;
		if (--p->left > 0)
			continue;
		v->free++;
		move(&v->inside, &v->home, p);
	}
}

static void day_assessed(struct village *v)
{
	for (struct patient *p = v->assessed.first, *next; p; p = next) {
		next = p->next;
		if (--p->left > 0)
			continue;
		if (draw(&p->seed) >= country->convalescence) {
			v->free++;
			move(&v->assessed, &v->home, p);
		} else if (draw(&p->seed) > country->referral || !v->above) {
			p->left = country->convalescence_days;
			p->time += p->left;
			move(&v->assessed, &v->inside, p);
		} else {
			v->free++;
			take_out(&v->assessed, p);
			refer(v->above, p);
		}
	}
}

static void day_waiting(struct village *v)
{
	for (struct patient *p = v->waiting.first, *next; p; p = next) {
		next = p->next;
		if (v->free > 0) {
			take_out(&v->waiting, p);
			assess(v, p);
		} else {
			p->time++;
		}
	}
}

/* In the order of their numbers, whatever order they came in. */
static void day_referred(struct village *v)
{
	struct patient *sorted = NULL;

	for (struct patient *p = __atomic_load_n(&v->referred, __ATOMIC_ACQUIRE), *next; p; p = next) {
		struct patient **at = &sorted;
		next = p->next;
		while (*at && (*at)->id < p->id)
			at = &(*at)->next;
		p->next = *at;
		*at = p;
	}
	__atomic_store_n(&v->referred, NULL, __ATOMIC_RELAXED);
	for (struct patient *p = sorted, *next; p; p = next) {
		next = p->next;
		admit(v, p);
	}
}

static void day_home(struct village *v)
{
	for (struct patient *p = v->home.first, *next; p; p = next) {
		next = p->next;
		if (draw(&p->seed) >= country->sickness)
			continue;
		take_out(&v->home, p);
		admit(v, p);
	}
}

void health_before(struct village *v)
{
	day_inside(v);
	day_assessed(v);
	day_waiting(v);
}

void health_after(struct village *v)
{
	day_referred(v);
	day_home(v);
}

void health_day(struct village *v)
{
	for (unsigned i = 0; i < v->nbelow; i++)
		health_day(&v->below[i]);
	health_before(v);
	health_after(v);
}

/* ---- Beginning and end */

/* Where the next villages and patients go. */
struct room {
	struct village *villages;
	struct patient *patients;
};

static void populate(struct village *v, int number, struct room *room)
{
	uint32_t seed = (uint32_t)number * (QUOTIENT + (uint32_t)country->seed);

	v->personnel = v->free = 1 << v->level;
	for (int i = 0; i < v->personnel * country->population; i++) {
		struct patient *p = room->patients++;
		*p = (struct patient){ .id = (int)(p - everybody), .seed = seed };
		draw(&seed);
		append(&v->home, p);
	}
}

static void found(struct village *v, struct village *above, int level, int number, struct room *room)
{
	const unsigned cities = (unsigned)country->cities;

	*v = (struct village){ .level = level, .above = above };
	populate(v, number, room);
	if (level == 1)
		return;
	v->below = room->villages;
	v->nbelow = cities;
	room->villages += cities;
	/* From the last on: the published totals are those of people who are numbered so. */
	for (unsigned i = cities; i > 0; i--)
		found(&v->below[i - 1], v, level - 1, (int)((uint32_t)number * cities + i), room);
}

struct health_totals health_size(const struct health_country *c)
{
	struct health_totals t = { 0 };
	double at_level = 1;

	for (int level = c->levels; level > 0; level--, at_level *= c->cities) {
		t.hospitals += at_level;
		t.personnel += at_level * (1 << level);
	}
	t.population = t.personnel * c->population;
	return t;
}

bool health_begin(const struct health_country *c)
{
	struct health_totals size = health_size(c);

	if (!villages) {
		villages = aligned_alloc(_Alignof(struct village), (size_t)size.hospitals * sizeof(*villages));
		everybody = malloc((size_t)size.population * sizeof(*everybody));
	}
	if (!villages || !everybody)
		return false;
	country = c;
	health_top = villages;
	found(villages, NULL, c->levels, 0, &(struct room){ villages + 1, everybody });
	return true;
}

static double add_up(const struct patients *l, struct health_totals *t, double *time)
{
	double n = 0;

	for (const struct patient *p = l->first; p; p = p->next) {
		n++;
		t->checkins += p->visits;
		*time += p->time;
	}
	t->population += n;
	return n;
}

struct health_totals health_end(void)
{
	struct health_totals t = { 0 };
	double time = 0;

	t.hospitals = health_size(country).hospitals;
	for (const struct village *v = villages; v < villages + (size_t)t.hospitals; v++) {
		t.personnel += v->personnel;
		t.home += add_up(&v->home, &t, &time);
		t.waiting += add_up(&v->waiting, &t, &time);
		t.assessed += add_up(&v->assessed, &t, &time);
		t.inside += add_up(&v->inside, &t, &time);
	}
	t.stay = time / t.population;
	return t;
}
