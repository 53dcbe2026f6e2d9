/* test/unit/shape.c -- shepherds, workers, distances and steal orders for many machines and requests.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Short forms: "8*4" is four times 8; "2-5" is 2 3 4 5.
 */
#include "machine/shape.h"
#include "fault.h"
#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TEXT = 1024 };

/* ---- Showing ---------------------------------------------------------------------------------------------------- */

static void append(char *text, const char *fmt, int a, int b)
{
	size_t used = strlen(text);

	used += (size_t)snprintf(text + used, TEXT - used, "%s", used ? " " : "");
	snprintf(text + used, TEXT - used, fmt, a, b);
}

/* Equal neighbours once, with their number. */
static const char *repeats(char *text, const int *value, unsigned n)
{
	text[0] = '\0';
	for (unsigned i = 0, j; i < n; i = j) {
		for (j = i; j < n && value[j] == value[i];)
			j++;
		append(text, j - i > 1 ? "%d*%d" : "%d", value[i], (int)(j - i));
	}
	return text;
}

/* Ascending neighbours by the first and the last. */
static const char *ranges(char *text, const int *value, unsigned n)
{
	text[0] = '\0';
	for (unsigned i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && value[j] == value[j - 1] + 1;)
			j++;
		append(text, j - i > 1 ? "%d-%d" : "%d", value[i], value[j - 1]);
	}
	return text;
}

static const char *workers(const struct qti_shape *s, char *text)
{
	int value[QTI_WORKERS_MAX];

	for (unsigned i = 0; i < s->nshepherds; i++)
		value[i] = (int)s->workers[i];
	return repeats(text, value, s->nshepherds);
}

static const char *distances(const struct qti_shape *s, unsigned from, char *text)
{
	int value[QTI_WORKERS_MAX];

	for (unsigned i = 0; i < s->nshepherds; i++)
		value[i] = (int)qti_shape_distance(s, from, i);
	return repeats(text, value, s->nshepherds);
}

static const char *order(const struct qti_shape *s, unsigned from, char *text)
{
	int value[QTI_WORKERS_MAX];

	for (unsigned i = 0; i + 1 < s->nshepherds; i++)
		value[i] = qti_shape_nearest(s, from)[i];
	return ranges(text, value, s->nshepherds - 1);
}

/* The CPUs of one shepherd's workers. */
static const char *cpus(const struct qti_shape *s, unsigned shepherd, char *text)
{
	int value[QTI_WORKERS_MAX];

	for (unsigned i = 0; i < s->workers[shepherd]; i++)
		value[i] = qti_shape_pu(s, shepherd, i);
	return ranges(text, value, s->workers[shepherd]);
}

/* ---- What holds for every shape --------------------------------------------------------------------------------- */

static bool order_is_right(const struct qti_shape *s, unsigned from)
{
	const unsigned short *list = qti_shape_nearest(s, from);
	bool seen[QTI_WORKERS_MAX] = { false };

	seen[from] = true;
	for (unsigned i = 0; i + 1 < s->nshepherds; i++) {
		if (list[i] >= s->nshepherds || seen[list[i]])
			return false;
		if (i > 0 && qti_shape_distance(s, from, list[i - 1]) > qti_shape_distance(s, from, list[i]))
			return false;
		seen[list[i]] = true;
	}
	return true;
}

static bool is_valid(const struct qti_shape *s)
{
	unsigned total = 0, most = 0;

	for (unsigned i = 0; i < s->nshepherds; i++) {
		total += s->workers[i];
		most = s->workers[i] > most ? s->workers[i] : most;
		if (s->workers[i] == 0 || qti_shape_distance(s, i, i) != 0 || !order_is_right(s, i))
			return false;
		for (unsigned j = 0; j < s->nshepherds; j++)
			if (i != j && (qti_shape_distance(s, i, j) == 0 ||
				qti_shape_distance(s, i, j) != qti_shape_distance(s, j, i)))
				return false;
		for (unsigned j = 0; j < s->stride; j++)
			if ((qti_shape_pu(s, i, j) >= 0) != s->bound)
				return false;
	}
	return total == s->nworkers && most == s->stride && s->oversubscribed == (s->nworkers > s->ncpus);
}

/* ---- Machines that hwloc makes up ------------------------------------------------------------------------------- */

