/* test/omp/newer.c -- what programs of GCC 13 to 16 call and those of GCC 12 do not.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The compiler at hand may know none of it, and its library lack it: there these checks are skipped.
 */
#include "omp/tasking.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INITIAL = -1, INVALID = -4, DEFAULT = -5, NONE = 7 };

/* By another name: newer compilers declare them, and with types of their own. */
#define NEWER(type, ours, name, ...) extern type new_##ours(__VA_ARGS__) __asm__(#name) __attribute__((weak))

NEWER(void *, mapped_ptr, omp_get_mapped_ptr, const void *, int);
NEWER(int, target_is_accessible, omp_target_is_accessible, const void *, size_t, int);
NEWER(int, target_memcpy_async, omp_target_memcpy_async, void *, const void *, size_t, size_t, size_t, int, int, int,
      omp_depend_t *);
NEWER(int, target_memcpy_rect_async, omp_target_memcpy_rect_async, void *, const void *, size_t, int, const size_t *,
      const size_t *, const size_t *, const size_t *, const size_t *, int, int, int, omp_depend_t *);
NEWER(void, add_alloc, GOMP_add_alloc, void *);
NEWER(bool, is_alloc, GOMP_is_alloc, void *);
NEWER(void *, target_map_indirect_ptr, GOMP_target_map_indirect_ptr, void *);
NEWER(void, interop, GOMP_interop, int, int, void ***, const int *, const char **, int, void **, int, void ***,
      unsigned, void **);
NEWER(int, num_interop_properties, omp_get_num_interop_properties, const void *);
NEWER(intptr_t, interop_int, omp_get_interop_int, const void *, int, int *);
NEWER(void *, interop_ptr, omp_get_interop_ptr, const void *, int, int *);
NEWER(const char *, interop_str, omp_get_interop_str, const void *, int, int *);
NEWER(const char *, interop_name, omp_get_interop_name, const void *, int);
NEWER(const char *, interop_type_desc, omp_get_interop_type_desc, const void *, int);
NEWER(const char *, interop_rc_desc, omp_get_interop_rc_desc, const void *, int);
NEWER(void, interop_str_, omp_get_interop_str_, const char **, size_t *, const void *, int, int *);
NEWER(void, interop_name_, omp_get_interop_name_, const char **, size_t *, const void *, int);
NEWER(void, interop_type_desc_, omp_get_interop_type_desc_, const char **, size_t *, const void *, int);
NEWER(void, interop_rc_desc_, omp_get_interop_rc_desc_, const char **, size_t *, const void *, int);
NEWER(const char *, uid_from_device, omp_get_uid_from_device, int);
NEWER(void, uid_from_device_, omp_get_uid_from_device_, const char **, size_t *, int);
NEWER(void, uid_from_device_8_, omp_get_uid_from_device_8_, const char **, size_t *, int64_t);
NEWER(int, device_from_uid, omp_get_device_from_uid, const char *);
NEWER(int, device_from_uid_, omp_get_device_from_uid_, const char *, size_t);
NEWER(void *, target_memset, omp_target_memset, void *, int, size_t, int);
NEWER(void *, target_memset_async, omp_target_memset_async, void *, int, size_t, int, int, omp_depend_t *);

/* --- GCC 13: OMP_5.1.1 ------------------------------------------------------------------------------------ */

static void names_of_the_host(void)
{
	char row[8] = "abcdefg", other[8] = "";
	void *p;

	ok(new_mapped_ptr(row, 0) == row && new_mapped_ptr(row, INITIAL) == row && !new_mapped_ptr(row, NONE) &&
			!new_mapped_ptr(NULL, 0),
		"omp_get_mapped_ptr: the same on the host, else NULL");
	ok(new_target_is_accessible(row, 8, 0) == 1 && new_target_is_accessible(row, 8, NONE) == 0 &&
			(on_oracle() || (!new_target_is_accessible(row, 0, 0) && !new_target_is_accessible(NULL, 8, 0))),
		"omp_target_is_accessible: memory on the host");
	p = omp_target_alloc(8, INITIAL);
	ok(p && omp_target_is_present(p, INITIAL) && (on_oracle() || !omp_target_is_present(NULL, 0)) &&
			omp_target_memcpy(other, row, 8, 0, 0, INITIAL, 0) == 0 && strcmp(other, row) == 0,
		"omp_initial_device is the host to routines");
	omp_target_free(p, INITIAL);
	omp_set_default_device(INITIAL);
	is_int(omp_get_default_device(), INITIAL, "omp_set_default_device: keeps omp_initial_device");
	omp_set_default_device(0);
}

