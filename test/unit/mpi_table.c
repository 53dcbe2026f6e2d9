/* test/unit/mpi_table.c -- mpi/table.h: what is awaited comes to who awaits it, once, whatever else is in the table.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With an MPI of the unit's own (test/check/mpi).  Seeded: QTI_SEED, QTI_ROUNDS (of what is done at random).
 */
#include "base/lock.h"
#include "base/mem.h"
#include "mpi/table.h"
#include "stress/stress.h"

#include <pthread.h>

enum { MOST = 3000, THREADS = 4, EACH = 500, SOME = 40 };

/* --- an MPI ----------------------------------------------------------------------------------------------- */

enum state { NONE, WAITS, OVER, FAILED, TOLD };

static enum state state[MOST + 1];      /* of request r; atomic */
static bool confused;                   /* MPI_Testsome says that there is something wrong, and no more */
static unsigned asked_alone;

static enum state state_of(MPI_Request r)
{
	return load_acq(&state[r]);
}

static int error_of(MPI_Request r)
{
	return state_of(r) == FAILED ? 1000 + r : MPI_SUCCESS;
}

static MPI_Request arrived;             /* its message has, and MPI has not looked at it yet */

static bool is_under_way(MPI_Request r)
{
	return state_of(r) == WAITS;
}

static void take_in(void)
{
	if (arrived != MPI_REQUEST_NULL)
		store_rel(&state[arrived], OVER);
	arrived = MPI_REQUEST_NULL;
}

