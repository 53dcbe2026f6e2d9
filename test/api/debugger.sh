#!/bin/sh
# test/api/debugger.sh -- a debugger's backtrace leads from a task to those that wait for it beneath, and to main.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
libraries=${abs_top_builddir:?}/.libs
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$libraries/libqthread.so" ] || skip_all "no shared library in this build"
gdb --version >/dev/null 2>&1 || skip_all "no gdb"

cat >"$work/program.c" <<'EOF'
#include <qthread/qthread.h>
#include <sched.h>
#include <stdio.h>

void __attribute__((noinline)) stop_here(void)
{
	__asm__ volatile("" ::: "memory");
}

static aligned_t innermost(void *arg)
{
	(void)arg;
	stop_here();
	return 1;
}

/* Joins a task that has not started: it runs on top. */
static aligned_t joiner(void *task)
{
	aligned_t done;

	qthread_fork((qthread_f)task, (void *)innermost, &done);
	qthread_readFF(NULL, &done);
	return done;
}

static aligned_t outer(void *arg)
{
	return joiner(arg) + 1;
}

/* Once on top of each other, and once on a stack of its own, from which it is resumed. */
static aligned_t waits(void *arg)
{
	qthread_yield();
	stop_here();
	return arg != NULL;
}

int main(void)
{
	aligned_t done;

	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	printf("%d\n", (int)joiner((void *)outer));
	qthread_fork(waits, NULL, &done);
	while (!qthread_feb_status(&done))
		qthread_yield();
	return 0;
}
EOF
${CC:-cc} -g -O0 -I"$top/include" -o "$work/program" "$work/program.c" -L"$libraries" -Wl,-rpath,"$libraries" \
	-lqthread -pthread >"$work/log" 2>&1 || {
	report 1 "a program is built"
	finish
	exit 0
}

QT_HWPAR=1 HOME=$work gdb -nx -q -batch -ex 'set confirm off' -ex 'set debuginfod enabled off' -ex 'break stop_here' \
	-ex run -ex 'echo top\n' -ex bt -ex continue -ex 'echo apart\n' -ex bt "$work/program" >"$work/log" 2>&1
grep -q '^Breakpoint 1, ' "$work/log" || skip_all "gdb cannot run a program here"


plan 2
sed -n '/^top$/,/^apart$/p' "$work/log" | sed -n 's/^#[0-9]* *\(0x[0-9a-f]* in \)\{0,1\}\([A-Za-z_0-9]*\) .*/\2/p' |
	grep -xE 'innermost|joiner|outer|main' | tr '\n' ' ' >"$work/frames"
[ "$(cat "$work/frames")" = "innermost joiner outer joiner main " ]
report $? "from a task that runs on top of one that runs on top of main"
sed -n '/^apart$/,$p' "$work/log" | sed -n 's/^#[0-9]* *\(0x[0-9a-f]* in \)\{0,1\}\([A-Za-z_0-9]*\) .*/\2/p' >"$work/frames"
[ "$(sed -n 2p "$work/frames")" = waits ] && ! grep -qi 'corrupt\|cannot access' "$work/log"
report $? "from a task with a stack of its own to that stack's end, in order"
