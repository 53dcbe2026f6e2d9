#!/bin/sh
# test/races/omp.sh -- ThreadSanitizer sees the program alone: it finds its races, and takes nothing that the library orders for one.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
[ -z "$SANITIZER_FLAGS" ] || skip_all "the library is instrumented itself"
library=${abs_top_builddir:?}/gomp/.libs/libgomp.so.1
[ -e "$library" ] || skip_all "no shared library in this build"
for setting in $(env | sed -n 's/^\(G\{0,1\}OMP_[A-Z_]*\)=.*/\1/p; s/^\(QT_[A-Z_]*\)=.*/\1/p; s/^\(TSAN_OPTIONS\)=.*/\1/p'); do
	unset "$setting"
done
mkdir "$work/lib"
for name in libgomp.so.1 libomp.so.5 libomp.so; do
	ln -s "$(readlink -f "$library")" "$work/lib/$name"
done
build=$abs_top_builddir
export OMP_MAX_ACTIVE_LEVELS=4 OMP_CANCELLATION=true

# made COMPILER NAME: it is there, and brings a checker that runs here.
made() {
	command -v "$1" >/dev/null &&
		$1 -fopenmp -fsanitize=thread -g -O1 "$top/test/races/omp.c" -o "$work/$2" >"$work/log" 2>&1 &&
		LD_LIBRARY_PATH="$work/lib:$build/.libs" "$work/$2" 1 none >"$work/log" 2>&1
}

# run NAME WORKERS: each pair's line is in found.
run() {
	LD_LIBRARY_PATH="$work/lib:$build/.libs" QT_HWPAR=$2 timeout 60 "$work/$1" >"$work/found" 2>"$work/reports" ||
		echo "status $?" >>"$work/found"
}

# The checker remembers the last few accesses to a word alone, and two that one thread happens to make are no race: so it
# finds a little less than all, mostly 31 to 33.
programs=
made "${OMPCC:-${CC:-gcc}}" gcc && programs=gcc
[ -n "$QTI_TEST_BRIEF" ] || ! made clang clang || programs="$programs clang"
[ -n "$programs" ] || skip_all "no compiler for OpenMP with ThreadSanitizer"
for program in $programs; do
	for workers in 1 2 3; do
		run "$program" $workers
		awk '$2 > 0 || NF != 3' "$work/found" >"$work/log"
		[ -s "$work/found" ] || echo "no pair ran" >>"$work/log"
		[ ! -s "$work/log" ] || cat "$work/reports" >>"$work/log"
		report_empty "$program, $workers workers: what is in order is not reported"
		awk '$3 == 0 { missed++; print } { all++ } END { exit all - missed < 26 }' "$work/found" >"$work/log"
		report $? "$program, $workers workers: at least 26 of 33 races are found"
	done
done
finish
