/* test/api/lifecycle.c -- starting and stopping, again and again; the process is left as it was found.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of starts in the long run (default 1000).
 */
#include "child.h"
#include "machine/fiber.h"
#include "waiting.h"
#include "process.h"

#include <sched.h>
#include <signal.h>

enum { CHECKS_PER_RUN = 11, CHECKS_PER_ENDING = 1, NENDINGS = 12, OTHER_CHECKS = 15 };

static aligned_t ended;
static aligned_t word;

static aligned_t count(void *arg)
{
	(void)arg;
	qthread_incr(&ended, 1);
	return 0;
}

static aligned_t seven(void *arg)
{
	(void)arg;
	return 7;
}

static bool tasks_run(void)
{
	aligned_t ret = 0;

	return qthread_fork(seven, NULL, &ret) == QTHREAD_SUCCESS && qthread_readFF(NULL, &ret) == QTHREAD_SUCCESS && ret == 7;
}

static bool is_down(void)
{
	return qthread_num_workers() == 0 && qthread_shep() == NO_SHEPHERD && qthread_fork(seven, NULL, NULL) == QTHREAD_NOT_ALLOWED;
}

/* ---- What the process has ------------------------------------------------------------------------------------- */

/* A checking tool may have one of its own, from the first one that the program makes. */
static int threads_without_ours;

/* A joined thread stays in the list for a moment more. */
static bool threads_become(int n)
{
	for (int i = 0; process_threads() != n && i < 1000000; i++)
		sched_yield();
	return process_threads() == n;
}

static void *nothing_in_thread(void *arg)
{
	return arg;
}

static void settle(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, nothing_in_thread, NULL) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, NULL);
	for (int same = 0; same < 200; same++) {
		const int n = process_threads();
		same = n == threads_without_ours ? same : 0;
		threads_without_ours = n;
		sched_yield();
	}
}

/* The file that says it in units of its own: an emulator may have other pages than the kernel. */
static long resident_kib(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	long kib = -1;
	char line[256];

	while (f && kib < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "VmRSS: %ld", &kib);
	if (kib < 0)
		bail_out("/proc/self/status cannot be read");
	fclose(f);
	return kib;
}

struct belongings {
	int threads, files;
	cpu_set_t cpus;
	sigset_t blocked;
	struct sigaction on_fault;
	stack_t altstack;
};

static void take_stock(struct belongings *b)
{
	memset(b, 0, sizeof(*b));
	b->threads = process_threads();
	b->files = process_entries("/proc/self/fd");
	sched_getaffinity(0, sizeof(b->cpus), &b->cpus);
	pthread_sigmask(SIG_SETMASK, NULL, &b->blocked);
	sigaction(SIGSEGV, NULL, &b->on_fault);
	sigaltstack(NULL, &b->altstack);
}

static bool same_signals(const sigset_t *a, const sigset_t *b)
{
	for (int i = 1; i < NSIG; i++)
		if (sigismember(a, i) != sigismember(b, i))
			return false;
	return true;
}

static bool same_altstack(const stack_t *a, const stack_t *b)
{
	return a->ss_flags == b->ss_flags && (a->ss_flags & SS_DISABLE || (a->ss_sp == b->ss_sp && a->ss_size == b->ss_size));
}

/* ---- One life ------------------------------------------------------------------------------------------------- */

static void finalize_outside(void *arg)
{
	(void)arg;
	qthread_finalize();
}

static aligned_t finalize_in_task(void *arg)
{
	(void)arg;
	qthread_finalize();
	return 0;
}

static void only_the_main_task_stops_it(const char *what)
{
	aligned_t ret = 0;

	qthread_fork(finalize_in_task, NULL, &ret);
	until_quiet();
	qthread_fork(finalize_in_task, NULL, &ret);
	qthread_readFF(NULL, &ret);     /* joined in place, on the main task's own stack */
	ok(tasks_run(), "%s: qthread_finalize in another task does nothing", what);
	every_outside(finalize_outside, NULL);
	ok(tasks_run(), "%s: nor does it on another thread", what);
	const unsigned id = qthread_id();
	ok(qthread_initialize() == QTHREAD_SUCCESS && qthread_init(3) == QTHREAD_SUCCESS && qthread_id() == id && tasks_run(),
		"%s: a second qthread_initialize does nothing and succeeds", what);
}

