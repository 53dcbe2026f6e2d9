#!/bin/sh
# test/omp/preload.sh -- preloaded, libqomp sees the same processors and places as the libgomp that it stands in for.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# That library is loaded, too, and its constructor comes first: it has bound the main thread by the time ours looks
# round.

. "${abs_top_srcdir:?}/test/tap.sh"
libraries=${abs_top_builddir:?}/.libs
ours=$libraries/libqomp.so
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$ours" ] || skip_all "no shared library in this build"
unset_settings
export QT_CPU_QUOTA=no          # which that library does not look at

cat >"$work/look.c" <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

static int cpus(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	return CPU_COUNT(&set);
}

int main(int argc, char **argv)
{
	Dl_info info = { 0 };
	int seen[2] = { 0, 0 };

	(void)argv;
	if (argc > 1) {
		dladdr((void *)(size_t)omp_get_num_procs, &info);
		puts(strrchr(info.dli_fname, '/') + 1);
		return 0;
	}
#pragma omp parallel num_threads(2)
	seen[omp_get_thread_num()] = cpus();
	printf("%d processors, %d threads, %d places, bound by policy %d to %d and %d CPUs\n", omp_get_num_procs(),
		omp_get_max_threads(), omp_get_num_places(), omp_get_proc_bind(), seen[0], seen[1]);
	return 0;
}
EOF
${CC:-cc} -fopenmp -o "$work/look" "$work/look.c" -ldl >/dev/null 2>&1 || skip_all "$CC has no OpenMP"
case $("$work/look" who) in
libgomp.so*) ;;
*) skip_all "$CC does not bring libgomp" ;;
esac
preloaded() {
	env LD_LIBRARY_PATH="$libraries" LD_PRELOAD="$ours" "$@"
}

# same SETTING...: both libraries say the same.
same() {
	env "$@" "$work/look" >"$work/want" 2>"$work/log"
	preloaded "$@" "$work/look" >"$work/got" 2>>"$work/log"
	diff "$work/want" "$work/got" >>"$work/log"
	report $? "$(cat "$work/want") with $*"
}

cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
[ -d /sys/devices/system/cpu ] || skip_all "libgomp, which ours is compared with, finds no places without /sys"
plan 8
case $(preloaded "$work/look" who) in
libqomp.so*) report 0 "the preloaded library is called" ;;
*) report 1 "the preloaded library is called" ;;
esac
same OMP_DYNAMIC=false
same OMP_PROC_BIND=true
same OMP_PROC_BIND=spread OMP_PLACES=threads
same OMP_PLACES=sockets
same OMP_PLACES="{$cpu}"
same GOMP_CPU_AFFINITY="$cpu"
same OMP_PROC_BIND=false OMP_PLACES=threads
