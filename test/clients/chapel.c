/* test/clients/chapel.c -- a language runtime's way of using the library, after that of Chapel.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An OS thread made for the purpose starts the runtime, and thereby becomes its main task, and stops it; the process's
 * own main thread stays external and does all the rest: it forks tasks whose arguments are copied and whose results are
 * dropped, and waits for them on sync variables made of full/empty bits of words that were only ever set to 0.
 * Settings are written under both prefixes.
 */
#include "api/every.h"

#include <qthread/qtimer.h>

#include <semaphore.h>
#include <string.h>

enum { CHECKS_PER_RUN = 18, OTHER_CHECKS = 1, TASKLOCAL = 256, TASKS = 200 };

/* ---- Starting and stopping --------------------------------------------------------------------------------------- */

static void setting(const char *name, const char *value)
{
	char full[64];

	snprintf(full, sizeof(full), "QTHREAD_%s", name);
	setenv(full, value, 1);
	snprintf(full, sizeof(full), "QT_%s", name);
	setenv(full, value, 1);
}

static struct {
	pthread_t thread;
	sem_t up;
	int result;
	aligned_t leave;        /* the main task waits for it as a task does, so that its worker runs others */
} helper;

static void *helper_main(void *arg)
{
	(void)arg;
	helper.result = qthread_initialize();
	qthread_purge(&helper.leave);
	sem_post(&helper.up);
	qthread_readFF(NULL, &helper.leave);
	qthread_finalize();
	return NULL;
}

static void start(const char *what)
{
	unsetenv("QTHREAD_HWPAR");
	setting("NUM_SHEPHERDS", getenv("QT_NUM_SHEPHERDS"));
	setting("NUM_WORKERS_PER_SHEPHERD", getenv("QT_NUM_WORKERS_PER_SHEPHERD"));
	setting("STACK_SIZE", "65536");
	setting("GUARD_PAGES", "yes");
	setting("TASKLOCAL_SIZE", "256");
	setting("MAX_POOL_ALLOC_SIZE", "1048576");
	setting("STEAL_RATIO", "0");
	setting("SPINCOUNT", "300");
	setting("INFO", "0");
	sem_init(&helper.up, 0, 0);
	if (pthread_create(&helper.thread, NULL, helper_main, NULL) != 0)
		bail_out("pthread_create failed");
	while (sem_wait(&helper.up) != 0)
		continue;
	if (helper.result != QTHREAD_SUCCESS)
		bail_out("%s: qthread_initialize failed", what);
}

static void stop(void)
{
	qthread_fill(&helper.leave);
	pthread_join(helper.thread, NULL);
	sem_destroy(&helper.up);
}

/* ---- Sync variables: a word and its state, waited for by tasks and threads alike ----------------------------------- */

struct sync_var {
	aligned_t lock, became_full, became_empty;
	bool full;
	int64_t value;
};

static void sync_lock_when(struct sync_var *s, bool full)
{
	aligned_t *const became = full ? &s->became_full : &s->became_empty;

	qthread_lock(&s->lock);
	while (s->full != full) {
		qthread_purge(became);
		qthread_unlock(&s->lock);
		qthread_readFF(NULL, became);
		qthread_lock(&s->lock);
	}
}

static void sync_unlock_as(struct sync_var *s, bool full)
{
	s->full = full;
	qthread_fill(full ? &s->became_full : &s->became_empty);
	qthread_unlock(&s->lock);
}

static void sync_write(struct sync_var *s, int64_t value)
{
	sync_lock_when(s, false);
	s->value = value;
	sync_unlock_as(s, true);
}

static int64_t sync_read(struct sync_var *s)
{
	sync_lock_when(s, true);
	const int64_t value = s->value;
	sync_unlock_as(s, false);
	return value;
}

/* ---- Parallel statements: bundles are copied, the last task lets the parent go ------------------------------------- */

struct end_count {
	aligned_t left;
	aligned_t all_done;
};

