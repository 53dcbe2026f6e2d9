#!/bin/sh
# test/sched/lockless.sh -- under xq, na-rp and na-ws no read-modify-write stands on a task's way: what the compiler
# made of sched/rows.c and sched/balance.c.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# On x86-64 alone: there each has a lock prefix, or is an exchange with memory.  A fence may be written as one of the top of
# the own stack.  What is called for out of line is not looked into: those who sleep or shut a row do lock.

. "${abs_top_srcdir:?}/test/tap.sh"

object=${abs_top_builddir:-.}/src/sched/rows.o
balance=${abs_top_builddir:-.}/src/sched/balance.o
case ${QTI_MACHINE:-$(uname -m)} in
x86_64) ;;
*) skip_all "not an x86-64" ;;
esac
case ${abs_top_builddir:-} in
*/sanitize-*) skip_all "a sanitizer's build has other code" ;;
esac
command -v objdump >/dev/null || skip_all "there is no objdump"
for o in "$object" "$balance"; do
	[ -f "$o" ] || skip_all "there is no $o"
done

body() {        # FUNCTION, of which the compiler may have made a version of its own
	objdump -d --no-show-raw-insn "$object" | sed -n "/<$1\(\.[a-z]*\.[0-9]*\)*>:\$/,/^\$/p"
}

locked() {      # < code
	grep -E '[[:space:]](lock |xchg .*\()' | grep -vE 'lock or[lq] +\$0x0,(0x[0-9a-f]+|-0x[0-9a-f]+)?\(%rsp\)'
}

lockless() {    # FUNCTION
	body "$1" >"$work/code"
	[ -s "$work/code" ] && ! locked <"$work/code" >"$work/log"
	report $? "$1 has no read-modify-write"
}

plan 6
for function in qti_rows_push qti_rows_pop qti_rows_claim qti_rows_full; do
	lockless $function
done
objdump -d --no-show-raw-insn "$balance" | locked >"$work/log"
[ ! -s "$work/log" ]
report $? "requests and answers have none at all"
body row_wait_at_gate | locked >"$work/log"
[ -s "$work/log" ]
report $? "one would be found: row_wait_at_gate has a lock"
