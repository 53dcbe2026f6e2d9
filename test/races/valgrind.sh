#!/bin/sh
# test/races/valgrind.sh -- helgrind, and programs that call the library itself or are OpenMP's.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Usually a few pairs; QTI_TEST_LONG=1: all of them, with 1, 2 and 3 workers.

. "${abs_top_srcdir:?}/test/races/pairs.sh"
valgrind=${VALGRIND:-valgrind}
command -v "$valgrind" >/dev/null || skip_all "no valgrind"
grep -q 'define QTI_VALGRIND 1' "$build/config.h" || skip_all "a build without valgrind's headers"
case $(uname -m) in
x86_64 | aarch64) ;;
*) skip_all "the library tells valgrind of no tasks on this machine" ;;
esac
name_library "$build/gomp/.libs/libgomp.so.1"
export OMP_MAX_ACTIVE_LEVELS=4 OMP_CANCELLATION=true

# made NAME COMPILER ARGUMENT...
made() {
	made=$1
	shift
	"$@" -DPAIRS_VALGRIND -g -O1 -o "$work/$made" >"$work/log" 2>&1
}

# tried NAME WORKERS LEAST PAIR...: none of these is reported without a race, and at least so many are with one.
tried() {
	name=$1
	workers=$2
	least=$3
	shift 3
	LD_LIBRARY_PATH="$libraries" QT_HWPAR=$workers timeout 120 "$valgrind" -q --tool=helgrind --max-threads=2000 \
		--suppressions="$top/src/libqthread.supp" "$work/$name" $times "$@" >"$work/found" 2>"$work/reports" ||
		echo "status $?" >>"$work/found"
	awk '$2 > 0 || NF != 3' "$work/found" >"$work/log"
	[ -s "$work/found" ] || echo "no pair ran" >>"$work/log"
	[ ! -s "$work/log" ] || head -n 200 "$work/reports" >>"$work/log"
	report_empty "$name, $workers workers: what is in order is not reported"
	awk -v least="$least" '$3 > 0 { found++ } $3 == 0 { print } END { exit found < least }' "$work/found" >"$work/log"
	report $? "$name, $workers workers: at least $least races are found"
}

# shellcheck disable=SC2086
made native ${CC:-gcc} "-I$top/include" "$top/test/races/native.c" "-L$build/.libs" -lqthread -lpthread ||
	skip_all "no compiler that finds valgrind's headers"
# shellcheck disable=SC2086
made omp ${OMPCC:-${CC:-gcc}} -fopenmp "$top/test/races/omp.c" || skip_all "no compiler with OpenMP"
times=1
if [ -z "$QTI_TEST_LONG" ]; then
	tried native 2 6 fork fib lock syncvar barrier thread
	tried omp 2 5 region critical barrier ordered depend
else
	for workers in 1 2 3; do
		times=1
		tried native $workers 28
		times=3         # tasks that happen to run on the same stack are in order for it
		tried omp $workers 28
	done
fi
finish
