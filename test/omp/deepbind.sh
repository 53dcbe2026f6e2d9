#!/bin/sh
# test/omp/deepbind.sh -- a plugin that is loaded with RTLD_DEEPBIND: its libraries see the program's environment.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The program refers to `environ`, so it has a copy of the variable, which its libraries do not find with that flag.

. "${abs_top_srcdir:?}/test/tap.sh"
libraries=${abs_top_builddir:?}/.libs
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$libraries/libqomp.so" ] || skip_all "no shared library in this build"
unset_settings

cat >"$work/plugin.c" <<'EOP'
#include <qthread/qthread.h>

int omp_get_max_threads(void);

int omp(void)
{
	int n = 0, most = omp_get_max_threads();

#pragma omp parallel reduction(+ : n)
	n++;
	return most == n ? n : -n;
}

int native(void)
{
	return qthread_initialize() == QTHREAD_SUCCESS ? (int)qthread_num_workers() : -1;
}
EOP
cat >"$work/host.c" <<'EOP'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* Program plugin function flags: d for RTLD_DEEPBIND, g for RTLD_GLOBAL, s sets variables and p puts them before, c clears
 * all, u unloads the plugin and has all once more. */
int main(int argc, char **argv)
{
	const char *flags = argc == 4 ? argv[3] : "";
	int mode = RTLD_NOW | (strchr(flags, 'd') ? RTLD_DEEPBIND : 0) | (strchr(flags, 'g') ? RTLD_GLOBAL : 0);

	if (!environ)
		return 3;
	if (strchr(flags, 'c') && clearenv() != 0)
		return 3;
	if (strchr(flags, 's') && (setenv("OMP_NUM_THREADS", "3", 1) != 0 || setenv("QT_HWPAR", "3", 1) != 0))
		return 3;
	if (strchr(flags, 'p')) {
		putenv((char *)"OMP_NUM_THREADS=3");
		putenv((char *)"QT_HWPAR=3");
	}
	for (int again = strchr(flags, 'u') != NULL; again >= 0; again--) {
		void *library = dlopen(argv[1], mode);
		int (*work)(void) = library ? (int (*)(void))dlsym(library, argv[2]) : NULL;
		if (!work) {
			fprintf(stderr, "%s\n", dlerror());
			return 2;
		}
		printf("%d\n", work());
		if (again)
			dlclose(library);
	}
	return 0;
}
EOP
cc="${CC:-cc} -O1"
cd "$work" && $cc -fopenmp -fPIC -I"$top/include" -I"$abs_top_builddir/include" -c plugin.c >log 2>&1 ||
	skip_all "$CC has no OpenMP"
$cc -shared -o plugin.so plugin.o -L"$libraries" -lqomp -lqthread -Wl,-rpath,"$libraries" >>log 2>&1 &&
	$cc -o host host.c -ldl >>log 2>&1 || {
	cat log >&2
	skip_all "$CC cannot make plugins"
}
# One that has the libraries within itself.  Threads stay in it, so it is never unloaded.
whole=
if [ -e "$libraries/libqomp.a" ] && [ -e "$libraries/libqthread.a" ] &&
	$cc -shared -Wl,-z,nodelete -o whole.so plugin.o "$libraries/libqomp.a" "$libraries/libqthread.a" -pthread -ldl >>log 2>&1; then
	whole=./whole.so
fi

# prints WHAT EXPECTED PLUGIN FUNCTION FLAGS: of the two settings of the environment.
prints() {
	timeout 100 ./host "$3" "$4" "$5" >log 2>&1
	[ "$(cat log)" = "$2" ]
	report $? "$1"
}

each() {        # PLUGIN
	export OMP_NUM_THREADS=3 QT_HWPAR=3
	for flags in d dg g; do
		prints "$1, flags $flags: OMP_NUM_THREADS of the environment counts" 3 "$1" omp "$flags"
		prints "$1, flags $flags: so does QT_HWPAR" 3 "$1" native "$flags"
	done
	prints "$1: also the second time it is loaded" "3
3" "$1" omp du
	unset OMP_NUM_THREADS QT_HWPAR
	for flags in ds dp dcs dcp; do
		prints "$1, flags $flags: so does OMP_NUM_THREADS that the program sets" 3 "$1" omp "$flags"
		prints "$1, flags $flags: and QT_HWPAR" 3 "$1" native "$flags"
	done
	QT_HWPAAR=3 timeout 100 ./host "$1" native d >log 2>&1
	grep -q 'QT_HWPAAR is not a setting' log
	report $? "$1: a misspelled setting is noticed"
	KMP_WARNINGS=true KMP_NOTHING=1 timeout 100 ./host "$1" omp d >log 2>&1
	grep -q 'these have no effect: KMP_NOTHING' log
	report $? "$1: so is a setting of another runtime that has no effect"
}
each ./plugin.so
if [ -n "$whole" ]; then
	each "$whole"
else
	skip "a plugin that has the libraries within itself" "no static library, or $CC cannot make such a plugin"
fi
finish