/* Each says where its NUMA nodes are: hwloc 2.9 adds what is missing with a memcpy that valgrind rightly dislikes. */
static const struct {
	const char *machine, *synthetic;
	enum qti_level boundary;
	const char *workers, *distances;        /* from shepherd 0 */
	unsigned from;
	const char *order;                      /* of `from` */
} synthetic[] = {
#define NEHALEM "4 sockets of 8 cores and an L3", "[numa] pack:4 l3:1 core:8 pu:1"
	{ NEHALEM, QTI_LEVEL_PU, "1*32", "0 6*7 20*24", 0, "1-31" },
	{ NEHALEM, QTI_LEVEL_CORE, "1*32", "0 6*7 20*24", 9, "11-15 8 10 17-31 0-7 16" },
	{ NEHALEM, QTI_LEVEL_L3, "8*4", "0 20*3", 0, "1-3" },
	{ NEHALEM, QTI_LEVEL_CHIP, "8*4", "0 20*3", 1, "2-3 0" },
	{ NEHALEM, QTI_LEVEL_SOCKET, "8*4", "0 20*3", 3, "0-2" },
	{ NEHALEM, QTI_LEVEL_NUMA, "32", "0", 0, "" },
	{ NEHALEM, QTI_LEVEL_MACHINE, "32", "0", 0, "" },
#define MAGNY_COURS "2 sockets of 2 chips of 4 cores", "pack:2 group:2 [numa] l3:1 core:4 pu:1"
	{ MAGNY_COURS, QTI_LEVEL_CORE, "1*16", "0 6*3 20*4 30*8", 5, "7 4 6 1-3 0 13-15 8-12" },
	{ MAGNY_COURS, QTI_LEVEL_L3, "4*4", "0 20 30*2", 0, "1-3" },
	{ MAGNY_COURS, QTI_LEVEL_CHIP, "4*4", "0 20 30*2", 3, "2 1 0" },
	{ MAGNY_COURS, QTI_LEVEL_NUMA, "4*4", "0 20 30*2", 2, "3 0-1" },
	{ MAGNY_COURS, QTI_LEVEL_SOCKET, "8*2", "0 30", 1, "0" },
	{ MAGNY_COURS, QTI_LEVEL_MACHINE, "16", "0", 0, "" },
#define ALTIX "96 nodes of 2 processors", "numa:96 pu:2"
	{ ALTIX, QTI_LEVEL_CORE, "1*192", "0 10 20*190", 1, "0 3-191 2" },
	{ ALTIX, QTI_LEVEL_CHIP, "2*96", "0 20*95", 0, "1-95" },
	{ ALTIX, QTI_LEVEL_NUMA, "2*96", "0 20*95", 40, "41-95 0-39" },
	{ ALTIX, QTI_LEVEL_SOCKET, "192", "0", 0, "" },
	{ ALTIX, QTI_LEVEL_MACHINE, "192", "0", 0, "" },
#define LAPTOP "laptop, 4 cores of 2 threads", "[numa] pack:1 l3:1 l2:4 core:1 pu:2"
	{ LAPTOP, QTI_LEVEL_PU, "1*8", "0 6*3 2 6*3", 1, "5 2-4 6-7 0" },
	{ LAPTOP, QTI_LEVEL_CORE, "2*4", "0 6*3", 2, "3 0-1" },
	{ LAPTOP, QTI_LEVEL_L2, "2*4", "0 6*3", 1, "2-3 0" },
	{ LAPTOP, QTI_LEVEL_CHIP, "8", "0", 0, "" },
#define CORE2 "no L3, an L2 for 2 cores", "[numa] pack:1 l2:2 core:2 pu:1"
	{ CORE2, QTI_LEVEL_CORE, "1*4", "0 4 10*2", 3, "2 1 0" },
	{ CORE2, QTI_LEVEL_L3, "2*2", "0 10", 1, "0" },
	{ CORE2, QTI_LEVEL_CHIP, "2*2", "0 10", 0, "1" },
	{ CORE2, QTI_LEVEL_SOCKET, "4", "0", 0, "" },
#define SINGLE "1 core", "[numa] core:1 pu:1"
	{ SINGLE, QTI_LEVEL_PU, "1", "0", 0, "" },
	{ SINGLE, QTI_LEVEL_CORE, "1", "0", 0, "" },
	{ SINGLE, QTI_LEVEL_CHIP, "1", "0", 0, "" },
	{ SINGLE, QTI_LEVEL_MACHINE, "1", "0", 0, "" },
#define ROME "2 nodes of 4 L3 of 4 cores", "pack:2 [numa] l3:4 core:4 pu:1"
	{ ROME, QTI_LEVEL_CORE, "1*32", "0 6*3 10*12 30*16", 0, "1-31" },
	{ ROME, QTI_LEVEL_CHIP, "4*8", "0 10*3 30*4", 6, "4-5 7 2-3 0-1" },
	{ ROME, QTI_LEVEL_NUMA, "16*2", "0 30", 0, "1" },
#define CCX "8 L3 of 8 cores of 2 threads", "[numa] pack:1 l3:8 core:8 pu:2"
	{ CCX, QTI_LEVEL_CORE, "2*64", "0 6*7 10*56", 0, "1-63" },
	{ CCX, QTI_LEVEL_CHIP, "16*8", "0 10*7", 3, "4-7 0-2" },
	{ CCX, QTI_LEVEL_NUMA, "128", "0", 0, "" },
#define KNL "4 clusters with memory of 2 kinds, 9 tiles of 2 cores of 4 threads", \
	"pack:1 group:4 [numa] [numa] l2:9 core:2 pu:4"
	{ KNL, QTI_LEVEL_CORE, "4*72", "0 4 10*16 20*54", 0, "1-71" },
	{ KNL, QTI_LEVEL_CHIP, "8*36", "0 10*8 20*27", 0, "1-35" },
	{ KNL, QTI_LEVEL_NUMA, "72*4", "0 20*3", 2, "3 0-1" },
#define SNC "an L3 over 2 nodes", "pack:2 l3:1 group:2 [numa] core:4 pu:1"
	{ SNC, QTI_LEVEL_CHIP, "4*4", "0 20 30*2", 0, "1-3" },
	{ SNC, QTI_LEVEL_L3, "8*2", "0 30", 0, "1" },
	{ SNC, QTI_LEVEL_CORE, "1*16", "0 6*3 20*4 30*8", 0, "1-15" },
#define POWER "an L3 for each core of 8 threads", "pack:2 [numa] l3:4 l2:1 core:1 pu:8"
	{ POWER, QTI_LEVEL_CHIP, "32*2", "0 30", 0, "1" },
	{ POWER, QTI_LEVEL_L3, "8*8", "0 10*3 30*4", 0, "1-7" },
	{ POWER, QTI_LEVEL_CORE, "8*8", "0 10*3 30*4", 4, "6-7 5 0-3" },
#define GUEST "virtual machine, 2 nodes and no caches", "numa:2 core:4 pu:1"
	{ GUEST, QTI_LEVEL_CORE, "1*8", "0 10*3 20*4", 0, "1-7" },
	{ GUEST, QTI_LEVEL_L3, "1*8", "0 10*3 20*4", 7, "5-6 4 3 0-2" },
	{ GUEST, QTI_LEVEL_CHIP, "4*2", "0 20", 0, "1" },
#define PLAIN "virtual machine, 4 cores and nothing else", "[numa] core:4 pu:1"
	{ PLAIN, QTI_LEVEL_CORE, "1*4", "0 10*3", 1, "2-3 0" },
	{ PLAIN, QTI_LEVEL_CHIP, "4", "0", 0, "" },
	{ PLAIN, QTI_LEVEL_SOCKET, "4", "0", 0, "" },
};

