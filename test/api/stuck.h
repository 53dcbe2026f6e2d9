/* test/api/stuck.h -- programs that stop going on, or seem to: each is a child, and all of them run at the same time.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_API_STUCK_H
#define QTI_TEST_API_STUCK_H

#include "process.h"
#include "qthread/qthread.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROGRAMS_MOST = 32, MESSAGE = 8192, QUIET_MS = 1300, WITHIN_MS = 3000, TURN_MS = 50, WORDS = 5 };

static aligned_t never;                 /* full */

static inline void pause_ms(unsigned ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

static inline void wait_for_ever(void)
{
	qthread_empty(&never);
	qthread_readFF(NULL, &never);
}

struct program {
	const char *name;
	void (*run)(void);
	const char *workers, *deadlock;
	bool goes_on;                   /* to its end, and is quiet */
	const char *says[WORDS];
};

static struct started {
	pid_t pid;
	int from;                       /* its stderr */
	int to;                         /* its stdin */
	char said[MESSAGE];
	size_t used;
	bool over;
	int status;
} started[PROGRAMS_MOST];

static void (*before_start)(void);      /* in a child, if it is set */

static inline void become(const struct program *p, int in, int err)
{
	alarm(60);
	if (before_start)
		before_start();
	dup2(in, STDIN_FILENO);
	dup2(err, STDERR_FILENO);
	setenv("QT_HWPAR", p->workers, 1);
	setenv("QT_DEADLOCK", p->deadlock, 1);
	setenv("QT_SCHEDULER", "ws", 1);        /* one that lets a waiting task take another out of its queue */
	if (qthread_initialize() != QTHREAD_SUCCESS)
		_exit(2);
	p->run();
	qthread_finalize();
	_exit(0);
}

static inline void start(const struct program *p, struct started *s)
{
	int err[2], in[2];

	if (pipe(err) != 0 || pipe(in) != 0)
		bail_out("no pipe");
	s->pid = fork();
	if (s->pid < 0)
		bail_out("no process");
	if (s->pid == 0) {
		close(in[1]);
		for (struct started *other = started; other < s; other++)
			close(other->to);       /* or they would never see the end */
		become(p, in[0], err[1]);
	}
	close(err[1]);
	close(in[0]);
	s->from = err[0];
	s->to = in[1];
}

static inline bool said_all(const struct program *p, const struct started *s)
{
	for (unsigned i = 0; i < WORDS && p->says[i]; i++)
		if (!strstr(s->said, p->says[i]))
			return false;
	return true;
}

static inline void listen_to(struct started *s)
{
	ssize_t n = read(s->from, s->said + s->used, MESSAGE - 1 - s->used);

	if (n > 0)
		s->used += (size_t)n;
	else
		s->over = true;
	s->said[s->used] = '\0';
}

static inline int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

static inline bool awaited(const struct program *p, const struct started *s)
{
	return !s->over && (p->goes_on || !p->says[0] || !said_all(p, s));
}

/* Until all that is expected has come; what is to be quiet is listened to until then, when its stdin ends, too.
 * Returns how long that took: a turn that the machine, busy or stopped,
 * makes longer counts as two of the usual ones. */
static inline int64_t listen_to_all(const struct program *programs, unsigned n, int64_t end, int64_t quiet)
{
	struct pollfd fd[PROGRAMS_MOST];
	unsigned waiting = 1;
	int64_t before = now_ms(), took = 0;

	while (waiting && now_ms() < end) {
		int64_t turn = now_ms() - before;
		took += turn < 2 * TURN_MS ? turn : 2 * TURN_MS;
		before += turn;
		waiting = 0;
		for (unsigned i = 0; i < n; i++) {
			bool off = !programs[i].says[0] && !programs[i].goes_on && now_ms() > quiet;
			fd[i] = (struct pollfd){ started[i].over ? -1 : started[i].from, POLLIN, 0 };
			waiting += !off && awaited(&programs[i], &started[i]);
			if (now_ms() > quiet && started[i].to >= 0) {
				close(started[i].to);
				started[i].to = -1;
			}
		}
		if (waiting && poll(fd, n, TURN_MS) > 0)
			for (unsigned i = 0; i < n; i++)
				if (fd[i].revents)
					listen_to(&started[i]);
	}
	return took;
}

static inline bool aborts(const struct program *p)
{
	return strcmp(p->deadlock, "abort") == 0 && !before_start;
}

static inline void check(const struct program *p, struct started *s)
{
	if (!p->goes_on && !(aborts(p) && said_all(p, s)))
		kill(s->pid, SIGKILL);
	waitpid(s->pid, &s->status, 0);
	while (!s->over)
		listen_to(s);
	bool quiet = !strstr(s->said, "deadlock:");
	bool right = said_all(p, s);
	if (p->goes_on)
		right = right && quiet && WIFEXITED(s->status) && WEXITSTATUS(s->status) == 0;
	else if (!p->says[0])
		right = right && quiet;
	else if (aborts(p))
		right = right && WIFSIGNALED(s->status) && WTERMSIG(s->status) == SIGABRT;
	if (!ok(right, "%s", p->name))
		diag("status 0x%x, it said: %s", (unsigned)s->status, s->said);
	close(s->from);
	if (s->to >= 0)
		close(s->to);
}

/* Each takes two files, four while it starts, and some are for who runs in there. */
static inline unsigned at_a_time(void)
{
	enum { OTHER_FILES = 16 };
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= OTHER_FILES + 2 * PROGRAMS_MOST)
		return PROGRAMS_MOST;
	return limit.rlim_cur < OTHER_FILES + 2 ? 1 : (unsigned)(limit.rlim_cur - OTHER_FILES) / 2;
}

static inline int64_t run_at_once(const struct program *programs, unsigned n)
{
	const char *tool = getenv("QTI_TEST_TOOL");

	for (unsigned i = 0; i < n; i++) {
		started[i] = (struct started){ .to = -1 };
		start(&programs[i], &started[i]);
	}
	int64_t begin = now_ms();
	int64_t took = listen_to_all(programs, n, begin + (tool ? 20 : 5) * WITHIN_MS, begin + QUIET_MS);
	for (unsigned i = 0; i < n; i++)
		check(&programs[i], &started[i]);
	return took;
}

/* One check for each.  Returns the milliseconds that all took together, or the longest of several turns. */
static inline int64_t run_programs(const struct program *programs, unsigned n)
{
	int64_t longest = 0;

	for (unsigned done = 0, some; done < n; done += some) {
		some = n - done < at_a_time() ? n - done : at_a_time();
		int64_t took = run_at_once(programs + done, some);
		longest = took > longest ? took : longest;
	}
	return longest;
}

#endif
