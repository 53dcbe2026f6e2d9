#!/bin/sh
# test/races/native.sh -- ThreadSanitizer and programs that call the library itself.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/races/pairs.sh"
program="-I$top/include $top/test/races/native.c -L$build/.libs -lqthread -lpthread"
programs=
# shellcheck disable=SC2086
! made gcc ${CC:-gcc} $program || programs=gcc
# shellcheck disable=SC2086
[ -n "$QTI_TEST_BRIEF" ] || ! made clang ${KMPCC:-clang} $program || programs="$programs clang"
# shellcheck disable=SC2086
check 28 $programs
finish