struct bundle {
	struct end_count *end;
	void (*body)(struct bundle *b);
	void *data;
	int64_t index;
	char filler[200];       /* bundles are of all sizes */
};

static aligned_t run_bundle(void *arg)
{
	struct bundle *b = arg;
	struct end_count *end = b->end;

	b->body(b);
	memset(b->filler, 0, sizeof(b->filler)); /* the copy is the task's to write to */
	if (qthread_incr(&end->left, -1) == 1)
		qthread_fill(&end->all_done);
	return 0;
}

/* A coforall: `count` tasks at once; with a place for each, or wherever there is room. */
static int all_at_once(int count, bool places, void (*body)(struct bundle *), void *data)
{
	struct end_count end = { (aligned_t)count, 0 };
	struct bundle b = { .end = &end, .body = body, .data = data };
	int failed = 0;

	qthread_purge(&end.all_done);
	for (b.index = 0; b.index < count; b.index++) {
		if (places)
			failed += qthread_fork_copyargs_to(run_bundle, &b, sizeof(b), NULL,
				(qthread_shepherd_id_t)(b.index % qthread_num_shepherds())) != QTHREAD_SUCCESS;
		else
			failed += qthread_fork_copyargs(run_bundle, &b, sizeof(b), NULL) != QTHREAD_SUCCESS;
	}
	memset(&b, 0xff, sizeof(b));
	qthread_readFE(NULL, &end.all_done);
	qthread_fill(&end.all_done);
	return failed;
}

/* ---- Bodies ----------------------------------------------------------------------------------------------------- */

static void mark(struct bundle *b)
{
	qthread_incr((aligned_t *)b->data + b->index, 1);
}

/* The task's own data: as large as was set, at one address whatever happens, its own. */
static void own_data(struct bundle *b)
{
	int64_t *mine = qthread_get_tasklocal(TASKLOCAL);
	int64_t *const last = mine + TASKLOCAL / sizeof(int64_t) - 1;

	*mine = *last = b->index;
	for (int i = 0; i < 3; i++)
		qthread_yield();
	if (qthread_get_tasklocal(TASKLOCAL) == mine && *mine == b->index && *last == b->index)
		qthread_incr((aligned_t *)b->data, 1);
}

static void pinned(struct bundle *b)
{
	const qthread_shepherd_id_t here = qthread_shep();
	bool stays = qthread_migrate_to(here) == QTHREAD_SUCCESS;

	for (int i = 0; i < 10; i++) {
		qthread_yield();
		stays &= qthread_shep() == here;
	}
	if (stays)
		qthread_incr((aligned_t *)b->data, 1);
}

static void in_place(struct bundle *b)
{
	if (qthread_shep() == b->index % qthread_num_shepherds())
		qthread_incr((aligned_t *)b->data, 1);
}

static void nested(struct bundle *b)
{
	aligned_t marks[4] = { 0 };
	bool right = all_at_once(4, false, mark, marks) == 0;

	for (int i = 0; i < 4; i++)
		right &= marks[i] == 1;
	if (right)
		qthread_incr((aligned_t *)b->data, 1);
}

static struct sync_var one_word;

static void produce(struct bundle *b)
{
	sync_write(&one_word, b->index + 1);
}

static void consume(struct bundle *b)
{
	qthread_incr((aligned_t *)b->data, sync_read(&one_word));
}

static void both(struct bundle *b)
{
	(b->index % 2 ? consume : produce)(b);
}

/* ---- The program ------------------------------------------------------------------------------------------------ */

