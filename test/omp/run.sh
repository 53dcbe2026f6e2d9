#!/bin/sh
# test/omp/run.sh -- runs an OpenMP program on GCC's library, which shows that its checks are right, and on ours.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: run.sh PROGRAM.omp      (in the build directory; where the compiler has a libgomp, PROGRAM.libgomp lies beside)
#        run.sh PROGRAM.kmp      (what clang has compiled; PROGRAM.libomp beside, if it passes there)
#
# Every check of every process is one line of one stream, behind which library, or scheduler, and how many threads it
# ran on: "[mts 3] ...".  Each process is one check more, that it came to its end: one that hangs, is killed or stops
# early fails that one.  After two that hung the others count as failed, so that the log is there before the harness
# loses patience.  A program sees QTI_OMP_ORACLE in its environment while it runs on another library: libgomp or libomp.
#
# From the environment, besides what test/run-test reads:
#   QTI_OMP_TIMEOUT     seconds until a process counts as hung (default 30; ten times that under a tool)
#   QTI_OMP_THREADS, QTI_OMP_SCHEDULERS   only these, to look into a failure

program=$1
case $program in
*.kmp) theirs=libomp ;;
*) theirs=libgomp ;;
esac
oracle=${program%.*}.$theirs
tool=${QTI_TEST_TOOL:-}
brief=$tool${SANITIZER_FLAGS:-}${QTI_TEST_BRIEF:-}
limit=${QTI_OMP_TIMEOUT:-30}
hung=0

# What was not built says why.
if [ ! -x "$program" ]; then
	echo "1..0 # SKIP $(cat "$program")"
	exit 0
fi

# Settings of whoever runs the tests are not the tests'.
for setting in $(env | sed -n 's/^\(G\{0,1\}OMP_[A-Z_]*\)=.*/\1/p'); do
	unset "$setting"
done

# process NAME THREADS COMMAND...
process() {
	name="$1 $2"
	OMP_NUM_THREADS=$2
	export OMP_NUM_THREADS
	shift 2
	if [ $hung -ge 2 ]; then
		echo "@left $name"
		return
	fi
	echo "@begin $name"
	if [ -n "${TIMEOUT-timeout}" ]; then
		"${TIMEOUT-timeout}" -k 5 "$limit" "$@" </dev/null
	else
		"$@" </dev/null
	fi
	status=$?
	if [ $status -eq 124 ] || [ $status -eq 137 ]; then
		hung=$((hung + 1))
	fi
	echo
	echo "@end $status"
}

# What clang has compiled differs from the other program in its calls alone: few shapes show those.
counts_of() {
	[ "$1" = libomp ] && echo 3 && return
	shift
	echo "$@"
}

# The oracle is no business of a tool or a sanitizer, which would find faults with it, and takes time.
on_theirs() {
	[ -z "$brief" ] || return
	[ $theirs = libgomp ] || [ -x "$oracle" ] || return
	if [ ! -x "$oracle" ]; then
		echo "@without"
		return
	fi
	# It would spin for milliseconds wherever other processes keep a member from its CPU.
	OMP_WAIT_POLICY=passive
	export OMP_WAIT_POLICY
	for threads in ${QTI_OMP_THREADS:-$(counts_of $theirs 1 2 3 8)}; do
		process $theirs $threads env QTI_OMP_ORACLE=$theirs "$oracle"
	done
	unset OMP_WAIT_POLICY
}

# What runs on GCC's library after all says nothing of ours.  A shared build has the program below a script.
links_ours() {
	binary=$(dirname "$program")/.libs/$(basename "$program")
	[ -e "$binary" ] || binary=$program
	if command -v readelf >/dev/null; then
		! readelf -dW "$binary" | grep -q 'NEEDED.*lib\(gomp\|omp\|iomp5\)\.so'
		echo "@links $?"
	fi
}

on_ours() {
	if [ -n "$brief" ]; then
		schedulers=${QTI_OMP_SCHEDULERS:-mts}
		# What one thread does wrong, AddressSanitizer sees as well as valgrind, and in a tenth of the time.
		case ${SANITIZER_FLAGS:-} in
		*address*) counts=${QTI_OMP_THREADS:-1 3} ;;
		*) counts=${QTI_OMP_THREADS:-3} ;;
		esac
	elif [ $theirs = libomp ]; then
		schedulers=${QTI_OMP_SCHEDULERS:-mts}
		counts=${QTI_OMP_THREADS:-1 3}
	else
		schedulers=${QTI_OMP_SCHEDULERS:-q l cq ws mts xq bq na-rp na-ws}
		counts=${QTI_OMP_THREADS:-1 2 3 8}
	fi
	if [ "$tool" = valgrind ]; then
		# At the end there are threads that wait for another region, and what they may use is no leak.
		set -- "${LIBTOOL:-./libtool}" --mode=execute "${VALGRIND:-valgrind}" -q --error-exitcode=99 \
			--leak-check=full --show-leak-kinds=definite,indirect \
			--errors-for-leak-kinds=definite,indirect "$program"
	else
		set -- "$program"
	fi
	for QT_SCHEDULER in $schedulers; do
		export QT_SCHEDULER
		case $QT_SCHEDULER in
		ws | mts) some=$counts ;;
		q | l | cq) some=${QTI_OMP_THREADS:-3 8} ;;
		*) some=${QTI_OMP_THREADS:-3} ;;
		esac
		for threads in $some; do
			process "$QT_SCHEDULER" "$threads" "$@"
		done
	done
}

[ -z "$tool${QTI_EMULATED:-}" ] || limit=$((limit * 10))
{
	on_theirs
	links_ours
	on_ours
} | ${AWK:-awk} -v limit="$limit" '
	function check(good, text) {
		printf "%sok %d - %s\n", good ? "" : "not ", ++number, text
		failed += !good
		fflush()
	}
	function ended(status) {
		bad = bailed
		if (bad)
			;
		else if (status == 124)
			bad = "hung: killed after " limit " s"
		else if (status == 137)
			bad = "killed: it hung, or took too much memory"
		else if (status > 128)
			bad = "died of signal " status - 128
		else if (status != 0 && !(status == 1 && process_failed))
			bad = "ended with status " status
		else if (planned == "" || ran != planned)
			bad = "ran " ran + 0 " of " (planned == "" ? "unknown" : planned) " checks"
		check(!bad, name "ends after its last check" (bad ? " - " bad : ""))
	}
	$1 == "@begin" {
		name = "[" $2 " " $3 "] "
		ran = process_failed = 0
		planned = bailed = ""
		next
	}
	$1 == "@end" { ended($2); next }
	$1 == "@links" { check($2 == 0, "the program links no other library"); next }
	$1 == "@left" { check(0, "[" $2 " " $3 "] not run, after two that hung"); next }
	$1 == "@without" {
		printf "ok %d - # SKIP there is nothing to compare with: no libgomp, or no pragmas\n", ++number
		next
	}
	/^1\.\.0 # SKIP/ {
		sub(/^1\.\.0 # SKIP */, "")
		printf "ok %d - %s # SKIP %s\n", ++number, name, $0
		planned = 0
		next
	}
	/^1\.\.[0-9]+$/ { planned = substr($0, 4); next }
	/^(not )?ok [0-9]+/ {
		good = !/^not /
		sub(/^(not )?ok [0-9]+ *-? */, "")
		check(good, name $0)
		ran++
		process_failed += !good
		next
	}
	/^Bail out!/ { bailed = $0; next }
	/^$/ { next }
	/^#/ { print; next }
	{ print "# " $0 }
	END {
		printf "1..%d\n", number
		exit failed > 0
	}'
