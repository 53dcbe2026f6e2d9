#!/bin/sh
# test/mpi/tasks.sh -- libqmpi, under each MPI that configure has found.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# QTI_MPI=long: 1 to 4 ranks of 1, 2 and 4 workers, every scheduler, 1,000 tasks a rank; else two ranks of two.

. "${abs_top_srcdir:?}/test/tap.sh"
. "$top/test/mpi/mpi.sh"

examples=
for page in libqmpi.7 qmpi_ifull.3; do
	awk -v base="$work/${page%.*}" -f "$top/test/man/examples.awk" "$top/man/$page"
	examples="$examples $work/${page%.*}-1.c"
done

# every_call: a header that takes down which of libqmpi's symbols a program calls, and where.
every_call() {
	nm -D --defined-only "$mpi/.libs/libqmpi.so" | awk '
		$3 ~ /^MPI_/ { name[n++] = $3 }
		END {
			print "#include <mpi.h>\n#define EVERY_CALL\nenum phase { OUTSIDE, IN_MAIN, IN_TASK, PHASES };\nenum {"
			for (i = 0; i < n; i++)
				print "\tCALL_" name[i] ","
			print "\tCALLS\n};\nextern unsigned char called[CALLS][PHASES];\nextern enum phase phase;"
			print "static const char *const names[CALLS] = {"
			for (i = 0; i < n; i++)
				print "\t\"" name[i] "\","
			print "};"
			for (i = 0; i < n; i++) {
				print "#undef " name[i]
				print "#define " name[i] "(...) (called[CALL_" name[i] "][phase] = 1, " name[i] "(__VA_ARGS__))"
			}
		}' >"$work/every_call.h"
}

# all_called NAME PATTERN: by what has run last; but those that match.
all_called() {
	grep '^not called' "$work/out" | grep -v "$2" >"$work/log"
	[ ! -s "$work/log" ] && grep -q '^[1-9][0-9]* calls$' "$work/out"
	report $? "$mpi: $1"
}

# use WHICH: that MPI, with its programs.
use() {
	use_mpi "$1" && every_call && build_mpi "$top/test/mpi/calls.c" -include "$work/every_call.h" || return 1
	for source in "$top/test/mpi/tasks.c" "$top/test/mpi/locales.c" $examples; do
		build_mpi "$source" || return 1
	done
	build_mpi "$top/test/mpi/session.c" || rm -f "$work/session"
}

brief() {
	none_wrong "every call does the same outside of tasks and in them" 2 2 calls "$work"
	all_called "and every one that libqmpi has is called, but those of other processes" 'MPI_\(Comm_\(spawn.*\|accept\|connect\|join\)\|.*from_groups*\)$'
	none_wrong "tasks wait for messages, errors and words, on one worker a rank" 2 1 tasks all
	none_wrong "the same on two" 2 2 tasks all
	none_wrong "a communicator made with a handler has it" 2 1 tasks group
	for page in libqmpi qmpi_ifull; do
		run 1 1 $page-1 && cmp -s "$work/$page-1.out" "$work/out" && ! grep -q '^libqmpi:' "$work/log"
		report $? "$mpi: the example of $page prints what the page says"
	done
	run 2 1 tasks abandon && grep -q 'MPI_Finalize is called while tasks (3) wait' "$work/log"
	report $? "$mpi: MPI_Finalize beside tasks that wait says so, and ends"
	grep -q 'while requests (1) of qmpi_ifull' "$work/log"
	report $? "$mpi: and beside a request that has been handed over"
	! run 2 1 tasks carried && [ $status -ne 124 ] && grep -q 'while tasks (1) are in MPI calls that have no nonblocking form' "$work/log"
	report $? "$mpi: beside one that another thread carries through MPI's own call it ends the job"
	[ ! -e "$work/session" ] || none_wrong "a program of sessions alone has tasks that wait, too" 2 1 session
	none_wrong "where one locale has no memory to begin none does, and nothing is left" 3 1 locales
	run 1 1 tasks single && grep -q 'tasks need MPI_THREAD_MULTIPLE' "$work/log" && grep -qx '0 wrong' "$work/out"
	report $? "$mpi: without MPI_THREAD_MULTIPLE it says what it needs"
}

# mpi_lost_one RANKS: one of the processes that the last run has begun never came out of MPI_Init, or all ranks came out
# of MPI_Finalize and mpirun says of one that it has not called it.  Open MPI 4.1.4 (PMIx 4.2.2) does so, without
# libqmpi as with it: this program stood still in 4 of 45 runs without and in 3 of 45 with it, one of MPI alone whose 3
# ranks begin 120 processes in one of 2, and 2 of 120 of one whose ranks begin 9 ended with that word of mpirun's.
mpi_lost_one() {
	grep -q 'stays in MPI_Init' "$work/log" && return
	grep -q 'exiting improperly' "$work/log" && [ "$(grep -c '^# rank [0-9]* has ended' "$work/log")" -eq "$1" ]
}

# with_others RANKS: again when the MPI has lost one.
with_others() {
	for try in 1 2 3 4 5; do
		if run "$1" 2 calls "$work" jobs || ! mpi_lost_one "$1"; then
			break
		fi
		echo "# $mpi: run $try has lost a process"
	done
	[ "$status" -eq 0 ] && grep -qx '0 wrong' "$work/out"
	report $? "$mpi: every call with those of other processes, $1 ranks"
}

long() {
	for ranks in 2 3; do
		with_others $ranks
		all_called "and every one that libqmpi has is called" none
	done
	for ranks in 1 2 3 4; do
		for workers in 1 2 4; do
			none_wrong "every call, $ranks ranks of $workers" $ranks $workers calls "$work"
			none_wrong "1000 tasks a rank, $ranks ranks of $workers" $ranks $workers tasks alltoall 1000 $ranks$workers
		done
	done
	for QT_SCHEDULER in q l cq ws mts xq bq na-rp na-ws; do
		export QT_SCHEDULER
		none_wrong "under $QT_SCHEDULER" 2 2 tasks all 600 7
	done
	unset QT_SCHEDULER
}

for each in openmpi mpich; do
	if use $each; then
		brief
		[ "${QTI_MPI:-}" != long ] || long
	else
		skip "$each" "not found, or nothing to link with"
	fi
done
finish
