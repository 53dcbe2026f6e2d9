/* test/api/syscalls.c -- system calls of a task: only the task waits, and the call is the call.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blocking.h"

#include <qthread/qt_syscalls.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/un.h>

enum { CHECKS_PER_RUN = 36, CHECKS_WHEN_DOWN = 2 };

static int answers[16];

/* It complains of bad addresses before the kernel does. */
static bool under_valgrind(void)
{
	return getenv("QTI_TEST_TOOL") && *getenv("QTI_TEST_TOOL");
}

/* ---- qt_read ---------------------------------------------------------------------------------------------------- */

static aligned_t reads(void *arg)
{
	char c = 0;

	(void)arg;
	flag_raise(&there);
	qt_errno = PATTERN;
	ssize_t n = qt_read(ends[0], &c, 1);
	return n == 1 && qt_errno == PATTERN && on_worker() ? (aligned_t)c : 0;
}

static aligned_t reads_badly(void *arg)
{
	char c;

	(void)arg;
	qt_errno = 0;
	bool good = qt_read(-1, &c, 1) == -1 && qt_errno == EBADF;
	qt_errno = 0;
	good = good && (under_valgrind() || (qt_read(ends[0], NULL, 1) == -1 && qt_errno == EFAULT));
	return good && qt_read(ends[0], &c, 0) == 0;
}

static aligned_t reads_to_the_end(void *arg)
{
	char text[16] = "";

	(void)arg;
	return qt_read(ends[0], text, sizeof(text)) == 2 && text[0] == 'a' && qt_read(ends[0], text, sizeof(text)) == 0;
}

static aligned_t reads_nonblocking(void *arg)
{
	char c;

	(void)arg;
	qt_errno = 0;
	return qt_read(ends[0], &c, 1) == -1 && qt_errno == EAGAIN;
}

static void read_outside(void *good)
{
	char c = 0;

	*(bool *)good = qt_read(ends[0], &c, 1) == 1 && c == 'e';
}

static aligned_t puts_e(void *arg)
{
	(void)arg;
	put("e");
	return 0;
}

static void check_read(const char *what)
{
	bool good = false;

	pipe_open();
	is_int(in_task(reads, NULL, put_x), 'x', "%s: qt_read waits while its worker does not; qt_errno is left alone",
		what);
	put("y");
	is_int(in_task(reads, NULL, NULL), 'y', "%s: qt_read takes what is there", what);
	qthread_fork(puts_e, NULL, NULL);
	is_int(reads(NULL), 'e', "%s: qt_read in the main task lets others run", what);
	put("z");
	is_int(in_task(reads_badly, NULL, NULL), 1, "%s: qt_read says EBADF and EFAULT; nothing is nothing", what);
	qthread_fork(puts_e, NULL, NULL);
	is_int(reads(NULL), 'z', "%s: qt_read has taken nothing by that", what);
	every_outside(read_outside, &good);
	ok(good, "%s: qt_read from an external thread", what);
	put("ab");
	close(ends[1]);
	is_int(in_task(reads_to_the_end, NULL, NULL), 1, "%s: qt_read falls short at the end, then says 0", what);
	close(ends[0]);
	pipe_open();
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	is_int(in_task(reads_nonblocking, NULL, NULL), 1, "%s: qt_read honours O_NONBLOCK", what);
	pipe_close();
}

/* ---- qt_write --------------------------------------------------------------------------------------------------- */

enum { MUCH = 300 << 10 };              /* more than a pipe takes */

static char much[MUCH];

static aligned_t writes_much(void *arg)
{
	(void)arg;
	flag_raise(&there);
	qt_errno = PATTERN;
	return qt_write(ends[1], much, MUCH) == MUCH && qt_errno == PATTERN && on_worker();
}

static size_t arrived;
static bool intact;

static void read_much(void)
{
	static char got[MUCH];

	for (arrived = 0; arrived < MUCH;) {
		ssize_t n = qt_read(ends[0], got + arrived, MUCH - arrived);
		if (n <= 0)
			break;
		arrived += (size_t)n;
	}
	intact = memcmp(got, much, MUCH) == 0;
}

