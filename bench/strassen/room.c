/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "strassen/strassen.h"

#include <pthread.h>

enum { DEPTHS = 32, QUARTERS = 11 };

struct room {
	struct room *next;
};

static struct room *unused[DEPTHS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

double *strassen_room_take(const struct strassen_product *p)
{
	pthread_mutex_lock(&lock);
	struct room *r = unused[p->depth];
	if (r)
		unused[p->depth] = r->next;
	pthread_mutex_unlock(&lock);
	return r ? (double *)(void *)r : bench_room("strassen", QUARTERS, p->n / 2 * (p->n / 2) * sizeof(double));
}

void strassen_room_give(const struct strassen_product *p, double *room)
{
	struct room *r = (struct room *)(void *)room;

	pthread_mutex_lock(&lock);
	r->next = unused[p->depth];
	unused[p->depth] = r;
	pthread_mutex_unlock(&lock);
}
