/* ds/units.h -- which units of a map are used: taking and giving back, by bits in the file alone.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_DS_UNITS_H
#define QTI_DS_UNITS_H

#include "base/lock.h"
#include "ds/mapfile.h"

enum { UNITS_STREAMS = 256 };           /* at most */
#define UNITS_NONE UINT64_MAX

/* A range of whole words of the bit maps.  A thread looks in its own first. */
struct units_stream {
	uint64_t first, end;            /* words */
	uint64_t hint;                  /* static: the word to begin with; dynamic: the unit */
	uint64_t nfree;                 /* units; with running takers roughly */
	struct qti_lock lock;           /* dynamic: over both bit maps' words in the range */
} QTI_ALIGNED_LINE;

struct units {
	struct mapfile file;
	unsigned nstreams;
	struct units_stream stream[UNITS_STREAMS];
};

/* The file is open.  Makes good what a crash has left of it. */
void qti_units_begin(struct units *u, uint64_t streams);

/* Nobody changes a dynamic map in between. */
void qti_units_take_all(struct units *u);
void qti_units_drop_all(struct units *u);

/* One unit, or a run of n; UNITS_NONE: there is none. */
uint64_t qti_units_take_one(struct units *u, unsigned stream);
uint64_t qti_units_take_run(struct units *u, unsigned stream, uint64_t n);

/* False, with nothing changed, if `at` is not used, or is not where a run begins. */
bool qti_units_give_one(struct units *u, uint64_t at);
bool qti_units_give_run(struct units *u, uint64_t at);

#endif
