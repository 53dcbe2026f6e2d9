#!/bin/sh
# test/omp/plugin.sh -- libqomp comes with a plugin, late and among many libraries, and the plugin goes again.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
libraries=${abs_top_builddir:?}/.libs
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$libraries/libqomp.so" ] || skip_all "no shared library in this build"

cat >"$work/plugin.c" <<'EOP'
int use(int threads)
{
	int sum = 0;

#pragma omp parallel num_threads(threads) reduction(+ : sum)
	{
#pragma omp task
		__asm__ volatile("" ::: "memory");
		sum++;
	}
	return sum == threads;
}
EOP
# A library with variables for each thread that can only be where the program's own are.
cat >"$work/user.c" <<'EOP'
static __thread long mine __attribute__((tls_model("initial-exec")));

long *address(void)
{
	return &mine;
}
EOP
cat >"$work/host.c" <<'EOP'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *plugin;

static void *load_use_unload(void *good)
{
	void *library = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
	int (*use)(int) = library ? (int (*)(int))dlsym(library, "use") : NULL;

	if (!use)
		fprintf(stderr, "%s\n", dlerror());
	*(int *)good += use && use(2) && use(3) && dlclose(library) == 0;
	return NULL;
}

int main(int argc, char **argv)
{
	int times = atoi(argv[2]), good = 0;

	plugin = argv[1];
	for (int i = 3; i < argc; i++)
		if (!dlopen(argv[i], RTLD_NOW)) {
			fprintf(stderr, "%s\n", dlerror());
			return 2;
		}
	for (int i = 0; i < times; i++) {
		pthread_t thread;
		if (i % 2 == 0)
			load_use_unload(&good);
		else if (pthread_create(&thread, NULL, load_use_unload, &good) == 0)
			pthread_join(thread, NULL);
	}
	return good == times ? 0 : 1;
}
EOP
cc="${CC:-cc} -O1"
cd "$work" && $cc -fopenmp -fPIC -c plugin.c >log 2>&1 || skip_all "$CC has no OpenMP"
$cc -shared -o plugin.so plugin.o -L"$libraries" -lqomp -Wl,-rpath,"$libraries" >>log 2>&1 &&
	$cc -shared -fPIC -o user.so user.c >>log 2>&1 && $cc -o host host.c -pthread -ldl >>log 2>&1 || {
	cat log >&2
	skip_all "$CC cannot make plugins"
}
users=
for i in $(seq 64); do
	cp user.so "user$i.so"
	users="$users ./user$i.so"
done

plan 6
timeout 100 ./host ./plugin.so 60 >log 2>&1
report $? "a plugin is loaded, has regions and is unloaded, 60 times, in the main thread and in others that end"
timeout 100 ./host ./plugin.so 2 $users >log 2>&1
report $? "after 64 libraries with variables in the program's static block"
timeout 100 ./host ./plugin.so 1 $users ./plugin.so >log 2>&1
report $? "before the program ends the plugin is used by the main thread alone"
cat >late.c <<'EOP'
#include <dlfcn.h>

int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW);
	int (*use)(int) = library ? (int (*)(int))dlsym(library, "use") : 0;

	return !use || !use(2) || dlclose(library) != 0 || argc != 2;
}
EOP
$cc -o late late.c -ldl >>log 2>&1 && timeout 100 ./late ./plugin.so >>log 2>&1
report $? "and may have been unloaded when the program ends, which then does so with status 0"

# A namespace of its own has a libqomp, a libqthread and a C library of its own, and so do their threads.
cat >apart.c <<'EOP'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void *load(Lmid_t where, const char *plugin, int (**use)(int))
{
	void *library = dlmopen(where, plugin, RTLD_NOW | RTLD_LOCAL);

	*use = library ? (int (*)(int))dlsym(library, "use") : NULL;
	if (!*use)
		fprintf(stderr, "%s\n", dlerror());
	return library;
}

int main(int argc, char **argv)
{
	int (*here)(int), (*there)(int);
	void *apart = load(LM_ID_NEWLM, argv[1], &there), *own = argc == 3 ? load(LM_ID_BASE, argv[1], &here) : NULL;

	if (!there || (argc == 3 && !here))
		return 2;
	for (int i = 2; i < 6; i++)
		if (!there(i) || (own && !here(i)))
			return 1;
	return dlclose(apart) != 0 || (own && dlclose(own) != 0);
}
EOP
$cc -o apart apart.c -ldl >log 2>&1 && timeout 100 ./apart ./plugin.so >>log 2>&1
report $? "a plugin in a namespace of its own (dlmopen) has regions there"
timeout 100 ./apart ./plugin.so both >log 2>&1
report $? "and beside one of the program's, each with a runtime of its own"
