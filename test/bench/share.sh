#!/bin/sh
# test/bench/share.sh -- bench/share: its programs find their results, and who starts copies of them adds up right and
# leaves none behind.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# For the second half programs and runtimes are made up: a program is a script that asks the name of the directory in
# which it would find its libgomp.so.1 what it is to do.

. "${abs_top_srcdir:?}/test/tap.sh"
[ -n "${PYTHON3=python3}" ] && command -v "$PYTHON3" >/dev/null || skip_all "no python3"
"$PYTHON3" -c 'import sys; sys.exit(sys.version_info < (3, 8))' || skip_all "python3 is older than 3.8"

# Settings of whoever runs the tests are not the tests'.
unset_settings

# run BUILD ARGUMENT...: what it says is left in log and err, its figures in csv, its status in $status.
run() {
	tree=$1
	shift
	rm -f "$work/csv"
	"$PYTHON3" "$top/bench/share/run" --build "$tree" --csv "$work/csv" --quick --rounds 1 --seconds 0.01 --threads 2 \
		"$@" >"$work/log" 2>"$work/err"
	status=$?
	cat "$work/err" >>"$work/log"
}

# value SITUATION RUNTIME COLUMN
value() {
	${AWK:-awk} -F, -v situation="$1" -v runtime="$2" -v column="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["situation"] ~ "^" situation "$" && $at["runtime"] == runtime { print $at[column]; exit }' "$work/csv"
}

# is SITUATION RUNTIME COLUMN VALUE NAME
is() {
	got=$(value "$1" "$2" "$3")
	echo "$1, $2: $3 is '$got', not '$4'" >>"$work/log"
	[ "$got" = "$4" ]
	report $? "$5"
}

# all_there CASE...: each has a figure, and all went well.
all_there() {
	[ $status -eq 0 ] || return 1
	for case; do
		grep -q "^$case,.*,1.\$" "$work/csv" || {
			echo "no figure: $case" >>"$work/log"
			return 1
		}
	done
}

# refused TEXT NAME COMMAND...: in one line, and status 2.
refused() {
	text=$1 name=$2
	shift 2
	"$@" >"$work/log" 2>&1
	[ $? -eq 2 ] && [ "$(wc -l <"$work/log")" -eq 1 ] && grep -q -- "$text" "$work/log"
	report $? "$name"
}

build=${abs_top_builddir:?}
if [ -n "${QTI_TEST_TOOL:-}$SANITIZER_FLAGS" ]; then
	skip "OpenMP shapes" "they run on libraries that tools find faults with, or without a sanitizer in it"
elif [ ! -x "$build/bench/share/share-omp" ] || [ ! -e "$build/.libs/libqomp.so" ]; then
	skip "OpenMP shapes" "not built: no gcc with OpenMP, or no shared library"
else
	run "$build" --runtimes libqomp --only 'omp/*/copies2' --only 'omp/barrier/*[a-z]4' --only neighbour
	all_there omp,barrier,alone omp,barrier,copies2 omp,barrier,threads4 omp,barrier,neighbour omp,parallel,copies2 \
		omp,tasks,copies2 omp,flat,copies2
	report $? "OpenMP: every shape finds its result, alone and beside others"
fi
run "$build" --runtimes native --only copies2 --only threads4 --only 'native/barrier/team*'
all_there native,barrier,alone native,barrier,copies2 native,barrier,threads4 native,loop,threads4 \
	native,sinc,threads4 native,tasks,threads4 'native,barrier,team[0-9]*'
report $? "native: every shape finds its result, alone and beside others"
refused 'no such shape' "a program refuses unknown shapes" "$build/bench/share/share" --shape round
refused 'not a number' "and seconds that are none" "$build/bench/share/share" --shape loop --seconds 1s

# The rest on programs that are made up.
build=$work/build
mkdir -p "$build/bench/share"
for name in qomp gomp omp bad; do
	: >"$work/$name.so"
done
cat >"$build/bench/share/share-omp" <<'END'
#!/bin/sh
threads=$OMP_NUM_THREADS rate=100
while [ $# -gt 0 ]; do
	case $1 in
	--list) printf 'barrier\tloops\n'; exit 0 ;;
	--threads) [ "$2" -eq 1 ] || rate=90 ;;
	esac
	shift
