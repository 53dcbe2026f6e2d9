/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What bench/sim/sim takes for costs, on the machine at hand: names and meanings are those of bench/sim/costs.h.  What
 * a machine cannot show, a distance that no two of its CPUs have say, is NAN and keeps the simulator's own figure. */
#define _GNU_SOURCE
#define QTI_OTHER_LIBRARY /* base/shared.h: variables of libqthread have a second name there */
#include "micro/micro.h"

#include "base/atomic.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINE = 64, PIECE = 4096, FUTEX_REST_US = 200, CHIP_CACHE_MOST = 64 << 10 };

/* --- CPUs and what they share ---------------------------------------------------------------------------- */

enum distance { CORE, L2, CHIP, NEAR, FAR };

static bool same_text(unsigned a, unsigned b, const char *what, bool *known)
{
	char text[2][256] = { "", "" }, path[160];

	for (unsigned i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/%s", i ? b : a, what);
		FILE *f = fopen(path, "r");
		*known = f && fgets(text[i], sizeof(text[i]), f);
		if (f)
			fclose(f);
		if (!*known)
			return false;
	}
	return strcmp(text[0], text[1]) == 0;
}

/* A machine that does not say has one chip. */
static enum distance distance_of(unsigned a, unsigned b)
{
	bool core, l2, l3, package;
	bool same_core = same_text(a, b, "topology/core_cpus_list", &core);
	bool same_l2 = same_text(a, b, "cache/index2/shared_cpu_list", &l2);
	bool same_l3 = same_text(a, b, "cache/index3/shared_cpu_list", &l3);
	bool same_package = same_text(a, b, "topology/physical_package_id", &package);

	if (core && same_core)
		return CORE;
	if (l2 && same_l2)
		return L2;
	if (!l3 || same_l3)
		return package && !same_package && !l3 ? FAR : CHIP;
	return package && same_package ? NEAR : FAR;
}

static cpu_set_t allowed;

static int next_cpu(int cpu)
{
	for (cpu++; cpu < CPU_SETSIZE && !CPU_ISSET(cpu, &allowed); cpu++)
		;
	return cpu < CPU_SETSIZE ? cpu : -1;
}

/* Two CPUs so far apart; any two with distance FAR + 1. */
static bool find_pair(enum distance distance, int pair[2])
{
	if (CPU_COUNT(&allowed) == 0)           /* from then on threads stay on one each */
		sched_getaffinity(0, sizeof(allowed), &allowed);
	for (pair[0] = next_cpu(-1); pair[0] >= 0; pair[0] = next_cpu(pair[0]))
		for (pair[1] = next_cpu(pair[0]); pair[1] >= 0; pair[1] = next_cpu(pair[1]))
			if (distance > FAR || distance_of((unsigned)pair[0], (unsigned)pair[1]) == distance)
				return true;
	return false;
}

static void stay_on(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (pthread_setaffinity_np(pthread_self(), sizeof(one), &one) != 0)
		micro_fail("CPU %d cannot be had", cpu);
}

/* f by another thread on pair[1] while this one, on pair[0], goes on. */
static pthread_t start_beside(const int pair[2], void *(*f)(void *), void *arg)
{
	pthread_t other;

	stay_on(pair[1]);               /* whose CPU the new thread inherits */
	if (pthread_create(&other, NULL, f, arg) != 0)
		micro_fail("a thread could not be started");
	stay_on(pair[0]);
	return other;
}

/* --- one CPU alone --------------------------------------------------------------------------------------- */

static double per_operation(uint64_t since, unsigned long count)
{
	return (double)(bench_now_ns() - since) / (double)count;
}

/* Loads that wait for nothing. */
static double hit(unsigned long count)
{
	static volatile uint64_t word;
	uint64_t since = bench_now_ns();

	for (unsigned long i = 0; i < count; i++)
		(void)word;
	return per_operation(since, count);
}

static double locked(unsigned long count)
{
	static uint64_t word;
	uint64_t since = bench_now_ns();

	for (unsigned long i = 0; i < count; i++)
		add_rlx(&word, 1);
	return per_operation(since, count);
}

static double fence(unsigned long count)
{
	uint64_t since = bench_now_ns();

	for (unsigned long i = 0; i < count; i++)
		fence_sc();
	return per_operation(since, count);
}

