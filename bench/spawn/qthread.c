/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "spawn/spawn.h"
#include "common/must.h"

#include <stdlib.h>

#include <qthread/qthread.h>
#include <qthread/sinc.h>

enum { FORK, SIMPLE, PRECOND, WORDS, SYNCVARS, SINC };
static const char *const how_names[] = { "fork", "simple", "precond", "words", "syncvars", "sinc", NULL };

static unsigned how;

static aligned_t count(void *arg)
{
	(void)arg;
	return qthread_incr(&spawn_done, 1);
}

static void until_all_ran(void)
{
	while (__atomic_load_n(&spawn_done, __ATOMIC_ACQUIRE) < spawn_n)
		qthread_yield();
}

static void without_words(void)
{
	for (unsigned long i = 0; i < spawn_n; i++) {
		if (how == FORK)
			must(qthread_fork(count, NULL, NULL));
		else if (how == SIMPLE)
			must(qthread_spawn(count, NULL, 0, NULL, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_SIMPLE));
		else
			must(qthread_fork_precond_simple(count, NULL, NULL, 0, NULL));
	}
	until_all_ran();
}

static void words(void)
{
	aligned_t *word = bench_room(bench_program.about.name, spawn_n, sizeof(*word));

	for (unsigned long i = 0; i < spawn_n; i++)
		must(qthread_fork(count, NULL, &word[i]));
	for (unsigned long i = 0; i < spawn_n; i++)
		must(qthread_readFF(NULL, &word[i]));
	free(word);
}

static void syncvars(void)
{
	syncvar_t *var = bench_room(bench_program.about.name, spawn_n, sizeof(*var));

	for (unsigned long i = 0; i < spawn_n; i++)
		must(qthread_fork_syncvar(count, NULL, &var[i]));
	for (unsigned long i = 0; i < spawn_n; i++)
		must(qthread_syncvar_readFF(NULL, &var[i]));
	free(var);
}

static void sinc(void)
{
	qt_sinc_t all;

	qt_sinc_init(&all, 0, NULL, NULL, spawn_n);
	for (unsigned long i = 0; i < spawn_n; i++)
		must(qthread_spawn(count, NULL, 0, &all, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC_VOID));
	qt_sinc_wait(&all, NULL);
	qt_sinc_fini(&all);
}

static void parallel(void)
{
	if (how == WORDS)
		words();
	else if (how == SYNCVARS)
		syncvars();
	else if (how == SINC)
		sinc();
	else
		without_words();
}

static const struct bench_option options[] = {
	{ "how", "what forks a task, and what tells that all have run", BENCH_CHOICE, &how, 0, 0, how_names },
	{ .name = NULL },
};

const struct bench_version bench_version = { .options = options, .parallel = parallel };