enum { SYNTHETIC = sizeof(synthetic) / sizeof(synthetic[0]) };

static void each_synthetic_machine(void)
{
	for (unsigned i = 0; i < SYNTHETIC; i++) {
		struct qti_env env = { .worker_unit = QTI_LEVEL_PU, .cpu_quota = true, .cpu_limit = QTI_LOOK_UP };
		const char *level = qti_level_name(synthetic[i].boundary);
		struct qti_shape s;
		char text[TEXT];

		if (!QTI_HWLOC) {
			skip(4, "%s: made-up machines need hwloc", synthetic[i].machine);
			continue;
		}
		setenv("HWLOC_SYNTHETIC", synthetic[i].synthetic, 1);
		if (qti_shape_make(&s, &env, synthetic[i].boundary) != 0)
			bail_out("no shape for %s", synthetic[i].synthetic);
		ok(is_valid(&s) && !s.bound, "%s, %s: a valid shape, bound to nothing", synthetic[i].machine, level);
		is_str(workers(&s, text), synthetic[i].workers, "  workers");
		is_str(distances(&s, 0, text), synthetic[i].distances, "  distances");
		is_str(order(&s, synthetic[i].from, text), synthetic[i].order, "  order of shepherd %u",
			synthetic[i].from);
		qti_shape_free(&s);
	}
	unsetenv("HWLOC_SYNTHETIC");
}

/* ---- Machines built by hand, which workers can be bound to ------------------------------------------------------ */

struct machine {
	unsigned sockets, nodes, caches, cores, threads;        /* each within the one before */
	uint64_t masked;                /* CPUs not allowed, by the operating system's number */
};

/* Linux numbers first hardware threads before second ones. */
static struct qti_topo build(const struct machine *m)
{
	unsigned ncores = m->sockets * m->nodes * m->caches * m->cores, n = ncores * m->threads, used = 0;
	struct qti_topo t;

