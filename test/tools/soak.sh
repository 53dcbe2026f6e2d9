#!/bin/sh
# test/tools/soak.sh -- test/soak/run tells runs that end well, fail, crash, hang or are stopped from each other, and
# counts their rounds; test/soak/deadlocks tells a report of a deadlock from what else they fail at.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Scripts under the names of tests take their place.

. "${abs_top_srcdir:?}/test/tap.sh"
command -v "${PYTHON3:-python3}" >/dev/null || skip_all "python3 is not installed"
"${PYTHON3:-python3}" -c 'import ctypes, mmap' 2>/dev/null || skip_all "this python3 lacks modules"

mkdir -p "$work/build/test/stress" && cd "$work" || exit 1

fake() {        # TEST SCRIPT
	{ echo '#!/bin/sh'; echo "echo about $1; $2"; } >"$work/build/test/stress/$1"
	chmod +x "$work/build/test/stress/$1"
}

# Three rounds, as struct stress_soak has them.
count='printf "\\3" | dd of="$QTI_SOAK" bs=1 conv=notrunc 2>/dev/null'
fake barrier "$count"
fake bq 'exit 3'
fake combine 'exec sleep 1000'
fake deque 'me=$$; (sleep 2; kill -CONT $me) & kill -STOP $me; '"$count"
fake duty 'kill -SEGV $$'

soak() {        # ARGUMENT...
	timeout -k 5 60 "${PYTHON3:-python3}" "$top/test/soak/run" --build build --jobs 5 --seed 9 --asleep 1 --disturb '' \
		"$@" >"$work/log" 2>&1 </dev/null
	status=$?
}

says() {        # PATTERN NAME
	grep -Eq -e "$1" "$work/log"
	report $? "$2"
}

plan 13
soak --programs barrier,bq,combine,deque,duty --failures 3
[ $status -eq 1 ]
report $? "runs that fail make it fail"
says 'barrier [0-9]+/0 .*in all [0-9]+ rounds of [0-9]+ runs, [0-9]+ failures' "the last line has rounds and failures"
says 'FAILED bq: ends with status 3' "a status is told"
says 'FAILED duty: ends with status -11' "a signal is told"
soak --replay 9:2:combine
says 'FAILED combine: hangs: no round for .* all asleep' "a run whose threads all sleep hangs"
[ -s soak-logs/failed-9-2-combine-1/backtraces ] && grep -q 'about combine' soak-logs/failed-9-2-combine-1/log
report $? "and leaves its log, and what its threads were at"
grep -q -e '--replay 9:2:combine' soak-logs/failed-9-2-combine-1/again
report $? "and how to have it again"
soak --replay 9:3:deque
says 'deque 3/0; in all 3 rounds of 1 runs, 0 failures' "a run that is stopped does not"
soak --replay 9:0:barrier --times 7
says 'barrier 21/0; in all 21 rounds of 7 runs, 0 failures' "a run is replayed as often as asked for"

fake line 'echo "libqthread: deadlock: all 2 workers sleep" >&2'
timeout -k 5 60 "${PYTHON3:-python3}" "$top/test/soak/deadlocks" --build build --runs 4 --jobs 4 --asleep 1 \
	--programs stress/bq,stress/combine,stress/duty,stress/line >"$work/log" 2>&1
status=$?
says '^build/test/stress/line, .*:$' "a report is told"
says 'stress/duty, .*: ended with status -11 ' "and how others end that do not end well"
says 'stress/combine, .*: hangs: .* all asleep for ' "and that one hangs"
[ $status -eq 1 ] && grep -qx '4 runs of 4 programs, 1 false reports; failed otherwise: 1 bq 1 combine 1 duty' "$work/log"
report $? "reports alone are counted as such"
