/* machine/module.h -- which program or library an address belongs to.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_MACHINE_MODULE_H
#define QTI_MACHINE_MODULE_H

#include <stddef.h>

enum { QTI_MODULE_TEXT = 80 };          /* bytes that are enough for most */

/* "program+0x1189", as addr2line(1) takes it, or the bare address if it is in no file.  Async-signal-safe. */
void qti_module_show(const void *address, char *text, size_t size);

#endif
