/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "fib/fib.h"

uint64_t fib_number(unsigned long k)
{
	uint64_t a = 0, b = 1;

	while (k-- > 0) {
		uint64_t next = a + b;
		a = b;
		b = next;
	}
	return a;
}

double fib_calls(unsigned long k)
{
	return 2 * (double)fib_number(k + 1) - 1;
}
