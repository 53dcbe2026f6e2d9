/* tools/qtrun_program.c -- the file behind a name, and whether libqomp can be put in front of it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The loader passes over what it cannot preload, with a message or without, and a program that asks for no OpenMP
 * runtime runs as before.  Either way somebody would believe to have measured libqomp.  So all that can be known before
 * the start is looked at, and is an error.
 */
#include "tools/qtrun_fail.h"
#include "tools/qtrun_image.h"
#include "tools/qtrun_mpi.h"
#include "tools/qtrun_needs.h"
#include "tools/qtrun_program.h"
#include "tools/qtrun_why.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { SCRIPTS_MAX = 5 };               /* interpreters that are scripts themselves: the kernel goes no further */

/* ---- The file behind a name ------------------------------------------------------------------------------------- */

/* 0, or the reason why the file cannot be executed. */
static int file_executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return access(path, X_OK) == 0 ? 0 : errno;
}

static char *path_checked(char *path)
{
	int reason = path ? file_executable(path) : ENOMEM;

	if (reason)
		qtrun_fail(reason == ENOENT || reason == ENOTDIR ? QTRUN_NOT_FOUND : QTRUN_CANNOT_RUN, "%s: %s",
			path ? path : "a name", strerror(reason));
	return path;
}

/* The next directory of PATH and the name in it, to be freed; an empty entry is the current directory. */
static char *in_next(const char **rest, const char *name)
{
	size_t length = strcspn(*rest, ":");
	char *path;

	if (asprintf(&path, "%.*s%s%s", (int)length, *rest, length > 0 ? "/" : "./", name) < 0)
		path = NULL;
	*rest += length;
	*rest = **rest == ':' ? *rest + 1 : NULL;
	return path;
}

char *qtrun_program_find(const char *name)
{
	const char *rest = getenv("PATH");
	char *unusable = NULL, standard[256];

	if (strchr(name, '/'))
		return path_checked(strdup(name));
	if (!rest && confstr(_CS_PATH, standard, sizeof(standard)) > 0)
		rest = standard;
	while (rest && name[0]) {
		char *path = in_next(&rest, name);
		int reason = path ? file_executable(path) : ENOMEM;

		if (reason == 0) {
			free(unusable);
			return path;
		}
		if (reason == EACCES && access(path, F_OK) == 0 && !unusable)
			unusable = path;                /* it is there, but a later one may do */
		else
			free(path);
	}
	if (unusable)
		path_checked(unusable);
	qtrun_fail(QTRUN_NOT_FOUND, "%s: no such program in PATH", name);
}

char *qtrun_program_or_library_find(const char *name)
{
	char *path = file_executable(name) == EACCES ? strdup(name) : NULL;

	return path && strstr(name, ".so") ? path : (free(path), qtrun_program_find(name));
}

/* `env NAME`, as scripts have it to look in PATH: NAME's file; else `interpreter` itself.  To be freed. */
static char *behind_env(const struct qtrun_image *script)
{
	const char *base = strrchr(script->interpreter, '/');
	char *words, *save, *word, *path;

	words = strdup(script->argument);
	if (!words || strcmp(base ? base + 1 : script->interpreter, "env") != 0) {
		free(words);
		return path_checked(strdup(script->interpreter));
	}
	word = strtok_r(words, " \t", &save);
	while (word && (word[0] == '-' || strchr(word, '=')))
		word = strtok_r(NULL, " \t", &save);
	path = word ? qtrun_program_find(word) : path_checked(strdup(script->interpreter));
	free(words);
	return path;
}

/* The ELF file that will be in the process: a script's interpreter, or its interpreter's.  To be freed. */
static char *behind_scripts(const char *program, struct qtrun_image *image)
{
	char *path = strdup(program);

	for (unsigned i = 0; path && qtrun_image_read(path, image) == QTRUN_SCRIPT && i < SCRIPTS_MAX; i++) {
		char *script = path;

		path = behind_env(image);
		free(script);
	}
	if (!path)
		qtrun_fail(QTRUN_REFUSED, "%s: %s", program, strerror(ENOMEM));
	return path;
}

/* ---- The library ------------------------------------------------------------------------------------------------ */

