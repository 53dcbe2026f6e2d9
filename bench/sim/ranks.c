/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* uts-mpi on more ranks than anybody here has: a model of its protocol (uts/ranks.h), of one worker a rank.
 *
 * A rank expands nodes of a binomial tree, NODE_NS each, newest first; between two chunks of --chunk nodes, or when it has
 * none, it takes messages.  The nodes that it has are its pool: there is no difference between them.  A node is a number
 * from which its children are drawn, so that all policies count the same tree, and the count is checked.
 *
 * Messages cost as LogGP says (A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, LogGP: incorporating long messages into
 * the LogP model, SPAA 1995): the sender o, the wire L and G for each byte more than one, the receiver o; the receiver's
 * messages are at least g apart, and wait in line.  The figures are those that LogGOPSim has if none are given (T. Hoefler,
 * T. Schneider, A. Lumsdaine, LogGOPSim: simulating large-scale applications in the LogGOPS model, HPDC 2010: L 2.5 us, o
 * 1.5 us, g 1 us), with a G of 0.58 ns; or, with --network fast, those that Netgauge's page shows for shared memory within
 * a node.  Distance does not count.
 *
 * Policies of a rank without work:
 *   random      asks a rank chosen at random, again and again: uts-mpi's own
 *   lifelines   asks --tries random ones, then its lifelines - the ranks whose number differs in one digit of base 2 -, which
 *               remember it and send when they have something; then it is silent (V. Saraswat, P. Kambadur, S. Kodali,
 *               D. Grove, S. Krishnamoorthy, Lifeline-based global load balancing, PPoPP 2011)
 *   groups      asks within its group of --group ranks, and at every fourth time anywhere
 * Who is asked gives the older half, or one node with --one.
 *
 * The end is the time at which the last node has been expanded: a wave would add to each policy about the same. */
#include "common/bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FANOUT = 8, NODE_NS = 62, NODE_BYTES = 24, DIGITS = 17 };

enum policy { RANDOM, LIFELINES, GROUPS };
static const char *const policies[] = { "random", "lifelines", "groups", NULL };
static const char *const networks[] = { "cluster", "fast", NULL };

/* Times in ns; G in ps a byte. */
static const struct network {
	uint64_t l, o, g, G;
} all_networks[] = { { 2500, 1500, 1000, 580 }, { 613, 400, 448, 580 } };

static unsigned long ranks = 1000, per_rank = 20000, chunk = 64, group = 32, tries = 4, seed = 1;
static unsigned policy, network_index;
static bool one;
static const struct network *network;

/* --- the tree -------------------------------------------------------------------------------------------- */

static uint32_t roots;
static uint64_t threshold; /* of a number that has children */

static bool has_children(uint64_t node)
{
	return bench_scramble(node) < threshold;
}

/* --- ranks ----------------------------------------------------------------------------------------------- */

struct nodes {
	uint64_t *list; /* oldest at `first` */
	size_t first, end, room;
};

struct rank {
	struct nodes pool;
	uint64_t free_at;     /* it does something until then */
	uint64_t line_free;   /* the next message is received then at the earliest */
	uint64_t asked;       /* how often: the state of its choice */
	uint32_t waiting;     /* bit d: the rank that differs in digit d has a lifeline here and wants work */
	uint32_t tries;       /* in vain, since it last had work */
	uint32_t messages;    /* received */
	bool works;           /* a WORK event is under way */
};

static struct rank *all;
static uint64_t expanded, last_expanded, messages, steals, empty, moved;

static void nodes_reserve(struct nodes *n, size_t more)
{
	if (n->end + more <= n->room)
		return;
	size_t count = n->end - n->first;
	if (n->first > 0)
		memmove(n->list, n->list + n->first, count * sizeof(*n->list));
	n->first = 0;
	n->end = count;
	if (count + more <= n->room / 2)
		return;
	n->room = 2 * (count + more);
	n->list = realloc(n->list, n->room * sizeof(*n->list));
	if (!n->list)
		bench_fail("ranks", "out of memory");
}

static size_t nodes_count(const struct nodes *n)
{
	return n->end - n->first;
}

/* --- events ---------------------------------------------------------------------------------------------- */

enum kind { WORK, ASK, GIVE, NONE };

struct event {
	uint64_t at;
	uint64_t order; /* of making: a tie's winner is the same in every run */
	uint64_t *nodes;
	uint32_t count;
	int32_t to, from;
	enum kind kind;
	bool by_lifeline;
};

static struct {
	struct event *list; /* a heap */
	size_t count, room;
	uint64_t made;
} events;

static bool before(const struct event *a, const struct event *b)
{
	if (a->at != b->at)
		return a->at < b->at;
	if ((a->kind == WORK) != (b->kind == WORK))
		return b->kind == WORK; /* messages are taken first */
	return a->order < b->order;
}

