/* mpi/spr.c -- the ranks of MPI_COMM_WORLD as locales (api/locales.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One task a rank receives requests, blocked in MPI_Recv, and forks a task for each, which does what is asked: sends
 * the bytes of a get, receives those of a put, or runs a function.  So a request waits for no other, and a function may
 * make requests.
 *
 * Tags.  Requests have tag 0.  Each takes a number n of its sender's; what follows it, bytes of a put or an argument,
 * has tag 1 + 2n, the answer 2 + 2n: an answer to a number of one's own is no data that belongs to the same number of
 * another rank's.  Numbers come again after as many as MPI has tags for, 16,383 at least.
 *
 * The end.  A rank counts the requests that it has sent and those that it has done with, functions with what they ask
 * for themselves.  When all have come to spr_fini, sums over all ranks are taken again and again: when two sums one
 * after the other have each as many sent as done, and are the same, nothing was under way in between (F. Mattern,
 * Algorithms for distributed termination detection, Distributed Computing 2, 1987: the four counters).  A rank that is
 * not quiet keeps the others waiting in the sum.
 *
 * Checked by test/mpi/spr.c.
 */
#include "mpi/wait.h"

#include "api/locales.h"
#include "base/lock.h"
#include "base/mem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum kind { ASK_GET, ASK_PUT, ASK_FORK, ASK_FILL, TELL_UNIFY, TELL_END, TELL_STOP };

struct request {
	int32_t kind, number;
	uint64_t there;                 /* the address of a get or a put, or the number of a function */
	uint64_t size;
	uint64_t ret;                   /* the word to be filled: at the sender of ASK_FORK, the receiver of ASK_FILL */
	uint64_t value;                 /* of ASK_FILL */
};

/* A request in the hands of its task. */
struct service {
	struct request request;
	int from;
};

/* A transfer that somebody has begun and not waited for. */
struct transfer {
	struct transfer *next;
	uint64_t handle;
	bool get;
	MPI_Request sent, answered;
};

static struct {
	MPI_Comm comm;
	int ranks, rank, numbers;
	bool unified, begun_mpi, at_exit;
	aligned_t agreed;               /* empty: it is not known yet whether all locales can begin; whether they do */
	aligned_t freed;                /* empty: this locale waits for unify or end; what it was told */
	aligned_t stopped;              /* empty: the receiving task runs */
	aligned_t quiet;                /* filled by the last service that ends, while `services` is without the 1 */
	uint32_t number;                /* the last one; this and the following are atomic */
	uint64_t services;              /* under way here, and 1 */
	uint64_t sent, done;            /* requests */
	struct qti_lock lock;
	struct transfer *transfers;     /* under the lock */
	uint64_t handle;
} spr = { .ranks = 1 };

/* --- messages -------------------------------------------------------------------------------------------- */

/* So many bytes as one send or receive has them: MPI counts in int. */
struct bytes {
	MPI_Datatype type;
	int count;
};

static struct bytes bytes_make(size_t size)
{
	const size_t most = (size_t)1 << 30;
	struct bytes b = { MPI_BYTE, (int)size };
	MPI_Datatype block;

	if (size <= most)
		return b;
	b.count = 1;
	MPI_Type_contiguous((int)most, MPI_BYTE, &block);
	MPI_Type_create_struct(2, (int[]){ (int)(size / most), (int)(size % most) },
		(MPI_Aint[]){ 0, (MPI_Aint)(size - size % most) }, (MPI_Datatype[]){ block, MPI_BYTE }, &b.type);
	MPI_Type_free(&block);
	MPI_Type_commit(&b.type);
	return b;
}

static void bytes_free(struct bytes *b)
{
	if (b->type != MPI_BYTE)
		MPI_Type_free(&b->type);
}

static int data_tag(int number)
{
	return 1 + 2 * number;
}

static int answer_tag(int number)
{
	return 2 + 2 * number;
}

static int next_number(void)
{
	return (int)(add_rlx(&spr.number, 1) % (uint32_t)spr.numbers);
}

static void send_bytes(const void *from, size_t size, int to, int tag)
{
	struct bytes b = bytes_make(size);

	MPI_Send(from, b.count, b.type, to, tag, spr.comm);
	bytes_free(&b);
}

