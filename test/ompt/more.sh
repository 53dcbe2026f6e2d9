#!/bin/sh
# test/ompt/more.sh -- the tool of test/ompt/events.sh on what comes in programs of its own: leagues, doacross loops,
# reductions, cancellation, detached tasks, fork(2), and programs as ROSE lowers them.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
build=${abs_top_builddir:?}
library=$build/gomp/.libs/libgomp.so.1
[ -e "$library" ] || skip_all "no shared library in this build"
cc=${OMPCC:-${CC:-gcc}}
# Where the last thing a function does is a construct, some clangs jump there, and its caller is what the tool sees.
calls=-fno-optimize-sibling-calls
unset_settings
name_library "$library"
export LD_LIBRARY_PATH="$work/lib:$build/.libs" OMP_CANCELLATION=true

# shellcheck disable=SC2086
$cc -std=gnu11 -g -O1 -shared -fPIC $SANITIZER_FLAGS -I"$top/include" "$top/test/ompt/checker.c" -o "$work/checker.so" \
	>"$work/log" 2>&1 &&
	$cc -fopenmp -g -O1 $calls $SANITIZER_FLAGS "$top/test/ompt/more.c" -o "$work/gcc" >"$work/log" 2>&1 ||
	skip_all "no compiler for OpenMP"
programs=gcc
# shellcheck disable=SC2086
if [ -z "$SANITIZER_FLAGS" ] &&
	${KMPCC:-clang} -fopenmp -O1 -g $calls "$top/test/ompt/more.c" -o "$work/clang" >"$work/log" 2>&1; then
	programs="gcc clang"
fi

# Below -O2 gcc makes calls of jumps, and where a program calls from is not known in the functions behind them.
from=
case $CFLAGS in
*-O[23]*) [ -n "$SANITIZER_FLAGS" ] || from=yes ;;
esac

# watched PROGRAM ARGUMENT...: under the tool; its mistakes and the program's are in the log.
watched() {
	rm -f "$work/counts"
	OMP_TOOL_LIBRARIES=$work/checker.so OMPT_COUNTS=$work/counts timeout 60 "$@" >"$work/out" 2>"$work/log" ||
		echo "status $?" >>"$work/log"
	[ -s "$work/counts" ] || echo "the tool was not finalized" >>"$work/log"
}

# counted NAME NUMBER
counted() {
	was=$(sed -n "s/^$1 //p" "$work/counts")
	[ "$was" = "$2" ] || echo "$1: $was instead of $2" >>"$work/log"
}

# The regions of a league are its own, and two of each of its three teams.  Of 121 iterations each is a source; gcc asks
# for all sinks within the loop, clang for the others, too; in a team of one nobody is told of clang's.
for program in $programs; do
	for part in leagues doacross reductions cancelling detached; do
		for threads in 1 3; do
			export OMP_NUM_THREADS=$threads ${from:+OMPT_FROM=yes}
			watched "$work/$program" $part
			unset OMP_NUM_THREADS OMPT_FROM
			[ $part != leagues ] || counted parallel_begin 7
			[ $part.$program != doacross.gcc ] || counted dependences 341
			[ $part.$program.$threads != doacross.clang.3 ] || counted dependences 363
			report_empty "$program, $part, $threads threads: every event fits"
		done
	done
	OMP_NUM_THREADS=2 OMP_TOOL_LIBRARIES=$work/checker.so timeout 60 "$work/$program" children >"$work/log" 2>&1
	report_empty "$program: so it does in a child of fork(2)"
done

# A function that ends with a call jumps there: then who has called the function is the caller, which is not asked for.
for name in blocks loops ordered regions tasks; do
	program=$build/test/xomp/$name.omp
	if [ -x "$program" ]; then
		watched "$program"
		report_empty "XOMP, $name: every event fits"
	else
		skip "XOMP, $name: every event fits" "it is not built"
	fi
done
finish
