#!/bin/sh
# test/bench/suite.sh -- every program of the suite finds its result, in every version, at the smallest size.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# From the environment, besides what test/run-test reads:
#   QTI_BENCH_PROGRAMS   only these, to look into a failure
#   QTI_BENCH_TIMEOUT    seconds until a process counts as hung (default 60; ten times that under a tool)

. "${abs_top_srcdir:?}/test/tap.sh"
bench=${abs_top_builddir:?}/bench
programs="fib nqueens uts sort fft strassen sparselu alignment health floorplan prodcons pos octree stream loop"
tool=${QTI_TEST_TOOL:-}
limit=${QTI_BENCH_TIMEOUT:-60}
[ -z "$tool" ] || limit=$((limit * 10))

# Settings of whoever runs the tests are not the tests'.
unset_settings
# libgomp would spin for milliseconds wherever other processes keep a member from its CPU.
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY

if [ -n "$tool$SANITIZER_FLAGS${QTI_TEST_BRIEF:-}" ]; then
	schedulers=mts workers=2
else
	schedulers="q l cq ws mts" workers="1 2 4"
fi

# limited COMMAND...: with what $over, if anything, puts into its environment.
over=
limited() {
	set -- env ${over:+"$over"} "$@"
	if [ -n "${TIMEOUT-timeout}" ]; then
		"${TIMEOUT-timeout}" -k 5 "$limit" "$@" </dev/null
	else
		"$@" </dev/null
	fi
}

# run PROGRAM ARGUMENT...: under the tool, if it has one of our libraries in it.
run() {
	case $tool,$1 in
	valgrind,*-omp | valgrind,*-tbb | ,*) limited "$@" ;;
	*)
		limited "${LIBTOOL:-./libtool}" --mode=execute "${VALGRIND:-valgrind}" -q --error-exitcode=99 \
			--leak-check=full --show-leak-kinds=definite,indirect \
			--errors-for-leak-kinds=definite,indirect "$@"
		;;
	esac
}

# good WORKERS PROGRAM ARGUMENT...: its result is right, on as many workers; else the log tells why.  Counts in $bad.
good() {
	wanted=$1
	shift
	run "$@" --size test --reps 1 --csv >"$work/out" 2>"$work/err"
	status=$?
	# Texts in quotation marks may have commas; the first line has the names.
	got=$(sed 's/"[^"]*"/x/g' "$work/out" | ${AWK:-awk} -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { print $at["workers"], $at["reps"] }')
	if [ $status -ne 0 ] || [ "$got" != "$wanted 1" ]; then
		echo "$* --size test: status $status, workers and repetitions '$got'" >>"$work/log"
		cat "$work/err" >>"$work/log"
		bad=$((bad + 1))
	fi
}

# begin; good...; verdict NAME
begin() {
	bad=0
	: >"$work/log"
}

verdict() {
	report $bad "$1"
}

# forms NAME: sets of options that make other pieces of work of the program, in lines.
forms() {
	case $1 in
	sparselu | alignment) printf '%s\n' '--tasks single' '--tasks for' ;;
	*) echo ;;
	esac
}

# cutoffs PROGRAM: those that it knows, besides none.
cutoffs() {
	"$1" --help </dev/null | sed -n 's/^ *--cutoff none|\([a-z|]*\).*/\1/p' | tr '|' ' '
}

serial() {
	begin
	good 0 "$bench/$1/$1" --variant serial
	verdict "$1: serial twin"
}

native() {
	begin
	for form in "$(forms "$1" | sed -n 1p)" "$(forms "$1" | sed -n 2p)"; do
		for scheduler in $schedulers; do
			for count in $workers; do
				# shellcheck disable=SC2086 -- options are words
				good "$count" "$bench/$1/$1" --scheduler "$scheduler" --workers "$count" $form
			done
		done
		[ -n "$form" ] || break
	done
	verdict "$1: native, under each scheduler"
}

# other NAME SUFFIX TEXT: a version that has no option for the scheduler; QT_SCHEDULER is in the environment.
other() {
	begin
	forms "$1" >"$work/forms"
	while read -r form; do
		for count in $workers; do
			# shellcheck disable=SC2086
			good "$count" "$bench/$1/$1$2" --workers "$count" $form
		done
	done <"$work/forms"
	for cutoff in $(cutoffs "$bench/$1/$1$2"); do
		good 2 "$bench/$1/$1$2" --workers 2 --cutoff "$cutoff"
	done
	verdict "$1: $3"
}

