/* test/unit/omp_apart.c -- members of a team that share a CPU: who moves, where to, and that nobody stays bound.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls that the kernel would answer are answered here, so the machine need not have the CPUs.
 */
#include "machine/topo.h"
#include "omp/team/apart.h"
#include "omp/team/team.h"
#include "tap.h"

#include <string.h>

enum { MEMBERS = 3, MOVES_MAX = 8 };

static struct qti_affinity mask, others_mask;   /* the thread's; and what the process may have at most */
static unsigned here, moves;
static unsigned moved_to[MOVES_MAX];

static struct qomp_member member[MEMBERS];
static struct qomp_member *members[MEMBERS] = { &member[0], &member[1], &member[2] };
static struct qomp_team team = { .member = members, .n = MEMBERS };

int sched_getcpu(void)
{
	return (int)here;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid;
	memset(set, 0, size);
	memcpy(set, mask.bits, size < sizeof(mask.bits) ? size : sizeof(mask.bits));
	return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	struct qti_affinity asked = { 0 };
	unsigned n = 0, first = 0;

	(void)pid;
	memcpy(asked.bits, set, size < sizeof(asked.bits) ? size : sizeof(asked.bits));
	for (unsigned i = QTI_CPUS_MAX; i-- > 0;) {
		if (!qti_affinity_has(&asked, i) || !qti_affinity_has(&others_mask, i))
			asked.bits[i / 64] &= ~((uint64_t)1 << i % 64);
		else
			first = i, n++;
	}
	mask = asked;
	if (n == 1) {
		here = first;
		moved_to[moves++ % MOVES_MAX] = first;
	}
	return 0;
}

static struct qti_affinity cpus(uint64_t bits)
{
	return (struct qti_affinity){ .valid = true, .bits = { bits } };
}

static void place(uint64_t process, uint64_t thread, unsigned a, unsigned b, unsigned c)
{
	unsigned at[] = { a, b, c };

	others_mask = cpus(process);
	mask = cpus(thread);
	moves = 0;
	for (unsigned i = 0; i < MEMBERS; i++) {
		member[i] = (struct qomp_member){ .team = &team };
		member[i].frame.num = (uint16_t)i;
		here = at[i];
		qomp_apart_note(&member[i].apart);
	}
}

static void meet(unsigned i, unsigned times)
{
	here = load_rlx(&member[i].apart.cpu) - 1;
	for (unsigned n = 0; n < times; n++)
		qomp_apart_gave_way(&member[i], qomp_apart_shares(&member[i]));
}

static void apart_stays(void)
{
	place(0xf, 0xf, 0, 1, 2);
	meet(1, 10);
	ok(moves == 0, "who has a CPU of its own stays there");
	place(0xf, 0xf, 0, 1, 0);
	meet(1, 10);
	meet(0, 10);
	ok(moves == 0, "so does thread 0, which is the program's, whoever comes to its CPU");
}

static void shared_moves(void)
{
	place(0xf, 0xf, 0, 1, 0);
	meet(2, 1);
	ok(moves == 0, "nobody moves for meeting another member once");
	meet(2, 9);
	ok(moves == 1 && (moved_to[0] == 2 || moved_to[0] == 3), "who meets one again and again moves to a free CPU, once");
	ok(mask.bits[0] == 0xf, "and may run on all CPUs afterwards");
}

static void restricted(void)
{
	place(0xff, 0x15, 0, 2, 0);
	meet(2, 10);
	ok(moves == 1 && moved_to[0] == 4, "a thread moves within its own mask");
	ok(mask.bits[0] == 0x15, "which it keeps");
	place(0xff, 0x3, 0, 1, 0);
	meet(2, 10);
	ok(moves == 0 && mask.bits[0] == 0x3, "and nowhere if that has no free CPU");
	place(0xff, 0x1, 0, 1, 0);
	meet(2, 10);
	ok(moves == 0 && mask.bits[0] == 0x1, "nor if the thread is bound");
}

static void even_out(unsigned i, unsigned times)
{
	here = load_rlx(&member[i].apart.cpu) - 1;
	for (unsigned n = 0; n < times; n++)
		qomp_apart_even_out(&member[i], 2);
}

static void more_than_cpus(void)
{
	place(0x3, 0x3, 0, 0, 0);
	even_out(0, 10);
	ok(moves == 0, "of three members on one of two CPUs, thread 0 stays");
	even_out(1, 10);
	ok(moves == 1 && moved_to[0] == 1 && mask.bits[0] == 0x3, "another one moves, once, and is not bound afterwards");
	even_out(2, 10);
	ok(moves == 1, "and then the third stays: two and one cannot be evener");
	place(0x3, 0x1, 0, 0, 0);
	even_out(1, 10);
	ok(moves == 0, "nobody leaves his mask to make it even");
	place(0x7, 0x7, 0, 0, 0);
	even_out(2, 1);
	even_out(2, 10);
	ok(moves == 1, "who has just moved does not move again at once");
}

int main(void)
{
	plan(14);
	apart_stays();
	shared_moves();
	restricted();
	more_than_cpus();
	return done();
}
