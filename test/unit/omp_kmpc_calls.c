/* test/unit/omp_kmpc_calls.c -- regions, what one member does for all, tasks and memory, as compiled code of clang and
 * Intel calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/atomic.h"
#include "machine/fpcontrol.h"
#include "omp/abi/api.h"
#include "omp/abi/kmpc_copies.h"
#include "omp/abi/kmpc_lock.h"
#include "omp/abi/kmpc_memory.h"
#include "omp/abi/kmpc_region.h"
#include "omp/abi/kmpc_tasking.h"
#include "omp/again.h"
#include "tap.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, MANY = 200 };

extern void omp_fulfill_event(uintptr_t);

/* No compiler of ours knows the type. */
#define MICRO(fn) ((kmpc_micro *)(void (*)(void))(fn))

static uint32_t runs;

/* --- regions --------------------------------------------------------------------------------------------- */

#define P6(n) int64_t n##0, int64_t n##1, int64_t n##2, int64_t n##3, int64_t n##4, int64_t n##5
#define S6(n) (n##0 + 2 * n##1 + 3 * n##2 + 4 * n##3 + 5 * n##4 + 6 * n##5)
#define V6(i) (int64_t)(i), (int64_t)(i) + 1, (int64_t)(i) + 2, (int64_t)(i) + 3, (int64_t)(i) + 4, (int64_t)(i) + 5
#define VALUE6(i) (21 * (i) + 0 + 2 + 6 + 12 + 20 + 30)

static int64_t got;

static void six(int32_t *thread, int32_t *bound, P6(a))
{
	(void)thread;
	if (*bound == omp_get_thread_num())
		add_rlx(&runs, 1);
	if (*bound == 0)
		got = S6(a);
}

static void forty(int32_t *thread, int32_t *bound, P6(a), P6(b), P6(c), P6(d), P6(e), P6(f), P6(g))
{
	(void)thread;
	add_rlx(&runs, 1);
	if (*bound == 0)
		got = S6(a) + S6(b) + S6(c) + S6(d) + S6(e) + S6(f) + S6(g);
}

#define P48(n) P6(n##a), P6(n##b), P6(n##c), P6(n##d), P6(n##e), P6(n##f), P6(n##g), P6(n##h)
#define S48(n) (S6(n##a) + S6(n##b) + S6(n##c) + S6(n##d) + S6(n##e) + S6(n##f) + S6(n##g) + S6(n##h))
#define V48(i) V6(i), V6((i) + 6), V6((i) + 12), V6((i) + 18), V6((i) + 24), V6((i) + 30), V6((i) + 36), V6((i) + 42)

static void many(int32_t *thread, int32_t *bound, P48(a), P48(b), P48(c), P48(d))
{
	(void)thread;
	add_rlx(&runs, 1);
	if (*bound == 0)
		got = S48(a) + S48(b) + S48(c) + S48(d);
}

static int64_t sum_of_blocks(int n)
{
	int64_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += VALUE6(6 * i);
	return sum;
}

static void arguments(void)
{
	runs = 0;
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 6, MICRO(six), V6(0));
	ok(runs == THREADS && got == sum_of_blocks(1), "fork_call: 6 words, to each of the threads asked for");
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 42, MICRO(forty), V6(0), V6(6), V6(12), V6(18), V6(24), V6(30), V6(36));
	ok(runs == 2 * THREADS && got == sum_of_blocks(7), "fork_call: 42 words");
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 192, MICRO(many), V48(0), V48(48), V48(96), V48(144));
	ok(runs == 3 * THREADS && got == sum_of_blocks(32), "fork_call: 192 words");
}

static void one_word(int32_t *thread, int32_t *bound, int *sizes)
{
	(void)thread;
	sizes[*bound] = omp_get_num_threads();
}

static void queries(int32_t *thread, int32_t *bound, uint32_t *wrong)
{
	bool good = __kmpc_global_thread_num(NULL) == *thread && __kmpc_bound_thread_num(NULL) == *bound &&
		    __kmpc_bound_num_threads(NULL) == THREADS && __kmpc_in_parallel(NULL) == 1 &&
		    __kmpc_global_num_threads(NULL) > *thread && __kmpc_ok_to_fork(NULL) == 1;

	if (!good)
		add_rlx(wrong, 1);
}

