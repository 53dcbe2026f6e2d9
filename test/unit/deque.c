/* test/unit/deque.c -- sched/deque.h, one step at a time, and against a model of it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Owner and thief are one thread here; test/stress/deque.c has them run at once.
 */
#include "base/tuning.h"
#include "sched/deque.h"
#include "stress/stress.h"
#include "fault.h"

enum { NTASKS = 256, RING = 8, MODEL_STEPS = 20000 };

static char memory[NTASKS][sizeof(struct qti_task)] QTI_ALIGNED_LINE;
static int words[NTASKS]; /* word i is the return word of task i */
static struct qti_deque d;

static struct qti_task *task(unsigned i)
{
	struct qti_task *t = (struct qti_task *)(void *)memory[i];

	t->ret = &words[i];
	return t;
}

/* -1: none. */
static int number(const struct qti_task *t)
{
	return t ? (int)((const char(*)[sizeof(struct qti_task)])(const void *)t - memory) : -1;
}

static void begin(unsigned capacity, unsigned limit)
{
	if (qti_deque_init(&d, capacity, limit) != QTHREAD_SUCCESS)
		bail_out("no memory for a deque of %u", capacity);
}

static void end(void)
{
	qti_deque_fini(&d);
}

/* Tasks from .. to - 1; how many found room. */
static unsigned push(unsigned from, unsigned to)
{
	unsigned pushed = 0;

	for (unsigned i = from; i < to; i++)
		pushed += qti_deque_push(&d, task(i));
	return pushed;
}

static int pop(void)
{
	return number(qti_deque_pop(&d));
}

static int claim(unsigned i)
{
	return number(qti_deque_claim(&d, &words[i]));
}

/* What came, as text: "3 4 5". */
static const char *said(struct qti_task *const *got, unsigned n)
{
	static char text[512];
	int at = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < n; i++)
		at += snprintf(text + at, sizeof(text) - (size_t)at, "%s%d", i ? " " : "", number(got[i]));
	return text;
}

static const char *pop_all(void)
{
	struct qti_task *got[NTASKS];
	unsigned n = 0;

	while (n < NTASKS && (got[n] = qti_deque_pop(&d)) != NULL)
		n++;
	return said(got, n);
}

static const char *steal(unsigned max, bool final)
{
	struct qti_task *got[NTASKS];
	struct qti_batch batch = { .max = max, .task = got };

	return qti_deque_steal(&d, &batch, final) ? said(got, batch.count) : "busy";
}

static const char *shed(unsigned max)
{
	struct qti_task *got[NTASKS];
	struct qti_batch batch = { .max = max, .task = got };

	qti_deque_shed(&d, &batch);
	return said(got, batch.count);
}

/* --- the owner alone ------------------------------------------------------------------------------------- */

static void newest_first(void)
{
	begin(RING, RING);
	is_int(pop(), -1, "a new deque is empty");
	push(0, 5);
	is_int(qti_deque_length(&d), 5, "it counts what was pushed");
	is_str(pop_all(), "4 3 2 1 0", "the owner pops its newest task first");
	is_int(qti_deque_length(&d), 0, "and then it is empty");
	end();
}

static void bounded(void)
{
	begin(RING, 5);
	is_int(push(0, 8), 5, "no more tasks than the limit");
	pop();
	is_int(push(5, 8), 1, "a popped task makes room for one");
	is_str(pop_all(), "5 3 2 1 0", "what found no room is not in it");
	end();

	begin(1, 0);
	is_int(push(0, 1), 0, "limit 0: nothing is taken in");
	is_int(pop(), -1, "limit 0: nothing comes out");
	is_str(steal(8, true), "", "limit 0: nothing to steal");
	end();
}

static void ring_wraps(void)
{
	begin(RING, RING);
	push(0, 8);
	is_str(steal(3, true), "0 1 2", "a thief takes three of a full ring");
	is_int(push(8, 12), 3, "their slots serve again, three of them");
	is_str(pop_all(), "10 9 8 7 6 5 4 3", "nothing was overwritten");
	unsigned rounds = 0;
	while (rounds < 1000 && push(0, 7) == 7 && !strcmp(steal(2, true), "0 1") && !strcmp(pop_all(), "6 5 4 3 2"))
		rounds++;
	is_int(rounds, 1000, "many times around the ring");
	end();
}

