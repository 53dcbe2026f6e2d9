/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* health, sort and strassen: recursions over data, which tasks bring to where they run.  Nanoseconds are those
 * of the serial twins, --size quick, less what the model of data.c takes for data in the processor's own cache. */
#include "sim/tree.h"

/* --- health: a day of every village, those below before what comes from them ---------------------------------- */

#define PERSON_DAY 4.3
enum { CITIES = 14, PEOPLE = 10, PERSON_BYTES = 64, SPLIT = 2 };

struct village {
	struct sim_child child;
	unsigned level, number;         /* level 0 is the top */
};

static unsigned long levels;

static uint64_t people_of(unsigned level)
{
	return PEOPLE * (UINT64_C(1) << (levels - level));
}

/* Level by level. */
static uint64_t place_of(unsigned level, uint64_t number)
{
	uint64_t at = 0, villages = 1;

	for (unsigned above = 0; above < level; above++, villages *= CITIES)
		at += villages * people_of(above) * PERSON_BYTES;
	return at + number * people_of(level) * PERSON_BYTES;
}

static void live(const struct village *v, double share)
{
	uint64_t people = people_of(v->level);
	double luck = 0.5 + (double)(sim_mix(v->number, v->level) >> 11) * 0x1p-53;     /* who is ill is chance */

	sim_data(place_of(v->level, v->number), people * PERSON_BYTES, SIM_WRITE | SIM_LIST);
	sim_work(PERSON_DAY * (double)people * luck * share);
}

static void village_serial(const struct village *v)
{
	if (v->level + 1 < levels)
		for (unsigned i = 0; i < CITIES; i++)
			village_serial(&(struct village){ .level = v->level + 1, .number = v->number * CITIES + i });
	live(v, 1);
}

static void village_day(void *arg)
{
	struct village *v = arg, below[CITIES];

	if (v->level >= SPLIT || v->level + 1 == levels) {
		village_serial(v);
		return;
	}
	for (unsigned i = 0; i < CITIES; i++) {
		below[i].level = v->level + 1;
		below[i].number = v->number * CITIES + i;
		sim_fork(&below[i].child, village_day, &below[i]);
	}
	live(v, 0.5);
	for (unsigned i = CITIES; i-- > 0;)
		sim_wait(&below[i].child);
	live(v, 0.5);
}

static void health_run(unsigned long n, unsigned long cut)
{
	levels = n;
	sim_data_made(0, place_of((unsigned)n, 0));
	for (unsigned long day = 0; day < cut; day++)
		village_day(&(struct village){ .level = 0 });
}

const struct sim_tree sim_health = { "health", "levels, days", 5, 6, 3, 3, health_run };

/* --- sort: four quarters, merged in pairs, merged ---------------------------------------------------------- */

#define NUMBER_LEVEL 2.5
enum { NUMBER = 4 };

struct range {
	struct sim_child child;
	uint64_t at, n;
};

static unsigned long grain, whole;

static void merge(void *arg)
{
	struct range *r = arg, part[2];

	if (r->n <= grain) {
		sim_data(r->at * NUMBER, r->n * NUMBER, SIM_READ);
		sim_data((whole + r->at) * NUMBER, r->n * NUMBER, SIM_WRITE);
		sim_work(NUMBER_LEVEL * (double)r->n);
		return;
	}
	for (unsigned i = 0; i < 2; i++) {
		part[i].at = r->at + i * (r->n / 2);
		part[i].n = r->n / 2;
		sim_fork(&part[i].child, merge, &part[i]);
	}
	for (unsigned i = 2; i-- > 0;)
		sim_wait(&part[i].child);
}

static void fork_parts(struct range *part, unsigned n, const struct range *of, void (*body)(void *arg))
{
	for (unsigned i = 0; i < n; i++) {
		part[i].at = of->at + i * (of->n / n);
		part[i].n = of->n / n;
		sim_fork(&part[i].child, body, &part[i]);
	}
	for (unsigned i = n; i-- > 0;)
		sim_wait(&part[i].child);
}

static void sort(void *arg)
{
	struct range *r = arg, part[4];

	if (r->n <= grain) {
		unsigned passes = 1;
		while (r->n >> passes > 1)
			passes++;
		sim_data(r->at * NUMBER, r->n * NUMBER, SIM_WRITE);
		sim_work(NUMBER_LEVEL * (double)r->n * passes);
		return;
	}
	fork_parts(part, 4, r, sort);
	fork_parts(part, 2, r, merge);
	merge(r);
}

