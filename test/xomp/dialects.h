/* test/xomp/dialects.h -- checks of the older dialects, a file each.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_XOMP_DIALECTS_H
#define QTI_TEST_XOMP_DIALECTS_H

#include "tap.h"

enum { REACH = 100 };

void check_110(void);
void check_2011(void);
void check_2010(void);

#endif
