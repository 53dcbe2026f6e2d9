/* mpi/calls.c -- MPI's blocking calls: what the table of mpi/calls.h describes, and those that wait for requests.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They have MPI's names, and are found first; what MPI has under these names is called by those with a P in front.
 */
#include "mpi/sessions.h"
#include "mpi/wait.h"

#include "base/container.h"
#include "base/mem.h"

#include <qthread/io.h>
#include <stdio.h>
#include <string.h>

/* --- one request ----------------------------------------------------------------------------------------- */

/* The task waits for r, which w completes if `completes`; false: the blocking call has still to do so. */
static bool suspend_for(struct qmpi_wait *w, MPI_Request r, bool completes)
{
	*w = (struct qmpi_wait){ .over = completes ? NULL : qmpi_wait_is_over_alone, .requests = 1, .request = r };
	qmpi_wait(w);
	return !w->over;
}

/* False, too: there is nothing to wait for. */
static bool wait_for_one(struct qmpi_wait *w, MPI_Request r, bool completes)
{
	return !qmpi_request_is_over(r) && suspend_for(w, r, completes);
}

/* As a call that completes one request: such a call does not say in the status whether there was an error. */
static void status_put(MPI_Status *status, const MPI_Status *from)
{
	if (status == MPI_STATUS_IGNORE)
		return;
	int kept = status->MPI_ERROR;
	*status = *from;
	status->MPI_ERROR = kept;
}

static int hand_out(const struct qmpi_wait *w, MPI_Request *r, MPI_Status *status)
{
	*r = w->request;
	status_put(status, &w->status);
	return w->error;
}

/* A request that a call on comm has started, in a task. */
static int complete(MPI_Request *r, MPI_Status *status, MPI_Comm comm, enum qmpi_stance stance)
{
	struct qmpi_wait w;

	if (stance != QMPI_SUSPENDS || !wait_for_one(&w, *r, qmpi_may_complete_of_call()))
		return qmpi_finish(r, status, comm);
	int rc = hand_out(&w, r, status);
	if (rc != MPI_SUCCESS)
		PMPI_Comm_call_errhandler(comm, rc);
	return rc;
}

/* MPI's own calls say so where that is nobody's. */
static bool is_no_status(const MPI_Status *status)
{
	return !status && status != MPI_STATUS_IGNORE;
}

/* The call is in vain. */
static void take_back(MPI_Request *r)
{
	PMPI_Cancel(r);
	PMPI_Wait(r, MPI_STATUS_IGNORE);
}

#pragma GCC visibility push(default)

#define ARGUMENTS(...) __VA_ARGS__
#define PARAMETERS(...) __VA_ARGS__

/* --- what the table says ----------------------------------------------------------------------------------- */

#define QMPI_START(name, twin, parameters, arguments) \
	int QMPI_NAME(MPI_, name) parameters \
	{ \
		MPI_Request r; \
		enum qmpi_stance stance = qmpi_stance(); \
		if (qti_likely(stance == QMPI_OUTSIDE)) \
			return QMPI_NAME(PMPI_, name) arguments; \
		int rc = QMPI_NAME(PMPI_, twin)(ARGUMENTS arguments, &r); \
		return rc == MPI_SUCCESS ? complete(&r, MPI_STATUS_IGNORE, comm, stance) : rc; \
	}

/* A receive from nobody is over at once; MPICH 4.0's nonblocking one has a wrong status. */
#define QMPI_RECEIVE(name, twin, parameters, arguments, on, from_nobody) \
	int QMPI_NAME(MPI_, name)(PARAMETERS parameters, MPI_Status *status) \
	{ \
		MPI_Request r; \
		enum qmpi_stance stance = qmpi_stance(); \
		if (qti_likely(stance == QMPI_OUTSIDE) || (from_nobody) || is_no_status(status)) \
			return QMPI_NAME(PMPI_, name)(ARGUMENTS arguments, status); \
		int rc = QMPI_NAME(PMPI_, twin)(ARGUMENTS arguments, &r); \
		return rc == MPI_SUCCESS ? complete(&r, status, on, stance) : rc; \
	}

