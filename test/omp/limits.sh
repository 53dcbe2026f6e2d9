#!/bin/sh
# test/omp/limits.sh -- where stacks are small and threads are refused, programs run or are told why not.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
libraries=${abs_top_builddir:?}/.libs
[ -z "$SANITIZER_FLAGS" ] || skip_all "sanitizers need larger stacks"
[ -e "$libraries/libqomp.so" ] || skip_all "no shared library in this build"

cat >"$work/program.c" <<'EOF'
#define _GNU_SOURCE
#include <libxomp.h>
#include <pthread.h>
#include <qthread/qthread.h>
#include <stdio.h>
#include <string.h>

static void member(void *visits)
{
	__atomic_fetch_add((int *)visits, 1, __ATOMIC_RELAXED);
}

static aligned_t task(void *unused)
{
	(void)unused;
	return 1;
}

static aligned_t native(void)
{
	aligned_t done = 0;

	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 0;
	qthread_fork(task, NULL, &done);
	qthread_readFF(NULL, &done);
	return done;
}

static void *in_thread(void *visits)
{
	XOMP_parallel_start(member, visits, 1, 3, "program.c", 1);
	XOMP_parallel_end("program.c", 2);
	return NULL;
}

/* native, openmp, thread, or refused: threads with stacks that no machine has room for. */
int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_attr_t attr;
	pthread_t thread;
	int visits = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, strcmp(what, "refused") == 0 ? (size_t)1 << 50 : 64 << 10);
	if (strcmp(what, "refused") == 0)
		pthread_setattr_default_np(&attr);
	if (strcmp(what, "native") == 0 || strcmp(what, "refused") == 0) {
		printf("%d\n", (int)native());
	} else {
		if (strcmp(what, "openmp") == 0)
			in_thread(&visits);
		else if (pthread_create(&thread, &attr, in_thread, &visits) == 0)
			pthread_join(thread, NULL);
		printf("%d\n", visits);
	}
	return 0;
}
EOF
${CC:-cc} -I"$top/include" -o "$work/program" "$work/program.c" -L"$libraries" -Wl,-rpath,"$libraries" \
	-lqomp -lqthread -pthread >"$work/log" 2>&1 || {
	report 1 "a program is built"
	finish
	exit 0
}

# with KILOBYTES ARGUMENT: the program's answer, with a nearly empty environment, which lies on the stack, too: that of the
# test is gone before the limit comes.
with() {
	env -i QT_HWPAR=3 OMP_NUM_THREADS=3 /bin/sh -c 'ulimit -s "$1" && exec "$2" "$3"' sh "$1" "$work/program" "$2" \
		2>"$work/log"
}

plan 14
for kilobytes in 32 24 20 16; do
	[ "$(with $kilobytes native)" = 1 ]
	report $? "ulimit -s $kilobytes: a native program runs"
	[ "$(with $kilobytes openmp)" = 3 ]
	report $? "ulimit -s $kilobytes: a region has its threads"
	[ "$(with $kilobytes thread)" = 3 ]
	report $? "ulimit -s $kilobytes: so has one of a thread of the program's"
done

[ "$(with 8192 refused)" = 0 ]
report $? "where the system refuses threads, qthread_initialize fails"
[ "$(wc -l <"$work/log")" -eq 1 ] && grep -q '^libqthread: cannot start worker 2 of 3 (.*), so none starts' "$work/log"
report $? "and says so in one line"