static void shapes(void)
{
	int sizes[THREADS] = { 0 }, level;
	uint32_t wrong = 0;
	struct kmpc_ident automatic = { .flags = KMPC_AUTOPAR };

	__kmpc_begin(NULL, 0);
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_pop_num_threads(NULL, 0);
	__kmpc_fork_call_if(NULL, 1, MICRO(one_word), 1, sizes);
	ok(sizes[0] == THREADS && sizes[2] == THREADS, "fork_call_if: a region");
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call_if(NULL, 1, MICRO(one_word), 0, sizes);
	ok(sizes[0] == 1, "fork_call_if: of one if the condition does not hold, whatever is asked for");
	__kmpc_serialized_parallel(NULL, 0);
	level = omp_get_level() * 10 + omp_get_active_level();
	__kmpc_end_serialized_parallel(NULL, 0);
	__kmpc_serialized_parallel(&automatic, 0);
	level = level * 10 + omp_get_level();
	__kmpc_end_serialized_parallel(&automatic, 0);
	is_int(level, 100, "serialized_parallel: a level, not an active one; none if it is the compiler's idea");
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_push_proc_bind(NULL, 0, 5);
	__kmpc_fork_call(NULL, 1, MICRO(queries), &wrong);
	is_int(wrong, 0, "global_thread_num, bound_thread_num and their like: who and where");
	__kmpc_end(NULL);
}

#if defined(__x86_64__) || defined(QTI_FPCONTROL)
static void rounding(int32_t *thread, int32_t *bound, uint32_t *upward)
{
	volatile double one = 1, three = 3;

	(void)thread, (void)bound;
	add_rlx(upward, one / three > 1.0 / 3.0);
}

static void floating_point(void)
{
	const char *tool = getenv("QTI_TEST_TOOL");
	uint32_t upward = 0;
	int before = fegetround();

	if (tool && *tool) {
		skip(2, "%s computes in its own way", tool);
		return;
	}
	fesetround(FE_UPWARD);
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(rounding), &upward);
	fesetround(before);
	is_int(upward, THREADS, "fork_call: members round as the master does");
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(rounding), &upward);
	is_int(upward, THREADS, "fork_call: and no longer when it does not");
}
#endif

/* num_threads(3, 2, 1), of later compilers; sizes[level]. */
struct nest {
	uint32_t region[4];             /* threads that were in regions of that level, all together */
	uint32_t wrong;
};

static void nested(int32_t *thread, int32_t *bound, struct nest *n)
{
	static const int want[] = { 0, 3, 2, 1, 1 };
	int level = omp_get_level();

	(void)thread, (void)bound;
	add_rlx(&n->region[level], 1);
	if (omp_get_num_threads() != want[level] || omp_get_max_threads() != want[level + 1])
		add_rlx(&n->wrong, 1);
	if (level == 1)         /* which leaves the list's rest to regions inside */
		__kmpc_push_num_threads_strict(NULL, 0, 2, 1, NULL);
	if (level < 3)
		__kmpc_fork_call(NULL, 1, MICRO(nested), n);
}

static void lists(void)
{
	static const int32_t sizes[] = { 3, 2, 1 };
	struct nest n = { .wrong = 0 };
	int before = omp_get_max_threads(), levels = omp_get_max_active_levels();

	omp_set_max_active_levels(3);
	__kmpc_push_num_threads_list(NULL, 0, 3, sizes);
	__kmpc_fork_call(NULL, 1, MICRO(nested), &n);
	ok(n.region[1] == 3 && n.region[2] == 6 && n.region[3] == 6 && n.wrong == 0, "push_num_threads_list: a size for each level");
	is_int(omp_get_max_threads(), before, "and none after it");
	omp_set_max_active_levels(levels);
}

/* A region that asks for THREADS and gets 2, in a child; true if it has run, and the child came to its end.  Its status
 * is not asked: a checker of memory, which misses the threads of the parent, may have its say there. */
