/* core/proxy.h -- a task that goes on, for a while, on an OS thread that is no worker: its proxy.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     the task, on its own stack            worker                          proxy
 *     qti_proxy_leave(after) ------------>  after(task): hands it over -->  qti_proxy_carry(task)
 *       goes on, not on a worker       <--------------------------------      jumps to the task
 *     qti_proxy_return() -------------------------------------------------->  ... returns: the task may be made ready
 *       goes on, on a worker           <--  resumes it like any other
 *
 * The stack does not move, only the thread that stands on it.  On a proxy qti_self() is NULL, so the task counts as an
 * external thread where workers matter; qti_current() still names it.  Handing over and making ready are the business
 * of io/proxies.c.
 */
#ifndef QTI_CORE_PROXY_H
#define QTI_CORE_PROXY_H

#include "core/loop.h"

struct qti_proxy {
	struct qti_carrier carrier;
	unsigned depth;                 /* reasons that the task has not to be on a worker */
	void *context;                  /* the proxy's own, while it carries a task */
	struct qti_stack os_stack;
	struct qti_altstack altstack;
};

/* Makes the calling thread a proxy; the record lies in a frame that outlives qti_proxy_end. */
void qti_proxy_begin(struct qti_proxy *p);
void qti_proxy_end(struct qti_proxy *p);

/* The one that the caller runs on, NULL if it is not carried by one. */
struct qti_proxy *qti_proxy_self(void);

/* Leaves the worker as qti_suspend does, with its conditions.  True once the task goes on on a proxy; false if `after`
 * made it ready instead, and it is on a worker. */
bool qti_proxy_leave(qti_after after, void *arg);

/* On a proxy: runs the task, which must have left, until it returns from here. */
void qti_proxy_carry(struct qti_proxy *p, struct qti_task *t);

/* In the task, on its proxy: returns on a worker, once it has been made ready and resumed. */
void qti_proxy_return(void);

/* In the child of fork(2): there the thread is no proxy. */
void qti_proxy_forget(void);

#endif
