#!/bin/sh
# test/api/exports.sh -- the shared library shows the public calls, all of them, and nothing else.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

list=${abs_top_srcdir:?}/src/libqthread.sym
library=${abs_top_builddir:?}/.libs/libqthread.so
if [ ! -e "$library" ]; then
	echo "1..0 # SKIP no shared library in this build"
	exit 0
fi
if ! command -v readelf >/dev/null; then
	echo "1..0 # SKIP no readelf"
	exit 0
fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
number=0

# report NAME: the last command's status decides; what it left in $work/wrong is shown.
report() {
	status=$?
	number=$((number + 1))
	if [ $status -eq 0 ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		sed 's/^/# /' "$work/wrong"
	fi
}

sed -e 's/#.*//' -e 's/[ 	]*$//' -e '/^$/d' "$list" >"$work/listed"
${NM:-nm} -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"

echo "1..6"

[ -s "$work/listed" ] && sort -uc "$work/listed" 2>"$work/wrong"
report "libqthread.sym is sorted and names nothing twice"

grep -Ev '^(qthread_|qt_|qtimer_)' "$work/listed" >"$work/wrong"
[ $? -eq 1 ]
report "every listed name is a public one"

sort "$work/listed" | comm -23 - "$work/exported" >"$work/wrong"
[ ! -s "$work/wrong" ]
report "every listed name is defined and visible"

sort "$work/listed" | comm -13 - "$work/exported" >"$work/wrong"
[ ! -s "$work/wrong" ]
report "nothing else is visible"

readelf -dW "$library" >"$work/wrong"
grep -q 'SONAME.*\[libqthread\.so\.1\]' "$work/wrong"
report "the shared library calls itself libqthread.so.1"

readelf -lW "$library" >"$work/wrong"
grep 'GNU_STACK' "$work/wrong" | grep -qv 'RWE'
report "and asks for no executable stack"
