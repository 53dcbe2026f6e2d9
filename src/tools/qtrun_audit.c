/* tools/qtrun_audit.c -- the loader's witness in programs that `qtrun --why` runs, see rtld-audit(7).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A namespace of its own has a C library of its own: nothing here is seen by the program, not even errno.  A file
 * descriptor would be: the program may close those that it does not know and have its own file under that number.  So
 * each line opens the log anew.  The thread is the program's, though: what is asked of it, to be cancelled, is not to
 * happen here.  Whatever goes wrong here is no matter of the program's: it goes on as if alone.
 */
#include "base/atomic.h"
#include "tools/qtrun_log.h"
#include "tools/qtrun_names.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define SEEN_BY_LOADER __attribute__((visibility("default")))

/* What a cookie of the loader's stands for.  It stays when the file goes: other threads may be about to tell of it. */
struct object {
	struct object *next;
	Lmid_t space;
	char number[24];                                /* of the space, as text */
	bool runtime;
	char file[];
};

static char id[24];
static const char *path;

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

enum { FIELDS_MAX = 7 };

/* Not another file that has come to have its place. */
static bool is_log(void)
{
	static const char log[] = "/memfd:" QTRUN_LOG_NAME " ";
	char file[sizeof(log)];

	return readlink(path, file, sizeof(file)) > (ssize_t)strlen(log) && strncmp(file, log, strlen(log)) == 0;
}

/* One write to the end of the file: threads and processes do not mix their lines. */
static void parts_write(const struct iovec *parts, int n)
{
	int fd = is_log() ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	if (writev(fd, parts, n) < 0) {
		/* nobody to tell */
	}
	close(fd);
}

static void line_add(const char *const *fields, unsigned n)
{
	struct iovec parts[2 * FIELDS_MAX];
	int cancelled;

	for (unsigned i = 0; i < n; i++) {
		parts[2 * i] = (struct iovec){ (void *)fields[i], strlen(fields[i]) };
		parts[2 * i + 1] = (struct iovec){ (void *)(i + 1 < n ? "\t" : "\n"), 1 };
	}
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled);
	parts_write(parts, (int)(2 * n));
	pthread_setcancelstate(cancelled, NULL);
}

#define LINE_ADD(...) \
	line_add((const char *const[]){ __VA_ARGS__ }, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* ---- Objects ---------------------------------------------------------------------------------------------------- */

/* Some machines' loaders leave addresses in it as they were linked. */
static const char *strings_of(const struct link_map *map)
{
	for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_STRTAB)
			return (const char *)(d->d_un.d_ptr + (d->d_un.d_ptr < map->l_addr ? map->l_addr : 0));
	return NULL;
}

static void say_needs(const struct link_map *map, const struct object *o, const char *strings)
{
	for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_NEEDED && qtrun_path_is_runtime(strings + d->d_un.d_val))
			LINE_ADD("needs", id, o->number, o->file, strings + d->d_un.d_val);
}

static const char *soname_of(const struct link_map *map, const char *strings)
{
	for (const ElfW(Dyn) *d = map->l_ld; d && strings && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_SONAME)
			return strings + d->d_un.d_val;
	return "";
}

/* A file that comes again is the same one: a plugin may be loaded any number of times.  The loader brings one file at a
 * time. */
static struct object *object_of(const char *file, Lmid_t space, bool *is_new)
{
	static struct object *all;
	struct object *o = all;

	while (o && !(o->space == space && strcmp(o->file, file) == 0))
		o = o->next;
	*is_new = !o;
	if (o || !(o = malloc(sizeof(*o) + strlen(file) + 1)))
		return o;
	*o = (struct object){ .next = all, .space = space, .runtime = qtrun_path_is_runtime(file) };
	snprintf(o->number, sizeof(o->number), "%ld", (long)space);
	strcpy(o->file, file);
	return all = o;
}

SEEN_BY_LOADER unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
	bool is_new;
	struct object *o = object_of(map->l_name, space, &is_new);
	const char *strings = strings_of(map);

	*cookie = (uintptr_t)o;
	if (!o)
		return 0;
	if (is_new && o->runtime)
		LINE_ADD("runtime", id, o->number, o->file, soname_of(map, strings));
	else if (is_new && strings)
		say_needs(map, o, strings);
	return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

/* Programs ask for addresses by name as often as they like: what has been said lately is not said again. */
static bool is_repeated(const struct object *from, const struct object *to, const char *name)
{
	static uint64_t said[1024];
	uint64_t hash = (uintptr_t)from * UINT64_C(31) + (uintptr_t)to;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	hash ^= hash >> 32;
	return swap_acq(&said[hash % 1024], hash) == hash;
}

/* A runtime under any other name is known by what compilers call. */
static void say_binding(uintptr_t *user, uintptr_t *library, const char *name)
{
	const struct object *from = (struct object *)*user, *to = (struct object *)*library;

	if (from && to && from != to && !from->runtime && qtrun_symbol_is_openmp(name) &&
	    (to->runtime || qtrun_symbol_is_work(name)) && !is_repeated(from, to, name))
		LINE_ADD("binds", id, from->number, from->file, to->number, to->file, name);
}

#if __ELF_NATIVE_CLASS == 64
SEEN_BY_LOADER uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *user, uintptr_t *library,
	unsigned *flags, const char *name)
#else
SEEN_BY_LOADER uintptr_t la_symbind32(Elf32_Sym *symbol, unsigned index, uintptr_t *user, uintptr_t *library,
	unsigned *flags, const char *name)
#endif
{
	(void)index, (void)flags;
	say_binding(user, library, name);
	return symbol->st_value;
}

/* ---- The beginning ---------------------------------------------------------------------------------------------- */

/* 0: the loader forgets this file. */
SEEN_BY_LOADER unsigned la_version(unsigned version)
{
	char file[PATH_MAX];

	path = getenv(QTRUN_LOG_VARIABLE);
	if (!path || version == 0)
		return 0;
	path = strdup(path);                            /* the program may change its environment */
	ssize_t length = path ? readlink("/proc/self/exe", file, sizeof(file) - 1) : -1;
	if (length < 0)
		return 0;
	file[length] = '\0';
	snprintf(id, sizeof(id), "%ld", (long)getpid());
	LINE_ADD("program", id, file);
	return LAV_CURRENT < version ? LAV_CURRENT : version;
}