static void add_event(struct event e)
{
	if (events.count == events.room) {
		events.room = 2 * events.room + 1024;
		events.list = realloc(events.list, events.room * sizeof(*events.list));
		if (!events.list)
			bench_fail("ranks", "out of memory");
	}
	e.order = events.made++;
	size_t i = events.count++;
	for (; i > 0 && before(&e, &events.list[(i - 1) / 2]); i = (i - 1) / 2)
		events.list[i] = events.list[(i - 1) / 2];
	events.list[i] = e;
}

static struct event next_event(void)
{
	struct event first = events.list[0], last = events.list[--events.count];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;
		if (child + 1 < events.count && before(&events.list[child + 1], &events.list[child]))
			child++;
		if (child >= events.count || !before(&events.list[child], &last))
			break;
		events.list[i] = events.list[child];
		i = child;
	}
	events.list[i] = last;
	return first;
}

static void send_message(int from, int to, enum kind kind, uint64_t *nodes, uint32_t count, bool by_lifeline)
{
	struct rank *r = &all[from];
	uint64_t bytes = 8 + (uint64_t)count * NODE_BYTES;

	r->free_at += network->o;
	messages++;
	add_event((struct event){ .at = r->free_at + network->l + bytes * network->G / 1000, .nodes = nodes, .count = count,
		.to = to, .from = from, .kind = kind, .by_lifeline = by_lifeline });
}

/* --- policies -------------------------------------------------------------------------------------------- */

static uint64_t chance(int me)
{
	return bench_scramble((seed << 56) ^ ((uint64_t)me << 32) ^ all[me].asked++);
}

static int random_other(int me, int first, int n)
{
	int other = first + (int)(chance(me) % (uint64_t)(n - 1));

	return other + (other >= me);
}

static int random_victim(int me)
{
	int first = me / (int)group * (int)group, n = (int)group < (int)ranks - first ? (int)group : (int)ranks - first;

	if (policy == GROUPS && n > 1 && all[me].asked % 4 != 3)
		return random_other(me, first, n);
	return random_other(me, 0, (int)ranks);
}

static void ask(int me)
{
	struct rank *r = &all[me];

	if (ranks == 1)
		return;
	if (policy != LIFELINES || r->tries < tries) {
		r->tries++;
		send_message(me, random_victim(me), ASK, NULL, 0, false);
	} else if (r->tries++ == tries) {
		for (int d = 0; d < DIGITS; d++)
			if ((me ^ 1 << d) < (int)ranks)
				send_message(me, me ^ 1 << d, ASK, NULL, 0, true);
	}
}

static void give(int me, int to)
{
	struct nodes *p = &all[me].pool;
	size_t n = one ? 1 : (nodes_count(p) + 1) / 2;
	uint64_t *list = malloc(n * sizeof(*list));

	if (!list)
		bench_fail("ranks", "out of memory");
	memcpy(list, p->list + p->first, n * sizeof(*list));
	p->first += n;
	steals++;
	moved += n;
	send_message(me, to, GIVE, list, (uint32_t)n, false);
}

/* A node for itself remains. */
static bool can_give(int me)
{
	return nodes_count(&all[me].pool) > 1;
}

static void serve_lifelines(int me)
{
	for (int d = 0; d < DIGITS && all[me].waiting != 0 && can_give(me); d++)
		if (all[me].waiting & 1u << d) {
			all[me].waiting &= ~(1u << d);
			give(me, me ^ 1 << d);
		}
}

/* --- what ranks do --------------------------------------------------------------------------------------- */

/* Up to a chunk of its nodes. */
static void expand_some(struct rank *r)
{
	struct nodes *p = &r->pool;
	uint64_t n = 0;

	for (; n < chunk && nodes_count(p) > 0; n += FANOUT) {
		nodes_reserve(p, FANOUT);
		uint64_t node = p->list[--p->end];
		for (uint64_t i = 1; i <= FANOUT; i++) {
			uint64_t child = bench_scramble(node * FANOUT + i);
			p->list[p->end] = child;
			p->end += has_children(child);
		}
	}
	expanded += n;
	r->free_at += n * NODE_NS;
	last_expanded = r->free_at > last_expanded ? r->free_at : last_expanded;
}

static void go_on(int me)
{
	struct rank *r = &all[me];

	if (!r->works)
		add_event((struct event){ .at = r->free_at, .to = me, .kind = WORK });
	r->works = true;
}

static void work(int me)
{
	struct rank *r = &all[me];

	r->works = false;
	expand_some(r);
	serve_lifelines(me);
	if (nodes_count(&r->pool) > 0) {
		r->tries = 0;
		go_on(me);
	} else {
		ask(me);
	}
}

static void take_nodes(int me, const struct event *e)
{
	struct nodes *p = &all[me].pool;

	nodes_reserve(p, e->count);
	memcpy(p->list + p->end, e->nodes, e->count * sizeof(*e->nodes));
	p->end += e->count;
	free(e->nodes);
	go_on(me);
}

