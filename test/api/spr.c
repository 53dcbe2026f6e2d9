/* test/api/spr.c -- a program for several locales finds itself on one.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/spr.h>

enum { BEFORE_CHECKS = 15, CHECKS_PER_RUN = 42, AFTER_CHECKS = 3 };

static aligned_t action(void *arg)
{
	return (aligned_t)(uintptr_t)arg;
}

/* Its argument is a copy. */
static aligned_t twice(void *arg)
{
	return 2 * *(aligned_t *)arg;
}

static aligned_t unknown(void *arg)
{
	(void)arg;
	return 0;
}

static void before(void)
{
	spr_get_handle_t get;
	spr_put_handle_t put;
	int from = 1, to = 2;

	is_int(spr_init(SPR_SPMD | 2, NULL), SPR_BADARGS, "spr_init with flags that do not exist");
	is_int(spr_fini(), SPR_NOINIT, "spr_fini before spr_init");
	is_int(spr_num_locales(), SPR_NOINIT, "spr_num_locales before spr_init");
	is_int(spr_locale_id(), SPR_NOINIT, "spr_locale_id before spr_init");
	is_int(spr_register_actions(NULL, 0, 0), SPR_NOINIT, "spr_register_actions before spr_init");
	is_int(spr_unify(), SPR_NOINIT, "spr_unify before spr_init");
	is_int(spr_locale_barrier(), SPR_NOINIT, "spr_locale_barrier before spr_init");
	is_int(spr_get(&to, 0, &from, sizeof(to)), SPR_NOINIT, "spr_get before spr_init");
	is_int(spr_put(0, &to, &from, sizeof(to)), SPR_NOINIT, "spr_put before spr_init");
	is_int(spr_get_nb(&to, 0, &from, sizeof(to), &get), SPR_NOINIT, "spr_get_nb before spr_init");
	is_int(spr_get_wait(&get), SPR_NOINIT, "spr_get_wait before spr_init");
	is_int(spr_put_nb(0, &to, &from, sizeof(to), &put), SPR_NOINIT, "spr_put_nb before spr_init");
	is_int(spr_put_wait(&put), SPR_NOINIT, "spr_put_wait before spr_init");
	is_int(qthread_fork_remote(action, NULL, NULL, 0, 0), SPR_NOINIT, "qthread_fork_remote before spr_init");
	is_int(to, 2, "nothing was copied");
}

static void one_locale(const char *what)
{
	qthread_f actions[] = { action, action, NULL };

	is_int(spr_init(SPR_SPMD, actions), SPR_OK, "%s: spr_init", what);
	is_int(spr_init(0, NULL), SPR_IGN, "%s: a second spr_init is ignored", what);
	is_int(spr_num_locales(), 1, "%s: spr_num_locales", what);
	is_int(spr_locale_id(), 0, "%s: spr_locale_id", what);
	is_int(spr_unify(), SPR_OK, "%s: spr_unify", what);
	is_int(spr_locale_barrier(), SPR_OK, "%s: spr_locale_barrier", what);
	is_int(spr_register_actions(actions, 2, 100), SPR_OK, "%s: spr_register_actions", what);
	is_int(spr_register_actions(NULL, 0, 0), SPR_OK, "%s: spr_register_actions of none", what);
	is_int(spr_register_actions(NULL, 1, 0), SPR_BADARGS, "%s: spr_register_actions without an array", what);
}

static void copies(const char *what)
{
	int from[3] = { 1, 2, 3 }, to[3] = { 0, 0, 0 };

	is_int(spr_get(to, 0, from, 2 * sizeof(int)), SPR_OK, "%s: spr_get", what);
	ok(to[0] == 1 && to[1] == 2 && to[2] == 0, "%s: copies so many bytes", what);
	is_int(spr_put(0, &to[2], &from[2], sizeof(int)), SPR_OK, "%s: spr_put", what);
	is_int(to[2], 3, "%s: copies", what);
	is_int(spr_put(0, &to[1], &to[0], 2 * sizeof(int)), SPR_OK, "%s: spr_put to where it reads", what);
	ok(to[0] == 1 && to[1] == 1 && to[2] == 2, "%s: copies as if by way of another place", what);
	is_int(spr_get(NULL, 0, NULL, 0), SPR_OK, "%s: spr_get of nothing", what);
	is_int(spr_get(to, 1, from, sizeof(to)), SPR_BADARGS, "%s: spr_get from a locale that does not exist", what);
	is_int(spr_put(-1, to, from, sizeof(to)), SPR_BADARGS, "%s: spr_put to a locale that does not exist", what);
	is_int(spr_get(NULL, 0, from, 1), SPR_BADARGS, "%s: spr_get to NULL", what);
	is_int(spr_put(0, to, NULL, 1), SPR_BADARGS, "%s: spr_put from NULL", what);
}

