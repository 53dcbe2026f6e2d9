/* test/stress/mixed.c -- a storm of short lives of the runtime, each with other settings and a mixture of everything.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts lives.  In each a few jobs run at once, some of them on OS threads outside; their answers are
 * known.  What is left in the queues when the main task finalizes still has to run.
 */
#include "api/fib.h"
#include "stress/stress.h"
#include "process.h"

#include <qthread.h>
#include <qthread/qloop.h>
#include <qthread/sinc.h>

#include <pthread.h>

enum { ROUNDS = 500, JOBS_MAX = 6, OUTSIDE_MAX = 2, PENDING = 30 };

static uint64_t dice;

/* --- jobs: each returns whether its answer was right ----------------------------------------------------- */

static aligned_t fib_syncvar(void *arg)
{
	uintptr_t n = (uintptr_t)arg;
	syncvar_t x = SYNCVAR_EMPTY_INITIALIZER;
	uint64_t got = 0;

	if (n < 2)
		return n;
	qthread_fork_syncvar(fib_syncvar, (void *)(n - 1), &x);
	aligned_t y = fib_syncvar((void *)(n - 2));
	qthread_syncvar_readFF(&got, &x);
	return got + y;
}

static bool job_fib(uint64_t *random)
{
	static const aligned_t known[] = { 0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144 };
	uintptr_t n = 5 + stress_random(random, 8);

	return (stress_random(random, 2) ? fib : fib_syncvar)((void *)n) == known[n];
}

static void add(void *sum, void const *value)
{
	*(aligned_t *)sum += *(aligned_t const *)value;
}

static aligned_t itself(void *arg)
{
	return (aligned_t)(uintptr_t)arg;
}

static bool job_sinc(uint64_t *random)
{
	const aligned_t zero = 0;
	aligned_t sum = 0;
	uintptr_t n = 1 + stress_random(random, 100);
	qt_sinc_t *s = qt_sinc_create(sizeof(sum), &zero, add, n);

	if (!s)
		return false;
	for (uintptr_t i = 1; i <= n; i++)
		qthread_spawn(itself, (void *)i, 0, s, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC);
	qt_sinc_wait(s, &sum);
	qt_sinc_destroy(s);
	return sum == n * (n + 1) / 2;
}

static void mark_range(size_t from, size_t to, void *arg)
{
	aligned_t *sum = arg;

	for (size_t i = from; i < to; i++)
		qthread_incr(sum, i);
}

static bool job_loop(uint64_t *random)
{
	size_t n = 1 + stress_random(random, 200);
	aligned_t sum = 0;

	(stress_random(random, 2) ? qt_loop : qt_loop_balance)(0, n, mark_range, &sum);
	return sum == n * (n - 1) / 2;
}

/* Each link may start when the word before is full, and fills the next. */
struct link {
	aligned_t *from, *to;
};

static aligned_t pass_on(void *arg)
{
	struct link *l = arg;

	return qthread_writeEF_const(l->to, *l->from + 1);
}

static bool job_preconditions(uint64_t *random)
{
	enum { LONGEST = 20 };
	aligned_t word[LONGEST + 1] = { 0 }, last = 0;
	struct link l[LONGEST];
	unsigned n = 1 + stress_random(random, LONGEST);

	for (unsigned i = 0; i <= n; i++)
		qthread_empty(&word[i]);
	for (unsigned i = n; i-- > 0;) {
		l[i] = (struct link){ &word[i], &word[i + 1] };
		qthread_fork_precond(pass_on, &l[i], NULL, 1, &word[i]);
	}
	qthread_writeEF_const(&word[0], 1);
	qthread_readFF(&last, &word[n]);
	return last == n + 1;
}

struct block {
	uint32_t word[300];
};

static aligned_t sum_block(void *arg)
{
	struct block *b = arg;
	aligned_t sum = 0;

	for (unsigned i = 1; i <= b->word[0]; i++)
		sum += b->word[i];
	return sum;
}