/* --- claims ---------------------------------------------------------------------------------------------- */

static void claims(void)
{
	begin(RING, RING);
	push(0, 6);
	is_int(claim(0), 0, "claim the oldest");
	is_int(claim(3), 3, "claim one in the middle");
	is_int(claim(5), 5, "claim the newest");
	is_int(claim(6), -1, "claim one that is not there");
	is_int(claim(3), -1, "claim one that has been claimed");
	is_str(pop_all(), "4 2 1", "pop passes over what was claimed");
	push(0, 3);
	for (unsigned i = 0; i < 3; i++)
		claim(i);
	is_int(pop(), -1, "when all have been claimed there is nothing to pop");
	is_int(qti_deque_length(&d), 0, "and the holes are gone");
	end();
}

static void claims_of_public(void)
{
	begin(RING, RING);
	push(0, 6);
	qti_deque_publish(&d);
	is_int(claim(1), 1, "claim one that is public");
	is_int(claim(1), -1, "but once only");
	is_int(claim(4), 4, "claim one that is private while others are public");
	is_str(steal(8, false), "0 2", "a thief passes over what was claimed");
	is_int(claim(0), -1, "what was stolen cannot be claimed");
	is_str(pop_all(), "5 3", "the rest is the owner's");
	end();
}

/* Who waits asks for the length whether there is work for it. */
static void claimed_are_no_work(void)
{
	begin(RING, RING);
	push(0, 3);
	qti_deque_publish(&d);
	qti_deque_publish(&d);
	claim(1);
	is_int(qti_deque_length(&d), 3, "a slot claimed among others counts");
	claim(2);
	is_int(qti_deque_length(&d), 1, "once the newest is claimed, public or not, neither does");
	claim(0);
	is_int(qti_deque_length(&d), 0, "and nothing is left of those that all were claimed");
	is_str(steal(8, false), "", "for others");
	is_int(pop(), -1, "nor for the owner");
	end();
}

static void claims_reach(void)
{
	enum { FAR = TUNE_CLAIM_REACH };

	begin(2 * FAR, 2 * FAR);
	push(0, FAR + 1);
	is_int(claim(0), -1, "a claim does not look beyond its reach");
	is_int(claim(1), 1, "but up to it");
	qti_deque_publish(&d);
	is_int(claim(0), -1, "beyond the reach, public");
	is_int(claim(2), 2, "within the reach, public");
	pop();
	is_int(claim(0), 0, "in reach once the newest is gone");
	end();
}

/* --- public and private ---------------------------------------------------------------------------------- */

static void publishing(void)
{
	begin(RING, RING);
	ok(qti_deque_hidden(&d) == 0, "an empty deque hides nothing");
	push(0, 4);
	ok(qti_deque_hidden(&d) != 0, "what was pushed is private");
	is_str(steal(8, false), "", "a thief in passing finds nothing");
	qti_deque_publish(&d);
	ok(qti_deque_hidden(&d) == 0, "publishing shows something");
	is_str(steal(1, false), "0", "the oldest first");
	is_str(steal(8, false), "1", "the older half, and no more");
	ok(qti_deque_hidden(&d) != 0, "when that is gone the rest is private");
	is_str(pop_all(), "3 2", "and the owner's");
	push(0, 4);
	qti_deque_publish_all(&d);
	is_str(steal(3, false), "0 1 2", "an owner can show all at once");
	is_str(pop_all(), "3", "and takes the last one back");
	end();
}

/* A thief that wants more than is public. */
static void worth_more(void)
{
	struct qti_task *got[NTASKS];
	struct qti_batch batch = { .max = 5, .worth = 4, .task = got };

	begin(RING, RING);
	push(0, 8);
	qti_deque_publish(&d);
	is_int(d.split, 4, "four of eight tasks are public");
	qti_deque_steal(&d, &batch, false);
	is_str(said(got, batch.count), "0 1 2 3", "who wants five takes these, if one more is not worth it");
	batch = (struct qti_batch){ .max = 4, .worth = 4, .task = got };
	qti_deque_steal(&d, &batch, false);
	is_str(said(got, batch.count), "4 5", "if the others are, half of the private ones become public first");
	is_str(pop_all(), "7 6", "and what is left is the owner's");
	end();
}