static bool strict_runs(int32_t severity, const char *message, char *line, size_t size)
{
	static const int32_t threads = THREADS;
	bool *ran = mmap(NULL, sizeof(*ran), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int got_threads[THREADS] = { 0 }, end[2];

	if (pipe(end) != 0 || ran == MAP_FAILED)
		bail_out("no pipe");
	pid_t child = fork();
	if (child == 0) {
		dup2(end[1], STDERR_FILENO);
		__kmpc_set_thread_limit(NULL, 0, 2);
		if (message)
			__kmpc_push_num_threads_strict(NULL, 0, THREADS, severity, message);
		else
			__kmpc_push_num_threads_list_strict(NULL, 0, 1, &threads, severity, message);
		__kmpc_fork_call(NULL, 1, MICRO(one_word), got_threads);
		*ran = got_threads[1] == 2;
		_exit(0);
	}
	close(end[1]);
	size_t used = 0;
	for (ssize_t n; used + 1 < size && (n = read(end[0], line + used, size - 1 - used)) > 0;)
		used += (size_t)n;
	line[used] = '\0';
	close(end[0]);
	waitpid(child, NULL, 0);
	bool good = *ran;
	munmap(ran, sizeof(*ran));
	return good;
}

static void strictness(void)
{
	char line[400];

	if (QTI_TSAN || getenv("QTI_EMULATED")) {
		skip(4, "ThreadSanitizer lets a child start no threads, nor does qemu 7.2");
		return;
	}
	ok(strict_runs(1, "Not enough", line, sizeof(line)), "push_num_threads_strict: a warning, and the region runs");
	ok(strstr(line, "Not enough: a region asks for 3 threads and gets 2\n"), "which says what there is: %s", line);
	ok(!strict_runs(2, NULL, line, sizeof(line)), "push_num_threads_list_strict: or the program ends");
	ok(strstr(line, "num_threads(strict): a region asks for 3 threads and gets 2\n"), "and says so: %s", line);
}

static int teams_seen[4];

static void team(int32_t *thread, int32_t *bound, int *limit)
{
	(void)thread, (void)bound;
	teams_seen[omp_get_team_num()] = omp_get_num_teams();
	*limit = omp_get_thread_limit();
}

static void leagues(void)
{
	int limit = 0;

	__kmpc_push_num_teams(NULL, 0, 3, 2);
	__kmpc_fork_teams(NULL, 1, MICRO(team), &limit);
	ok(teams_seen[0] == 3 && teams_seen[1] == 3 && teams_seen[2] == 3 && limit == 2, "push_num_teams, fork_teams: each once");
	memset(teams_seen, 0, sizeof(teams_seen));
	__kmpc_fork_teams(NULL, 1, MICRO(team), &limit);
	ok(teams_seen[0] == 1 && limit > 2, "fork_teams: what was pushed counts once");
	__kmpc_push_num_teams_51(NULL, 0, 1, 4, 0);
	__kmpc_fork_teams(NULL, 1, MICRO(team), &limit);
	is_int(teams_seen[3], 4, "push_num_teams_51: as many as there may be");
	int before = omp_get_thread_limit();
	__kmpc_set_thread_limit(NULL, 0, 5);
	is_int(omp_get_thread_limit(), 5, "set_thread_limit: of the running task");
	__kmpc_set_thread_limit(NULL, 0, before);
}

/* --- one for all ----------------------------------------------------------------------------------------- */

struct shared {
	uint32_t once, all, wrong;
	int plain, reduced;
	kmpc_critical_name lock;
};

static void copy_int(void *to, void *from)
{
	**(int **)to = **(int **)from;
}

static void exclusive(int32_t *thread, int32_t *bound, struct shared *s)
{
	int own = 0, had = 0, *list[] = { &own };

	add_rlx(&s->once, __kmpc_master(NULL, *thread) && *bound == 0);
	if (*bound == 0)
		__kmpc_end_master(NULL, *thread);
	add_rlx(&s->once, (uint32_t)__kmpc_masked(NULL, *thread, 1));
	if (*bound == 1)
		__kmpc_end_masked(NULL, *thread);
	if (__kmpc_single(NULL, *thread)) {
		own = 77;
		had = 1;
		add_rlx(&s->once, 1);
		__kmpc_end_single(NULL, *thread);
	}
	__kmpc_copyprivate(NULL, *thread, sizeof(list), list, copy_int, had);
	if (own != 77)
		add_rlx(&s->wrong, 1);
	if (__kmpc_copyprivate_light(NULL, *thread, had ? &s->plain : NULL) != &s->plain)
		add_rlx(&s->wrong, 1);
	if (__kmpc_barrier_master(NULL, *thread)) {
		add_rlx(&s->once, 1);
		__kmpc_end_barrier_master(NULL, *thread);
	}
	if (load_rlx(&s->once) != 4)
		add_rlx(&s->wrong, 1);
	add_rlx(&s->all, (uint32_t)__kmpc_barrier_master_nowait(NULL, *thread));
	__kmpc_scope(NULL, *thread, NULL);
	for (int i = 0; i < 1000; i++) {
		if (i % 2)
			__kmpc_critical(NULL, *thread, &s->lock);
		else
			__kmpc_critical_with_hint(NULL, *thread, &s->lock, 2);
		s->plain++;
		__kmpc_end_critical(NULL, *thread, &s->lock);
	}
	__kmpc_end_scope(NULL, *thread, NULL);
	__kmpc_flush(NULL);
	if (__kmpc_cancel_barrier(NULL, *thread))
		add_rlx(&s->wrong, 1);
}

static void reducing(int32_t *thread, int32_t *bound, struct shared *s)
{
	struct kmpc_ident atomics = { .flags = KMPC_ATOMIC_REDUCE };
	void *data[] = { &bound };

	if (__kmpc_reduce(NULL, *thread, 1, sizeof(data), data, NULL, &s->lock) != 1)
		add_rlx(&s->wrong, 1);
	s->reduced++;
	__kmpc_end_reduce(NULL, *thread, &s->lock);
	if (s->reduced != THREADS)
		add_rlx(&s->wrong, 1);
	if (__kmpc_reduce_nowait(&atomics, *thread, 1, sizeof(data), data, NULL, &s->lock) != 2)
		add_rlx(&s->wrong, 1);
	__kmpc_end_reduce_nowait(&atomics, *thread, &s->lock);
}

static void exclusion(void)
{
	struct shared s = { .plain = 0 };

	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(exclusive), &s);
	ok(s.once == 4 && s.all == 1 && s.wrong == 0, "master, masked, single, barrier_master: one; copyprivate: what it had, for all");
	is_int(s.plain, THREADS * 1000, "critical: one at a time");
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(reducing), &s);
	is_int(s.wrong, 0, "reduce: one at a time, and all when it ends; or atomically");
}

