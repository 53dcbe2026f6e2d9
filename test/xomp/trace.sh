#!/bin/sh
# test/xomp/trace.sh -- XOMP_REGION_INSTR: when regions begin and end, on file.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
program=${abs_top_builddir:?}/test/xomp/regions.omp

plan 9

cd "$work" || exit 1
"$program" >log 2>&1
[ ! -e "$(echo xomp-regions.*)" ]
report $? "without it there is no file"

XOMP_REGION_INSTR=0 "$program" >log 2>&1
[ ! -e "$(echo xomp-regions.*)" ]
report $? "nor is there with 0"

XOMP_REGION_INSTR=1 OMP_NUM_THREADS=2 "$program" >log 2>&1
report $? "a program that writes one does its work"

trace=$(echo xomp-regions.*)
grep -vE '^[0-9]+\.[0-9]{6} (begin|end) regions\.c:[0-9]+$' "$trace" >log
report_empty "a line is a time, begin or end, and a place"

[ "$(grep -c ' begin ' "$trace")" -gt 300 ] && [ "$(grep -c ' begin ' "$trace")" -eq "$(grep -c ' end ' "$trace")" ]
report $? "each region begins and ends"

# prepared DO: has the program find its file's name taken.  The process's number is in it.
prepared() {
	rm -f xomp-regions.*
	: >target
	echo "$1 \"xomp-regions.\$\$\" && XOMP_REGION_INSTR=1 exec \"\$1\"" >prepared.sh
	sh prepared.sh "$program" >out 2>log
}

refused() {
	grep -q '^lib[a-z]*: cannot write xomp-regions\.' log && [ "$(wc -l <log)" -eq 1 ] && [ ! -s target ]
}

prepared "mkdir" && refused
report $? "where none can be written, one line says so, and the program goes on"
rmdir xomp-regions.*
prepared "ln -s target" && refused
report $? "a symbolic link is not followed"
prepared "ln target" && refused
report $? "nor is a file written that has another name, too"
prepared "touch" && [ -s "$(echo xomp-regions.*)" ]
report $? "a file of the same user's is added to"
