#!/bin/sh
# test/api/linking.sh -- what the linker has been told.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
cd "${abs_top_builddir:?}" || exit 1
plan 7

if grep -q '^RELRO_LDFLAGS = -' Makefile && [ -e .libs/libqthread.so ] && readelf --version >/dev/null 2>&1; then
	for library in .libs/libqthread.so .libs/libqomp.so gomp/.libs/libgomp.so; do
		readelf -dlW "$library" >"$work/read" 2>&1
		grep -q GNU_RELRO "$work/read" && grep -q BIND_NOW "$work/read" || echo "$library"
	done >"$work/log"
	report_empty "what the linker fills in is read-only when a program begins"
else
	skip "what the linker fills in is read-only when a program begins" "no shared library, or tools that cannot tell"
fi

# hwloc's loading takes longer than that of our libraries, and on most machines nobody asks it.
if [ -e .libs/libqthread.so ] && readelf --version >/dev/null 2>&1; then
	for library in .libs/libqthread.so .libs/libqomp.so gomp/.libs/libgomp.so; do
		readelf -dW "$library" | grep NEEDED.*hwloc
	done >"$work/log"
	report_empty "hwloc is not loaded with the libraries"
else
	skip "hwloc is not loaded with the libraries" "no shared library, or tools that cannot tell"
fi

# An empty library has its name.
cat >"$work/start.c" <<'END'
#include <qthread/qthread.h>

int main(void)
{
	return qthread_initialize() != QTHREAD_SUCCESS || qthread_num_shepherds() == 0;
}
END
what="where hwloc cannot be loaded, a message says that its variables do not count, and the runtime starts"
if [ -z "$SANITIZER_FLAGS" ] && [ -e .libs/libqthread.so ] &&
	grep -q '^#define QTI_HWLOC 1' config.h && grep -q '^#define QTI_HWLOC_LIBRARY "lib' config.h &&
	echo 'int nothing;' | ${CC:-cc} -shared -fPIC -o "$work/$(sed -n 's/.*QTI_HWLOC_LIBRARY "\(.*\)"/\1/p' config.h)" -x c - &&
	${CC:-cc} -o "$work/start" "$work/start.c" -I"$abs_top_srcdir/include" -Iinclude -L.libs -lqthread >"$work/log" 2>&1; then
	HWLOC_SYNTHETIC='pack:2 core:2 pu:1' LD_LIBRARY_PATH="$work:$PWD/.libs" "$work/start" >"$work/log" 2>&1 &&
		[ "$(grep -c 'variables of hwloc do not count' "$work/log")" = 1 ]
	report $? "$what"
	HWLOC_SYNTHETIC='pack:2 core:2 pu:1' LD_LIBRARY_PATH="$PWD/.libs" "$work/start" >"$work/log" 2>&1
	report_empty "where it can be, nothing is said"
else
	skip "$what" "no hwloc, or no shared library"
	skip "where it can be, nothing is said" "no hwloc, or no shared library"
fi

# Where a task's function returns to is compiled with a name in an asm string, which link-time optimization does not read.
what="link-time optimization takes the personality routine from an archive"
cc="${CC:-cc} -O2 -flto -std=gnu11 -fvisibility=hidden -fasynchronous-unwind-tables -include config.h -U_GNU_SOURCE -D_GNU_SOURCE="
cc="$cc -I. -I$top/include -Iinclude -I$top/src"
if [ -z "$SANITIZER_FLAGS" ] && ! ${CC:-cc} --version | grep -q clang && command -v gcc-ar >/dev/null &&
	$cc -c -o "$work/loop.o" "$top/src/core/loop.c" 2>"$work/log" &&
	$cc -c -o "$work/cxx.o" "$top/src/machine/cxx.c" 2>>"$work/log" &&
	gcc-ar rcs "$work/cxx.a" "$work/cxx.o" &&
	${CC:-cc} -O2 -flto -flinker-output=nolto-rel -nostdlib -r -o "$work/all.o" "$work/loop.o" "$work/cxx.a" 2>>"$work/log"; then
	${NM:-nm} "$work/all.o" >"$work/log"
	grep -qi ' T qti_cxx_stop$' "$work/log"
	report $? "$what"
else
	skip "$what" "a sanitizer, or not GCC with link-time optimization"
fi

for flags in -static -static-pie; do
	what="a program that is compiled with -O3 -flto $flags runs, and has no text relocations"
	if [ -z "$SANITIZER_FLAGS" ] && [ -e .libs/libqthread.a ] &&
		${CC:-cc} -O3 -flto $flags -o "$work/start" "$work/start.c" -I"$top/include" -Iinclude .libs/libqthread.a -pthread -ldl \
			>"$work/log" 2>&1; then
		"$work/start" >"$work/log" 2>&1 && ! readelf -dW "$work/start" | grep TEXTREL >>"$work/log"
		report $? "$what"
	else
		skip "$what" "no static library, or the compiler cannot link so"
	fi
done
