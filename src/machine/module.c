/* machine/module.c -- see machine/module.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * dladdr(3) would take the dynamic linker's lock, which the interrupted code may hold; the kernel's list takes none.
 */
#include "machine/module.h"

#include "base/text.h"

#include <elf.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct mapping {
	uintptr_t begin, end;
	uint64_t offset, inode;
	int path;                       /* where the file's name begins in the line */
};

static bool mapping_parse(const char *line, struct mapping *m)
{
	int fields;

	m->path = 0;
	fields = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNx64 " %*s %" SCNu64 " %n", &m->begin, &m->end,
		&m->offset, &m->inode, &m->path);
	return fields == 4 && m->path > 0;
}

/* Programs that are not position-independent have their addresses in the file already. */
static bool is_moved(uintptr_t first)
{
	return ((const Elf64_Ehdr *)first)->e_type == ET_DYN;
}

bool qti_module_find(const void *code, char *path, size_t size, uintptr_t *in_file)
{
	uintptr_t address = (uintptr_t)code;
	struct qti_lines lines;
	struct mapping m, first = { 0 };
	uintptr_t end = 0;              /* of the file's last mapping: variables without values may lie behind it */
	bool found = false;
	char *line;

	if (!qti_lines_open(&lines, "/proc/self/maps"))
		return false;
	while (!found && (line = qti_lines_next(&lines)) != NULL) {
		if (!mapping_parse(line, &m))
			continue;
		if (line[m.path] == '/') {
			if (m.offset == 0) {
				first = m;
				snprintf(path, size, "%s", line + m.path);
			}
			end = m.inode == first.inode ? m.end : 0;
		} else if (line[m.path] != '\0' || m.begin != end) {
			continue;
		}
		found = end != 0 && m.begin <= address && address < m.end;
		if (found) {
			*in_file = address - (is_moved(first.begin) ? first.begin : 0);
		}
	}
	qti_lines_close(&lines);
	return found;
}

void qti_module_show(const void *address, char *text, size_t size)
{
	char path[QTI_MODULE_PATH];
	uintptr_t in_file;

	if (qti_module_find(address, path, sizeof(path), &in_file))
		snprintf(text, size, "%s+0x%" PRIxPTR, strrchr(path, '/') + 1, in_file);
	else
		snprintf(text, size, "%p", (void *)(uintptr_t)address);
}
