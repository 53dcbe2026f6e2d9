/* mpi/word.c -- see qmpi.h: requests whose end fills a word, or fulfils an event.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/wait.h"

#include "base/container.h"
#include "base/mem.h"
#include "mpi/qmpi.h"

/* Of the OpenMP library that the process has. */
extern void omp_fulfill_event(uintptr_t event) __attribute__((weak));

struct handover {
	struct qmpi_wait wait;
	aligned_t *word;                /* NULL: the event */
	uintptr_t event;
};

/* On the worker that has asked; the request is complete, and this does not wait for it.  Or in the call itself. */
static void handover_come(struct qmpi_wait *w)
{
	struct handover *h = qti_container_of(w, struct handover, wait);
	int rc = w->over ? PMPI_Wait(&w->request, MPI_STATUS_IGNORE) : w->error;

	if (h->word)
		qthread_writeF_const(h->word, (aligned_t)rc);
	else
		omp_fulfill_event(h->event);
	qti_mem_free(h);
}

static int hand_over(MPI_Request *r, aligned_t *word, uintptr_t event)
{
	struct handover *h = qti_mem_alloc(sizeof(*h));

	if (!h || (word && qthread_empty(word) != QTHREAD_SUCCESS)) {
		qti_mem_free(h);
		return MPI_ERR_NO_MEM;
	}
	*h = (struct handover){
		.wait = { .come = handover_come, .requests = 1, .request = *r }, .word = word, .event = event,
	};
	*r = MPI_REQUEST_NULL;
	/* What is inactive, or over, MPI_Testsome might not tell of. */
	if (!qmpi_may_complete() || qmpi_request_is_over(h->wait.request))
		h->wait.over = qmpi_wait_is_over_alone;
	if (!qmpi_can_ask() || !qmpi_wait_begin(&h->wait)) {
		h->wait.over = qmpi_wait_is_over_alone;
		handover_come(&h->wait);
	}
	return MPI_SUCCESS;
}

int qmpi_ifull(MPI_Request *request, aligned_t *word)
{
	if (!request || *request == MPI_REQUEST_NULL)
		return MPI_ERR_REQUEST;
	return word ? hand_over(request, word, 0) : MPI_ERR_ARG;
}

int qmpi_ievent(MPI_Request *request, uintptr_t event)
{
	if (!request || *request == MPI_REQUEST_NULL)
		return MPI_ERR_REQUEST;
	return &omp_fulfill_event ? hand_over(request, NULL, event) : MPI_ERR_OTHER;
}