/* However many thieves have taken. */
static void holding(void)
{
	begin(RING, RING);
	push(0, 3);
	ok(qti_deque_holds(&d, 3) && !qti_deque_holds(&d, 4), "holds: three of three, not four");
	qti_deque_publish(&d);
	struct qti_task *taken[2];
	struct qti_batch batch = { .max = 2, .task = taken };
	qti_deque_steal(&d, &batch, true);
	ok(!qti_deque_holds(&d, 3 - batch.count + 1) && qti_deque_holds(&d, 3 - batch.count),
		"holds: less %u that were stolen", batch.count);
	while (pop() >= 0)
		;
	ok(!qti_deque_holds(&d, 1), "holds: none of none");
	end();
}

static void popping_what_is_public(void)
{
	begin(RING, RING);
	push(0, 5);
	for (int i = 0; i < 3; i++)
		qti_deque_publish(&d);
	is_int(d.split, d.bottom, "three halves publish five tasks");
	is_int(pop(), 4, "the owner takes the newest back");
	is_int(d.split, 2, "together with the newer half");
	is_str(steal(8, false), "0 1", "the older half stays public");
	is_str(pop_all(), "3 2", "each of them once");
	end();
}

static void shedding(void)
{
	begin(RING, RING);
	push(0, 7);
	claim(1);
	is_str(shed(3), "0 2 3", "the owner sheds its oldest");
	is_str(pop_all(), "6 5 4", "and keeps the newer");
	push(0, 6);
	qti_deque_publish(&d);
	is_str(shed(2), "0 1", "public ones too");
	is_str(steal(8, false), "2", "of which the rest stays public");
	is_str(shed(8), "3 4 5", "all that there is");
	is_int(push(0, 8), 8, "which makes room for as many");
	is_str(pop_all(), "7 6 5 4 3 2 1 0", "in a deque in good order");
	end();
}

/* --- a thief that must find what there is ---------------------------------------------------------------- */

static void final_steals(void)
{
	begin(RING, RING);
	push(0, 4);
	is_str(steal(8, true), "0 1", "a final steal makes the older half public itself");
	is_str(steal(1, true), "2", "up to as many as it wants");
	is_str(steal(1, true), "3", "down to the last");
	is_str(steal(8, true), "", "and then there are none");
	is_int(pop(), -1, "for the owner neither");

	push(0, 4);
	claim(0);
	claim(1);
	is_str(steal(1, true), "2", "a final steal passes over claimed slots that it makes public");
	is_str(pop_all(), "3", "and leaves the rest");

	push(0, 8);
	qti_deque_publish(&d);
	for (unsigned i = 0; i < 4; i++)
		claim(i);
	is_str(steal(1, true), "4", "a final steal passes over claimed slots that were public");
	is_str(pop_all(), "7 6 5", "and leaves the rest again");

	push(0, 6);
	d.claiming = d.split + 2 + 1;
	is_str(steal(8, true), "0 1", "what the owner is claiming is not stolen");
	d.claiming = 0;
	is_int(claim(2), 2, "so that the claim succeeds");
	end();
}

static void busy(void)
{
	begin(RING, RING);
	push(0, 4);
	qti_lock_take(&d.lock);
	is_str(steal(8, false), "busy", "a thief in passing does not wait for another");
	qti_deque_publish(&d);
	ok(qti_deque_hidden(&d) != 0, "nor does an owner who publishes");
	is_int(pop(), 3, "and popping a private task needs no lock");
	is_int(claim(2), 2, "nor does claiming one");
	qti_lock_drop(&d.lock);
	end();
}

static void out_of_memory(void)
{
	fault_after(0);
	is_int(qti_deque_init(&d, RING, RING), QTHREAD_MALLOC_ERROR, "no memory for the ring: a code");
	fault_end();
	qti_deque_fini(&d);
}

