# test/races/pairs.sh -- for the scripts here, which read it: a race checker sees a program and not the library; it finds the
# program's races, and takes nothing that the library orders for one.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
[ -z "$SANITIZER_FLAGS" ] || skip_all "the library is instrumented itself"
build=${abs_top_builddir:?}
[ -e "$build/.libs/libqthread.so" ] || skip_all "no shared library in this build"
for setting in $(env | sed -n 's/^\(G\{0,1\}OMP_[A-Z_]*\)=.*/\1/p; s/^\(QT_[A-Z_]*\)=.*/\1/p; s/^\(TSAN_OPTIONS\)=.*/\1/p'); do
	unset "$setting"
done
mkdir "$work/lib"
libraries=$work/lib:$build/.libs

# made NAME COMPILER ARGUMENT...: it is there, and brings a checker that runs here.
made() {
	made=$1
	shift
	command -v "$1" >/dev/null &&
		"$@" -fsanitize=thread -g -O1 -o "$work/$made" >"$work/log" 2>&1 &&
		LD_LIBRARY_PATH="$libraries" "$work/$made" 1 none >"$work/log" 2>&1
}

# run NAME WORKERS: with $times calls of it, each pair's line is in found.
run() {
	LD_LIBRARY_PATH="$libraries" QT_HWPAR=$2 timeout 60 "$work/$1" "${times:-1}" >"$work/found" 2>"$work/reports" ||
		echo "status $?" >>"$work/found"
}

# check LEAST NAME...: none of the clean programs is reported, and at least so many of the racy ones.  The checker remembers
# the last few accesses to a word alone: now and then it misses one.
check() {
	least=$1
	shift
	[ $# -gt 0 ] || skip_all "no compiler with ThreadSanitizer"
	for program in "$@"; do
		for workers in 1 2 3; do
			run "$program" $workers
			awk '$2 > 0 || NF != 3' "$work/found" >"$work/log"
			[ -s "$work/found" ] || echo "no pair ran" >>"$work/log"
			[ ! -s "$work/log" ] || cat "$work/reports" >>"$work/log"
			report_empty "$program, $workers workers: what is in order is not reported"
			awk -v least="$least" '$3 > 0 { found++ } $3 == 0 { print } END { exit found < least }' "$work/found" >"$work/log"
			report $? "$program, $workers workers: at least $least races are found"
		done
	done
}
