#!/bin/sh
# test/bench/costs.sh -- bench/sim takes the costs of any machine, as bench/micro measures them or as a file has them.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
sim=${abs_top_builddir:?}/bench/sim/sim
[ -z "$SANITIZER_FLAGS${QTI_TEST_TOOL:-}" ] || skip_all "simulated threads change stacks behind a tool's back"
[ -x "$sim" ] || skip_all "bench/sim/sim is not built"
"$sim" --tree fib --small --workers 1 --policy mts >"$work/log" 2>&1 || ! grep -q 'may not have' "$work/log" ||
	skip_all "$(cat "$work/log")"

# caches OWN CHIP: costs of a machine with caches of so many KiB are taken as they are, and a tree with data runs to its end.
caches() {
	printf 'own_cache %s\nchip_cache %s\n' "$1" "$2" >"$work/costs"
	"$sim" --costs "$work/costs" --show-costs >"$work/log" 2>&1 &&
		[ "$(awk '/_cache/ { print $1, $2 }' "$work/log")" = "$(awk '{ printf "%s %.6g\n", $1, $2 }' "$work/costs")" ] &&
		"$sim" --costs "$work/costs" --tree strassen --small --machine 'socket:8 core:8' --workers 1,64 \
			--policy mts --csv >"$work/other" 2>>"$work/log"
}

# data_time OWN: of strassen on one worker with so many KiB of its own
data_time() {
	echo "own_cache $1" >"$work/costs"
	"$sim" --costs "$work/costs" --tree strassen --n 1024 --workers 1 --policy mts --csv | awk -F, 'NR > 1 { print $5 }'
}

plan 12
echo 'line_far 1000' >"$work/costs"
"$sim" --tree uts --small --csv --policy ws --costs "$work/costs" >"$work/other"
"$sim" --tree uts --small --csv --policy ws >"$work/one"
! cmp -s "$work/one" "$work/other"
report $? "costs from a file count"
echo 'line_fur 10' >"$work/costs"
"$sim" --costs "$work/costs" >"$work/out" 2>"$work/log"
[ $? -eq 2 ] && [ "$(wc -l <"$work/log")" -eq 1 ] && grep -q 'no cost line_fur' "$work/log"
report $? "a cost that is none"

"${abs_top_builddir:?}/bench/micro/micro" --costs --quick >"$work/costs" 2>"$work/log" &&
	"$sim" --costs "$work/costs" --show-costs >"$work/other" 2>>"$work/log" && "$sim" --show-costs >"$work/one" &&
	[ "$(diff "$work/one" "$work/other" | grep -c '^>')" -ge 10 ]
report $? "costs of this machine, as bench/micro/micro measures them, are taken"
"$sim" --costs "$work/costs" --tree strassen --small --policy mts --csv >"$work/other" 2>"$work/log"
report $? "and simulated"

# Of processors with 2 and 3 MiB for two cores, 64 for a cluster, 504 and 1152 for a chip, and of one that tells nothing.
for sizes in '2048 33792' '3072 36864' '1280 24576' '65536 65536' '1024 516096' '1024 1179648' '0 0'; do
	# shellcheck disable=SC2086
	caches $sizes
	report $? "costs of a machine with caches of $sizes KiB are taken"
done
small=$(data_time 1024) large=$(data_time 65536)
echo "1 MiB: $small, 64 MiB: $large" >"$work/log"
awk -v small="$small" -v large="$large" 'BEGIN { exit !(large > 0 && large < small) }'
report $? "what has room in a cache of 64 MiB and not in one of 1 MiB takes less time there"