static aligned_t three_generations(void *arg)
{
	const intptr_t left = (intptr_t)arg;

	qthread_incr(&ended, 1);
	for (int i = 0; i < 4 && left > 0; i++)
		qthread_fork_to(three_generations, (void *)(left - 1), NULL, i % 2 ? (qthread_shepherd_id_t)i : NO_SHEPHERD);
	for (int i = 0; i < 3; i++)
		qthread_yield();
	qthread_incr(&ended, 1000);
	return 0;
}

static aligned_t wait_for_word(void *arg)
{
	(void)arg;
	qthread_readFF(NULL, &word);
	return count(NULL);
}

static aligned_t fill_word(void *arg)
{
	(void)arg;
	qthread_fill(&word);
	return 0;
}

static void fork_outside(void *arg)
{
	(void)arg;
	for (int i = 0; i < 10; i++)
		qthread_fork(count, NULL, NULL);
}

static aligned_t poll_for_ever(void *arg)
{
	(void)arg;
	for (;;)
		qthread_yield();
	return 0;
}

/* What waits for ever owns memory of each kind, which must not be lost. */
static aligned_t never;

static aligned_t wait_for_ever(void *arg)
{
	(void)arg;
	qthread_get_tasklocal(5000);
	qthread_readFE(NULL, &never);
	qthread_incr(&ended, 1000000);
	return 0;
}

static syncvar_t never_full, never_empty;

static aligned_t wait_for_ever_on_syncvars(void *arg)
{
	if (arg)
		qthread_syncvar_readFE(NULL, &never_full);
	else
		qthread_syncvar_writeEF_const(&never_empty, 1);
	qthread_incr(&ended, 1000000);
	return 0;
}

/* Results that cannot be delivered, because somebody has filled their words. */
static aligned_t filled_ret;
static syncvar_t filled_sv;

static aligned_t end_when_filled(void *arg)
{
	qthread_readFF(NULL, &word);
	return (aligned_t)(uintptr_t)arg;
}

static void leave_undelivered(void)
{
	qthread_empty(&word);
	filled_sv = SYNCVAR_INITIALIZER;
	qthread_fork(end_when_filled, (void *)1, &filled_ret);
	qthread_fork_syncvar(end_when_filled, (void *)1, &filled_sv);
	qthread_writeF_const(&filled_ret, 5);
	qthread_syncvar_writeF_const(&filled_sv, 6);
	qthread_fill(&word);
}

/* Found in any state, the words serve the next life. */
static bool syncvars_serve(void)
{
	uint64_t got = 0;

	return qthread_syncvar_writeF_const(&never_full, 5) == QTHREAD_SUCCESS &&
		qthread_syncvar_readFE(&got, &never_full) == QTHREAD_SUCCESS && got == 5 && qthread_syncvar_status(&never_full) == 0 &&
		qthread_syncvar_readFE(&got, &never_empty) == QTHREAD_SUCCESS && qthread_syncvar_status(&never_empty) == 0 &&
		qthread_syncvar_readFE(&got, &filled_sv) == QTHREAD_SUCCESS && got == 6 && qthread_syncvar_status(&filled_sv) == 0;
}

static void leave_waiting(void)
{
	static char bytes[5000];
	aligned_t *words[2] = { &never, &never };

	never_full = SYNCVAR_EMPTY_INITIALIZER;
	never_empty = SYNCVAR_INITIALIZER;
	qthread_fork(wait_for_ever_on_syncvars, NULL, NULL);
	qthread_fork(wait_for_ever_on_syncvars, bytes, NULL);

	qthread_empty(&never);
	qthread_fork(wait_for_ever, NULL, NULL);
	qthread_fork_copyargs(wait_for_ever, bytes, 500, NULL);
	qthread_fork_copyargs(wait_for_ever, bytes, 5000, NULL);
	qthread_fork_precond(wait_for_ever, NULL, NULL, -2, words);
}

