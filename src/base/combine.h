/* base/combine.h -- combining: of several threads that want something of one object, one does it for all of them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * CC-Synch: P. Fatourou and N. D. Kallimanis, Revisiting the combining synchronization technique, PPoPP 2012.  Where
 * many threads come at once the object's lines stay in one cache for as long as one thread serves the others, where a
 * lock would take them along from thread to thread.
 *
 * Terms.  A request is a function that is to be called on the object.  A node has room for one.  The nodes of an object
 * are a list in the order in which requests came; the last one is empty and belongs to whoever comes next:
 *
 *     holder's                                    empty
 *      [ HOLD ] ---> [ WAIT ] ---> [ WAIT ] ---> [ WAIT ] <--- tail       nobody there:   [ HOLD ] <--- tail
 *
 * The holder alone touches the object.  It serves its own request, then up to `most` in all, in order, and makes the
 * owner of the next node the holder; where that is the empty one, it is who comes next.  Who comes brings a spare node,
 * as the new empty one, and takes along that of its request, so nodes wander from object to object.  A thread needs
 * one, and so does each object; all of them are freed together.
 *
 *   CB1  Who comes prepares its spare, and swaps it into the tail (acq_rel) -> the swap of who comes after it.  It owns
 *        the node that it gets from there, and what it puts there comes after what its last owner did to it.
 *   CB2  The request is written into the node, then `next` (release) -> the holder loads `next` (acquire), and sees the
 *        request and all that the asking thread had done before.  As long as `next` is NULL there is no request.
 *   CB3  The holder changes the object, writes the answer, loads `next`, then writes `state` (release) -> who waits
 *        loads it (acquire): SERVED, and it has the answer, or HOLD, and it sees the object as all before left it.
 *        Nobody touches a node after its owner has been told.
 *
 * So requests happen one after the other, in the order of the swaps, and what a thread could see when it asked is seen
 * by who serves it: a request may look at words besides the object as if the asking thread did.
 *
 * Nobody is passed by, but each waits for those before it; a thread that has swapped and not yet written `next` keeps
 * the ones behind it.  So who waits for long gives its CPU away (qti_pause), as at a lock: with more threads than CPUs
 * the holder may need it.  Requests call no user code and do not combine.  Only a process's own threads may: in the
 * child of fork(2) holders are missing, so what combines is thrown away there (base/forked.h).
 *
 * Checked by test/unit/combine.c, test/stress/combine.c, test/model/combine.pml and test/check/combine.c.
 */
#ifndef QTI_BASE_COMBINE_H
#define QTI_BASE_COMBINE_H

#include "base/lock.h"

/* What it returns is the answer. */
typedef void *(*qti_request)(void *object, void *arg);

enum qti_combine_state { QTI_COMBINE_WAIT, QTI_COMBINE_SERVED, QTI_COMBINE_HOLD };

struct qti_combine_node {
	struct qti_combine_node *next;  /* CB2 */
	uint32_t state;                 /* CB3: enum qti_combine_state */
	qti_request request;
	void *word;                     /* its argument, then its answer */
} QTI_ALIGNED_LINE;

struct qti_combine {
	struct qti_combine_node *tail;  /* CB1 */
};

/* Before anybody uses it; `first` is the object's node. */
static inline void qti_combine_init(struct qti_combine *c, struct qti_combine_node *first)
{
	store_rlx(&first->next, NULL);
	store_rlx(&first->state, QTI_COMBINE_HOLD);
	store_rlx(&c->tail, first);
}

/* The holder, from its own node on. */
static inline void qti_combine_serve(struct qti_combine_node *mine, void *object, unsigned most)
{
	struct qti_combine_node *n = mine, *next;

	for (unsigned i = 0; i < most && (next = load_acq(&n->next)) != NULL; i++) {    /* CB2 */
		n->word = n->request(object, n->word);
		if (n != mine)
			store_rel(&n->state, QTI_COMBINE_SERVED);                       /* CB3 */
		n = next;
	}
	store_rel(&n->state, QTI_COMBINE_HOLD);                                         /* CB3 */
}

/* The answer of request(object, arg), which the calling thread, or another one, has called meanwhile.  object: that of
 * c.  *spare: the calling thread's; another one afterwards.  most: requests that it serves in all, at least 1, its own
 * included. */
static inline void *qti_combine(struct qti_combine *c, struct qti_combine_node **spare, qti_request request,
	void *object, void *arg, unsigned most)
{
	struct qti_combine_node *empty = *spare;
	uint32_t state;

	store_rlx(&empty->next, NULL);
	store_rlx(&empty->state, QTI_COMBINE_WAIT);
	struct qti_combine_node *mine = swap_acq_rel(&c->tail, empty);                  /* CB1 */
	mine->request = request;
	mine->word = arg;
	store_rel(&mine->next, empty);                                                  /* CB2 */
	*spare = mine;
	for (unsigned i = 0; (state = load_acq(&mine->state)) == QTI_COMBINE_WAIT; i++) /* CB3 */
		qti_pause(i);
	if (state == QTI_COMBINE_HOLD)
		qti_combine_serve(mine, object, most);
	return mine->word;
}

#endif
