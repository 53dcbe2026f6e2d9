/* omp/tool/attach.c -- see omp/tool/attach.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tool/attach.h"

#include "base/env.h"
#include "base/environ.h"
#include "base/mem.h"
#include "base/race.h"
#include "machine/handler.h"
#include "omp/env/text.h"
#include "omp/tool/callbacks.h"
#include "omp/tool/inquiry.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint32_t qomp_tool_on = QOMP_TOOL_BIT;

enum { OPENMP_VERSION = 202111 };

#define RUNTIME "libqomp " PACKAGE_VERSION

typedef ompt_start_tool_result_t *start_tool(unsigned int version, const char *runtime);

/* The reference has the linker show the program's own to this library. */
extern __typeof__(ompt_start_tool) ompt_start_tool __attribute__((weak));

/* --- OMP_TOOL_VERBOSE_INIT ------------------------------------------------------------------------------- */

static FILE *verbose;

static void __attribute__((format(printf, 1, 2))) tell_user(const char *fmt, ...)
{
	va_list args;

	if (!verbose)
		return;
	fputs("libqomp: tool: ", verbose);
	va_start(args, fmt);
	vfprintf(verbose, fmt, args);
	va_end(args);
	fputc('\n', verbose);
}

static bool is_word(const char *text, const char *word)
{
	return qomp_read_word(&text, word) && qomp_read_end(text);
}

static void verbose_open(void)
{
	const char *where = qti_environ_value("OMP_TOOL_VERBOSE_INIT");

	if (!where || !*where || is_word(where, "disabled"))
		return;
	if (is_word(where, "stdout"))
		verbose = stdout;
	else if (is_word(where, "stderr"))
		verbose = stderr;
	else if (!(verbose = fopen(where, "we")))
		qomp_warn("OMP_TOOL_VERBOSE_INIT=%s: cannot write to that file", where);
}

static void verbose_close(void)
{
	if (verbose && verbose != stdout && verbose != stderr)
		fclose(verbose);
	else if (verbose)
		fflush(verbose);
	verbose = NULL;
}

/* --- looking for one ------------------------------------------------------------------------------------- */

static ompt_start_tool_result_t *ask(start_tool *start, const char *where)
{
	ompt_start_tool_result_t *tool = start(OPENMP_VERSION, RUNTIME);

	tell_user("ompt_start_tool of %s returns %s", where, tool ? "a tool" : "none");
	return tool;
}

static start_tool *symbol_of(void *library)
{
	start_tool *found;

	*(void **)&found = dlsym(library, "ompt_start_tool");
	return found;
}

static ompt_start_tool_result_t *tool_of_program(void)
{
	start_tool *start = symbol_of(RTLD_DEFAULT);

	if (!start)
		start = ompt_start_tool;
	if (!start)
		tell_user("the program and its libraries have no ompt_start_tool");
	return start ? ask(start, "the program") : NULL;
}

static ompt_start_tool_result_t *tool_of_library(const char *name)
{
	void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);

	if (!library) {
		const char *why = dlerror();
		qomp_warn("OMP_TOOL_LIBRARIES: cannot load %s; the program runs without it", why ? why : name);
		tell_user("%s: does not load", name);
		return NULL;
	}
	start_tool *start = symbol_of(library);
	if (!start)
		qomp_warn("OMP_TOOL_LIBRARIES: %s has no ompt_start_tool; the program runs without it", name);
	ompt_start_tool_result_t *tool = start ? ask(start, name) : NULL;
	if (!tool)
		dlclose(library);
	return tool;
}

/* The first of a list with : between them that wants to be one. */
static ompt_start_tool_result_t *tool_of_list(const char *list)
{
	char *names = qti_mem_alloc(strlen(list) + 1), *rest = names;
	ompt_start_tool_result_t *tool = NULL;

	if (!names)
		return NULL;
	strcpy(names, list);
	while (!tool && rest) {
		const char *name = strsep(&rest, ":");
		if (*name)
			tool = tool_of_library(name);
	}
	qti_mem_free(names);
	return tool;
}

static bool is_disabled(void)
{
	const char *value = qti_environ_value("OMP_TOOL");

	if (!value || !*value || is_word(value, "enabled"))
		return false;
	if (is_word(value, "disabled"))
		return true;
	qomp_warn("OMP_TOOL=%s: neither enabled nor disabled; tools are enabled", value);
	return false;
}

/* A program with rights that its caller does not have (setuid) loads no libraries of the caller's choice. */
static ompt_start_tool_result_t *tool_found(void)
{
	const char *list = qti_env_trusted() ? qti_environ_value("OMP_TOOL_LIBRARIES") : NULL;
	ompt_start_tool_result_t *tool = tool_of_program();

	return tool || !list ? tool : tool_of_list(list);
}

static bool tool_starts(void)
{
	ompt_start_tool_result_t *tool = tool_found();

	if (!tool)
		return false;
	qti_handler_prepare();  /* the tool is told of the end in a handler, too */
	qomp_callbacks_begin(tool);
	if (tool->initialize && tool->initialize(qomp_tool_lookup, 0, &tool->tool_data))
		return true;
	tell_user("the tool's initializer wants no events");
	qomp_callbacks_begin(NULL);
	return false;
}

/* --- once ------------------------------------------------------------------------------------------------ */

/* What the tool itself calls meanwhile it is not told. */
static __thread bool deciding __attribute__((tls_model("initial-exec")));

static void decide(void)
{
	bool used = false;

	deciding = true;
	if (qti_env_trusted())
		verbose_open();
	if (is_disabled())
		tell_user("OMP_TOOL says none");
	else
		used = tool_starts();
	if (used)
		tell_user("in use");
	verbose_close();
	if (!used && !qti_races())
		store_rlx(&qomp_tool_on, 0);
	deciding = false;
}

bool qomp_tool_ready(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (deciding)
		return false;
	pthread_once(&once, decide);
	return load_rlx(&qomp_tool_on) != 0;
}
