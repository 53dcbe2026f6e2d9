/* test/stress/qalloc.c -- maps under tasks that allocate beside each other, under SIGKILL, and under random damage.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts runs of tasks for each kind of map, ten times as many damaged files, and a fifth as many processes
 * that are killed.
 */
#include "api/mapdir.h"
#include "ds/mapfile.h"
#include "stress/stress.h"

#include <qthread.h>
#include <qthread/qalloc.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { ROUNDS = 20, TASKS = 16, HELD = 20, STEPS = 400, ROOM = 40000, ITEM = 48 };

static uint64_t dice;

/* --- who holds what -------------------------------------------------------------------------------------- */

/* A block is filled with the mark of whoever holds it: nobody else's may be found there. */
struct held {
	unsigned char *at;
	size_t size;
	unsigned char mark;
};

static void hold(struct held *h, void *map, size_t size, unsigned char mark)
{
	*h = (struct held){ qalloc_malloc(map, size), size, mark };
	if (h->at)
		memset(h->at, mark, size);
}

static bool intact(const struct held *h)
{
	for (size_t i = 0; h->at && i < h->size; i++)
		if (h->at[i] != h->mark)
			return false;
	return true;
}

static bool let_go(struct held *h, void *map)
{
	const bool good = intact(h);

	qalloc_free(h->at, map);
	h->at = NULL;
	return good;
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

struct user {
	void *map;
	bool is_static;
	unsigned char mark;
	uint64_t dice;
};

static size_t random_size(struct user *u)
{
	if (u->is_static)
		return ITEM;
	return 1 + stress_random(&u->dice, stress_random(&u->dice, 10) ? 200 : 4000);
}

static aligned_t use(void *arg)
{
	struct user *u = arg;
	struct held held[HELD] = { { NULL, 0, 0 } };
	aligned_t wrong = 0;

	for (int i = 0; i < STEPS; i++) {
		struct held *h = &held[stress_random(&u->dice, HELD)];
		if (h->at)
			wrong += !let_go(h, u->map);
		else
			hold(h, u->map, random_size(u), u->mark);
		if (stress_random(&u->dice, 16) == 0)
			qthread_yield();
	}
	for (int i = 0; i < HELD; i++)
		wrong += !let_go(&held[i], u->map);
	return wrong;
}

static void *open_map(const char *path, bool is_static, unsigned streams)
{
	void *map = is_static ? qalloc_makestatmap(ROOM, NULL, path, ITEM, streams)
	                      : qalloc_makedynmap(ROOM, NULL, path, streams);

	if (!map)
		bail_out("no map %s: errno %d", path, errno);
	return map;
}

/* Whether all that there is can be had: item by item, or in one block. */
static bool all_is_free(void *map, bool is_static)
{
	size_t n = 0;

	if (!is_static)
		return qalloc_malloc(map, ROOM) != NULL;
	while (qalloc_malloc(map, ITEM))
		n += ITEM;
	return n >= ROOM;
}

static void tasks(const char *scheduler, struct stress_shape shape, bool is_static)
{
	static struct user user[TASKS];
	static aligned_t ret[TASKS];
	const char *path = mapdir_file("tasks");
	void *map = open_map(path, is_static, 1 + stress_random(&dice, 6));
	aligned_t wrong = 0;

	stress_start(scheduler, shape);
	for (int i = 0; i < TASKS; i++) {
		user[i] = (struct user){ map, is_static, (unsigned char)(i + 1), stress_state(dice + (uint64_t)i) };
		qthread_fork(use, &user[i], &ret[i]);
	}
	for (int i = 0; i < TASKS; i++) {
		qthread_readFF(NULL, &ret[i]);
		wrong += ret[i];
	}
	qthread_finalize();
	is_int(wrong, 0, "%s %u x %u: %s: nobody's block is another's", scheduler, shape.shepherds, shape.workers,
		is_static ? "qalloc_statmalloc" : "qalloc_dynmalloc");
	ok(all_is_free(map, is_static), "%s %u x %u: %s: all of it is free in the end", scheduler, shape.shepherds,
		shape.workers, is_static ? "qalloc_statfree" : "qalloc_dynfree");
	stress_round();
	qalloc_cleanup();
	unlink(path);
}

/* --- processes that are killed --------------------------------------------------------------------------- */

/* What the victim holds is told in memory that both share, before it gives a block up and after it has one. */
static void be_killed(struct held *held, void *map, bool is_static, int tell)
{
	struct user u = { map, is_static, 0, stress_state(dice) };
	bool told = false;

	for (unsigned i = 0;; i++) {
		struct held *h = &held[stress_random(&u.dice, HELD)];
		if (h->at) {
			struct held mine = *h;
			*(void *volatile *)&h->at = NULL;
			__atomic_signal_fence(__ATOMIC_SEQ_CST);
			let_go(&mine, map);
		} else {
			struct held mine;
			hold(&mine, map, random_size(&u), (unsigned char)i);
			h->size = mine.size;
			h->mark = mine.mark;
			__atomic_signal_fence(__ATOMIC_SEQ_CST);
			*(void *volatile *)&h->at = mine.at;
		}
		if (!told && i > 50)
			told = write(tell, "!", 1) == 1;
	}
}

/* True if the next process finds all that the victim held, and hands none of it out again. */
static bool survives(bool is_static)
{
	const char *path = mapdir_file("victim");
	struct held *held = mmap(NULL, sizeof(*held) * HELD, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool good = true;
	int fds[2];
	char byte;

	if (held == MAP_FAILED || pipe(fds) != 0)
		bail_out("no pipe");
	const pid_t victim = fork();
	if (victim == 0)
		be_killed(held, open_map(path, is_static, 3), is_static, fds[1]);
	close(fds[1]);
	if (victim < 0 || read(fds[0], &byte, 1) != 1)
		bail_out("no victim");
	stress_pause(stress_random(&dice, 20000));
	kill(victim, SIGKILL);
	waitpid(victim, NULL, 0);
	close(fds[0]);

	void *map = qalloc_loadmap(path);
	for (int i = 0; map && i < HELD; i++)
		good = intact(&held[i]) && good;
	for (void *block; map && (block = qalloc_malloc(map, ITEM)) != NULL;)
		memset(block, 0xff, ITEM);
	for (int i = 0; map && i < HELD; i++) {
		if (held[i].mark != 0xff)
			good = let_go(&held[i], map) && good;
	}
	qalloc_cleanup();
	unlink(path);
	munmap(held, sizeof(*held) * HELD);
	stress_round();
	return map && good;
}

/* --- damage ---------------------------------------------------------------------------------------------- */

/* Blocks handed out in order from a map that has just been loaded: they tell which ones were free. */
static uint64_t free_blocks(void *map)
{
	uint64_t sum = 0;

	for (char *block; (block = qalloc_malloc(map, ITEM)) != NULL;)
		sum = (sum ^ (uintptr_t)block) * UINT64_C(0x100000001b3);
	return sum;
}

static void damage(struct file_bytes *b)
{
	const unsigned metadata = 3 * MAPFILE_PAGE;

	switch (stress_random(&dice, 8)) {
	case 0:
		b->n = stress_random(&dice, (unsigned)b->n);
		break;
	case 1:
		b->at[stress_random(&dice, sizeof(struct mapfile_header))] = (unsigned char)stress_random(&dice, 256);
		break;
	case 2:
		memset(b->at + stress_random(&dice, metadata - 64), (int)stress_random(&dice, 256), 64);
		break;
	default:
		for (unsigned i = 1 + stress_random(&dice, 4); i > 0; i--) {
			const unsigned where = stress_random(&dice, 3) * MAPFILE_PAGE;
			b->at[where + stress_random(&dice, 128)] ^= (unsigned char)(1 << stress_random(&dice, 8));
		}
		break;
	}
}

static bool refused_or_intact(const struct file_bytes *good, uint64_t was_free)
{
	const char *path = mapdir_file("damaged");
	struct file_bytes b = { good->n, malloc(good->n) };
	bool right;

	memcpy(b.at, good->at, good->n);
	damage(&b);
	file_write(path, b.at, b.n);
	errno = 0;
	void *map = qalloc_loadmap(path);
	if (map)
		right = free_blocks(map) == was_free;
	else
		right = errno == EBADMSG && file_is(path, b.at, b.n);
	qalloc_cleanup();
	unlink(path);
	free(b.at);
	return right;
}

static unsigned damaged_files(bool is_static, unsigned rounds)
{
	void *map = open_map(mapdir_file("good"), is_static, 2);
	struct held held[60];
	unsigned wrong = 0;

	for (int i = 0; i < 60; i++)
		hold(&held[i], map, is_static ? ITEM : 1 + stress_random(&dice, 500), 1);
	for (int i = 0; i < 60; i += 1 + (int)stress_random(&dice, 3))
		let_go(&held[i], map);
	qalloc_cleanup();
	struct file_bytes b = file_read(mapdir_file("good"));
	const uint64_t was_free = free_blocks(qalloc_loadmap(mapdir_file("good")));
	qalloc_cleanup();
	for (unsigned r = 0; r < rounds; r++)
		wrong += !refused_or_intact(&b, was_free);
	free(b.at);
	unlink(mapdir_file("good"));
	return wrong;
}

/* Each refusal is a line on stderr: none of them is news. */
static void without_stderr(bool without)
{
	static int saved;

	if (without) {
		const int null = open("/dev/null", O_WRONLY);
		saved = dup(STDERR_FILENO);
		dup2(null, STDERR_FILENO);
		close(null);
	} else {
		dup2(saved, STDERR_FILENO);
		close(saved);
	}
}

static const struct stress_shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 2 } };
enum { NSHAPES = sizeof(shapes) / sizeof(shapes[0]) };

int main(void)
{
	const unsigned rounds = stress_rounds(ROUNDS);

	plan(rounds * 4 + 4);
	stress_say(rounds);
	dice = stress_state(0);
	mapdir_make();
	for (int is_static = 0; is_static < 2; is_static++) {
		const char *kind = is_static ? "static" : "dynamic";
		unsigned lost = 0;
		stress_watch(kind);
		for (unsigned r = 0; r < rounds / 5 + 1; r++)
			lost += !survives(is_static);
		is_int(lost, 0, "%s maps: what a killed process held is there", kind);
		without_stderr(true);
		const unsigned wrong = damaged_files(is_static, rounds * 10);
		without_stderr(false);
		is_int(wrong, 0, "%s maps: %u damaged files are refused, or as good as before", kind, rounds * 10);
		for (unsigned r = 0; r < rounds; r++)
			tasks(qti_scheds[r % qti_nscheds]->name, shapes[stress_random(&dice, NSHAPES)], is_static);
	}
	mapdir_remove();
	return done();
}
