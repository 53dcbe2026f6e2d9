#!/bin/sh
# test/bench/harness.sh -- bench/run: its arithmetic, and that it notices what is wrong with a program.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The programs and the runtimes are made up here: a program is a script that prints what the real ones print, and asks
# the name of the directory in which it would find its libgomp.so.1 what it is to do.

. "${abs_top_srcdir:?}/test/tap.sh"
[ -n "${PYTHON3=python3}" ] && command -v "$PYTHON3" >/dev/null || skip_all "no python3"
"$PYTHON3" -c 'import sys; sys.exit(sys.version_info < (3, 8))' || skip_all "python3 is older than 3.8"

build=$work/build
mkdir -p "$build/bench/fib" "$build/bench/sparselu" "$work/intel/lib"
: >"$work/a.so"
: >"$work/b.so"
: >"$work/libomp.so.5"
ln -s "$work/libomp.so.5" "$work/intel/lib/libiomp5.so"

# Version, problem and so on: fields that the harness does not look at are short.
cat >"$work/program" <<'END'
#!/bin/sh
name=${0##*/} workers=0 library=none form=
samples=0.4
while [ $# -gt 0 ]; do
	case $1 in
	--workers) workers=$2 ;;
	--tasks) form=$2 ;;
	esac
	shift
done
case $name in
*-omp)
	library=${LD_LIBRARY_PATH%%:*}/libgomp.so.1
	folder=${library%/*}
	case ${folder##*/} in
	libgomp) samples="0.2;0.3;0.1" ;;
	libomp) samples="0.2;0.2;0.2" ;;
	libqomp) samples="0.1;0.1;0.25" ;;
	wrong) echo "$name: WRONG RESULT: 2 and 2 are 5" >&2; exit 1 ;;
	crash) kill -SEGV $$ ;;
	hang) echo $$ >"${0%/*}/hanging"; exec sleep 1000 ;;
	garbled) echo "half a line"; exit 0 ;;
	letters) samples="0.1;zero" ;;
	elsewhere) library=/elsewhere/libgomp.so.1 ;;
	fewer) workers=1 ;;
	esac ;;
esac
[ "$form" != for ] || samples=0.8
echo "program,problem,runtime,library,cutoff,variant,scheduler,shepherds,workers,reps,median_s,units,unit,"\
"tasks,steals,failed_steals,stolen,in_place,self,local,remote,static_pushes,at_once,requests,handled,served,vain,full,"\
"given_local,given_remote,samples,machine"
echo "$name,\"n 1, of 2\",r,$library,none,parallel,mts,1,$workers,1,9,1000,call,500,4,2,6,7,300,150,50,475,25,"\
"50,40,20,15,5,60,20,$samples,m"
END
chmod +x "$work/program"
for name in fib/fib fib/fib-omp; do
	cp "$work/program" "$build/bench/$name"
done

# run ARGUMENT...: of the harness; what it says is left in log and err, its results in out, its status in $status.
run() {
	rm -rf "$work/out"
	"$PYTHON3" "$top/bench/run" --build "$build" --out "$work/out" --no-pictures --rounds 1 --workers 2 \
		--schedulers mts --sweeps none --cutoffs none "$@" >"$work/log" 2>"$work/err"
	status=$?
	cat "$work/err" >>"$work/log"
}

# value RUNTIME COLUMN: from the first line of that runtime in the results.
value() {
	${AWK:-awk} -F, -v runtime="$1" -v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["runtime"] == runtime { print $at[column]; exit }' "$work/out/results.csv"
}

# is RUNTIME COLUMN VALUE NAME
is() {
	got=$(value "$1" "$2")
	echo "$1: $2 is '$got', not '$3'" >>"$work/log"
	[ "$got" = "$3" ]
	report $? "$4"
}

# fails RUNTIME WORD TEXT NAME: it has no figure, WORD says so, and the messages have the TEXT; the twin has its own.
fails() {
	run --runtimes "$1=$work/b.so" --limit $limit
	[ $status -eq 1 ] && [ "$(value "$1" status)" = "$2" ] && grep -q "$2: .*$3" "$work/err" &&
		[ "$(value "$1" median_s)" = "" ] && grep -q "^| fib .*$2" "$work/out/tables.md"
	report $? "$4"
}

refused() {     # TEXT NAME ARGUMENT...
	text=$1 name=$2
	shift 2
	run "$@"
	[ $status -eq 2 ] && grep -q -- "$text" "$work/err"
	report $? "$name"
}

