/* qthread/spr.h -- one program on several locales, of which there is one.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * SPR programs address memory by locale (a process of the program) and address.  This library runs a program as a
 * single process: locale 0 is the only one, get and put copy within it, and the collective calls have nobody to wait
 * for.  A program that asks how many locales there are runs unchanged.
 *
 * Anybody may make these calls, from any thread.  Except spr_init, which starts the runtime, none of them blocks, and
 * all return SPR_NOINIT before spr_init and after spr_fini.
 */
#ifndef QTHREAD_SPR_H
#define QTHREAD_SPR_H

#include <stddef.h>

#include "qthread.h"

#define SPR_SPMD 1 /* for spr_init: every locale runs main, as opposed to locale 0 alone */

#define SPR_OK 0
#define SPR_BADARGS (-1) /* a locale that does not exist, unknown flags, a NULL address or handle */
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

/* Begin.  Starts the runtime if it is down, see qthread_initialize; what that returns if it fails is returned here.
 *
 * flags  0 or SPR_SPMD, which make no difference for one locale
 * regs   NULL, or functions that locales may ask each other to run, with a NULL after the last */
int spr_init(unsigned int flags, qthread_f *regs);

/* End; spr_init may be called again.  The runtime stays up until qthread_finalize. */
int spr_fini(void);

/* Announce `count` functions under the numbers base, base + 1 and so on, as each locale has to before another one asks
 * for them.  With one locale nobody asks, and nothing is kept. */
int spr_register_actions(qthread_f *actions, size_t count, size_t base);

/* Let all locales run the rest of main from here, as if begun with SPR_SPMD. */
int spr_unify(void);

/* How many locales there are, 1, and which one this is, 0. */
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

#pragma GCC visibility pop
Q_ENDCXX

#endif
