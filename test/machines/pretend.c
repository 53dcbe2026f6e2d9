/* test/machines/pretend.c -- preloaded, tells a program of a machine that is not there.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * From the environment:
 *   QTI_PRETEND_L2, QTI_PRETEND_L3   sizes of caches in bytes, as sysconf(3) tells them
 *   QTI_PRETEND_FRAME                the least size of a signal's stack, likewise
 *   QTI_PRETEND_GROUPS               a folder that has cgroup and mountinfo of /proc/self, and what is in /sys/fs/cgroup
 *   QTI_PRETEND_LOCALE               if set, the program has called setlocale(LC_ALL, "") before it begins
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void begin(void)
{
	if (getenv("QTI_PRETEND_LOCALE"))
		setlocale(LC_ALL, "");
}

long sysconf(int name)
{
	const char *variable = name == _SC_LEVEL2_CACHE_SIZE ? "QTI_PRETEND_L2" :
		name == _SC_LEVEL3_CACHE_SIZE                ? "QTI_PRETEND_L3" :
#ifdef _SC_MINSIGSTKSZ
		name == _SC_MINSIGSTKSZ || name == _SC_SIGSTKSZ ? "QTI_PRETEND_FRAME" :
#endif
								  NULL;
	const char *value = variable ? getenv(variable) : NULL;

	if (value)
		return atol(value);
	return ((long (*)(int))dlsym(RTLD_NEXT, "sysconf"))(name);
}

static const char *placed(const char *path, char *other, size_t size)
{
	static const char *const at[] = { "/proc/self/", "/sys/fs/cgroup/" };
	const char *folder = getenv("QTI_PRETEND_GROUPS");

	if (!folder || (strcmp(path, "/proc/self/cgroup") != 0 && strcmp(path, "/proc/self/mountinfo") != 0 &&
			strncmp(path, at[1], strlen(at[1])) != 0))
		return path;
	const char *rest = path + strlen(at[strncmp(path, at[0], strlen(at[0])) != 0]);
	return (size_t)snprintf(other, size, "%s/%s", folder, rest) < size ? other : path;
}

static int open_placed(const char *name, const char *path, int flags, va_list rest)
{
	char other[4096];
	mode_t mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;

	return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name))(placed(path, other, sizeof(other)), flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list rest;

	va_start(rest, flags);
	int fd = open_placed("open", path, flags, rest);
	va_end(rest);
	return fd;
}

int open64(const char *path, int flags, ...)
{
	va_list rest;

	va_start(rest, flags);
	int fd = open_placed("open64", path, flags, rest);
	va_end(rest);
	return fd;
}

int access(const char *path, int how)
{
	char other[4096];

	return ((int (*)(const char *, int))dlsym(RTLD_NEXT, "access"))(placed(path, other, sizeof(other)), how);
}