static void copies_wait(void)
{
	int from[4] = { 0 }, to[4] = { 0 }, seen = 0, after = -1;
	omp_depend_t depend[2];
	const size_t one = 1, two = 2, zero = 0, four = 4;

#pragma omp depobj(depend[0]) depend(in: from)
#pragma omp depobj(depend[1]) depend(inout: to)
#pragma omp parallel num_threads(2) shared(from, to, seen, after, depend)
#pragma omp single
	{
#pragma omp task depend(out: from) shared(from)
		{
			every_linger();
			from[0] = 1, from[1] = 2, from[2] = 3, from[3] = 4;
		}
		seen += new_target_memcpy_async(to, from, 2 * sizeof(int), 0, sizeof(int), 0, INITIAL, 2, depend);
		seen += new_target_memcpy_rect_async(to, from, sizeof(int), 1, &one, &two, &zero, &four, &four, 0, 0, 2,
			depend);
#pragma omp task depend(in: to) shared(to, after)
		after = to[0] * 100 + to[1] * 10 + to[2];
	}
#pragma omp depobj(depend[0]) destroy
#pragma omp depobj(depend[1]) destroy
	ok(seen == 0 && after == 231, "omp_target_memcpy_async, _rect_async: wait for dependences, and are waited for");
}

static void copies_refused(void)
{
	char a[4] = "abc", b[4] = "xyz";
	const size_t one = 1, zero = 0, four = 4;

	ok(new_target_memcpy_async(a, b, 1, 0, 0, NONE, 0, 0, NULL) == EINVAL &&
			new_target_memcpy_async(a, b, 1, 0, 0, 0, -3, 0, NULL) == EINVAL && a[0] == 'a',
		"omp_target_memcpy_async: no other device");
	ok(new_target_memcpy_rect_async(a, b, 1, 1, &one, &zero, &zero, &four, &four, NONE, 0, 0, NULL) == EINVAL &&
			(on_oracle() || new_target_memcpy_rect_async(a, b, 1, 0, &one, &zero, &zero, &four, &four, 0, 0,
				0, NULL) == EINVAL),
		"omp_target_memcpy_rect_async: no other device, nor 0 dimensions");
	is_int(new_target_memcpy_rect_async(NULL, NULL, 1, 1, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL), INT_MAX,
		"omp_target_memcpy_rect_async: any number of dimensions");
}

/* Whether the process ends, and not by itself. */
static bool refuses_invalid(bool by_default)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		if (!freopen("/dev/null", "w", stderr) || setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }) != 0)
			_exit(0);
		omp_set_default_device(INVALID);
		if (omp_get_default_device() == INVALID && by_default) {
#pragma omp target
			status = 1;
		}
		omp_target_free(NULL, INVALID);
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child && !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* --- GCC 14: GOMP_5.1.2 ----------------------------------------------------------------------------------- */

enum { BLOCKS = 1000 };

static void allocatables(void)
{
	static char block[BLOCKS];
	int known = 0, again = 0;

	/* GCC 16's library stops here for a "Duplicate node", now and then. */
#pragma omp parallel for reduction(+: known, again) if(!on_oracle())
	for (int i = 0; i < BLOCKS; i++) {
		new_add_alloc(&block[i]);
		known += new_is_alloc(&block[i]);
		again += new_is_alloc(&block[i]);
		new_add_alloc(&block[i]);
	}
	ok(known == BLOCKS && again == 0, "GOMP_is_alloc: knows what GOMP_add_alloc was told, once");
	for (int i = BLOCKS - 1; i >= 0; i--)
		known -= new_is_alloc(&block[i]);
	new_add_alloc(NULL);
	ok(known == 0 && !new_is_alloc(NULL) && !new_is_alloc(&known),
		"GOMP_is_alloc: not NULL, nor what it was not told");
}

/* --- GCC 15: GOMP_5.1.3, GOMP_6.0 ------------------------------------------------------------------------- */

static bool is_string(const char *string, size_t length, const char *want)
{
	return want ? string && strcmp(string, want) == 0 && length == strlen(want) : !string && length == 0;
}

static void interop(void)
{
	void *made = &made, *gone = on_oracle() ? NULL : &gone;         /* which that one frees */
	void **init[] = { &made }, **destroy[] = { &gone };
	int rc = 9, rcs[2], before = 0, seen = -1;
	const char *string = "x";
	size_t length = 1;
	void *depend[] = { (void *)1, (void *)1, &before };

	new_interop(0, 1, init, NULL, NULL, 0, NULL, 1, destroy, 0, NULL);
	ok(!made && !gone, "GOMP_interop: leaves omp_interop_none");
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out: before) shared(before)
		{
			every_linger();
			put(&before, 1);
		}
		new_interop(0, 0, NULL, NULL, NULL, 0, NULL, 0, NULL, 0, depend);
		seen = now(&before);
		new_interop(0, 0, NULL, NULL, NULL, 0, NULL, 0, NULL, 1, depend);
	}
	is_int(seen, 1, "GOMP_interop: waits for its dependences");
	ok(new_num_interop_properties(NULL) == 0 && new_interop_int(NULL, -1, &rcs[0]) == 0 &&
			!new_interop_ptr(NULL, -10, &rcs[1]) && !new_interop_str(NULL, -9, &rc) && rcs[0] == -1 &&
			rcs[1] == -2 && rc == -1 && !new_interop_str(NULL, 0, NULL),
		"omp_get_interop_int, _ptr, _str: no object, and no such property");
	ok(strcmp(new_interop_name(NULL, -1), "fr_id") == 0 && strcmp(new_interop_name(NULL, -9), "targetsync") == 0 &&
			!new_interop_name(NULL, 0) && !new_interop_type_desc(NULL, -1),
		"omp_get_interop_name, _type_desc");
	ok(new_interop_rc_desc(NULL, -5) && new_interop_rc_desc(NULL, 1) && !new_interop_rc_desc(NULL, 2) &&
			!new_interop_rc_desc(NULL, -6),
		"omp_get_interop_rc_desc: says something of each");
	new_interop_str_(&string, &length, NULL, -3, &rc);
	ok(is_string(string, length, NULL) && rc == -1, "omp_get_interop_str in Fortran");
	new_interop_name_(&string, &length, NULL, -3);
	ok(is_string(string, length, "vendor"), "omp_get_interop_name in Fortran");
	new_interop_type_desc_(&string, &length, NULL, -3);
	ok(is_string(string, length, NULL), "omp_get_interop_type_desc in Fortran");
	new_interop_rc_desc_(&string, &length, NULL, -2);
	ok(is_string(string, length, new_interop_rc_desc(NULL, -2)), "omp_get_interop_rc_desc in Fortran");
}

