#!/bin/sh
# test/omp/barrier.sh -- programs whose teams meet along a tree (QT_BARRIER=tree) do what they do otherwise.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Other values are those of every other run; a wrong one is a line that names what is allowed.

. "${abs_top_srcdir:?}/test/tap.sh"
cd "${abs_top_builddir:?}" || exit 99

# on_tree COMMAND...
on_tree() {
	env QT_BARRIER=tree "$@" >"$work/log" 2>&1
}

programs="cancel nesting outside parallel reductions single task detach"
plan 11

for program in $programs; do
	if [ -x "test/omp/$program.omp" ]; then
		on_tree env QTI_TEST_BRIEF=yes QTI_OMP_THREADS=3 sh "$top/test/omp/run.sh" "test/omp/$program.omp"
		report $? "$program.omp on three threads, along a tree"
	else
		skip "$program.omp" "$(cat "test/omp/$program.omp")"
	fi
done
for test in omp_region omp_tasks; do
	on_tree env QTI_ROUNDS=40 "test/stress/$test"
	report $? "stress/$test along a tree"
done

env QT_BARRIER=star QTI_ROUNDS=20 test/stress/omp_region 2>&1 >/dev/null | grep QT_BARRIER >"$work/log"
[ "$(cat "$work/log")" = "$(printf '%s: %s' libqthread \
	'QT_BARRIER=star: no such choice; allowed: auto, central, tree; using auto')" ]
report $? "a wrong value is one line that says what is allowed"
