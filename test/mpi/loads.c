/* test/mpi/loads.c -- a program that is linked with no MPI and loads a module that is.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: loads MODULE [ARGUMENT...]: whose function `loaded` is the main of a program.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int (*loaded)(int, char **) = module ? (int (*)(int, char **))dlsym(module, "loaded") : NULL;

	if (!loaded) {
		fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "no module");
		return 1;
	}
	return loaded(argc - 1, argv + 1);
}
