/* test/api/cxx_prototypes.cc -- every public function has the type that the API gives it in C++ as well.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "prototypes.c"
