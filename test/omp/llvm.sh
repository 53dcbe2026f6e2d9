#!/bin/sh
# test/omp/llvm.sh -- a program that clang has linked with its libomp runs on ours by that name, beside what GCC has made of it; and
# one of GCC's with a library of clang's.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
library=${abs_top_builddir:?}/gomp/.libs/libgomp.so.1
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$library" ] || skip_all "no shared library in this build"
unset_settings
name_library "$library"

# Three lines: what a region of the one's, one of the other's and one in the other have; how many runtimes are mapped; what threads
# have for themselves, in thread-local storage and by their numbers.
cat >"$work/inner.c" <<'EOF'
#include <omp.h>
int inner(int threads)
{
	int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
	sum += omp_get_level() * 100 + omp_get_num_threads();
	return sum;
}
int work(int n)
{
	int sum = 0;
#pragma omp for schedule(dynamic, 3)
	for (int i = 0; i < n; i++)
#pragma omp atomic
		sum += 1;
	return sum;
}
int mine;
#pragma omp threadprivate(mine)
int sum_mine(void)
{
	int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
	sum += mine;
	return sum;
}
EOF
cat >"$work/apart.c" <<'EOF'
#include <omp.h>
static int own = 5;
#pragma omp threadprivate(own)
int apart(void)
{
	int sum = 0;
#pragma omp parallel num_threads(3)
	own += omp_get_thread_num();
#pragma omp parallel num_threads(3) reduction(+ : sum)
	sum += own;
	return sum;
}
EOF
cat >"$work/outer.c" <<'EOF'
#include <omp.h>
#include <stdio.h>
#include <string.h>
int inner(int threads), work(int n), sum_mine(void), apart(void);
extern int mine;
#pragma omp threadprivate(mine)
static int libraries(void)
{
	char line[1000], last[1000] = "", *name;
	FILE *f = fopen("/proc/self/maps", "r");
	int n = 0;
	while (f && fgets(line, sizeof(line), f))
		if ((name = strrchr(line, '/')) && (strstr(name, "omp.so") || strstr(name, "omp5.so")) && strcmp(name, last)) {
			strcpy(last, name);
			n++;
		}
	return n;
}
int main(void)
{
	int sum = 0, shared = 0, before;
	omp_set_max_active_levels(2);
	omp_set_num_threads(3);
#pragma omp parallel reduction(+ : sum, shared)
	{
		sum += omp_get_num_threads() * 10 + inner(2);
		shared += work(100);
#pragma omp barrier
	}
	before = omp_get_max_threads();
	printf("%d %d %d %d\n", sum, shared, before, inner(4));
	printf("%d\n", libraries());
#pragma omp parallel num_threads(3)
	mine = 10 * (omp_get_thread_num() + 1);
	printf("%d %d\n", sum_mine(), apart());
	return 0;
}
EOF
clang=${KMPCC:-clang}
gcc="${CC:-cc} -fopenmp -O1 -fPIC"
# shellcheck disable=SC2086
$gcc -c -o "$work/inner.o" "$work/inner.c" >"$work/log" 2>&1 || skip_all "${CC:-cc} has no OpenMP"
# shellcheck disable=SC2086
{
	$clang -fopenmp -fnoopenmp-use-tls -O1 -fPIC -c -o "$work/apart.o" "$work/apart.c" &&
		$clang -fopenmp -O1 -o "$work/both" "$work/outer.c" "$work/inner.o" "$work/apart.o"
} >"$work/log" 2>&1 || skip_all "no clang with OpenMP"
# shellcheck disable=SC2086
{
	$clang -fopenmp -O1 -fPIC -shared -o "$work/libinner.so" "$work/inner.c" "$work/apart.o" &&
		$gcc -o "$work/reverse" "$work/outer.c" -L"$work" -linner -Wl,-rpath,"$work"
} >"$work/log" 2>&1

# runs NAME WHAT COMMAND...
runs() {
	name=$1 what=$2
	shift 2
	env "$@" >"$work/got" 2>"$work/log"
	cat "$work/got" >>"$work/log"
	[ "$(sed -n 1p "$work/got")" = "1302 100 3 416" ]
	report $? "$name: regions and loops of clang and GCC in each other: one team, one set of control variables"
	[ "$(sed -n 2p "$work/got")" = 1 ]
	report $? "$name: $what is one library in the process"
	[ "$(sed -n 3p "$work/got")" = "60 18" ]
	report $? "$name: threadprivate variables, of both and of clang's by number"
}

