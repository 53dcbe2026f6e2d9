#!/bin/sh
# test/man/examples.sh -- every example in the manual and in README.md compiles without a warning, and prints under
# every scheduler what its page says.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
build=${abs_top_builddir:?}
schedulers="q l cq ws mts xq bq na-rp na-ws"
[ -z "${QTI_TEST_BRIEF:-}" ] || schedulers=mts
flags="-O1 -Wall -Wextra -Wshadow -Werror -pthread -I$top/include $SANITIZER_FLAGS"

# A page promises what it prints with the default settings.
for name in $(env | sed -n 's/^\(QT_[A-Z_]*\)=.*/\1/p; s/^\(QTHREAD_[A-Z_]*\)=.*/\1/p; s/^\(G*OMP_[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done

# What a program is: BASE.c or BASE.f90 there is.
is_cxx() {      # BASE
	grep -qs '^#include <.*\.hpp>' "$1.c"
}
is_fortran() {
	[ -e "$1.f90" ]
}
has_pragmas() {
	grep -qs '^#pragma omp ' "$1.c"
}
is_for_omp() {
	is_fortran "$1" || has_pragmas "$1" || grep -qs '^#include <libxomp\.h>' "$1.c"
}

is_for_mpi() {
	grep -Eqs '^#include <q?mpi\.h>' "$1.c"
}

lacks() {       # BASE: prints what is missing to compile it
	if is_for_mpi "$1"; then
		echo "test/mpi/tasks.sh runs it, under each MPI"
	elif is_cxx "$1" && [ -z "$CXX" ]; then
		echo "no C++ compiler"
	elif is_fortran "$1" && ! command -v "${OMPFC-gfortran}" >/dev/null; then
		echo "no gfortran"
	elif has_pragmas "$1" && ! { [ -z "$SANITIZER_FLAGS" ] && command -v "${OMPCC:-gcc}" >/dev/null; }; then
		echo "no compiler for the calls that GCC makes of OpenMP"
	fi
}

compile() {     # BASE
	libraries=$build/libqthread.la
	if is_for_omp "$1"; then
		libraries=$build/libqomp.la
	fi
	if is_cxx "$1"; then
		tag=CXX compiler="$CXX $CXXFLAGS -std=c++11" language=c++
	else
		tag=CC compiler="$CC $CFLAGS -std=gnu11" language=c
	fi
	if is_fortran "$1"; then
		libraries="$libraries -lgfortran -lm"
		"${OMPFC-gfortran}" -Wall -Werror -O1 -I"$top/include" -c "$1.f90" -o "$1.o"
	elif has_pragmas "$1"; then
		"${OMPCC:-gcc}" $flags -std=gnu11 -fopenmp -c "$1.c" -o "$1.o"
	else
		$compiler $flags -x $language -c "$1.c" -o "$1.o"
	fi && "${LIBTOOL:?}" --tag=$tag --mode=link $compiler $flags -no-install -o "$1" "$1.o" $libraries
}

run() {         # BASE SCHEDULER
	QT_SCHEDULER=$2 ${TIMEOUT:+"$TIMEOUT" 60} "$1" >"$1.got" 2>"$1.err"
	status=$?
	if [ $status -eq 0 ] && [ ! -s "$1.err" ] && cmp -s "$1.got" "$1.out"; then
		return 0
	fi
	echo "$2: exit status $status"
	diff "$1.out" "$1.got"
	cat "$1.err"
	return 1
}

run_everywhere() {
	bad=0
	for scheduler in $schedulers; do
		run "$1" $scheduler || bad=1
	done
	return $bad
}

for page in "$top"/man/*.[37] "$top/README.md"; do
	name=${page##*/}
	base=$work/${name%.*}
	awk -v base="$base" -f "$top/test/man/examples.awk" "$page"
	echo "no literal block begins with #include" >"$work/log"
	[ -e "$base-1.c" ] || [ -e "$base-1.f90" ]
	report $? "$name has an example"
	n=1
	while [ -e "$base-$n.c" ] || [ -e "$base-$n.f90" ]; do
		missing=$(lacks "$base-$n")
		if [ "$missing" ]; then
			skip "$name: example $n" "$missing"
			n=$((n + 1))
			continue
		fi
		compile "$base-$n" >"$work/log" 2>&1
		report $? "$name: example $n compiles"
		if [ -e "$base-$n.out" ]; then
			run_everywhere "$base-$n" >"$work/log" 2>&1
			report $? "$name: example $n prints what the page says, under each scheduler"
		else
			echo "the page does not say what it prints" >"$work/log"
			report 1 "$name: example $n"
		fi
		n=$((n + 1))
	done
done

# The columns of the statistics are those that qthreads(7) explains, all of which a policy with rings and requests has where
# there was a bubble.
awk '/^\.S[hs] / { in_table = /Statistics/ } in_table && /^\.It Li / { for (i = 3; i <= NF; i += 2) print $i }' \
	"$top/man/qthreads.7" >"$work/explained"
QT_SCHEDULER=na-ws QT_STATS=1 "$work/qthread_fork_bubble-1" 2>&1 >/dev/null | sed -n 2p | tr -s ' ' '\n' | sed '/^$/d' \
	>"$work/printed"
diff "$work/explained" "$work/printed" >"$work/log" && [ -s "$work/printed" ]
report $? "qthreads.7 explains the columns of QT_STATS, in their order"

finish