/* What it writes to stderr; the newline is left out. */
static void error_says(struct kmpc_ident *loc, const char *message, char *text, size_t size)
{
	FILE *f = tmpfile();
	int before = dup(STDERR_FILENO);

	if (!f || before < 0 || dup2(fileno(f), STDERR_FILENO) < 0)
		bail_out("no temporary file");
	__kmpc_error(loc, 1, message);
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(f);
	if (!fgets(text, (int)size, f))
		*text = '\0';
	text[strcspn(text, "\n")] = '\0';
	fclose(f);
}

static void errors(void)
{
	struct kmpc_ident place = { .source = ";dir/file.c;function;3;5;;" }, odd = { .source = ";file.c;" };
	char text[200];

	error_says(&place, "beware", text, sizeof(text));
	is_str(text, "OMP: Warning #283: dir/file.c:3:5: Encountered user-directed warning: beware.", "error: a warning, and where");
	error_says(&odd, "beware", text, sizeof(text));
	is_str(text, "OMP: Warning #283: Encountered user-directed warning: beware.", "error: a place that says little");
	error_says(NULL, NULL, text, sizeof(text));
	is_str(text, "OMP: Warning #283: Encountered user-directed warning: .", "error: no place, and no message");
}

/* --- locks, memory --------------------------------------------------------------------------------------- */

static void locks(void)
{
	void *lock = NULL, *nest = NULL;
	int seen;

	__kmpc_init_lock(NULL, 0, &lock);
	__kmpc_init_lock_with_hint(NULL, 0, &lock, 1);
	__kmpc_set_lock(NULL, 0, &lock);
	seen = __kmpc_test_lock(NULL, 0, &lock);
	__kmpc_unset_lock(NULL, 0, &lock);
	seen = seen * 10 + __kmpc_test_lock(NULL, 0, &lock);
	__kmpc_unset_lock(NULL, 0, &lock);
	__kmpc_destroy_lock(NULL, 0, &lock);
	is_int(seen, 1, "set_lock, test_lock: held, then free");
	__kmpc_init_nest_lock(NULL, 0, &nest);
	__kmpc_init_nest_lock_with_hint(NULL, 0, &nest, 1);
	__kmpc_set_nest_lock(NULL, 0, &nest);
	seen = __kmpc_test_nest_lock(NULL, 0, &nest);
	__kmpc_unset_nest_lock(NULL, 0, &nest);
	__kmpc_unset_nest_lock(NULL, 0, &nest);
	seen = seen * 10 + __kmpc_test_nest_lock(NULL, 0, &nest);
	__kmpc_unset_nest_lock(NULL, 0, &nest);
	__kmpc_destroy_nest_lock(NULL, 0, &nest);
	is_int(seen, 21, "set_nest_lock, test_nest_lock: how often");
}