runs "clang's program" "libomp.so.5" LD_LIBRARY_PATH="$work/lib" "$work/both"
env LD_LIBRARY_PATH="$work/lib" ldd "$work/both" >"$work/log" 2>&1
grep -q "libomp.so.* => $work/lib/" "$work/log"
report $? "the loader has found it by its name"
runs "GCC's program" "what is called libgomp.so.1 and libomp.so.5" LD_LIBRARY_PATH="$work/lib" "$work/reverse"

# LLVM's own library beside ours, which has begun before: found by its entry, as that of an older one in the environment.
cat >"$work/two.c" <<'EOF'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int flag = 0x12345;
static char shared[64];
static void leave_entry(int written)
{
	char name[64], value[64];
	snprintf(name, sizeof(name), "__KMP_REGISTERED_LIB_%d", (int)getpid());
	snprintf(value, sizeof(value), "%p-%x-liban.so", (void *)&flag, written);
	setenv(name, value, 1);
}
/* As a process of this number leaves it that is killed. */
static void leave_dead_entry(void)
{
	snprintf(shared, sizeof(shared), "/dev/shm/__KMP_REGISTERED_LIB_%d_%d", (int)getpid(), (int)getuid());
	FILE *f = fopen(shared, "w");
	if (f) {
		fprintf(f, "%p-%x-libdead.so", (void *)&flag, flag + 1);
		fclose(f);
	}
}
int main(int argc, char **argv)
{
	if (argc > 2)
		leave_entry(strcmp(argv[2], "stale") ? flag : 1);
	if (argc > 2)
		leave_dead_entry();
	void *theirs = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0;
	int (*begin)(void *) = theirs ? (int (*)(void *))dlsym(theirs, "__kmpc_global_thread_num") : 0;
	if (begin)
		begin(0);
#pragma omp parallel num_threads(2)
	getpid();       /* a region without anything GCC leaves out */
	if (shared[0])
		unlink(shared);
	return 0;
}
EOF
theirs=$(readlink -f "$($clang -print-file-name=libomp.so.5)")
if $gcc -o "$work/two" "$work/two.c" 2>"$work/log" && [ -f "$theirs" ] && [ -w /dev/shm ]; then
	LD_LIBRARY_PATH=$work/lib "$work/two" "$theirs" >"$work/log" 2>&1
	[ "$(grep -c '^libqomp: libomp.so.* is at work in this process, too' "$work/log")" = 1 ]
	report $? "LLVM's own library at work in the process: one line says so"
	LD_LIBRARY_PATH=$work/lib "$work/two" - true >"$work/log" 2>&1
	[ "$(grep -c '^libqomp: liban.so is at work in this process, too' "$work/log")" = 1 ]
	report $? "an entry in the environment is read as well, beside one in shared memory of a process that is gone"
	{
		LD_LIBRARY_PATH=$work/lib "$work/two" - stale
		KMP_DUPLICATE_LIB_OK=yes LD_LIBRARY_PATH=$work/lib "$work/two" "$theirs"
		LD_LIBRARY_PATH=$work/lib "$work/two"
	} >"$work/log" 2>&1
	report_empty "none with KMP_DUPLICATE_LIB_OK, an entry that is no longer true, nor without that library"
else
	skip "LLVM's own library at work in the process: one line says so" "it cannot be loaded here"
	skip "an entry in the environment is read as well, beside one in shared memory of a process that is gone" "as above"
	skip "none with KMP_DUPLICATE_LIB_OK, an entry that is no longer true, nor without that library" "it cannot be loaded here"
fi

# qtrun finds the names beside the library.
qtrun=$abs_top_builddir/src/tools/qtrun
if [ -x "$qtrun" ]; then
	runs "under qtrun" "what is called libgomp.so.1 and libomp.so.5" QTRUN_LIBRARY="$work/lib/libgomp.so.1" "$qtrun" "$work/reverse"
	QTRUN_LIBRARY=$work/lib/libgomp.so.1 "$qtrun" --why "$work/reverse" >"$work/log" 2>&1 &&
		[ "$(grep -c "^	$(readlink -f "$work")/" "$work/log")" = 2 ] && [ "$(grep -c '^/' "$work/log")" = 1 ]
	report $? "qtrun --why: the program and clang's library use one runtime"
else
	skip "what qtrun makes of it" "qtrun is not built"
fi

finish
