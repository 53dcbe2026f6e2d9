#!/bin/sh
# test/omp/llvm.sh -- a program that clang has linked with its libomp runs on ours by that name, beside what GCC has made of it.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
library=${abs_top_builddir:?}/gomp/.libs/libgomp.so.1
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$library" ] || skip_all "no shared library in this build"
for setting in $(env | sed -n 's/^\(G\{0,1\}OMP_[A-Z_]*\)=.*/\1/p; s/^\(QT_[A-Z_]*\)=.*/\1/p'); do
	unset "$setting"
done
mkdir "$work/lib"
for name in libgomp.so.1 libomp.so.5 libomp.so libiomp5.so; do
	ln -s "$(readlink -f "$library")" "$work/lib/$name"
done

# Three lines: what a region of clang's, one of GCC's and one in the other have; and how many runtimes are mapped.
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
EOF
cat >"$work/outer.c" <<'EOF'
#include <omp.h>
#include <stdio.h>
#include <string.h>
int inner(int threads), work(int n);
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
	return 0;
}
EOF
clang=${KMPCC:-clang}
${CC:-cc} -fopenmp -O1 -c -o "$work/inner.o" "$work/inner.c" >"$work/log" 2>&1 || skip_all "${CC:-cc} has no OpenMP"
"$clang" -fopenmp -O1 -o "$work/both" "$work/outer.c" "$work/inner.o" >>"$work/log" 2>&1 || skip_all "no clang with OpenMP"

LD_LIBRARY_PATH=$work/lib "$work/both" >"$work/got" 2>>"$work/log"
cat "$work/got" >>"$work/log"
[ "$(sed -n 1p "$work/got")" = "1302 100 3 416" ]
report $? "regions and loops of clang and GCC in each other: one team, one set of control variables"
[ "$(sed -n 2p "$work/got")" = 1 ]
report $? "libomp.so.5 and libgomp.so.1 are one library in the process"
env LD_LIBRARY_PATH="$work/lib" ldd "$work/both" >"$work/log" 2>&1
grep -q "libomp.so.* => $work/lib/" "$work/log"
report $? "the loader has found it by its name"

finish
