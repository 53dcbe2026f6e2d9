#!/bin/sh
# test/omp/run_selftest.sh -- run.sh passes on what OpenMP programs say, and notices those that say too little.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
[ -n "${TIMEOUT-timeout}" ] || skip_all "no timeout command"

# run COMMANDS [ORACLE-COMMANDS]: of a program of two checks, whose output and status are left in log and $status.
run() {
	printf '#!/bin/sh\necho 1..2\necho "ok 1 - first"\n%s\n' "$1" >"$work/program.omp"
	printf '#!/bin/sh\necho 1..1\n%s\n' "${2:-echo ok 1 - first}" >"$work/program.libgomp"
	chmod +x "$work/program.omp" "$work/program.libgomp"
	QTI_OMP_THREADS=3 QTI_OMP_SCHEDULERS=ws QTI_OMP_TIMEOUT=1 QTI_TEST_TOOL= QTI_TEST_BRIEF= QTI_EMULATED= SANITIZER_FLAGS= \
		"${SHELL:-/bin/sh}" "$top/test/omp/run.sh" "$work/program.omp" >"$work/log" 2>/dev/null
	status=$?
}

# says WHAT LINE: the run was good or bad, as the line has it, and the line is in its log.
says() {
	case $2 in
	not*) [ $status -ne 0 ] ;;
	*) [ $status -eq 0 ] ;;
	esac && sed 's/^\(not \)\{0,1\}ok [0-9]* /\1ok /' "$work/log" | grep -qxF "$2"
	report $? "$1"
}

plan 12

run 'echo "ok 2 - second"'
says "a check of ours is passed on" "ok - [ws 3] second"
says "and one on libgomp" "ok - [libgomp 3] first"
says "as is that a process came to its end" "ok - [ws 3] ends after its last check"
[ "$(grep -c '^ok' "$work/log")" = "$(sed -n 's/^1\.\.//p' "$work/log")" ]
report $? "the plan counts them all"

run 'echo "not ok 2 - second"; exit 1'
says "one that fails too" "not ok - [ws 3] second"

run 'echo "ok 2 - second"' 'echo "not ok 1 - first"; exit 1'
says "and one that fails on libgomp, which is wrong itself" "not ok - [libgomp 3] first"

run 'exit 0'
says "a process may not stop early" "not ok - [ws 3] ends after its last check - ran 1 of 2 checks"

run 'kill -TERM $$'
says "die" "not ok - [ws 3] ends after its last check - died of signal 15"

run 'sleep 100'
says "hang" "not ok - [ws 3] ends after its last check - hung: killed after 1 s"

run 'echo "ok 2 - second"; exit 3'
says "or end with another status" "not ok - [ws 3] ends after its last check - ended with status 3"

run 'echo "Bail out! no more"; exit 255'
says "and if it gives up, why" "not ok - [ws 3] ends after its last check - Bail out! no more"

echo "no compiler" >"$work/absent.omp"
"${SHELL:-/bin/sh}" "$top/test/omp/run.sh" "$work/absent.omp" >"$work/log"
status=$?
says "what could not be built is skipped" "1..0 # SKIP no compiler"
