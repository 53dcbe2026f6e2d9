/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine.h"

#include "base/atomic.h"
#include "base/tuning.h"
#include "core/here.h"
#include "machine/context.h"
#include "sim/lines.h"
#include "sim/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIBER_BYTES = 64 << 10, BEGIN_PS = 1000000 };

/* Fibers begin at different places of their stacks, so that they do not all use the same sets of the host's caches. */
enum { FIBER_STEP = 192, FIBER_PLACES = 64 };

struct cpu {
	uint64_t now;
	uint64_t drained;               /* when its stores so far are all visible */
	uint64_t owed;                  /* interrupts that it has yet to serve */
	void *context;                  /* while another one runs */
	struct qti_worker *worker;
	const uint32_t *asleep_on;      /* NULL: awake */
	enum sim_part part;
	uint64_t spent[SIM_PARTS];
	char *stack;
};

static struct {
	struct cpu cpu[SIM_CPUS_MAX];
	unsigned n;
	struct cpu *current;
	struct cpu *ready[SIM_CPUS_MAX];        /* a heap: all that are awake, but for the current one */
	unsigned nready;
	void (*thread)(unsigned cpu);
	void *outside;                          /* sim_run's caller */
	unsigned ended;
	uint64_t digest;
	uint64_t ahead;                         /* a line takes longer from the nearest other one */
} sim;

const char *const sim_part_names[SIM_PARTS] = { "busy", "queue", "steal", "idle", "switch" };
struct sim_events sim_events;
unsigned long sim_seed;

/* --- who is next ----------------------------------------------------------------------------------------- */

static bool before(const struct cpu *a, const struct cpu *b)
{
	return a->now != b->now ? a->now < b->now : a < b;
}

static void sift_down(unsigned i)
{
	struct cpu *moved = sim.ready[i];

	for (unsigned child; (child = 2 * i + 1) < sim.nready; i = child) {
		if (child + 1 < sim.nready && before(sim.ready[child + 1], sim.ready[child]))
			child++;
		if (!before(sim.ready[child], moved))
			break;
		sim.ready[i] = sim.ready[child];
	}
	sim.ready[i] = moved;
}

static void make_ready(struct cpu *c)
{
	unsigned i = sim.nready++;

	for (; i > 0 && before(c, sim.ready[(i - 1) / 2]); i = (i - 1) / 2)
		sim.ready[i] = sim.ready[(i - 1) / 2];
	sim.ready[i] = c;
}

static struct cpu *take_earliest(void)
{
	struct cpu *c = sim.ready[0];

	sim.ready[0] = sim.ready[--sim.nready];
	if (sim.nready)
		sift_down(0);
	return c;
}

/* --- from one to another --------------------------------------------------------------------------------- */

static void arrived(struct qti_arrival a)
{
	struct cpu *left = a.data;

	if (left)
		left->context = a.from;
	else
		sim.outside = a.from;
}

static void jump_to(struct cpu *to)
{
	struct cpu *from = sim.current;

	sim.current = to;
	sim_events.switches_of_cpu++;
	qti_self_set(to->worker);
	arrived(qti_ctx_jump(to->context, from));
}

/* Interrupts that came while it did something else. */
static void pay(struct cpu *c)
{
	c->now += c->owed;
	c->spent[SIM_QUEUE] += c->owed;
	c->owed = 0;
}

/* Before each step: whoever is earlier goes first. */
static inline void step_begin(void)
{
	struct cpu *c = sim.current;

	for (;;) {
		if (qti_unlikely(c->owed))
			pay(c);
		if (sim.nready == 0 || before(c, sim.ready[0]))
			return;
		struct cpu *next = sim.ready[0];
		c->worker = qti_self();
		sim.ready[0] = c;
		sift_down(0);
		jump_to(next);
	}
}

/* Before a look at a line that it has: what others store is not seen before it has come here, so who is a little ahead
 * goes on.  Many processors that look for work take turns a tenth as often for that. */
static inline bool may_go_on(void)
{
	const struct cpu *c = sim.current;

	return !qti_unlikely(c->owed) && (sim.nready == 0 || c->now < sim.ready[0]->now + sim.ahead);
}

/* The current one does not go on by itself. */
static void leave(void)
{
	sim.current->worker = qti_self();
	if (sim.nready > 0) {
		jump_to(take_earliest());
		return;
	}
	struct cpu *from = sim.current;
	qti_self_set(NULL);
	arrived(qti_ctx_jump(sim.outside, from));
}

static void fiber(struct qti_arrival a)
{
	arrived(a);
	sim.thread(sim_cpu());
	sim.ended++;
	sim.current->asleep_on = NULL;
	leave();
	abort();
}