done
[ -z "$OMP_PROC_BIND" ] || { echo "bound" >&2; exit 1; }
folder=${LD_LIBRARY_PATH%%:*}
case ${folder##*/} in
libgomp) rate=50 ;;
libomp) rate=40 ;;
wrong) echo "share-omp: barrier: WRONG RESULT: 2 and 2 are 5" >&2; exit 1 ;;
crash) kill -SEGV $$ ;;
hang) exec sleep 1000 ;;
later) # the second, without a process that nobody waits for
	set -C
	true 2>/dev/null >"${0%/*}/first" || { echo $$ >>"${0%/*}/hanging"; exec sleep 1000; } ;;
garbled) echo "half a line"; exit 0 ;;
fewer) threads=1 ;;
esac
echo "$rate 0.5 10 $threads"
END
chmod +x "$build/bench/share/share-omp"

ours=libqomp=$work/qomp.so
run "$build" --runtimes "$ours,libgomp=$work/gomp.so,libomp=$work/omp.so"
[ $status -eq 0 ]
report $? "ends with status 0 if all went well"
is copies4 libqomp median 400.000 "the copies' steps are added up"
is copies4 libqomp cpus 2.000 "and so are the CPUs that they keep busy"
is copies4 libqomp of_alone 4.000 "what one does alone is 1"
is threads4 libqomp of_alone 0.900 "of pthreads in one copy, too"
is copies4 libqomp to_best 2.000 "ours are compared with the best of the others"
is copies4 libgomp to_best "" "and only ours"
[ "$(value 'team[0-9]*' libgomp threads)" -gt 2 ]
report $? "teams may have more threads than --threads"
run "$build" --runtimes "$ours" --only neighbour
[ "$(cut -d , -f 3 "$work/csv" | tr '\n' ' ')" = "situation alone neighbour " ]
report $? "--only takes what is named, and what that is compared with"

# fails RUNTIME WORD TEXT NAME: it has no figure, and ours has.
fails() {
	run "$build" --runtimes "$ours,$1=$work/bad.so" --only copies2 --limit $limit
	[ $status -eq 1 ] && [ "$(value copies2 "$1" median)" = "$2" ] && grep -q "$2: .*$3" "$work/err" &&
		[ "$(value copies2 libqomp median)" = 200.000 ]
	report $? "$4"
}

limit=60
fails wrong FAILED "WRONG RESULT: 2 and 2 are 5" "a wrong result is no figure"
fails crash FAILED SIGSEGV "nor is a crash"
fails garbled FAILED "not four numbers" "nor output that is none"
fails fewer FAILED "it ran 1 threads" "nor fewer threads than were asked for"
# So short a limit is for what hangs alone: on a busy machine others exceed it, too.
limit=2
fails hang HUNG "no end after 2 s" "nor a hang"

# Runs a command in a session of its own, interrupts it as soon as the file has something in it, and counts who is left.
cat >"$work/session.py" <<'END'
import glob, os, signal, subprocess, sys, time
def prepare():
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
def session(path):
    try:
        with open(path) as file:
            return int(file.read().rpartition(')')[2].split()[3])
    except OSError:
        return None
hanging = sys.argv[1]
child = subprocess.Popen(sys.argv[2:], preexec_fn=prepare)
while not (os.path.exists(hanging) and os.path.getsize(hanging)) and child.poll() is None:
    time.sleep(0.01)
child.send_signal(signal.SIGINT)
status = child.wait()
print('status', status, 'left', sum(session(path) == child.pid for path in glob.glob('/proc/[0-9]*/stat')))
END
for situation in copies8 neighbour; do
	rm -f "$build/bench/share/hanging" "$build/bench/share/first"
	"$PYTHON3" "$work/session.py" "$build/bench/share/hanging" "$PYTHON3" "$top/bench/share/run" --build "$build" \
		--quick --rounds 1 --runtimes "$ours,later=$work/bad.so" --only $situation >"$work/log" 2>&1
	grep -q '^status 130 left 0$' "$work/log"
	report $? "who is interrupted leaves no process behind ($situation)"
done

# refuses STATUS TEXT NAME ARGUMENT...: in one line, but for the usage.
refuses() {
	wanted=$1 text=$2 name=$3
	shift 3
	run "$build" --runtimes "$ours" "$@"
	[ $status -eq "$wanted" ] && [ "$(grep -c '^run: ' "$work/err")" -eq 1 ] && grep -q -- "$text" "$work/err"
	report $? "$name"
}
refuses 1 'no such case' "a case that is none is refused" --only rounds
refuses 2 'more than 0' "and so are no rounds" --rounds 0
refuses 2 'invalid choice' "and unknown schedulers" --scheduler fifo
finish
