/* test/mpi/tasks.c -- many tasks that wait for messages, on few workers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: tasks WHAT [TASKS [SEED]]: what is one of the names below.  Each rank counts what is wrong; rank 0 says how much it
 * is in all.
 */
#include "sessions.h"

#include <qmpi.h>
#include <qthread.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20, LONG = 3000 };

static int rank, size, tasks = 200;
static uint64_t seed = 1;
static aligned_t wrong;

static void check(int cond, const char *text)
{
	if (cond)
		return;
	qthread_incr(&wrong, 1);
	fprintf(stderr, "# rank %d: not so: %s\n", rank, text);
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* --- two tasks that wait for each other --------------------------------------------------------------------- */

static aligned_t sends_first(void *unused)
{
	int in, out = 7;

	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Ssend(&out, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
		MPI_Recv(&in, 1, MPI_INT, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		check(in == 8, "the answer has come");
	}
	return 0;
}

static aligned_t receives_first(void *unused)
{
	int in, out = 8;

	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Recv(&in, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		check(in == 7, "the question has come");
		MPI_Ssend(&out, 1, MPI_INT, rank, 2, MPI_COMM_WORLD);
	}
	return 0;
}

static void pair(void)
{
	aligned_t ret[2];

	qthread_fork(sends_first, NULL, &ret[0]);
	qthread_fork(receives_first, NULL, &ret[1]);
	qthread_readFF(NULL, &ret[0]);
	qthread_readFF(NULL, &ret[1]);
}

/* --- everybody with everybody, in random order ------------------------------------------------------------------ */

/* Message k of a pair of ranks has tag k; every seventh one is long. */
struct job {
	int peer, tag, receives;
};

static int length_of(int tag)
{
	return tag % 7 == 3 ? LONG : 1 + tag % 5;
}

static aligned_t one_message(void *arg)
{
	const struct job *j = arg;
	int buf[LONG], n = length_of(j->tag), got;
	MPI_Status s;

	if (j->receives) {
		check(MPI_Recv(buf, LONG, MPI_INT, j->peer, j->tag, MPI_COMM_WORLD, &s) == MPI_SUCCESS, "it is received");
		MPI_Get_count(&s, MPI_INT, &got);
		check(got == n && s.MPI_SOURCE == j->peer && s.MPI_TAG == j->tag, "the status is the message's");
		check(buf[0] == j->peer * 100000 + j->tag && buf[n - 1] == buf[0] + n - 1, "so is what it says");
	} else {
		for (int i = 0; i < n; i++)
			buf[i] = rank * 100000 + j->tag + i;
		check((j->tag % 2 ? MPI_Ssend : MPI_Send)(buf, n, MPI_INT, j->peer, j->tag, MPI_COMM_WORLD) == MPI_SUCCESS,
			"it is sent");
	}
	return 0;
}

/* As many tasks a rank as are asked for, half of which send. */
static void alltoall(void)
{
	int each = tasks / (2 * size) + 1, n = 0;
	struct job *jobs = calloc((size_t)(2 * each * size), sizeof(*jobs));
	aligned_t *ret = calloc((size_t)(2 * each * size), sizeof(*ret));
	uint64_t state = seed * 1000 + (uint64_t)rank;

	for (int peer = 0; peer < size; peer++)
		for (int k = 0; k < 2 * each; k++)
			jobs[n++] = (struct job){ peer, k / 2, k % 2 };
	for (int i = n - 1; i > 0; i--) {
		int other = (int)(next_random(&state) % (uint64_t)(i + 1));
		struct job j = jobs[i];
		jobs[i] = jobs[other];
		jobs[other] = j;
	}
	for (int i = 0; i < n; i++)
		qthread_fork(one_message, &jobs[i], &ret[i]);
	for (int i = 0; i < n; i++)
		qthread_readFF(NULL, &ret[i]);
	free(jobs);
	free(ret);
}

/* --- errors ---------------------------------------------------------------------------------------------------- */

static MPI_Comm handled;
static aligned_t handler_calls, *handler_task;

static void handler(MPI_Comm *comm, int *code, ...)
{
	int class;

	MPI_Error_class(*code, &class);
	check(*comm == handled && class == MPI_ERR_TRUNCATE, "the handler is told of the error");
	check(qthread_retloc() == handler_task, "in the task that has made it");
	qthread_incr(&handler_calls, 1);
}

static aligned_t receives_too_much(void *comm)
{
	int one, rc, class;
	MPI_Status s;

	rc = MPI_Recv(&one, 1, MPI_INT, (rank + 1) % size, 1, *(MPI_Comm *)comm, &s);
	MPI_Error_class(rc, &class);
	check(class == MPI_ERR_TRUNCATE, "a message that is too long is an error of the receive");
	return (aligned_t)class;
}

static aligned_t receives_enough(void *comm)
{
	int two[2];

	check(MPI_Recv(two, 2, MPI_INT, (rank + 1) % size, 2, *(MPI_Comm *)comm, MPI_STATUS_IGNORE) == MPI_SUCCESS && two[1] == 6,
		"another task's receive is as it should be");
	return 0;
}

static void errors_on(MPI_Comm *comm)
{
	aligned_t bad, good;
	int two[2] = { 5, 6 };
	MPI_Request r[2];

	handler_task = &bad;
	qthread_fork(receives_enough, comm, &good);
	qthread_fork(receives_too_much, comm, &bad);
	for (int i = 0; i < 5; i++)
		qthread_yield();
	MPI_Isend(two, 2, MPI_INT, (rank + size - 1) % size, 1, *comm, &r[0]);
	MPI_Isend(two, 2, MPI_INT, (rank + size - 1) % size, 2, *comm, &r[1]);
	qthread_readFF(NULL, &bad);
	qthread_readFF(NULL, &good);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

/* As MPI-1 called them: binaries may have these names. */
#undef MPI_Errhandler_create
#undef MPI_Errhandler_set
extern int MPI_Errhandler_create(MPI_Comm_errhandler_function *, MPI_Errhandler *);
extern int MPI_Errhandler_set(MPI_Comm, MPI_Errhandler);

static void errors_by(int mpi_1)
{
	static int (*const create[])(MPI_Comm_errhandler_function *, MPI_Errhandler *) = {
		MPI_Comm_create_errhandler, MPI_Errhandler_create };
	static int (*const set[])(MPI_Comm, MPI_Errhandler) = { MPI_Comm_set_errhandler, MPI_Errhandler_set };
	MPI_Errhandler h;
	MPI_Comm returns;
	int x = 0;

	if (size == 1)
		return;         /* Open MPI does not notice it in a message to oneself */
	MPI_Comm_dup(MPI_COMM_WORLD, &returns);
	set[mpi_1](returns, MPI_ERRORS_RETURN);
	errors_on(&returns);
	check(MPI_Send(&x, 1, MPI_INT, size, 1, returns) != MPI_SUCCESS, "a rank that there is not is an error");
	check(MPI_Recv(&x, -1, MPI_INT, 0, 1, returns, MPI_STATUS_IGNORE) != MPI_SUCCESS, "so is a count below 0");
	MPI_Comm_dup(MPI_COMM_WORLD, &handled);
	create[mpi_1](handler, &h);
	set[mpi_1](handled, h);
	handler_calls = 0;
	errors_on(&handled);
	check(handler_calls == 1, "the handler is called once for an error");
	MPI_Errhandler_free(&h);
	MPI_Comm_free(&handled);
	MPI_Comm_free(&returns);
}

static void errors(void)
{
	errors_by(1);
	errors_by(0);
}

/* A communicator can come with a handler, and no other call tells of it. */
static void group_of_ranks(void)
{
#ifdef QMPI_SESSIONS
	MPI_Comm returns;
	MPI_Group all;

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_RETURN, &returns);
	errors_on(&returns);
	MPI_Comm_free(&returns);
	MPI_Group_free(&all);
#endif
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static aligned_t takes(void *sum)
{
	return *(int *)sum == 17;
}

static void words(void)
{
	MPI_Request r;
	aligned_t come, taken, sent;
	int in = 0, out = 17;

	MPI_Irecv(&in, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &r);
	check(qmpi_ifull(&r, &come) == MPI_SUCCESS && r == MPI_REQUEST_NULL, "a request is handed over");
	check(!qthread_feb_status(&come), "its word is empty");
	qthread_fork_precond(takes, &in, &taken, 1, &come);
	MPI_Isend(&out, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &r);
	check(qmpi_ifull(&r, &sent) == MPI_SUCCESS, "so is one of a send");
	qthread_readFF(&taken, &taken);
	check(taken == 1, "what waits for the word begins when the message has come");
	check(come == MPI_SUCCESS, "the word says that all is well");
	qthread_readFF(NULL, &sent);
	check(qmpi_ifull(&r, &sent) == MPI_ERR_REQUEST && qmpi_ifull(NULL, &sent) == MPI_ERR_REQUEST, "a null request is none");
	MPI_Irecv(&in, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &r);
	check(qmpi_ifull(&r, NULL) == MPI_ERR_ARG && r != MPI_REQUEST_NULL, "no more is a null word");
	check(qmpi_ievent(&r, 0) == MPI_ERR_OTHER && r != MPI_REQUEST_NULL, "no OpenMP, no event");
	MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* --- the end --------------------------------------------------------------------------------------------------- */

static aligned_t waits_for_ever(void *unused)
{
	int x;

	(void)unused;
	MPI_Recv(&x, 1, MPI_INT, rank, 1000, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	check(0, "nobody sends that");
	return 0;
}

static void abandon(void)
{
	static aligned_t word;
	static int in;
	MPI_Request r;

	for (int i = 0; i < 3; i++)
		qthread_fork(waits_for_ever, NULL, NULL);
	MPI_Irecv(&in, 1, MPI_INT, rank, 1001, MPI_COMM_WORLD, &r);
	qmpi_ifull(&r, &word);
	for (int i = 0; i < 10; i++)
		qthread_yield();
}

static aligned_t waits_in_mpi(void *both)
{
	MPI_Comm made;

	MPI_Comm_split(*(MPI_Comm *)both, 0, 0, &made);
	check(0, "the other rank does not come");
	return 0;
}

static bool stays;

/* What has no nonblocking form.  The other rank stays out of MPI_Finalize until the job ends: when one calls MPI_Abort
 * while another is there Open MPI 4.1.4's mpirun may stand still or crash, without libqmpi as with it. */
static void abandon_carried(void)
{
	static MPI_Comm both;

	MPI_Comm_dup(MPI_COMM_WORLD, &both);
	stays = rank > 0;
	if (rank == 0)
		qthread_fork(waits_in_mpi, &both, NULL);
	for (int i = 0; i < 10; i++)
		qthread_yield();
}

static void all(void)
{
	pair();
	alltoall();
	errors();
	words();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} whats[] = { { "pair", pair }, { "alltoall", alltoall }, { "errors", errors }, { "words", words }, { "all", all },
		{ "group", group_of_ranks }, { "abandon", abandon }, { "carried", abandon_carried },
		{ "single", pair } };
	const char *what = argc > 1 ? argv[1] : "all";
	unsigned long mine, sum = 0;
	int level;

	tasks = argc > 2 ? atoi(argv[2]) : tasks;
	seed = argc > 3 ? (uint64_t)atoi(argv[3]) : seed;
	if (strcmp(what, "single") == 0)
		MPI_Init(&argc, &argv);
	else
		MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	if (strcmp(what, "single") == 0) {
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
	} else {
		for (unsigned i = 0; i < sizeof(whats) / sizeof(whats[0]); i++)
			if (strcmp(whats[i].name, what) == 0)
				whats[i].run();
	}
	mine = wrong;
	MPI_Reduce(&mine, &sum, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0) {
		printf("%lu wrong\n", sum);
		fflush(stdout);
	}
	if (stays)
		MPI_Recv(&level, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	qthread_finalize();
	return 0;
}
