/* api/loop.c -- parallel loops, on public calls alone.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A loop is cut into pieces, each piece is a task, and the caller waits for all of them.  Everything the pieces share
 * lies on the caller's stack, so a piece touches it for the last time before it signals.
 *
 *   qt_loop            a piece is one index; the caller forks them all
 *   qt_loop_balance    a piece is a block of indices.  The blocks form a tree: a piece forks the two pieces below it,
 *                      then runs its own block.  The caller is the root, if it is a task.
 *
 * A piece that cannot be forked for want of memory is run by who would have forked it.
 */
#include "base/atomic.h"
#include "base/give_way.h"
#include "base/mem.h"
#include "base/poll.h"
#include "base/race.h"
#include "base/tuning.h"
#include "qthread/qloop.h"
#include "qthread/sinc.h"

enum {
	LOOP_LOCAL_BLOCKS = 32, /* on the caller's stack; more come from the heap */
};

/* ---- Waiting for the pieces
 *
 * J1  A piece lowers `left` (acquire-release) when it is done and touches nothing of the loop after that, unless it
 *     finds that it was the last and the caller is waiting: then it submits to the sinc.
 * J2  The caller looks at `left` (acquire) for a moment.  If that does not become 0, it readies the sinc, then adds
 *     JOIN_WAITING (acquire-release).  If pieces were left, the last one sees the mark, and the sinc, and submits.
 *
 * So where pieces end about the same time, which is what a balanced loop is for, nobody sleeps or wakes anybody. */

enum loop_kind { LOOP_COUNT, LOOP_WORDS, LOOP_SYNCVARS };

#define JOIN_WAITING (SIZE_MAX / 2 + 1)

/* What one piece signals, unless all are counted.  Zeroed memory is a full word and a full syncvar: a piece that was
 * never forked is not waited for. */
union loop_word {
	aligned_t word;
	syncvar_t var;
};

struct loop_join {
	enum loop_kind kind;
	unsigned flags;                 /* for qthread_spawn */
	qt_sinc_t last;                 /* J2 */
	size_t left;                    /* J1 */
};

static void join_init(struct loop_join *j, enum loop_kind kind, unsigned flags, size_t pieces)
{
	j->kind = kind;
	j->flags = flags;
	store_rlx(&j->left, pieces);
	if (kind == LOOP_SYNCVARS)
		j->flags |= QTHREAD_SPAWN_RET_SYNCVAR_T;
}

/* Make a piece a task, or run it here. */
static void join_fork(struct loop_join *j, union loop_word *done, qthread_f f, void *arg, qthread_shepherd_id_t shep)
{
	void *ret = j->kind == LOOP_COUNT ? NULL : done;

	if (qti_unlikely(qthread_spawn(f, arg, 0, ret, 0, NULL, shep, j->flags) != QTHREAD_SUCCESS))
		f(arg);
}

/* A piece's last words. */
static void join_done(struct loop_join *j)
{
	qti_race_release(j);
	if (j->kind == LOOP_COUNT && sub_acq_rel(&j->left, 1) == (JOIN_WAITING | 1))    /* J1 */
		qt_sinc_submit(&j->last, NULL);
}

static bool pieces_end_soon(const struct loop_join *j)
{
	struct qti_poll poll = { .ns = qthread_num_workers() > 1 ? TUNE_JOIN_NS : 0 };

	while (qti_poll_again(&poll))
		if (load_acq(&j->left) == 0)                                            /* J2 */
			return true;
	return false;
}

static void join_await(struct loop_join *j)
{
	if (load_acq(&j->left) == 0 || pieces_end_soon(j))                              /* J2 */
		return;
	qt_sinc_init(&j->last, 0, NULL, NULL, 1);
	if (add_acq_rel(&j->left, JOIN_WAITING) != 0)                                   /* J2 */
		qt_sinc_wait(&j->last, NULL);
	qt_sinc_fini(&j->last);
}

static void join_count(struct loop_join *j)
{
	join_await(j);
	qti_race_acquire(j);
}

