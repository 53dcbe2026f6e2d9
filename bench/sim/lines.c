/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sim/lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { TAGS = 4096 };                   /* lines that a processor remembers: 256 KiB */

struct line {
	uint64_t free_at;
	uint64_t waited;
	uint32_t version;               /* grows when another processor becomes the owner; 0: nobody has had it */
	uint16_t owner, copies;
	uint8_t farthest;               /* of the copies from the owner */
};

struct tag {
	uint32_t line, version;
};

static struct {
	struct line *line;
	size_t bytes, most;             /* the highest number so far */
	struct tag *tag;                /* [ncpus][TAGS] */
} lines;

void sim_lines_begin(unsigned ncpus)
{
	lines.bytes = sim_arena_lines() * sizeof(*lines.line);
	lines.line = mmap(NULL, lines.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		0);
	lines.tag = calloc((size_t)ncpus * TAGS, sizeof(*lines.tag));
	lines.most = 0;
	if (lines.line == MAP_FAILED || !lines.tag)
		abort();
}

void sim_lines_end(void)
{
	munmap(lines.line, lines.bytes);
	free(lines.tag);
}

static struct tag *tag_of(unsigned cpu, size_t line)
{
	return &lines.tag[(size_t)cpu * TAGS + line % TAGS];
}

static bool has_copy(unsigned cpu, size_t number, const struct line *l)
{
	const struct tag *t = tag_of(cpu, number);

	return t->line == number && t->version == l->version && l->version != 0;
}

static bool owns_alone(unsigned cpu, size_t number, const struct line *l)
{
	return l->owner == cpu && l->copies == 0 && has_copy(cpu, number, l);
}

bool sim_line_has(unsigned cpu, const void *word, bool write)
{
	size_t number = sim_arena_line(word);
	const struct line *l = &lines.line[number];

	return number == 0 || (write ? owns_alone(cpu, number, l) : has_copy(cpu, number, l));
}

static void remember(unsigned cpu, size_t number, const struct line *l)
{
	*tag_of(cpu, number) = (struct tag){ (uint32_t)number, l->version };
	if (number > lines.most)
		lines.most = number;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t sim_line_read(unsigned cpu, const void *word, uint64_t now, enum sim_distance *far)
{
	size_t number = sim_arena_line(word);
	struct line *l = &lines.line[number];

	*far = SIM_DISTANCES;
	if (number == 0 || has_copy(cpu, number, l))
		return now;
	if (l->version == 0)
		*l = (struct line){ .version = 1, .owner = (uint16_t)cpu };
	*far = sim_distance(cpu, l->owner);
	uint64_t start = later(now, l->free_at);
	l->free_at = start + sim_cost[SIM_BUSY];
	if (l->owner != cpu) {
		l->copies++;
		l->farthest = l->farthest > *far ? l->farthest : (uint8_t)*far;
	}
	remember(cpu, number, l);
	l->waited += start - now + sim_cost[SIM_LINE + *far];
	return start + sim_cost[SIM_LINE + *far];
}

uint64_t sim_line_write(unsigned cpu, const void *word, uint64_t now, enum sim_distance *far)
{
	size_t number = sim_arena_line(word);
	struct line *l = &lines.line[number];

	*far = SIM_DISTANCES;
	if (number == 0 || owns_alone(cpu, number, l))
		return now;
	if (l->version == 0)
		*l = (struct line){ .owner = (uint16_t)cpu };
	*far = sim_distance(cpu, l->owner);
	if (l->copies && l->farthest > *far)
		*far = l->farthest;
	l->free_at = later(now, l->free_at) + sim_cost[SIM_LINE + *far] + l->copies * sim_cost[SIM_INVALIDATE];
	l->version++;
	l->owner = (uint16_t)cpu;
	l->copies = 0;
	l->farthest = SIM_SELF;
	remember(cpu, number, l);
	l->waited += l->free_at - now;
	return l->free_at;
}

/* By insertion: n is small. */
unsigned sim_lines_hot(struct sim_hot *hot, unsigned n)
{
	unsigned found = 0;

	for (size_t i = 1; i <= lines.most; i++) {
		struct sim_hot h = { sim_arena_word(i), lines.line[i].waited, lines.line[i].version };
		unsigned at = found < n ? found++ : n;
		if (h.waited == 0 && at < n)
			found--;
		if (h.waited == 0 || (at == n && h.waited <= hot[n - 1].waited))
			continue;
		for (at = at < n ? at : n - 1; at > 0 && hot[at - 1].waited < h.waited; at--)
			hot[at] = hot[at - 1];
		hot[at] = h;
	}
	return found;
}
