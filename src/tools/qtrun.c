/* tools/qtrun.c -- runs an OpenMP program on libqomp in place of libgomp, libomp and libiomp5.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: qtrun [option...] program [argument...]
 *
 * Options become settings in the environment.  The library, which calls itself libgomp.so.1, is put in front of
 * LD_PRELOAD, perhaps behind libqmpi: its names are found first, and the loader looks for no other file of that name.
 * Its directory, where it has its other names, comes first in LD_LIBRARY_PATH, for what is linked with libomp or loads
 * libiomp5 later.  Then this process becomes the program.
 */
#include "tools/qtrun_fail.h"
#include "tools/qtrun_mpi.h"
#include "tools/qtrun_program.h"
#include "tools/qtrun_watch.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- Values of options: each check returns what goes into the environment, NULL if the value is not allowed ----- */

static const char *check_scheduler(const char *value)
{
	char names[] = QTI_SCHEDULER_NAMES, *save;

	for (char *name = strtok_r(names, " ", &save); name; name = strtok_r(NULL, " ", &save))
		if (strcasecmp(name, value) == 0)
			return value;
	return NULL;
}

/* Digits up to *rest; false if there are none or too many. */
static bool parse_number(const char *text, uint64_t *n, char **rest)
{
	if (!isdigit((unsigned char)*text))             /* strtoull would take blanks and a sign */
		return false;
	errno = 0;
	*n = strtoull(text, rest, 10);
	return errno == 0;
}

static const char *check_workers(const char *value)
{
	const char *text = value;
	char *rest;
	uint64_t n;

	for (;;) {
		if (!parse_number(text, &n, &rest) || n < 1 || n > INT_MAX)
			return NULL;
		if (*rest == '\0')
			return value;
		if (*rest != ',')
			return NULL;
		text = rest + 1;
	}
}

static const char *check_stack(const char *value)
{
	static const char units[] = "BKMG";
	const char *unit = units + 1;
	uint64_t n;
	char *rest;

	if (!parse_number(value, &n, &rest))
		return NULL;
	if (*rest && (unit = strchr(units, toupper((unsigned char)*rest))) != NULL)
		rest++;
	if (!unit || *rest || n > UINT64_MAX >> 30)
		return NULL;
	n <<= 10 * (unit - units);
	return n >= (uint64_t)16 << 10 && n <= (uint64_t)1 << 40 ? value : NULL;
}

static const char *check_bind(const char *value)
{
	static const struct {
		const char *word, *setting;
	} words[] = {
		{ "no", "false" },
		{ "yes", "true" },
		{ "close", "close" },
		{ "spread", "spread" },
		{ "primary", "master" },        /* OpenMP 5.0's word, which every library knows */
	};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(words[i].word, value) == 0)
			return words[i].setting;
	return NULL;
}

/* A name, perhaps with a count; the grammar of lists is left to the library. */
static const char *check_places(const char *value)
{
	static const char *const names[] = { "threads", "cores", "ll_caches", "numa_domains", "sockets" };
	uint64_t n;
	char *rest;

	if (value[0] == '{' || value[0] == '!')
		return value;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(names[i]);

		if (strncasecmp(value, names[i], length) != 0)
			continue;
		if (value[length] == '\0')
			return value;
		if (value[length] == '(' && parse_number(value + length + 1, &n, &rest) && n > 0 &&
		    strcmp(rest, ")") == 0)
			return value;
	}
	return NULL;
}

/* ---- Options ---------------------------------------------------------------------------------------------------- */

enum { OPT_DRY_RUN = 1000, OPT_FORCE, OPT_HELP, OPT_MPI, OPT_STATS, OPT_VERSION, OPT_WHY };

static const struct setting {
	const char *option, *argument, *variable;
	const char *(*check)(const char *);
	const char *allowed;
	const char *help;
} settings[] = {
	{ "scheduler", "NAME", "QT_SCHEDULER", check_scheduler, QTI_SCHEDULER_NAMES, "which task a worker runs next" },
	{ "workers", "N", "OMP_NUM_THREADS", check_workers,
		"a number of threads, or several with commas between them, one for each level of nested regions",
		"threads of a parallel region" },
	{ "stack", "SIZE", "OMP_STACKSIZE", check_stack,
		"16K to 1024G: a number, and B, K, M or G (K if none is given)", "stack of each thread" },
	{ "bind", "HOW", "OMP_PROC_BIND", check_bind, "no, yes, close, spread or primary", "bind threads to places" },
	{ "places", "WHAT", "OMP_PLACES", check_places,
		"threads, cores, ll_caches, numa_domains or sockets, perhaps with a count as in cores(4), or a "
		"list as in {0,1},{2,3}",
		"what a place is" },
};

enum { NSETTINGS = sizeof(settings) / sizeof(settings[0]), NFLAGS = 7 };

