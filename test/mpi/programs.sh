#!/bin/sh
# test/mpi/programs.sh -- programs as users have them: in Fortran, of OpenMP, behind qtrun, and wrong ones.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# QTI_MPI=long: Fortran's three interfaces; else that of mpi_f08.

. "${abs_top_srcdir:?}/test/tap.sh"
. "$top/test/mpi/mpi.sh"

# ends NAME PATTERN WHAT: of no use, but it ends, with an error, and says why.
ends() {
	! run 1 1 misuse "$3" && grep -q "$2" "$work/log"
	report $? "$mpi: $1"
}

wrong_programs() {
	build_mpi "$top/test/mpi/misuse.c" || return 1
	ends "a call before MPI_Init is MPI's error" 'before.*INIT\|before.*initializ' early
	ends "so is one after MPI_Finalize" 'after.*FINALIZE\|after.*finaliz' late
	none_wrong "null requests are MPI's own business" 1 1 misuse null
	run 1 1 misuse message
	[ $status -ne 124 ] && [ $status -ne 139 ] && ! grep -qi 'segmentation' "$work/log"
	report $? "$mpi: so is no message to receive"
	none_wrong "a request outlives its task" 1 1 misuse pending
	run 2 1 misuse dies
	# MPICH 4.2.1's mpirun itself says 0 of half of such jobs, of programs of MPI alone as well.
	[ $status -ne 124 ] && { [ $status -ne 0 ] || [ "$mpi" = mpich ]; }
	report $? "$mpi: a rank that dies while another's task waits for it ends the job"
}

# What loads its MPI while it runs, as Python does for mpi4py.
loaded_programs() {
	"$qtrun" --mpi=none --force "${BASH:-/bin/sh}" >"$work/log" 2>&1
	[ $? -eq 2 ] && grep -q 'allowed: openmpi or mpich' "$work/log"
	report $? "$mpi: qtrun knows two by name"
	# shellcheck disable=SC2046
	${CC:-cc} -O1 -o "$work/loads" "$top/test/mpi/loads.c" -ldl 2>"$work/log" &&
		$omp -O1 -fopenmp -shared -fPIC -Dmain=loaded -o "$work/module.so" $(value "${NAME}_CPPFLAGS") "$top/test/mpi/openmp.c" \
			$(value "${NAME}_LIBS") 2>"$work/log"
	launcher="$qtrun --mpi=$mpi --force --workers 2"
	none_wrong "what a module of a program calls waits, too, if qtrun is told for which MPI" 2 2 loads "$work/module.so"
	launcher=
}

openmp_programs() {
	qtrun=$PWD/src/tools/qtrun
	omp=${OMPCC:-$(value OMPCC)}
	if [ ! -x "$qtrun" ] || [ ! -e gomp/.libs/libgomp.so.1 ] || [ -z "$omp" ]; then
		skip "$mpi: OpenMP" "no compiler of OpenMP programs, or no libqomp"
		return
	fi
	mkdir -p "$work/lib"
	ln -sfn "$PWD/openmpi/.libs" "$work/lib/openmpi"
	ln -sfn "$PWD/mpich/.libs" "$work/lib/mpich"
	QTRUN_MPI_DIRECTORY=$work/lib QTRUN_LIBRARY=$PWD/gomp/.libs/libgomp.so.1
	export QTRUN_MPI_DIRECTORY QTRUN_LIBRARY
	# shellcheck disable=SC2046
	$omp -O1 -fopenmp -o "$work/openmp" $(value "${NAME}_CPPFLAGS") "$top/test/mpi/openmp.c" $(value "${NAME}_LIBS") 2>"$work/log"
	unset QT_HWPAR
	launcher="$qtrun --mpi --workers 2"
	none_wrong "qtrun --mpi puts the libqmpi in front that fits" 2 2 openmp
	build_mpi "$top/test/mpi/misuse.c"
	none_wrong "of a program of libqthread, too" 1 1 misuse pending
	launcher=
	CC=$omp build_mpi "$top/test/mpi/openmp.c" -fopenmp -DEVENTS
	launcher="$qtrun --workers 2"
	none_wrong "a message fulfils an event" 2 2 openmp
	launcher=
	QTRUN_MPI_DIRECTORY=$work/none
	"$qtrun" --mpi "$work/openmp" >"$work/log" 2>&1
	[ $? -eq 125 ] && [ "$(wc -l <"$work/log")" -eq 1 ] && grep -q "there is no libqmpi for it in $work/none" "$work/log"
	report $? "$mpi: qtrun says if there is none"
	"$qtrun" --mpi "${BASH:-/bin/sh}" >"$work/log" 2>&1
	[ $? -eq 125 ] && [ "$(wc -l <"$work/log")" -eq 1 ] && grep -q 'not linked with Open MPI or MPICH' "$work/log"
	report $? "$mpi: and if the program has no MPI"
	QTRUN_MPI_DIRECTORY=$work/lib
	loaded_programs
}

fortran_programs() {
	fortran=$(echo "$compiler" | sed 's/mpicc/mpifort/')
	if ! command -v gfortran >/dev/null || ! command -v "$fortran" >/dev/null; then
		skip "$mpi: Fortran" "no gfortran, or no $fortran"
		return
	fi
	[ "${QTI_MPI:-}" = long ] && faces='F08 F90 F77' || faces=F08
	for face in $faces; do
		# shellcheck disable=SC2046
		gfortran -O1 -D$face -J"$work" -o "$work/fortran" "$top/test/mpi/fortran.F90" -L"$mpi/.libs" \
			-Wl,--push-state,--no-as-needed,-lqmpi,--pop-state -L.libs -lqthread \
			$($fortran -show | sed 's/^[^ ]* //') 2>"$work/log"
		none_wrong "calls from Fortran wait as tasks ($face)" 2 1 fortran
	done
}

package() {
	pc=$(PKG_CONFIG_PATH=. pkg-config --define-variable=mpi=$mpi --libs qmpi 2>"$work/log") &&
		echo "$pc" | grep -q -- "-L[^ ]*/libqthread/$mpi .*-lqmpi.* -lqthread"
	report $? "$mpi: pkg-config knows how to link it"
}

for each in openmpi mpich; do
	if use_mpi $each; then
		wrong_programs
		openmp_programs
		fortran_programs
		if command -v pkg-config >/dev/null; then package; else skip "$mpi: pkg-config" "there is none"; fi
	else
		skip "$each" "not found, or nothing to link with"
	fi
done
finish
