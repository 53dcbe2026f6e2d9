/* sched/policies.h -- the policies by name; nobody but sched.c needs to know them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Q, L, CQ, WS and MTS as in S. L. Olivier, A. K. Porterfield, K. B. Wheeler, M. Spiegel and J. F. Prins, OpenMP task
 * scheduling strategies for multicore NUMA systems, IJHPCA 26(2), 2012.  XQ, NA-RP and NA-WS as in W. Wang, M.
 * Gonthier, P. Nookala, H. Pan, I. Foster, I. Raicu and K. Chard, Optimizing fine-grained parallelism through dynamic
 * load balancing on multi-socket many-core systems (XQ is XQueue with static load balancing).  BQ as in S. N. Agathos,
 * N. D. Kallimanis and V. V. Dimakopoulos, Speeding up OpenMP tasking, Euro-Par 2012.
 */
#ifndef QTI_SCHED_POLICIES_H
#define QTI_SCHED_POLICIES_H

#include "core/sched.h"

extern const struct qti_sched qti_sched_q, qti_sched_l, qti_sched_cq, qti_sched_ws, qti_sched_mts, qti_sched_xq,
	qti_sched_bq, qti_sched_na_rp, qti_sched_na_ws;

#endif
