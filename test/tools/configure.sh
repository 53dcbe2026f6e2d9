#!/bin/sh
# test/tools/configure.sh -- configure stops if the compiler is not one for the machine that --host names.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
[ ! -e "$top/config.status" ] || skip_all "the source is configured in place"
other=aarch64
[ "${QTI_MACHINE:-}" != aarch64 ] || other=riscv64

# refused HOST: the last line says which compiler is missing.
refused() {
	mkdir -p "$work/build" && cd "$work/build" || exit 1
	"$top/configure" --host="$1" --with-hwloc=no CFLAGS=-O1 >"$work/log" 2>&1 && return 1
	tail -n 1 "$work/log" | grep -q "^configure: error: --host=$1: .* compiles for .*; install $1-gcc, or name a compiler with CC=\$"
}

plan 2
(CC=${CC:-cc} && export CC && refused $other-linux-gnu)
report $? "a compiler that the user names for another machine"
what="no compiler of that name, and this machine's is found instead"
unset CC CXX
if command -v hppa64-linux-gnu-gcc >/dev/null; then
	skip "$what" "there is one"
else
	(refused hppa64-linux-gnu)
	report $? "$what"
fi
