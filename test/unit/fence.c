/* test/unit/fence.c -- the asymmetric fence of base/atomic.h: of two sides that store and look, one sees the other.
 * And to ThreadSanitizer no fence orders data, so that it sees races beside them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts meetings of the two sides.  The same meetings without fences go wrong on most machines; how often
 * they did on this one is printed.
 */
#include "stress/stress.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>

enum { MEETINGS = 100000 };

enum fences { NONE, ASYMMETRIC, FULL };

/* One line each, as where the pair is used. */
static struct {
	uint32_t stored QTI_ALIGNED_LINE;
} frequent, rare;
static struct {
	unsigned meeting QTI_ALIGNED_LINE; /* each side counts the meetings that it is ready for */
	unsigned saw;                      /* what it loaded in the last one */
} side[2];

static unsigned meetings;
static enum fences fences;

/* Both sides come as close to each other as the machine lets them. */
static void meet(int me, unsigned meeting)
{
	store_rel(&side[me].meeting, meeting);
	stress_until(load_acq(&side[!me].meeting) >= meeting);
}

static void *frequent_side(void *unused)
{
	uint64_t random = stress_state(1);

	(void)unused;
	for (unsigned i = 1; i <= meetings; i++) {
		unsigned delay = stress_random(&random, 32);
		meet(0, 2 * i);
		stress_pause(delay);
		store_rlx(&frequent.stored, i);
		if (fences != NONE)
			fence_light();
		side[0].saw = load_rlx(&rare.stored);
		meet(0, 2 * i + 1);
	}
	return NULL;
}

/* Returns how often neither saw the other. */
static unsigned rare_side(void)
{
	uint64_t random = stress_state(2);
	unsigned missed = 0;

	for (unsigned i = 1; i <= meetings; i++) {
		unsigned delay = stress_random(&random, 32);
		meet(1, 2 * i);
		stress_pause(delay);
		store_rlx(&rare.stored, i);
		if (fences != NONE)
			qti_fence_heavy();
		side[1].saw = load_rlx(&frequent.stored);
		meet(1, 2 * i + 1);
		missed += side[0].saw != i && side[1].saw != i;
	}
	return missed;
}

static unsigned run(enum fences which, unsigned rounds)
{
	pthread_t thread;

	fences = which;
	meetings = rounds;
	frequent.stored = rare.stored = 0;
	side[0].meeting = side[1].meeting = 0;
	if (pthread_create(&thread, NULL, frequent_side, NULL) != 0)
		bail_out("pthread_create failed");
	unsigned missed = rare_side();
	pthread_join(thread, NULL);
	return missed;
}

static int passed_on;
static unsigned written;

static void *reads_behind_a_fence(void *unused)
{
	stress_until(load_rlx(&written));
	fence_sc();
	passed_on++;
	return unused;
}

/* Returns the status with which a process ends in which data pass from one thread to another by fences alone. */
static int pass_on_by_fences(void)
{
	pid_t child = fork();
	pthread_t thread;
	int status;

	if (child == 0) {
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		if (pthread_create(&thread, NULL, reads_behind_a_fence, NULL) != 0)
			_exit(1);
		passed_on = 1;
		fence_sc();
		store_rlx(&written, 1);
		pthread_join(thread, NULL);
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		bail_out("no child to watch");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
	unsigned rounds = stress_rounds(MEETINGS);

	plan(4);
	if (QTI_TSAN)
		is_int(pass_on_by_fences(), 66, "the sanitizer reports data that pass by fences alone");
	else
		skip(1, "of ThreadSanitizer");
	stress_say(rounds);
	stress_watch("fence");
	ok(!qti_fence_asymmetric, "before it is set up the light fence is a full one");
	is_int(run(FULL, rounds), 0, "with two full fences the sides never miss each other");
	diag("without fences they did, %u times in %u", run(NONE, rounds / 10), rounds / 10);
	qti_fence_setup_for(2);
	if (qti_fence_asymmetric)
		is_int(run(ASYMMETRIC, rounds), 0, "with a light and a heavy fence neither");
	else
		skip(1, "the kernel has no private expedited membarrier");
	return done();
}
