/* base/env.h -- what the environment of this process says of the settings (base/settings.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QT_NAME is looked up first, then QTHREAD_NAME; an empty variable counts as unset.  A value that cannot be honoured
 * is one line on stderr naming the variable, the value, what is allowed and what is used instead: the default.
 *
 * Where the process has privileges that its user lacks (set-user-ID, file capabilities: AT_SECURE), the environment is
 * the word of someone who must not decide what is printed, opened or left unguarded.  Settings that could are as
 * unset there, and nothing is said about the values of the others.
 */
#ifndef QTI_BASE_ENV_H
#define QTI_BASE_ENV_H

#include "base/settings.h"
#include "base/shared.h"

/* Reads everything afresh.  Bad values are reported and replaced, so it cannot fail. */
void qti_env_read(struct qti_env *out);

/* Whether the environment may decide about delicate things, too. */
QTI_SHARED bool qti_env_trusted(void);

/* Whether the environment gives the setting a value, good or bad. */
QTI_SHARED bool qti_env_given(enum qti_setting which);

/* Whether it gives a good one: a bad one has been complained of when all were read. */
bool qti_env_good(enum qti_setting which);

/* A setting of kind QTI_KIND_BOOL alone, before all are read: a bad value is the default, and nothing is said. */
QTI_SHARED bool qti_env_read_bool(enum qti_setting which);

/* The same of kind QTI_KIND_CHOICE. */
QTI_SHARED unsigned qti_env_read_choice(enum qti_setting which);

/* The line about a value that cannot be honoured, for settings whose values only their user can check. */
void qti_env_complain(enum qti_setting which, const char *wrong, const char *allowed, const char *instead);

#endif