static void memory(void)
{
	uintptr_t own = __kmpc_init_allocator(0, 0, 0, NULL), before = __kmpc_get_default_allocator(0);
	char *p = __kmpc_alloc(0, 100, 0), *q = __kmpc_aligned_alloc(0, 128, 50, own), *z = __kmpc_calloc(0, 10, 10, 0);
	bool good = p && q && z && (uintptr_t)q % 128 == 0 && z[99] == 0;

	z[99] = 5;
	z = __kmpc_realloc(0, z, 1000, 0, 0);
	good = good && z && z[99] == 5;
	__kmpc_free(0, p, 0);
	__kmpc_free(0, q, own);
	__kmpc_free(0, z, 0);
	__kmpc_set_default_allocator(0, own);
	good = good && __kmpc_get_default_allocator(0) == own;
	__kmpc_set_default_allocator(0, before);
	__kmpc_destroy_allocator(0, own);
	ok(good, "alloc, aligned_alloc, calloc, realloc, free: with allocators");
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

/* With privates of its own, and 8 bytes that it shares. */
struct task {
	struct kmpc_task front;
	uint64_t lower, upper;
	int64_t step;
	int32_t last;
	void *reductions;
	int64_t a, b;
	char large[100];
};

static uint32_t destroyed;

static int32_t count_shared(int32_t thread, struct kmpc_task *task)
{
	(void)thread;
	add_rlx(*(uint32_t **)task->shareds, 1);
	return 0;
}

static int32_t count_destroyed(int32_t thread, struct kmpc_task *task)
{
	(void)thread, (void)task;
	add_rlx(&destroyed, 1);
	return 0;
}

static struct kmpc_task *task_new(int32_t flags, size_t size, kmpc_routine *routine, uint32_t *counter)
{
	struct kmpc_task *t = __kmpc_omp_task_alloc(NULL, 0, flags, size, sizeof(counter), routine);

	if ((uintptr_t)t % 64 != 0 || (char *)t->shareds != (char *)t + ((size + 7) & ~(size_t)7))
		bail_out("a task is not where it should be");
	*(uint32_t **)t->shareds = counter;
	return t;
}

/* Three parts: two continue. */
static int32_t parts(int32_t thread, struct kmpc_task *task)
{
	add_rlx(*(uint32_t **)task->shareds, 1);
	if (task->part < 2) {
		task->part++;
		if (task->part == 1)
			__kmpc_omp_task(NULL, thread, task);
		else
			__kmpc_omp_task_parts(NULL, thread, task);
	}
	return 0;
}

static int32_t sum_piece(int32_t thread, struct kmpc_task *task)
{
	struct task *t = (struct task *)task;

	(void)thread;
	for (uint64_t i = t->lower; (int64_t)i <= (int64_t)t->upper; i += (uint64_t)t->step)
		add_rlx(*(uint32_t **)task->shareds, (uint32_t)i);
	return 0;
}

static void note_last(struct kmpc_task *piece, struct kmpc_task *pattern, int32_t last)
{
	(void)pattern;
	((struct task *)piece)->last = last;
	add_rlx(&runs, 1);
}

static void taskloop(uint32_t *sum, uint64_t upper, int32_t kind, uint64_t n)
{
	struct task *t = (struct task *)task_new(1 | 8, sizeof(*t), sum_piece, sum);

	t->front.destructors = count_destroyed;
	t->lower = 0;
	t->upper = upper;
	t->step = 1;
	if (kind == 1)
		__kmpc_taskloop_5(NULL, 0, &t->front, 1, &t->lower, &t->upper, 1, 0, kind, n, 1, note_last);
	else
		__kmpc_taskloop(NULL, 0, &t->front, 1, &t->lower, &t->upper, 1, 0, kind, n, note_last);
}

struct outcome {
	uint32_t plain, parts, if0, proxy, chain, many, sum, none, pieces, event, wrong;
};

/* Lists that are too long for the stack. */
static void depending_on_many(struct outcome *o, int32_t thread)
{
	static struct kmpc_depend list[MANY], noalias[MANY];
	static char word[2 * MANY][8];

	for (int i = 0; i < MANY; i++) {
		list[i] = (struct kmpc_depend){ .base = (intptr_t)word[i], .flags = 3 };
		noalias[i] = (struct kmpc_depend){ .base = (intptr_t)word[MANY + i], .flags = 3 };
	}
	for (int i = 0; i < 3; i++)
		__kmpc_omp_task_with_deps(NULL, thread, task_new(1, 40, count_shared, &o->many), MANY, list, MANY, noalias);
	__kmpc_omp_wait_deps(NULL, thread, 1, &list[MANY - 1], 0, NULL);
	if (load_acq(&o->many) != 3)
		add_rlx(&o->wrong, 1);
	__kmpc_omp_task_with_deps(NULL, thread, task_new(1, 40, count_shared, &o->many), MANY, list, MANY, noalias);
	__kmpc_omp_wait_deps(NULL, thread, 1, &noalias[MANY - 1], 0, NULL);
	if (load_acq(&o->many) != 4)
		add_rlx(&o->wrong, 1);
}

static void depending(struct outcome *o, int32_t thread)
{
	struct kmpc_depend out = { .base = (intptr_t)&o->chain, .flags = 3 }, in = { .base = (intptr_t)&o->chain, .flags = 1 },
		all = { .flags = 0x80 }, set = { .base = (intptr_t)&o->chain, .flags = 8 };

	for (int i = 0; i < 20; i++) {
		struct kmpc_depend *d = i % 5 == 4 ? &all : i % 5 == 3 ? &set : i % 5 == 2 ? &in : &out;
		__kmpc_omp_task_with_deps(NULL, thread, task_new(1, 40, count_shared, &o->chain), 1, d, 0, NULL);
	}
	__kmpc_omp_taskwait_deps_51(NULL, thread, 0, NULL, 1, &out, 1);
	__kmpc_omp_wait_deps(NULL, thread, 1, &out, 0, NULL);
	if (load_acq(&o->chain) != 20)
		add_rlx(&o->wrong, 1);
}

static void tasking(int32_t *thread, int32_t *bound, struct outcome *o)
{
	(void)bound;
	if (!__kmpc_single(NULL, *thread)) {
		__kmpc_barrier(NULL, *thread);
		return;
	}
	__kmpc_taskgroup(NULL, *thread);
	for (int i = 0; i < 200; i++) {
		struct kmpc_task *t = task_new(1 | (i % 2 ? 8 : 0) | (i % 3 ? 0 : 2), i % 2 ? sizeof(struct task) : 24, count_shared, &o->plain);
		if (i % 2)
			t->destructors = count_destroyed;
		__kmpc_omp_reg_task_with_affinity(NULL, *thread, t, 0, NULL);
		__kmpc_omp_task(NULL, *thread, t);
		__kmpc_omp_taskyield(NULL, *thread, 0);
	}
	__kmpc_end_taskgroup(NULL, *thread);
	if (load_acq(&o->plain) != 200 || load_acq(&destroyed) != 100)
		add_rlx(&o->wrong, 1);
	for (int i = 0; i < 10; i++)
		__kmpc_omp_task(NULL, *thread, task_new(0, 40, parts, &o->parts));
	struct kmpc_task *if0 = task_new(0, 40, parts, &o->if0);
	__kmpc_omp_task_begin_if0(NULL, *thread, if0);
	parts(*thread, if0);
	__kmpc_omp_task_complete_if0(NULL, *thread, if0);
	struct kmpc_task *proxy = task_new(1 | 0x10, 40, count_shared, &o->proxy), *second = task_new(1 | 0x10, 40, count_shared, &o->proxy);
	__kmpc_omp_task(NULL, *thread, proxy);
	__kmpc_omp_task(NULL, *thread, second);
	struct kmpc_task *detached = task_new(1 | 0x40, 40, count_shared, &o->event);
	void *event = __kmpc_task_allow_completion_event(NULL, *thread, detached);
	__kmpc_omp_task(NULL, *thread, detached);
	omp_fulfill_event((uintptr_t)event);
	__kmpc_proxy_task_completed(*thread, proxy);
	__kmpc_proxy_task_completed_ooo(second);
	struct kmpc_task *target = __kmpc_omp_target_task_alloc(NULL, *thread, 1, 40, sizeof(void *), count_shared, -1);
	*(uint32_t **)target->shareds = &o->event;
	__kmpc_omp_task(NULL, *thread, target);
	__kmpc_omp_taskwait(NULL, *thread);
	depending(o, *thread);
	depending_on_many(o, *thread);
	runs = 0;
	taskloop(&o->sum, 99, 1, 10);
	o->pieces = runs;
	taskloop(&o->sum, 99, 2, 7);
	taskloop(&o->none, UINT64_MAX - 1, 1, 1);
	if (__kmpc_cancellationpoint(NULL, *thread, 4) || __kmpc_cancel(NULL, *thread, 4) || kmp_get_cancellation_status(1))
		add_rlx(&o->wrong, 1);
	__kmpc_barrier(NULL, *thread);
}

static void tasks(void)
{
	struct outcome o = { 0 };

	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(tasking), &o);
	is_int(o.plain, 200, "omp_task: each once, destroyed where there is something to destroy");
	is_int(o.parts * 100 + o.if0, 3003, "omp_task by the task itself: its next part");
	is_int(o.proxy * 10 + o.event, 2, "proxy tasks are not run; a detached one is, and one for a device");
	is_int(o.chain, 20, "omp_task_with_deps, omp_wait_deps: in order, and waited for");
	is_int(o.many, 4, "the same of %d dependences", 2 * MANY);
	is_int(o.sum, 2 * 4950, "taskloop: each iteration once");
	ok(o.none == 0 && o.pieces == 10, "taskloop_5: strict pieces; nothing of what ends before it begins");
	is_int(o.wrong, 0, "and what is waited for has ended, what is not cancelled goes on");
}

