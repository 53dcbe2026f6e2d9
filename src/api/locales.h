/* api/locales.h -- a library that runs a program on several locales (qthread/spr.h): what it does for spr.c, and asks
 * of it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * There is one such library at a time, libqmpi for one, or none: then there is one locale.  Copies within the caller's
 * own locale never come to it, nor do arguments that are wrong.
 */
#ifndef QTI_API_LOCALES_H
#define QTI_API_LOCALES_H

#include "base/shared.h"

#include <qthread/spr.h>
#include <stdint.h>

/* Functions return what those of spr.h do.
 *
 * begin(spmd, error)
 *                collective; unless spmd it returns on locale 0 alone, elsewhere after unify(); after end() it ends the
 *                process there.  An error other than SPR_OK is the caller's own: it returns that, and so all return
 *                one, and nothing is begun.  Once `locales` and `here` are right, and before anybody is served, it
 *                calls qti_locales_up; where there is one locale it may leave that to its caller
 * end()          collective: when all that locales have asked each other for has been done
 * unify()        by locale 0
 * barrier()      collective
 * transfer()     begins to copy between `mine` here and `theirs` there; the handle is no 0, and no other's that is
 *                in use
 * wait()         SPR_BADARGS for a handle that is not in use for a get, or not for a put
 * fork()         as qthread_fork_remote, of the function that has this number */
struct qti_locales {
	int (*begin)(bool spmd, int error);
	void (*end)(void);
	int (*unify)(void);
	int (*barrier)(void);
	int (*transfer)(bool get, int locale, void *mine, void *theirs, size_t size, uint64_t *handle);
	int (*wait)(bool get, uint64_t handle);
	int (*fork)(int locale, size_t number, void const *arg, size_t size, aligned_t *ret);
	int *locales, *here;
};

/* From a constructor.  Who comes last is the one. */
QTI_SHARED void qti_locales_come(const struct qti_locales *l);

/* The calls of spr.h are for everybody from now on. */
QTI_SHARED void qti_locales_up(void);

/* The function that this locale has announced under that number; NULL: none. */
QTI_SHARED qthread_f qti_action(size_t number);

/* The runtime is about to end, whose tasks serve other locales: spr_fini, if there are any. */
void qti_locales_leave(void);

#endif