static double pause_once(unsigned long count)
{
	uint64_t since = bench_now_ns();

	for (unsigned long i = 0; i < count; i++)
		cpu_relax();
	return per_operation(since, count);
}

static double yield(unsigned long count)
{
	uint64_t since = bench_now_ns();

	for (unsigned long i = 0; i < count; i++)
		sched_yield();
	return per_operation(since, count);
}

static double cache_kib(int level)
{
	long bytes = sysconf(level);

	return bytes > 0 ? (double)(bytes >> 10) : NAN;
}

static double own_cache(unsigned long count)
{
	(void)count;
	return cache_kib(_SC_LEVEL2_CACHE_SIZE);
}

/* A virtual machine may name those of all chips together: no more than a chip has, as a rule. */
static double chip_cache(unsigned long count)
{
	double kib = cache_kib(_SC_LEVEL3_CACHE_SIZE);

	(void)count;
	return kib > CHIP_CACHE_MOST ? CHIP_CACHE_MOST : kib;
}

/* --- data ------------------------------------------------------------------------------------------------ */

static char *room_of(size_t bytes)
{
	char *room = aligned_alloc(PIECE, bytes);

	if (!room)
		micro_fail("no memory for %zu bytes", bytes);
	memset(room, 1, bytes);
	return room;
}

/* From line to line of `bytes`, in an order that no prefetcher knows, where each tells the next. */
static double chase(size_t bytes, unsigned long count)
{
	size_t n = bytes / LINE;
	char *room = room_of(bytes);
	uint64_t mixed = 1;
	uint32_t *order = malloc(n * sizeof(*order));

	if (!order)
		micro_fail("no memory");
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	for (size_t i = n - 1; i > 0; i--) {            /* Sattolo: one cycle through all */
		mixed = mixed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		size_t j = (size_t)(mixed >> 33) % i;
		uint32_t kept = order[i];
		order[i] = order[j];
		order[j] = kept;
	}
	for (size_t i = 0; i < n; i++)
		*(char **)(void *)(room + i * LINE) = room + order[i] * LINE;
	char *volatile at = room;
	for (size_t i = 0; i < n; i++)
		at = *(char **)(void *)at;
	uint64_t since = bench_now_ns();
	for (unsigned long i = 0; i < count; i++)
		at = *(char **)(void *)at;
	double ns = per_operation(since, count);
	free(order);
	free(room);
	return ns;
}

/* A line of one's own that has left the first cache. */
static double line_self(unsigned long count)
{
	double kib = own_cache(0);

	return chase((size_t)(isnan(kib) ? 256 : kib / 2) << 10, count);
}

typedef uint64_t vector __attribute__((vector_size(16)));

/* Four sums, so that it is loads that count. */
static uint64_t sum_of(const char *piece)
{
	const vector *v = (const vector *)(const void *)piece;
	vector a = v[0], b = v[1], c = v[2], d = v[3];

	for (unsigned i = 4; i < PIECE / sizeof(*v); i += 4) {
		a += v[i];
		b += v[i + 1];
		c += v[i + 2];
		d += v[i + 3];
	}
	a += b + c + d;
	return a[0] + a[1];
}

/* Nanoseconds a piece, of as many as fit into so much memory, by one thread after another time round. */
static double stream(size_t bytes, unsigned long pieces)
{
	char *room = room_of(bytes);
	volatile uint64_t sum = 0;
	uint64_t since = 0;

	for (unsigned long i = 0; i < pieces + bytes / PIECE; i++) {
		if (i == bytes / PIECE)
			since = bench_now_ns();
		sum += sum_of(room + i * PIECE % bytes);
	}
	double ns = per_operation(since, pieces);
	(void)sum;
	free(room);
	return ns;
}

static double piece_own(unsigned long pieces)
{
	double kib = own_cache(0);

	return stream((size_t)(isnan(kib) ? 256 : kib) << 9, pieces);
}

static double piece_chip(unsigned long pieces)
{
	double own = own_cache(0), chip = chip_cache(0);

	if (isnan(own) || isnan(chip) || chip < 4 * own)
		return NAN;
	return stream(((size_t)own * 2) << 10, pieces);
}

