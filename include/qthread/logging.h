/* qthread/logging.h -- lines for a log, switched on and off by group at compile time.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	#define LOGERR 0
 *	#include <qthread/logging.h>
 *
 *	qtlog(LOGWARN, "slow disk");                     (LOGWARN) program.c:12: slow disk
 *	qtlogargs(LOGERR, "%s: bad name", name);         nothing: the group is off
 *
 * A group is a constant.  The lines go to stdout through printf, so any thread may write them, and a task that does may
 * keep its worker busy until the line is out.  They are statements without a result.
 */
#ifndef QTHREAD_LOGGING_H
#define QTHREAD_LOGGING_H

#include <stdio.h>

/* The two groups there are; 0 switches one off. */
#ifndef LOGERR
#define LOGERR 1
#endif
#ifndef LOGWARN
#define LOGWARN 1
#endif

/* The text of x, after and before macros in it are replaced. */
#define STRING(x) INNERSTRING(x)
#define INNERSTRING(x) #x

/* Write a line if group is not 0.  s is a string literal, a printf format; qtlogargs has arguments for it. */
#define qtlog(group, s)                                                           \
	do {                                                                      \
		if (group)                                                        \
			printf("(" #group ") " __FILE__ ":" STRING(__LINE__) ": " s "\n"); \
	} while (0)
#define qtlogargs(group, s, ...)                                                  \
	do {                                                                      \
		if (group)                                                        \
			printf("(" #group ") " __FILE__ ":" STRING(__LINE__) ": " s "\n", __VA_ARGS__); \
	} while (0)

#endif