static bool job_copies(uint64_t *random)
{
	enum { N = 10 };
	struct block b;
	aligned_t ret[N], want[N], got = 0;
	bool right = true;

	for (unsigned i = 0; i < N; i++) {
		b.word[0] = 1 + stress_random(random, 299);
		want[i] = 0;
		for (unsigned j = 1; j <= b.word[0]; j++)
			want[i] += b.word[j] = stress_random(random, 1000);
		qthread_fork_copyargs(sum_block, &b, (b.word[0] + 1) * sizeof(b.word[0]), &ret[i]);
	}
	memset(&b, 0, sizeof(b));
	for (unsigned i = 0; i < N; i++) {
		qthread_readFF(&got, &ret[i]);
		right = right && got == want[i];
	}
	return right;
}

static aligned_t go_round(void *arg)
{
	unsigned stops = qti_rt.nshepherds;

	for (unsigned s = 0; s < stops; s++) {
		if (qthread_migrate_to((qthread_shepherd_id_t)s) != QTHREAD_SUCCESS || qthread_shep() != s)
			return 0;
		qthread_yield();
		if (qthread_shep() != s)
			return 0;
	}
	return (aligned_t)(uintptr_t)arg;
}

static bool job_travellers(uint64_t *random)
{
	enum { N = 12 };
	aligned_t ret[N], got = 0;
	unsigned n = 1 + stress_random(random, N), right = 0;

	for (uintptr_t i = 0; i < n; i++)
		qthread_fork_to(go_round, (void *)(i + 1), &ret[i], (qthread_shepherd_id_t)(i % qti_rt.nshepherds));
	for (unsigned i = 0; i < n; i++) {
		qthread_readFF(&got, &ret[i]);
		right += got == i + 1;
	}
	return right == n;
}

/* A token goes around a ring of words, each task adding one. */
static aligned_t forward(void *arg)
{
	struct link *l = arg;
	aligned_t token = 0;

	qthread_readFE(&token, l->from);
	qthread_writeEF_const(l->to, token + 1);
	return 0;
}

static bool job_ring(uint64_t *random)
{
	enum { LONGEST = 30 };
	aligned_t word[LONGEST] = { 0 }, token = 0;
	struct link l[LONGEST];
	unsigned n = 2 + stress_random(random, LONGEST - 1);

	for (unsigned i = 0; i < n; i++)
		qthread_empty(&word[i]);
	for (unsigned i = 0; i < n; i++) {
		l[i] = (struct link){ &word[i], &word[(i + 1) % n] };
		if (i > 0)
			qthread_fork(forward, &l[i], NULL);
	}
	qthread_writeEF_const(&word[1], 1);
	qthread_readFE(&token, &word[0]);
	for (unsigned i = 0; i < n; i++)
		qthread_fill(&word[i]);
	return token == n;
}

static bool (*const jobs[])(uint64_t *random) = {
	job_fib,
	job_sinc,
	job_loop,
	job_preconditions,
	job_copies,
	job_travellers,
	job_ring,
};
static const char *const job_names[] = { "fib", "sinc", "loop", "preconditions", "copies", "travellers", "ring" };

enum { NJOBS = sizeof(jobs) / sizeof(jobs[0]) };

/* --- a life ---------------------------------------------------------------------------------------------- */

static unsigned wrong; /* answers */

/* Any number tells which job, and its size. */
static aligned_t do_job(void *stream)
{
	uint64_t random = stress_state((uintptr_t)stream);
	unsigned which = stress_random(&random, NJOBS);

	if (!jobs[which](&random)) {
		add_rlx(&wrong, 1);
		diag("%s: wrong answer", job_names[which]);
	}
	return 0;
}

static void *do_job_outside(void *stream)
{
	do_job(stream);
	return NULL;
}

static uint32_t pending;

static aligned_t linger(void *again)
{
	if (again)
		qthread_fork(linger, NULL, NULL);
	qthread_yield();
	add_rlx(&pending, -1);
	return 0;
}

