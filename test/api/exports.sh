#!/bin/sh
# test/api/exports.sh -- the shared library shows the public calls, all of them, and nothing else but what libqomp needs.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
list=$top/src/libqthread.sym
private=$top/src/libqthread-private.sym
library=${abs_top_builddir:?}/.libs/libqthread.so
[ -e "$library" ] || skip_all "no shared library in this build"
command -v readelf >/dev/null || skip_all "no readelf"

names() {
	sed -e 's/#.*//' -e 's/[ 	]*$//' -e '/^$/d' "$1"
}

# Names at a version, as LIBRARY defines or needs (-u) them.
exported() {
	${NM:-nm} -D --with-symbol-versions "$2" "$1" | awk -v at="$3" \
		'$(NF - 1) != "A" && $NF ~ "@" at "$" { sub(/@.*/, "", $NF); print $NF }' | sort
}

names "$list" >"$work/listed"
names "$private" >"$work/listed-private"
${NM:-nm} -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/all"
exported "$library" --defined-only QTHREAD_1 >"$work/exported"
exported "$library" --defined-only QTHREAD_PRIVATE >"$work/exported-private"

plan 9

[ -s "$work/listed" ] && sort -uc "$work/listed" 2>"$work/log"
report $? "libqthread.sym is sorted and names nothing twice"

grep -Ev '^(q[a-z]*_|spr_)' "$work/listed" >"$work/log"
[ $? -eq 1 ]
report $? "every listed name is a public one"

sort "$work/listed" | comm -23 - "$work/exported" >"$work/log"
report_empty "every listed name is defined and visible"

sort "$work/listed" | comm -13 - "$work/exported" >"$work/log"
report_empty "nothing else is public"

sort "$work/exported" "$work/exported-private" | comm -13 - "$work/all" >"$work/log"
report_empty "and nothing else is visible that is not at version QTHREAD_PRIVATE"

[ -s "$work/listed-private" ] && sort -uc "$work/listed-private" 2>"$work/log" &&
	cmp "$work/listed-private" "$work/exported-private" >"$work/log"
report $? "there is what libqthread-private.sym lists"

# What is the calling thread's can be had in two forms: as a variable, where the processor allows, or by a call.
either='^qti_(self_called|guest_word_called|guest_word_set_called|worker_self|guest_word_now)$'
# A few are libqmpi's, which need not be there.
either="$either|^qti_(action|locales_(come|up)|poller_(await|come|met)|waiter_leave)$"
exported "${abs_top_builddir:?}/.libs/libqomp.so" --undefined-only QTHREAD_PRIVATE | grep -Ev "$either" >"$work/used"
grep -Ev "$either" "$work/listed-private" | comm -3 - "$work/used" >"$work/log"
report_empty "and that is what libqomp uses"

readelf -dW "$library" >"$work/log"
grep -q 'SONAME.*\[libqthread\.so\.1\]' "$work/log"
report $? "the shared library calls itself libqthread.so.1"

readelf -lW "$library" >"$work/log"
grep 'GNU_STACK' "$work/log" | grep -qv 'RWE'
report $? "and asks for no executable stack"
