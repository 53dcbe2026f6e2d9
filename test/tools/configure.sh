#!/bin/sh
# test/tools/configure.sh -- configure stops if the compiler is not one for the machine that --host names, and takes what
# Qthreads' configure takes.
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

# taken OPTION...: configure runs to its end.
taken() {
	mkdir -p "$work/taken" && cd "$work/taken" && "$top/configure" --with-hwloc=no --with-mpi=no CFLAGS=-O1 "$@" >"$work/log" 2>&1
}

said() {
	grep -q "^configure: $1" "$work/log" || { echo "# not said: $1"; return 1; }
}

plan 7
(unset CC CXX && taken --with-scheduler=nemesis --with-topology=binders --with-alloc=chapel --enable-condwait-queue \
	--disable-spawn-cache --with-default-stack-size=65536 --with-hwloc-symbol-prefix=chpl_ \
	--with-hwloc-get-topology-function=chpl_topo --disable-fastcontext)
report $? "what Chapel's build hands to Qthreads is taken"
said "--with-scheduler=nemesis: a scheduler of Qthreads; the nearest is q, which is used" &&
	grep -q 'QTI_DEFAULT_SCHEDULER "q"' "$work/taken/config.h"
report $? "a scheduler of Qthreads stands for the nearest one"
fine=0
for option in --with-topology --with-alloc --enable-condwait-queue --disable-spawn-cache --with-hwloc-symbol-prefix \
	--with-hwloc-get-topology-function --disable-fastcontext; do
	said "$option is an option of Qthreads and changes nothing: " || fine=1
done
! grep -q 'unrecognized options' "$work/log" || fine=1
report $fine "options of Qthreads are said to change nothing"
grep -q 'QTI_STACK_SIZE 65536' "$work/taken/config.h"
report $? "--with-default-stack-size is the default of QT_STACK_SIZE"
(unset CC CXX && ! taken --with-default-stack-size=100) && grep -q '^configure: error: --with-default-stack-size=100: not ' "$work/log"
report $? "a stack that is too small is refused"
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