	if (qti_topo_init(&t, n) != 0)
		bail_out("out of memory");
	for (unsigned os = 0; os < n; os++) {
		struct qti_pu *pu = &t.pu[used];
		unsigned core = os % ncores;

		if (m->masked >> os & 1)
			continue;
		pu->os = os;
		pu->group[QTI_LEVEL_CORE] = (int)core;
		pu->group[QTI_LEVEL_L3] = (int)(core / m->cores);
		pu->group[QTI_LEVEL_NUMA] = (int)(core / m->cores / m->caches);
		pu->group[QTI_LEVEL_SOCKET] = (int)(core / m->cores / m->caches / m->nodes);
		used++;
	}
	t.npus = t.ncpus = used;
	qti_topo_finish(&t);
	return t;
}

static struct qti_shape shape_of(const struct machine *m, const struct qti_shape_req *req)
{
	struct qti_topo t = build(m);
	struct qti_shape s;

	if (qti_shape_build(&s, req, &t) != 0)
		bail_out("out of memory");
	qti_topo_free(&t);
	return s;
}

static const struct machine big = { 4, 1, 1, 8, 1, 0 }, small = { 1, 1, 1, 2, 1, 0 }, laptop = { 1, 1, 1, 4, 2, 0 };

/* boundary, shepherds, workers per shepherd, HWPAR, quota -> workers */
static const struct {
	const struct machine *machine;
	enum qti_level boundary;
	unsigned nshepherds, each, hwpar, limit;
	const char *workers;
} requests[] = {
	{ &big, QTI_LEVEL_CHIP, 0, 0, 0, 0, "8*4" },
	{ &big, QTI_LEVEL_CHIP, 2, 0, 0, 0, "8*2" },            /* fewer than groups: whole groups */
	{ &big, QTI_LEVEL_CHIP, 8, 0, 0, 0, "4*8" },            /* more: parts of groups */
	{ &big, QTI_LEVEL_CHIP, 5, 0, 0, 0, "6*5" },
	{ &big, QTI_LEVEL_CHIP, 40, 0, 0, 0, "1*40" },
	{ &big, QTI_LEVEL_CHIP, 0, 4, 0, 0, "4*4" },
	{ &big, QTI_LEVEL_CHIP, 0, 16, 0, 0, "16*2" },
	{ &big, QTI_LEVEL_CHIP, 0, 64, 0, 0, "64" },
	{ &big, QTI_LEVEL_CHIP, 3, 5, 0, 0, "5*3" },
	{ &big, QTI_LEVEL_CHIP, 64, 2, 0, 0, "2*64" },
	{ &big, QTI_LEVEL_CHIP, 0, 0, 1, 0, "1" },
	{ &big, QTI_LEVEL_CHIP, 0, 0, 3, 0, "1*3" },
	{ &big, QTI_LEVEL_CHIP, 0, 0, 5, 0, "2 1*3" },
	{ &big, QTI_LEVEL_CHIP, 0, 0, 6, 0, "2*3" },            /* evenly over three rather than unevenly over four */
	{ &big, QTI_LEVEL_CHIP, 0, 0, 10, 0, "5*2" },
	{ &big, QTI_LEVEL_CHIP, 0, 0, 30, 0, "8*2 7*2" },       /* three even groups would be crowded */
	{ &big, QTI_LEVEL_CHIP, 0, 0, 31, 0, "8*3 7" },
	{ &big, QTI_LEVEL_CHIP, 0, 0, 64, 0, "16*4" },
	{ &big, QTI_LEVEL_CHIP, 8, 4, 6, 0, "1*6" },            /* HWPAR below the shepherds: one each */
	{ &big, QTI_LEVEL_CHIP, 3, 0, 1, 0, "1" },
	{ &big, QTI_LEVEL_CHIP, 2, 0, 3, 0, "2 1" },
	{ &big, QTI_LEVEL_CHIP, 2, 2, 3, 0, "2 1" },            /* the fourth is not started */
	{ &big, QTI_LEVEL_CHIP, 2, 2, 7, 0, "4 3" },            /* beyond the product: more in each */
	{ &big, QTI_LEVEL_CHIP, 0, 4, 8, 0, "4*2" },
	{ &big, QTI_LEVEL_CHIP, 0, 4, 7, 0, "4 3" },
	{ &big, QTI_LEVEL_CHIP, 0, 2, 20, 0, "2*10" },
	{ &big, QTI_LEVEL_CHIP, 0, 0, 0, 8, "2*4" },            /* quotas: fewer workers, then fewer shepherds */
	{ &big, QTI_LEVEL_CHIP, 0, 0, 0, 5, "2 1*3" },
	{ &big, QTI_LEVEL_CHIP, 0, 0, 0, 3, "1*3" },
	{ &big, QTI_LEVEL_CHIP, 0, 0, 0, 64, "8*4" },
	{ &big, QTI_LEVEL_CHIP, 2, 0, 0, 6, "3*2" },
	{ &big, QTI_LEVEL_CHIP, 6, 0, 0, 2, "1*6" },            /* but not fewer than asked for */
	{ &big, QTI_LEVEL_CHIP, 0, 2, 0, 6, "2*3" },
	{ &big, QTI_LEVEL_CHIP, 0, 4, 0, 2, "4" },
	{ &big, QTI_LEVEL_CHIP, 2, 3, 0, 2, "3*2" },
	{ &big, QTI_LEVEL_CHIP, 0, 0, 12, 2, "3*4" },
	{ &big, QTI_LEVEL_CORE, 0, 0, 0, 0, "1*32" },
	{ &big, QTI_LEVEL_CORE, 1, 0, 0, 0, "1" },
	{ &big, QTI_LEVEL_CORE, 0, 0, 7, 0, "1*7" },
	{ &big, QTI_LEVEL_CORE, 0, 0, 33, 0, "1*33" },          /* a group is one worker: more of them */
	{ &big, QTI_LEVEL_CORE, 0, 0, 0, 4, "1*4" },
	{ &big, QTI_LEVEL_MACHINE, 0, 0, 0, 0, "32" },
	{ &big, QTI_LEVEL_MACHINE, 0, 0, 7, 0, "7" },
	{ &big, QTI_LEVEL_MACHINE, 4, 0, 0, 0, "8*4" },
	{ &big, QTI_LEVEL_MACHINE, 0, 0, 0, 3, "3" },
	{ &big, QTI_LEVEL_MACHINE, 0, 0, 100, 0, "100" },
	{ &big, QTI_LEVEL_MACHINE, 1, 0, 1000000, 0, "4096" },
	{ &small, QTI_LEVEL_CORE, 0, 0, 0, 0, "1*2" },
	{ &small, QTI_LEVEL_CORE, 0, 0, 4, 0, "1*4" },
	{ &small, QTI_LEVEL_CORE, 2, 0, 4, 0, "2*2" },
	{ &small, QTI_LEVEL_CORE, 2, 1, 0, 0, "1*2" },
	{ &small, QTI_LEVEL_CORE, 0, 0, 0, 1, "1" },
	{ &small, QTI_LEVEL_CHIP, 0, 0, 4, 0, "4" },
	{ &small, QTI_LEVEL_CHIP, 2, 2, 0, 0, "2*2" },
	{ &laptop, QTI_LEVEL_CORE, 0, 0, 0, 0, "2*4" },
	{ &laptop, QTI_LEVEL_CORE, 0, 0, 4, 0, "1*4" },
	{ &laptop, QTI_LEVEL_CORE, 0, 0, 6, 0, "2*3" },
	{ &laptop, QTI_LEVEL_CORE, 0, 0, 16, 0, "4*4" },
	{ &laptop, QTI_LEVEL_CORE, 0, 0, 0, 6, "2*2 1*2" },
	{ &laptop, QTI_LEVEL_CHIP, 0, 0, 0, 0, "8" },
};

