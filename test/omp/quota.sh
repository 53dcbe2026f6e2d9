#!/bin/sh
# test/omp/quota.sh -- a CPU quota of the process's control group is so many CPUs less, for OpenMP and for workers.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# In groups of this machine, made for the test; test/unit/quota.c has all kinds of trees, made up.

. "${abs_top_srcdir:?}/test/tap.sh"
libraries=${abs_top_builddir:?}/.libs
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$libraries/libqomp.so" ] || skip_all "no shared library in this build"
for setting in $(env | sed -n 's/^\(OMP_[A-Z_]*\)=.*/\1/p; s/^\(QT[A-Z]*_[A-Z_]*\)=.*/\1/p'); do
	unset "$setting"
done
unset HWLOC_SYNTHETIC HWLOC_XMLFILE
[ -r /proc/self/cgroup ] || skip_all "without /proc nobody knows of a group"
cpus=$(nproc)
[ "$cpus" -gt 1 ] || skip_all "one CPU cannot be fewer"

cat >"$work/program.c" <<'EOF'
#include <qthread/qthread.h>
#include <stdio.h>

extern int omp_get_num_procs(void), omp_get_max_threads(void);

int main(void)
{
	int processors = omp_get_num_procs(), threads = omp_get_max_threads();

	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	printf("%d %d %d\n", processors, threads, (int)qthread_num_workers());
	return 0;
}
EOF
${CC:-cc} -I"$top/include" -o "$work/program" "$work/program.c" -L"$libraries" -Wl,-rpath,"$libraries" \
	-lqomp -lqthread -pthread >"$work/log" 2>&1 || {
	report 1 "a program is built"
	finish
	exit 0
}

# A group, and one in it: below the process's own where version 2 allows that, else below the root of version 1.
for top_group in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct /sys/fs/cgroup; do
	outer=$top_group/qthread-test-$$
	mkdir "$outer" 2>/dev/null || continue
	inner=$outer/inner
	trap 'rmdir "$inner" "$outer" 2>/dev/null; rm -rf "$work"' EXIT
	if [ -e "$outer/cpu.cfs_quota_us" ]; then
		version=1
		mkdir "$inner" && break
	elif [ -e "$outer/cpu.max" ] && echo +cpu 2>/dev/null >"$outer/cgroup.subtree_control"; then
		version=2
		mkdir "$inner" && break
	fi
	rmdir "$outer"
done
[ -d "${inner:-/nowhere}" ] || skip_all "no group with a quota can be made here"

quota() {       # GROUP MICROSECONDS, of 100000 each; -1: none
	if [ $version -eq 1 ]; then
		echo "$2" >"$1/cpu.cfs_quota_us"
	else
		echo "$2 100000" | sed 's/^-1/max/' >"$1/cpu.max"
	fi
}

# inside SETTING...: what the program says in the inner group: processors, threads, and a native program's workers.
inside() {
	# shellcheck disable=SC2016
	sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec env "$@"' sh "$inner" "$@" "$work/program" 2>"$work/log"
}

# says WANT NAME SETTING...
says() {
	want=$1
	name=$2
	shift 2
	got=$(inside "$@")
	echo "says '$got' instead of '$want'" >>"$work/log"
	[ "$got" = "$want" ]
	report $? "$name"
}

inside A= >/dev/null || skip_all "a process cannot be moved into a group here"
plan 7
says "$cpus $cpus $cpus" "without a quota all CPUs count" A=
quota "$inner" 100000
says "1 1 1" "a quota of one CPU: one processor, one thread, one worker" A=
says "1 3 1" "OMP_NUM_THREADS goes before it" OMP_NUM_THREADS=3
says "$cpus $cpus $cpus" "QT_CPU_QUOTA=no: it does not count" QT_CPU_QUOTA=no
quota "$inner" 50000
says "1 1 1" "half a CPU is one" A=
quota "$inner" -1
quota "$outer" 100000
says "1 1 1" "the quota of a group around it counts as well" A=
quota "$outer" $((cpus * 100000 + 50000))
says "$cpus $cpus $cpus" "a quota of more than the CPUs there are limits nothing" A=