/* --- reductions by tasks --------------------------------------------------------------------------------- */

static void begin_one(void *copy)
{
	*(int64_t *)copy = 0;
}

static void merge(void *into, void *from)
{
	*(int64_t *)into += *(int64_t *)from;
}

static int32_t add_five(int32_t thread, struct kmpc_task *task)
{
	*(int64_t *)__kmpc_task_reduction_get_th_data(thread, NULL, *(void **)task->shareds) += 5;
	return 0;
}

static void summing(int32_t *thread, int32_t *bound, int64_t *sum)
{
	int64_t own = 0;
	struct qomp_copied item = { .shared = &sum[0], .original = &sum[0], .size = 8, .merge = merge };
	struct kmpc_copied_old old = { .shared = &sum[1], .size = 8, .begin = begin_one, .merge = merge };
	struct qomp_copied team = { .shared = &own, .original = &sum[2], .size = 8, .merge = merge };

	if (*bound == 0) {
		__kmpc_taskgroup(NULL, *thread);
		void *group = __kmpc_taskred_init(*thread, 1, &item);
		for (int i = 0; i < 100; i++)
			__kmpc_omp_task(NULL, *thread, task_new(1, 40, add_five, (uint32_t *)&sum[0]));
		*(int64_t *)__kmpc_task_reduction_get_th_data(*thread, group, &sum[0]) += 1;
		__kmpc_end_taskgroup(NULL, *thread);
		__kmpc_taskgroup(NULL, *thread);
		__kmpc_task_reduction_init(*thread, 1, &old);
		for (int i = 0; i < 100; i++)
			__kmpc_omp_task(NULL, *thread, task_new(1, 40, add_five, (uint32_t *)&sum[1]));
		__kmpc_end_taskgroup(NULL, *thread);
	}
	__kmpc_taskred_modifier_init(NULL, *thread, 0, 1, &team);
	for (int i = 0; i < 50; i++)
		__kmpc_omp_task(NULL, *thread, task_new(1, 40, add_five, (uint32_t *)&own));
	__kmpc_task_reduction_modifier_fini(NULL, *thread, 0);
	add_rlx((uint64_t *)&sum[2], (uint64_t)own);
	own = 0;
	old.shared = &own;
	__kmpc_task_reduction_modifier_init(NULL, *thread, 1, 1, &old);
	__kmpc_omp_task(NULL, *thread, task_new(1, 40, add_five, (uint32_t *)&own));
	__kmpc_task_reduction_modifier_fini(NULL, *thread, 1);
	add_rlx((uint64_t *)&sum[3], (uint64_t)own);
	__kmpc_barrier(NULL, *thread);
}

