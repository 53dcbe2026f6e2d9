/* test/unit/omp_masks.c -- another process sets the CPUs of all threads while runtimes start, work and end, and while
 * regions run: no thread gets any other back.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of masks for each kind of process (default 60).
 */
#include "omp/abi/gomp_parallel.h"
#include "base/park.h"
#include "cpus.h"
#include "stress/stress.h"

#include <fcntl.h>
#include <poll.h>

enum { MEMBERS_MOST = 5, LATE_S = 10 };

/* ---- The process whose masks are set ---------------------------------------------------------------------------- */

static aligned_t task(void *unused)
{
	(void)unused;
	stress_pause(300);
	return 0;
}

/* A thread that a task makes, and that calls the library. */
static void *visitor(void *unused)
{
	qthread_fork(task, NULL, NULL);
	return unused;
}

static aligned_t task_with_thread(void *unused)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, visitor, unused) != 0)
		return 1;
	pthread_join(thread, NULL);
	return 0;
}

static void tasks(uint64_t *random)
{
	for (unsigned i = stress_random(random, 40); i > 0; i--) {
		aligned_t ret;

		qthread_fork(stress_random(random, 20) == 0 ? task_with_thread : task, NULL, &ret);
		qthread_readFF(NULL, &ret);
	}
}

static void runtimes(uint64_t *random)
{
	qthread_initialize();
	tasks(random);
	if (stress_random(random, 4) == 0)
		qthread_finalize();
}

static void member(void *unused)
{
	(void)unused;
	stress_pause(2000);
	GOMP_barrier();
}

static void regions(uint64_t *random)
{
	GOMP_parallel(member, NULL, 1 + stress_random(random, MEMBERS_MOST), 0);
}

static const struct kind {
	const char *name, *variable, *value;
	void (*work)(uint64_t *random);
} kinds[] = {
	{ "runtimes that start and end", "QT_AFFINITY", "no", runtimes },
	{ "regions", "OMP_PROC_BIND", "false", regions },
	{ "regions on places", "OMP_PROC_BIND", "close", regions },
	{ "regions on places far apart", "OMP_PROC_BIND", "spread", regions },
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static bool answer(void)
{
	char c = 'x';

	return write(STDOUT_FILENO, &c, 1) == 1;
}

/* Once all threads are there and bound.  Answers each byte when all that was under way is over, and ends with its
 * input. */
static int work_on(const struct kind *k)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	uint64_t random = stress_state(1);
	char c;

	if (k->work == regions)
		GOMP_parallel(member, NULL, MEMBERS_MOST, 0);
	else
		qthread_initialize();
	if (!answer())
		return 1;
	for (;;) {
		k->work(&random);
		if (poll(&in, 1, 0) <= 0)
			continue;
		if (read(STDIN_FILENO, &c, 1) != 1)
			return 0;
		for (int i = 0; i < 4; i++)
			k->work(&random);
		if (!answer())
			return 1;
	}
}

/* ---- The one that sets them ------------------------------------------------------------------------------------- */

static cpu_set_t all;

struct worker_process {
	pid_t pid;
	int to, from;
};

static struct worker_process start(unsigned kind)
{
	int in[2], out[2];
	char number[12];
	char *const argv[] = { cpus_program, number, NULL };
	posix_spawn_file_actions_t files;
	struct worker_process p;

	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
		bail_out("no pipe");
	snprintf(number, sizeof(number), "%u", kind);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
	if (posix_spawn(&p.pid, cpus_program, &files, NULL, argv, environ) != 0)
		bail_out("no process");
	posix_spawn_file_actions_destroy(&files);
	close(in[0]);
	close(out[1]);
	p.to = in[1];
	p.from = out[0];
	return p;
}

static void await(const struct worker_process *p)
{
	char c;

	if (read(p->from, &c, 1) != 1)
		bail_out("the process has ended");
}

static cpu_set_t some_of_all(uint64_t *random)
{
	cpu_set_t set = cpus_one_of(&all, stress_random(random, 2));

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && stress_random(random, 2))
			CPU_SET(cpu, &set);
	return set;
}

/* Who is being moved has another one for a moment. */
static bool stays(pid_t pid, const cpu_set_t *set)
{
	const uint64_t end = qti_now_ns() + LATE_S * UINT64_C(1000000000);
	int others;

	while ((others = cpus_others_of(pid, set)) > 0 && qti_now_ns() < end)
		sched_yield();
	return others == 0;
}

static void masks_stay(unsigned kind)
{
	const struct kind *k = &kinds[kind];
	unsigned rounds = stress_rounds(60), lost = 0;
	uint64_t random = stress_state(0);

	setenv(k->variable, k->value, 1);
	struct worker_process p = start(kind);
	await(&p);
	for (unsigned i = 0; i < rounds && lost == 0; i++) {
		const cpu_set_t set = some_of_all(&random);

		stress_watch("a mask");
		stress_pause(stress_random(&random, 20000));
		cpus_set_all_of(p.pid, &set);
		if (write(p.to, "x", 1) != 1)
			bail_out("%s: the process has ended", k->name);
		await(&p);
		lost += !stays(p.pid, &set);
	}
	close(p.to);
	close(p.from);
	is_int(lost, 0, "%s, %s=%s: no mask is lost", k->name, k->variable, k->value);
	ok(cpus_ended_well(p.pid), "  and the process ends");
	unsetenv(k->variable);
}

int main(int argc, char **argv)
{
	char seed[32];

	cpus_begin(argc, argv);
	if (argc == 2)
		return work_on(&kinds[atoi(argv[1])]);
	all = cpus_now();
	if (CPU_COUNT(&all) < 2)
		plan_skip_all("one CPU");
	plan(2 * KINDS);
	stress_say(stress_rounds(60));
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)stress_seed());
	setenv("QTI_SEED", seed, 1);
	setenv("QT_HWPAR", "2", 1);
	for (unsigned i = 0; i < KINDS; i++)
		masks_stay(i);
	return done();
}
