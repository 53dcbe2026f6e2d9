/* test/unit/omp_apart.c -- members of a team that share a CPU: who moves, where to, that nobody stays bound, and
 * that no mask is lost which another process sets meanwhile.
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

#include <limits.h>
#include <pthread.h>
#include <string.h>

enum { MEMBERS = 3, MOVES_MAX = 8 };

static struct qti_affinity mask, others_mask;   /* the thread's; and what the process may have at most */
static struct qti_affinity first_mask;          /* of the process's first thread */
static unsigned here, moves;
static unsigned moved_to[MOVES_MAX];

static struct qomp_member member[MEMBERS];
static struct qomp_member *members[MEMBERS] = { &member[0], &member[1], &member[2] };
static struct qomp_team team = { .member = members, .n = MEMBERS };

int sched_getcpu(void)
{
	return (int)here;
}

/* Another process sets the masks of all threads, that of the first one first, before the calls with these numbers. */
static struct {
	struct qti_affinity to;
	unsigned calls, first_at, own_at;
} setter;

static void setter_goes_on(void)
{
	if (setter.calls == setter.first_at)
		first_mask = setter.to;
	if (setter.calls == setter.own_at)
		mask = setter.to;
	setter.calls++;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	setter_goes_on();
	const struct qti_affinity *a = pid ? &first_mask : &mask;

	memset(set, 0, size);
	memcpy(set, a->bits, size < sizeof(a->bits) ? size : sizeof(a->bits));
	return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	struct qti_affinity asked = { 0 };
	unsigned n = 0, first = 0;

	setter_goes_on();
	if (pid)
		return -1;      /* nobody changes the mask of another thread */
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
	mask = first_mask = cpus(thread);
	moves = 0;
	setter.calls = 0;
	setter.first_at = setter.own_at = UINT_MAX;
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

/* One move beside a setter that comes to the two threads at every two times.  How many masks were lost. */
static unsigned lost_to(uint64_t bits, unsigned calls)
{
	unsigned lost = 0;

	for (unsigned first_at = 0; first_at <= calls; first_at++)
		for (unsigned own_at = first_at; own_at <= calls; own_at++) {
			place(0xf, 0xf, 0, 1, 0);
			setter.to = cpus(bits);
			setter.first_at = first_at;
			setter.own_at = own_at;
			meet(2, 10);
			while (setter.calls <= calls)
				setter_goes_on();
			lost += mask.bits[0] != bits;
		}
	return lost;
}

static void no_mask_is_lost(void)
{
	place(0xf, 0xf, 0, 1, 0);
	meet(2, 10);
	const unsigned calls = setter.calls;

	ok(moves == 1 && calls > 4, "a move takes %u calls", calls);
	is_int(lost_to(0x2, calls), 0, "a mask is not lost that another process sets between any two of them");
	is_int(lost_to(0x8, calls), 0, "nor one that leaves only a free CPU");
	is_int(lost_to(0x4, calls), 0, "whichever that is");
	is_int(lost_to(0x7, calls), 0, "nor one of several CPUs");
}

static void first_differs(void)
{
	place(0xf, 0xf, 0, 1, 0);
	first_mask = cpus(0x1);
	meet(2, 10);
	ok(moves == 0 && mask.bits[0] == 0xf, "a thread with another mask than the process's first one stays");
}

static void *run(void *unused)
{
	(void)unused;
	apart_stays();
	shared_moves();
	restricted();
	more_than_cpus();
	no_mask_is_lost();
	first_differs();
	return NULL;
}

/* The process's first thread never moves. */
int main(void)
{
	pthread_t thread;

	plan(21);
	if (pthread_create(&thread, NULL, run, NULL) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, NULL);
	place(0xf, 0xf, 0, 1, 0);
	meet(2, 10);
	is_int(moves, 0, "the first thread of the process stays, whatever its number in the team");
	return done();
}
