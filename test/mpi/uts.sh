#!/bin/sh
# test/mpi/uts.sh -- bench/uts/uts-mpi counts a tree on 1, 2, 3 and 4 ranks, under each MPI.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# QTI_SEED: of the victims' choice; QTI_MPI=long: a larger tree, 20 times, with 1, 2 and 4 workers a rank.

. "${abs_top_srcdir:?}/test/tap.sh"
cd "${abs_top_builddir:?}" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
seed=${QTI_SEED:-1}

# count MPI WORKERS ARGUMENT...
count() {
	mpi=$1 workers=$2
	shift 2
	oversubscribe=
	[ "$mpi" = mpich ] || oversubscribe='--oversubscribe --bind-to none'
	# shellcheck disable=SC2086
	${TIMEOUT:+$TIMEOUT 300} mpirun.$mpi $oversubscribe -n 4 bench/$mpi/uts-mpi --each --workers "$workers" --seed "$seed" \
		"$@" >"$work/log" 2>&1 && [ "$(grep -c 'ranks x' "$work/log")" -eq 4 ]
	report $? "$mpi: $workers workers a rank count it on 1 to 4 ranks, seed $seed"
}

for mpi in openmpi mpich; do
	if [ ! -x bench/$mpi/uts-mpi ] || ! command -v mpirun.$mpi >/dev/null; then
		skip "$mpi" "no bench/$mpi/uts-mpi, or no mpirun.$mpi"
		continue
	fi
	count $mpi 2 --tree tiny --reps 1
	[ "${QTI_MPI:-}" = long ] || continue
	for workers in 1 2 4; do
		count $mpi $workers --tree small --reps 20 --pool $workers
	done
done
finish