static size_t beyond_caches(void)
{
	double largest = fmax(own_cache(0), chip_cache(0));     /* fmax leaves out one that is not known */

	return (size_t)(isnan(largest) ? CHIP_CACHE_MOST : 2 * largest) << 10;
}

static double piece_memory(unsigned long pieces)
{
	return stream(beyond_caches(), pieces);
}

struct streaming {
	unsigned long pieces;
	double ns;
};

static void *stream_beside(void *arg)
{
	struct streaming *s = arg;

	s->ns = stream(beyond_caches(), s->pieces);
	return NULL;
}

/* By two CPUs at once: not the chip's limit, if more would get more, but no less. */
static double piece_served(unsigned long pieces)
{
	struct streaming s = { .pieces = pieces };
	int pair[2];

	if (!find_pair(FAR + 1, pair))
		return NAN;
	pthread_t other = start_beside(pair, stream_beside, &s);
	double mine = stream(beyond_caches(), pieces);
	pthread_join(other, NULL);
	return (mine + s.ns) / 4;
}

/* --- two CPUs -------------------------------------------------------------------------------------------- */

static struct {
	uint64_t ball QTI_ALIGNED_LINE;
	unsigned long rounds QTI_ALIGNED_LINE;
} court;

static void *play(void *arg)
{
	(void)arg;
	for (unsigned long i = 0; i < court.rounds; i++) {
		while (load_acq(&court.ball) != 2 * i + 1)
			;
		store_rel(&court.ball, 2 * i + 2);
	}
	return NULL;
}

/* A round takes a line there and back, and each way is a write that takes the copy away and a read that fetches it. */
static double line_between(enum distance distance, unsigned long rounds)
{
	int pair[2];

	if (!find_pair(distance, pair))
		return NAN;
	court.ball = 0;
	court.rounds = rounds;
	pthread_t other = start_beside(pair, play, NULL);
	uint64_t since = bench_now_ns();
	for (unsigned long i = 0; i < rounds; i++) {
		store_rel(&court.ball, 2 * i + 1);
		while (load_acq(&court.ball) != 2 * i + 2)
			;
	}
	double ns = per_operation(since, rounds) / 4;
	pthread_join(other, NULL);
	return ns;
}

static double line_core(unsigned long rounds)
{
	return line_between(CORE, rounds);
}

static double line_l2(unsigned long rounds)
{
	return line_between(L2, rounds);
}

static double line_chip(unsigned long rounds)
{
	return line_between(CHIP, rounds);
}

static double line_near(unsigned long rounds)
{
	return line_between(NEAR, rounds);
}

static double line_far(unsigned long rounds)
{
	return line_between(FAR, rounds);
}

/* --- the kernel ------------------------------------------------------------------------------------------ */

static long futex(uint32_t *word, int operation, uint32_t value)
{
	return syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

/* The way in: out again at once, since the word has another value. */
static double sleep_once(unsigned long count)
{
	static uint32_t word;
	uint64_t since = bench_now_ns();

	for (unsigned long i = 0; i < count; i++)
		futex(&word, FUTEX_WAIT, 1);
	return per_operation(since, count);
}

static struct {
	uint32_t turn;
	unsigned long rounds;
	uint64_t woke;                  /* when the sleeper's first instruction was */
	double called, arrived;         /* ns in all */
} bed;

static void *sleep_and_tell(void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < bed.rounds; i++) {
		while (load_acq(&bed.turn) == i)
			futex(&bed.turn, FUTEX_WAIT, i);
		store_rel(&bed.woke, bench_now_ns());
	}
	return NULL;
}

static bool wake_sleepers(unsigned long rounds)
{
	int pair[2];

	if (!find_pair(FAR + 1, pair))
		return false;
	memset(&bed, 0, sizeof(bed));
	bed.rounds = rounds;
	pthread_t other = start_beside(pair, sleep_and_tell, NULL);
	for (uint32_t i = 0; i < rounds; i++) {
		for (uint64_t since = bench_now_ns(); bench_now_ns() - since < 1000 * FUTEX_REST_US;)
			cpu_relax();            /* until it sleeps: there is no other sign of it */
		store_rel(&bed.woke, 0);
		store_rel(&bed.turn, i + 1);
		uint64_t since = bench_now_ns(), woke;
		futex(&bed.turn, FUTEX_WAKE, 1);
		uint64_t called = bench_now_ns();
		while ((woke = load_acq(&bed.woke)) == 0)
			cpu_relax();
		bed.called += (double)(called - since);
		bed.arrived += woke > called ? (double)(woke - called) : 0;
	}
	pthread_join(other, NULL);
	return true;
}