static aligned_t writes_badly(void *arg)
{
	(void)arg;
	qt_errno = 0;
	bool good = qt_write(-1, "a", 1) == -1 && qt_errno == EBADF;
	qt_errno = 0;
	return good && qt_write(ends[1], "a", 1) == -1 && qt_errno == EPIPE;
}

static aligned_t writes_nonblocking(void *arg)
{
	(void)arg;
	qt_errno = 0;
	ssize_t n = qt_write(ends[1], much, MUCH);
	return n > 0 && n < MUCH && qt_errno == 0 && qt_write(ends[1], much, MUCH) == -1 && qt_errno == EAGAIN;
}

static void check_write(const char *what)
{
	for (int i = 0; i < MUCH; i++)
		much[i] = (char)(i * 31 >> 3);
	pipe_open();
	is_int(in_task(writes_much, NULL, read_much), 1, "%s: qt_write waits until all is written", what);
	ok(arrived == MUCH && intact, "%s: qt_write: all of it arrives, in order", what);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	is_int(in_task(writes_nonblocking, NULL, NULL), 1, "%s: qt_write honours O_NONBLOCK", what);
	fcntl(ends[1], F_SETFL, 0);
	close(ends[0]);
	is_int(in_task(writes_badly, NULL, NULL), 1, "%s: qt_write says EBADF and EPIPE", what);
	close(ends[1]);
}

/* ---- qt_pread, qt_pwrite ---------------------------------------------------------------------------------------- */

static aligned_t uses_file(void *arg)
{
	char *got = malloc(MUCH);
	FILE *f = tmpfile();
	int fd = fileno(f), *a = answers;

	(void)arg;
	*a++ = qt_pwrite(fd, much, MUCH, 7) == MUCH;
	*a++ = qt_pread(fd, got, MUCH, 7) == MUCH && memcmp(got, much, MUCH) == 0;
	*a++ = qt_pread(fd, got, MUCH, 107) == MUCH - 100 && memcmp(got, much + 100, MUCH - 100) == 0;
	*a++ = qt_pread(fd, got, MUCH, 7 + MUCH) == 0;
	*a++ = qt_read(fd, got, MUCH) == MUCH && qt_read(fd, got, MUCH) == 7 && qt_read(fd, got, MUCH) == 0;
	qt_errno = 0;
	*a++ = qt_pread(fd, got, 1, -1) == -1 && qt_errno == EINVAL;
	qt_errno = 0;
	*a++ = qt_pwrite(fd, got, 1, -1) == -1 && qt_errno == EINVAL;
	qt_errno = 0;
	*a++ = qt_pread(ends[0], got, 1, 0) == -1 && qt_errno == ESPIPE;
	qt_errno = 0;
	*a++ = qt_pwrite(ends[1], got, 1, 0) == -1 && qt_errno == ESPIPE;
	fclose(f);
	free(got);
	return 0;
}

static void check_positioned(const char *what)
{
	pipe_open();
	in_task(uses_file, NULL, NULL);
	ok(answers[0], "%s: qt_pwrite writes all where it is told to", what);
	ok(answers[1] && answers[2] && answers[3], "%s: qt_pread reads it, and falls short at the end only", what);
	ok(answers[4], "%s: qt_read of a file falls short at the end only", what);
	ok(answers[5] && answers[7], "%s: qt_pread says EINVAL and ESPIPE", what);
	ok(answers[6] && answers[8], "%s: qt_pwrite says EINVAL and ESPIPE", what);
	pipe_close();
}

/* ---- qt_poll, qt_select ----------------------------------------------------------------------------------------- */

static aligned_t polls(void *arg)
{
	struct pollfd p = { .fd = ends[0], .events = POLLIN };

	flag_raise(&there);
	int n = qt_poll(&p, 1, (int)(intptr_t)arg);
	return (aligned_t)(n == 1 ? (p.revents & POLLIN ? 1 : 2) : n == 0 ? 3 : 4);
}