static void receive_bytes(void *to, size_t size, int from, int tag)
{
	struct bytes b = bytes_make(size);

	MPI_Recv(to, b.count, b.type, from, tag, spr.comm, MPI_STATUS_IGNORE);
	bytes_free(&b);
}

static void tell(int to, const struct request *r)
{
	MPI_Send(r, sizeof(*r), MPI_BYTE, to, 0, spr.comm);
}

/* One that is to be done with before the end. */
static void ask(int to, const struct request *r)
{
	add_rlx(&spr.sent, 1);
	tell(to, r);
}

/* Who has asked waits for an answer that cannot be given. */
static _Noreturn void give_up(int from)
{
	fprintf(stderr, "libqmpi: out of memory for what locale %d asks locale %d for\n", from, spr.rank);
	MPI_Abort(spr.comm, 1);
	abort();
}

/* --- what others ask for --------------------------------------------------------------------------------- */

static void serve_put(const struct service *s)
{
	receive_bytes((void *)(uintptr_t)s->request.there, s->request.size, s->from, data_tag(s->request.number));
	MPI_Send(NULL, 0, MPI_BYTE, s->from, answer_tag(s->request.number), spr.comm);
}

static void fill_there(const struct service *s, aligned_t value)
{
	const struct request r = { .kind = ASK_FILL, .ret = s->request.ret, .value = value };

	if (s->request.ret)
		ask(s->from, &r);
}

/* The argument has come anyhow; the answer is whether the function runs. */
static void serve_fork(const struct service *s)
{
	void *arg = qti_mem_alloc(s->request.size + 1);

	if (!arg)
		give_up(s->from);
	receive_bytes(arg, s->request.size, s->from, data_tag(s->request.number));
	qthread_f f = qti_action(s->request.there);
	int answer = f ? SPR_OK : SPR_BADARGS;
	MPI_Send(&answer, 1, MPI_INT, s->from, answer_tag(s->request.number), spr.comm);
	if (f)
		fill_there(s, f(arg));
	qti_mem_free(arg);
}

static void service_ends(void)
{
	add_rlx(&spr.done, 1);
	if (sub_acq_rel(&spr.services, 1) == 1)
		qthread_writeF_const(&spr.quiet, 1);
}

static aligned_t serve(void *arg)
{
	struct service *s = arg;

	switch ((enum kind)s->request.kind) {
	case ASK_GET:
		send_bytes((void *)(uintptr_t)s->request.there, s->request.size, s->from,
			answer_tag(s->request.number));
		break;
	case ASK_PUT:
		serve_put(s);
		break;
	case ASK_FORK:
		serve_fork(s);
		break;
	default:
		qthread_writeF_const((aligned_t *)(uintptr_t)s->request.ret, s->request.value);
	}
	qti_mem_free(s);
	service_ends();
	return 0;
}

static void fork_service(const struct request *r, int from)
{
	struct service *s = qti_mem_alloc(sizeof(*s));

	add_rlx(&spr.services, 1);
	if (s)
		*s = (struct service){ *r, from };
	if (!s || qthread_fork(serve, s, NULL) != QTHREAD_SUCCESS)
		give_up(from);
}

static aligned_t receive(void *unused)
{
	struct request r;
	MPI_Status status;
	aligned_t agreed;

	(void)unused;
	qthread_readFF(&agreed, &spr.agreed);
	while (agreed) {
		MPI_Recv(&r, sizeof(r), MPI_BYTE, MPI_ANY_SOURCE, 0, spr.comm, &status);
		if (r.kind == TELL_STOP)
			break;
		if (r.kind == TELL_UNIFY || r.kind == TELL_END)
			qthread_writeF_const(&spr.freed, (aligned_t)r.kind);
		else
			fork_service(&r, status.MPI_SOURCE);
	}
	return 0;
}

/* --- what this one asks for ------------------------------------------------------------------------------- */

static uint64_t transfer_add(struct transfer *t)
{
	qti_lock_take(&spr.lock);
	t->handle = ++spr.handle;
	t->next = spr.transfers;
	spr.transfers = t;
	qti_lock_drop(&spr.lock);
	return t->handle;
}