void qtrun_library_check(const char *library)
{
	struct qtrun_image image, own;

	qtrun_image_read("/proc/self/exe", &own);
	if (qtrun_image_read(library, &image) == QTRUN_UNREADABLE)
		qtrun_fail(QTRUN_REFUSED, "%s: %s", library, strerror(errno));
	if (image.kind != QTRUN_ELF || image.type != ET_DYN ||
		(own.kind == QTRUN_ELF && !qtrun_image_same_machine(&image, &own)))
		qtrun_fail(QTRUN_REFUSED, "%s is not a shared library for this machine", library);
	if (strpbrk(library, " :"))
		qtrun_fail(QTRUN_REFUSED, "%s: LD_PRELOAD cannot hold a path with a blank or a colon", library);
}

/* ---- The program ------------------------------------------------------------------------------------------------ */

/* Whether starting the file changes who runs it, by set-user-ID, set-group-ID or file capabilities: the loader then
 * ignores LD_PRELOAD, and hides it from whatever the program starts. */
static const char *file_privilege(const char *path)
{
	struct statvfs fs;
	struct stat st;

	if (stat(path, &st) != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
		(statvfs(path, &fs) == 0 && (fs.f_flag & ST_NOSUID)))
		return NULL;
	if ((st.st_mode & S_ISUID) && st.st_uid != getuid())
		return "runs as another user (set-user-ID)";
	if ((st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && st.st_gid != getgid())
		return "runs as another group (set-group-ID)";
	if (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0)
		return "has capabilities of its own";
	return NULL;
}

static bool same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

/* Whether the file is of a kind that the library can be loaded into. */
static void check_image(const char *path, const struct qtrun_image *image, const char *library)
{
	struct qtrun_image own, lib;

	qtrun_image_read("/proc/self/exe", &own);
	qtrun_image_read(library, &lib);
	if (!qtrun_image_same_machine(image, &lib)) {
		char machine[64];

		snprintf(machine, sizeof(machine), "%s", qtrun_image_machine(&lib));
		qtrun_fail(QTRUN_REFUSED, "%s is a %s program, libqomp is for %s",
			path, qtrun_image_machine(image), machine);
	}
	if (!image->interpreter[0])
		qtrun_fail(QTRUN_REFUSED, "%s is linked statically: nothing can take the place of the libgomp inside",
			path);
	if (own.interpreter[0] && !same_file(image->interpreter, own.interpreter))
		qtrun_fail(QTRUN_REFUSED, "%s is for another C library (its loader is %s, not %s)", path,
			image->interpreter, own.interpreter);
}

/* Whether the program, or a library of its, is linked with an OpenMP runtime, or, for libqmpi's sake,
 * with libqthread. */
static void check_use(const char *who, const char *path, const struct qtrun_needs *needs, bool mpi)
{
	if (needs->missing[0])
		qtrun_fail(QTRUN_NOT_FOUND, "%s needs %s, which is not found", who, needs->missing);
	if (!needs->listed)
		qtrun_fail(QTRUN_REFUSED, "%s: its libraries cannot be listed: %s", path,
			needs->complaint[0] ? needs->complaint : "the loader does not say why");
	if (mpi && needs->qthreads)
		return;
	if (!needs->gomp[0] && !needs->llvm[0])
		qtrun_fail(QTRUN_REFUSED, "%s is not linked with libgomp, libomp or libiomp5; if it loads modules or "
			"starts programs that are, say --force", who);
}

/* Two runtimes have two sets of threads. */
static void say_other(const char *loader, const char *file, const struct qtrun_preload *preload)
{
	struct qtrun_uses uses = qtrun_uses_list(loader, file, preload->with);
	const struct qtrun_use *other = qtrun_uses_other(&uses, preload->library);

	if (other)
		fprintf(stderr, "qtrun: %s uses %s beside libqomp, with threads of its own; see qtrun --why\n",
			other->user, other->runtime);
	qtrun_uses_free(&uses);
}

/* What the loader makes of it, first without the library, which would hide that its namesake is asked for. */
static void check_libraries(const char *program, const char *path, const char *loader,
	const struct qtrun_preload *preload)
{
	struct qtrun_needs needs;
	char *real = realpath(path, NULL);      /* where $ORIGIN is: the kernel, too, tells the loader the real place */
	const char *file = real ? real : path;
	char who[2 * PATH_MAX];

	snprintf(who, sizeof(who), strcmp(program, path) == 0 ? "%s" : "%s is run by %s, which", program, path);
	qtrun_needs_list(loader, file, preload->without, preload->library, &needs);
	check_use(who, path, &needs, preload->mpi != NULL);
	qtrun_needs_list(loader, file, preload->with, preload->library, &needs);
	if (needs.missing[0])
		qtrun_fail(QTRUN_REFUSED, "%s needs %s, which is not found", preload->library, needs.missing);
	if (!needs.in_front)
		qtrun_fail(QTRUN_REFUSED, "%s cannot be loaded into %s: %s", preload->library, path, needs.complaint);
	say_other(loader, file, preload);
	free(real);
}

char *qtrun_program_mpi(const char *program)
{
	struct qtrun_image image;
	char *path = behind_scripts(program, &image), *real = realpath(path, NULL);

	if (image.kind != QTRUN_ELF || !image.interpreter[0])
		qtrun_fail(QTRUN_REFUSED, "%s has no loader that could be asked for its MPI", path);
	char *library = qtrun_mpi_library(program, real ? real : path, image.interpreter);
	free(real);
	free(path);
	return library;
}

/* The loader of a shared library is the system's. */
static const char *loader_for(const char *path, struct qtrun_image *image, const char *library)
{
	struct qtrun_image own;

	if (image->kind == QTRUN_UNREADABLE)
		qtrun_fail(QTRUN_REFUSED, "%s cannot be read to see what it uses", path);
	if (image->kind != QTRUN_ELF || (image->type != ET_EXEC && image->type != ET_DYN))
		qtrun_fail(QTRUN_CANNOT_RUN, "%s is neither a program nor a shared library", path);
	qtrun_image_read("/proc/self/exe", &own);
	if (image->type == ET_DYN && !image->interpreter[0] && qtrun_image_same_machine(image, &own))
		memcpy(image->interpreter, own.interpreter, sizeof(own.interpreter));
	check_image(path, image, library);
	return image->interpreter;
}

bool qtrun_program_why(const char *program, const struct qtrun_preload *preload)
{
	struct qtrun_image image;
	char *path = behind_scripts(program, &image), *real = realpath(path, NULL);
	struct qtrun_needs needs;
	const char *loader = loader_for(path, &image, preload->library), *file = real ? real : path;

	qtrun_needs_list(loader, file, preload->with, preload->library, &needs);
	if (!needs.listed && !needs.missing[0])
		qtrun_fail(QTRUN_REFUSED, "%s: its libraries cannot be listed: %s", path,
			needs.complaint[0] ? needs.complaint : "the loader does not say why");
	if (needs.missing[0])
		fprintf(stderr, "qtrun: %s needs %s, which is not found: what follows is without it\n", path,
			needs.missing);
	struct qtrun_uses uses = qtrun_uses_list(loader, file, preload->with);
	bool one = !qtrun_uses_other(&uses, preload->library);
	qtrun_uses_print(&uses, preload->library, stdout);
	qtrun_uses_free(&uses);
	free(real);
	free(path);
	return one;
}

void qtrun_program_check(const char *program, const struct qtrun_preload *preload, enum qtrun_check what)
{
	struct qtrun_image image;
	char *path = behind_scripts(program, &image);
	const char *special = file_privilege(path);

	if (special)
		qtrun_fail(QTRUN_REFUSED, "%s %s: the loader preloads nothing then", path, special);
	if (what >= QTRUN_CHECK_LOADER) {
		if (image.kind == QTRUN_UNREADABLE)
			qtrun_fail(QTRUN_REFUSED, "%s cannot be read to see what it uses", path);
		if (image.kind != QTRUN_ELF)
			qtrun_fail(QTRUN_CANNOT_RUN, "%s is neither a program nor a script that begins with #!", path);
		check_image(path, &image, preload->library);
	}
	if (what >= QTRUN_CHECK_USE)
		check_libraries(program, path, image.interpreter, preload);
	free(path);
}