static aligned_t polls_badly(void *arg)
{
	qt_errno = 0;
	return under_valgrind() || (qt_poll(arg, 1, -1) == -1 && qt_errno == EFAULT);
}

static void check_poll(const char *what)
{
	pipe_open();
	is_int(in_task(polls, (void *)0, NULL), 3, "%s: qt_poll without patience", what);
	is_int(in_task(polls, (void *)3, NULL), 3, "%s: qt_poll until its time is up", what);
	is_int(in_task(polls, (void *)-1, put_x), 1, "%s: qt_poll waits while its worker does not", what);
	is_int(in_task(polls, (void *)-1, NULL), 1, "%s: qt_poll sees what is there", what);
	is_int(in_task(polls_badly, NULL, NULL), 1, "%s: qt_poll says EFAULT", what);
	pipe_close();
}

static aligned_t selects(void *arg)
{
	struct timeval patience = { .tv_usec = (int)(intptr_t)arg };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	flag_raise(&there);
	int n = qt_select(ends[0] + 1, &set, NULL, NULL, (intptr_t)arg < 0 ? NULL : &patience);
	return (aligned_t)(n == 1 ? (FD_ISSET(ends[0], &set) ? 1 : 2) : n == 0 ? 3 : 4);
}

static aligned_t selects_badly(void *arg)
{
	fd_set set;

	(void)arg;
	FD_ZERO(&set);
	qt_errno = 0;
	return under_valgrind() || (qt_select(-1, &set, NULL, NULL, NULL) == -1 && qt_errno == EINVAL);
}

static void check_select(const char *what)
{
	pipe_open();
	is_int(in_task(selects, (void *)0, NULL), 3, "%s: qt_select without patience", what);
	is_int(in_task(selects, (void *)3000, NULL), 3, "%s: qt_select until its time is up", what);
	is_int(in_task(selects, (void *)-1, put_x), 1, "%s: qt_select waits while its worker does not", what);
	is_int(in_task(selects_badly, NULL, NULL), 1, "%s: qt_select says EINVAL", what);
	pipe_close();
}

/* ---- qt_accept, qt_connect -------------------------------------------------------------------------------------- */

static struct sockaddr_un address;

static int listener(void)
{
	static unsigned n;
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	/* In the abstract name space: no file to remove. */
	memset(&address, 0, sizeof(address));
	address.sun_family = AF_UNIX;
	snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "libqthread-test-%d-%u", (int)getpid(), n++);
	if (s < 0 || bind(s, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(s, 1) != 0)
		bail_out("no socket: %s", strerror(errno));
	return s;
}

static aligned_t accepts(void *arg)
{
	struct sockaddr_un from;
	socklen_t size = sizeof(from);
	char c = 0;

	flag_raise(&there);
	int s = qt_accept((int)(intptr_t)arg, (struct sockaddr *)&from, &size);
	if (s < 0)
		return 0;
	ssize_t n = qt_read(s, &c, 1);
	close(s);
	return n == 1 && from.sun_family == AF_UNIX ? (aligned_t)c : 0;
}

static aligned_t connects(void *arg)
{
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)arg;
	bool good = qt_connect(s, (struct sockaddr *)&address, sizeof(address)) == 0 && qt_write(s, "c", 1) == 1;
	close(s);
	return good;
}

static aligned_t connected;

static void connect_one(void)
{
	qthread_fork(connects, NULL, &connected);
	qthread_readFF(&connected, &connected);
}

static aligned_t refused(void *arg)
{
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)arg;
	qt_errno = 0;
	bool good = qt_connect(s, (struct sockaddr *)&address, sizeof(address)) == -1 && qt_errno == ECONNREFUSED;
	qt_errno = 0;
	good = good && qt_accept(s, NULL, NULL) == -1 && qt_errno == EINVAL;
	close(s);
	return good;
}

static aligned_t reads_datagrams(void *arg)
{
	char c;
	ssize_t first = qt_read(*(int *)arg, &c, 1);

	return first == 0 && qt_read(*(int *)arg, &c, 1) == 1 && c == 'd';
}

