/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Figures about input and output and about sleeping: what it costs not to stop a worker, and how late one wakes. */
#define _GNU_SOURCE
#include "micro/micro.h"

#include <qthread/io.h>
#include <qthread/qt_syscalls.h>

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* A byte into a pipe and out again, so that it is always there. */
static double pass_bytes(unsigned long count, ssize_t (*take)(int, void *, size_t))
{
	int ends[2];
	char c = 0;

	if (pipe(ends) != 0)
		micro_fail("no pipe");
	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++)
		if (write(ends[1], "x", 1) != 1 || take(ends[0], &c, 1) != 1)
			micro_fail("the byte is lost");
	uint64_t took = bench_now_ns() - start;
	close(ends[0]);
	close(ends[1]);
	return (double)took / (double)count;
}

static double pipe_direct(unsigned long count)
{
	return pass_bytes(count, read);
}

static double pipe_ready(unsigned long count)
{
	return pass_bytes(count, qt_read);
}

static ssize_t read_in_action(int fd, void *buf, size_t size)
{
	qt_begin_blocking_action();
	ssize_t n = read(fd, buf, size);
	qt_end_blocking_action();
	return n;
}

static double pipe_proxied(unsigned long count)
{
	return pass_bytes(count, read_in_action);
}

static double action(unsigned long count)
{
	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++) {
		qt_begin_blocking_action();
		qt_end_blocking_action();
	}
	return (double)(bench_now_ns() - start) / (double)count;
}

static double late_by(unsigned long count, int (*wait_us)(unsigned))
{
	enum { US = 500 };
	double *late = malloc(count * sizeof(*late));

	if (!late)
		micro_fail("out of memory");
	for (unsigned long i = 0; i < count; i++) {
		uint64_t start = bench_now_ns();
		wait_us(US);
		late[i] = (double)(bench_now_ns() - start) / 1e3 - US;
	}
	double median = bench_summarize(late, count).median;
	free(late);
	return median;
}

static double lateness(unsigned long count)
{
	return late_by(count, qt_usleep);
}

static double lateness_direct(unsigned long count)
{
	return late_by(count, usleep);
}

static double cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		(double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static unsigned long asleep, awake; /* atomic */

static aligned_t sleep_long(void *arg)
{
	__atomic_add_fetch(&asleep, 1, __ATOMIC_RELAXED);
	qt_usleep((unsigned)(uintptr_t)arg);
	__atomic_add_fetch(&awake, 1, __ATOMIC_RELAXED);
	return 0;
}

/* While they sleep, for a second; the main task does, too. */
static double sleepers_cpu(unsigned long count)
{
	enum { LONG_US = 2500000 };

	for (unsigned long i = 0; i < count; i++)
		micro_fork(sleep_long, (void *)(uintptr_t)(LONG_US + i), NULL, NO_SHEPHERD);
	while (__atomic_load_n(&asleep, __ATOMIC_RELAXED) < count)
		qthread_yield();
	double cpu = cpu_seconds();
	uint64_t start = bench_now_ns();
	qt_sleep(1);
	double used = cpu_seconds() - cpu, passed = (double)(bench_now_ns() - start) / 1e9;
	if (__atomic_load_n(&awake, __ATOMIC_RELAXED) != 0)
		micro_fail("some woke too early");
	while (__atomic_load_n(&awake, __ATOMIC_RELAXED) < count)
		qt_usleep(10000);
	return 100 * used / passed;
}

const struct micro_figure micro_io[] = {
	{ "pipe_direct", "ns", "a byte through a pipe by write(2) and read(2)", pipe_direct, 100000, 10000, 9,
		MICRO_TASK, 1, MICRO_ANY, { 0, 0 } },
	{ "pipe_ready", "ns", "the same by qt_read: the byte is there", pipe_ready, 100000, 10000, 9, MICRO_TASK, 1,
		MICRO_ANY, { 0, 0 } },
	{ "pipe_proxied", "ns", "the same by read(2) in a blocking action", pipe_proxied, 5000, 500, 9, MICRO_TASK, 1,
		MICRO_ANY, { 0, 0 } },
	{ "action", "ns", "a blocking action in which nothing is done", action, 5000, 500, 9, MICRO_TASK, 1, MICRO_ANY,
		{ 0, 0 } },
	{ "lateness", "us", "how much longer than it was asked for qt_usleep(500) takes, median", lateness, 500, 100, 1,
		MICRO_TASK, 1, MICRO_ANY, { 0, 0 } },
	{ "lateness_direct", "us", "the same for usleep(3), which stops the worker", lateness_direct, 500, 100, 1,
		MICRO_TASK, 1, MICRO_ANY, { 0, 0 } },
	{ "sleepers_cpu", "% of a CPU", "processor time in a second while 10,000 tasks sleep", sleepers_cpu, 10000,
		1000, 1, MICRO_MAIN, 1, MICRO_ANY, { 1, 1 } },
	{ .name = NULL },
};
