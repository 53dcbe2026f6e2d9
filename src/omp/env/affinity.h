/* omp/env/affinity.h -- the text that says where a thread runs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_AFFINITY_H
#define QOMP_AFFINITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qomp_text;

/* affinity-format-var becomes a copy of the text.  False when out of memory: then it stays as it was. */
bool qomp_affinity_format_set(const char *text, size_t length);
void qomp_affinity_format_show(struct qomp_text *out);

/* Where the calling thread stands in its regions, for the fields that are numbers. */
struct qomp_whereabouts {
	unsigned team_num, num_teams;
	unsigned level, thread_num, num_threads;
	int ancestor;                   /* -1: there is none */
};

/* The text with its fields filled in, alone, or on stderr, with an end of line.  NULL or nothing:
 * affinity-format-var. */
void qomp_affinity_expand(struct qomp_text *out, const char *text, const struct qomp_whereabouts *at);
void qomp_affinity_show(const char *text, const struct qomp_whereabouts *at);

#endif
