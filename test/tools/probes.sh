#!/bin/sh
# test/tools/probes.sh -- the libraries say where their static probes are, each with its arguments; one nop each.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
build=${abs_top_builddir:?}
[ -e "$build/.libs/libqthread.so" ] || skip_all "no shared library in this build"
command -v readelf >/dev/null || skip_all "readelf is not installed"

notes() {       # LIBRARY: "name number-of-arguments", once for each probe
	readelf -nW "$build/.libs/$1" 2>/dev/null | awk '
		/Provider:/  { provider = $NF }
		/Name:/      { name = $2 }
		/Arguments:/ { if (provider == "qthread") print name, NF - 1 }' | sort -u >"$work/log"
}

if ! grep -q '^#define HAVE_SYS_SDT_H 1' "$build/config.h"; then
	for library in libqthread.so libqomp.so; do
		notes $library
		report_empty "$library: without sys/sdt.h there is no probe"
	done
	finish
	exit
fi

has() {         # LIBRARY NAME ARGUMENTS
	grep -qx "$2 $3" "$work/log"
	report $? "$1: $2 has $3 argument(s)"
}

notes libqthread.so
for probe in 'fork 1' 'start 2' 'end 1' 'wait 3' 'wake 1' 'steal 3'; do
	has libqthread.so $probe
done
notes libqomp.so
for probe in 'fork 1' 'region 2'; do
	has libqomp.so $probe
done

# Where a probe is stands a nop.
readelf -nW "$build/.libs/libqthread.so" 2>/dev/null |
	sed -n 's/.*Location: 0x0*\([0-9a-f]*\), .*/\1/p' | sort -u >"$work/locations"
if [ "${QTI_MACHINE:-$(uname -m)}" = x86_64 ] && command -v objdump >/dev/null; then
	objdump -d "$build/.libs/libqthread.so" | sed -n 's/^ *\([0-9a-f]*\):.*\tnop$/\1/p' | sort -u >"$work/nops"
	comm -23 "$work/locations" "$work/nops" >"$work/log"
	[ -s "$work/locations" ] && [ ! -s "$work/log" ]
	report $? "each of them is one nop"
fi
finish
