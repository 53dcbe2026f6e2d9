/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "uts/ranks.h"

#include "common/native.h"
#include "uts/tasks.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <qthread/sinc.h>

enum tag { ASK, NODES, TOKEN, STOP, STOPPED, EXIT };

struct token {
	int64_t sum;
	int64_t black;
};

struct runner {
	aligned_t woken, done;
	struct runner *next; /* among those that wait */
	uint64_t inner, depth;
};

/* One that a task of its own sends. */
struct message {
	int to;
	enum tag tag;
	size_t size;
	char bytes[];
};

/* Of the walk in progress; there is one at a time.  Written before the first fork, or else under the lock, which nobody
 * holds while he waits. */
static struct {
	MPI_Comm comm;
	int size, rank;
	struct ranks_options options;
	struct uts_share share; /* wanted: the pool holds fewer than `low` */
	pthread_mutex_t lock;
	struct uts_node *pool; /* oldest first */
	size_t room, nodes;
	struct runner *waiting;
	unsigned active; /* runners that do not wait */
	uint64_t questions; /* chosen so far: the state of the random choice */
	bool asking, stopped;
	int64_t count; /* messages with nodes: sent less received */
	bool black, has_token;
	struct token token;
	struct ranks_stats stats;
	qt_sinc_t *sending; /* messages under way, and the end */
} at = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* --- messages -------------------------------------------------------------------------------------------- */

static aligned_t send_message(void *arg)
{
	struct message *m = arg;

	MPI_Send(m->bytes, (int)m->size, MPI_BYTE, m->to, m->tag, at.comm);
	free(m);
	qt_sinc_submit(at.sending, NULL);
	return 0;
}

/* Without its messages the protocol cannot go on. */
static struct message *message_to(int to, enum tag tag, const void *bytes, size_t size)
{
	struct message *m = malloc(sizeof(*m) + size);

	if (!m)
		bench_fail("uts-mpi", "out of memory");
	*m = (struct message){ .to = to, .tag = tag, .size = size };
	if (size > 0)
		memcpy(m->bytes, bytes, size);
	return m;
}

static void post(struct message *m)
{
	if (!m)
		return;
	qt_sinc_expect(at.sending, 1);
	if (qthread_fork(send_message, m, NULL) != QTHREAD_SUCCESS)
		bench_fail("uts-mpi", "out of memory");
}

static void post_all(enum tag tag)
{
	for (int i = 0; i < at.size; i++)
		post(message_to(i, tag, NULL, 0));
}

/* --- the pool; under the lock ------------------------------------------------------------------------------ */

static void pool_changed(void)
{
	__atomic_store_n(&at.share.wanted, at.size > 1 && at.nodes < at.options.low, __ATOMIC_RELAXED);
}

static void pool_add(const struct uts_node *from, size_t n)
{
	memcpy(&at.pool[at.nodes], from, n * sizeof(*from));
	at.nodes += n;
	pool_changed();
}

/* The older half. */
static struct message *pool_halve(int to)
{
	size_t half = (at.nodes + 1) / 2;
	struct message *m = message_to(to, NODES, at.pool, half * sizeof(*at.pool));

	at.nodes -= half;
	memmove(at.pool, &at.pool[half], at.nodes * sizeof(*at.pool));
	at.count += half > 0;
	pool_changed();
	return m;
}

/* Up to n runners that wait are active from now on; to be woken without the lock. */
static struct runner *take_waiting(size_t n)
{
	struct runner *first = at.waiting, **end = &first;

	for (; *end && n > 0; n--, at.active++)
		end = &(*end)->next;
	at.waiting = *end;
	*end = NULL;
	return first;
}

static void wake(struct runner *list)
{
	for (struct runner *next; list; list = next) {
		next = list->next;
		qthread_writeF_const(&list->woken, 1);
	}
}

/* --- what a change leads to; under the lock ---------------------------------------------------------------- */

/* A rank without work asks another one. */
static struct message *question(void)
{
	if (at.asking || at.stopped || at.nodes > 0 || !at.waiting || at.size == 1)
		return NULL;
	uint64_t chance = bench_scramble(at.options.seed + ((uint64_t)at.rank << 40) + at.questions++);
	int victim = (int)(chance % (uint64_t)(at.size - 1));
	at.asking = true;
	at.stats.asked++;
	return message_to(victim + (victim >= at.rank), ASK, NULL, 0);
}