/* As Open MPI's: if it has found nothing it takes in what has arrived, and leaves it at that. */
int PMPI_Testsome(int n, MPI_Request r[], int *count, int which[], MPI_Status statuses[])
{
	int failed = 0;

	*count = MPI_UNDEFINED;
	if (confused)
		return 999;
	for (int i = 0; i < n; i++) {
		if (r[i] == MPI_REQUEST_NULL)
			continue;
		*count = *count == MPI_UNDEFINED ? 0 : *count;
		if (is_under_way(r[i]))
			continue;
		which[*count] = i;
		statuses[*count] = (MPI_Status){ .MPI_TAG = r[i], .MPI_ERROR = error_of(r[i]) };
		failed += state_of(r[i]) == FAILED;
		store_rel(&state[r[i]], TOLD);
		r[i] = MPI_REQUEST_NULL;
		++*count;
	}
	if (*count == 0)
		take_in();
	return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int PMPI_Request_get_status(MPI_Request r, int *over, MPI_Status *status)
{
	(void)status;
	if (is_under_way(r))
		take_in();
	*over = !is_under_way(r);
	return error_of(r);
}

int PMPI_Iprobe(int from, int tag, MPI_Comm comm, int *there, MPI_Status *status)
{
	(void)from, (void)tag, (void)comm, (void)status;
	*there = 0;
	return MPI_SUCCESS;
}

int PMPI_Error_class(int error, int *class)
{
	*class = error;
	return MPI_SUCCESS;
}

/* --- who waits --------------------------------------------------------------------------------------------- */

static struct qmpi_wait record[MOST + 1]; /* of request r */
static bool alone[MOST + 1];            /* it has begun as one that is asked about by a call of its own */
static unsigned inside;                 /* in the table */
static unsigned bad;

static bool is_over_alone(struct qmpi_wait *w)
{
	asked_alone++;
	return qmpi_wait_is_over_alone(w);
}

static bool begin(MPI_Request r, bool by_itself)
{
	if (!qmpi_table_promise() && !qmpi_table_grow())
		return false;
	alone[r] = by_itself;
	record[r] = (struct qmpi_wait){ .over = by_itself ? is_over_alone : NULL, .requests = 1, .request = r };
	qmpi_table_add(&record[r]);
	inside++;
	return true;
}

/* Each that has come had to; what it was told is its own.  Those that are asked about alone complete by themselves. */
static unsigned look_at(struct qmpi_wait *come, enum state had_been[])
{
	unsigned n = 0;

	for (struct qmpi_wait *w = come, *next; w; w = next, n++) {
		MPI_Request r = (MPI_Request)(w - record);
		next = w->next;
		if (had_been[r] != OVER && had_been[r] != FAILED)
			bad++;
		if (!w->over && (w->request != MPI_REQUEST_NULL || w->status.MPI_TAG != r ||
			w->error != (had_been[r] == FAILED ? 1000 + r : MPI_SUCCESS)))
			bad++;
		if (w->over && w->request != r)
			bad++;
		had_been[r] = NONE;
		store_rel(&state[r], NONE);
	}
	inside -= n;
	return n;
}

static enum state now[MOST + 1];

static unsigned ask(unsigned most)
{
	struct qmpi_wait *come = NULL;

	for (MPI_Request r = 1; r <= MOST; r++)
		now[r] = r == arrived ? OVER : state[r];
	unsigned n = qmpi_table_ask(most, &come), linked = look_at(come, now);
	bad += n != linked;
	return n;
}

/* All that is over comes, in as many looks as the round has batches, and some. */
static void ask_for_all(unsigned most)
{
	unsigned left = 0, looks = 8 * (inside / most + 2);

	for (MPI_Request r = 1; r <= MOST; r++)
		left += state[r] == OVER || state[r] == FAILED;
	while (left > 0 && looks-- > 0)
		left -= ask(most);
	bad += left;
}

static void at_random(unsigned rounds)
{
	uint64_t chance = stress_state(0);

	for (unsigned i = 0; i < rounds; i++) {
		MPI_Request r = 1 + (int)stress_random(&chance, i % 1000 < 500 ? MOST : 60);   /* few for a while */
		unsigned what = stress_random(&chance, 16);
		if (state[r] == NONE && what < 10) {
			state[r] = WAITS;
			bad += !begin(r, what == 0);
		} else if (state[r] == WAITS && what < 13) {
			state[r] = what == 0 ? FAILED : OVER;
		} else if (what == 13) {
			ask(1 + stress_random(&chance, 300));
		}
		if (i % 5003 == 0) {
			confused = true;
			ask(64);
			confused = false;
		}
		if (i % 4096 == 0)
			ask_for_all(64);
	}
	ask_for_all(64);
}

/* What has arrived comes when it is asked about once, beside others that wait or none. */
static void at_once(MPI_Request others, MPI_Request which)
{
	for (MPI_Request r = 1; r <= others + 1; r++) {
		state[r] = WAITS;
		bad += !begin(r, false);
	}
	bad += ask(64) != 0;
	arrived = which;
	is_int(ask(64), 1, "a message that has arrived comes at once (%d of %d)", which, others + 1);
}

static void empty(void)
{
	unsigned n = 0;

	for (struct qmpi_wait *w; (w = qmpi_table_take()) != NULL; n++) {
		bad += state[w - record] != WAITS;
		state[w - record] = NONE;
	}
	bad += n != inside;
	inside = 0;
}

/* --- memory ----------------------------------------------------------------------------------------------- */

static unsigned allocations, failing;

static bool fails(void)
{
	return ++allocations >= failing;
}

/* It fails at the first allocation of a growth, or at the second; what is in the table stays there. */
static void without_memory(unsigned nth)
{
	unsigned refused = 0;

	for (MPI_Request r = 1; r <= 64; r++) {
		state[r] = WAITS;
		bad += !begin(r, false);
	}
	allocations = 0;
	failing = nth;
	qti_mem_fault = fails;
	for (MPI_Request r = 65; r <= 80; r++)
		refused += !begin(r, false);
	qti_mem_fault = NULL;
	is_int(refused, 16, "without memory, allocation %u, no more is promised", nth);
	state[65] = WAITS;
	ok(begin(65, false), "with memory again it is");
	for (MPI_Request r = 1; r <= 65; r++)
		state[r] = OVER;
	ask_for_all(64);
	is_int(inside, 0, "and all that was in the table comes");
	empty();
}

/* --- threads ----------------------------------------------------------------------------------------------- */

static struct qti_lock lock;
static unsigned ended;                  /* atomic */

static void *wait_and_end(void *first)
{
	for (MPI_Request r = (MPI_Request)(uintptr_t)first; r < (MPI_Request)(uintptr_t)first + EACH; r++) {
		store_rel(&state[r], WAITS);
		bool room = qmpi_table_promise();
		qti_lock_take(&lock);
		if (!room && !qmpi_table_grow())
			bail_out("out of memory");
		record[r] = (struct qmpi_wait){ .requests = 1, .request = r };
		qmpi_table_add(&record[r]);
		qti_lock_drop(&lock);
		store_rel(&state[r], OVER);
	}
	add_acq_rel(&ended, 1);
	return NULL;
}

static void by_threads(void)
{
	pthread_t thread[THREADS];
	unsigned came = 0, wrong = 0;
	struct qmpi_wait *come;

	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, wait_and_end, (void *)(1 + i * EACH)) != 0)
			bail_out("no thread");
	while (came < THREADS * EACH) {
		come = NULL;
		qti_lock_take(&lock);
		came += qmpi_table_ask(64, &come);
		qti_lock_drop(&lock);
		for (; come; come = come->next)
			wrong += come->status.MPI_TAG != (int)(come - record) || come->error != MPI_SUCCESS;
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	is_int(wrong, 0, "%d threads that wait for %d requests each: every one comes as its own", THREADS, EACH);
	ok(qmpi_table_take() == NULL, "and nothing is left");
}

int main(void)
{
	unsigned rounds = stress_rounds(400000);

	stress_say(rounds);
	plan(14);
	at_random(rounds);
	is_int(bad, 0, "what comes had to, comes once, and has its own answer");
	ok(asked_alone > 0, "some were asked about alone");
	empty();
	is_int(bad, 0, "the others are still there");
	at_once(0, 1);
	empty();
	at_once(SOME, 1);
	empty();
	at_once(SOME, SOME + 1);
	empty();
	without_memory(1);
	without_memory(2);
	by_threads();
	return done();
}