static void ready_tasks_run_first(const char *what)
{
	enum { TREE = 1 + 4 + 16 + 64 };

	ended = 0;
	qthread_fork(three_generations, (void *)3, NULL);
	qthread_finalize();
	is_int(ended, TREE * 1001, "%s: qthread_finalize returns when all ready tasks, and those they fork, have ended", what);

	every_start(qti_rt.sched->name, getenv("QT_NUM_SHEPHERDS"), getenv("QT_NUM_WORKERS_PER_SHEPHERD"));
	ended = 0;
	qthread_empty(&word);
	for (int i = 0; i < 10; i++)
		qthread_fork(wait_for_word, NULL, NULL);
	until_waiting(&word, QTI_WAIT_READ_FF, 10);
	every_outside(fork_outside, NULL);
	qthread_fork(fill_word, NULL, NULL);
	leave_waiting();
	qthread_finalize();
	is_int(ended, 20, "%s: and those that others wake; what waits for ever is not resumed", what);

	every_start(qti_rt.sched->name, getenv("QT_NUM_SHEPHERDS"), getenv("QT_NUM_WORKERS_PER_SHEPHERD"));
	leave_undelivered();
	ended = 0;
	for (int i = 0; i < 4; i++) {
		qthread_fork_to(poll_for_ever, NULL, NULL, i % 2 ? (qthread_shepherd_id_t)i : NO_SHEPHERD);
		qthread_fork(three_generations, (void *)2, NULL);
	}
	qthread_finalize();
	is_int(ended, 4 * (1 + 4 + 16) * 1001, "%s: tasks that poll for ever do not keep it, and keep nobody from ending", what);
}

static void nothing_is_left(const char *what)
{
	static struct belongings before;
	struct belongings after;

	if (before.threads == 0) {
		/* What the C library sets up once on the first thread is not ours. */
		every_start("mts", "1", "2");
		tasks_run();
		qthread_finalize();
		threads_become(threads_without_ours);
		take_stock(&before);
	}
	const bool threads_ended = threads_become(before.threads);
	take_stock(&after);
	ok(is_down() && threads_ended, "%s: no thread is left", what);
	is_int(after.files, before.files, "%s: and no open file", what);
	ok(CPU_EQUAL(&after.cpus, &before.cpus) && same_signals(&after.blocked, &before.blocked),
		"%s: the CPUs and the signal mask are as before", what);
	ok(after.on_fault.sa_handler == before.on_fault.sa_handler && same_altstack(&after.altstack, &before.altstack),
		"%s: so are the SIGSEGV handler and the alternate stack", what);
	qthread_finalize();
}

/* every_runtime starts it before and stops it after, when it is down already. */
static void run(const char *what)
{
	only_the_main_task_stops_it(what);
	setenv("QT_NUM_SHEPHERDS", strstr(what, " 2 x") ? "2" : "1", 1);
	setenv("QT_NUM_WORKERS_PER_SHEPHERD", strstr(what, "x 2") ? "2" : "1", 1);
	ready_tasks_run_first(what);
	nothing_is_left(what);
	ok(syncvars_serve(), "%s: syncvars at which tasks waited are as good as before", what);
}

/* ---- Other ways to start -------------------------------------------------------------------------------------- */

static void by_number(void)
{
	unsetenv("QT_NUM_SHEPHERDS");
	unsetenv("QT_NUM_WORKERS_PER_SHEPHERD");
	setenv("QT_SCHEDULER", "ws", 1);
	ok(qthread_init(3) == QTHREAD_SUCCESS && qthread_num_shepherds() == 3 && qthread_num_workers() == 3 && tasks_run(),
		"qthread_init(3) starts 3 shepherds of 1 worker");
	qthread_finalize();
	is_str(getenv("QT_NUM_SHEPHERDS"), "3", "and leaves QT_NUM_SHEPHERDS in the environment");
	is_str(getenv("QT_NUM_WORKERS_PER_SHEPHERD"), "1", "and QT_NUM_WORKERS_PER_SHEPHERD");
	ok(qthread_initialize() == QTHREAD_SUCCESS && qthread_num_shepherds() == 3, "where the next start finds them");
	qthread_finalize();
}

