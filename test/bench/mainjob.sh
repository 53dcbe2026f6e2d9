#!/bin/sh
# test/bench/mainjob.sh -- the main job's table has every scheduler, and test/bench/read-table notices what is wrong with one.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
unset_settings
mainjob=${abs_top_builddir:?}/bench/mainjob
table=$work/table

# A table without faults, to have some put into it: 1,000,000 nodes would be no tree of bench/README.md.
made() {
	echo 'Unbalanced tree tiny: 56033 nodes, depth 87, 49278 leaves; each node with children is a qthread'
	echo
	echo '  scheduler   shepherds x workers    seconds   M nodes/s   speed-up    steals   tasks a steal'
	echo '  serial      -                       0.0197        2.84       1.00         -               -'
	for name in $(sed -n 's/^m4_define(\[QTI_SCHEDULERS\], \[\(.*\)\])$/\1/p' "$top/configure.ac"); do
		echo "  $name  1 x 2, 2 x 1        0.1186        0.47       0.17         0               -"
	done
}

# says TEXT NAME COMMAND...: the made-up table, changed by a command, has this one fault; no TEXT: none.
says() {
	text=$1 name=$2
	shift 2
	made | "$@" >"$table"
	sh "$top/test/bench/read-table" <"$table" >"$work/log" 2>&1
	status=$?
	if [ -z "$text" ]; then
		[ $status -eq 0 ] && [ ! -s "$work/log" ]
	else
		[ $status -eq 1 ] && head -n 1 "$work/log" | grep -q "^main job: $text"
	fi
	report $? "$name"
}

says '' "a table without faults has none" cat
says '' "what stands before it does not matter" sh -c 'echo "  scheduler    mts"; echo "  context      own"; cat'
says 'tree tiny has 56034 nodes' "another number of nodes" sed 's/56033/56034/'
says 'bench/README.md knows no tree big' "another tree" sed 's/tree tiny/tree big/'
says 'mts counted 94880 nodes, not 56033' "a row that does not agree with it" sed '/^  mts/s/0.47/0.80/'
says '  bq FAILED: killed' "a row that failed" sed 's/^  bq .*/  bq FAILED: killed/'
says 'no row for na-ws' "a row too few" sed '$d'
says 'row 5 is mts, not ws' "one that is left out" sed '/^  ws /d'
says 'row 11 is more, not the end' "one too many" sh -c 'cat; echo "  more 1 x 2  0.1186  0.47  0.17  0  -"'
says 'there is no tree' "no table" sed d

if [ ! -x "$mainjob" ]; then
	skip "the main job" "not built: no nettle"
elif [ -n "${QTI_TEST_TOOL:-}" ]; then
	skip "the main job" "a tool would watch the shell"
else
	"$mainjob" --tree tiny --reps 1 >"$table" 2>"$work/log" && sh "$top/test/bench/read-table" <"$table" >>"$work/log" 2>&1
	report $? "the main job counts the right number of nodes under each scheduler"
fi
finish
