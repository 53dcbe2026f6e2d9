/* qthread/spr.h -- one program on several locales.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * SPR programs address memory by locale (a process of the program) and address.  With libqmpi in the process
 * (libqmpi(7)) the locales are the ranks of MPI_COMM_WORLD; MPI_THREAD_MULTIPLE is needed, and spr_init begins MPI
 * where the program has not: then it ends with the process.  Without it there is one locale, 0: get and put copy within
 * it, and the collective calls have nobody to wait for.
 *
 * Anybody may make these calls, from any thread.  Calls that concern other locales block the calling task, and its
 * worker runs others.  All but spr_init return SPR_NOINIT before spr_init and after spr_fini, and QTHREAD_MALLOC_ERROR
 * where there is no memory for what they begin.  Collective calls are made by every locale, by one task at a time and
 * in the same order.
 *
 * Locales need not have the same functions and variables at the same addresses: functions are known by numbers, and
 * what a locale's address is has to come from that locale (see spr(3)).
 */
#ifndef QTHREAD_SPR_H
#define QTHREAD_SPR_H

#include <stddef.h>

#include "qthread.h"

#define SPR_SPMD 1 /* for spr_init: every locale runs main, as opposed to locale 0 alone */

#define SPR_OK 0
/* A locale that does not exist, unknown flags, a NULL address or handle, an unknown function. */
#define SPR_BADARGS (-1)
#define SPR_IGN (-2)     /* ignored: it was up already */
#define SPR_NOINIT (-3)  /* spr_init has not been called */

/* A transfer under way. */
typedef struct {
	char opaque[8];
} spr_get_handle_t;

typedef struct {
	char opaque[8];
} spr_put_handle_t;

Q_STARTCXX
#pragma GCC visibility push(default)

/* Begin; collective.  Starts the runtime if it is down, see qthread_initialize; what that returns if it fails is
 * returned here.  QTHREAD_NOT_ALLOWED: MPI is there without MPI_THREAD_MULTIPLE, or has ended.  QTHREAD_MALLOC_ERROR,
 * on all locales: one of them has no memory to begin; it may be called again.
 *
 * flags  SPR_SPMD, or 0: locale 0 alone returns.  The others do what they are asked for until it calls spr_unify, and
 *        return then; or until it calls spr_fini, and end as by exit(0)
 * regs   NULL, or functions that locales may ask each other to run, with a NULL after the last: numbers 0, 1 and
 *        so on */
int spr_init(unsigned int flags, qthread_f *regs);

/* End; collective.  With several locales it waits until all that any has asked for, of others or of itself, has been
 * done, with what that has asked for.
 * spr_init may be called again.  The runtime stays up until qthread_finalize, which calls this one with several
 * locales, as exit(3) does. */
int spr_fini(void);

/* Announce `count` functions under the numbers base, base + 1 and so on, as each locale has to before another one asks
 * for them.  A number that is in use means the new function from now on. */
int spr_register_actions(qthread_f *actions, size_t count, size_t base);

/* Let all locales run the rest of main from here, as if begun with SPR_SPMD.  By locale 0; no more than a look
 * elsewhere, or where it has been done. */
int spr_unify(void);

/* How many locales there are, and which one this is, counted from 0. */
int spr_num_locales(void);
int spr_locale_id(void);

/* Copy `size` bytes from src on locale src_loc to dest here.  The regions may overlap. */
int spr_get(void *dest, int src_loc, void const *src, size_t size);

/* Copy `size` bytes from src here to dest on locale dest_loc.  The regions may overlap. */
int spr_put(int dest_loc, void *dest, void const *src, size_t size);

/* Begin to copy; the wait that takes the handle returns when the copy is done.  Both regions belong to the transfer
 * until then.  A handle is waited for once: SPR_BADARGS for one that no transfer was begun with, or that was waited
 * for. */
int spr_get_nb(void *dest, int src_loc, void const *src, size_t size, spr_get_handle_t *hand);
int spr_get_wait(spr_get_handle_t *const hand);
int spr_put_nb(int dest_loc, void *dest, void const *src, size_t size, spr_put_handle_t *hand);
int spr_put_wait(spr_put_handle_t *const hand);

/* Wait until every locale has called it. */
int spr_locale_barrier(void);

/* Fork a qthread on another locale, or on this one: of the function there whose number is that of f here, with a copy
 * of `size` bytes at arg, which are the function's until it returns.  ret is NULL or a word here: empty from now on,
 * and filled with what the function returns.
 *
 * Returns when that locale has taken it: SPR_OK; SPR_BADARGS also if f has no number here, or nothing has that number
 * there; or as qthread_fork.  Then ret is full, and as it was. */
int qthread_fork_remote(qthread_f f, void const *arg, aligned_t *ret, int locale, size_t size);

#pragma GCC visibility pop
Q_ENDCXX

#endif