static void sort_run(unsigned long n, unsigned long cut)
{
	whole = n;
	grain = cut;
	sim_data_made(0, n * NUMBER);
	sort(&(struct range){ .n = n });
}

const struct sim_tree sim_sort = {
	"sort", "numbers, those sorted at once", 1 << 24, 1 << 15, 1 << 16, 1 << 11, sort_run
};

/* --- strassen: sums, seven products, sums ------------------------------------------------------------------- */

#define MULTIPLY_ADD 0.15               /* 39.6 us a product of 64 x 64 */
#define SUM 0.3
enum { PRODUCTS = 7, DOUBLE = 8, PLACES = 4 };

struct product {
	struct sim_child child;
	uint64_t a, b, c;               /* where they lie */
	unsigned long n;
	unsigned level;
};

static unsigned long base;
static uint64_t next_place;

static uint64_t room_for(uint64_t bytes)
{
	uint64_t at = next_place;

	next_place += bytes;
	return at;
}

/* As bench/strassen/kernel.c: eight sums of quarters, seven products, four of which are left in the quarters of C, and
 * their sums.  Quarters lie in the order 11, 12, 21, 22; S is a sum, C a quarter of C, else it is one of A or B. */
enum { SUMS = 8, OWN = 3, S = 4, C = 4 };
static const struct {
	unsigned a, b, c;               /* from S on: a sum; from C on: room of the product's own */
} factors[PRODUCTS] = {
	{ 0, 0, C }, { 1, 2, 0 }, { S + 3, 3, 1 }, { 3, S + 3, 2 }, { S, S, 3 }, { S + 1, S + 1, C + 1 },
	{ S + 2, S + 2, C + 2 },
};

/* Quarter number i of a matrix, or one of those that begin at `room`. */
static uint64_t quarter(uint64_t matrix, uint64_t room, unsigned i, uint64_t bytes)
{
	return i < PLACES ? matrix + i * bytes : room + (i - PLACES) * bytes;
}

static void multiply(void *arg)
{
	struct product *p = arg, part[PRODUCTS];
	unsigned long half = p->n / 2;
	uint64_t bytes = half * half * DOUBLE, sums, own;

	if (p->n <= base) {
		sim_data(p->a, p->n * p->n * DOUBLE, SIM_READ);
		sim_data(p->b, p->n * p->n * DOUBLE, SIM_READ);
		sim_data(p->c, p->n * p->n * DOUBLE, SIM_WRITE);
		sim_work(MULTIPLY_ADD * (double)p->n * (double)p->n * (double)p->n);
		return;
	}
	sums = room_for((SUMS + OWN) * bytes);
	own = sums + SUMS * bytes;
	for (unsigned i = 0; i < PRODUCTS; i++) {
		part[i].n = half;
		part[i].a = quarter(p->a, sums, factors[i].a, bytes);
		part[i].b = quarter(p->b, sums + SUMS / 2 * bytes, factors[i].b, bytes);
		part[i].c = quarter(p->c, own, factors[i].c, bytes);
	}
	sim_data(p->a, PLACES * bytes, SIM_READ);
	sim_data(p->b, PLACES * bytes, SIM_READ);
	sim_data(sums, SUMS * bytes, SIM_WRITE);
	sim_work(SUM * SUMS * (double)half * (double)half);
	for (unsigned i = 0; i < PRODUCTS; i++)
		sim_fork(&part[i].child, multiply, &part[i]);
	for (unsigned i = PRODUCTS; i-- > 0;)
		sim_wait(&part[i].child);
	sim_data(own, OWN * bytes, SIM_READ);
	sim_data(p->c, PLACES * bytes, SIM_WRITE);
	sim_work(SUM * PRODUCTS * (double)half * (double)half);
}

static void strassen_run(unsigned long n, unsigned long cut)
{
	struct product all = { .n = n };

	base = cut;
	next_place = 0;
	all.a = room_for(n * n * DOUBLE);
	all.b = room_for(n * n * DOUBLE);
	sim_data_made(0, next_place);
	all.c = room_for(n * n * DOUBLE);
	multiply(&all);
}

const struct sim_tree sim_strassen = {
	"strassen", "side of the matrix, of what is multiplied at once", 2048, 64, 256, 64, strassen_run
};