/* What the line of another processor takes at least; 0: there is none. */
static uint64_t nearest_line(unsigned n)
{
	uint64_t least = n > 1 ? UINT64_MAX : 0;

	for (unsigned i = 1; i < n; i++) {
		uint64_t takes = sim_cost[SIM_LINE + sim_distance(0, i)];
		least = takes < least ? takes : least;
	}
	return least;
}

bool sim_run(unsigned n, void (*thread)(unsigned cpu))
{
	memset(&sim, 0, sizeof(sim));
	memset(&sim_events, 0, sizeof(sim_events));
	sim.n = n;
	sim.thread = thread;
	sim.digest = UINT64_C(14695981039346656037);
	sim.ahead = nearest_line(n);
	qti_fence_asymmetric = n <= sim_light_fences;   /* as base/fence.c has it */
	for (unsigned i = 0; i < n; i++) {
		struct cpu *c = &sim.cpu[i];
		c->part = SIM_IDLE;
		c->now = sim_seed ? sim_mix(sim_seed, i) % BEGIN_PS : 0;
		c->stack = malloc(FIBER_BYTES);
		if (!c->stack)
			abort();
		size_t bytes = FIBER_BYTES - i % FIBER_PLACES * FIBER_STEP;
		c->context = qti_ctx_make(c->stack + bytes, bytes, fiber);
		make_ready(c);
	}
	sim.current = NULL;
	jump_to(take_earliest());
	sim.current = NULL;
	for (unsigned i = 0; i < n; i++)
		free(sim.cpu[i].stack);
	return sim.ended == n;
}

/* --- time ------------------------------------------------------------------------------------------------ */

unsigned sim_cpu(void)
{
	return (unsigned)(sim.current - sim.cpu);
}

uint64_t sim_now(void)
{
	return sim.current->now;
}

void sim_spend(enum sim_part part, uint64_t ps)
{
	sim.current->now += ps;
	sim.current->spent[part] += ps;
}

enum sim_part sim_turn_to(enum sim_part part)
{
	enum sim_part was = sim.current->part;

	sim.current->part = part;
	return was;
}

void sim_spent(unsigned cpu, uint64_t spent[SIM_PARTS])
{
	const struct cpu *c = &sim.cpu[cpu];

	memcpy(spent, c->spent, sizeof(c->spent));
	if (c->asleep_on && c->now < sim_now())
		spent[SIM_IDLE] += sim_now() - c->now;
}

uint64_t sim_digest(void)
{
	return sim.digest;
}

void sim_note(uint64_t what)
{
	sim.digest = (sim.digest ^ what) * UINT64_C(1099511628211);
	sim.digest = (sim.digest ^ sim_cpu()) * UINT64_C(1099511628211);
	sim.digest = (sim.digest ^ sim_now()) * UINT64_C(1099511628211);
}

static void charge(uint64_t ps)
{
	sim_spend(sim.current->part, ps);
}

static void charge_until(uint64_t time)
{
	if (time > sim.current->now)
		charge(time - sim.current->now);
}

/* --- memory ---------------------------------------------------------------------------------------------- */

static void count_line(enum sim_distance far)
{
	if (far < SIM_DISTANCES) {
		sim_events.lines[far]++;
		sim_note(far);
	}
}

static void do_read(const void *word)
{
	enum sim_distance far;

	charge_until(sim_line_read(sim_cpu(), word, sim.current->now, &far));
	charge(sim_cost[SIM_HIT]);
	count_line(far);
}

/* It goes on at once: what it stored is on its way. */
static void do_write(const void *word)
{
	enum sim_distance far;
	uint64_t there = sim_line_write(sim_cpu(), word, sim.current->now, &far);

	if (there > sim.current->drained)
		sim.current->drained = there;
	charge(sim_cost[SIM_HIT]);
	count_line(far);
}

static void do_locked(const void *word)
{
	enum sim_distance far;

	charge_until(sim.current->drained);
	charge_until(sim_line_write(sim_cpu(), word, sim.current->now, &far));
	charge(sim_cost[SIM_LOCKED]);
	sim_events.locked++;
	count_line(far);
}

static uint64_t get(const void *word, size_t size)
{
	switch (size) {
	case 1:
		return *(const volatile uint8_t *)word;
	case 2:
		return *(const volatile uint16_t *)word;
	case 4:
		return *(const volatile uint32_t *)word;
	default:
		return *(const volatile uint64_t *)word;
	}
}

static void put(void *word, size_t size, uint64_t value)
{
	switch (size) {
	case 1:
		*(volatile uint8_t *)word = (uint8_t)value;
		break;
	case 2:
		*(volatile uint16_t *)word = (uint16_t)value;
		break;
	case 4:
		*(volatile uint32_t *)word = (uint32_t)value;
		break;
	default:
		*(volatile uint64_t *)word = value;
	}
}

void sim_meet(void)
{
	step_begin();
}

