/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Figures about the process as a whole: memory, idle time, start-up and shut-down. */
#define _GNU_SOURCE
#include "micro/micro.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A figure of /proc/self/status or /proc/meminfo, in KiB. */
static unsigned long proc_kib(const char *path, const char *key)
{
	char line[160];
	unsigned long kib = 0;
	FILE *f = fopen(path, "r");

	if (!f)
		micro_fail("%s cannot be read", path);
	while (fgets(line, sizeof(line), f))
		if (strncmp(line, key, strlen(key)) == 0 && line[strlen(key)] == ':')
			kib = strtoul(line + strlen(key) + 1, NULL, 10);
	fclose(f);
	return kib;
}

/* Resident memory and the page tables that make it so. */
static double memory_bytes(void)
{
	return 1024.0 * (double)(proc_kib("/proc/self/status", "VmRSS") + proc_kib("/proc/self/status", "VmPTE"));
}

static aligned_t count_in(void *arg)
{
	__atomic_add_fetch((unsigned long *)arg, 1, __ATOMIC_RELAXED);
	return 0;
}

static double bytes_unstarted(unsigned long count)
{
	static unsigned long ran; /* atomic */

	double before = memory_bytes();
	for (unsigned long i = 0; i < count; i++)
		micro_fork(count_in, &ran, NULL, NO_SHEPHERD);
	/* The only worker is here and has not let go: none can have started. */
	if (__atomic_load_n(&ran, __ATOMIC_RELAXED) != 0)
		micro_fail("tasks ran although their only worker was busy");
	double after = memory_bytes();
	while (__atomic_load_n(&ran, __ATOMIC_RELAXED) < count)
		qthread_yield();
	return (after - before) / (double)count;
}

static unsigned long waiting, woken; /* atomic */

static aligned_t wait_on(void *arg)
{
	__atomic_add_fetch(&waiting, 1, __ATOMIC_RELAXED);
	qthread_readFF(NULL, arg);
	__atomic_add_fetch(&woken, 1, __ATOMIC_RELAXED);
	return 0;
}

static double kib_blocked(unsigned long count)
{
	/* A blocked task cannot take less than a page of stack; leave the machine a quarter of its memory. */
	unsigned long room = proc_kib("/proc/meminfo", "MemAvailable") / 4 * 3 / 6;

	if (count > room) {
		fprintf(stderr, "micro: kib_blocked: only %lu tasks, for want of memory\n", room);
		count = room;
	}
	aligned_t *words = malloc(count * sizeof(*words));
	if (!words)
		micro_fail("out of memory");
	memset(words, 0, count * sizeof(*words));
	double before = memory_bytes();
	for (unsigned long i = 0; i < count; i++) {
		qthread_empty(&words[i]);
		micro_fork(wait_on, &words[i], NULL, NO_SHEPHERD);
	}
	while (__atomic_load_n(&waiting, __ATOMIC_RELAXED) < count)
		qthread_yield();
	double after = memory_bytes();
	for (unsigned long i = 0; i < count; i++)
		qthread_fill(&words[i]);
	while (__atomic_load_n(&woken, __ATOMIC_RELAXED) < count)
		qthread_yield();
	free(words);
	return (after - before) / 1024 / (double)count;
}

static double cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		(double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Fills the word once a second has passed, without using the processor meanwhile. */
static void *fill_later(void *word)
{
	const struct timespec second = { .tv_sec = 1 };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL);
	qthread_fill(word);
	return NULL;
}

static double idle_cpu(unsigned long count)
{
	static unsigned long ran; /* atomic */
	aligned_t word;
	pthread_t thread;

	for (unsigned long i = 0; i < count; i++)
		micro_fork(count_in, &ran, NULL, NO_SHEPHERD);
	while (__atomic_load_n(&ran, __ATOMIC_RELAXED) < count)
		qthread_yield();
	qthread_empty(&word);
	if (pthread_create(&thread, NULL, fill_later, &word) != 0)
		micro_fail("no thread");
	double cpu = cpu_seconds();
	uint64_t start = bench_now_ns();
	qthread_readFF(NULL, &word);
	double used = cpu_seconds() - cpu, passed = (double)(bench_now_ns() - start) / 1e9;
	pthread_join(thread, NULL);
	return 100 * used / passed;
}

/* Times one initialize, or one finalize after it, in us. */
static double cycle_us(bool finalize)
{
	uint64_t start = bench_now_ns();

	if (qthread_initialize() != QTHREAD_SUCCESS)
		micro_fail("qthread_initialize failed");
	uint64_t up = bench_now_ns();
	qthread_finalize();
	uint64_t down = bench_now_ns();
	return (double)(finalize ? down - up : up - start) / 1e3;
}

/* A process that has never run the library starts it. */
static double startup(unsigned long count)
{
	int fd[2];
	double us = 0;
	(void)count;

	if (pipe(fd) != 0)
		micro_fail("no pipe");
	pid_t pid = fork();
	if (pid == 0) {
		us = cycle_us(false);
		_exit(write(fd[1], &us, sizeof(us)) == (ssize_t)sizeof(us) ? 0 : 1);
	}
	close(fd[1]);
	bool got = pid > 0 && read(fd[0], &us, sizeof(us)) == (ssize_t)sizeof(us);
	close(fd[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	if (!got)
		micro_fail("the process that was to start the library failed");
	return us;
}

static double restart(unsigned long count)
{
	(void)count;
	return cycle_us(false);
}

static double shutdown_us(unsigned long count)
{
	(void)count;
	return cycle_us(true);
}

const struct micro_figure micro_whole[] = {
	{ "bytes_unstarted", "B/task", "memory growth over a million tasks that cannot start", bytes_unstarted, 1000000,
		50000, 1, MICRO_MAIN, 1, 1, { 160, 0 } },
	{ "kib_blocked", "KiB/task", "memory growth, page tables too, over a million tasks blocked on words",
		kib_blocked, 1000000, 50000, 1, MICRO_MAIN, 1, 1, { 5.3, 0 } },
	{ "idle_cpu", "% of a CPU", "processor time over a second without work, after a burst", idle_cpu, 100000, 10000,
		1, MICRO_MAIN, 1, MICRO_ANY, { 0.5, 0.5 } },
	{ "startup", "us", "qthread_initialize in a fresh process", startup, 1, 1, 20, MICRO_ALONE, 1, MICRO_ANY,
		{ 300, 300 } },
	{ "restart", "us", "qthread_initialize after an earlier qthread_finalize", restart, 1, 1, 20, MICRO_ALONE, 1,
		MICRO_ANY, { 0, 0 } },
	{ "shutdown", "us", "qthread_finalize of an idle library", shutdown_us, 1, 1, 20, MICRO_ALONE, 1, MICRO_ANY,
		{ 0, 0 } },
	{ .name = NULL },
};