enum { REQUESTS = sizeof(requests) / sizeof(requests[0]) };

static void each_request(void)
{
	for (unsigned i = 0; i < REQUESTS; i++) {
		const struct qti_shape_req req = {
			.boundary = requests[i].boundary,
			.worker_unit = QTI_LEVEL_PU,
			.nshepherds = requests[i].nshepherds,
			.workers_per_shepherd = requests[i].each,
			.hwpar = requests[i].hwpar,
			.cpu_limit = requests[i].limit,
		};
		char text[TEXT];
		struct qti_shape s = shape_of(requests[i].machine, &req);

		is_str(workers(&s, text), requests[i].workers,
			"%u CPUs, a shepherd a %s: %u shepherds of %u, %u in all, quota %u",
			requests[i].machine->sockets * requests[i].machine->cores * requests[i].machine->threads,
			qti_level_name(req.boundary), req.nshepherds, req.workers_per_shepherd, req.hwpar,
			req.cpu_limit);
		ok(is_valid(&s), "  is a valid shape");
		qti_shape_free(&s);
	}
}

static void too_many_workers(void)
{
	const struct qti_shape_req req = {
		.boundary = QTI_LEVEL_MACHINE,
		.worker_unit = QTI_LEVEL_PU,
		.nshepherds = 1024,
		.workers_per_shepherd = 1024,
	};
	int file = memfd_create("stderr", 0), kept = dup(STDERR_FILENO);
	char text[TEXT], said[TEXT] = "";

	dup2(file, STDERR_FILENO);
	struct qti_shape s = shape_of(&small, &req);
	dup2(kept, STDERR_FILENO);
	if (pread(file, said, sizeof(said) - 1, 0) < 0)
		bail_out("cannot read what was said");
	close(file);
	close(kept);
	is_str(workers(&s, text), "4*1024", "1024 shepherds of 1024 workers become 4096 workers");
	is_str(said, "libqthread: 1024 shepherds of 1024 workers are more than 4096 workers; using 4 in each\n",
		"  and a line says so");
	ok(is_valid(&s), "  in a valid shape");
	qti_shape_free(&s);
}