static double wake(unsigned long rounds)
{
	return wake_sleepers(rounds) ? bed.called / (double)rounds : NAN;
}

static double arrive(unsigned long rounds)
{
	return wake_sleepers(rounds) ? bed.arrived / (double)rounds : NAN;
}

static bool membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0) == 0;
}

static double barriers(unsigned long count)
{
	uint64_t since = bench_now_ns();

	for (unsigned long i = 0; i < count; i++)
		if (!membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED))
			return NAN;
	return per_operation(since, count);
}

/* A thread that counts while it is interrupted, and how far it comes. */
static struct {
	uint64_t counted;
	bool stop;
} victim;

static void *count_on(void *arg)
{
	(void)arg;
	while (!load_rlx(&victim.stop))
		store_rlx(&victim.counted, load_rlx(&victim.counted) + 1);
	return NULL;
}

static double counts_a_ns(uint64_t since, uint64_t from)
{
	return (double)(load_rlx(&victim.counted) - from) / (double)(bench_now_ns() - since);
}

struct heavy {
	double alone, beside, stolen;   /* ns: with nobody else running, with one, and what that one loses */
};

static struct heavy heavy_costs(unsigned long count)
{
	struct heavy h = { NAN, NAN, NAN };
	int pair[2];

	if (!membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED))
		return h;
	h.alone = barriers(count);
	if (!find_pair(FAR + 1, pair))
		return h;
	victim.stop = false;
	pthread_t other = start_beside(pair, count_on, NULL);
	while (load_rlx(&victim.counted) == 0)
		cpu_relax();
	uint64_t since = bench_now_ns(), from = load_rlx(&victim.counted);
	while (bench_now_ns() - since < 10000000)
		cpu_relax();
	double usual = counts_a_ns(since, from);
	since = bench_now_ns();
	from = load_rlx(&victim.counted);
	h.beside = barriers(count);
	double disturbed = counts_a_ns(since, from);
	h.stolen = disturbed < usual ? h.beside * (1 - disturbed / usual) : 0;
	store_rlx(&victim.stop, true);
	pthread_join(other, NULL);
	return h;
}

static double heavy(unsigned long count)
{
	return heavy_costs(count).alone;
}

static double heavy_each(unsigned long count)
{
	struct heavy h = heavy_costs(count);

	return h.beside > h.alone ? h.beside - h.alone : isnan(h.beside) ? NAN : 0;
}

static double interrupt(unsigned long count)
{
	return heavy_costs(count).stolen;
}

/* --- the table ------------------------------------------------------------------------------------------- */

#define COST(name, once, count) { name, "ns", "", once, count, (count) / 20, 5, MICRO_ALONE, 1, 1, { 0, 0 } }

const struct micro_figure micro_costs[] = {
	COST("hit", hit, 20000000), COST("locked", locked, 5000000), COST("fence", fence, 5000000),
	COST("pause", pause_once, 1000000), COST("line_self", line_self, 2000000), COST("line_core", line_core, 200000),
	COST("line_l2", line_l2, 200000), COST("line_chip", line_chip, 200000), COST("line_near", line_near, 200000),
	COST("line_far", line_far, 200000), COST("yield", yield, 200000), COST("sleep", sleep_once, 200000),
	COST("wake", wake, 1000), COST("arrive", arrive, 1000), COST("heavy", heavy, 20000),
	COST("heavy_each", heavy_each, 20000), COST("interrupt", interrupt, 20000), COST("piece_own", piece_own, 200000),
	COST("piece_chip", piece_chip, 100000), COST("piece_memory", piece_memory, 50000),
	COST("piece_served", piece_served, 50000), COST("own_cache", own_cache, 20), COST("chip_cache", chip_cache, 20),
	{ .name = NULL },
};