static void *live_in_thread(void *arg)
{
	bool *const right = arg;
	struct belongings before, after;

	/* This thread, and none that has just been joined: such a one may still be listed. */
	threads_become(threads_without_ours + 1);
	take_stock(&before);
	every_start("mts", "1", "2");
	*right = qthread_shep() == 0 && qthread_worker_unique(NULL) == 1 && tasks_run();
	qthread_finalize();
	*right = *right && is_down() && threads_become(before.threads);
	take_stock(&after);
	*right = *right && same_altstack(&before.altstack, &after.altstack) && CPU_EQUAL(&before.cpus, &after.cpus);
	return NULL;
}

static void in_another_thread(void)
{
	bool right = false;
	pthread_t thread;

	if (pthread_create(&thread, NULL, live_in_thread, &right) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, NULL);
	ok(right, "any OS thread may start it, be its main task, and stop it");
	every_start("mts", "1", "2");
	ok(tasks_run(), "and another one after that");
	qthread_finalize();
}

enum { STARTERS = 6 };

static struct {
	pthread_barrier_t ready, tried;
	aligned_t succeeded, mains, worked;
} race;

static void *start_at_once(void *arg)
{
	(void)arg;
	pthread_barrier_wait(&race.ready);
	const bool up = qthread_initialize() == QTHREAD_SUCCESS;
	const bool main = qthread_shep() != NO_SHEPHERD;
	qthread_incr(&race.succeeded, up);
	qthread_incr(&race.mains, main);
	qthread_incr(&race.worked, tasks_run());
	pthread_barrier_wait(&race.tried);
	qthread_finalize();
	return NULL;
}

static void many_start_at_once(void)
{
	const int rounds = every_scaled(20);
	pthread_t thread[STARTERS];
	bool right = true;

	for (int r = 0; r < rounds; r++) {
		pthread_barrier_init(&race.ready, NULL, STARTERS);
		pthread_barrier_init(&race.tried, NULL, STARTERS);
		race.succeeded = race.mains = race.worked = 0;
		for (int i = 0; i < STARTERS; i++)
			if (pthread_create(&thread[i], NULL, start_at_once, NULL) != 0)
				bail_out("pthread_create failed");
		for (int i = 0; i < STARTERS; i++)
			pthread_join(thread[i], NULL);
		right = right && race.succeeded == STARTERS && race.mains == 1 && race.worked == STARTERS && is_down();
		pthread_barrier_destroy(&race.ready);
		pthread_barrier_destroy(&race.tried);
	}
	ok(right, "%d threads start it at once: all succeed and one is the main task (%d rounds)", STARTERS, rounds);
}

/* ---- Signals and CPUs ----------------------------------------------------------------------------------------- */

static void handler(int sig)
{
	(void)sig;
}

static void users_signals(void)
{
	static char altstack[64 << 10];
	struct sigaction mine = { .sa_handler = handler }, now;
	stack_t stack = { .ss_sp = altstack, .ss_size = sizeof(altstack) }, seen, none;
	sigset_t blocked, mask;

	sigaltstack(NULL, &none);
	sigaltstack(&stack, NULL);
	sigaction(SIGSEGV, &mine, NULL);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	every_start("mts", "1", "2");
	sigaltstack(NULL, &seen);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	ok(seen.ss_sp == altstack && sigismember(&mask, SIGUSR1) && tasks_run(), "the user's alternate stack and signal mask stay");
	qthread_finalize();
	sigaction(SIGSEGV, NULL, &now);
	sigaltstack(NULL, &seen);
	ok(now.sa_handler == handler && seen.ss_sp == altstack, "the user's SIGSEGV handler is back after qthread_finalize");

	mine.sa_handler = SIG_DFL;
	sigaction(SIGSEGV, &mine, NULL);
	every_start("mts", "1", "2");
	mine.sa_handler = handler;
	sigaction(SIGSEGV, &mine, NULL);
	qthread_finalize();
	sigaction(SIGSEGV, NULL, &now);
	ok(now.sa_handler == handler, "one that the user put up meanwhile stays");
	mine.sa_handler = SIG_DFL;
	sigaction(SIGSEGV, &mine, NULL);
	sigaltstack(&none, NULL);
	pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
}