/* Members' groups end while a task of another's has begun on one's thread and waits. */
struct late {
	int64_t sum;
	void *own_event[THREADS], *inner_event;
	uint32_t ready, waiting, closed;
};

static int32_t nothing(int32_t thread, struct kmpc_task *task)
{
	(void)thread, (void)task;
	return 0;
}

static void *detached_child(int32_t thread)
{
	struct kmpc_task *t = __kmpc_omp_task_alloc(NULL, thread, 1 | 0x40, 40, 0, nothing);
	void *event = __kmpc_task_allow_completion_event(NULL, thread, t);

	__kmpc_omp_task(NULL, thread, t);
	return event;
}

static int32_t add_late(int32_t thread, struct kmpc_task *task)
{
	struct late *l = *(struct late **)task->shareds;
	int64_t *copy = __kmpc_task_reduction_get_th_data(thread, NULL, &l->sum);

	l->inner_event = detached_child(thread);
	store_rel(&l->waiting, 1);
	__kmpc_omp_taskwait(NULL, thread);
	*copy += 5;
	return 0;
}

static void wait_until(const uint32_t *word, uint32_t n)
{
	while (load_acq(word) != n)
		cpu_relax();
}

/* Others come to have what a thread keeps for itself when that thread makes more. */
static void make_until(const uint32_t *word, int32_t thread)
{
	while (!load_acq(word))
		__kmpc_omp_task(NULL, thread, __kmpc_omp_task_alloc(NULL, thread, 1, 40, 0, nothing));
}

