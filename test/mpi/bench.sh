#!/bin/sh
# test/mpi/bench.sh -- bench's programs of several ranks find what one finds, under each MPI.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# QTI_SEED: of the choice of uts-mpi's victims; QTI_MPI=long: a larger tree, 20 times, with 1, 2 and 4 workers a rank.

. "${abs_top_srcdir:?}/test/tap.sh"
cd "${abs_top_builddir:?}" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
seed=${QTI_SEED:-1}

# run MPI RANKS PROGRAM ARGUMENT...: as much of it as is compared with a serial run by the program itself.
run() {
	mpi=$1 ranks=$2 program=$3
	shift 3
	oversubscribe=
	[ "$mpi" = mpich ] || oversubscribe='--oversubscribe --bind-to none'
	# shellcheck disable=SC2086
	${TIMEOUT:+$TIMEOUT -k 20 300} mpirun.$mpi $oversubscribe -n "$ranks" bench/$mpi/"$program" "$@" >"$work/log" 2>&1
}

# count MPI WORKERS ARGUMENT...
count() {
	mpi=$1 workers=$2
	shift 2
	run "$mpi" 4 uts-mpi --each --workers "$workers" --seed "$seed" "$@" && [ "$(grep -c 'ranks x' "$work/log")" -eq 4 ]
	report $? "$mpi: $workers workers a rank count a tree on 1 to 4 ranks, seed $seed"
}

# all_versions MPI RANKS WORKERS
all_versions() {
	run "$1" "$2" heat --workers "$3" --size 150 --block 32 --sweeps 6 --reps 1
	report $? "$1: heat in all versions, $2 ranks of $3 workers"
	run "$1" "$2" nbody --workers "$3" --bodies 300 --grain 16 --steps 3 --reps 1
	report $? "$1: nbody in all versions, $2 ranks of $3 workers"
	if [ -x "bench/$1/heat-omp" ]; then
		run "$1" "$2" heat-omp --workers "$3" --size 150 --block 32 --sweeps 6 --reps 1 &&
			run "$1" "$2" nbody-omp --workers "$3" --bodies 300 --steps 3 --reps 1
		report $? "$1: both by OpenMP and MPI alone"
	fi
}

# all_allowed MPI WORKERS: of the machine each says what was so before the runtime bound the rank's first thread.
all_allowed() {
	allowed="($(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc) allowed)"
	run "$1" 1 heat --workers "$2" --size 50 --block 32 --sweeps 1 --reps 1 && grep -qF "$allowed" "$work/log" &&
		{ [ ! $counts ] || run "$1" 1 uts-mpi --workers "$2" --tree tiny --reps 1 && grep -qF "$allowed" "$work/log"; }
	report $? "$1: the CPUs that a rank may use are those before its workers were bound"
}

for mpi in openmpi mpich; do
	if [ ! -x bench/$mpi/heat ] || ! command -v mpirun.$mpi >/dev/null; then
		skip "$mpi" "no bench/$mpi/heat, or no mpirun.$mpi"
		continue
	fi
	counts=yes
	[ -x bench/$mpi/uts-mpi ] || counts=
	[ ! $counts ] || count $mpi 2 --tree tiny --reps 1
	all_versions $mpi 3 2
	all_allowed $mpi 2
	[ "${QTI_MPI:-}" = long ] || continue
	for workers in 1 2 4; do
		[ ! $counts ] || count $mpi $workers --tree small --reps 20 --pool $workers
		for ranks in 1 2 4; do
			all_versions $mpi $ranks $workers
		done
	done
done
finish