static void cpus_are_given_back(void)
{
	cpu_set_t all, one, now;
	bool right = true;

	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &one);
	setenv("QT_AFFINITY", "yes", 1);
	for (int i = 0; i < (process_can_bind() ? 2 : 1); i++) {
		sched_setaffinity(0, sizeof(all), i ? &one : &all);
		every_start("mts", "1", "2");
		right = right && tasks_run();
		qthread_finalize();
		sched_getaffinity(0, sizeof(now), &now);
		right = right && CPU_EQUAL(&now, i ? &one : &all);
	}
	unsetenv("QT_AFFINITY");
	sched_setaffinity(0, sizeof(all), &all);
	ok(right, "with QT_AFFINITY=yes, too, the caller's CPUs are given back");
}

/* ---- The long run --------------------------------------------------------------------------------------------- */

static void live_once(int i)
{
	setenv("QT_SCHEDULER", every_scheduler[i % EVERY_SCHEDULERS], 1);
	setenv("QT_NUM_SHEPHERDS", i % 2 ? "2" : "1", 1);
	setenv("QT_NUM_WORKERS_PER_SHEPHERD", i % 3 ? "1" : "2", 1);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("start number %d failed", i);
	leave_waiting();
	leave_undelivered();
	if (!tasks_run())
		bail_out("start number %d: tasks do not run", i);
	qthread_finalize();
	if (!syncvars_serve())
		bail_out("start number %d: a syncvar is not what it was", i);
}

static void a_long_run(void)
{
	const int rounds = every_scaled(getenv("QTI_ROUNDS") ? atoi(getenv("QTI_ROUNDS")) : 1000), warm = rounds / 2;
	struct belongings before, after;
	long memory = 0;

	for (int i = 0; i < rounds; i++) {
		if (i == warm) {
			threads_become(threads_without_ours);
			take_stock(&before);
			memory = resident_kib();
		}
		live_once(i);
	}
	const long grown = resident_kib() - memory;
	const bool threads_ended = threads_become(before.threads);
	take_stock(&after);
	ok(threads_ended && after.files == before.files, "%d starts: no thread, no file is left", rounds);
	if (QTI_ASAN || every_is_slow())
		skip(1, "a checking tool has memory of its own");
	else if (getenv("QTI_EMULATED"))
		skip(1, "qemu keeps 280 KiB of each thread that there ever was");
	else
		ok(grown < 512, "and the later half took %ld KiB", grown);
}

/* ---- Ways to end: in a process of their own ------------------------------------------------------------------- */

enum who { MAIN, RETURN, TASK, TASK_ELSEWHERE, THREAD, NWHO };

struct ending {
	const char *name;
	enum who who;
	bool marks;             /* ready tasks run: each leaves a mark */
};

enum { STATUS = 3, MARKS = 10 };

static aligned_t mark(void *arg)
{
	(void)arg;
	if (write(STDERR_FILENO, "x", 1) != 1)
		abort();
	return 0;
}

static aligned_t exit_here(void *arg)
{
	(void)arg;
	exit(STATUS);
}

static void *exit_in_thread(void *arg)
{
	exit_here(arg);
	return NULL;
}

static void say_down(void)
{
	if (write(STDERR_FILENO, is_down() ? "d" : "u", 1) != 1)
		abort();
}

static const char *ending_scheduler;

static void end(void *arg)
{
	const struct ending *e = arg;
	pthread_t thread;

	alarm(60);              /* a hang is a failure, not a wait */
	atexit(say_down);
	every_start(ending_scheduler, "2", "1");
	for (int i = 0; i < MARKS && e->marks; i++)
		qthread_fork_to(mark, NULL, NULL, i % 2 ? 0 : NO_SHEPHERD);
	switch (e->who) {
	case MAIN:
		exit(STATUS);
	case RETURN:
		return;
	case TASK:
		qthread_fork_to(exit_here, NULL, NULL, 0);
		break;
	case TASK_ELSEWHERE:
		qthread_fork_to(exit_here, NULL, NULL, 1);
		break;
	default:
		if (pthread_create(&thread, NULL, exit_in_thread, NULL) != 0)
			abort();
	}
	qthread_empty(&never);
	qthread_readFF(NULL, &never);
}

