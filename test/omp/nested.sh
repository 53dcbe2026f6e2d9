#!/bin/sh
# test/omp/nested.sh -- programs whose inner regions have workers from the beginning (QT_NESTED=flat) do what they do in bubbles,
# and those in bubbles do the same along a tree, and where tasks keep to the task scheduling constraint.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Other values are those of every other run; a wrong one is a line that names what is allowed.

. "${abs_top_srcdir:?}/test/tap.sh"
cd "${abs_top_builddir:?}" || exit 99

programs="nesting threadprivate cancel"
plan 7

for program in $programs; do
	if [ -x "test/omp/$program.omp" ]; then
		env QT_NESTED=flat QTI_TEST_BRIEF=yes QTI_OMP_THREADS=3 sh "$top/test/omp/run.sh" "test/omp/$program.omp" >"$work/log" 2>&1
		report $? "$program.omp on three threads, flat"
	else
		skip "$program.omp" "$(cat "test/omp/$program.omp")"
	fi
done
for setting in QT_NESTED=flat QT_BARRIER=tree QT_TASK_CONSTRAINT=yes; do
	env $setting QTI_ROUNDS=1 test/stress/omp_nested >"$work/log" 2>&1
	report $? "stress/omp_nested with $setting"
done

env QT_NESTED=foo QTI_ROUNDS=20 test/stress/omp_region 2>&1 >/dev/null | grep QT_NESTED >"$work/log"
[ "$(cat "$work/log")" = "$(printf '%s: %s' libqthread \
	'QT_NESTED=foo: no such choice; allowed: bubbles, flat; using bubbles')" ]
report $? "a wrong value is one line that says what is allowed"
