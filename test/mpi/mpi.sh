# test/mpi/mpi.sh -- what the scripts share: programs of an MPI, built and run.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: . "${abs_top_srcdir:?}/test/tap.sh"; . "$top/test/mpi/mpi.sh"

cd "${abs_top_builddir:?}" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# value NAME: of a variable of the Makefile's.
value() {
	sed -n "s/^$1 = //p" Makefile
}

# use_mpi openmpi|mpich: false if there is none.  Sets mpi, NAME as in the Makefile's variables, and mpirun.
use_mpi() {
	mpi=$1
	NAME=$(echo "$mpi" | tr a-z A-Z)
	compiler=$(value "${NAME}_CC")
	[ -n "$compiler" ] && [ -e "$mpi/.libs/libqmpi.so" ] || return 1
	mpirun=$(echo "$compiler" | sed 's/mpicc/mpirun/')
	command -v "$mpirun" >/dev/null || return 1
	LD_LIBRARY_PATH=$PWD/$mpi/.libs:$PWD/.libs
	export LD_LIBRARY_PATH
	oversubscribe=
	[ "$mpi" = mpich ] || oversubscribe='--oversubscribe --bind-to none'
}

# build_mpi SOURCE [ARGUMENT...]: $work/NAME of NAME.c
build_mpi() {
	source=$1
	shift
	# shellcheck disable=SC2046
	${CC:-cc} -O1 -o "$work/$(basename "$source" .c)" -I"$top/include" -I"$top/src/mpi" $(value "${NAME}_CPPFLAGS") "$source" \
		"$@" -L"$mpi/.libs" -Wl,--push-state,--no-as-needed,-lqmpi,--pop-state -L.libs -lqthread \
		$(value "${NAME}_LIBS") 2>>"$work/log"
}

# run RANKS WORKERS PROGRAM ARGUMENT...; $launcher, if any, stands before the program.  Ranks write what is wrong to the file
# themselves: MPICH's mpirun may lose what it passes on when one calls MPI_Abort, MPICH's own message, too.  SIGTERM does not
# end Open MPI's where that waits for itself, in PMIx_server_finalize of PMIx 4.2.2, when the job is over.
run() {
	ranks=$1
	export QT_HWPAR="$2"
	program=$3
	shift 3
	: >"$work/log"
	# shellcheck disable=SC2016,SC2086
	${TIMEOUT:+$TIMEOUT -k 20 120} $mpirun $oversubscribe -n "$ranks" sh -c 'exec 2>>"$0" "$@"' "$work/log" \
		$launcher "$work/$program" "$@" >"$work/out" 2>>"$work/log"
	status=$?
	cat "$work/out" >>"$work/log"
	return $status
}
launcher=

# none_wrong NAME RANKS WORKERS PROGRAM ARGUMENT...
none_wrong() {
	name=$1
	shift
	run "$@" && grep -qx '0 wrong' "$work/out"
	report $? "$mpi: $name"
}
