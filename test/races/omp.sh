#!/bin/sh
# test/races/omp.sh -- ThreadSanitizer and OpenMP programs of gcc and clang.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/races/pairs.sh"
export OMP_MAX_ACTIVE_LEVELS=4 OMP_CANCELLATION=true
name_library "$build/gomp/.libs/libgomp.so.1"
program=$top/test/races/omp.c
programs=
times=3         # a task may have begun on the stack of the one that it races with
made gcc "${OMPCC:-${CC:-gcc}}" -fopenmp "$program" && programs=gcc
# shellcheck disable=SC2086
[ -n "$QTI_TEST_BRIEF" ] || ! made clang ${KMPCC:-clang} -fopenmp "$program" || programs="$programs clang"
# shellcheck disable=SC2086
check 32 $programs
finish
