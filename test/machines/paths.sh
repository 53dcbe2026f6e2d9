#!/bin/sh
# test/machines/paths.sh -- configure says in one line that no folder of the source or the build may have a space in its path.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"

# refused SOURCE BUILD PATH: configure, called as a user would, names the path and says what to do, and writes no Makefile.
refused() {
	(cd "$2" && "${SHELL:-/bin/sh}" "$1/configure") >"$work/out" 2>"$work/log"
	[ $? -ne 0 ] && [ "$(grep -c . "$work/log")" -eq 1 ] && grep -qF "error: " "$work/log" && grep -qF "\"$3\"" "$work/log" &&
		grep -q 'space' "$work/log" && [ ! -e "$2/Makefile" ]
}

plan 4
mkdir -p "$work/build" "$work/a b"
ln -s "$top" "$work/a source"
refused "$work/a source" "$work/build" "$work/a source"
report $? "a space in the source's path, named as a whole"
mkdir "$work/upper case"
ln -s "$top/configure" "$top/build-aux" "$top/src" "$work/upper case"
mkdir "$work/upper case/build"
refused .. "$work/upper case/build" "$work/upper case"
report $? "a space in the source's path, named from the build"
refused "$top" "$work/a b" "$work/a b"
report $? "a space in the build's path"
mkdir "$work/a	tab"
refused "$top" "$work/a	tab" "$work/a	tab"
report $? "a tab"
