#!/bin/sh
# test/unit/context_protected.sh -- on 64-bit Arm the switch signs return addresses and begins with landing pads, if told so.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A program of its own, without a C library that might lack landing pads: then the kernel, or qemu, insists on none.

. "${abs_top_srcdir:?}/test/tap.sh"
switch=$top/src/machine/context_aarch64.S
[ "${QTI_MACHINE:-$(uname -m)}" = aarch64 ] || skip_all "no 64-bit Arm"

cat >"$work/program.c" <<'END_OF_C'
#include "machine/context.h"

static char stack[16384] __attribute__((aligned(64)));
struct qti_arrival (*volatile jump)(void *, void *) = qti_ctx_jump;
void *(*volatile make)(void *, size_t, qti_ctx_entry) = qti_ctx_make;

static void add_one(struct qti_arrival a)
{
	for (;;)
		a = jump(a.from, (char *)a.data + 1);
}

static void leave(long status) __attribute__((noreturn));

static void leave(long status)
{
	register long x0 __asm__("x0") = status;
	register long exit_group __asm__("x8") = 94;

	__asm__ volatile("svc 0" : : "r"(x0), "r"(exit_group));
	__builtin_unreachable();
}

void _start(void)
{
	struct qti_arrival a = { make(stack + sizeof(stack), sizeof(stack), add_one), NULL };

	for (int i = 0; i < 40; i++)
		a = jump(a.from, a.data);
#ifdef DAMAGED
	unsigned long *back = (unsigned long *)a.from + 1;
	if (*back >> 48 == 0)
		leave(3);       /* not signed */
	*back ^= 4;
	jump(a.from, NULL);
#endif
	leave((long)a.data);
}
END_OF_C

# build NAME SWITCH FLAG...
build() {
	name=$1 source=$2
	shift 2
	${CC:-cc} -O1 -nostdlib -static -I"$top/src" "$@" -o "$work/$name" "$work/program.c" "$source" >"$work/log" 2>&1
}

# The signal that ends a program, or 0; a shell says 128 more.
ends_by() {
	(ulimit -c 0; "$work/$1") >"$work/log" 2>&1
	status=$?
	echo "$1 ended with status $status" >>"$work/log"
	case $status in
	3 | 40) echo 0 ;;
	*) echo $((status - 128)) ;;
	esac
}

build plain "$switch" -mbranch-protection=standard || skip_all "the compiler knows no -mbranch-protection"
plan 5
readelf -nW "$work/plain" >"$work/log" 2>&1
grep -q 'AArch64 feature: BTI, PAC' "$work/log"
report $? "the linker finds the switch protected as the rest is"
"$work/plain" >"$work/log" 2>&1
[ $? -eq 40 ]
report $? "there and back, 40 times"

# The processor itself may know neither.
sed '/^qti_ctx_jump:/,/\.size/s/^\tSIGN_RETURN/\tnop/; s/^\tCHECK_RETURN/\tnop/; s/^\tSIGN_X17/\tnop/' "$switch" >"$work/open.S"
build open "$work/open.S" -mbranch-protection=standard
if [ "$(ends_by open)" = 4 ]; then
	report 0 "a switch without a landing pad is illegal here, so that one has them"
else
	skip "landing pads" "this processor asks for none"
fi
build damaged "$switch" -mbranch-protection=standard -DDAMAGED
case $(ends_by damaged) in
7 | 11) report 0 "a return address that was changed ends the program" ;;
0) skip "signed return addresses" "this processor signs none" ;;
*) report 1 "a return address that was changed ends the program" ;;
esac
build hints "$switch" -mbranch-protection=pac-ret+b-key && "$work/hints" >"$work/log" 2>&1
[ $? -eq 40 ]
report $? "with the other key as well"