static void transfers(const char *what)
{
	spr_get_handle_t get;
	spr_put_handle_t put;
	int from = 1, to = 0;

	is_int(spr_get_nb(&to, 0, &from, sizeof(to), &get), SPR_OK, "%s: spr_get_nb", what);
	ok(spr_get_wait(&get) == SPR_OK && to == 1, "%s: spr_get_wait finds it done", what);
	is_int(spr_get_wait(&get), SPR_BADARGS, "%s: spr_get_wait for it again", what);
	from = 2;
	is_int(spr_put_nb(0, &to, &from, sizeof(to), &put), SPR_OK, "%s: spr_put_nb", what);
	ok(spr_put_wait(&put) == SPR_OK && to == 2, "%s: spr_put_wait finds it done", what);
	is_int(spr_put_wait(&put), SPR_BADARGS, "%s: spr_put_wait for it again", what);
	from = 3;
	is_int(spr_get_nb(&to, 0, &from, sizeof(to), NULL), SPR_BADARGS, "%s: spr_get_nb without a handle", what);
	is_int(spr_put_nb(7, &to, &from, sizeof(to), &put), SPR_BADARGS, "%s: spr_put_nb to nowhere", what);
	is_int(to, 2, "%s: they copied nothing", what);
	is_int(spr_get_wait(NULL), SPR_BADARGS, "%s: spr_get_wait without a handle", what);
	is_int(spr_put_wait(NULL), SPR_BADARGS, "%s: spr_put_wait without a handle", what);
}

static void forks(const char *what)
{
	qthread_f more[] = { twice }, holes[] = { twice, NULL };
	aligned_t n = 21, answer = 5;

	is_int(spr_register_actions(holes, 2, 7), SPR_BADARGS, "%s: spr_register_actions of NULL", what);
	is_int(qthread_fork_remote(twice, &n, &answer, 0, sizeof(n)), SPR_BADARGS, "%s: a function without a number", what);
	is_int(spr_register_actions(more, 1, 7), SPR_OK, "%s: spr_register_actions of one", what);
	is_int(qthread_fork_remote(twice, &n, &answer, 1, sizeof(n)), SPR_BADARGS, "%s: a fork on no locale", what);
	is_int(qthread_fork_remote(twice, NULL, &answer, 0, 1), SPR_BADARGS, "%s: a fork without an argument", what);
	is_int(qthread_fork_remote(unknown, &n, &answer, 0, sizeof(n)), SPR_BADARGS, "%s: of a function without a number", what);
	is_int(answer, 5, "%s: nothing has touched the word", what);
	is_int(qthread_fork_remote(twice, &n, &answer, 0, sizeof(n)), SPR_OK, "%s: a fork on this locale", what);
	n = 0;
	qthread_readFF(NULL, &answer);
	is_int(answer, 42, "%s: has a copy of its argument", what);
}

static void outside(void *arg)
{
	*(int *)arg = spr_num_locales();
}

static void run(const char *what)
{
	int locales = 0;

	one_locale(what);
	copies(what);
	transfers(what);
	forks(what);
	every_outside(outside, &locales);
	is_int(locales, 1, "%s: an external thread may ask", what);
	is_int(spr_fini(), SPR_OK, "%s: spr_fini", what);
}

/* spr_init starts the runtime by itself. */
static void after(void)
{
	aligned_t answer = 0;

	is_int(spr_init(0, NULL), SPR_OK, "spr_init while the runtime is down");
	qthread_fork(action, (void *)3, &answer);
	qthread_readFF(NULL, &answer);
	is_int(answer, 3, "starts it");
	is_int(spr_fini(), SPR_OK, "spr_fini at the end");
}

int main(void)
{
	plan(BEFORE_CHECKS + every_runs() * CHECKS_PER_RUN + AFTER_CHECKS);
	before();
	every_runtime(run);
	after();
	return done();
}
