/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Data that tasks work on: in pieces of 4 KiB, each in the memory of the chip that touched it first and in the
 * caches of those that used it last.
 *
 * A processor has a cache of its own, and its chip a shared one.  A piece that is in neither comes from the chip
 * that wrote it last, if that has it still, or from memory; what the cores of a chip take from its memory at a
 * time is bounded. */
#include "sim/run.h"

#include "sim/lines.h"
#include "sim/machine.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
	PIECE = 4096,
	MOST = 1 << 20,                 /* pieces in all */
};

/* Costs are those of streams.  Lists tell where the next line is when the last one is there, and so take the time of
 * each: with the built-in costs 2 ns from the own cache, 15 from the chip's, 60 from memory, 30 more for each step. */
enum { LIST = 12 };

struct piece {
	uint32_t version;               /* 0: nobody has touched it */
	uint16_t home, writer;          /* chips */
};

struct tag {
	uint32_t piece, version;
};

/* A piece is at its number in a cache, modulo the cache's size. */
struct cache {
	uint32_t pieces;
	struct tag *tag;                /* [processors or chips][pieces] */
};

static struct {
	struct piece piece[MOST];
	struct cache own, chip;
	uint64_t memory_free[SIM_CPUS_MAX];     /* when a chip's memory can serve the next one */
} *data;

static size_t tag_bytes(const struct cache *c)
{
	return (size_t)sim_machine_size() * c->pieces * sizeof(*c->tag);
}

/* There are at most as many chips as processors.  A cache as large as all data is as good as a larger one. */
static void cache_begin(struct cache *c, enum sim_cost size)
{
	uint64_t pieces = sim_cost[size] / 1000 / (PIECE >> 10);

	c->pieces = pieces == 0 ? 1 : pieces < MOST ? (uint32_t)pieces : MOST;
	c->tag = sim_addresses(tag_bytes(c));
}

static struct tag *tag_of(const struct cache *c, unsigned whose, uint32_t number)
{
	return &c->tag[(size_t)whose * c->pieces + number % c->pieces];
}

void sim_data_begin(void)
{
	data = calloc(1, sizeof(*data));
	if (!data)
		abort();
	cache_begin(&data->own, SIM_OWN_CACHE);
	cache_begin(&data->chip, SIM_CHIP_CACHE);
}

void sim_data_end(void)
{
	munmap(data->own.tag, tag_bytes(&data->own));
	munmap(data->chip.tag, tag_bytes(&data->chip));
	free(data);
}

static bool holds(const struct tag *t, uint32_t piece)
{
	return t->piece == piece && t->version == data->piece[piece].version;
}

static uint64_t from_memory(unsigned home, uint64_t now)
{
	uint64_t *free_at = &data->memory_free[home];
	uint64_t start = *free_at > now ? *free_at : now;

	*free_at = start + sim_cost[SIM_PIECE_SERVED];
	return start - now + sim_cost[SIM_PIECE_MEMORY];
}

/* What it takes chip `to` to get it. */
static uint64_t piece_time(uint32_t number, unsigned cpu, unsigned to)
{
	struct piece *p = &data->piece[number];
	unsigned from = p->home;
	uint64_t ps;

	if (holds(tag_of(&data->own, cpu, number), number))
		return sim_cost[SIM_PIECE_OWN];
	if (holds(tag_of(&data->chip, to, number), number))
		return sim_cost[SIM_PIECE_CHIP];
	if (holds(tag_of(&data->chip, p->writer, number), number)) {
		from = p->writer;       /* on the way that its memory's would take, past its memory */
		ps = sim_cost[SIM_PIECE_MEMORY];
	} else {
		ps = from_memory(from, sim_now());
	}
	return ps + (sim_machine_between(from, to) - SIM_CHIP) * sim_cost[SIM_PIECE_FURTHER];
}

static void piece_use(uint32_t number, uint64_t bytes, unsigned how)
{
	unsigned cpu = sim_cpu(), chip = sim_machine_chip(cpu);
	struct piece *p = &data->piece[number];

	if (p->version == 0)
		*p = (struct piece){ .version = 1, .home = (uint16_t)chip, .writer = (uint16_t)chip };
	sim_spend(SIM_WORK, piece_time(number, cpu, chip) * (how & SIM_LIST ? LIST : 1) * bytes / PIECE);
	if (how & SIM_WRITE) {
		p->version++;
		p->writer = (uint16_t)chip;
	}
	*tag_of(&data->own, cpu, number) = (struct tag){ number, p->version };
	*tag_of(&data->chip, chip, number) = (struct tag){ number, p->version };
}

/* In the order of time among the processors, a page's worth at a time. */
void sim_data(uint64_t at, uint64_t bytes, unsigned how)
{
	for (uint64_t here; bytes > 0; at += here, bytes -= here) {
		here = PIECE - at % PIECE < bytes ? PIECE - at % PIECE : bytes;
		sim_meet();
		piece_use((uint32_t)(at / PIECE % MOST), here, how);
	}
}

/* Before a run it is nobody's cache that the data are in. */
void sim_data_made(uint64_t at, uint64_t bytes)
{
	unsigned chip = sim_machine_chip(sim_cpu());

	for (uint64_t number = at / PIECE; number <= (at + bytes - 1) / PIECE; number++)
		data->piece[number % MOST] = (struct piece){ .version = 1, .home = (uint16_t)chip, .writer = (uint16_t)chip };
}
