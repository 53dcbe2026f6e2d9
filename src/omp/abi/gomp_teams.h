/* omp/abi/gomp_teams.h -- a league of teams, for other compilers' calls.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_GOMP_TEAMS_H
#define QOMP_GOMP_TEAMS_H

/* GOMP_teams_reg, whoever has been called. */
void gomp_league_run(void (*fn)(void *), void *data, unsigned teams, unsigned limit);

#endif