void sim_touch(const void *word, bool write)
{
	step_begin();
	if (write)
		do_write(word);
	else
		do_read(word);
}

void sim_plain(const void *word, bool write)
{
	if (sim.current && !sim_line_has(sim_cpu(), word, write))
		sim_touch(word, write);
}

/* Before and after a run there are no processors, and steps are plain accesses. */

uint64_t step_load(const void *word, size_t size, enum step_order order)
{
	(void)order;
	if (!sim.current)
		return get(word, size);
	if (may_go_on() && sim_line_has(sim_cpu(), word, false)) {
		charge(sim_cost[SIM_HIT]);
		return get(word, size);
	}
	step_begin();
	uint64_t value = get(word, size);
	do_read(word);
	return value;
}

void step_store(void *word, size_t size, uint64_t value, enum step_order order)
{
	if (!sim.current) {
		put(word, size, value);
		return;
	}
	step_begin();
	put(word, size, value);
	if (order == STEP_SEQ_CST)
		do_locked(word);
	else
		do_write(word);
}

static uint64_t locked(void *word, size_t size)
{
	if (sim.current) {
		step_begin();
		do_locked(word);
	}
	return get(word, size);
}

uint64_t step_swap(void *word, size_t size, uint64_t value, enum step_order order)
{
	uint64_t old = locked(word, size);

	(void)order;
	put(word, size, value);
	return old;
}

uint64_t step_add(void *word, size_t size, uint64_t value, enum step_order order)
{
	uint64_t old = locked(word, size);

	(void)order;
	put(word, size, old + value);
	return old;
}

uint64_t step_or(void *word, size_t size, uint64_t value, enum step_order order)
{
	uint64_t old = locked(word, size);

	(void)order;
	put(word, size, old | value);
	return old;
}

uint64_t step_and(void *word, size_t size, uint64_t value, enum step_order order)
{
	uint64_t old = locked(word, size);

	(void)order;
	put(word, size, old & value);
	return old;
}

bool step_cas(void *word, size_t size, void *seen, uint64_t value, enum step_order order)
{
	uint64_t old = locked(word, size);

	(void)order;
	if (old != get(seen, size)) {
		put(seen, size, old);
		return false;
	}
	put(word, size, value);
	return true;
}

/* --- fences ---------------------------------------------------------------------------------------------- */

bool qti_fence_asymmetric = true;
unsigned long sim_light_fences = TUNE_LIGHT_CPUS;

void qti_fence_setup(void)
{
}

void step_fence(void)
{
	if (!sim.current)
		return;
	step_begin();
	charge_until(sim.current->drained);
	charge(sim_cost[SIM_FENCE]);
}

void step_fence_light(void)
{
	if (!qti_fence_asymmetric)
		step_fence();
}

/* Every CPU that runs a thread of the process is interrupted; the others are in the kernel or idle. */
void qti_fence_heavy(void)
{
	step_fence();
	if (!sim.current || !qti_fence_asymmetric)
		return;
	unsigned awake = sim.nready;
	for (unsigned i = 0; i < sim.nready; i++)
		sim.ready[i]->owed += sim_cost[SIM_INTERRUPT];
	sim_events.heavy++;
	sim_note(awake);
	charge(sim_cost[SIM_HEAVY] + awake * sim_cost[SIM_HEAVY_EACH]);
	step_begin();
}

void step_pause(void)
{
	charge(sim_cost[SIM_PAUSE]);
}

int sched_yield(void)
{
	charge(sim_cost[SIM_YIELD]);
	return 0;
}

/* --- sleeping -------------------------------------------------------------------------------------------- */

uint64_t step_now_ns(void)
{
	return sim_now() / 1000;
}

void step_wait(const uint32_t *word, uint32_t expected, uint64_t deadline)
{
	struct cpu *c = sim.current;

	if (deadline != UINT64_MAX)
		abort();                /* nothing that is simulated asks for it */
	charge(sim_cost[SIM_SLEEP]);
	if (step_load(word, sizeof(*word), STEP_ACQUIRE) != expected)
		return;
	sim_events.parks++;
	c->asleep_on = word;
	leave();
}

void step_wake(const uint32_t *word, int threads)
{
	step_begin();
	charge(sim_cost[SIM_WAKE]);
	for (unsigned i = 0; i < sim.n && threads > 0; i++) {
		struct cpu *c = &sim.cpu[i];
		uint64_t at = sim_now() + sim_cost[SIM_ARRIVE];
		if (c->asleep_on != word)
			continue;
		c->asleep_on = NULL;
		c->spent[SIM_IDLE] += at > c->now ? at - c->now : 0;
		c->now = at > c->now ? at : c->now;
		make_ready(c);
		sim_events.wakes++;
		sim_note(i);
		threads--;
	}
}
