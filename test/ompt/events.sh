#!/bin/sh
# test/ompt/events.sh -- a tool is told what a program does: each event as often as it happens, and in an order that makes sense.
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
unset HWLOC_SYNTHETIC HWLOC_XMLFILE
name_library "$library"
export LD_LIBRARY_PATH="$work/lib:$build/.libs" OMP_MAX_ACTIVE_LEVELS=4 OMP_CANCELLATION=true

# shellcheck disable=SC2086
$cc -std=gnu11 -g -O1 -shared -fPIC $SANITIZER_FLAGS -I"$top/include" "$top/test/ompt/checker.c" -o "$work/checker.so" \
	>"$work/log" 2>&1
report_empty "the tool compiles, and says nothing"
# shellcheck disable=SC2086
$cc -fopenmp -g -O1 $calls $SANITIZER_FLAGS "$top/test/ompt/program.c" -o "$work/gcc" >"$work/log" 2>&1 ||
	skip_all "no compiler for OpenMP"
programs=gcc
clang=${KMPCC:-clang}
# shellcheck disable=SC2086
if [ -z "$SANITIZER_FLAGS" ] && $clang -fopenmp -O1 -g $calls "$top/test/ompt/program.c" -o "$work/clang" 2>"$work/log"; then
	programs="gcc clang"
fi

# Below -O2 gcc makes calls of jumps, and where a program calls from is not known in the functions behind them.
case $CFLAGS in
*-O[23]*) [ -n "$SANITIZER_FLAGS" ] || export OMPT_FROM=yes ;;
esac

count() {
	sed -n "s/^$1 //p" "$work/counts"
}

# watched PROGRAM THREADS: under the tool; its mistakes and the program's are in the log.
watched() {
	rm -f "$work/counts"
	OMP_NUM_THREADS=$2 OMP_TOOL_LIBRARIES=$work/checker.so OMPT_COUNTS=$work/counts \
		timeout 60 "$work/$1" >"$work/log" 2>&1 || echo "status $?" >>"$work/log"
	[ -s "$work/counts" ] || echo "the tool was not finalized" >>"$work/log"
}

# Events that depend on nothing but the program, and those that are told for each thread: NAME NUMBER.
expected() {
	cat <<-END
	parallel_begin 6
	parallel_end 6
	task_create 38
	cancel 1
	control_tool 1
	dependences 3
	lock_init 2
	lock_destroy 2
	implicit_task $((2 * (1 + 3 * $1 + 2 + 4)))
	END
}

for program in $programs; do
	for threads in 1 2 3 8; do
		watched $program $threads
		report_empty "$program, $threads threads: every event fits"
		expected $threads | while read -r name number; do
			[ "$(count "$name")" = "$number" ] || echo "$name: $(count "$name") instead of $number"
		done >"$work/log"
		[ "$(count thread_begin)" = "$(count thread_end)" ] || echo "threads begin and do not end" >>"$work/log"
		[ "$(count mutex_acquired)" = "$(count mutex_released)" ] || echo "locks are taken and not dropped" >>"$work/log"
		[ $threads -eq 1 ] || [ "$(count marked)" -gt 0 ] || echo "no task's memory has its data" >>"$work/log"
		[ "$(count nest_lock)" = $((2 * threads)) ] || echo "nested $(count nest_lock) times" >>"$work/log"
		report_empty "$program, $threads threads: as often as it happens"
	done
done
for scheduler in q cq ws xq; do
	QT_SCHEDULER=$scheduler watched gcc 3
	report_empty "scheduler $scheduler: every event fits"
done
OMP_PLACES=threads OMP_PROC_BIND=spread watched gcc 3
report_empty "with places: every event fits"

# --- start-up ----------------------------------------------------------------------------------------------------

rm -f "$work/counts"
OMP_TOOL=disabled OMP_TOOL_LIBRARIES=$work/checker.so OMPT_COUNTS=$work/counts OMP_NUM_THREADS=2 "$work/gcc" >"$work/log" 2>&1 &&
	[ ! -e "$work/counts" ]
report $? "OMP_TOOL=disabled: none is used"

OMP_TOOL=perhaps OMP_NUM_THREADS=2 "$work/gcc" >"$work/log" 2>&1 && [ "$(wc -l <"$work/log")" -eq 1 ] &&
	grep -q '^libqomp: OMP_TOOL=perhaps: ' "$work/log"
report $? "OMP_TOOL=perhaps: a line says so, and the program runs"

OMP_TOOL_LIBRARIES=$work/none.so OMP_NUM_THREADS=2 "$work/gcc" >"$work/log" 2>&1 && [ "$(wc -l <"$work/log")" -eq 1 ] &&
	grep -q "^libqomp: OMP_TOOL_LIBRARIES: .*$work/none.so" "$work/log"
report $? "a library that is not there: a line says so, and the program runs"

OMP_TOOL_LIBRARIES=$library OMP_NUM_THREADS=2 "$work/gcc" >"$work/log" 2>&1 && [ "$(wc -l <"$work/log")" -eq 1 ] &&
	grep -q "has no ompt_start_tool" "$work/log"
report $? "a library that is no tool: a line says so, and the program runs"

OMP_TOOL_LIBRARIES=$work/none.so:$work/checker.so OMP_TOOL_VERBOSE_INIT=$work/said OMPT_COUNTS=$work/counts OMP_NUM_THREADS=2 \
	"$work/gcc" >"$work/log" 2>&1 && grep -q 'in use' "$work/said" && [ -s "$work/counts" ]
report $? "the next library of the list is taken, and OMP_TOOL_VERBOSE_INIT says which"

# shellcheck disable=SC2086
$cc -fopenmp -g -O1 $calls -rdynamic $SANITIZER_FLAGS -I"$top/include" "$top/test/ompt/program.c" "$top/test/ompt/checker.c" \
	-o "$work/both" >"$work/log" 2>&1 && rm -f "$work/counts" &&
	OMPT_COUNTS=$work/counts OMP_NUM_THREADS=2 "$work/both" >"$work/log" 2>&1 && [ -s "$work/counts" ]
report $? "a tool in the program itself is found"

# --- numbers -----------------------------------------------------------------------------------------------------

theirs=$($clang -print-resource-dir 2>"$work/log")/include/omp-tools.h
if [ -e "$theirs" ]; then
	sed -n 's/^\t\(ompt_[a-z_]*\) = .*/\1/p' "$top/include/omp-tools.h" | while read -r name; do
		grep -q "\<$name\>" "$theirs" && echo "N($name)"
	done >"$work/names"
	for header in ours theirs; do
		[ $header = ours ] && file=$top/include/omp-tools.h || file=$theirs
		{
			cat <<-END
			#include "$file"
			#include <stdio.h>
			#define N(name) printf("%s %u, ", #name, (unsigned)name);
			int main(void) {
			END
			cat "$work/names"
			echo 'printf("%zu %zu %zu", sizeof(ompt_data_t), sizeof(ompt_frame_t), sizeof(ompt_dependence_t)); }'
		} >"$work/numbers.c"
		$clang -w "$work/numbers.c" -o "$work/numbers" 2>>"$work/log" && "$work/numbers" >"$work/$header"
	done
	[ "$(wc -l <"$work/names")" -gt 150 ] && diff "$work/ours" "$work/theirs" >"$work/log"
	report $? "the numbers are those of clang's header"
else
	skip "the numbers are those of clang's header" "it is not here"
fi
finish
