/* machine/shape.c -- see machine/shape.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/shape.h"

#include "base/diag.h"
#include "base/mem.h"
#include "machine/quota.h"

#include <errno.h>
#include <string.h>

/* The PUs that get workers, by shepherd group. */
struct units {
	unsigned n;
	unsigned ngroups;
	unsigned *pu;                   /* [n] indices into topo->pu, group after group */
	unsigned *begin;                /* [ngroups + 1] where each group's begin */
	unsigned *line;                 /* [n] the same PUs in the order of the machine */
};

struct counts {
	unsigned nshepherds, nworkers;
};

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned max(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* ---- Units and groups ------------------------------------------------------------------------------------------- */

/* The level that stands for `level` on this PU; what is missing is replaced as the header says. */
static enum qti_level level_shown(const struct qti_pu *pu, enum qti_level level)
{
	while (pu->group[level] < 0)
		level = level >= QTI_LEVEL_NUMA ? QTI_LEVEL_MACHINE : (enum qti_level)(level - 1);
	return level;
}

static bool same_group(const struct qti_pu *a, const struct qti_pu *b, enum qti_level level)
{
	enum qti_level of_a = level_shown(a, level);

	return of_a == level_shown(b, level) && a->group[of_a] == b->group[of_a];
}

/* How many PUs before pu[i] are on its core: 0 for the first hardware thread. */
static unsigned thread_of_core(const struct qti_topo *t, unsigned i)
{
	unsigned n = 0;

	for (unsigned j = i; j-- > 0 && same_group(&t->pu[i], &t->pu[j], QTI_LEVEL_CORE);)
		n++;
	return n;
}

/* The first PU of each worker unit, in the order of the machine. */
static void find_units(struct units *u, const struct qti_topo *t, enum qti_level unit)
{
	u->n = 0;
	for (unsigned i = 0; i < t->npus; i++) {
		bool first = true;

		for (unsigned j = 0; j < u->n && first; j++)
			first = !same_group(&t->pu[i], &t->pu[u->line[j]], unit);
		if (first)
			u->line[u->n++] = i;
	}
}

/* Sorts the units by group.  First hardware threads come before second ones, both inside a group and among groups:
 * whoever uses only some of them should get whole cores. */
static void find_groups(
	struct units *u, const struct qti_topo *t, enum qti_level boundary, unsigned *order, bool *taken)
{
	unsigned n = 0;

	for (unsigned thread = 0; n < u->n; thread++)
		for (unsigned i = 0; i < u->n; i++)
			if (thread_of_core(t, u->line[i]) == thread)
				order[n++] = u->line[i];
	u->ngroups = 0;
	n = 0;
	for (unsigned i = 0; i < u->n; i++) {
		if (taken[i])
			continue;
		u->begin[u->ngroups++] = n;
		for (unsigned j = i; j < u->n; j++)
			if (!taken[j] && same_group(&t->pu[order[i]], &t->pu[order[j]], boundary)) {
				taken[j] = true;
				u->pu[n++] = order[j];
			}
	}
	u->begin[u->ngroups] = n;
}

static int units_init(struct units *u, const struct qti_topo *t, const struct qti_shape_req *req)
{
	size_t n = t->npus;
	unsigned *block = qti_mem_zalloc((4 * n + 1) * sizeof(*block) + n * sizeof(bool));

	if (!block)
		return -ENOMEM;
	*u = (struct units){ .pu = block, .line = block + n, .begin = block + 2 * n };
	find_units(u, t, req->worker_unit);
	find_groups(u, t, req->boundary, block + 3 * n + 1, (bool *)(block + 4 * n + 1));
	return 0;
}

/* As the user lists them; the groups are the shepherds. */
static int units_of_lists(struct units *u, const struct qti_cpubind *lists)
{
	const size_t n = lists->n, begins = lists->nlists + 1;
	unsigned *block = qti_mem_alloc((2 * n + begins) * sizeof(*block));

	if (!block)
		return -ENOMEM;
	*u = (struct units){ .n = lists->n, .ngroups = lists->nlists, .pu = block, .line = block + n, .begin = block + 2 * n };
	memcpy(u->pu, lists->pu, n * sizeof(*block));
	memcpy(u->line, lists->pu, n * sizeof(*block));
	memcpy(u->begin, lists->begin, begins * sizeof(*block));
	return 0;
}

static void units_fini(struct units *u)
{
	qti_mem_free(u->pu);
}

static unsigned group_room(const struct units *u, unsigned group)
{
	return u->begin[group + 1] - u->begin[group];
}

/* ---- How many --------------------------------------------------------------------------------------------------- */

/* Shepherds among which hwpar workers divide without remainder: kept if it costs at most half of the groups and
 * crowds none, for programs like to count workers by multiplying. */
static unsigned share_evenly(const struct units *u, unsigned hwpar, unsigned largest)
{
	unsigned most = min(u->ngroups, hwpar);

	for (unsigned n = most; 2 * n >= most && n > 0; n--)
		if (hwpar % n == 0 && (hwpar / n <= largest || hwpar > u->n))
			return n;
	return most;
}

static struct counts count_from_machine(const struct qti_shape_req *req, const struct units *u, unsigned cpus)
{
	unsigned largest = 0, some = 0;

	for (unsigned g = 0; g < u->ngroups; g++) {
		largest = max(largest, group_room(u, g));
		some += g < req->nshepherds ? group_room(u, g) : 0;
	}
	if (req->nshepherds && req->workers_per_shepherd)
		return (struct counts){ req->nshepherds, req->nshepherds * req->workers_per_shepherd };
	if (req->nshepherds && req->nshepherds <= u->ngroups)
		return (struct counts){ req->nshepherds, max(req->nshepherds, min(some, cpus)) };
	if (req->nshepherds) {
		unsigned each = max(1, u->n / req->nshepherds);
		return (struct counts){ req->nshepherds, max(req->nshepherds, min(req->nshepherds * each, cpus)) };
	}
	if (req->workers_per_shepherd) {
		unsigned n = req->hwpar ? (req->hwpar - 1) / req->workers_per_shepherd + 1 :
			max(1, min(u->ngroups, cpus / req->workers_per_shepherd));
		return (struct counts){ n, n * req->workers_per_shepherd };
	}
	if (req->hwpar)
		return (struct counts){ largest == 1 ? req->hwpar : share_evenly(u, req->hwpar, largest), req->hwpar };
	return (struct counts){ min(u->ngroups, cpus), cpus };
}

/* What was asked for, in numbers whose product stays in range. */
static struct qti_shape_req in_range(const struct qti_shape_req *asked)
{
	struct qti_shape_req req = *asked;
	unsigned each;

	req.nshepherds = min(req.nshepherds, QTI_WORKERS_MAX);
	req.workers_per_shepherd = min(req.workers_per_shepherd, QTI_WORKERS_MAX);
	req.hwpar = min(req.hwpar, QTI_WORKERS_MAX);
	each = req.nshepherds ? QTI_WORKERS_MAX / req.nshepherds : QTI_WORKERS_MAX;
	if (req.workers_per_shepherd > each) {
		if (qti_env_trusted())
			qti_warn("%u shepherds of %u workers are more than %u workers; using %u in each",
				req.nshepherds, req.workers_per_shepherd, QTI_WORKERS_MAX, each);
		req.workers_per_shepherd = each;
	}
	return req;
}

static struct counts shape_count(const struct qti_shape_req *req, const struct units *u, unsigned cpus)
{
	struct counts c = count_from_machine(req, u, cpus);

	if (req->hwpar)
		c.nworkers = req->hwpar;
	c.nworkers = min(c.nworkers, QTI_WORKERS_MAX);
	c.nshepherds = min(c.nshepherds, c.nworkers);
	return c;
}

/* ---- Who goes where --------------------------------------------------------------------------------------------- */

/* The units of shepherd i: its group's, or its part of all units where there are more shepherds than groups. */
static const unsigned *units_of(const struct units *u, unsigned nshepherds, unsigned i, unsigned *n)
{
	if (nshepherds <= u->ngroups) {
		*n = group_room(u, i);
		return u->pu + u->begin[i];
	}
	size_t begin = (size_t)i * u->n / nshepherds, end = ((size_t)i + 1) * u->n / nshepherds;
	*n = end > begin ? (unsigned)(end - begin) : 1;
	return u->line + begin;
}

/* One worker to each shepherd in turn, as long as it has units for it; beyond, or where the user gave a number, to
 * all alike. */
static void shape_spread(struct qti_shape *s, const struct qti_shape_req *req, const struct units *u)
{
	unsigned left = s->nworkers, units, fit = 0;

	for (unsigned i = 0; i < s->nshepherds; i++) {
		units_of(u, s->nshepherds, i, &units);
		fit += units;
	}
	bool alike = req->workers_per_shepherd || fit < s->nworkers;
	while (left > 0)
		for (unsigned i = 0; i < s->nshepherds && left > 0; i++) {
			units_of(u, s->nshepherds, i, &units);
			if (alike || s->workers[i] < units) {
				s->workers[i]++;
				left--;
			}
		}
}

/* What is not shown is taken to be one. */
static uint16_t group_shown(const struct qti_pu *pu, enum qti_level level)
{
	return pu->group[level] < 0 ? 0 : (uint16_t)pu->group[level];
}

static void shape_put(struct qti_shape *s, size_t at, const struct qti_pu *pu)
{
	s->pu[at] = s->bound ? (int)pu->os : -1;
	s->place[at] = (struct qti_place){
		.chip = group_shown(pu, QTI_LEVEL_CHIP), .node = group_shown(pu, QTI_LEVEL_NUMA) };
}

static void shape_place(struct qti_shape *s, const struct units *u, const struct qti_topo *t)
{
	for (unsigned i = 0; i < s->nshepherds; i++) {
		unsigned n;
		const unsigned *unit = units_of(u, s->nshepherds, i, &n);

		for (unsigned j = 0; j < s->stride; j++)
			shape_put(s, (size_t)i * s->stride + j, &t->pu[unit[j % n]]);
	}
}

/* ---- How far ---------------------------------------------------------------------------------------------------- */

static bool pus_share(const struct qti_pu *a, const struct qti_pu *b, enum qti_level level)
{
	return a->group[level] >= 0 && a->group[level] == b->group[level];
}

/* What is not shown is taken to be shared. */
static bool pus_apart(const struct qti_pu *a, const struct qti_pu *b, enum qti_level level)
{
	return a->group[level] >= 0 && b->group[level] >= 0 && a->group[level] != b->group[level];
}

static uint8_t pu_distance(const struct qti_topo *t, const struct qti_pu *a, const struct qti_pu *b)
{
	bool nodes = pus_apart(a, b, QTI_LEVEL_NUMA), sockets = pus_apart(a, b, QTI_LEVEL_SOCKET);

	if (a == b)
		return QTI_DISTANCE_PU;
	if (pus_share(a, b, QTI_LEVEL_CORE))
		return QTI_DISTANCE_CORE;
	if (pus_share(a, b, QTI_LEVEL_L1) || pus_share(a, b, QTI_LEVEL_L2))
		return QTI_DISTANCE_L2;
	if (nodes && t->node_distance)
		return t->node_distance[(size_t)a->group[QTI_LEVEL_NUMA] * t->nnodes +
			(size_t)b->group[QTI_LEVEL_NUMA]];
	if (nodes || sockets)
		return nodes && sockets ? QTI_DISTANCE_FAR : QTI_DISTANCE_NEAR;
	return pus_share(a, b, QTI_LEVEL_L3) || pus_share(a, b, QTI_LEVEL_L4) ? QTI_DISTANCE_L3 : QTI_DISTANCE_NODE;
}

static void shape_measure(struct qti_shape *s, const struct units *u, const struct qti_topo *t)
{
	bool nowhere = !s->bound && t->this_system && s->nworkers > u->n;
	unsigned n = s->nshepherds, units;

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++) {
			const struct qti_pu *a = &t->pu[*units_of(u, n, i, &units)];
			const struct qti_pu *b = &t->pu[*units_of(u, n, j, &units)];

			s->distance[(size_t)i * n + j] =
				i == j ? 0 : nowhere ? QTI_DISTANCE_NODE : pu_distance(t, a, b);
		}
}

