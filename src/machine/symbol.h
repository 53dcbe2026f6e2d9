/* machine/symbol.h -- what a function or a variable is called.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_MACHINE_SYMBOL_H
#define QTI_MACHINE_SYMBOL_H

#include "machine/module.h"

/* "name" or "name+0x10" of whatever lies at that address, static ones too; where the program or library has no name for
 * it, as qti_module_show has it.  Reads the file each time.  Not for handlers of signals. */
void qti_symbol_show(const void *address, char *text, size_t size);

#endif