/* Where the member closes too early, it does so soon. */
static void closing_late(int32_t *thread, int32_t *bound, struct late *l)
{
	int64_t own = 0;
	struct qomp_copied item = { .shared = &own, .original = &l->sum, .size = 8, .merge = merge };

	__kmpc_taskred_modifier_init(NULL, *thread, 0, 1, &item);
	if (*bound > 0) {
		l->own_event[*bound] = detached_child(*thread);
		add_acq_rel(&l->ready, 1);
	} else {
		wait_until(&l->ready, THREADS - 1);
		__kmpc_omp_task(NULL, *thread, task_new(1, 40, add_late, (uint32_t *)l));
		make_until(&l->waiting, *thread);
		for (int i = 1; i < THREADS; i++)
			omp_fulfill_event((uintptr_t)l->own_event[i]);
		for (int i = 0; i < 100000 && load_acq(&l->closed) != THREADS - 1; i++)
			cpu_relax();
		omp_fulfill_event((uintptr_t)l->inner_event);
	}
	__kmpc_task_reduction_modifier_fini(NULL, *thread, 0);
	add_acq_rel(&l->closed, 1);
	add_rlx((uint64_t *)&l->sum, (uint64_t)own);
	__kmpc_barrier(NULL, *thread);
}

static int64_t late_reduction_sum(void)
{
	struct late l = { 0 };

	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(closing_late), &l);
	return l.sum;
}

/* In a process of its own: it needs a team on all workers, for members of a smaller one that wait for a group run
 * nothing but that group's tasks, and how many workers there are the library has read before main. */
static void late_reduction(void)
{
	char workers[32];

	snprintf(workers, sizeof(workers), "QT_HWPAR=%d", THREADS);
	is_int(again("late_reduction", workers, "OMP_NUM_THREADS", NULL), 5,
	       "a task that waits on a member's thread while that one closes its reduction adds to it afterwards");
}

static void reductions(void)
{
	int64_t sum[4] = { 1000, 0, 0, 0 };

	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(summing), sum);
	is_int(sum[0], 1501, "taskred_init: all copies are merged into what was there");
	is_int(sum[1], 500, "task_reduction_init: likewise");
	is_int(sum[2], THREADS * 250, "taskred_modifier_init: the members' sums have all that tasks have added");
	is_int(sum[3], THREADS * 5, "task_reduction_modifier_init: likewise");
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "late_reduction") == 0)
		return (int)late_reduction_sum();
	plan(3 + 4 + 2 + 2 + 4 + 4 + 3 + 3 + 2 + 1 + 8 + 5);
	arguments();
	shapes();
#if defined(__x86_64__) || defined(QTI_FPCONTROL)
	floating_point();
#else
	skip(2, "passed on to members on x86-64, aarch64 and RISC-V alone");
#endif
	lists();
	strictness();
	leagues();
	exclusion();
	errors();
	locks();
	memory();
	tasks();
	reductions();
	late_reduction();
	return done();
}
