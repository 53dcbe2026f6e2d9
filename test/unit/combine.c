/* test/unit/combine.c -- base/combine.h, one step at a time: what becomes of nodes, and who serves whom.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The main thread serves, or is the holder whom others wait for; test/stress/combine.c has all run at once.
 */
#include "base/combine.h"
#include "stress/stress.h"

#include <pthread.h>

enum { OTHERS = 6, MOST = 4 };

static struct qti_combine combine;
static struct qti_combine_node node[OTHERS + 2];
static uintptr_t arrival[OTHERS + 1];      /* arguments, in the order in which they were served */
static pthread_t server[OTHERS + 1];    /* by whom */
static unsigned served;
static char object[OTHERS + 1];

static void *note(void *o, void *arg)
{
	arrival[served] = (uintptr_t)arg;
	server[served++] = pthread_self();
	return (char *)o + (uintptr_t)arg;
}

static void alone(void)
{
	struct qti_combine_node *spare = &node[1];

	qti_combine_init(&combine, &node[0]);
	ok(qti_combine(&combine, &spare, note, object, (void *)3, MOST) == &object[3],
		"a request gets the object and its argument, and its answer comes back");
	ok(spare == &node[0] && combine.tail == &node[1], "nodes have changed places");
	is_int(node[1].state, QTI_COMBINE_HOLD, "who comes next is the holder");
	for (uintptr_t i = 0; i < 3; i++)
		qti_combine(&combine, &spare, note, object, (void *)i, 1);
	is_int(served, 4, "so it is served at once, as is the one after it");
	ok(spare == &node[1] && combine.tail == &node[0], "with the same two nodes");
}

/* --- a holder that takes its time ------------------------------------------------------------------------ */

static void *ask(void *number)
{
	struct qti_combine_node *spare = &node[2 + (uintptr_t)number - 1];

	return qti_combine(&combine, &spare, note, object, number, MOST);
}

static pthread_t thread[OTHERS + 1];

/* Has the others come one after the other, while it is served itself: they are behind it in that order. */
static void *let_others_come(void *o, void *arg)
{
	struct qti_combine_node *last = load_rlx(&combine.tail);

	for (uintptr_t i = 1; i <= OTHERS; i++) {
		if (pthread_create(&thread[i], NULL, ask, (void *)i) != 0)
			bail_out("pthread_create failed");
		stress_until(load_acq(&last->next) != NULL);
		last = load_acq(&last->next);
	}
	return note(o, arg);
}

static unsigned served_by(pthread_t who)
{
	unsigned n = 0;

	for (unsigned i = 0; i < served; i++)
		n += pthread_equal(server[i], who) != 0;
	return n;
}

static void together(void)
{
	struct qti_combine_node *spare = &node[1];
	void *answer;
	unsigned in_order = 0, answered = 0;

	served = 0;
	qti_combine_init(&combine, &node[0]);
	qti_combine(&combine, &spare, let_others_come, object, NULL, MOST);
	for (uintptr_t i = 1; i <= OTHERS; i++) {
		pthread_join(thread[i], &answer);
		answered += answer == &object[i];
	}
	while (in_order < served && arrival[in_order] == in_order)
		in_order++;
	is_int(served, OTHERS + 1, "requests that wait are all served");
	is_int(in_order, OTHERS + 1, "in the order in which they came");
	is_int(answered, OTHERS, "and each gets its own answer");
	is_int(served_by(pthread_self()), MOST, "the holder serves %d, its own among them", MOST);
	is_int(served_by(thread[MOST]), OTHERS + 1 - MOST, "the next in line is the holder then, and serves the rest");
}

int main(void)
{
	plan(5 + 5);
	stress_watch("combining");
	alone();
	together();
	return done();
}