/* A program that asks for n workers and multiplies gets n, wherever shepherds are single cores or the machine. */
static void multiplication_holds(enum qti_level boundary)
{
	unsigned wrong = 0;

	for (unsigned n = 1; n <= 70; n++) {
		struct qti_shape s = shape_of(&big, &(struct qti_shape_req){
			.boundary = boundary, .worker_unit = QTI_LEVEL_PU, .hwpar = n });

		wrong += s.nworkers != n || s.nshepherds * s.stride != n;
		qti_shape_free(&s);
	}
	is_int(wrong, 0, "HWPAR from 1 to 70, a shepherd a %s: shepherds times workers are HWPAR",
		qti_level_name(boundary));
}

static void spread_is_even(void)
{
	unsigned wrong = 0;

	for (unsigned n = 1; n <= 70; n++) {
		struct qti_shape s = shape_of(&big, &(struct qti_shape_req){
			.boundary = QTI_LEVEL_CHIP, .worker_unit = QTI_LEVEL_PU, .hwpar = n });

		wrong += s.nworkers != n;
		for (unsigned i = 0; i < s.nshepherds; i++)
			wrong += s.workers[i] + 1 < s.stride || (n <= 32 && s.workers[i] > 8);
		qti_shape_free(&s);
	}
	is_int(wrong, 0,
		"HWPAR from 1 to 70, a shepherd a chip: no shepherd has two more than another, none is crowded");
}

/* ---- Binding ---------------------------------------------------------------------------------------------------- */

static void binds_whole_cores_first(void)
{
	struct qti_shape_req req = { .boundary = QTI_LEVEL_CORE, .worker_unit = QTI_LEVEL_PU, .bind = true };
	struct qti_shape s = shape_of(&laptop, &req);
	char text[TEXT];

	ok(s.bound && !s.oversubscribed && s.ncpus == 8, "8 workers on 8 CPUs are bound");
	is_str(cpus(&s, 0, text), "0 4", "  shepherd 0 has both threads of its core");
	is_str(cpus(&s, 3, text), "3 7", "  so has shepherd 3");
	qti_shape_free(&s);

	req.boundary = QTI_LEVEL_CHIP;
	req.hwpar = 6;
	s = shape_of(&laptop, &req);
	is_str(cpus(&s, 0, text), "0-5", "6 workers of one shepherd: second threads come last");
	qti_shape_free(&s);

	req.boundary = QTI_LEVEL_PU;
	req.hwpar = 4;
	s = shape_of(&laptop, &req);
	ok(qti_shape_pu(&s, 0, 0) == 0 && qti_shape_pu(&s, 3, 0) == 3, "4 shepherds of one thread: on four cores");
	qti_shape_free(&s);

	req = (struct qti_shape_req){ .boundary = QTI_LEVEL_CHIP, .worker_unit = QTI_LEVEL_CORE, .bind = true };
	s = shape_of(&laptop, &req);
	is_str(cpus(&s, 0, text), "0-3", "a worker unit of a core leaves the second threads free");
	qti_shape_free(&s);

	req.boundary = QTI_LEVEL_PU;
	s = shape_of(&laptop, &req);
	is_str(workers(&s, text), "1*4", "a boundary below the unit is as good as the unit");
	qti_shape_free(&s);

	req = (struct qti_shape_req){ .boundary = QTI_LEVEL_CHIP, .worker_unit = QTI_LEVEL_PU, .bind = true, .nshepherds = 8 };
	s = shape_of(&big, &req);
	is_str(cpus(&s, 3, text), "12-15", "more shepherds than chips: each has CPUs of one chip");
	is_str(distances(&s, 0, text), "0 6 30*6", "  and knows its neighbour on the chip");
	qti_shape_free(&s);
}

