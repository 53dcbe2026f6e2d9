/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* A country: its size and chances, its beginning, and the totals at its end. */
#ifndef BENCH_HEALTH_COUNTRY_H
#define BENCH_HEALTH_COUNTRY_H

#include "health/health.h"

struct health_country {
	int levels, cities, population; /* of the tree; below each village; inhabitants for one of the personnel */
	int days, assess_days, convalescence_days;
	long seed;
	float sickness, convalescence, referral; /* chances */
};

/* Whole numbers but the last; as many as a double can count. */
struct health_totals {
	double population, hospitals, personnel, checkins, home, waiting, assessed, inside;
	double stay; /* days in hospital, the mean of everybody */
};

/* Population, hospitals and personnel; the rest is 0. */
struct health_totals health_size(const struct health_country *c);
/* Puts the country into its first state; always the same.  There is one at a time.  False: out of memory. */
bool health_begin(const struct health_country *c);
struct health_totals health_end(void);

#endif