/* Waiting takes memory for a stack; where there is none, ask again after the others have run. */
static void join_word(enum loop_kind kind, union loop_word *done)
{
	for (;;) {
		const int rc = kind == LOOP_WORDS ? qthread_readFF(NULL, &done->word)
						  : qthread_syncvar_readFF(NULL, &done->var);
		if (rc != QTHREAD_MALLOC_ERROR)
			return;
		qti_give_way();
	}
}

/* ---- One task per index */

struct loop_each {
	/* Exactly one of these is set. */
	qt_loop_f func;
	qt_loop_step_f step;            /* has no use for its index */
	void *arg;
	size_t next;                    /* lowest index not taken yet */
	struct loop_join join;
};

static aligned_t each_piece(void *arg)
{
	struct loop_each *l = arg;

	if (l->step) {
		l->step(l->arg);
	} else {
		/* Relaxed: the index is all that goes from piece to piece. */
		const size_t i = add_rlx(&l->next, 1);
		l->func(i, i + 1, l->arg);
	}
	join_done(&l->join);
	return 0;
}

static void each_fork(struct loop_each *l, union loop_word *done, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		join_fork(&l->join, done ? &done[i] : NULL, each_piece, l, NO_SHEPHERD);
		if (i % TUNE_LOOP_BATCH == TUNE_LOOP_BATCH - 1)
			qthread_yield();
	}
}

static void each_run(struct loop_each *l, size_t n, enum loop_kind kind)
{
	union loop_word *done = NULL;

	if (kind != LOOP_COUNT && n <= SIZE_MAX / sizeof(*done))
		done = qti_mem_zalloc(n * sizeof(*done));
	join_init(&l->join, done ? kind : LOOP_COUNT, 0, n);
	each_fork(l, done, n);
	if (!done)
		join_count(&l->join);
	for (size_t i = 0; done && i < n; i++)
		join_word(kind, &done[i]);
	qti_mem_free(done);
}

static void loop_each(size_t start, size_t stop, qt_loop_f func, void *arg, enum loop_kind kind)
{
	struct loop_each l = { .func = func, .arg = arg, .next = start };

	if (start < stop && func)
		each_run(&l, stop - start, kind);
}

/* ---- One task per worker */

struct loop_block {
	struct loop_blocks *loop;
	union loop_word done;
};

struct loop_blocks {
	/* Exactly one of these is set.  The second kind leaves its result in out (block 0) or in partial. */
	qt_loop_f func;
	qt_loopr_f accum;
	void *arg;
	char *out;
	char *partial;
	size_t stride;                  /* of partial: a cache line or more */

	size_t start;
	size_t share, longer;           /* indices in a block; so many blocks have one more */
	size_t nblocks, nsheps;         /* nsheps 0: see home_of */
	size_t first;                   /* the block at the root of the tree */
	struct loop_join join;
	struct loop_block *block;       /* by place in the tree: the places below p are 2p + 1 and 2p + 2 */
};

static void *block_result(const struct loop_blocks *l, size_t block)
{
	return block == 0 ? l->out : l->partial + (block - 1) * l->stride;
}

static void block_run(const struct loop_blocks *l, size_t block)
{
	const size_t begin = l->start + block * l->share + (block < l->longer ? block : l->longer);
	const size_t end = begin + l->share + (block < l->longer);

	if (l->func)
		l->func(begin, end, l->arg);
	else
		l->accum(begin, end, l->arg, block_result(l, block));
}

static aligned_t block_piece(void *arg);

static size_t block_at(const struct loop_blocks *l, size_t place)
{
	return (place + l->first) % l->nblocks;
}

/* Where some shepherds are out of use, the scheduler knows better which have room. */
static qthread_shepherd_id_t home_of(const struct loop_blocks *l, size_t place)
{
	return l->nsheps ? (qthread_shepherd_id_t)(block_at(l, place) % l->nsheps) : NO_SHEPHERD;
}

static void block_fork(struct loop_blocks *l, size_t place)
{
	if (place < l->nblocks)
		join_fork(&l->join, &l->block[place].done, block_piece, &l->block[place], home_of(l, place));
}

static void block_subtree(struct loop_blocks *l, size_t place)
{
	block_fork(l, 2 * place + 1);
	block_fork(l, 2 * place + 2);
	block_run(l, block_at(l, place));
}

