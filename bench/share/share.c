/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Does steps of a shape from one moment to another, in one pthread or several, and tells how many. */
#define _GNU_SOURCE
#include "share/share.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fib/fib.h"

enum { MOST_THREADS = 64 };

static const struct share_shape *shape;
static double start, seconds; /* on CLOCK_REALTIME, which all processes have in common; start 0: at once */
static double expected[SHARE_N];

struct stepper {
	pthread_t thread;
	unsigned long steps;
	double rate;
	struct {
		double time, cpu;
	} begin; /* when its steps begin */
};

static double seconds_of(struct timespec t)
{
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return seconds_of(t);
}

/* The runtime may be in a state in which it cannot be left in an orderly way. */
static _Noreturn void wrong(const char *what)
{
	fprintf(stderr, "%s: %s: WRONG RESULT: %s\n", share_program.name, shape->name, what);
	_Exit(1);
}

static void set_values(double *values)
{
	for (unsigned i = 0; i < SHARE_N; i++)
		values[i] = i;
}

/* The serial twin. */
static void set_expected(void)
{
	set_values(expected);
	for (unsigned i = 0; i < shape->loops; i++)
		share_loop(expected, 0, SHARE_N);
}

static void step(struct share_work *work)
{
	if (shape->loops) {
		set_values(work->values);
		shape->step(work);
		if (memcmp(work->values, expected, sizeof(expected)) != 0)
			wrong("not the values of the serial twin");
	} else {
		work->number = 0;
		shape->step(work);
		if (work->number != fib_number(SHARE_FIB))
			wrong("not the Fibonacci number");
	}
}

static void sleep_until(double when)
{
	struct timespec t = { .tv_sec = (time_t)when };

	t.tv_nsec = (long)(1e9 * (when - (double)t.tv_sec));
	while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL) == EINTR)
		continue;
}

/* Who is late loses what it misses: the copies' steps are counted over the same time.  The last step is done to its
 * end, and so long counts the time. */
static void do_steps(struct stepper *me)
{
	struct share_work *work = bench_room(share_program.name, 1, sizeof(*work));

	step(work); /* starts the threads that it needs */
	if (start > 0)
		sleep_until(start);
	me->begin.time = start > 0 ? start : now(CLOCK_REALTIME);
	me->begin.cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	double took;
	do {
		step(work);
		me->steps++;
		took = now(CLOCK_REALTIME) - me->begin.time;
	} while (took < seconds);
	me->rate = (double)me->steps / took;
	free(work);
}

static void *thread(void *me)
{
	do_steps(me);
	if (share_program.threads.ended)
		share_program.threads.ended();
	return NULL;
}

static void in_threads(struct stepper *stepper, unsigned long n)
{
	if (share_program.threads.expect)
		share_program.threads.expect((unsigned)n);
	for (unsigned long i = 0; i < n; i++)
		if (pthread_create(&stepper[i].thread, NULL, thread, &stepper[i]) != 0)
			bench_fail(share_program.name, "no more threads");
	if (share_program.threads.wait)
		share_program.threads.wait();
	for (unsigned long i = 0; i < n; i++)
		pthread_join(stepper[i].thread, NULL);
}

/* Prints steps a second, CPUs that were busy with them, steps, and the threads of the runtime. */
static void measure(unsigned long threads)
{
	struct stepper stepper[MOST_THREADS] = { 0 };
	unsigned team = share_program.start();
	unsigned long steps = 0;
	double rate = 0;

	set_expected();
	if (threads == 1)
		do_steps(&stepper[0]);
	else
		in_threads(stepper, threads);
	double cpu = now(CLOCK_PROCESS_CPUTIME_ID) - stepper[0].begin.cpu;
	double time = now(CLOCK_REALTIME) - stepper[0].begin.time;
	for (unsigned long i = 0; i < threads; i++) {
		steps += stepper[i].steps;
		rate += stepper[i].rate;
	}
	printf("%.3f %.3f %lu %u\n", rate, cpu / time, steps, team);
}

static const struct share_shape *find(const char *name)
{
	for (const struct share_shape *s = share_program.shapes; s->name; s++)
		if (strcmp(s->name, name) == 0)
			return s;
	bench_usage(share_program.name, "--shape %s: no such shape; --list names them", name);
}

/* For `run`: a line for each shape, a tab between its fields. */
static void list_shapes(void)
{
	for (const struct share_shape *s = share_program.shapes; s->name; s++)
		printf("%s\t%s\n", s->name, s->what);
}

static double number(const char *option, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end != '\0' || !(value >= 0 && value < 1e12))
		bench_usage(share_program.name, "--%s %s: not a number of seconds", option, text);
	return value;
}

int main(int argc, char **argv)
{
	const char *name = NULL, *start_text = "0", *seconds_text = "1";
	unsigned long threads = 1;
	bool list = false;
	const struct bench_option options[] = {
		{ "shape", "what a step is", BENCH_TEXT, &name, 0, 0, NULL },
		{ "seconds", "how long to do steps (default 1)", BENCH_TEXT, &seconds_text, 0, 0, NULL },
		{ "start", "when to begin, in seconds since 1970 (default: at once)", BENCH_TEXT, &start_text, 0, 0,
			NULL },
		{ "threads", "pthreads that do steps, each its own", BENCH_NUMBER, &threads, 1, MOST_THREADS, NULL },
		{ "list", "name the shapes and stop", BENCH_SWITCH, &list, 0, 0, NULL },
		{ .name = NULL },
	};

	bench_parse(argc, argv, share_program.name, share_program.what, options);
	if (list) {
		list_shapes();
		return 0;
	}
	if (!name)
		bench_usage(share_program.name, "--shape is missing");
	shape = find(name);
	start = number("start", start_text);
	seconds = number("seconds", seconds_text);
	measure(threads);
	return 0;
}
