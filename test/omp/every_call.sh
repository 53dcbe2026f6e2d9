#!/bin/sh
# test/omp/every_call.sh -- every name that programs of gcc, clang and Intel's compilers ask for is asked for by a test; which, the
# log says.  What LLVM's library has besides is in the manual, with the reason why it is not here.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A test asks for what its object file asks the linker for, or what its source asks dlsym for.  OpenACC's names and those for plugins
# only say that they are not supported (test/omp/symbols.sh); XOMP's are public (test/api/exports.sh).

. "${abs_top_srcdir:?}/test/tap.sh"
cd "${abs_top_builddir:?}" || exit 1

# Lines of names: all at libqomp's versions but those.
{
	awk '/^[A-Z].* [{]$/ { wanted = $1 !~ /^(XOMP|OACC|GOACC|GOMP_PLUGIN)_/ }
		wanted && /^\t.*;$/ && !/[*]/ { sub(/;/, ""); print $1 }' "$top/src/libqomp.map"
	sed -n 's/^"\(.*\)@VERSION" = .*;$/\1/p' "$top/src/libqomp-version.ld"
} | sort -u >"$work/exported"
find test -name '*.o' -exec ${NM:-nm} -u -A {} + 2>/dev/null | sed 's|^\(.*\)\.o: *[Uvw] \([^@]*\).*|\2 \1|' | sort -u >"$work/asked"
[ -s "$work/asked" ] || skip_all "no object files of tests in this build"
[ "$(wc -l <"$work/exported")" -gt 1000 ]
report $? "there is something to check"
grep -rhow '"[A-Za-z_0-9][A-Za-z_0-9]*"' "$top/test/omp" "$top/test/unit" | tr -d '"' | sort -u | sed 's/$/ its source/' >"$work/named"
cut -d' ' -f1 "$work/asked" | sort -u >"$work/asked.names"

# In groups, each with the tests that call the most.
group() {       # WHAT PATTERN
	grep "$2" "$work/exported" >"$work/group"
	join "$work/group" "$work/asked" | awk '{ n[$2]++ } END { for (t in n) print n[t], t }' | sort -rn | sed 's/^/# /' | head -4
	comm -23 "$work/group" "$work/asked.names" | join -v 1 - "$work/named" >"$work/log"
	report_empty "$1: each of $(wc -l <"$work/group") is called by a test"
}

group "what GCC calls" '^GOMP_'
group "what clang and Intel's compilers call for atomic constructs" '^__kmpc_atomic'
grep -v '^__kmpc_atomic' "$work/exported" >"$work/others" && mv "$work/others" "$work/exported"
group "what they call for others" '^__kmpc_'
# Without a compiler of Fortran nobody calls the names that it gives them.
if [ -z "${OMPFC-gfortran}" ]; then
	grep -v '^omp_.*_$' "$work/exported" >"$work/others" && mv "$work/others" "$work/exported"
fi
group "routines of OpenMP" '^omp_'
group "routines of LLVM" '^kmp\|^ompc'

# The newest of LLVM's libraries on this machine.
theirs=
for file in /usr/lib/llvm-*/lib/libomp.so.5 /usr/lib/*/libomp.so.5; do
	[ -e "$file" ] && theirs=$file
done
sed -n 's/^\.It Ql \([_a-z][A-Za-z_?*]*\)$/\1/p' "$top/man/libqomp.7" >"$work/patterns"
[ "$(wc -l <"$work/patterns")" -ge 10 ]
report $? "libqomp(7) lists names that are not here"
if [ "$theirs" ]; then
	${NM:-nm} -D --defined-only "$theirs" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u >"$work/theirs"
	{
		awk '/^\t.*;$/ && !/[*]/ { sub(/;/, ""); print $1 }' "$top/src/libqomp.map"
		sed -n 's/^"\(.*\)@VERSION" = .*;$/\1/p' "$top/src/libqomp-version.ld"
	} | sort -u | comm -13 - "$work/theirs" | while read -r name; do
		known=
		while read -r pattern; do
			# shellcheck disable=SC2254   # it is a pattern
			case $name in $pattern) known=yes ;; esac
		done <"$work/patterns"
		[ "$known" ] || echo "$name"
	done >"$work/log"
	report_empty "every name of $theirs is here, or in that list"
else
	skip "every name of LLVM's library is here, or in that list" "there is none on this machine"
fi

finish