static void live(uint64_t stream)
{
	pthread_t thread[OUTSIDE_MAX];
	aligned_t done[JOBS_MAX];
	unsigned njobs = 1 + stress_random(&dice, JOBS_MAX), noutside = stress_random(&dice, OUTSIDE_MAX + 1);

	for (uintptr_t i = 0; i < njobs; i++)
		qthread_fork(do_job, (void *)(stream + i), &done[i]);
	for (uintptr_t i = 0; i < noutside; i++)
		if (pthread_create(&thread[i], NULL, do_job_outside, (void *)(stream + JOBS_MAX + i)) != 0)
			bail_out("pthread_create failed");
	do_job((void *)(stream + JOBS_MAX + OUTSIDE_MAX));
	for (unsigned i = 0; i < njobs; i++)
		qthread_readFF(NULL, &done[i]);
	/* An OS thread's job needs this worker as well. */
	for (unsigned i = 0; i < noutside; i++) {
		while (pthread_tryjoin_np(thread[i], NULL) != 0) {
			qthread_yield();
			sched_yield();
		}
	}
	unsigned last = stress_random(&dice, PENDING);
	pending = 2 * last;
	for (unsigned i = 0; i < last; i++)
		qthread_fork(linger, &pending, NULL);
}

static const char *one_of(const char *const *text)
{
	unsigned n = 0;

	while (text[n])
		n++;
	return text[stress_random(&dice, n)];
}

static void choose_settings(void)
{
	static const struct {
		const char *name, *value[5];
	} settings[] = {
		{ "QT_STACK_SIZE", { "16K", "32K", "100000" } },
		{ "QT_GUARD_PAGES", { "yes", "no" } },
		{ "QT_INLINE_JOIN", { "yes", "no" } },
		{ "QT_PRIVATE_TASKS", { "0", "1", "7", "64" } },
		{ "QT_SPIN_US", { "0", "1", "50" } },
		{ "QT_STEAL", { "one", "chunk", "half" } },
		{ "QT_VICTIM", { "near", "random" } },
		{ "QT_STEAL_CHUNK", { "0", "1", "3", "100" } },
		{ "QT_AFFINITY", { "yes", "no" } },
		{ "QT_ARGCOPY_SIZE", { "0", "64", "1024" } },
		{ "QT_MAX_POOL_ALLOC_SIZE", { "4096", "100000", "100000000" } },
	};

	for (unsigned i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		setenv(settings[i].name, one_of(settings[i].value), 1);
}

static void *nothing(void *unused)
{
	return unused;
}

/* A checking tool may bring a thread of its own along with the first that is created. */
static int threads(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, nothing, NULL) == 0)
		pthread_join(thread, NULL);
	return process_threads();
}

/* A thread that has been joined may be listed for a moment longer. */
static bool threads_are(int n)
{
	for (int looks = 0; looks < 10000; looks++) {
		if (threads() == n)
			return true;
		sched_yield();
	}
	return false;
}

int main(void)
{
	unsigned rounds = stress_rounds(ROUNDS), left = 0, survivors = 0;
	int before = threads();

	dice = stress_state(0);
	process_needs_proc();
	plan(3);
	stress_say(rounds);
	for (unsigned r = 0; r < rounds; r++) {
		static char what[64];
		const char *scheduler = qti_scheds[stress_random(&dice, qti_nscheds)]->name;
		struct stress_shape shape = { 1 + stress_random(&dice, 3), 1 + stress_random(&dice, 3) };
		snprintf(what, sizeof(what), "life %u: %s %u x %u", r, scheduler, shape.shepherds, shape.workers);
		stress_watch(what);
		choose_settings();
		stress_start(scheduler, shape);
		live((uint64_t)r << 16);
		qthread_finalize();
		stress_round();
		if (pending != 0)
			diag("%s: %u tasks did not run", what, pending);
		left += pending;
		survivors += !threads_are(before);
	}
	is_int(wrong, 0, "every job's answer is right, whatever the settings");
	is_int(left, 0, "what was ready has run before the runtime is gone");
	is_int(survivors, 0, "no thread outlives it");
	return done();
}