static void ways_to_end(void)
{
	static const struct ending endings[] = {
		{ "exit() in the main task, with ready tasks", MAIN, true },
		{ "return from main without qthread_finalize", RETURN, true },
		{ "exit() in a task on the main task's worker", TASK, false },
		{ "exit() in a task on another worker", TASK_ELSEWHERE, false },
		{ "exit() in a pthread", THREAD, false },
		{ "exit() in the main task", MAIN, false },
	};
	static const char *const schedulers[] = { "q", "mts" };
	const char *tool = getenv("QTI_TEST_TOOL");
	static struct child c;

	for (int s = 0; s < 2; s++)
		for (unsigned i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
			const struct ending *e = &endings[i];
			const bool stopped = e->who == MAIN || e->who == RETURN;
			char want[MARKS + 2] = "xxxxxxxxxx";

			if (!stopped && tool && *tool) {
				skip(1, "%s counts what threads own that still run as lost", tool);
				continue;
			}
			ending_scheduler = schedulers[s];
			child_run(&c, end, (void *)(uintptr_t)e);
			strcpy(want + (e->marks ? MARKS : 0), stopped ? "d" : "u");
			if (!ok(WIFEXITED(c.status) && WEXITSTATUS(c.status) == (e->who == RETURN ? 0 : STATUS) && strcmp(c.said, want) == 0,
				"%s: %s ends the process%s", schedulers[s], e->name, stopped ? " and stops the runtime before" : ""))
				child_tell(&c);
		}
}

/* ---- A child of fork(2) --------------------------------------------------------------------------------------- */

static syncvar_t parents_syncvar = SYNCVAR_STATIC_EMPTY_INITIALIZER;
static qthread_queue_t parents_queue;
static aligned_t parents_woken;

static aligned_t wait_at_syncvar(void *arg)
{
	(void)arg;
	qthread_syncvar_readFF(NULL, &parents_syncvar);
	qthread_incr(&parents_woken, 1);
	return 0;
}

static aligned_t wait_in_queue(void *arg)
{
	(void)arg;
	qthread_queue_join(parents_queue);
	qthread_incr(&parents_woken, 1);
	return 0;
}

/* The parent's tasks are not the child's to run. */
static bool child_has_no_waiters(void)
{
	const bool none = qthread_queue_length(parents_queue) == 0;

	every_start("mts", "1", "1");
	qthread_syncvar_writeEF_const(&parents_syncvar, 1);
	qthread_queue_release_all(parents_queue);
	until_quiet();
	const bool right = none && parents_woken == 0 && qthread_queue_destroy(parents_queue) == QTHREAD_SUCCESS;
	qthread_finalize();
	return right && parents_woken == 0;
}

static void fork_while_some_wait(void *unused)
{
	aligned_t ret[2];
	int status = -1;

	(void)unused;
	every_start("mts", "1", "1");
	parents_queue = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);
	qthread_fork(wait_at_syncvar, NULL, &ret[0]);
	qthread_fork(wait_in_queue, NULL, &ret[1]);
	until_quiet();
	const pid_t pid = fork();
	if (pid == 0)
		_exit(child_has_no_waiters() ? 0 : 1);
	waitpid(pid, &status, 0);
	qthread_syncvar_writeEF_const(&parents_syncvar, 1);
	qthread_queue_release_all(parents_queue);
	qthread_readFF(NULL, &ret[0]);
	qthread_readFF(NULL, &ret[1]);
	_exit(WIFEXITED(status) && parents_woken == 2 ? WEXITSTATUS(status) : 2);
}

static void only_the_parents_wait(void)
{
	static struct child c;

	if (every_is_slow()) {
		skip(1, "ThreadSanitizer allows no new thread in a child, valgrind no memory that it leaves");
		return;
	}
	child_run(&c, fork_while_some_wait, NULL);
	if (!ok(child_ended_well(&c), "what waits at syncvars and in queues does not wait in a child of fork"))
		child_tell(&c);
}

int main(void)
{
	process_needs_proc();
	plan(every_runs() * CHECKS_PER_RUN + NENDINGS * CHECKS_PER_ENDING + OTHER_CHECKS);
	ways_to_end();
	settle();
	qthread_finalize();
	ok(is_down(), "qthread_finalize before qthread_initialize does nothing");
	every_runtime(run);
	by_number();
	in_another_thread();
	many_start_at_once();
	users_signals();
	cpus_are_given_back();
	only_the_parents_wait();
	a_long_run();
	return done();
}