static void binds_if_asked(void)
{
	static const struct {
		const char *what;
		unsigned hwpar, limit;
		bool bind, oversubscribed;
	} cases[] = {
		{ "as many workers as CPUs", 32, 0, false, false },
		{ "as many, QT_AFFINITY=yes", 32, 0, true, false },
		{ "fewer", 16, 0, false, false },
		{ "fewer, QT_AFFINITY=yes", 16, 0, true, false },
		{ "a single one", 1, 0, false, false },
		{ "a single one, QT_AFFINITY=yes", 1, 0, true, false },
		{ "more", 64, 0, false, true },
		{ "more, QT_AFFINITY=yes", 64, 0, true, true },
		{ "a quota below the CPUs", 0, 8, false, false },
		{ "a quota, QT_AFFINITY=yes", 0, 8, true, false },
		{ "a quota, and more workers than it grants", 16, 8, false, true },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct qti_shape s = shape_of(&big, &(struct qti_shape_req){
			.boundary = QTI_LEVEL_CHIP, .worker_unit = QTI_LEVEL_PU, .hwpar = cases[i].hwpar,
			.cpu_limit = cases[i].limit, .bind = cases[i].bind });

		ok(is_valid(&s) && s.bound == cases[i].bind && s.oversubscribed == cases[i].oversubscribed, "%s: %s%s",
			cases[i].what, cases[i].bind ? "bound" : "not bound",
			cases[i].oversubscribed ? ", oversubscribed" : "");
		ok(s.nshepherds == 1 || qti_shape_distance(&s, 0, 1) == (s.bound || s.nworkers <= 32 ? 30 : 10),
			"  distances are known, unless workers that float have no CPU of their own");
		qti_shape_free(&s);
	}
}

static void masked_machines(void)
{
	/* Of four sockets: 3 CPUs, all 8, 1 and none. */
	const struct machine uneven = { 4, 1, 1, 8, 1, 0xfffe00f8 };
	/* The second threads of cores 0 and 1 are masked. */
	const struct machine half = { 1, 1, 1, 4, 2, 0x30 };
	struct qti_shape_req req = { .boundary = QTI_LEVEL_CHIP, .worker_unit = QTI_LEVEL_PU, .bind = true };
	struct qti_shape s = shape_of(&uneven, &req);
	char text[TEXT];

	is_str(workers(&s, text), "3 8 1", "sockets with 3 of 8 CPUs, all, 1 and none");
	is_str(cpus(&s, 1, text), "8-15", "  the second is whole");
	ok(is_valid(&s) && s.stride == 8 && s.nworkers == 12, "  numbers for 8 workers each, of which 12 exist");
	qti_shape_free(&s);

	req.cpu_limit = 5;
	s = shape_of(&uneven, &req);
	is_str(workers(&s, text), "2*2 1", "  with a quota of 5");
	qti_shape_free(&s);

	req.cpu_limit = 9;
	s = shape_of(&uneven, &req);
	is_str(workers(&s, text), "3 5 1", "  with a quota of 9");
	qti_shape_free(&s);

	req = (struct qti_shape_req){ .boundary = QTI_LEVEL_CORE, .worker_unit = QTI_LEVEL_PU, .bind = true };
	s = shape_of(&half, &req);
	is_str(workers(&s, text), "1*2 2*2", "half-masked cores count");
	is_str(cpus(&s, 2, text), "2 6", "  and keep their numbers");
	qti_shape_free(&s);

	req.worker_unit = QTI_LEVEL_CORE;
	s = shape_of(&half, &req);
	is_str(workers(&s, text), "1*4", "  as one unit each");
	qti_shape_free(&s);
}

/* The firmware's figures, which need not be those that the nesting suggests. */
static void measured_distances(void)
{
	static const uint8_t ring[4][4] = {
		{ 10, 16, 22, 17 }, { 16, 10, 16, 22 }, { 22, 16, 10, 16 }, { 17, 22, 16, 10 },
	};
	struct qti_topo t = build(&(struct machine){ 4, 1, 1, 2, 1, 0 });
	struct qti_shape s;
	char text[TEXT];

	t.nnodes = 4;
	t.node_distance = qti_mem_alloc(sizeof(ring));
	if (!t.node_distance)
		bail_out("out of memory");
	memcpy(t.node_distance, ring, sizeof(ring));
	if (qti_shape_build(
		    &s, &(struct qti_shape_req){ .boundary = QTI_LEVEL_NUMA, .worker_unit = QTI_LEVEL_PU }, &t) != 0)
		bail_out("out of memory");
	is_str(distances(&s, 0, text), "0 16 22 17", "distances between nodes are the machine's");
	is_str(order(&s, 0, text), "1 3 2", "  and order the others");
	is_str(order(&s, 1, text), "2 0 3", "  equally near ones from a place of the shepherd's own");
	qti_shape_free(&s);
	if (qti_shape_build(
		    &s, &(struct qti_shape_req){ .boundary = QTI_LEVEL_CORE, .worker_unit = QTI_LEVEL_PU }, &t) != 0)
		bail_out("out of memory");
	is_str(distances(&s, 0, text), "0 6 16*2 22*2 17*2", "  within a node what is shared counts");
	qti_shape_free(&s);
	qti_topo_free(&t);
}

/* ---- Thieves and memory ----------------------------------------------------------------------------------------- */