static void take_question(int me, const struct event *e)
{
	if (can_give(me)) {
		give(me, e->from);
		return;
	}
	empty++;
	if (e->by_lifeline)
		all[me].waiting |= (uint32_t)(me ^ e->from);
	else
		send_message(me, e->from, NONE, NULL, 0, false);
}

/* Received when the rank is free and the line is: until then it waits there. */
static void receive(struct event e)
{
	struct rank *r = &all[e.to];
	uint64_t from = r->free_at > r->line_free ? r->free_at : r->line_free;

	if (from > e.at) {
		e.at = from;
		add_event(e);
		return;
	}
	r->line_free = e.at + network->g;
	r->free_at = e.at + network->o;
	r->messages++;
	if (e.kind == GIVE)
		take_nodes(e.to, &e);
	else if (e.kind == ASK)
		take_question(e.to, &e);
	else if (nodes_count(&r->pool) == 0)
		ask(e.to);
}

static void start(void)
{
	struct nodes *p = &all[0].pool;

	nodes_reserve(p, roots);
	for (uint32_t i = 0; i < roots; i++) {
		uint64_t child = bench_scramble(i + (UINT64_C(77) << 40));
		p->list[p->end] = child;
		p->end += has_children(child);
	}
	for (int i = 0; i < (int)ranks; i++)
		go_on(i);
}

static uint64_t serial_count(void)
{
	struct rank r = { .free_at = 0 };
	uint64_t n;

	nodes_reserve(&r.pool, roots);
	memcpy(r.pool.list, all[0].pool.list, all[0].pool.end * sizeof(*r.pool.list));
	r.pool.end = all[0].pool.end;
	while (nodes_count(&r.pool) > 0)
		expand_some(&r);
	n = expanded;
	expanded = last_expanded = 0;
	free(r.pool.list);
	return n;
}

/* Questions go on for ever where nobody is told of the end. */
static void run(uint64_t whole)
{
	while (expanded < whole && events.count > 0) {
		struct event e = next_event();
		if (e.kind != WORK) {
			receive(e);
		} else if (all[e.to].free_at > e.at) {
			e.at = all[e.to].free_at;
			add_event(e);
		} else {
			work(e.to);
		}
	}
}

static void print(void)
{
	uint32_t most = 0;
	double ideal = (double)expanded * NODE_NS / (double)ranks;

	for (unsigned long i = 0; i < ranks; i++)
		most = all[i].messages > most ? all[i].messages : most;
	printf("%7lu %-9s %12" PRIu64 " %10.3f %9.3f %10.1f %12" PRIu64 " %12" PRIu64 " %9.1f %9.1f %9" PRIu32 "\n", ranks,
		policies[policy], expanded, (double)last_expanded / 1e6, ideal / (double)last_expanded,
		(double)ranks * ideal / (double)last_expanded, steals, empty, steals ? (double)moved / (double)steals : 0.0,
		(double)messages / (double)ranks, most);
}

int main(int argc, char **argv)
{
	const struct bench_option options[] = {
		{ "ranks", "how many", BENCH_NUMBER, &ranks, 1, 100000, NULL },
		{ "nodes", "of the tree, for each rank, about", BENCH_NUMBER, &per_rank, 100, 1000000000, NULL },
		{ "policy", "whom a rank without work asks", BENCH_CHOICE, &policy, 0, 0, policies },
		{ "network", "what messages cost", BENCH_CHOICE, &network_index, 0, 0, networks },
		{ "chunk", "nodes between two looks for messages", BENCH_NUMBER, &chunk, 8, 1000000, NULL },
		{ "group", "ranks of a group", BENCH_NUMBER, &group, 2, 100000, NULL },
		{ "tries", "random questions before the lifelines'", BENCH_NUMBER, &tries, 0, 1000, NULL },
		{ "one", "who is asked gives one node, not half", BENCH_SWITCH, &one, 0, 0, NULL },
		{ "seed", "of the choice of victims", BENCH_NUMBER, &seed, 0, 255, NULL },
		{ .name = NULL },
	};

	bench_parse(argc, argv, "ranks", "simulate uts-mpi on many ranks", options);
	network = &all_networks[network_index];
	roots = (uint32_t)(ranks * per_rank / 250);
	threshold = (uint64_t)(0.1245 * 18446744073709551616.0);
	all = bench_room("ranks", ranks, sizeof(*all));
	start();
	uint64_t whole = serial_count();
	run(whole);
	printf("%7s %-9s %12s %10s %9s %10s %12s %12s %9s %9s %9s\n", "ranks", "policy", "nodes", "ms", "share", "speed-up",
		"steals", "in vain", "a steal", "messages", "most");
	print();
	return expanded == whole ? 0 : 1;
}