static aligned_t block_piece(void *arg)
{
	struct loop_block *b = arg;

	block_subtree(b->loop, (size_t)(b - b->loop->block));
	join_done(&b->loop->join);
	return 0;
}

/* A piece forks those below it before it signals, so when place p is waited for, places 2p + 1 and 2p + 2 have been
 * emptied: in this order no word is found full because its task does not exist yet. */
static void blocks_wait(struct loop_blocks *l, size_t from)
{
	if (l->join.kind == LOOP_COUNT) {
		join_count(&l->join);
		return;
	}
	for (size_t place = from; place < l->nblocks; place++)
		join_word(l->join.kind, &l->block[place].done);
}

static void blocks_tree(struct loop_blocks *l, enum loop_kind kind, unsigned flags, bool is_task)
{
	for (size_t place = 0; place < l->nblocks; place++)
		l->block[place] = (struct loop_block){ .loop = l };
	join_init(&l->join, kind, flags, l->nblocks - is_task);
	if (is_task)
		block_subtree(l, 0);
	else
		block_fork(l, 0);       /* func expects to run in a task */
	blocks_wait(l, is_task);
}

static void blocks_cut(struct loop_blocks *l, size_t n, size_t nblocks)
{
	l->nblocks = nblocks;
	l->share = n / nblocks;
	l->longer = n % nblocks;
}

/* Run the blocks of a loop over n > 0 indices; l has everything but the cut. */
static void blocks_run(struct loop_blocks *l, size_t n, enum loop_kind kind, unsigned flags)
{
	struct loop_block local[LOOP_LOCAL_BLOCKS];
	struct loop_block *heap = NULL;
	const qthread_shepherd_id_t here = qthread_shep();
	const bool is_task = here != NO_SHEPHERD;

	if (l->nblocks > LOOP_LOCAL_BLOCKS) {
		heap = qti_mem_alloc(l->nblocks * sizeof(*heap));
		if (!heap)
			l->nblocks = LOOP_LOCAL_BLOCKS;         /* coarser */
	}
	blocks_cut(l, n, l->nblocks);
	l->block = heap ? heap : local;
	l->nsheps = qthread_readstate(TOTAL_SHEPHERDS);
	if (l->nsheps != qthread_num_shepherds())
		l->nsheps = 0;
	l->first = is_task && here < l->nblocks ? here : 0;
	blocks_tree(l, kind, flags, is_task);
	qti_mem_free(heap);
}

/* As many blocks as can run at once; 0 while there is no runtime. */
static size_t blocks_wanted(size_t n)
{
	const size_t workers = qthread_num_workers();

	return n < workers ? n : workers;
}

static void loop_balance(size_t start, size_t stop, qt_loop_f func, void *arg, enum loop_kind kind, unsigned flags)
{
	if (start >= stop || !func)
		return;
	struct loop_blocks l = { .func = func, .arg = arg, .start = start };
	l.nblocks = blocks_wanted(stop - start);
	if (l.nblocks == 0)
		func(start, stop, arg);
	else
		blocks_run(&l, stop - start, kind, flags);
}

static void loop_accum(size_t start, size_t stop, size_t size, void *out, qt_loopr_f func, void *arg, qt_accum_f acc,
	enum loop_kind kind)
{
	if (!func || (!out && size > 0))
		return;
	struct loop_blocks l = { .accum = func, .arg = arg, .out = out, .start = start };
	const size_t n = start < stop ? stop - start : 0;
	size_t bytes = 0;

	l.nblocks = acc ? blocks_wanted(n) : 0;
	if (l.nblocks > 1 && size <= SIZE_MAX - QTI_CACHE_LINE) {
		l.stride = qti_mem_round(size, QTI_CACHE_LINE);
		if (!__builtin_mul_overflow(l.stride, l.nblocks - 1, &bytes))
			l.partial = qti_mem_aligned(QTI_CACHE_LINE, bytes ? bytes : QTI_CACHE_LINE);
	}
	if (l.nblocks == 0 || (l.nblocks > 1 && !l.partial)) {
		func(start, start + n, arg, out);
		return;
	}
	blocks_run(&l, n, kind, 0);
	for (size_t block = 1; block < l.nblocks; block++)
		acc(out, block_result(&l, block));
	qti_mem_free(l.partial);
}

