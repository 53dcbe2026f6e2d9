#!/bin/sh
# test/tools/gdb.sh -- gdb lists qthreads and shows those that wait, in a process that stopped and in its core file.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
build=${abs_top_builddir:?}
lib=$build/.libs/libqthread.so
[ -e "$lib" ] || skip_all "no shared library in this build"
[ -z "${SANITIZER_FLAGS-}" ] || skip_all "a sanitizer has stacks of its own, and finds faults with a debugger"
command -v gdb >/dev/null || skip_all "gdb is not installed"
gdb -nx -batch -ex 'python import gdb.unwinder' >/dev/null 2>&1 || skip_all "this gdb has no Python"
gdb -nx -batch -ex 'ptype struct qti_task' "$lib" 2>/dev/null | grep -q '^type = struct qti_task' ||
	skip_all "the library has no debugging information about its types: CFLAGS without -g, or with -g1"
case ${QTI_MACHINE:-$(uname -m)} in
x86_64 | aarch64) ;;
*) skip_all "backtraces of tasks that wait are known for x86-64 and aarch64 alone" ;;
esac
for name in $(env | sed -n 's/^\(QT_[A-Z_]*\)=.*/\1/p; s/^\(QTHREAD_[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done

# Many wait for one word, below a frame of their own each; others otherwise; one is ready, and one runs and stops.
cat >"$work/program.c" <<'END'
#include <qthread.h>
#include <signal.h>

enum { WAITERS = 5 };

aligned_t word_of_readers, word_of_writer, done;

static aligned_t descend(int levels)
{
	aligned_t value;

	if (levels > 0)
		return descend(levels - 1) + 1;
	qthread_readFF(&value, &word_of_readers);
	return value;
}

static aligned_t reader(void *arg)
{
	volatile int number_of_reader = 700 + *(int *)arg;

	return descend(2) + (aligned_t)number_of_reader;
}

static aligned_t writer(void *unused)
{
	(void)unused;
	qthread_writeEF_const(&word_of_writer, 1);
	return 0;
}

static aligned_t yielder(void *unused)
{
	(void)unused;
	for (;;)
		qthread_yield();
}

static aligned_t beginner(void *unused)
{
	(void)unused;
	return 0;
}

static aligned_t stopper(void *unused)
{
	(void)unused;
	raise(SIGTRAP);
	return 0;
}

int main(void)
{
	static int number[WAITERS];

	qthread_initialize();
	qthread_empty(&word_of_readers);
	for (int i = 0; i < WAITERS; i++) {
		number[i] = i;
		qthread_fork(reader, &number[i], NULL);
	}
	qthread_fork(writer, NULL, NULL);
	qthread_fork(yielder, NULL, NULL);
	for (int i = 0; i < 20; i++)
		qthread_yield();
	qthread_fork(beginner, NULL, NULL);
	qthread_fork(stopper, NULL, &done);
	qthread_readFF(NULL, &done);
	return 0;
}
END
# The functions are to be found by name and line.
${CC:-cc} -g -O1 -fno-optimize-sibling-calls -I"$top/include" -o "$work/program" "$work/program.c" "$lib" \
	-Wl,-rpath,"$build/.libs" -pthread >"$work/log" 2>&1 || {
	report 1 "the program compiles"
	finish
	exit
}

# One scheduler and one worker, so that the tasks stand where the checks look for them.
QT_SCHEDULER=l QT_HWPAR=1
export QT_SCHEDULER QT_HWPAR

debug() {       # ARGUMENT...: gdb has the script, knows nothing of its user, and asks nothing
	timeout -k 5 100 gdb -nx -q -batch -ex 'set confirm off' -ex 'set width 0' -ex 'set debuginfod enabled off' \
		-ex "source $top/src/tools/qthread-gdb.py" "$@" >"$work/log" 2>&1 </dev/null
}

says() {        # PATTERN NAME
	grep -Eq -e "$1" "$work/log"
	report $? "$2"
}

says_not() {
	! grep -Eq -e "$1" "$work/log"
	report $? "$2"
}

checks() {      # WHERE ARGUMENT...
	where=$1
	shift
	debug "$@" -ex 'info qthreads' -ex 'info qworkers' -ex 'info qwords'
	says '^10 qthreads, 1 workers' "$where: info qthreads counts them"
	says ' waits +writer +writeEF word_of_writer' "$where: who waits for which word"
	says ' runs on worker 0 +stopper' "$where: who runs"
	says ' ready, has not begun +beginner' "$where: who is ready"
	says ' suspended +yielder +in qthread_yield' "$where: who has left its worker otherwise, and by what call"
	says '\(main\)' "$where: the main task"
	[ "$(grep -c ' waits  *reader  *readFF word_of_readers' "$work/log")" -eq 5 ]
	report $? "$where: each of those that wait"
	says ' 0 +shepherd 0 +awake +runs 0x[0-9a-f]+ stopper' "$where: info qworkers"
	says ' word_of_readers +empty +waits: 5 x readFF' "$where: info qwords: an empty word"
	says ' word_of_writer +full +waits: 1 x writeEF' "$where: info qwords: a full one"
	debug "$@" -ex 'qthread apply all bt'
	says '^5 x qthread 0x[0-9a-f]+ \(reader\)' "$where: qthread apply all bt: the same backtrace once"
	says '^1 x qthread 0x[0-9a-f]+ \(yielder\)' "$where: qthread apply all bt: every backtrace"
	[ "$(grep -c ' descend (levels=' "$work/log")" -eq 3 ]
	report $? "$where: the frames of a task, with arguments"
	says_not 'corrupt stack' "$where: a task whose stack lies below the thread's has them all"
	debug "$@" -ex 'python listing()' -ex 'python Qthread().show([t for t in Listing.order if t.waits and t.waits[0] == 0][0])' \
		-ex 'python gdb.selected_frame().name()' -ex 'frame function reader' -ex 'print number_of_reader' -ex qthread \
		-ex 'qthread off' -ex 'frame 1' -ex qthread
	says '^\$1 = 70[0-4]$' "$where: a task's variables"
	says '^qthread 0x' "$where: which one it is"
	says '^no qthread is selected' "$where: back to the thread"
	debug "$@" -ex 'qthread 99' -ex 'qthread x' -ex 'qthread apply all'
	says '^99: there are qthreads 1 to 10' "$where: a number of none"
	says '^x: a number from' "$where: what is no number"
	says '^usage: qthread apply' "$where: a command that is missing"
}

debug "$work/program" -ex run
if grep -q 'Operation not permitted' "$work/log"; then
	skip_all "no process may be traced here"
fi
checks "a process" "$work/program" -ex run
(cd "$work" && ulimit -c unlimited && ./program) >/dev/null 2>&1
core=$(find "$work" -name 'core*' -size +0 | sed 1q)
if [ -n "$core" ]; then
	checks "a core file" "$work/program" "$core"
else
	skip "a core file" "the system puts none into the program's directory"
fi

# A task of clang's code is in a function of libqomp's, which calls its own.
cat >"$work/task.c" <<'END'
#include <signal.h>

int main(void)
{
	volatile int goes_on = 1;

#pragma omp parallel num_threads(2)
#pragma omp master
	{
#pragma omp task
		raise(SIGTRAP);
		while (goes_on)         /* so that the other thread runs the task */
			;
	}
	return 0;
}
END
if ${KMPCC:-clang} -fopenmp -g -O1 -o "$work/task" "$work/task.c" >"$work/log" 2>&1; then
	debug "$work/task" -ex "set environment LD_PRELOAD $build/.libs/libqomp.so" \
		-ex 'set environment QT_HWPAR 2' -ex run -ex 'info qthreads'
	says 'runs on worker [0-9]+ +.*omp_task_entry' "an OpenMP task of clang's by its own function"
else
	skip "an OpenMP task of clang's by its own function" "there is no clang with OpenMP"
fi

# Without what it needs it says so, and gdb goes on.
debug "$work/program" -ex 'info qthreads' -ex 'print 40 + 2'
says 'the runtime is not up|is not loaded here' "before the program runs there are none"
says '^\$1 = 42$' "and gdb goes on"
debug -ex 'info qthreads' -ex 'info qworkers' -ex 'qthread 1' -ex 'print 40 + 2'
[ "$(grep -c 'is not loaded here' "$work/log")" -eq 3 ]
report $? "without a program each command says that the library is not there"

# It stops at the first command that it does not know.
[ "$(grep -v '^#' "$top/src/tools/qthread-gdb.py" | grep -m 1 .)" = "python = None" ]
report $? "a gdb without Python, which takes the script for commands, comes to one that says so first"

# What such a gdb loads with the library has the same command, at which any other is silent.
[ "$(grep -v '^#' "$top/src/tools/qthread-gdb.gdb")" = "python pass" ] &&
	gdb -nx -batch -ex "source $top/src/tools/qthread-gdb.gdb" >"$work/log" 2>&1 && [ ! -s "$work/log" ]
report $? "and so does what it loads by itself, with which others load nothing"

finish
