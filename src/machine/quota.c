/* machine/quota.c -- see machine/quota.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * /proc/self/cgroup names the process's group in each hierarchy: "0::/path" for cgroup v2, "4:cpu,cpuacct:/path" for
 * v1; on hybrid systems both exist.  mountinfo says which part of a hierarchy is mounted where.  Both are relative to
 * the root of the cgroup namespace, so either may begin with "/..": then the namespace begins below it.
 *
 *   v2   <group>/cpu.max             "max 100000" or "150000 100000": quota and period in microseconds
 *   v1   <group>/cpu.cfs_quota_us    -1 or quota;  <group>/cpu.cfs_period_us
 *
 * A file that is not there or makes no sense limits nothing: the kernel enforces quotas, not we.
 */
#include "machine/quota.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_MAX = 2048, NO_LIMIT = 0 };

enum hierarchy { V1, V2, NHIERARCHIES };

struct groups {
	char path[NHIERARCHIES][GROUP_MAX];     /* empty: not there */
};

static unsigned smaller(unsigned a, unsigned b)
{
	if (a == NO_LIMIT || b == NO_LIMIT)
		return a + b;
	return a < b ? a : b;
}

/* ---- One group's limit ------------------------------------------------------------------------------------------ */

/* A positive number and where it ends, 0 if there is none. */
static uint64_t positive(const char *text, const char **end)
{
	char *stop;

	if (!isdigit((unsigned char)*text))
		return 0;
	errno = 0;
	uint64_t n = strtoull(text, &stop, 10);
	*end = stop;
	return errno || (*stop && !isspace((unsigned char)*stop)) ? 0 : n;
}

static unsigned cpus(uint64_t quota, uint64_t period)
{
	if (quota == 0 || period == 0)
		return NO_LIMIT;
	uint64_t n = quota / period + (quota % period != 0);
	return n < UINT_MAX ? (unsigned)n : NO_LIMIT;
}

static bool read_file(const char *group, const char *name, char *text, size_t size)
{
	char path[2 * GROUP_MAX + 64];

	return (size_t)snprintf(path, sizeof(path), "%s/%s", group, name) < sizeof(path) &&
		qti_text_read(path, text, size);
}

static unsigned limit_v2(const char *group)
{
	char text[64];
	const char *rest;

	if (!read_file(group, "cpu.max", text, sizeof(text)))
		return NO_LIMIT;
	uint64_t quota = positive(text, &rest);
	if (quota == 0)                         /* "max" too */
		return NO_LIMIT;
	while (*rest == ' ')
		rest++;
	return cpus(quota, positive(rest, &rest));
}

static unsigned limit_v1(const char *group)
{
	char quota[64], period[64];
	const char *rest;

	if (!read_file(group, "cpu.cfs_quota_us", quota, sizeof(quota)) || positive(quota, &rest) == 0 ||
		!read_file(group, "cpu.cfs_period_us", period, sizeof(period)))
		return NO_LIMIT;
	return cpus(positive(quota, &rest), positive(period, &rest));
}

/* From <top><below> up to <top>. */
static unsigned limit_on_the_way_up(enum hierarchy h, const char *top, const char *below)
{
	char group[2 * GROUP_MAX];
	unsigned limit = NO_LIMIT;
	size_t shortest = strlen(top);

	if ((size_t)snprintf(group, sizeof(group), "%s%s", top, below) >= sizeof(group))
		return NO_LIMIT;
	for (;;) {
		limit = smaller(limit, h == V2 ? limit_v2(group) : limit_v1(group));
		char *slash = strrchr(group + shortest, '/');
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

/* Lines are "id:controllers:path"; the path may hold colons, the others do not. */
static bool find_groups(const char *root, struct groups *g, bool found[NHIERARCHIES])
{
	struct qti_lines lines;
	char path[256], *line;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	if (!qti_lines_open(&lines, path))
		return false;
	while ((line = qti_lines_next(&lines)) != NULL) {
		char *controllers = strchr(line, ':');
		char *group = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!group || group[1] != '/' || strlen(group + 1) >= GROUP_MAX)
			continue;
		*controllers++ = '\0';
		*group++ = '\0';
		enum hierarchy h = strcmp(line, "0") == 0 && *controllers == '\0' ? V2 : V1;
		if (h == V1 && !list_has(controllers, "cpu"))
			continue;
		copy_path(g->path[h], group);
		found[h] = true;
	}
	qti_lines_close(&lines);
	return found[V1] || found[V2];
}

/* Steps over leading "/.." and counts them. */
static unsigned above(const char **path)
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
	unsigned mount_above = above(&mounted), group_above = above(&group);
	size_t len = strlen(mounted);

	if (mount_above > group_above && len == 0)
		return "";
	if (mount_above != group_above || strncmp(mounted, group, len) != 0)
		return NULL;
	return group[len] == '/' || group[len] == '\0' ? group + len : NULL;
}

/* mountinfo writes space, tab, end of line and backslash as \ and three octal digits. */
static void unescape(char *text)
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
static unsigned limit_of_mount(const char *root, char *line, const struct groups *g, const bool found[NHIERARCHIES])
{
	char *word[6], *rest = line, *more = strstr(line, " - "), mounted[GROUP_MAX] = "", top[GROUP_MAX];
	const char *type, *down;

	if (!more)
		return NO_LIMIT;
	*more = '\0';
	more += 3;
	type = strsep(&more, " ");
	strsep(&more, " ");
	enum hierarchy h = strcmp(type, "cgroup2") == 0 ? V2 : V1;
	if (!found[h] || (h == V1 && (strcmp(type, "cgroup") != 0 || !more || !list_has(more, "cpu"))))
		return NO_LIMIT;
	for (unsigned i = 0; i < 5; i++)
		if ((word[i] = strsep(&rest, " ")) == NULL)
			return NO_LIMIT;
	unescape(word[3]);
	unescape(word[4]);
	copy_path(mounted, word[3]);
	if ((down = way_down(mounted, g->path[h])) == NULL ||
		(size_t)snprintf(top, sizeof(top), "%s%s", root, word[4]) >= sizeof(top))
		return NO_LIMIT;
	return limit_on_the_way_up(h, top, down);
}

unsigned qti_quota_cpus(const char *root)
{
	struct groups groups;
	bool found[NHIERARCHIES] = { false, false };
	struct qti_lines lines;
	char path[256], *line;
	unsigned limit = NO_LIMIT;

	if (strlen(root) > 128 || !find_groups(root, &groups, found))
		return NO_LIMIT;
	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	if (!qti_lines_open(&lines, path))
		return NO_LIMIT;
	while ((line = qti_lines_next(&lines)) != NULL)
		limit = smaller(limit, limit_of_mount(root, line, &groups, found));
	qti_lines_close(&lines);
	return limit;
}