static void thieves_spread(void)
{
	struct qti_shape s = shape_of(&big, &(struct qti_shape_req){
		.boundary = QTI_LEVEL_CORE, .worker_unit = QTI_LEVEL_PU });
	unsigned first[32] = { 0 }, most = 0;

	for (unsigned i = 0; i < s.nshepherds; i++)
		if (++first[qti_shape_nearest(&s, i)[0]] > most)
			most = first[qti_shape_nearest(&s, i)[0]];
	ok(most <= 2, "32 thieves: none is the first victim of more than two (%u)", most);
	qti_shape_free(&s);
}

/* ---- QT_CPUBIND ------------------------------------------------------------------------------------------------- */

static void lists_decide(void)
{
	unsigned pu[] = { 4, 5, 0 }, begin[] = { 0, 2, 3 };
	const struct qti_cpubind lists = { .n = 3, .nlists = 2, .pu = pu, .begin = begin };
	struct qti_shape s = shape_of(&big, &(struct qti_shape_req){
		.boundary = QTI_LEVEL_CHIP, .worker_unit = QTI_LEVEL_CORE, .hwpar = 7, .nshepherds = 1, .lists = &lists });
	char text[TEXT];

	ok(is_valid(&s) && s.bound && !s.oversubscribed, "lists of CPUs bind workers, whatever the counts are");
	is_str(workers(&s, text), "2 1", "  one to each CPU of a shepherd");
	qti_shape_free(&s);
}

static void lists_are_read(void)
{
	static const struct {
		const char *text, *workers;
	} cases[] = {
		{ "0-2,4:3,5", "4 2" }, { "1:0", "1*2" }, { "7", "1" }, { "0-7", "8" }, { "0:0:0", "1*3" }, { "0,0", "2" },
		{ "", NULL }, { "8", NULL }, { "0-8", NULL }, { "2-1", NULL }, { "0:", NULL }, { ":0", NULL }, { "0,", NULL },
		{ "a", NULL }, { "0;1", NULL }, { "-1", NULL }, { "0-", NULL }, { "99999999999999999999", NULL },
		{ "4294967296", NULL },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct qti_env env = { .worker_unit = QTI_LEVEL_PU, .cpu_quota = false, .cpubind = cases[i].text };
		struct qti_shape s;
		char text[TEXT];

		if (!QTI_HWLOC) {
			skip(1, "made-up machines need hwloc");
			continue;
		}
		setenv("QT_CPUBIND", cases[i].text, 1);
		setenv("HWLOC_SYNTHETIC", "core:8 pu:1", 1);
		if (qti_shape_make(&s, &env, QTI_LEVEL_MACHINE) != 0)
			bail_out("no shape");
		is_str(workers(&s, text), cases[i].workers ? cases[i].workers : "8", "QT_CPUBIND=%s%s", cases[i].text,
			cases[i].workers ? "" : " is as unset");
		qti_shape_free(&s);
		unsetenv("HWLOC_SYNTHETIC");
		unsetenv("QT_CPUBIND");
	}
}

static void out_of_memory(void)
{
	struct qti_env env = { .worker_unit = QTI_LEVEL_PU, .cpu_quota = true, .cpu_limit = QTI_LOOK_UP };
	struct qti_shape s;
	unsigned clean = 0, nth;
	int rc = -1;

	qti_mem_fault = fault;
	for (nth = 1; nth < 100; nth++) {
		fault_at(nth);
		memset(&s, 0xa5, sizeof(s));
		if ((rc = qti_shape_make(&s, &env, QTI_LEVEL_CORE)) == 0)
			break;
		clean += rc == -ENOMEM && !s.workers && !s.pu;
	}
	qti_mem_fault = NULL;
	ok(nth > 3 && clean == nth - 1, "each of %u allocations may fail: -ENOMEM, nothing is left",
		nth - 1);
	ok(rc == 0 && is_valid(&s), "  and this system's shape is valid when none does");
	diag("this system: %u x %u, %u workers, %u CPUs%s", s.nshepherds, s.stride, s.nworkers, s.ncpus,
		s.bound ? ", bound" : "");
	qti_shape_free(&s);
}

int main(void)
{
	unsetenv("HWLOC_SYNTHETIC");
	unsetenv("HWLOC_XMLFILE");
	plan(4 * SYNTHETIC + 2 * REQUESTS + 3 + 3 + 9 + 22 + 8 + 4 + 3 + 2 + 19);
	each_synthetic_machine();
	each_request();
	too_many_workers();
	multiplication_holds(QTI_LEVEL_CORE);
	multiplication_holds(QTI_LEVEL_MACHINE);
	spread_is_even();
	binds_whole_cores_first();
	binds_if_asked();
	masked_machines();
	measured_distances();
	thieves_spread();
	lists_decide();
	lists_are_read();
	out_of_memory();
	return done();
}
