/* mpi/table.c -- see mpi/table.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An entry that has come leaves a hole, and the others stay in the order of their age; when there are more holes than
 * entries these move together, so that is one move for each that has come.
 */
#include "mpi/table.h"

#include "base/mem.h"
#include "base/tuning.h"

#include <string.h>

enum { FIRST_ROOM = 64, BATCH = 256 };

static struct {
	MPI_Request *requests;          /* MPI_REQUEST_NULL: a hole, or one that is asked about by a call of its own */
	struct qmpi_wait **waits;       /* NULL: a hole */
	unsigned n, holes;              /* entries with holes; holes */
	unsigned at;                    /* the round goes on here */
	uint32_t room;                  /* atomic, as the next: written under the lock */
	uint32_t promised QTI_ALIGNED_LINE;
} table;

/* --- room ------------------------------------------------------------------------------------------------ */

static void move_together(void)
{
	unsigned to = 0, at = 0;

	for (unsigned i = 0; i < table.n; i++) {
		if (i == table.at)
			at = to;
		if (!table.waits[i])
			continue;
		table.waits[to] = table.waits[i];
		table.requests[to++] = table.requests[i];
	}
	table.at = at;
	table.n = to;
	table.holes = 0;
}

bool qmpi_table_promise(void)
{
	return qti_likely(add_rlx(&table.promised, 1) < load_rlx(&table.room));
}

static void table_move(MPI_Request *requests, struct qmpi_wait **waits)
{
	if (table.n > 0) {
		memcpy(requests, table.requests, table.n * sizeof(*requests));
		memcpy(waits, table.waits, table.n * sizeof(struct qmpi_wait *));
	}
	qti_mem_free(table.requests);
	qti_mem_free(table.waits);
	table.requests = requests;
	table.waits = waits;
}

bool qmpi_table_grow(void)
{
	size_t wanted = load_rlx(&table.promised), room = FIRST_ROOM;

	while (room < wanted)
		room *= 2;
	if (room <= load_rlx(&table.room))
		return true;
	MPI_Request *requests = qti_mem_alloc(room * sizeof(*requests));
	struct qmpi_wait **waits = qti_mem_alloc(room * sizeof(*waits));
	if (!requests || !waits) {
		qti_mem_free(requests);
		qti_mem_free(waits);
		sub_rlx(&table.promised, 1);
		return false;
	}
	table_move(requests, waits);
	store_rlx(&table.room, (uint32_t)room);
	return true;
}

void qmpi_table_add(struct qmpi_wait *w)
{
	if (table.n == load_rlx(&table.room))
		move_together();
	table.requests[table.n] = w->over ? MPI_REQUEST_NULL : w->request;
	table.waits[table.n++] = w;
}

static struct qmpi_wait *entry_remove(unsigned i)
{
	struct qmpi_wait *w = table.waits[i];

	table.waits[i] = NULL;
	table.requests[i] = MPI_REQUEST_NULL;
	table.holes++;
	sub_rlx(&table.promised, 1);
	return w;
}

static void holes_close(void)
{
	while (table.n > 0 && !table.waits[table.n - 1]) {
		table.n--;
		table.holes--;
	}
	if (table.holes > FIRST_ROOM && table.holes > table.n / 2)
		move_together();
}

struct qmpi_wait *qmpi_table_take(void)
{
	holes_close();
	if (table.n > 0)
		return entry_remove(table.n - 1);
	qti_mem_free(table.requests);
	qti_mem_free(table.waits);
	table.requests = NULL;
	table.waits = NULL;
	store_rlx(&table.room, 0);
	return NULL;
}

/* --- asking ---------------------------------------------------------------------------------------------- */

struct found {
	struct qmpi_wait **end;
	unsigned n;
};

static void found_add(struct found *f, struct qmpi_wait *w)
{
	*f->end = w;
	f->end = &w->next;
	f->n++;
}

/* MPI says that there is something wrong, but not with which of them: they are asked about one by one. */
static void range_separate(unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		if (table.waits[i] && !table.waits[i]->over) {
			table.waits[i]->over = qmpi_wait_is_over_alone;
			table.requests[i] = MPI_REQUEST_NULL;
		}
}

static void range_ask_together(unsigned from, unsigned to, struct found *f)
{
	static MPI_Status statuses[BATCH];
	static int which[BATCH];
	int count, class = MPI_SUCCESS;

	qmpi_ask(true);
	int rc = PMPI_Testsome((int)(to - from), &table.requests[from], &count, which, statuses);
	qmpi_ask(false);
	if (rc != MPI_SUCCESS)
		PMPI_Error_class(rc, &class);
	if (class != MPI_SUCCESS && class != MPI_ERR_IN_STATUS) {
		range_separate(from, to);
		return;
	}
	for (int k = 0; count != MPI_UNDEFINED && k < count; k++) {
		unsigned i = from + (unsigned)which[k];
		struct qmpi_wait *w = table.waits[i];
		w->request = table.requests[i];
		w->status = statuses[k];
		w->error = class == MPI_SUCCESS ? MPI_SUCCESS : statuses[k].MPI_ERROR;
		found_add(f, entry_remove(i));
	}
}

/* Those that MPI_Testsome knows nothing about. */
static void range_ask_alone(unsigned from, unsigned to, struct found *f)
{
	for (unsigned i = from; i < to; i++)
		if (table.requests[i] == MPI_REQUEST_NULL && table.waits[i] && table.waits[i]->over(table.waits[i]))
			found_add(f, entry_remove(i));
}

/* Where to stop so that it costs about as much as `most` requests that are asked about together. */
static unsigned range_end(unsigned from, unsigned most)
{
	unsigned i = from;

	for (unsigned cost = 0; i < table.n && i - from < BATCH && cost < most; i++)
		if (table.requests[i] != MPI_REQUEST_NULL)
			cost++;
		else if (table.waits[i])
			cost += TUNE_POLL_ALONE * table.waits[i]->requests;
	return i;
}

/* How many of the youngest cost no more than TUNE_POLL_YOUNG. */
static unsigned young_begin(void)
{
	unsigned i = table.n;

	for (unsigned cost = 0; i > 0 && cost < TUNE_POLL_YOUNG; i--)
		cost += table.requests[i - 1] != MPI_REQUEST_NULL ? 1 : TUNE_POLL_ALONE;
	return i;
}

static void range_ask(unsigned from, unsigned to, struct found *f)
{
	if (from < to) {
		range_ask_together(from, to, f);
		range_ask_alone(from, to, f);
	}
}

/* Open MPI's MPI_Testsome looks at the requests and takes in messages afterwards, if none was over: what it takes in
 * only the next time would find.  Asking about one request takes them in before it looks the last time.  So that comes
 * first, and if it is the only one that was all. */
static bool all_is_under_way(void)
{
#ifdef MPICH_VERSION
	return false;
#else
	return table.n > 0 && table.requests[table.n - 1] != MPI_REQUEST_NULL &&
		!qmpi_request_is_over(table.requests[table.n - 1]) && table.n == 1;
#endif
}

unsigned qmpi_table_ask(unsigned most, struct qmpi_wait **come)
{
	struct found f = { come, 0 };
	unsigned from = 0, to = range_end(0, most), young;

	if (all_is_under_way()) {
		*come = NULL;
		return 0;
	}
	if (to < table.n) {
		young = young_begin();
		from = table.at < young ? table.at : 0;
		to = range_end(from, most);
		table.at = to;
		range_ask(to > young ? to : young, table.n, &f);
	}
	range_ask(from, to, &f);
	holes_close();
	*f.end = NULL;
	return f.n;
}