#define CARRY(name, parameters, arguments, first) \
	int QMPI_NAME(MPI_, name) parameters \
	{ \
		first; \
		if (qti_likely(qmpi_stance() == QMPI_OUTSIDE)) \
			return QMPI_NAME(PMPI_, name) arguments; \
		qmpi_carry(true); \
		qt_begin_blocking_action(); \
		int rc = QMPI_NAME(PMPI_, name) arguments; \
		qmpi_carry(false); \
		qt_end_blocking_action(); \
		return rc; \
	}

#define QMPI_CARRY(name, parameters, arguments) CARRY(name, parameters, arguments, (void)0)
#define QMPI_CARRY_HANDLED(name, parameters, arguments) CARRY(name, parameters, arguments, qmpi_handler_comes(handler))

#define QMPI_NAME(prefix, name) prefix##name
#define QMPI_COUNT int
#define QMPI_DISPL int
#define QMPI_SMALL
#include "mpi/calls.h"
#include "mpi/sendrecv.h"
#undef QMPI_SMALL
#undef QMPI_DISPL
#undef QMPI_COUNT
#undef QMPI_NAME

#if MPI_VERSION >= 4
#define QMPI_NAME(prefix, name) prefix##name##_c
#define QMPI_COUNT MPI_Count
#define QMPI_DISPL MPI_Aint
#include "mpi/calls.h"
#include "mpi/sendrecv.h"
#undef QMPI_DISPL
#undef QMPI_COUNT
#undef QMPI_NAME
#endif

/* --- probes ---------------------------------------------------------------------------------------------- */

struct probe {
	struct qmpi_wait wait;
	int from, tag;
	MPI_Comm comm;
};

static bool probe_is_over(struct qmpi_wait *w)
{
	const struct probe *p = qti_container_of(w, struct probe, wait);

	return qmpi_message_is_there(p->from, p->tag, p->comm);
}

static void wait_for_message(int from, int tag, MPI_Comm comm)
{
	struct probe p = { .wait = { .over = probe_is_over, .requests = 1 }, .from = from, .tag = tag, .comm = comm };

	qmpi_wait(&p.wait);
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status)
{
	int there = 0, rc;

	if (qmpi_stance() != QMPI_SUSPENDS)
		return PMPI_Probe(from, tag, comm, status);
	while ((rc = PMPI_Iprobe(from, tag, comm, &there, status)) == MPI_SUCCESS && !there)
		wait_for_message(from, tag, comm);
	return rc;
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
	int there = 0, rc;

	if (qmpi_stance() != QMPI_SUSPENDS)
		return PMPI_Mprobe(from, tag, comm, message, status);
	while ((rc = PMPI_Improbe(from, tag, comm, &there, message, status)) == MPI_SUCCESS && !there)
		wait_for_message(from, tag, comm);
	return rc;
}

/* --- several requests -------------------------------------------------------------------------------------- */

int MPI_Wait(MPI_Request *r, MPI_Status *status)
{
	struct qmpi_wait w;
	int over = 0, rc;

	if (qmpi_stance() != QMPI_SUSPENDS || !r || is_no_status(status))
		return PMPI_Wait(r, status);
	if ((rc = PMPI_Test(r, &over, status)) != MPI_SUCCESS || over)
		return rc;
	if (suspend_for(&w, *r, qmpi_may_complete()))
		return hand_out(&w, r, status);
	rc = PMPI_Wait(r, status);
	/* MPICH 4.2.1 forgets the status of a persistent request when it has told it. */
	if (rc == MPI_SUCCESS && *r != MPI_REQUEST_NULL && w.told)
		status_put(status, &w.status);
	return rc;
}

/* One after the other: the last is over when all are. */
int MPI_Waitall(int n, MPI_Request *list, MPI_Status *statuses)
{
	struct qmpi_wait w;

	if (qmpi_stance() == QMPI_SUSPENDS && list)
		for (int i = 0; i < n; i++)
			wait_for_one(&w, list[i], false);
	return PMPI_Waitall(n, list, statuses);
}

/* Those of a list that somebody may have to wait for; the others are null, inactive or over.  If MPI_Testany finds
 * nothing after that, no other is over, and it is these that the task waits for. */
struct under_way {
	struct qmpi_wait wait;
	const MPI_Request *list;
	int *which;
	int n;
};