/* ---- The names */

void qt_loop(size_t start, size_t stop, qt_loop_f func, void *argptr)
{
	loop_each(start, stop, func, argptr, LOOP_COUNT);
}

void qt_loop_dc(size_t start, size_t stop, qt_loop_f func, void *argptr)
{
	loop_each(start, stop, func, argptr, LOOP_COUNT);
}

void qt_loop_sinc(size_t start, size_t stop, qt_loop_f func, void *argptr)
{
	loop_each(start, stop, func, argptr, LOOP_COUNT);
}

/* Ordinary tasks: Qthreads 1.23 makes them here, whatever the name says, and programs have come to block in func. */
void qt_loop_simple(size_t start, size_t stop, qt_loop_f func, void *argptr)
{
	loop_each(start, stop, func, argptr, LOOP_COUNT);
}

void qt_loop_aligned(size_t start, size_t stop, qt_loop_f func, void *argptr)
{
	loop_each(start, stop, func, argptr, LOOP_WORDS);
}

void qt_loop_sv(size_t start, size_t stop, qt_loop_f func, void *argptr)
{
	loop_each(start, stop, func, argptr, LOOP_SYNCVARS);
}

void qt_loop_step(size_t start, size_t stop, size_t stride, qt_loop_step_f func, void *argptr)
{
	struct loop_each l = { .step = func, .arg = argptr };

	if (start < stop && func)
		each_run(&l, stride ? (stop - start - 1) / stride + 1 : stop - start, LOOP_COUNT);
}

void qt_loop_balance(size_t const start, size_t const stop, qt_loop_f const func, void *argptr)
{
	loop_balance(start, stop, func, argptr, LOOP_COUNT, 0);
}

void qt_loop_balance_dc(size_t const start, size_t const stop, qt_loop_f const func, void *argptr)
{
	loop_balance(start, stop, func, argptr, LOOP_COUNT, 0);
}

void qt_loop_balance_sinc(size_t const start, size_t const stop, qt_loop_f const func, void *argptr)
{
	loop_balance(start, stop, func, argptr, LOOP_COUNT, 0);
}

void qt_loop_balance_simple(size_t const start, size_t const stop, qt_loop_f const func, void *argptr)
{
	loop_balance(start, stop, func, argptr, LOOP_COUNT, QTHREAD_SPAWN_SIMPLE);
}

void qt_loop_balance_aligned(size_t const start, size_t const stop, qt_loop_f const func, void *argptr)
{
	loop_balance(start, stop, func, argptr, LOOP_WORDS, 0);
}

void qt_loop_balance_sv(size_t const start, size_t const stop, qt_loop_f const func, void *argptr)
{
	loop_balance(start, stop, func, argptr, LOOP_SYNCVARS, 0);
}

void qt_loopaccum_balance(size_t const start, size_t const stop, size_t const size, void *restrict out,
	qt_loopr_f const func, void *restrict argptr, qt_accum_f const acc)
{
	loop_accum(start, stop, size, out, func, argptr, acc, LOOP_COUNT);
}

void qt_loopaccum_balance_dc(size_t const start, size_t const stop, size_t const size, void *restrict out,
	qt_loopr_f const func, void *restrict argptr, qt_accum_f const acc)
{
	loop_accum(start, stop, size, out, func, argptr, acc, LOOP_COUNT);
}

void qt_loopaccum_balance_sinc(size_t const start, size_t const stop, size_t const size, void *restrict out,
	qt_loopr_f const func, void *restrict argptr, qt_accum_f const acc)
{
	loop_accum(start, stop, size, out, func, argptr, acc, LOOP_COUNT);
}

void qt_loopaccum_balance_sv(size_t const start, size_t const stop, size_t const size, void *restrict out,
	qt_loopr_f const func, void *restrict argptr, qt_accum_f const acc)
{
	loop_accum(start, stop, size, out, func, argptr, acc, LOOP_SYNCVARS);
}