static const struct {
	const char *option;
	int code;
	const char *help;
} flags[NFLAGS] = {
	{ "stats", OPT_STATS, "print counts of tasks, steals and sleeps at the end (QT_STATS)" },
	{ "mpi", OPT_MPI, "put libqmpi in front, too (--mpi=openmpi, --mpi=mpich): "
		"MPI calls of tasks do not stop their workers" },
	{ "dry-run", OPT_DRY_RUN, "check everything, print the command with its environment, do not run it" },
	{ "why", OPT_WHY,
		"print which OpenMP runtimes it has and who uses which: as files (--why=files), or, if it has "
		"arguments (--why=run), after a run" },
	{ "force", OPT_FORCE, "run it without having checked that it uses one" },
	{ "help", OPT_HELP, "print this" },
	{ "version", OPT_VERSION, "print the version" },
};

struct command {
	const char *values[NSETTINGS];  /* NULL: the environment's */
	const char *mpi_name;           /* NULL: that of the program's MPI */
	bool stats, mpi, dry_run, force;
	enum { WHY_NOT, WHY_EITHER, WHY_FILES, WHY_RUN } why;
	struct qtrun_preload preload;
	char *program;                  /* its file */
	char **argv;
};

static void print_help(void)
{
	puts("usage: qtrun [option...] program [argument...]\n"
	     "Runs a program that was compiled with gcc or clang -fopenmp on libqomp in place of libgomp and libomp.");
	for (unsigned i = 0; i < NSETTINGS; i++) {
		char left[32];

		snprintf(left, sizeof(left), "--%s %s", settings[i].option, settings[i].argument);
		printf("  %-18s %s (%s)\n", left, settings[i].help, settings[i].variable);
	}
	for (unsigned i = 0; i < NFLAGS; i++)
		printf("  --%-16s %s\n", flags[i].option, flags[i].help);
	printf("The library is %s, or what QTRUN_LIBRARY names.\n", QTRUN_LIBRARY_PATH);
}

static void set_value(struct command *c, unsigned which, const char *value)
{
	const struct setting *s = &settings[which];

	c->values[which] = s->check(value);
	if (!c->values[which])
		qtrun_fail(QTRUN_USAGE, "--%s %s: allowed: %s", s->option, value, s->allowed);
}

static void set_why(struct command *c, const char *value)
{
	if (!value)
		c->why = WHY_EITHER;
	else if (strcmp(value, "files") == 0)
		c->why = WHY_FILES;
	else if (strcmp(value, "run") == 0)
		c->why = WHY_RUN;
	else
		qtrun_fail(QTRUN_USAGE, "--why=%s: allowed: files or run", value);
}

static void take_option(struct command *c, int code)
{
	switch (code) {
	case OPT_STATS:
		c->stats = true;
		break;
	case OPT_MPI:
		c->mpi = true;
		c->mpi_name = optarg;
		break;
	case OPT_DRY_RUN:
		c->dry_run = true;
		break;
	case OPT_WHY:
		set_why(c, optarg);
		break;
	case OPT_FORCE:
		c->force = true;
		break;
	case OPT_HELP:
		print_help();
		exit(0);
	case OPT_VERSION:
		puts("qtrun (libqthread) " PACKAGE_VERSION);
		exit(0);
	default:                                        /* getopt_long has said it */
		exit(QTRUN_USAGE);
	}
}

static void parse_command(struct command *c, int argc, char **argv)
{
	static char name[] = "qtrun";                   /* for getopt_long's messages */
	struct option options[NSETTINGS + NFLAGS + 1] = { { 0 } };
	int code;

	argv[0] = name;

	for (unsigned i = 0; i < NSETTINGS; i++)
		options[i] = (struct option){ settings[i].option, required_argument, NULL, (int)i };
	for (unsigned i = 0; i < NFLAGS; i++)
		options[NSETTINGS + i] = (struct option){ flags[i].option,
			flags[i].code == OPT_MPI || flags[i].code == OPT_WHY ? optional_argument : no_argument, NULL,
			flags[i].code };
	/* "+": what stands after the program is the program's. */
	while ((code = getopt_long(argc, argv, "+", options, NULL)) != -1)
		if (code < NSETTINGS)
			set_value(c, (unsigned)code, optarg);
		else
			take_option(c, code);
	if (optind == argc)
		qtrun_fail(QTRUN_USAGE, "no program given; see qtrun --help");
	c->argv = argv + optind;
	if (c->why == WHY_EITHER)
		c->why = c->argv[1] && !c->dry_run ? WHY_RUN : WHY_FILES;
	if (c->why == WHY_RUN && c->dry_run)
		qtrun_fail(QTRUN_USAGE, "--why=run with --dry-run: one runs the program, the other does not");
}

/* ---- The environment -------------------------------------------------------------------------------------------- */

static char *library_path(void)
{
	const char *named = getenv("QTRUN_LIBRARY");
	bool own = !named || !named[0];
	char *path = realpath(own ? QTRUN_LIBRARY_PATH : named, NULL);

	if (!path)
		qtrun_fail(QTRUN_REFUSED, "%s%s: %s%s", own ? "" : "QTRUN_LIBRARY=", own ? QTRUN_LIBRARY_PATH : named,
			strerror(errno), own ? "; is libqthread installed, with its shared libraries?" : "");
	qtrun_library_check(path);
	return path;
}