run --runtimes "libqomp=$work/b.so,libgomp=$work/a.so,libomp=$work/a.so,qthread"
[ $status -eq 0 ]
report $? "ends with status 0 if all went well"
is libgomp median_s 0.200000 "median of samples"
is libgomp min_s 0.100000 "least"
is libgomp stddev_s 0.100000 "standard deviation"
is libgomp spread_percent 100.0 "spread"
is libqomp ratio_libgomp 0.500 "ratio to libgomp"
is libqomp ratio_best 0.500 "and to the best peer"
is qthread ratio_best 2.000 "of the native version, too"
is qthread steals 4 "counts are those of a repetition"
is serial median_s 0.400000 "the serial twin is there unasked"
grep -q '^| fib *| *2 | *2.00 | *2.00 | *4.00 | *1.00 |$' "$work/out/tables.md"
report $? "speed-ups are over the serial twin"
grep -q '^| fib *|.*| *0.50 | *2.00 | *<= 0.5: native above |$' "$work/log"
report $? "the table names who misses the target"
grep -q '^command: .*--runtimes libqomp=' "$work/out/machine.txt"
report $? "the command is recorded"
! grep -v '^command:' "$work/out/machine.txt" | cat - "$work/out/results.csv" | grep -q "$work"
report $? "and no directory of this machine"

cp "$work/out/tables.md" "$work/tables.md"
rm "$work/out/tables.md"
"$PYTHON3" "$top/bench/run" --report "$work/out" --no-pictures >"$work/log" 2>&1 &&
	cmp "$work/tables.md" "$work/out/tables.md" >>"$work/log"
report $? "--report makes the same tables from the results alone"

# One scheduler is not there, and of ours alone there are points.
run --runtimes "libgomp=$work/a.so,libqomp=$work/b.so,qthread" --sweeps steal,ring,n-victim,barrier
[ $status -eq 0 ] && grep -q '^| fib, 2 workers *| *1.00 | *1.00 |$' "$work/out/tables.md" &&
	grep -q '^## QT_RING' "$work/out/tables.md" && grep -q '^| fib, native xq *| *1024 | *0.400 ' "$work/out/tables.md"
report $? "settings are swept, and stand beside the papers' figures"
grep -q '^| paper: uts, 24 cores *| *0.47 | *0.47 |$' "$work/out/tables.md" &&
	grep -q '^| health *| *0.75 | *0.74 |' "$work/out/tables.md" &&
	grep -q '^| paper, bubbles, affinity *| *14.04 | *16 | *88 % |$' "$work/out/tables.md"
report $? "which are shares and ratios"

run --runtimes "libqomp=$work/b.so,qthread" --schedulers xq,na-rp,na-ws
theirs='^| fib, xq *| *96 | *0.5 | *3.5 | *96 |' ours=' *60 | *30 | *10 |'
[ $status -eq 0 ] && grep -q "$theirs$ours *5.0 |$ours\$" "$work/out/tables.md" &&
	grep -q '^| fib, na-ws *| *4.83 | *81 | *44 | *1 | *100 | *100 | *80 | *50 | *4 | *75 | *100 ' "$work/out/tables.md"
report $? "counts of tasks and requests stand there as shares, too"

# Real programs, whose log and counters have something to tell; the made-up ones have none.
real=${abs_top_builddir:?}/bench/uts/uts
if [ -x "$real" ] && [ -z "${QTI_TEST_TOOL:-}$SANITIZER_FLAGS" ]; then
	"$PYTHON3" "$top/bench/run" --build "$abs_top_builddir" --out "$work/out" --no-pictures --rounds 1 --workers 2 \
		--schedulers ws --only uts --size test --sweeps log --cutoffs none --runtimes qthread >"$work/log" 2>&1
	[ $? -eq 0 ] && sed -n 's/^| native ws, 2 workers *|//p' "$work/out/tables.md" |
		awk -F'%' 'NF == 7 { for (i = 1; i < NF; i++) { sub(/.*[|]/, "", $i); all += $i }
			good = all > 99.5 && all < 100.5 && $1 > 0 } END { exit !good }'
	report $? "shares of time come from an event log, and are all of it"
	"$PYTHON3" "$top/bench/run" --build "$abs_top_builddir" --out "$work/out" --no-pictures --rounds 1 --workers 2 \
		--schedulers na-ws --only uts --size test --sweeps none --cutoffs none --runtimes qthread >"$work/log" 2>&1
	dealt=$(($(value qthread static_pushes) + $(value qthread at_once)))
	[ $dealt -gt 0 ] && [ $dealt -eq $(($(value qthread self) + $(value qthread local) + $(value qthread remote))) ]
	report $? "who ran tasks comes from counters, and is all of them"
else
	skip "who ran tasks comes from counters, and is all of them" "needs bench/uts/uts, and no tool around it"
	skip "shares of time come from an event log, and are all of it" "needs bench/uts/uts, and no tool around it"
fi
mkdir "$build/bench/uts"
cp "$work/program" "$build/bench/uts/uts"
run --runtimes qthread --only uts --sweeps log
[ $status -eq 1 ] && grep -q 'has written no event log' "$work/err"
report $? "a program without a log is noticed"
rm -r "$build/bench/uts"