/* Rank 0 has the token back: whether all have ended.  Else the next wave goes. */
static bool wave_ends(void)
{
	if (!at.token.black && !at.black && at.token.sum + at.count == 0)
		return true;
	at.token = (struct token){ 0 };
	at.stats.waves++;
	return false;
}

/* A passive rank passes the token on; rank 0 may find that all have ended. */
static struct message *pass_token(bool *ended)
{
	if (!at.has_token || at.active > 0 || at.nodes > 0)
		return NULL;
	at.has_token = false;
	if (at.rank > 0) {
		at.token.sum += at.count;
		at.token.black |= at.black;
	} else if (wave_ends()) {
		*ended = true;
		return NULL;
	}
	at.black = false;
	return message_to((at.rank + 1) % at.size, TOKEN, &at.token, sizeof(at.token));
}

/* After any change: drops the lock and does what is to be done without it. */
static void unlock_and_act(struct runner *woken)
{
	bool ended = false;
	struct message *asks = question(), *passes = pass_token(&ended);

	pthread_mutex_unlock(&at.lock);
	wake(woken);
	post(asks);
	post(passes);
	if (ended)
		post_all(STOP);
}

/* --- runners --------------------------------------------------------------------------------------------- */

/* A task has a child to give away. */
static bool take(const struct uts_node *n)
{
	bool taken = false;

	pthread_mutex_lock(&at.lock);
	if (at.nodes < at.options.low) {
		pool_add(n, 1);
		taken = true;
	}
	unlock_and_act(taken ? take_waiting(1) : NULL);
	return taken;
}

/* The next node for r, which waits for one if it must; false at the end. */
static bool next_node(struct runner *r, struct uts_node *out)
{
	pthread_mutex_lock(&at.lock);
	while (at.nodes == 0 && !at.stopped) {
		qthread_empty(&r->woken);
		r->next = at.waiting;
		at.waiting = r;
		at.active--;
		unlock_and_act(NULL);
		qthread_readFF(NULL, &r->woken);
		pthread_mutex_lock(&at.lock);
	}
	bool more = at.nodes > 0;
	if (more) {
		*out = at.pool[--at.nodes];
		pool_changed();
	}
	pthread_mutex_unlock(&at.lock);
	return more;
}

static aligned_t run(void *arg)
{
	struct runner *r = arg;
	struct uts_node n;

	while (next_node(r, &n)) {
		uint64_t packed = uts_tasks_below(&n), deepest = n.depth + uts_height(packed);
		r->inner += uts_inner(packed);
		r->depth = deepest > r->depth ? deepest : r->depth;
	}
	return 0;
}

/* --- the main task receives ------------------------------------------------------------------------------ */

static void receive_nodes(const struct uts_node *nodes, size_t n)
{
	bool last;

	pthread_mutex_lock(&at.lock);
	at.asking = false;
	if (n > 0) {
		at.count--;
		at.black = true;
		at.stats.steals++;
		at.stats.stolen += n;
		pool_add(nodes, n);
	}
	last = at.stopped;
	unlock_and_act(take_waiting(n));
	if (last)
		post(message_to(0, STOPPED, NULL, 0));
}

static void stop(void)
{
	pthread_mutex_lock(&at.lock);
	at.stopped = true;
	bool last = !at.asking;
	unlock_and_act(take_waiting(SIZE_MAX));
	if (last)
		post(message_to(0, STOPPED, NULL, 0));
}

static void receive_token(const struct token *t)
{
	pthread_mutex_lock(&at.lock);
	at.token = *t;
	at.has_token = true;
	unlock_and_act(NULL);
}

static void answer(int to)
{
	pthread_mutex_lock(&at.lock);
	struct message *m = pool_halve(to);
	unlock_and_act(NULL);
	post(m);
}