static struct transfer *transfer_take(bool get, uint64_t handle)
{
	struct transfer **at = &spr.transfers;

	qti_lock_take(&spr.lock);
	while (*at && ((*at)->handle != handle || (*at)->get != get))
		at = &(*at)->next;
	struct transfer *t = *at;
	if (t)
		*at = t->next;
	qti_lock_drop(&spr.lock);
	return t;
}

static int spr_transfer(bool get, int locale, void *mine, void *theirs, size_t size, uint64_t *handle)
{
	struct transfer *t = qti_mem_alloc(sizeof(*t));
	const int number = next_number();
	const struct request r = {
		.kind = get ? ASK_GET : ASK_PUT, .number = number, .there = (uintptr_t)theirs, .size = size,
	};

	if (!t)
		return QTHREAD_MALLOC_ERROR;
	t->get = get;
	t->sent = MPI_REQUEST_NULL;
	struct bytes b = bytes_make(size);
	if (get)
		MPI_Irecv(mine, b.count, b.type, locale, answer_tag(number), spr.comm, &t->answered);
	else
		MPI_Irecv(NULL, 0, MPI_BYTE, locale, answer_tag(number), spr.comm, &t->answered);
	ask(locale, &r);
	if (!get)
		MPI_Isend(mine, b.count, b.type, locale, data_tag(number), spr.comm, &t->sent);
	bytes_free(&b);
	*handle = transfer_add(t);
	return SPR_OK;
}

static int spr_wait(bool get, uint64_t handle)
{
	struct transfer *t = transfer_take(get, handle);

	if (!t)
		return SPR_BADARGS;
	MPI_Wait(&t->sent, MPI_STATUS_IGNORE);
	MPI_Wait(&t->answered, MPI_STATUS_IGNORE);
	qti_mem_free(t);
	return SPR_OK;
}

/* The word is empty before anybody can fill it. */
static int spr_fork(int locale, size_t number, void const *arg, size_t size, aligned_t *ret)
{
	const struct request r = {
		.kind = ASK_FORK, .number = next_number(), .there = number, .size = size, .ret = (uintptr_t)ret };
	int answer;

	if (ret && qthread_empty(ret) != QTHREAD_SUCCESS)
		return QTHREAD_MALLOC_ERROR;
	ask(locale, &r);
	send_bytes(arg, size, locale, data_tag(r.number));
	MPI_Recv(&answer, 1, MPI_INT, locale, answer_tag(r.number), spr.comm, MPI_STATUS_IGNORE);
	if (answer != SPR_OK && ret)
		qthread_fill(ret);
	return answer;
}

/* --- begin and end --------------------------------------------------------------------------------------- */

static void tell_others(enum kind kind)
{
	const struct request r = { .kind = (int32_t)kind };

	for (int i = 0; i < spr.ranks; i++)
		if (i != spr.rank)
			tell(i, &r);
}

static int spr_unify_all(void)
{
	if (!spr.unified)
		tell_others(TELL_UNIFY);
	spr.unified = true;
	return SPR_OK;
}

static int spr_barrier(void)
{
	MPI_Barrier(spr.comm);
	return SPR_OK;
}

static void wait_until_quiet(void)
{
	qthread_empty(&spr.quiet);
	if (sub_acq_rel(&spr.services, 1) != 1)
		qthread_readFF(NULL, &spr.quiet);
	add_rlx(&spr.services, 1);
}

static void wait_until_all_are_done(void)
{
	uint64_t now[2], last[2] = { 1, 0 };

	for (;;) {
		wait_until_quiet();
		now[0] = load_acq(&spr.sent);
		now[1] = load_acq(&spr.done);
		MPI_Allreduce(MPI_IN_PLACE, now, 2, MPI_UINT64_T, MPI_SUM, spr.comm);
		if (now[0] == now[1] && now[0] == last[0] && now[1] == last[1])
			return;
		last[0] = now[0];
		last[1] = now[1];
	}
}

static void leave_locales(void)
{
	MPI_Comm_free(&spr.comm);
	spr.ranks = 1;
	spr.rank = 0;
}