static void check_datagrams(const char *what)
{
	int ends_of_it[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends_of_it) != 0)
		bail_out("socketpair failed");
	send(ends_of_it[0], "", 0, 0);
	send(ends_of_it[0], "d", 1, 0);
	is_int(in_task(reads_datagrams, &ends_of_it[1], NULL), 1, "%s: qt_read does not lose an empty datagram", what);
	close(ends_of_it[0]);
	close(ends_of_it[1]);
}

static void check_sockets(const char *what)
{
	int s = listener();

	is_int(in_task(accepts, (void *)(intptr_t)s, connect_one), 'c', "%s: qt_accept waits while its worker does not",
		what);
	is_int(connected, 1, "%s: qt_connect", what);
	close(s);
	is_int(in_task(refused, NULL, NULL), 1, "%s: qt_connect says ECONNREFUSED, qt_accept EINVAL", what);
}

/* ---- qt_system, qt_wait4 ---------------------------------------------------------------------------------------- */

static aligned_t runs_commands(void *arg)
{
	int *a = answers;

	(void)arg;
	int status = qt_system("exit 3");
	*a++ = WIFEXITED(status) && WEXITSTATUS(status) == 3;
	*a++ = qt_system(NULL) != 0;
	status = qt_system("kill -TERM $$");
	*a++ = WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
	return 0;
}

static void check_system(const char *what)
{
	in_task(runs_commands, NULL, NULL);
	ok(answers[0] && answers[1], "%s: qt_system gives the command's status", what);
	ok(answers[2], "%s: qt_system: the command can be ended by a signal", what);
}

static aligned_t waits(void *pid)
{
	struct rusage usage;
	int status = 0, *a = answers;
	pid_t child = *(pid_t *)pid;

	*a++ = qt_wait4(child, &status, WNOHANG, &usage) == 0;
	flag_raise(&there);
	*a++ = qt_wait4(child, &status, 0, &usage) == child && WIFEXITED(status) && WEXITSTATUS(status) == 9;
	qt_errno = 0;
	*a++ = qt_wait4(child, &status, 0, NULL) == -1 && qt_errno == ECHILD;
	return 0;
}

static void check_wait4(const char *what)
{
	pipe_open();
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[0], STDIN_FILENO);
		execl("/bin/sh", "sh", "-c", "head -c 1 >/dev/null; exit 9", (char *)NULL);
		_exit(1);
	}
	in_task(waits, &child, put_x);
	ok(answers[0], "%s: qt_wait4 without waiting", what);
	ok(answers[1], "%s: qt_wait4 waits while its worker does not", what);
	ok(answers[2], "%s: qt_wait4 says ECHILD", what);
	pipe_close();
}

/* ---- many at once ----------------------------------------------------------------------------------------------- */

static void check_crowd(const char *what)
{
	aligned_t ret[CROWD];
	int got = 0;

	pipe_open();
	for (int i = 0; i < CROWD; i++)
		qthread_fork(reads, NULL, &ret[i]);
	for (int i = 0; i < CROWD; i++)
		put("c");
	for (int i = 0; i < CROWD; i++) {
		qthread_readFF(&ret[i], &ret[i]);
		got += ret[i] == 'c';
	}
	is_int(got, CROWD, "%s: qt_read in more tasks than there are threads", what);
	pipe_close();
}

static void run(const char *what)
{
	check_read(what);
	check_write(what);
	check_positioned(what);
	check_poll(what);
	check_select(what);
	check_sockets(what);
	check_datagrams(what);
	check_system(what);
	check_wait4(what);
	check_crowd(what);
}

static void while_down(void)
{
	char c = 0;

	pipe_open();
	put("d");
	ok(qt_read(ends[0], &c, 1) == 1 && c == 'd', "qt_read while the runtime is down");
	errno = 0;
	ok(qt_read(-1, &c, 1) == -1 && errno == EBADF, "qt_read says EBADF while the runtime is down");
	pipe_close();
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + CHECKS_WHEN_DOWN);
	signal(SIGPIPE, SIG_IGN);
	every_runtime(run);
	while_down();
	return done();
}
