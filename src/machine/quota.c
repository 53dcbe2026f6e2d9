/* machine/quota.c -- see machine/quota.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * /proc/self/cgroup names the process's group in each hierarchy: "0::/path" for cgroup v2, "4:cpu,cpuacct:/path" for
 * v1; on hybrid systems both exist.  Where the group is not at the usual place below /sys/fs/cgroup, mountinfo says
 * which part of a hierarchy is mounted where.  Both are relative to
 * the root of the cgroup namespace, so either may begin with "/..": then the namespace begins below it.
 *
 *   v2   <group>/cpu.max             "max 100000" or "150000 100000": quota and period in microseconds
 *   v1   <group>/cpu.cfs_quota_us    -1 or quota;  <group>/cpu.cfs_period_us
 *
 * A file that is not there or makes no sense limits nothing: the kernel enforces quotas, not we.
 */
#include "machine/quota.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GROUP_MAX = 2048, NO_LIMIT = 0 };

enum hierarchy { V1, V2, NHIERARCHIES };

/* Mapped: a thread's stack may have 16 kB, and who asks may be within malloc(3). */
struct search {
	const char *root;
	char path[NHIERARCHIES][GROUP_MAX];     /* the process's group; empty: the root or not there */
	bool found[NHIERARCHIES];
	struct qti_lines lines;
	char mounted[GROUP_MAX], top[GROUP_MAX];
	char group[2 * GROUP_MAX], file[2 * GROUP_MAX + 64];
};

static unsigned limit_tighter(unsigned a, unsigned b)
{
	if (a == NO_LIMIT || b == NO_LIMIT)
		return a + b;
	return a < b ? a : b;
}

/* ---- One group's limit ------------------------------------------------------------------------------------------ */

/* A positive number and where it ends, 0 if there is none. */
static uint64_t parse_positive(const char *text, const char **end)
{
	char *stop;

	if (!qti_ascii_is_digit(*text))
		return 0;
	errno = 0;
	uint64_t n = strtoull(text, &stop, 10);
	*end = stop;
	return errno || (*stop && !qti_ascii_is_space(*stop)) ? 0 : n;
}

static unsigned quota_cpus(uint64_t quota, uint64_t period)
{
	if (quota == 0 || period == 0)
		return NO_LIMIT;
	uint64_t n = quota / period + (quota % period != 0);
	return n < UINT_MAX ? (unsigned)n : NO_LIMIT;
}

static bool read_file(struct search *s, const char *name, char *text, size_t size)
{
	return (size_t)snprintf(s->file, sizeof(s->file), "%s/%s", s->group, name) < sizeof(s->file) &&
		qti_text_read(s->file, text, size);
}

static unsigned limit_v2(struct search *s)
{
	char text[64];
	const char *rest;

	if (!read_file(s, "cpu.max", text, sizeof(text)))
		return NO_LIMIT;
	uint64_t quota = parse_positive(text, &rest);
	if (quota == 0)                         /* "max" too */
		return NO_LIMIT;
	while (*rest == ' ')
		rest++;
	return quota_cpus(quota, parse_positive(rest, &rest));
}

static unsigned limit_v1(struct search *s)
{
	char quota[64], period[64];
	const char *rest;

	if (!read_file(s, "cpu.cfs_quota_us", quota, sizeof(quota)) || parse_positive(quota, &rest) == 0 ||
		!read_file(s, "cpu.cfs_period_us", period, sizeof(period)))
		return NO_LIMIT;
	return quota_cpus(parse_positive(quota, &rest), parse_positive(period, &rest));
}

/* From <top><below> up to <top>. */
static unsigned limit_on_the_way_up(struct search *s, enum hierarchy h, const char *below)
{
	unsigned limit = NO_LIMIT;
	size_t shortest = strlen(s->top);

	if ((size_t)snprintf(s->group, sizeof(s->group), "%s%s", s->top, below) >= sizeof(s->group))
		return NO_LIMIT;
	for (;;) {
		limit = limit_tighter(limit, h == V2 ? limit_v2(s) : limit_v1(s));
		char *slash = strrchr(s->group + shortest, '/');
		if (!slash)
			return limit;
		*slash = '\0';
	}
}

/* ---- Which group, and where is it ------------------------------------------------------------------------------- */

static bool list_has(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; (at = strstr(at, word)) != NULL; at += len)
		if ((at == list || at[-1] == ',') && (at[len] == ',' || at[len] == '\0'))
			return true;
	return false;
}

/* "/" means no components, as does "". */
static void copy_path(char *to, const char *path)
{
	size_t len = strlen(path);

	while (len > 0 && path[len - 1] == '/')
		len--;
	if (len >= GROUP_MAX)
		return;
	memcpy(to, path, len);
	to[len] = '\0';
}

static bool open_lines(struct search *s, const char *name)
{
	return (size_t)snprintf(s->file, sizeof(s->file), "%s%s", s->root, name) < sizeof(s->file) &&
		qti_lines_open(&s->lines, s->file);
}