limit=60
fails wrong FAILED "WRONG RESULT: 2 and 2 are 5" "a wrong result"
fails crash FAILED SIGSEGV "a crash"
# So short a limit is for what hangs alone: on a busy machine others exceed it, too.
limit=2
fails hang HUNG "no end after 2 s" "a hang"
limit=60
! kill -0 "$(cat "$build/bench/fib/hanging")" 2>/dev/null
report $? "what hung is gone"
fails garbled FAILED "not a header and one line" "output that is no CSV"
fails letters FAILED "no number" "a sample that is no number"
fails elsewhere FAILED "it ran on /elsewhere" "another runtime than was asked for"
fails fewer FAILED "it ran 1 workers" "fewer workers than were asked for"

run --runtimes libiomp5 --with-intel "$work/intel"
[ $status -ne 0 ] && grep -q 'libiomp5: not found' "$work/err"
report $? "LLVM's runtime under the name of Intel's is not taken for it"
run --runtimes "libgomp=$work/none.so"
[ $status -ne 0 ] && grep -q 'none.so is not there' "$work/err"
report $? "a runtime that is not there"
refused 'the programs are fib' "unknown program" --only fibb
refused 'schedulers are' "unknown scheduler" --schedulers mts,fifo
refused 'at least 1' "no workers" --workers 0
run --out "$work/program"
[ $status -eq 1 ] && grep -q "program: File exists" "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ]
report $? "--out is a file"
refused 'without --out' "--report has its own place" --report "$work/build"
run --only nqueens
[ $status -eq 1 ] && grep -q 'nqueens is not built' "$work/err"
report $? "nothing to run"

cp "$work/program" "$build/bench/sparselu/sparselu"
run --runtimes qthread --only sparselu
[ "$(grep -c '^sparselu,\(single\|for\),none' "$work/out/results.csv")" -eq 4 ] &&
	grep -q '^| sparselu (for) *| 0.800' "$work/out/tables.md"
report $? "forms of a program are figures of their own"

# A shell has what it starts in the background ignore the signal.
rm -f "$build/bench/fib/hanging"
cat >"$work/interrupt.py" <<'END'
import os, signal, subprocess, sys, time
child = subprocess.Popen(sys.argv[2:], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while not (os.path.exists(sys.argv[1]) and os.path.getsize(sys.argv[1])) and child.poll() is None:
    time.sleep(0.01)
child.send_signal(signal.SIGINT)
sys.exit(child.wait())
END
rm -rf "$work/out"
"$PYTHON3" "$work/interrupt.py" "$build/bench/fib/hanging" "$PYTHON3" "$top/bench/run" --build "$build" \
	--out "$work/out" --no-pictures --rounds 1 --workers 2 --schedulers mts --sweeps none --cutoffs none \
	--runtimes "libqomp=$work/b.so,hang=$work/b.so" >"$work/log" 2>&1
[ $? -eq 130 ] && [ "$(value libqomp median_s)" = 0.100000 ] && grep -q 'interrupted in round 1' "$work/log"
report $? "who is interrupted keeps what was measured"
! kill -0 "$(cat "$build/bench/fib/hanging")" 2>/dev/null
report $? "and leaves no process behind"

# Documents are those of a tree of its own.
mkdir -p "$work/tree/bench"
cp -R "$top/bench/run" "$top/bench/harness" "$work/tree/bench"
chmod -R u+w "$work/tree"
printf 'before\n<!-- bench: brief -->\nold\n<!-- end -->\nafter\n' >"$work/tree/README.md"
cp "$top/bench/RESULTS.md" "$work/tree/bench"
"$PYTHON3" "$work/tree/bench/run" --build "$build" --no-pictures --rounds 1 --workers 1,2 --cutoffs none \
	--runtimes "libqomp=$work/b.so,libgomp=$work/a.so,qthread" --publish --out "$work/out" >"$work/log" 2>&1 &&
	[ -s "$work/out/results.csv" ] && [ ! -e "$work/tree/bench/results.csv" ] &&
	grep -q 'fib, native: 2.00' "$work/out/ratio.svg" && cmp "$work/out/ratio.svg" "$work/tree/bench/ratio.svg"
report $? "--publish takes the picture into the tree, and leaves the results outside"
grep -q '^| fib .*0.200' "$work/tree/README.md" &&
	[ "$(sed -n '1p;$p' "$work/tree/README.md" | tr '\n' ' ')" = "before after " ]
report $? "and puts tables between the marks of a document"
grep -q '^| native mts, 2 workers\|^| Fib ' "$work/tree/bench/RESULTS.md"
report $? "also beside the figures of the papers"
grep -q '^| sparselu' "$work/tree/bench/RESULTS.md" && ! grep '^| sparselu' "$work/tree/README.md" >"$work/log"
report $? "README has three programs, RESULTS.md all"
cp "$work/tree/README.md" "$work/README.md"
printf '<!-- bench: brief -->\nold\n<!-- end -->\n' >"$work/tree/README.md"
"$PYTHON3" "$work/tree/bench/run" --report "$work/out" --no-pictures --publish >"$work/log" 2>&1 &&
	grep '^|' "$work/README.md" >"$work/before" && grep '^|' "$work/tree/README.md" | cmp "$work/before" - >>"$work/log"
report $? "--report publishes as well"
finish
