#!/bin/sh
# test/mpi/spr.sh -- qthread/spr.h: the same program on one locale, and on the ranks of each MPI.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# QTI_SEED: of what asks whom; QTI_MPI=long: 1 to 4 ranks of 1, 2 and 4 workers, every scheduler.

. "${abs_top_srcdir:?}/test/tap.sh"
cd "${abs_top_builddir:?}" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 LD_LIBRARY_PATH="$PWD/.libs"
seed=${QTI_SEED:-1}

if [ ! -e .libs/libqthread.so ] ||
	! ${CC:-cc} -O1 -o "$work/spr" -I"$top/include" "$top/test/mpi/spr.c" -L.libs -lqthread >"$work/log" 2>&1; then
	skip_all "nothing to link with"
fi

# good LINES: so many locales have run main to the end, and nothing was wrong.
good() {
	status=$?
	cat "$work/out" >>"$work/log"
	[ $status -eq 0 ] && [ "$(grep -cx '0 wrong' "$work/out")" -eq "$1" ]
}

# run MPI RANKS WORKERS HOW LINES WHAT
run() {
	oversubscribe=
	[ "$1" = mpich ] || oversubscribe='--oversubscribe --bind-to none'
	export QT_HWPAR="$3"
	# shellcheck disable=SC2086
	${TIMEOUT:+$TIMEOUT -k 20 120} mpirun.$1 $oversubscribe -n "$2" env LD_PRELOAD="$PWD/$1/.libs/libqmpi.so" \
		"$work/spr" "$4" "$2" "$seed" >"$work/out" 2>"$work/log"
	good "$5"
	report $? "$1, $2 ranks of $3 workers: $6"
}

QT_HWPAR=2 "$work/spr" spmd 1 "$seed" >"$work/out" 2>"$work/log"
good 1
report $? "without MPI there is one locale"
for mpi in openmpi mpich; do
	if [ ! -e $mpi/.libs/libqmpi.so ] || ! command -v mpirun.$mpi >/dev/null; then
		skip "$mpi" "not found"
		continue
	fi
	run $mpi 3 1 spmd 3 "all locales run main, and ask each other"
	run $mpi 2 2 unify 2 "locale 0 lets the other one go on"
	run $mpi 2 1 alone 1 "locale 0 alone runs main"
	[ "${QTI_MPI:-}" = long ] || continue
	for ranks in 1 2 3 4; do
		for workers in 1 2 4; do
			run $mpi $ranks $workers spmd $ranks "all run main"
			run $mpi $ranks $workers unify $ranks "all run the rest of it"
			run $mpi $ranks $workers alone 1 "one does"
		done
	done
	for QT_SCHEDULER in q l cq ws mts xq bq na-rp na-ws; do
		export QT_SCHEDULER
		run $mpi 3 2 spmd 3 "under $QT_SCHEDULER"
	done
	unset QT_SCHEDULER
done
finish
