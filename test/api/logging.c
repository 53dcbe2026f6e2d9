/* test/api/logging.c -- a group that is on writes its lines, one that is off nothing.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "child.h"

#define LOGERR 0
#include <qthread/logging.h>

#define MINE 2

static int one(int *evaluated)
{
	++*evaluated;
	return 1;
}

/* Ends with the number of arguments that were evaluated. */
static void writes(void *arg)
{
	int evaluated = 0;

	(void)arg;
	dup2(STDERR_FILENO, STDOUT_FILENO);
#line 100 "there.c"
	if (one(&evaluated))
		qtlog(LOGWARN, "a plain line");
	else
		qtlog(LOGWARN, "never");
	qtlogargs(MINE, "%d and %s", one(&evaluated), "two");
	qtlog(LOGERR, "off");
	qtlogargs(LOGERR, "%d", one(&evaluated));
	qtlogargs(0, "%d", one(&evaluated));
	exit(evaluated);
}

int main(void)
{
	static struct child c;

	plan(4);
	is_int(LOGWARN, 1, "LOGWARN is on");
	is_str(STRING(LOGWARN) INNERSTRING(LOGWARN), "1LOGWARN", "STRING replaces a macro, INNERSTRING does not");
	child_run(&c, writes, NULL);
	is_str(c.said, "(LOGWARN) there.c:101: a plain line\n(MINE) there.c:104: 1 and two\n",
		"qtlog and qtlogargs write group, file, line and text");
	is_int(WEXITSTATUS(c.status), 2, "a group that is off evaluates no argument");
	return done();
}
