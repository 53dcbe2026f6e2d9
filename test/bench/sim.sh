#!/bin/sh
# test/bench/sim.sh -- bench/sim: the same run twice is the same to the last event, every task runs once, who wins does.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
sim=${abs_top_builddir:?}/bench/sim/sim
[ -z "$SANITIZER_FLAGS${QTI_TEST_TOOL:-}" ] || skip_all "simulated threads change stacks behind a tool's back"
[ -x "$sim" ] || skip_all "bench/sim/sim is not built"
"$sim" --tree fib --small --workers 1 --policy mts >"$work/log" 2>&1 || ! grep -q 'may not have' "$work/log" ||
	skip_all "$(cat "$work/log")"

for setting in $(env | sed -n 's/^\(QT\(HREAD\)\{0,1\}_[A-Z_]*\)=.*/\1/p'); do
	unset "$setting"
done

# complete TREE: ends under all policies with every task run once; the exit status says so.
complete() {
	"$sim" --tree "$1" --small --machine 'socket:8 core:8' --workers 1,2,64 --csv >"$work/log" 2>&1
}

# speedup POLICY COMMAND...: of the command's only run of it
speedup() {
	of=$1
	shift
	"$sim" --csv --policy "$of" "$@" | sed 1d | cut -d, -f6
}

# wins BETTER WORSE COMMAND...
wins() {
	better=$1 worse=$2
	shift 2
	one=$(speedup "$better" "$@") other=$(speedup "$worse" "$@")
	echo "$better: $one, $worse: $other" >"$work/log"
	awk -v a="$one" -v b="$other" 'BEGIN { exit !(a != "" && b != "" && a > b) }'
}

# half_over_one PERCENT POLICY: nqueens on 24 workers, the sum of seven seeds, by how much a steal takes
half_over_one() {
	for amount in one half; do
		for seed in 1 2 3 4 5 6 7; do
			QT_STEAL=$amount "$sim" --csv --tree nqueens --machine 'socket:2 core:12' --policy "$2" --seed $seed |
				awk -F, -v amount=$amount 'NR > 1 { print amount, $5 }'
		done
	done >"$work/log"
	awk -v most="$1" '{ us[$1] += $2 } END { exit !(us["half"] > 0 && us["half"] <= us["one"] * most / 100) }' "$work/log"
}

# refuses WORD OPTION...: one line that names what is wrong, and status 2
refuses() {
	word=$1
	shift
	"$sim" "$@" >/dev/null 2>"$work/log"
	[ $? -eq 2 ] && [ "$(wc -l <"$work/log")" -eq 1 ] && grep -q -e "$word" "$work/log"
}

trees="fib nqueens uts health sort strassen alignment sparselu"
[ -z "${QTI_TEST_BRIEF:-}" ] || trees="fib uts"
plan $((19 + $(echo $trees | wc -w)))
for tree in $trees; do
	complete "$tree"
	report $? "$tree on 1, 2 and 64 workers: all end, every task runs once"
done

"$sim" --tree uts --small --machine 'socket:8 core:8' --csv >"$work/one"
"$sim" --tree uts --small --machine 'socket:8 core:8' --csv >"$work/other"
cmp "$work/one" "$work/other" >"$work/log" 2>&1
report $? "64 workers under all policies, twice: the same digests of all events"
"$sim" --tree uts --small --machine 'socket:8 core:8' --seed 5 --csv >"$work/five"
"$sim" --tree uts --small --machine 'socket:8 core:8' --seed 5 --csv | cmp - "$work/five" >"$work/log" 2>&1 &&
	! cmp -s "$work/one" "$work/five"
report $? "the same with a seed; it is another run than without"
sed 1d "$work/one" | sed 's/.*,//' | sort | uniq -d >"$work/log"
report_empty "no two policies have the same digest"
QT_STEAL_CHUNK=1 "$sim" --tree uts --small --policy mts --csv >"$work/one"
QT_STEAL_CHUNK=4 "$sim" --tree uts --small --policy mts --csv >"$work/other"
! cmp -s "$work/one" "$work/other"
report $? "settings of the library count: mts with another chunk is another run"

wins ws q --tree fib --n 25 --cut 8
report $? "fib on 32 workers: who forks keeps its tasks (ws) beats who deals them out (q)"
wins mts q --tree strassen --n 1024
report $? "strassen on 32 workers: mts beats q"
wins ws xq --tree uts --n 500 --cut 50
report $? "uts on 32 workers: ws beats xq"

for policy in ws mts; do
	half_over_one 108 $policy
	report $? "nqueens on 24 workers under $policy: half a steal is not much slower than one task (at most 8 %)"
done

ranks=${abs_top_builddir:?}/bench/sim/ranks
for policy in random lifelines groups; do
	"$ranks" --ranks 50 --nodes 2000 --policy $policy >"$work/one" 2>"$work/log" &&
		"$ranks" --ranks 50 --nodes 2000 --policy $policy | cmp - "$work/one" >>"$work/log" 2>&1 || break
	awk 'NR == 2 { print $3 }' "$work/one"
done | uniq -c | awk 'END { exit !(NR == 1 && $1 == 3) }'
report $? "50 ranks count the same tree under all policies, and the same way each time"

"${abs_top_builddir:?}/bench/sim/barriers" --members 4,64 --rounds 4 --csv >"$work/one" 2>"$work/log" &&
	"${abs_top_builddir:?}/bench/sim/barriers" --members 4,64 --rounds 4 --csv | cmp - "$work/one" >>"$work/log" 2>&1
report $? "OpenMP's barrier: nobody passes before all have come; twice the same times"
awk -F, '{ print } $1 == 4 { four = $2 < $3 && $4 == $2 } $1 == 64 { many = $3 < $2 && $4 == $3 } END { exit !(four && many) }' \
	"$work/one" >"$work/log"
report $? "4 members meet sooner at one gate, 64 along the tree; QT_BARRIER=auto is the better one of both"

refuses 'no such tree' --tree oak
report $? "a tree that is none"
refuses 'no such policy' --policy lifo
report $? "a policy that is none"
refuses 'names a level' --machine 'socket:2 shelf:4'
report $? "a machine with a level that is none"
refuses 'must be numbers from 1 to 32' --workers 33
report $? "more workers than processors"

"$sim" --tree uts --small --policy mts --hot >"$work/log"
grep -q 'of the time waiting for ' "$work/log" && grep -q 'qti_rt.idle' "$work/log"
report $? "--hot names the lines that are waited for: that of who is idle is one"

if python3 -c '' 2>/dev/null; then
	"$sim" --tree uts --small --workers 1,2,8 --csv >"$work/csv"
	python3 "$top/bench/sim/charts" "$work/csv" --folder "$work" >"$work/log" 2>&1 &&
		[ "$(grep -c '<polyline' "$work/sim-speedup.svg")" -eq "$(($(cut -d, -f2 "$work/csv" | sort -u | wc -l)))" ] &&
		[ -s "$work/sim-breakdown.svg" ] && [ -s "$work/sim-locality.svg" ]
	report $? "charts: a curve for each policy and the dotted one"
	! echo nothing | python3 "$top/bench/sim/charts" --folder "$work" 2>"$work/log" && grep -q 'not what' "$work/log"
	report $? "charts: what is no such table is refused"
else
	skip "charts: a curve for each policy and the dotted one" "needs python3"
	skip "charts: what is no such table is refused" "needs python3"
fi