static void uids(void)
{
	static const char host[] = "OMP_INITIAL_DEVICE";
	const char *string = NULL;
	size_t length = 0;

	ok(is_string(new_uid_from_device(0), sizeof(host) - 1, host) && !new_uid_from_device(NONE) &&
			new_uid_from_device(INITIAL),
		"omp_get_uid_from_device");
	ok(new_device_from_uid(host) == INITIAL && new_device_from_uid("nobody") == INVALID &&
			new_device_from_uid(NULL) == INVALID,
		"omp_get_device_from_uid");
	new_uid_from_device_(&string, &length, 0);
	ok(is_string(string, length, host), "omp_get_uid_from_device in Fortran");
	new_uid_from_device_8_(&string, &length, NONE);
	ok(is_string(string, length, NULL), "omp_get_uid_from_device in Fortran, with INTEGER*8");
	ok(new_device_from_uid_(host, sizeof(host) - 1) == INITIAL && new_device_from_uid_(host, 3) == INVALID,
		"omp_get_device_from_uid in Fortran");
}

/* --- GCC 16: GOMP_6.0.1 ----------------------------------------------------------------------------------- */

static void fills(void)
{
	char row[9] = "........";
	omp_depend_t depend;
	void *p = NULL;

	ok(new_target_memset(row + 1, 'x', 2, 0) == row + 1 && strcmp(row, ".xx.....") == 0, "omp_target_memset");
	ok(new_target_memset(row, 'y', 0, INITIAL) == row && row[0] == '.', "omp_target_memset: no bytes");
#pragma omp depobj(depend) depend(inout: row)
#pragma omp parallel num_threads(2) shared(row, depend, p)
#pragma omp single
	{
#pragma omp task depend(out: row) shared(row)
		{
			every_linger();
			memcpy(row, "........", 8);
		}
		p = new_target_memset_async(row + 4, 'z', 3, 0, 1, &depend);
	}
#pragma omp depobj(depend) destroy
	ok(p == row + 4 && strcmp(row, "....zzz.") == 0, "omp_target_memset_async: waits for its dependence");
	omp_set_default_device(NONE);
	ok(!omp_target_alloc(8, DEFAULT), "omp_default_device: is the one that omp_set_default_device has said");
	omp_set_default_device(DEFAULT);
	is_int(omp_get_default_device(), NONE, "omp_set_default_device: omp_default_device changes nothing");
	omp_set_default_device(0);
}

static const struct {
	const char *node;
	int checks;
	void (*run)(void);
} group[] = {
	{ "OMP_5.1.1", 4, names_of_the_host },
	{ "OMP_5.1.1", 1, copies_wait },
	{ "OMP_5.1.1", 3, copies_refused },
	{ "GOMP_5.1.2", 2, allocatables },
	{ "GOMP_5.1.3", 9, interop },
	{ "GOMP_6.0", 5, uids },
	{ "GOMP_6.0.1", 5, fills },
};

enum { GROUPS = sizeof(group) / sizeof(group[0]), CHECKS = 4 + 1 + 3 + 2 + 9 + 5 + 5 + 2 };

int main(void)
{
	const bool there[GROUPS] = { new_mapped_ptr, new_target_memcpy_async, new_target_memcpy_rect_async,
		new_is_alloc, new_interop_int, new_uid_from_device, new_target_memset };

	plan(CHECKS);
	for (int i = 0; i < GROUPS; i++) {
		if (there[i])
			group[i].run();
		else
			skip(group[i].checks, "the library has no %s", group[i].node);
	}
	if (there[0]) {
		ok(refuses_invalid(false), "omp_invalid_device ends the program that uses it");
		ok(refuses_invalid(true), "omp_invalid_device as the default device ends the program that uses it");
	} else {
		skip(2, "the library has no omp_invalid_device");
	}
	return done();
}
