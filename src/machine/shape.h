/* machine/shape.h -- how many shepherds and workers, which CPU each worker gets, and whom a shepherd turns to first.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The machine gives each group of the boundary level a shepherd, and each worker unit in it a worker.  Numbers that
 * the user asks for override the machine; what is left open follows from it:
 *
 *   asked for                shepherds                          workers
 *   nothing                  one a group                        one a unit, at most as many as the CPU quota grants
 *   shepherds                those, the first groups            as above; with more shepherds than groups, the units
 *                                                               are divided among them, at least one worker each
 *   workers a shepherd       as many as there are units for     those
 *   both                     those                              those
 *   HWPAR                    as many as share it evenly, about  HWPAR
 *                            one a group; if groups are single
 *                            units, one a worker
 *   HWPAR and shepherds      those, but at most HWPAR           HWPAR, spread evenly
 *   HWPAR and workers a s.   HWPAR divided by that, rounded up  HWPAR, spread evenly
 *
 * Workers are spread evenly over the shepherds and, inside one, over its cores; shepherds are dropped only when there
 * are fewer workers than shepherds.  A boundary that the machine does not show is replaced by the next smaller one,
 * or, for chip, NUMA node and socket, by the whole machine.
 *
 * Distances are those of the CPUs that workers get, or would get if they were bound: which is the best guess where the
 * kernel places them.  With more workers than units there is nothing to guess by, and all are equally far apart.
 *
 * QT_CPUBIND lists the CPUs of each shepherd and binds a worker to each of them.  With QT_AFFINITY=yes each worker is
 * bound to its CPU.  Otherwise the kernel places the workers: it knows which CPU is free, and a bound thread passes its
 * one CPU on to the programs and threads that its tasks start.
 */
#ifndef QTI_MACHINE_SHAPE_H
#define QTI_MACHINE_SHAPE_H

#include "machine/cpubind.h"
#include "machine/topo.h"

enum { QTI_WORKERS_MAX = 4096 };

/* Where a worker is, as far as a task that moves there notices. */
struct qti_place {
	uint16_t chip, node;
};

enum qti_span {
	QTI_SPAN_CHIP,                  /* both on one chip */
	QTI_SPAN_NODE,                  /* on two chips of one NUMA node */
	QTI_SPAN_MACHINE,               /* on two nodes */
};

/* Distances: 0 to itself, else by what the first CPUs of the two shepherds share.  Between NUMA nodes the machine's
 * own figures are taken where it has them; those are 10 within a node and more beyond. */
enum {
	QTI_DISTANCE_PU = 1,
	QTI_DISTANCE_CORE = 2,
	QTI_DISTANCE_L2 = 4,            /* or first-level cache */
	QTI_DISTANCE_L3 = 6,            /* or fourth-level cache */
	QTI_DISTANCE_NODE = 10,         /* socket and NUMA node; also if nothing is known */
	QTI_DISTANCE_NEAR = 20,         /* socket or NUMA node */
	QTI_DISTANCE_FAR = 30,          /* neither */
};

struct qti_shape_req {
	enum qti_level boundary, worker_unit;
	unsigned nshepherds, workers_per_shepherd, hwpar;       /* 0: open */
	unsigned cpu_limit;             /* by quota; 0: none */
	bool bind;                      /* QT_AFFINITY */
	const struct qti_cpubind *lists;        /* NULL: open; else all of the above are */
};

struct qti_shape {
	unsigned nshepherds;
	unsigned stride;                /* workers that a shepherd has numbers for */
	unsigned nworkers;              /* that exist, in all */
	unsigned ncpus;                 /* that they may use: affinity mask and quota */
	bool oversubscribed;            /* more workers than that: nobody should spin */
	bool bound;                     /* every worker has a CPU */
	unsigned *workers;              /* [nshepherds], each from 1 to stride */
	unsigned nnodes;                /* NUMA nodes, at least 1 */
	bool numa_known;                /* false: the system says nothing about them */
	int *pu;                        /* [nshepherds][stride]: the operating system's number, -1: unbound */
	struct qti_place *place;        /* [nshepherds][stride]: its CPU's, or of the one that it would be bound to */
	uint8_t *distance;              /* [nshepherds][nshepherds] */
	unsigned short *nearest;        /* [nshepherds][nshepherds - 1]: the others, nearest first */
};

/* The shape for this process's environment and machine.  boundary: the scheduler's, if the user asks for none.
 * 0 or -ENOMEM.  Threads started by one that is bound inherit its CPU: start them first, bind then. */
int qti_shape_make(struct qti_shape *s, const struct qti_env *env, enum qti_level boundary);

/* The same for a given machine. */
int qti_shape_build(struct qti_shape *s, const struct qti_shape_req *req, const struct qti_topo *topo);

void qti_shape_free(struct qti_shape *s);

static inline unsigned qti_shape_distance(const struct qti_shape *s, unsigned from, unsigned to)
{
	return s->distance[(size_t)from * s->nshepherds + to];
}

/* The nshepherds - 1 others, nearest first.  Of m equally near ones, shepherd i begins with number i modulo m and goes
 * around, so that the thieves of different shepherds begin at different victims. */
static inline const unsigned short *qti_shape_nearest(const struct qti_shape *s, unsigned shepherd)
{
	return s->nearest + (size_t)shepherd * (s->nshepherds - 1);
}

static inline int qti_shape_pu(const struct qti_shape *s, unsigned shepherd, unsigned local)
{
	return s->pu[(size_t)shepherd * s->stride + local];
}

static inline struct qti_place qti_shape_place(const struct qti_shape *s, unsigned shepherd, unsigned local)
{
	return s->place[(size_t)shepherd * s->stride + local];
}

static inline enum qti_span qti_place_span(struct qti_place a, struct qti_place b)
{
	if (a.node != b.node)
		return QTI_SPAN_MACHINE;
	return a.chip != b.chip ? QTI_SPAN_NODE : QTI_SPAN_CHIP;
}

#endif