static void spr_end(void)
{
	const struct request stop = { .kind = TELL_STOP };

	if (!spr.unified)
		tell_others(TELL_END);
	wait_until_all_are_done();
	tell(spr.rank, &stop);
	qthread_readFF(NULL, &spr.stopped);
	leave_locales();
}

static void leave_at_exit(void)
{
	int over = 1;

	MPI_Finalized(&over);
	if (over)
		return;
	spr_fini();
	if (spr.begun_mpi)
		MPI_Finalize();
}

/* MPI is begun by the program, or else here; then it ends with the process. */
static bool mpi_is_there(void)
{
	int there = 0, over = 0, level = MPI_THREAD_SINGLE;

	MPI_Initialized(&there);
	MPI_Finalized(&over);
	if (over)
		return false;
	if (!there) {
		spr.begun_mpi = MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level) == MPI_SUCCESS;
		there = spr.begun_mpi;
	}
	if (!spr.at_exit)
		spr.at_exit = atexit(leave_at_exit) == 0;
	return there && MPI_Query_thread(&level) == MPI_SUCCESS && level == MPI_THREAD_MULTIPLE;
}

/* Runs nothing of main any more. */
static _Noreturn void end_with_locale_0(void)
{
	int over = 1;

	spr_fini();
	MPI_Finalized(&over);
	if (!over)
		MPI_Finalize();
	exit(0);
}

/* An error in what tasks send each other here is nobody's who could return it. */
static void enter_locales(void)
{
	MPI_Comm_dup(MPI_COMM_WORLD, &spr.comm);
	MPI_Comm_set_errhandler(spr.comm, MPI_ERRORS_ARE_FATAL);
	MPI_Comm_size(spr.comm, &spr.ranks);
	MPI_Comm_rank(spr.comm, &spr.rank);
}

/* Where one locale cannot, none does.  Nobody is served before that is known, as requests are for locales that are
 * up. */
static int begin_to_receive(int error)
{
	int can, all_can;

	if (error == SPR_OK &&
		(qthread_empty(&spr.freed) != QTHREAD_SUCCESS || qthread_empty(&spr.agreed) != QTHREAD_SUCCESS))
		error = QTHREAD_MALLOC_ERROR;
	if (error == SPR_OK)
		error = qthread_fork(receive, NULL, &spr.stopped);
	can = error == SPR_OK;
	MPI_Allreduce(&can, &all_can, 1, MPI_INT, MPI_MIN, spr.comm);
	if (all_can)
		qti_locales_up();
	qthread_writeF_const(&spr.agreed, (aligned_t)all_can);
	if (can && !all_can) {
		qthread_readFF(NULL, &spr.stopped);
		error = QTHREAD_MALLOC_ERROR;
	}
	return error;
}

static int spr_begin(bool spmd, int error)
{
	int *tag_ub, set;
	aligned_t told;

	if (!mpi_is_there()) {
		fputs("libqmpi: spr_init needs MPI with MPI_THREAD_MULTIPLE\n", stderr);
		return QTHREAD_NOT_ALLOWED;
	}
	enter_locales();
	if (spr.ranks == 1) {
		leave_locales();
		return error;
	}
	MPI_Comm_get_attr(spr.comm, MPI_TAG_UB, &tag_ub, &set);
	spr.numbers = (set ? *tag_ub : 32767) / 2 - 1;
	spr.unified = spmd || spr.rank > 0;
	spr.services = 1;
	spr.sent = spr.done = 0;
	if ((error = begin_to_receive(error)) != SPR_OK) {
		leave_locales();
		return error;
	}
	if (spmd || spr.rank == 0)
		return SPR_OK;
	qthread_readFF(&told, &spr.freed);
	if (told == TELL_END)
		end_with_locale_0();
	return SPR_OK;
}

static const struct qti_locales locales = {
	.begin = spr_begin,
	.end = spr_end,
	.unify = spr_unify_all,
	.barrier = spr_barrier,
	.transfer = spr_transfer,
	.wait = spr_wait,
	.fork = spr_fork,
	.locales = &spr.ranks,
	.here = &spr.rank,
};

static __attribute__((constructor)) void locales_come(void)
{
	qti_locales_come(&locales);
}
