/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* One way to use every queue: ours, and those of other libraries where these are installed. */
#ifndef BENCH_DS_QUEUES_H
#define BENCH_DS_QUEUES_H

#include <stddef.h>

/* A thread's own: what it puts in, and what its queue needs for that. */
struct queue_user {
	char *memory;   /* queue_kind.element bytes for each push, all of them written to once */
	size_t pushes;  /* so far */
	void *unused;   /* nodes to be used again */
};

struct queue_kind {
	const char *name, *what;
	size_t element;                 /* bytes of memory for a push; 0: none is needed */
	void *(*create)(void);
	void (*destroy)(void *queue);
	void (*enter)(void), (*leave)(void);    /* by a thread, around its use of queues; may be NULL */
	void (*push)(void *queue, struct queue_user *u, void *value);
	void *(*pop)(void *queue, struct queue_user *u);
};

extern const struct queue_kind queue_ck, queue_lfq, queue_wfcq;

#endif
