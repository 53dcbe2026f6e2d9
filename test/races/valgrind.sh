#!/bin/sh
# test/races/valgrind.sh -- helgrind, DRD, and programs that call the library itself or are OpenMP's.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Usually a few pairs; QTI_TEST_LONG=1 QTI_TEST_TIMEOUT=3000: all of them, under helgrind with 1, 2 and 3 workers, under DRD
# with 2.

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

# under TOOL NAME WORKERS PAIR...: $times calls of each; appends to found and reports.
under() {
	case $1 in
	drd) tool="drd --check-stack-var=yes" ;;
	*) tool=$1 ;;
	esac
	program=$work/$2
	workers=$3
	shift 3
	# shellcheck disable=SC2086
	LD_LIBRARY_PATH="$libraries" QT_HWPAR=$workers timeout 300 "$valgrind" -q --tool=$tool \
		--max-threads=2000 --suppressions="$top/src/libqthread.supp" "$program" "$times" "$@" \
		>>"$work/found" 2>>"$work/reports" ||
		echo "$* under $tool: status $?" >>"$work/found"
}

# judge TOOL NAME WORKERS LEAST: none is reported without a race, and at least so many are with one.
judge() {
	awk '$2 > 0 || NF != 3' "$work/found" >"$work/log"
	[ -s "$work/found" ] || echo "no pair ran" >>"$work/log"
	[ ! -s "$work/log" ] || head -n 200 "$work/reports" >>"$work/log"
	report_empty "$2, $3 workers: what is in order is not reported by $1"
	awk -v least="$4" '$3 > 0 { found++ } $3 == 0 { print } END { exit found < least }' "$work/found" >"$work/log"
	report $? "$2, $3 workers: at least $4 races are found by $1"
}

begin() {
	: >"$work/found"
	: >"$work/reports"
}

# tried TOOL NAME WORKERS LEAST PAIR...: in one run.
tried() {
	begin
	t=$1 n=$2 w=$3 least=$4
	shift 4
	under "$t" "$n" "$w" "$@"
	judge "$t" "$n" "$w" "$least"
}

# all_tried TOOL NAME WORKERS LEAST: each pair in a run of its own, for both tools grow slower with each thread that there
# has ever been, and here each stack has one.
all_tried() {
	begin
	for pair in $(LD_LIBRARY_PATH="$libraries" "$work/$2" 0 | cut -d ' ' -f 1); do
		under "$1" "$2" "$3" "$pair"
	done
	judge "$@"
}

# shellcheck disable=SC2086
made native ${CC:-gcc} "-I$top/include" "$top/test/races/native.c" "-L$build/.libs" -lqthread -lpthread ||
	skip_all "no compiler that finds valgrind's headers"
# shellcheck disable=SC2086
made omp ${OMPCC:-${CC:-gcc}} -fopenmp "$top/test/races/omp.c" || skip_all "no compiler with OpenMP"
# Valgrind before 3.20 stops where it meets the DWARF 5 of newer compilers.
LD_LIBRARY_PATH="$libraries" "$valgrind" -q --tool=none "$work/native" 0 >/dev/null 2>"$work/log" || {
	grep -q 'debuginfo reader' "$work/log" && skip_all "this valgrind cannot read what this compiler writes for debuggers"
}
times=1
if [ -z "$QTI_TEST_LONG" ]; then
	tried helgrind native 2 6 fork fib lock syncvar barrier thread
	times=3                 # tasks that happen to run on the same stack are in order for it
	tried helgrind omp 2 5 region critical barrier ordered depend
	times=1
	tried drd native 2 1 fork
else
	for workers in 1 2 3; do
		times=1
		all_tried helgrind native $workers 28
		times=3         # tasks that happen to run on the same stack are in order for it
		all_tried helgrind omp $workers 28
	done
	times=1
	all_tried drd native 2 28
	all_tried drd omp 2 28
fi
finish