/* Lines are "id:controllers:path"; the path may hold colons, the others do not. */
static bool find_groups(struct search *s)
{
	char *line;

	if (!open_lines(s, "/proc/self/cgroup"))
		return false;
	while ((line = qti_lines_next(&s->lines)) != NULL) {
		char *controllers = strchr(line, ':');
		char *group = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!group || group[1] != '/' || strlen(group + 1) >= GROUP_MAX)
			continue;
		*controllers++ = '\0';
		*group++ = '\0';
		enum hierarchy h = strcmp(line, "0") == 0 && *controllers == '\0' ? V2 : V1;
		if (h == V1 && !list_has(controllers, "cpu"))
			continue;
		copy_path(s->path[h], group);
		s->found[h] = true;
	}
	qti_lines_close(&s->lines);
	return s->found[V1] || s->found[V2];
}

/* Steps over leading "/.." and counts them. */
static unsigned skip_parents(const char **path)
{
	unsigned n = 0;

	while (strncmp(*path, "/..", 3) == 0 && ((*path)[3] == '/' || (*path)[3] == '\0')) {
		*path += 3;
		n++;
	}
	return n;
}

/* The way from the mounted group down to the process's, NULL if that is not below it.  Where the mount begins above
 * the namespace, the groups between have no names here, so only the mounted one itself can be read. */
static const char *way_down(const char *mounted, const char *group)
{
	unsigned mount_above = skip_parents(&mounted), group_above = skip_parents(&group);
	size_t len = strlen(mounted);

	if (mount_above > group_above && len == 0)
		return "";
	if (mount_above != group_above || strncmp(mounted, group, len) != 0)
		return NULL;
	return group[len] == '/' || group[len] == '\0' ? group + len : NULL;
}

/* mountinfo writes space, tab, end of line and backslash as \ and three octal digits. */
static void mountinfo_unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		if (from[0] == '\\' && strspn(from + 1, "01234567") >= 3) {
			*to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

/* "36 35 98:0 /mounted /point options optional... - type source superoptions" */
static unsigned limit_of_mount(struct search *s, char *line)
{
	char *word[6], *rest = line, *more = strstr(line, " - ");
	const char *type, *down;

	if (!more)
		return NO_LIMIT;
	*more = '\0';
	more += 3;
	type = strsep(&more, " ");
	strsep(&more, " ");
	enum hierarchy h = strcmp(type, "cgroup2") == 0 ? V2 : V1;
	if (!s->found[h] || (h == V1 && (strcmp(type, "cgroup") != 0 || !more || !list_has(more, "cpu"))))
		return NO_LIMIT;
	for (unsigned i = 0; i < 5; i++)
		if ((word[i] = strsep(&rest, " ")) == NULL)
			return NO_LIMIT;
	mountinfo_unescape(word[3]);
	mountinfo_unescape(word[4]);
	s->mounted[0] = '\0';
	copy_path(s->mounted, word[3]);
	if ((down = way_down(s->mounted, s->path[h])) == NULL ||
		(size_t)snprintf(s->top, sizeof(s->top), "%s%s", s->root, word[4]) >= sizeof(s->top))
		return NO_LIMIT;
	return limit_on_the_way_up(s, h, down);
}

static bool has_file(struct search *s, const char *below, const char *name)
{
	return (size_t)snprintf(s->file, sizeof(s->file), "%s%s/%s", s->top, below, name) < sizeof(s->file) &&
		access(s->file, F_OK) == 0;
}

/* As a rule a hierarchy is mounted as a whole where everybody looks for it, and the group is there.  That takes a few
 * looks, while mountinfo is made up line by line.  The CPU controller is in one of the hierarchies: in v1's, if that is
 * there. */
static bool usual_place(struct search *s, unsigned *limit)
{
	static const char *const point[] = { [V1] = "/sys/fs/cgroup/cpu", [V2] = "/sys/fs/cgroup" };
	static const char *const always[] = { [V1] = "cpu.shares", [V2] = "cgroup.controllers" };
	const enum hierarchy h = s->found[V1] ? V1 : V2;
	const char *group = s->path[h];

	if (skip_parents(&group) != 0 ||
		(size_t)snprintf(s->top, sizeof(s->top), "%s%s", s->root, point[h]) >= sizeof(s->top) ||
		!has_file(s, "", always[h]) || (*group && !has_file(s, group, always[h])))
		return false;
	*limit = limit_on_the_way_up(s, h, group);
	return true;
}

static unsigned quota_look(struct search *s)
{
	unsigned limit = NO_LIMIT;
	char *line;

	if (!find_groups(s))
		return NO_LIMIT;
	if (usual_place(s, &limit) || !open_lines(s, "/proc/self/mountinfo"))
		return limit;
	while ((line = qti_lines_next(&s->lines)) != NULL)
		limit = limit_tighter(limit, limit_of_mount(s, line));
	qti_lines_close(&s->lines);
	return limit;
}

unsigned qti_quota_cpus(const char *root)
{
	struct search *s = qti_mem_map(sizeof(*s));

	if (!s)
		return UINT_MAX;
	s->root = root;
	unsigned limit = quota_look(s);
	qti_mem_unmap(s, sizeof(*s));
	return limit;
}
