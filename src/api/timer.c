/* api/timer.c -- stop watches, and the size of a cache line.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/atomic.h"
#include "base/mem.h"
#include "qthread/cacheline.h"
#include "qthread/qtimer.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { TIMER_NS_PER_S = 1000000000, CACHELINE_FALLBACK = 128 };

struct qtimer_s {
	struct timespec start;
	struct timespec stop;
	bool started;
};

static struct timespec timer_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t;
}

static double timer_seconds(struct timespec t)
{
	return (double)t.tv_sec + (double)t.tv_nsec / TIMER_NS_PER_S;
}

qtimer_t qtimer_create(void)
{
	return qti_mem_zalloc(sizeof(struct qtimer_s));
}

void qtimer_destroy(qtimer_t timer)
{
	qti_mem_free(timer);
}

void qtimer_start(qtimer_t timer)
{
	if (!timer)
		return;
	timer->started = true;
	timer->start = timer_now();
	timer->stop = timer->start;
}

void qtimer_stop(qtimer_t timer)
{
	if (timer && timer->started)
		timer->stop = timer_now();
}

double qtimer_secs(qtimer_t timer)
{
	if (!timer)
		return 0.0;
	/* Field by field: a double does not hold the nanoseconds of a machine that has been up for months. */
	return (double)(timer->stop.tv_sec - timer->start.tv_sec) +
	       (double)(timer->stop.tv_nsec - timer->start.tv_nsec) / TIMER_NS_PER_S;
}

double qtimer_wtime(void)
{
	return timer_seconds(timer_now());
}

double qtimer_res(void)
{
	struct timespec t;

	return clock_getres(CLOCK_MONOTONIC, &t) == 0 ? timer_seconds(t) : 1.0 / TIMER_NS_PER_S;
}

unsigned long qtimer_fastrand(void)
{
	const struct timespec t = timer_now();
	uint64_t x = (uint64_t)t.tv_sec * TIMER_NS_PER_S + (uint64_t)t.tv_nsec;

	/* Neighbouring nanoseconds should not give neighbouring numbers: multiply, fold the high bits down, twice. */
	x *= UINT64_C(0x9e3779b97f4a7c15);
	x ^= x >> 32;
	x *= UINT64_C(0xd6e8feb86659fd93);
	return (unsigned long)(x ^ (x >> 29));
}

static int cacheline_from_sysfs(void)
{
	FILE *f = fopen("/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size", "re");
	int bytes = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%d", &bytes) != 1)
		bytes = 0;
	fclose(f);
	return bytes;
}

int qthread_cacheline(void)
{
	static int known;       /* 0: not asked yet; several threads may find the same answer at once */
	int bytes = load_rlx(&known);

	if (bytes)
		return bytes;
	bytes = (int)sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
	if (bytes <= 0)
		bytes = cacheline_from_sysfs();         /* glibc knows no answer on some architectures */
	if (bytes <= 0)
		bytes = CACHELINE_FALLBACK;
	store_rlx(&known, bytes);
	return bytes;
}
