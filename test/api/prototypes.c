/* test/api/prototypes.c -- every public function has exactly the type that the API gives it, and is there to be linked.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * prototypes.list says which types these are; the Makefile makes prototypes.inc of it.  cxx_prototypes.cc compiles this
 * file as C++.
 */
#include "tap.h"

#include "test/api/prototypes.inc"

/* name, result, parameters: 1 if the type is the same but for qualifiers of the parameters themselves, else 0.
 * In C++ overloads hide the type of a name: the one with the right type is chosen, and its absence is an error. */
#ifdef __cplusplus
#define CALL(name, result, params) { #name, reinterpret_cast<void (*)(void)>(static_cast<result (*) params>(name)), 1 },
#else
#define CALL(name, result, params) \
	{ #name, (void (*)(void))name, _Generic(&name, result (*) params : 1, default : 0) },
#endif

static const struct {
	const char *name;
	void (*address)(void);
	int right_type;
} calls[] = { CALLS };

enum { NCALLS = sizeof(calls) / sizeof(calls[0]) };

int main(void)
{
	plan(NCALLS);
	for (int i = 0; i < NCALLS; i++)
		ok(calls[i].right_type && calls[i].address, "%s has the type the API gives it", calls[i].name);
	return done();
}