/* Its other names lie beside it where it is installed. */
static void find_path(struct qtrun_preload *p)
{
	const char *there = getenv("LD_LIBRARY_PATH"), *named = getenv("QTRUN_LIBRARY");
	char *directory = strdup(named && named[0] ? named : QTRUN_LIBRARY_PATH), *other = NULL, *real = NULL;
	char *slash = directory ? strrchr(directory, '/') : NULL;
	bool more = there && there[0];

	if (slash)
		*slash = '\0';
	if (slash && asprintf(&other, "%s/libomp.so.5", directory) > 0)
		real = realpath(other, NULL);
	if (real && strcmp(real, p->library) == 0 &&
	    asprintf(&p->path, "%s%s%s", directory, more ? ":" : "", more ? there : "") > 0)
		setenv("LD_LIBRARY_PATH", p->path, 1);
	free(real);
	free(other);
	free(directory);
}

/* Each library may be among the preloads already: a program that qtrun runs may run qtrun. */
static void find_preload(struct qtrun_preload *p)
{
	const char *there = getenv("LD_PRELOAD");
	size_t space = there ? strlen(there) + 1 : 1, mpi = p->mpi ? strlen(p->mpi) + 1 : 0;

	p->library = library_path();
	char *words = strdup(there ? there : ""), *others = calloc(space + 1, 1), *save;
	p->with = malloc(mpi + strlen(p->library) + space + 1);
	if (!words || !others || !p->with)
		qtrun_fail(QTRUN_REFUSED, "%s", strerror(ENOMEM));
	for (char *word = strtok_r(words, " :", &save); word; word = strtok_r(NULL, " :", &save))
		if (strcmp(word, p->library) != 0 && !(p->mpi && strcmp(word, p->mpi) == 0))
			strcat(strcat(others, ":"), word);
	free(words);
	sprintf(p->with, "%s%s%s%s", p->mpi ? p->mpi : "", p->mpi ? ":" : "", p->library, others);
	p->without = others[0] ? others + 1 : NULL;
}

/* For a shell: nothing in it means anything but itself. */
static void print_quoted(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=@%";

	if (text[0] && text[strspn(text, plain)] == '\0') {
		fputs(text, stdout);
		return;
	}
	putchar('\'');
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
	putchar('\'');
}

/* One variable of the program's environment: set, or shown. */
static void set_variable(const struct command *c, const char *name, const char *value)
{
	if (c->dry_run) {
		printf("%s=", name);
		print_quoted(value);
		putchar(' ');
	} else if (setenv(name, value, 1) != 0) {
		qtrun_fail(QTRUN_REFUSED, "%s: %s", name, strerror(errno));
	}
}

static void set_environment(const struct command *c)
{
	set_variable(c, "LD_PRELOAD", c->preload.with);
	if (c->preload.path)
		set_variable(c, "LD_LIBRARY_PATH", c->preload.path);
	for (unsigned i = 0; i < NSETTINGS; i++)
		if (c->values[i])
			set_variable(c, settings[i].variable, c->values[i]);
	if (c->stats)
		set_variable(c, "QT_STATS", "yes");
}

int main(int argc, char **argv)
{
	struct command c = { 0 };
	bool ignored = signal(SIGCHLD, SIG_DFL) == SIG_IGN;     /* how a child ends is wanted here */

	parse_command(&c, argc, argv);
	if (c.mpi)
		c.preload.mpi =
			c.mpi_name ? qtrun_mpi_named(c.mpi_name) : qtrun_program_mpi(qtrun_program_find(c.argv[0]));
	if (c.preload.mpi)
		qtrun_library_check(c.preload.mpi);
	find_preload(&c.preload);
	find_path(&c.preload);
	if (c.why == WHY_FILES)
		return qtrun_program_why(qtrun_program_or_library_find(c.argv[0]), &c.preload) ? 0 : 1;
	c.program = qtrun_program_find(c.argv[0]);
	qtrun_program_check(c.program, &c.preload,
		c.force ? QTRUN_CHECK_STARTED : c.why ? QTRUN_CHECK_LOADER : QTRUN_CHECK_USE);
	if (c.why)
		qtrun_watch_prepare();
	set_environment(&c);
	if (c.why)
		qtrun_watch(c.program, c.argv, c.preload.library);
	if (c.dry_run) {
		print_quoted(c.program);
		for (char **arg = c.argv + 1; *arg; arg++) {
			putchar(' ');
			print_quoted(*arg);
		}
		putchar('\n');
		return 0;
	}
	if (ignored)
		signal(SIGCHLD, SIG_IGN);
	execv(c.program, c.argv);
	qtrun_fail(errno == ENOENT ? QTRUN_NOT_FOUND : QTRUN_CANNOT_RUN, "%s: %s", c.program, strerror(errno));
}
