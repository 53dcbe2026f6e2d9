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
	int path;                       /* where the file's name begins in the line; 0: it has none */
};

static bool mapping_parse(const char *line, struct mapping *m)
{
	int fields;

	m->path = 0;
	fields = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNx64 " %*s %" SCNu64 " %n", &m->begin, &m->end, &m->offset,
	                &m->inode, &m->path);
	return fields == 4 && m->path > 0 && line[m->path] == '/';
}

/* Programs that are not position-independent have their addresses in the file already. */
static bool is_moved(uintptr_t first)
{
	return ((const Elf64_Ehdr *)first)->e_type == ET_DYN;
}

static bool mapping_find(uintptr_t address, char *text, size_t size)
{
	struct qti_lines lines;
	struct mapping m, first = { 0 };
	bool found = false;
	char *line;

	if (!qti_lines_open(&lines, "/proc/self/maps"))
		return false;
	while (!found && (line = qti_lines_next(&lines)) != NULL) {
		if (!mapping_parse(line, &m))
			continue;
		if (m.offset == 0)
			first = m;
		found = m.begin <= address && address < m.end && m.inode == first.inode;
		if (found)
			snprintf(text, size, "%s+0x%" PRIxPTR, strrchr(line, '/') + 1,
			         address - (is_moved(first.begin) ? first.begin : 0));
	}
	qti_lines_close(&lines);
	return found;
}

void qti_module_show(const void *address, char *text, size_t size)
{
	if (!mapping_find((uintptr_t)address, text, size))
		snprintf(text, size, "%p", (void *)(uintptr_t)address);
}
