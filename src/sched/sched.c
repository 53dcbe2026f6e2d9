/* sched/sched.c -- the list of policies.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/policies.h"

#include "base/ascii.h"

#include <stdio.h>
#include <string.h>

const struct qti_sched *const qti_scheds[] = {
	&qti_sched_q, &qti_sched_l, &qti_sched_cq, &qti_sched_ws, &qti_sched_mts, &qti_sched_xq,
	&qti_sched_bq, &qti_sched_na_rp, &qti_sched_na_ws,
};
const unsigned qti_nscheds = sizeof(qti_scheds) / sizeof(qti_scheds[0]);

const struct qti_sched *qti_sched_find(const char *name)
{
	for (unsigned i = 0; i < qti_nscheds; i++)
		if (qti_ascii_same(qti_scheds[i]->name, name))
			return qti_scheds[i];
	return NULL;
}

const struct qti_sched *qti_sched_like(const char *name)
{
	static const char table[] = QTI_SCHEDULERS_LIKE;

	for (const char *p = table; *p; p += strspn(p, " ")) {
		const size_t theirs = strcspn(p, "="), ours = strcspn(p + theirs + 1, " ");
		char word[32];

		snprintf(word, sizeof(word), "%.*s", (int)theirs, p);
		if (qti_ascii_same(word, name)) {
			snprintf(word, sizeof(word), "%.*s", (int)ours, p + theirs + 1);
			return qti_sched_find(word);
		}
		p += theirs + 1 + ours;
	}
	return NULL;
}
