#!/bin/sh
# test/api/linking.sh -- what the linker has been told, and what it will be told by pkg-config.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
cd "${abs_top_builddir:?}" || exit 1
plan 2

if grep -q '^RELRO_LDFLAGS = -' Makefile && [ -e .libs/libqthread.so ] && readelf --version >/dev/null 2>&1; then
	for library in .libs/libqthread.so .libs/libqomp.so gomp/.libs/libgomp.so; do
		readelf -dlW "$library" >"$work/read" 2>&1
		grep -q GNU_RELRO "$work/read" && grep -q BIND_NOW "$work/read" || echo "$library"
	done >"$work/log"
	report_empty "what the linker fills in is read-only when a program begins"
else
	skip "what the linker fills in is read-only when a program begins" "no shared library, or tools that cannot tell"
fi

# Those that this machine can link with.
private=$(sed -n 's/^Libs.private://p' qthread.pc)
case $private in
*-lhwloc*)
	echo 'int main(void) { return 0; }' >"$work/empty.c"
	for library in $(pkg-config --static --libs hwloc 2>/dev/null); do
		case " $private " in
		*" $library "*) ;;
		*) ! ${CC:-cc} -o "$work/empty" "$work/empty.c" "$library" 2>/dev/null || echo "$library" ;;
		esac
	done >"$work/log"
	report_empty "pkg-config --static names what a static hwloc needs"
	;;
*)
	skip "pkg-config --static names what a static hwloc needs" "built without hwloc"
	;;
esac
