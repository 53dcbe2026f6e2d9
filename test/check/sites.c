/* test/check/sites.c -- see test/check/sites.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * addr2line(1) knows the line of a place, and those of the functions that were put into its.  The first that is not in
 * base/atomic.h, where the operations have their names, is meant.
 */
#include "check/sites.h"

#include "check/explore.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char __executable_start;

static struct site {
	const void *at;
	int order;                      /* the strongest that was seen */
	int weak;                       /* to be taken instead; -1: none */
	bool named;
	char where[SITE_LINE];
} site[SITES_MAX];
static unsigned nsites;

void sites_forget(void)
{
	nsites = 0;
}

static struct site *site_at(const void *at)
{
	for (unsigned i = 0; i < nsites; i++)
		if (site[i].at == at)
			return &site[i];
	if (nsites == SITES_MAX)
		check_broken("too many places with an order (SITES_MAX)");
	site[nsites] = (struct site){ .at = at, .weak = -1 };
	return &site[nsites++];
}

int check_order(const void *at, int order)
{
	if (order == __ATOMIC_RELAXED)
		return order;
	struct site *s = site_at(at);
	s->order = order > s->order ? order : s->order;
	return s->weak >= 0 ? s->weak : order;
}

static void ask_addr2line(const void *at, char *line, size_t bytes)
{
	static char program[PATH_MAX];
	char command[PATH_MAX + 64], answer[PATH_MAX];
	ssize_t n = *program ? 0 : readlink("/proc/self/exe", program, sizeof(program) - 1);

	snprintf(line, bytes, "?");
	snprintf(command, sizeof(command), "addr2line -i -e '%s' %#lx 2>/dev/null", program,
	         (unsigned long)((const char *)at - 1 - &__executable_start));
	FILE *f = n < 0 ? NULL : popen(command, "r");
	while (f && fgets(answer, sizeof(answer), f)) {
		answer[strcspn(answer, " \n")] = '\0';
		const char *from = strstr(answer, "/src/");
		for (const char *later = from; later; later = strstr(later + 1, "/src/"))
			from = later;
		if (!strstr(answer, "base/atomic.h:") && strcmp(line, "?") == 0)
			snprintf(line, bytes, "%s", from ? from + 1 : answer);
	}
	if (f)
		pclose(f);
}

const char *site_name(const void *at, char *buffer, size_t bytes)
{
	ask_addr2line(at, buffer, bytes);
	return buffer;
}

static void read_text(struct site_line *line)
{
	const char *top = getenv("abs_top_srcdir");
	char name[PATH_MAX], text[512] = "";
	unsigned number = 0;
	const char *colon = strrchr(line->where, ':');

	snprintf(name, sizeof(name), "%s/%.*s", top ? top : ".", colon ? (int)(colon - line->where) : 0, line->where);
	FILE *f = colon ? fopen(name, "r") : NULL;
	for (unsigned i = 0, want = colon ? (unsigned)atoi(colon + 1) : 0; f && i < want; i++)
		number += fgets(text, sizeof(text), f) != NULL;
	if (f)
		fclose(f);
	char *from = text + strspn(text, " \t");
	from[strcspn(from, "\n")] = '\0';
	snprintf(line->text, sizeof(line->text), "%s", number ? from : "");
}

static bool has_line(const struct site_line *line, unsigned n, const char *where)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(line[i].where, where) == 0)
			return true;
	return false;
}

unsigned sites_lines(struct site_line *line, unsigned most)
{
	unsigned n = 0;

	for (unsigned i = 0; i < nsites; i++) {
		if (!site[i].named)
			ask_addr2line(site[i].at, site[i].where, sizeof(site[i].where));
		site[i].named = true;
		if (n == most || strncmp(site[i].where, "src/", 4) != 0 || has_line(line, n, site[i].where))
			continue;
		snprintf(line[n].where, sizeof(line[n].where), "%s", site[i].where);
		read_text(&line[n++]);
	}
	return n;
}

/* -1: none. */
static int order_weaker(int order, enum weaker how)
{
	if (order == __ATOMIC_ACQ_REL)
		return how == WEAKER_FIRST ? __ATOMIC_ACQUIRE : __ATOMIC_RELEASE;
	if (how != WEAKER_FIRST)
		return -1;
	return order == __ATOMIC_SEQ_CST ? __ATOMIC_ACQ_REL : __ATOMIC_RELAXED;
}

static const char *order_name(int order)
{
	return order == __ATOMIC_ACQ_REL ? "acq_rel" : order == __ATOMIC_ACQUIRE ? "acquire" :
	       order == __ATOMIC_RELEASE ? "release" : "relaxed";
}

const char *sites_weaken(const struct site_line *line, enum weaker how)
{
	const char *name = NULL;

	for (unsigned i = 0; i < nsites; i++) {
		site[i].weak = line && strcmp(site[i].where, line->where) == 0 ? order_weaker(site[i].order, how) : -1;
		if (site[i].weak >= 0)
			name = order_name(site[i].weak);
	}
	return name;
}
