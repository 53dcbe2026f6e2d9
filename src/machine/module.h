/* machine/module.h -- which program or library an address belongs to.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_MACHINE_MODULE_H
#define QTI_MACHINE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	QTI_MODULE_TEXT = 80,           /* bytes that are enough for most */
	QTI_MODULE_PATH = 512,
};

/* The path of the file that the address belongs to, and where it says that this lies.  False: to none.
 * Async-signal-safe. */
bool qti_module_find(const void *address, char *path, size_t size, uintptr_t *in_file);

/* "program+0x1189", as addr2line(1) takes it, or the bare address if it is in no file.  Async-signal-safe. */
void qti_module_show(const void *address, char *text, size_t size);

#endif