static void parallel_statements(const char *what)
{
	static aligned_t marks[TASKS];
	const int n = every_scaled(TASKS);
	int wrong = 0;
	aligned_t right = 0;

	memset(marks, 0, sizeof(marks));
	is_int(all_at_once(n, false, mark, marks), 0, "%s: qthread_fork_copyargs from a thread outside", what);
	for (int i = 0; i < n; i++)
		wrong += marks[i] != 1;
	is_int(wrong, 0, "%s: each task has its copy, whatever becomes of the bundle", what);
	is_int(all_at_once(n, true, in_place, &right), 0, "%s: qthread_fork_copyargs_to", what);
	is_int(right, n, "%s: each in its place", what);
	right = 0;
	all_at_once(10, false, nested, &right);
	is_int(right, 10, "%s: tasks have parallel statements of their own", what);
	qthread_reset_target_shep();
	right = 0;
	all_at_once(n, false, pinned, &right);
	is_int(right, n, "%s: qthread_migrate_to(qthread_shep()) pins a task", what);
}

static void data_of_tasks(const char *what)
{
	aligned_t right = 0;

	all_at_once(every_scaled(TASKS), false, own_data, &right);
	is_int(right, every_scaled(TASKS), "%s: a task's own data keep their size and address", what);
	ok(qthread_get_tasklocal(TASKLOCAL) == NULL, "%s: a thread outside has none", what);
	ok(qthread_readstate(STACK_SIZE) >= 65536, "%s: the stack size is that of the setting", what);
	ok(qthread_num_workers() == qthread_num_shepherds() * qthread_num_workers_local(NO_SHEPHERD),
		"%s: the workers are those of the settings", what);
	is_int(qthread_shep(), NO_SHEPHERD, "%s: this thread is on no shepherd", what);
}

static void sync_variables(const char *what)
{
	const int n = 2 * every_scaled(50);
	aligned_t sum = 0;
	int64_t mine = 0;

	memset(&one_word, 0, sizeof(one_word));
	all_at_once(n, false, both, &sum);
	is_int(sum, (n / 2) * (n / 2), "%s: what one task writes another one reads, each value once", what);
	ok(!one_word.full, "%s: and it ends empty", what);

	struct end_count end = { (aligned_t)n, 0 };
	struct bundle b = { .end = &end, .body = produce };
	qthread_purge(&end.all_done);
	for (b.index = 0; b.index < n; b.index++)
		qthread_fork_copyargs(run_bundle, &b, sizeof(b), NULL);
	for (int i = 0; i < n; i++)
		mine += sync_read(&one_word);
	qthread_readFF(NULL, &end.all_done);
	is_int(mine, n * (n + 1) / 2, "%s: a thread outside reads what tasks write", what);

	end.left = (aligned_t)n;
	sum = 0;
	b.body = consume;
	b.data = &sum;
	qthread_purge(&end.all_done);
	for (b.index = 0; b.index < n; b.index++)
		qthread_fork_copyargs(run_bundle, &b, sizeof(b), NULL);
	for (int i = 1; i <= n; i++)
		sync_write(&one_word, i);
	qthread_readFF(NULL, &end.all_done);
	is_int(sum, n * (n + 1) / 2, "%s: and writes what they read", what);
}

static void words(const char *what)
{
	static aligned_t zeroed[2];
	aligned_t got = 9;

	is_int(qthread_lock(&zeroed[0]), QTHREAD_SUCCESS, "%s: a word of 0 is a lock that nobody holds", what);
	qthread_unlock(&zeroed[0]);
	qthread_purge(&zeroed[1]);
	ok(qthread_fill(&zeroed[1]) == QTHREAD_SUCCESS && qthread_readFE(&got, &zeroed[1]) == QTHREAD_SUCCESS && got == 0,
		"%s: purge, fill and readFE go round", what);
	qthread_fill(&zeroed[1]);

	qtimer_t t = qtimer_create();
	qtimer_start(t);
	qtimer_stop(t);
	ok(qtimer_secs(t) >= 0, "%s: a timer", what);
	qtimer_destroy(t);
}

static void run(const char *what)
{
	start(what);
	parallel_statements(what);
	data_of_tasks(what);
	sync_variables(what);
	words(what);
	stop();
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	ok(qthread_readstate(RUNTIME_DATA_SIZE) > 0, "the size of the runtime's data is known beforehand");
	every_setting(run);
	return done();
}