/* --- against a model ------------------------------------------------------------------------------------- */

/* The same slots in a plain array.  Where the split is decides only how much a steal may bring. */
static struct {
	int slot[MODEL_STEPS]; /* -1: claimed */
	unsigned top, bottom;
	bool queued[NTASKS];
} model;

static int model_pop(void)
{
	while (model.bottom > model.top) {
		int i = model.slot[--model.bottom];
		if (i >= 0)
			return i;
	}
	return -1;
}

static int model_claim(int i)
{
	unsigned end = model.bottom > TUNE_CLAIM_REACH ? model.bottom - TUNE_CLAIM_REACH : 0;

	for (unsigned at = model.bottom; at-- > (end > model.top ? end : model.top);)
		if (model.slot[at] == i) {
			model.slot[at] = -1;
			return i;
		}
	return -1;
}

/* Whether that is what the oldest tasks are, in order. */
static bool model_take(struct qti_task *const *got, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		while (model.top < model.bottom && model.slot[model.top] < 0)
			model.top++;
		if (model.top == model.bottom || model.slot[model.top++] != number(got[i]))
			return false;
		model.queued[number(got[i])] = false;
	}
	return true;
}

static bool model_has_any(void)
{
	for (unsigned at = model.top; at < model.bottom; at++)
		if (model.slot[at] >= 0)
			return true;
	return false;
}

static bool step_push(uint64_t *random)
{
	unsigned i = stress_random(random, NTASKS);

	if (model.queued[i])
		return true;
	if (!qti_deque_push(&d, task(i)))
		return d.bottom - load_rlx(&d.top) >= d.limit;
	model.slot[model.bottom++] = (int)i;
	model.queued[i] = true;
	return true;
}

static bool step_take_one(int got, int want)
{
	if (got >= 0)
		model.queued[got] = false;
	return got == want;
}

static bool step_steal(uint64_t *random, bool final)
{
	struct qti_task *got[16];
	struct qti_batch batch = { .max = 1 + stress_random(random, 16), .task = got };

	qti_deque_steal(&d, &batch, final);
	return model_take(got, batch.count) && (!final || batch.count > 0 || !model_has_any());
}

static bool step_shed(uint64_t *random)
{
	struct qti_task *got[16];
	struct qti_batch batch = { .max = 1 + stress_random(random, 16), .task = got };

	qti_deque_shed(&d, &batch);
	return model_take(got, batch.count) && (batch.count == batch.max || !model_has_any());
}

static bool step(uint64_t *random)
{
	unsigned i;

	switch (stress_random(random, 12)) {
	case 0:
		return step_take_one(pop(), model_pop());
	case 1:
	case 2:
		i = stress_random(random, NTASKS);
		return step_take_one(claim(i), model_claim((int)i));
	case 3:
		qti_deque_publish(&d);
		return true;
	case 4:
		return step_steal(random, false);
	case 5:
		return step_steal(random, true);
	case 6:
		return stress_random(random, 8) || step_shed(random);
	default:
		return step_push(random);
	}
}

static void as_the_model(unsigned capacity, unsigned limit)
{
	uint64_t random = stress_state(limit);
	unsigned steps = 0;

	begin(capacity, limit);
	memset(&model, 0, sizeof(model));
	while (steps < MODEL_STEPS && step(&random) && d.top <= d.split && d.split <= d.bottom)
		steps++;
	is_int(steps, MODEL_STEPS, "a deque of %u in a ring of %u does what its model does", limit, capacity);
	end();
}

int main(void)
{
	qti_mem_fault = fault;
	plan(87);
	stress_say(MODEL_STEPS);
	qti_fence_setup();
	newest_first();
	bounded();
	ring_wraps();
	claims();
	claims_of_public();
	claimed_are_no_work();
	claims_reach();
	publishing();
	worth_more();
	holding();
	popping_what_is_public();
	shedding();
	final_steals();
	busy();
	out_of_memory();
	as_the_model(1, 1);
	as_the_model(8, 5);
	as_the_model(64, 64);
	as_the_model(256, 200);
	return done();
}
