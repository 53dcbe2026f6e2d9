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
#include <string.h>

enum {
	PIECE = 4096,
	OWN_PIECES = (SIM_OWN_CACHE_MOST << 10) / PIECE,
	CHIP_PIECES = (SIM_CHIP_CACHE_MOST << 10) / PIECE,
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

static struct {
	struct piece piece[MOST];
	struct tag own[SIM_CPUS_MAX][OWN_PIECES], chip[SIM_CPUS_MAX][CHIP_PIECES];
	uint64_t memory_free[SIM_CPUS_MAX];     /* when a chip's memory can serve the next one */
	unsigned own_pieces, chip_pieces;
} *data;

static unsigned pieces_of(enum sim_cost cache)
{
	unsigned pieces = (unsigned)(sim_cost[cache] / 1000 / (PIECE >> 10));

	return pieces > 0 ? pieces : 1;
}

void sim_data_begin(void)
{
	data = calloc(1, sizeof(*data));
	if (!data)
		abort();
	data->own_pieces = pieces_of(SIM_OWN_CACHE);
	data->chip_pieces = pieces_of(SIM_CHIP_CACHE);
}

void sim_data_end(void)
{
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
	unsigned slot = number % data->chip_pieces, from = p->home;
	uint64_t ps;

	if (holds(&data->own[cpu][number % data->own_pieces], number))
		return sim_cost[SIM_PIECE_OWN];
	if (holds(&data->chip[to][slot], number))
		return sim_cost[SIM_PIECE_CHIP];
	if (holds(&data->chip[p->writer][slot], number)) {
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
	data->own[cpu][number % data->own_pieces] = (struct tag){ number, p->version };
	data->chip[chip][number % data->chip_pieces] = (struct tag){ number, p->version };
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
