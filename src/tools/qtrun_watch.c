/* tools/qtrun_watch.c -- see tools/qtrun_watch.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a program loads as it goes, only its loader knows.  tools/qtrun_audit.c writes down what that says, in lines of
 * tools/qtrun_log.h, and this process, which waits for the program, reads them.  So they are there however it ends.
 */
#include "tools/qtrun_watch.h"

#include "tools/qtrun_fail.h"
#include "tools/qtrun_log.h"
#include "tools/qtrun_program.h"
#include "tools/qtrun_report.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int status_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- The environment -------------------------------------------------------------------------------------------- */

static void set_variable(const char *name, const char *value)
{
	if (setenv(name, value, 1) != 0)
		qtrun_fail(QTRUN_REFUSED, "%s: %s", name, strerror(errno));
}

void qtrun_watch_prepare(void)
{
	const char *named = getenv("QTRUN_AUDIT"), *there = getenv("LD_AUDIT");
	bool own = !named || !named[0];
	char *module = realpath(own ? QTRUN_AUDIT_PATH : named, NULL), *all = NULL;

	if (!module)
		qtrun_fail(QTRUN_REFUSED, "%s%s: %s", own ? "" : "QTRUN_AUDIT=", own ? QTRUN_AUDIT_PATH : named,
			strerror(errno));
	qtrun_library_check(module);
	if (asprintf(&all, "%s%s%s", module, there && there[0] ? ":" : "", there ? there : "") < 0)
		qtrun_fail(QTRUN_REFUSED, "%s", strerror(ENOMEM));
	set_variable("LD_AUDIT", all);
	free(all);
	free(module);
}

/* A file of no directory, which goes with this process.  Programs find it by number. */
static int log_create(void)
{
	char name[64];
	int fd = memfd_create(QTRUN_LOG_NAME, MFD_CLOEXEC);

	if (fd < 0)
		qtrun_fail(QTRUN_REFUSED, "no memory for what the program's loader tells: %s", strerror(errno));
	snprintf(name, sizeof(name), "/proc/%ld/fd/%d", (long)getpid(), fd);
	set_variable(QTRUN_LOG_VARIABLE, name);
	return fd;
}

static char *log_text(int fd)
{
	struct stat st;
	char *text = fstat(fd, &st) == 0 ? malloc((size_t)st.st_size + 1) : NULL;
	ssize_t n = text ? pread(fd, text, (size_t)st.st_size, 0) : -1;

	if (n < 0)
		qtrun_fail(QTRUN_REFUSED, "what the program's loader has told: %s", strerror(errno));
	text[n] = '\0';
	return text;
}

/* ---- The program ------------------------------------------------------------------------------------------------ */

static volatile pid_t program_id;

/* What the terminal sends, it sends to the program, too. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
	int reason = errno;

	(void)context;
	if (program_id > 0 && info->si_code <= 0)
		kill(program_id, signal);
	errno = reason;
}

static void signals_pass_on(const sigset_t *which)
{
	struct sigaction action = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART }, was;

	sigfillset(&action.sa_mask);
	for (int i = 1; i < NSIG; i++)
		if (sigismember(which, i) == 1 && sigaction(i, NULL, &was) == 0 && was.sa_handler != SIG_IGN)
			sigaction(i, &action, NULL);
}

/* Signals come when it is known to whom they go; the program begins with those blocked that were. */
static int program_start(const char *program, char **argv, pid_t *id)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2 };
	extern char **environ;
	posix_spawnattr_t attributes;
	sigset_t which, was;

	sigemptyset(&which);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaddset(&which, ends[i]);
	sigprocmask(SIG_BLOCK, &which, &was);
	signals_pass_on(&which);
	int reason = posix_spawnattr_init(&attributes);
	if (!reason) {
		posix_spawnattr_setsigmask(&attributes, &was);
		posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
		reason = posix_spawn(id, program, NULL, &attributes, argv, environ);
		posix_spawnattr_destroy(&attributes);
	}
	program_id = reason ? 0 : *id;
	sigprocmask(SIG_SETMASK, &was, NULL);
	return reason;
}

static int program_run(const char *program, char **argv)
{
	siginfo_t info;
	int status;
	pid_t id;
	int reason = program_start(program, argv, &id);

	if (reason)
		qtrun_fail(reason == ENOENT ? QTRUN_NOT_FOUND : QTRUN_CANNOT_RUN, "%s: %s", program, strerror(reason));
	while (waitid(P_PID, (id_t)id, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	program_id = 0;                                 /* before its number may become another's */
	while (waitpid(id, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* As the program has, but that its core is not overwritten. */
static _Noreturn void end_like(int status)
{
	static const struct rlimit none;

	if (WIFSIGNALED(status)) {
		setrlimit(RLIMIT_CORE, &none);
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	exit(status_of(status));
}

_Noreturn void qtrun_watch(const char *program, char **argv, const char *library)
{
	int log = log_create();

	int status = program_run(program, argv);
	char *text = log_text(log);
	qtrun_report(text, program, library, stderr);
	free(text);
	end_like(status);
}
