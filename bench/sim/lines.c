/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sim/lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { TAGS = 4096 };                   /* lines that a processor remembers: 256 KiB */

struct line {
	uint64_t free_at;
	uint64_t waited;
	uint32_t writers;               /* how often another processor became the owner; 0: nobody has had it */
	uint16_t owner, copies;
	uint8_t farthest;               /* of the copies from the owner */
};

enum { BITS = 64 };

/* Who has a line is a set of bits beside the line, not something to look for in each processor's cache: those who look
 * for work look at the same lines one after the other, and so find them in the caches of the host. */
static struct {
	struct line *line;
	uint64_t *held;                 /* [lines][words]: a bit for each processor that has it */
	size_t words, most;             /* the highest number so far */
	uint32_t *tag;                  /* [ncpus][TAGS]: the line that came there last */
} lines;

static size_t held_bytes(void)
{
	return sim_arena_lines() * lines.words * sizeof(*lines.held);
}

void sim_lines_begin(unsigned ncpus)
{
	lines.words = (ncpus + BITS - 1) / BITS;
	lines.line = sim_addresses(sim_arena_lines() * sizeof(*lines.line));
	lines.held = sim_addresses(held_bytes());
	lines.tag = calloc((size_t)ncpus * TAGS, sizeof(*lines.tag));
	lines.most = 0;
	if (!lines.tag)
		abort();
}

void sim_lines_end(void)
{
	munmap(lines.line, sim_arena_lines() * sizeof(*lines.line));
	munmap(lines.held, held_bytes());
	free(lines.tag);
}

static uint64_t *held_word(unsigned cpu, size_t number)
{
	return &lines.held[number * lines.words + cpu / BITS];
}

static uint64_t bit_of(unsigned cpu)
{
	return UINT64_C(1) << cpu % BITS;
}

static bool has_copy(unsigned cpu, size_t number)
{
	return *held_word(cpu, number) & bit_of(cpu);
}

static bool owns_alone(unsigned cpu, size_t number, const struct line *l)
{
	return l->owner == cpu && l->copies == 0 && has_copy(cpu, number);
}

bool sim_line_has(unsigned cpu, const void *word, bool write)
{
	size_t number = sim_arena_line(word);

	return number == 0 || (write ? owns_alone(cpu, number, &lines.line[number]) : has_copy(cpu, number));
}

/* In the place of another line. */
static void remember(unsigned cpu, size_t number)
{
	uint32_t *tag = &lines.tag[(size_t)cpu * TAGS + number % TAGS];

	*held_word(cpu, *tag) &= ~bit_of(cpu);
	*tag = (uint32_t)number;
	*held_word(cpu, number) |= bit_of(cpu);
	if (number > lines.most)
		lines.most = number;
}

static void forget_all(size_t number)
{
	memset(&lines.held[number * lines.words], 0, lines.words * sizeof(*lines.held));
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
	if (number == 0 || has_copy(cpu, number))
		return now;
	if (l->writers == 0)
		*l = (struct line){ .writers = 1, .owner = (uint16_t)cpu };
	*far = sim_distance(cpu, l->owner);
	uint64_t start = later(now, l->free_at);
	l->free_at = start + sim_cost[SIM_BUSY];
	if (l->owner != cpu) {
		l->copies++;
		l->farthest = l->farthest > *far ? l->farthest : (uint8_t)*far;
	}
	remember(cpu, number);
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
	if (l->writers == 0)
		*l = (struct line){ .owner = (uint16_t)cpu };
	*far = sim_distance(cpu, l->owner);
	if (l->copies && l->farthest > *far)
		*far = l->farthest;
	l->free_at = later(now, l->free_at) + sim_cost[SIM_LINE + *far] + l->copies * sim_cost[SIM_INVALIDATE];
	l->writers++;
	l->owner = (uint16_t)cpu;
	l->copies = 0;
	l->farthest = SIM_SELF;
	forget_all(number);
	remember(cpu, number);
	l->waited += l->free_at - now;
	return l->free_at;
}

/* By insertion: n is small. */
unsigned sim_lines_hot(struct sim_hot *hot, unsigned n)
{
	unsigned found = 0;

	for (size_t i = 1; i <= lines.most; i++) {
		struct sim_hot h = { sim_arena_word(i), lines.line[i].waited, lines.line[i].writers };
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