static bool any_is_over(struct qmpi_wait *w)
{
	const struct under_way *u = qti_container_of(w, struct under_way, wait);

	for (int i = 0; i < u->n; i++)
		if (qmpi_request_is_over(u->list[u->which[i]]))
			return true;
	return false;
}

/* False: there is no memory to know. */
static bool under_way_find(struct under_way *u, int n, const MPI_Request *list)
{
	*u = (struct under_way){ .list = list, .which = qti_mem_alloc(((size_t)n + 1) * sizeof(*u->which)) };
	for (int i = 0; u->which && i < n; i++)
		if (!qmpi_request_is_over(list[i]))
			u->which[u->n++] = i;
	return u->which != NULL;
}

static void under_way_wait(struct under_way *u)
{
	u->wait.over = any_is_over;
	u->wait.requests = (unsigned)u->n;
	if (u->n > 0)
		qmpi_wait(&u->wait);
}

int MPI_Waitany(int n, MPI_Request *list, int *index, MPI_Status *status)
{
	struct under_way u;
	int over = 0, rc;

	if (qmpi_stance() != QMPI_SUSPENDS)
		return PMPI_Waitany(n, list, index, status);
	while ((rc = PMPI_Testany(n, list, index, &over, status)) == MPI_SUCCESS && !over) {
		if (!under_way_find(&u, n, list))
			return PMPI_Waitany(n, list, index, status);
		rc = PMPI_Testany(n, list, index, &over, status);
		if (rc == MPI_SUCCESS && !over)
			under_way_wait(&u);
		qti_mem_free(u.which);
		if (rc != MPI_SUCCESS || over)
			break;
	}
	return rc;
}

/* Whether MPI_Testsome has nothing to say yet. */
static bool none_is_over(int rc, int count)
{
	return rc == MPI_SUCCESS && count == 0;
}

int MPI_Waitsome(int n, MPI_Request *list, int *count, int *indices, MPI_Status *statuses)
{
	struct under_way u;
	int rc;

	if (qmpi_stance() != QMPI_SUSPENDS)
		return PMPI_Waitsome(n, list, count, indices, statuses);
	while (rc = PMPI_Testsome(n, list, count, indices, statuses), none_is_over(rc, *count)) {
		if (!under_way_find(&u, n, list))
			return PMPI_Waitsome(n, list, count, indices, statuses);
		rc = PMPI_Testsome(n, list, count, indices, statuses);
		if (none_is_over(rc, *count))
			under_way_wait(&u);
		qti_mem_free(u.which);
		if (!none_is_over(rc, *count))
			break;
	}
	return rc;
}

/* --- begin and end --------------------------------------------------------------------------------------- */

#ifdef QMPI_SESSIONS
static bool session_has_threads(MPI_Session session)
{
	char level[sizeof("MPI_THREAD_SERIALIZED")] = "";
	int found = 0;
	MPI_Info info;

	if (PMPI_Session_get_info(session, &info) != MPI_SUCCESS)
		return false;
	PMPI_Info_get(info, "thread_level", sizeof(level) - 1, level, &found);
	PMPI_Info_free(&info);
	return found && strcmp(level, "MPI_THREAD_MULTIPLE") == 0;
}

int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
	int rc = PMPI_Session_init(info, handler, session);

	if (rc == MPI_SUCCESS)
		qmpi_session_begins(session_has_threads(*session));
	return rc;
}
#endif

/* From a call of MPI's own no task comes back, and beside one MPI_Finalize may do anything. */
int MPI_Finalize(void)
{
	struct qmpi_left left = qmpi_waits_end();

	if (left.tasks > 0)
		fprintf(stderr, "libqmpi: MPI_Finalize is called while tasks (%u) wait in MPI calls, which "
			"never return now\n", left.tasks);
	if (left.handed > 0)
		fprintf(stderr, "libqmpi: MPI_Finalize is called while requests (%u) of qmpi_ifull and qmpi_ievent "
			"are not complete, and never will be\n", left.handed);
	if (left.carried > 0) {
		fprintf(stderr, "libqmpi: MPI_Finalize is called while tasks (%u) are in MPI calls that have no "
			"nonblocking form: the job ends\n", left.carried);
		PMPI_Abort(MPI_COMM_WORLD, 1);
	}
	return PMPI_Finalize();
}

#pragma GCC visibility pop
