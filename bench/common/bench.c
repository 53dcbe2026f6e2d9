/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What programs call things, and how they give up. */
#define _GNU_SOURCE
#include "common/bench.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <strings.h>

#ifndef QTI_DEFAULT_SCHEDULER
#define QTI_DEFAULT_SCHEDULER "default"
#endif

const char *const bench_schedulers[] = { "auto", "q", "l", "cq", "ws", "mts", "xq", "bq", "na-rp", "na-ws", NULL };

/* The library takes its own for one that it does not know. */
static const char *scheduler_known(const char *name)
{
	for (unsigned i = 1; bench_schedulers[i]; i++)
		if (strcasecmp(bench_schedulers[i], name) == 0)
			return bench_schedulers[i];
	return QTI_DEFAULT_SCHEDULER;
}

const char *bench_scheduler_name(const struct bench_setup *setup)
{
	static const char *const settings[] = { "QT_SCHEDULER", "QTHREAD_SCHEDULER" };

	if (setup->scheduler)
		return bench_schedulers[setup->scheduler];
	for (unsigned i = 0; i < 2; i++) {
		const char *value = getenv(settings[i]);
		if (value && *value)
			return scheduler_known(value);
	}
	return QTI_DEFAULT_SCHEDULER;
}

const char *bench_shape(unsigned shepherds, unsigned workers)
{
	static char text[48];

	if (shepherds && workers % shepherds == 0)
		snprintf(text, sizeof(text), "%u x %u", shepherds, workers / shepherds);
	else
		snprintf(text, sizeof(text), "%u, %u in all", shepherds, workers);
	return text;
}

/* Through the symbol table: a function's address in a program may be that of a stub of the program's own. */
const char *bench_origin(const char *function)
{
	static char path[4096]; /* PATH_MAX, as realpath() wants it */
	Dl_info found;
	void *address = dlsym(RTLD_DEFAULT, function);

	if (!address || !dladdr(address, &found) || !found.dli_fname)
		return "the program itself";
	return realpath(found.dli_fname, path) ? path : found.dli_fname;
}

void bench_fail(const char *name, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", name);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

void *bench_room(const char *name, size_t count, size_t size)
{
	void *room = calloc(count ? count : 1, size);

	if (!room)
		bench_fail(name, "out of memory for %zu times %zu bytes", count, size);
	return room;
}
