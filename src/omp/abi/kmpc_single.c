/* omp/abi/kmpc_single.c -- master, masked, single, copyprivate and scope, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_region.h"

#include "omp/team/barrier.h"
#include "omp/team/standing.h"
#include "omp/team/called.h"
#include "omp/work/single.h"

static int32_t masked_begin(struct qomp_frame *f, int32_t filter)
{
	bool mine = f->num == filter;

	if (mine && qomp_is_told(f))
		qomp_tell_masked(qomp_told_of(f), ompt_scope_begin);
	return mine;
}

static void masked_end(void)
{
	if (qomp_tool_here())
		qomp_tell_masked(qomp_told_of(qomp_frame()), ompt_scope_end);
}

int32_t __kmpc_master(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	return masked_begin(qomp_frame_called(), 0);
}

int32_t __kmpc_masked(struct kmpc_ident *loc, int32_t thread, int32_t filter)
{
	(void)loc, (void)thread;
	return masked_begin(qomp_frame_called(), filter);
}

int32_t __kmpc_single(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	return qomp_single_told(qomp_frame_called());
}

/* Who has done it goes on. */

void __kmpc_end_master(struct kmpc_ident *loc, int32_t thread)
{
	qomp_tool_called();
	(void)loc, (void)thread;
	masked_end();
}

void __kmpc_end_masked(struct kmpc_ident *loc, int32_t thread)
{
	qomp_tool_called();
	(void)loc, (void)thread;
	masked_end();
}

void __kmpc_end_single(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	if (qomp_tool_here())
		qomp_tell_single_end(qomp_told_of(qomp_frame()));
}

/* The published data are on a stack: nobody leaves before all have copied them. */
void __kmpc_copyprivate(struct kmpc_ident *loc, int32_t thread, size_t size, void *data,
	void (*copy)(void *to, void *from), int32_t has)
{
	struct qomp_frame *f = qomp_frame();
	void *published = qomp_single_share(f, has ? data : NULL);

	(void)loc, (void)thread, (void)size;
	if (!has)
		copy(data, published);
	qomp_barrier(f);
}

void *__kmpc_copyprivate_light(struct kmpc_ident *loc, int32_t thread, void *data)
{
	(void)loc, (void)thread;
	return qomp_single_share(qomp_frame(), data);
}

/* For tools that watch a program. */

void __kmpc_scope(struct kmpc_ident *loc, int32_t thread, void *reserved)
{
	(void)loc, (void)thread, (void)reserved;
}

void __kmpc_end_scope(struct kmpc_ident *loc, int32_t thread, void *reserved)
{
	(void)loc, (void)thread, (void)reserved;
}