static void count_nodes(struct qti_shape *s, const struct qti_topo *t)
{
	s->nnodes = 1;
	for (unsigned i = 0; i < t->npus; i++)
		s->nnodes = max(s->nnodes, group_shown(&t->pu[i], QTI_LEVEL_NUMA) + 1u);
	s->numa_known = t->pu[0].group[QTI_LEVEL_NUMA] >= 0 && (!t->this_system || qti_topo_has_nodes(""));
}

/* Counting sort: distances are bytes.  m equally near ones are listed in their order, but beginning at a place that
 * differs from shepherd to shepherd. */
static void sort_others(struct qti_shape *s)
{
	unsigned n = s->nshepherds;

	for (unsigned i = 0; i < n; i++) {
		const uint8_t *far = s->distance + (size_t)i * n;
		unsigned short *nearest = s->nearest + (size_t)i * (n - 1);
		unsigned begin[257] = { 0 }, seen[256] = { 0 };

		for (unsigned j = 0; j < n; j++)
			begin[far[j] + 1] += j != i;
		for (unsigned d = 1; d <= 256; d++)
			begin[d] += begin[d - 1];
		for (unsigned j = 0; j < n; j++) {
			unsigned d = far[j], m = begin[d + 1] - begin[d];

			if (j != i)
				nearest[begin[d] + (seen[d]++ + m - i % m) % m] = (unsigned short)j;
		}
	}
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

static int init_workers(struct qti_shape *s, const struct qti_shape_req *req, const struct units *u)
{
	s->workers = qti_mem_zalloc(s->nshepherds * sizeof(*s->workers));
	if (!s->workers)
		return -ENOMEM;
	shape_spread(s, req, u);
	for (unsigned i = 0; i < s->nshepherds; i++)
		s->stride = max(s->stride, s->workers[i]);
	return 0;
}

/* One block: what needs most alignment first. */
static int init_places(struct qti_shape *s, const struct units *u, const struct qti_topo *t)
{
	size_t n = s->nshepherds, places = n * s->stride, others = n * (n - 1);

	s->pu = qti_mem_alloc(places * (sizeof(*s->pu) + sizeof(*s->place)) + others * sizeof(*s->nearest) +
		n * n * sizeof(*s->distance));
	if (!s->pu)
		return -ENOMEM;
	s->place = (struct qti_place *)(void *)(s->pu + places);
	s->nearest = (unsigned short *)(void *)(s->place + places);
	s->distance = (uint8_t *)(s->nearest + others);
	shape_place(s, u, t);
	shape_measure(s, u, t);
	sort_others(s);
	return 0;
}

int qti_shape_build(struct qti_shape *s, const struct qti_shape_req *asked, const struct qti_topo *t)
{
	const struct qti_shape_req req = asked->lists ? (struct qti_shape_req){ .lists = asked->lists } : in_range(asked);
	struct units u;

	*s = (struct qti_shape){ 0 };
	if ((req.lists ? units_of_lists(&u, req.lists) : units_init(&u, t, &req)) != 0)
		return -ENOMEM;

	/* A quota limits this system, not one that is only described. */
	struct counts c = req.lists ? (struct counts){ u.ngroups, u.n } :
		shape_count(&req, &u, t->this_system && req.cpu_limit ? min(u.n, req.cpu_limit) : u.n);

	s->nshepherds = c.nshepherds;
	s->nworkers = c.nworkers;
	s->ncpus = asked->cpu_limit ? min(t->ncpus, asked->cpu_limit) : t->ncpus;
	s->oversubscribed = s->nworkers > s->ncpus;
	s->bound = t->this_system && (req.bind || req.lists);
	count_nodes(s, t);
	int rc = init_workers(s, &req, &u);
	if (rc == 0)
		rc = init_places(s, &u, t);
	units_fini(&u);
	if (rc != 0)
		qti_shape_free(s);
	return rc;
}

void qti_shape_free(struct qti_shape *s)
{
	qti_mem_free(s->workers);
	qti_mem_free(s->pu);
	*s = (struct qti_shape){ 0 };
}

/* The levels that the answer depends on: steals are counted by distance inside one shepherd, too. */
static unsigned levels_needed(const struct qti_shape_req *req)
{
	unsigned usual = 1u << QTI_LEVEL_CORE | 1u << QTI_LEVEL_L2 | 1u << QTI_LEVEL_L3 | 1u << QTI_LEVEL_L4 |
		1u << QTI_LEVEL_NUMA | 1u << QTI_LEVEL_SOCKET;

	return usual | 1u << req->boundary | 1u << req->worker_unit;
}

/* One CPU is not limited: a quota of less is rounded up. */
static unsigned cpu_limit(const struct qti_env *env, unsigned cpus)
{
	if (!env->cpu_quota || cpus == 1)
		return 0;
	return env->cpu_limit == QTI_LOOK_UP ? qti_quota_cpus("") : env->cpu_limit;
}

int qti_shape_make(struct qti_shape *s, const struct qti_env *env, enum qti_level boundary)
{
	struct qti_affinity allowed;
	unsigned cpus = qti_affinity_save(&allowed);
	struct qti_shape_req req = {
		.boundary = env->shepherd_boundary != QTI_LEVEL_UNSET ? env->shepherd_boundary : boundary,
		.worker_unit = env->worker_unit,
		.nshepherds = env->num_shepherds,
		.workers_per_shepherd = env->workers_per_shepherd,
		.hwpar = env->hwpar,
		.cpu_limit = cpu_limit(env, cpus),
		.bind = env->affinity,
	};
	struct qti_cpubind lists = { 0 };
	struct qti_topo topo;

	*s = (struct qti_shape){ 0 };
	if (req.cpu_limit == UINT_MAX)
		return -ENOMEM;
	int rc = qti_topo_load(&topo, levels_needed(&req));
	if (rc != 0)
		return rc;
	if (env->cpubind) {
		const char *wrong = qti_cpubind_read(&lists, env->cpubind, &topo, QTI_WORKERS_MAX);

		if (wrong)
			qti_env_complain(QTI_SET_CPUBIND, wrong, "lists of CPUs that the process may use, such as 0-2,4:3,5",
				"as many as there are");
		else
			req.lists = &lists;
	}
	rc = qti_shape_build(s, &req, &topo);
	qti_cpubind_free(&lists);
	qti_topo_free(&topo);
	return rc;
}