# A program that links nothing of ours runs on whatever libgomp.so.1 the linker finds.
openmp() {
	if [ ! -x "$bench/$1/$1-omp" ]; then
		skip "$1: OpenMP" "not built: no gcc with OpenMP"
		return
	elif [ -n "$tool$SANITIZER_FLAGS" ]; then
		skip "$1: OpenMP" "it runs on libraries that tools find faults with, or without a sanitizer in it"
		return
	fi
	other "$1" -omp "OpenMP on libgomp"
	if [ ! -e "$work/ours/libgomp.so.1" ]; then
		skip "$1: OpenMP on libqomp" "no shared library in this build"
		return
	fi
	over=LD_LIBRARY_PATH=$work/ours:$abs_top_builddir/.libs
	other "$1" -omp "OpenMP on libqomp"
	limited "$bench/$1/$1-omp" --size test --reps 1 --csv >"$work/log" 2>&1
	over=
	grep -q '/libqomp\.so' "$work/log"
	report $? "$1: says that it ran on libqomp"
}

# optional NAME SUFFIX TEXT
optional() {
	if [ -x "$bench/$1/$1$2" ]; then
		other "$1" "$2" "$3"
	fi
}

# refuses PROGRAM ARGUMENT...: one line and status 2.
refuses() {
	limited "$@" >"$work/out" 2>"$work/err"
	status=$?
	if [ $status -ne 2 ] || [ "$(wc -l <"$work/err")" -ne 1 ]; then
		echo "$*: status $status" >>"$work/log"
		cat "$work/err" >>"$work/log"
		bad=$((bad + 1))
	fi
}

bad_options() {
	begin
	refuses "$bench/$1/$1" --workers 0
	refuses "$bench/$1/$1" --size huge
	refuses "$bench/$1/$1" --scheduler fifo
	refuses "$bench/$1/$1" --nonsense
	if [ -n "$(cutoffs "$bench/$1/$1")" ]; then
		refuses "$bench/$1/$1" --cutoff if
		refuses "$bench/$1/$1" --cutoff final
	fi
	# Some read files: none, and one that is nothing of the kind.
	if "$bench/$1/$1" --help </dev/null | grep -q -- '--input'; then
		refuses "$bench/$1/$1" --input "$work/none"
		refuses "$bench/$1/$1" --input "$work/nonsense"
	fi
	verdict "$1: bad options are one line and status 2"
}

# scheduler_of VALUE: what a program says that it ran under, if QT_SCHEDULER is that.
scheduler_of() {
	over=QT_SCHEDULER=$1
	run "$bench/fib/fib" --size test --reps 1 --csv 2>/dev/null | sed -n 's/"[^"]*"/x/g; 2p' | cut -d, -f7
	over=
}

# The table of `./bootstrap run` has a row for each scheduler that the programs know.
main_job() {
	begin
	run "$bench/mainjob" --tree tiny --reps 1 >"$work/out" 2>"$work/err"
	status=$?
	wanted=$("$bench/fib/fib" --help </dev/null | sed -n 's/^ *--scheduler auto|\([^ ]*\) .*/serial|\1/p' | tr '|' '\n')
	got=$(sed '1,/^ *scheduler /d' "$work/out" | ${AWK:-awk} '$2 != "FAILED:" { print $1 }')
	if [ $status -ne 0 ] || [ -z "$wanted" ] || [ "$got" != "$wanted" ]; then
		cat "$work/out" "$work/err" >>"$work/log"
		bad=1
	fi
	verdict "mainjob: every scheduler counts the tree"
}

echo "no such thing" >"$work/nonsense"
if [ -e "$abs_top_builddir/.libs/libqomp.so" ] && [ -z "$SANITIZER_FLAGS" ]; then
	mkdir "$work/ours"
	ln -s "$abs_top_builddir/.libs/libqomp.so" "$work/ours/libgomp.so.1"
fi
if [ -x "$bench/fib/fib" ] && [ -z "${QTI_BENCH_PROGRAMS:-}" ]; then
	[ "$(scheduler_of fifo)" = "$(scheduler_of "")" ] && [ "$(scheduler_of NA-WS)" = na-ws ]
	report $? "the scheduler is the one that the library takes"
fi
if [ -x "$bench/mainjob" ] && [ -z "${QTI_BENCH_PROGRAMS:-}" ]; then
	main_job
fi
for name in ${QTI_BENCH_PROGRAMS:-$programs}; do
	if [ ! -x "$bench/$name/$name" ]; then
		skip "$name" "not built"
		continue
	fi
	serial "$name"
	native "$name"
	begin
	for cutoff in $(cutoffs "$bench/$name/$name"); do
		good 2 "$bench/$name/$name" --workers 2 --cutoff "$cutoff"
	done
	verdict "$name: native, with cut-offs"
	openmp "$name"
	optional "$name" -xomp "XOMP on libqomp"
	[ -n "$tool$SANITIZER_FLAGS" ] || optional "$name" -tbb "oneTBB"
	bad_options "$name"
done
finish
