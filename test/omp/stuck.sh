#!/bin/sh
# test/omp/stuck.sh -- OpenMP programs in which nothing goes on any more say so; those that wait for a thread do not.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
libraries=${abs_top_builddir:?}/.libs
ours=$libraries/libqomp.so
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$ours" ] || skip_all "no shared library in this build"
unset_settings

cat >"$work/stuck.c" <<'EOF'
#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static omp_lock_t lock_of_all;
static omp_nest_lock_t nest_a, nest_b;
static int value;

static void take_twice(void)
{
	omp_set_lock(&lock_of_all);
	omp_set_lock(&lock_of_all);
}

static void enter_again(void)
{
#pragma omp critical (door)
	value++;
}

static void enter_critical(void)
{
#pragma omp critical (door)
	enter_again();
}

static void take_nested(omp_nest_lock_t *first, omp_nest_lock_t *second)
{
	omp_set_nest_lock(first);
#pragma omp barrier
	omp_set_nest_lock(second);
}

static void await_event(void)
{
	omp_event_handle_t event;

#pragma omp task detach(event)
	value++;
#pragma omp taskwait
}

static void await_dependence(void)
{
	omp_event_handle_t event;

#pragma omp task detach(event) depend(out: value)
	value++;
#pragma omp taskwait depend(in: value)
}

static void await_tasks(void)
{
	omp_set_lock(&lock_of_all);
	for (int i = 0; i < 3; i++)
#pragma omp task
		omp_set_lock(&lock_of_all);
}

/* A region with task reductions, which the library may begin by a function of its own. */
static void reduce(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2) reduction(task, + : sum)
	if (omp_get_thread_num() == 1)
		take_twice();
	value += sum;
}

static void *unset_later(void *unused)
{
	struct timespec t = { 1, 300000000 };

	(void)unused;
	nanosleep(&t, NULL);
	omp_unset_lock(&lock_of_all);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	omp_init_lock(&lock_of_all);
	omp_init_nest_lock(&nest_a);
	omp_init_nest_lock(&nest_b);
	if (!strcmp(argv[1], "thread")) {
		omp_set_lock(&lock_of_all);
		pthread_create(&thread, NULL, unset_later, NULL);
	}
	if (!strcmp(argv[1], "reduce"))
		reduce();
#pragma omp parallel num_threads(2)
	{
		int me = omp_get_thread_num();

		if (!strcmp(argv[1], "lock") && me == 1)
			take_twice();
		else if (!strcmp(argv[1], "critical"))
			enter_critical();
		else if (!strcmp(argv[1], "nest"))
			take_nested(me ? &nest_b : &nest_a, me ? &nest_a : &nest_b);
		else if (!strcmp(argv[1], "taskwait") && me == 1)
			await_event();
		else if (!strcmp(argv[1], "depend") && me == 1)
			await_dependence();
		else if (!strcmp(argv[1], "tasks") && me == 1)
			await_tasks();
		else if (!strcmp(argv[1], "thread") && me == 1)
			omp_set_lock(&lock_of_all);
	}
	return argc - 2;
}
EOF
# Two workers, so that thread 1 of the region is another one's; who ends with the report need not be waited for.
export QT_HWPAR=2 QT_DEADLOCK=abort

says() {        # PROGRAM NAME PATTERN...
	program=$1
	name="$compiler: $2"
	shift 2
	cp "$work/$program" "$work/log"
	for pattern; do
		grep -Eq -e "$pattern" "$work/log" || {
			report 1 "$name"
			return
		}
	done
	report 0 "$name"
}

aborted='status 134'

# compiled COMPILER FUNCTION: region's and task's functions are called FUNCTION, a pattern.
compiled() {
	compiler=$1
	function=$2
	for program in lock critical nest taskwait depend tasks reduce thread; do
		(
			LD_PRELOAD=$ours timeout -k 5 100 "$work/$compiler" $program >"$work/$program" 2>&1
			echo "status $?" >>"$work/$program"
		) &
	done
	wait

	says lock "a lock that its holder takes again" "$aborted" 'all 2 workers sleep' \
		"thread 1 of a region \\((main)?$function\\) waits: OpenMP lock lock_of_all" \
		'the main task waits: its team, at a barrier or where the region ends'
	says critical "a critical section in itself" "$aborted" 'waits: OpenMP lock \.gomp_critical_user_door'
	says nest "two nestable locks" "$aborted" 'the main task waits: nestable lock nest_b; thread 1 of a region .* has it' \
		'thread 1 of a region .* waits: nestable lock nest_a; the main task has it' 'a cycle of 2, each waits for the next'
	says taskwait "a taskwait for a task whose event nobody fulfils" "$aborted" \
		'thread 1 of a region .* waits: its children' 'the main task waits: its team'
	says depend "a taskwait with a dependence on such a task" "$aborted" 'thread 1 of a region .* waits: a change of'
	says tasks "tasks that want a lock" "$aborted" "\\((await_tasks|main)?$function\\).* waits?: OpenMP lock lock_of_all"
	says reduce "a region with task reductions" "$aborted" "thread 1 of a region \\((reduce)?$function\\) waits"
	says thread "quiet: a thread of the program's own has the lock, for a while" 'status 0'
	! grep -q deadlock "$work/thread"
	report $? "$compiler: and nothing was said"
}

gcc=${OMPCC:-${CC:-gcc}}
if $gcc --version | grep -q 'Free Software' && $gcc -fopenmp -O1 -o "$work/gcc" "$work/stuck.c" -pthread 2>"$work/log"; then
	compiled gcc '\._omp_fn\.[0-9]+'
fi
if ${KMPCC:-clang} -fopenmp -O1 -o "$work/clang" "$work/stuck.c" -pthread 2>"$work/log"; then
	compiled clang '(\.omp_outlined|\.omp_task_entry)[._0-9a-z]*'
fi
[ "$number" -gt 0 ] || skip_all "no compiler for OpenMP"
finish