static void receive(void *buffer)
{
	int bytes, stopped = 0;
	MPI_Status status;

	for (;;) {
		MPI_Recv(buffer, (int)(at.room * sizeof(*at.pool)), MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, at.comm, &status);
		switch ((enum tag)status.MPI_TAG) {
		case ASK:
			answer(status.MPI_SOURCE);
			break;
		case NODES:
			MPI_Get_count(&status, MPI_BYTE, &bytes);
			receive_nodes(buffer, (size_t)bytes / sizeof(*at.pool));
			break;
		case TOKEN:
			receive_token(buffer);
			break;
		case STOP:
			stop();
			break;
		case STOPPED:
			if (++stopped == at.size)
				post_all(EXIT);
			break;
		case EXIT:
			qt_sinc_submit(at.sending, NULL);
			return;
		}
	}
}

/* --- a walk ---------------------------------------------------------------------------------------------- */

/* The root's children, which rank 0 begins with. */
static void begin_with(const struct uts_tree *t)
{
	struct uts_node root = { .depth = 0 }, child;

	uts_root(t, root.digest);
	for (unsigned i = 0; i < t->b0; i++)
		if (uts_child_node(&root, i, uts_limit(t), &child))
			pool_add(&child, 1);
}

static void begin(const struct uts_tree *t, const struct ranks_options *o, MPI_Comm comm)
{
	at.comm = comm;
	MPI_Comm_size(comm, &at.size);
	MPI_Comm_rank(comm, &at.rank);
	at.options = *o;
	at.share.take = take;
	at.nodes = 0;
	at.waiting = NULL;
	at.questions = 0;
	at.asking = at.stopped = at.black = false;
	at.count = 0;
	at.active = qthread_num_workers();
	at.has_token = at.rank == 0;
	at.token = (struct token){ .black = true }; /* no wave has been yet */
	at.stats = (struct ranks_stats){ 0 };
	if (at.rank == 0)
		begin_with(t);
	pool_changed();
	uts_tasks_begin(t, UTS_ALIGNED, ULONG_MAX, &at.share);
}

/* Forks the tasks of this rank and waits for them; returns the depth of the deepest node seen. */
static uint64_t walk_here(struct runner *runners, void *buffer)
{
	uint64_t depth = 1;

	at.sending = qt_sinc_create(0, NULL, NULL, 1);
	if (!at.sending)
		bench_fail("uts-mpi", "out of memory");
	for (unsigned i = 0; i < qthread_num_workers(); i++)
		if (qthread_fork(run, &runners[i], &runners[i].done) != QTHREAD_SUCCESS)
			bench_fail("uts-mpi", "out of memory");
	receive(buffer);
	for (unsigned i = 0; i < qthread_num_workers(); i++) {
		qthread_readFF(NULL, &runners[i].done);
		at.stats.inner += runners[i].inner;
		depth = runners[i].depth > depth ? runners[i].depth : depth;
	}
	qt_sinc_wait(at.sending, NULL);
	qt_sinc_destroy(at.sending);
	return depth;
}

bool uts_walk_ranks(const struct uts_tree *t, const struct ranks_options *o, MPI_Comm comm, struct uts_count *out,
	struct ranks_stats *stats)
{
	struct runner *runners = bench_room("uts-mpi", qthread_num_workers(), sizeof(*runners));

	at.room = (size_t)t->b0 + 2 * o->low + 2; /* of which no rank ever has more than half to give, and `low` */
	at.pool = bench_room("uts-mpi", at.room, sizeof(*at.pool));
	void *buffer = bench_room("uts-mpi", at.room, sizeof(*at.pool));
	begin(t, o, comm);
	uint64_t depth = walk_here(runners, buffer), inner = at.stats.inner;
	*stats = at.stats;
	free(buffer);
	free(at.pool);
	free(runners);
	int walked = uts_tasks_end();
	MPI_Allreduce(MPI_IN_PLACE, &inner, 1, MPI_UINT64_T, MPI_SUM, comm);
	MPI_Allreduce(MPI_IN_PLACE, &depth, 1, MPI_UINT64_T, MPI_MAX, comm);
	MPI_Allreduce(MPI_IN_PLACE, &walked, 1, MPI_INT, MPI_MIN, comm);
	uts_count_from(t, uts_pack(inner, depth), out);
	return walked;
}
