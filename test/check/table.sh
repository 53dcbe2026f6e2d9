#!/bin/sh
# test/check/table.sh PROGRAM... -- what each program of test/check explores, and which seeded bugs it finds.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A seeded bug is an order that is weaker by one step, or a step left out; the line names it, the unit that fails, how, and
# in which execution.  By `make check-model`.
set -eu

status=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

echo '| program | unit | threads | switches | stale loads | executions | complete | s |'
echo '|---|---|---|---|---|---|---|---|'
for program in "$@"; do
	name=$(basename "$program")
	"./$program" >"$out.one" 2>&1 || status=1
	sed -n "s/^# unit \([^:]*\): \([0-9]*\) threads, \([0-9]*\) switches, \([0-9]*\) stale loads, \([0-9]*\) executions, \(n*o*t* *all\), \([0-9.]*\) s\$/| $name | \1 | \2 | \3 | \4 | \5 | \6 | \7 |/p" "$out.one"
	sed -n "/^# src/p; /^not ok/p; /, without /p; /orders are needed/p" "$out.one" | sed "s/^/$name: /; s/: # /: /" >>"$out"
	rm -f "$out.one"
done
echo
cat "$out"
exit $status
