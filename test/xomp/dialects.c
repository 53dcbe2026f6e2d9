/* test/xomp/dialects.c -- programs that older versions of ROSE have translated.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/dialects.h"

int main(void)
{
	plan(16);
	check_110();
	check_2011();
	check_2010();
	return done();
}
