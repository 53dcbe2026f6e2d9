#!/bin/sh
# test/api/exports.sh -- the shared library shows the public calls, all of them, and nothing else.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
list=$top/src/libqthread.sym
library=${abs_top_builddir:?}/.libs/libqthread.so
[ -e "$library" ] || skip_all "no shared library in this build"
command -v readelf >/dev/null || skip_all "no readelf"

sed -e 's/#.*//' -e 's/[ 	]*$//' -e '/^$/d' "$list" >"$work/listed"
${NM:-nm} -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"

plan 6

[ -s "$work/listed" ] && sort -uc "$work/listed" 2>"$work/log"
report $? "libqthread.sym is sorted and names nothing twice"

grep -Ev '^(q[a-z]*_|spr_)' "$work/listed" >"$work/log"
[ $? -eq 1 ]
report $? "every listed name is a public one"

sort "$work/listed" | comm -23 - "$work/exported" >"$work/log"
report_empty "every listed name is defined and visible"

sort "$work/listed" | comm -13 - "$work/exported" >"$work/log"
report_empty "nothing else is visible"

readelf -dW "$library" >"$work/log"
grep -q 'SONAME.*\[libqthread\.so\.1\]' "$work/log"
report $? "the shared library calls itself libqthread.so.1"

readelf -lW "$library" >"$work/log"
grep 'GNU_STACK' "$work/log" | grep -qv 'RWE'
report $? "and asks for no executable stack"
