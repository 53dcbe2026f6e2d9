/* tools/qtrun_image.c -- see tools/qtrun_image.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "tools/qtrun_image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SCRIPT_LINE = 256 };             /* as much of a script's first line as the kernel looks at */

/* Exactly `size` bytes from `at`. */
static bool read_at(int fd, void *to, size_t size, uint64_t at)
{
	return at <= INT64_MAX && pread(fd, to, size, (off_t)at) == (ssize_t)size;
}

/* ---- ELF -------------------------------------------------------------------------------------------------------- */

/* The bytes that both word sizes have in the same place, in this machine's order or the other. */
static unsigned read_half(const unsigned char *bytes, unsigned char order)
{
	return order == ELFDATA2MSB ? (unsigned)(bytes[0] << 8 | bytes[1]) : (unsigned)(bytes[1] << 8 | bytes[0]);
}

static void read_loader(int fd, char loader[PATH_MAX])
{
	ElfW(Ehdr) header;
	ElfW(Phdr) part;

	if (!read_at(fd, &header, sizeof(header), 0) || header.e_phentsize != sizeof(part))
		return;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		if (!read_at(fd, &part, sizeof(part), header.e_phoff + i * sizeof(part)))
			return;
		if (part.p_type != PT_INTERP)
			continue;
		if (part.p_filesz == 0 || part.p_filesz > PATH_MAX ||
			!read_at(fd, loader, part.p_filesz, part.p_offset))
			loader[0] = '\0';
		else
			loader[part.p_filesz - 1] = '\0';
		return;
	}
}

static void read_elf(int fd, const unsigned char *head, struct qtrun_image *image)
{
	static const unsigned char native_bits = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	static const uint16_t one = 1;
	unsigned char native_order = *(const unsigned char *)&one == 1 ? ELFDATA2LSB : ELFDATA2MSB;

	image->kind = QTRUN_ELF;
	image->bits = head[EI_CLASS];
	image->order = head[EI_DATA];
	image->type = read_half(head + EI_NIDENT, image->order);
	image->machine = read_half(head + EI_NIDENT + 2, image->order);
	if (image->bits == native_bits && image->order == native_order)
		read_loader(fd, image->interpreter);
}

bool qtrun_image_same_machine(const struct qtrun_image *a, const struct qtrun_image *b)
{
	return a->bits == b->bits && a->order == b->order && a->machine == b->machine;
}

const char *qtrun_image_machine(const struct qtrun_image *image)
{
	static const struct {
		unsigned machine;
		const char *name;
	} names[] = {
		{ EM_386, "i386" },
		{ EM_X86_64, "x86-64" },
		{ EM_ARM, "Arm" },
		{ EM_AARCH64, "AArch64" },
		{ EM_RISCV, "RISC-V" },
		{ EM_PPC64, "POWER" },
		{ EM_S390, "IBM Z" },
	};
	static char text[64];
	unsigned i = 0, bits = image->bits == ELFCLASS32 ? 32 : 64;

	while (i < sizeof(names) / sizeof(names[0]) && names[i].machine != image->machine)
		i++;
	if (i < sizeof(names) / sizeof(names[0]))
		snprintf(text, sizeof(text), "%u-bit %s", bits, names[i].name);
	else
		snprintf(text, sizeof(text), "%u-bit machine number %u", bits, image->machine);
	return text;
}

/* ---- Scripts ---------------------------------------------------------------------------------------------------- */

/* "#! interpreter argument": blanks around them do not count, and what follows the interpreter is one argument. */
static void read_script(char *line, struct qtrun_image *image)
{
	size_t length;

	line[strcspn(line, "\n")] = '\0';
	line += 2 + strspn(line + 2, " \t");
	length = strcspn(line, " \t");
	memcpy(image->interpreter, line, length);
	image->interpreter[length] = '\0';

	line += length;
	line += strspn(line, " \t");
	length = strlen(line);
	while (length > 0 && strchr(" \t", line[length - 1]))
		length--;
	memcpy(image->argument, line, length);
	image->argument[length] = '\0';
	image->kind = image->interpreter[0] ? QTRUN_SCRIPT : QTRUN_OTHER;
}

enum qtrun_kind qtrun_image_read(const char *path, struct qtrun_image *image)
{
	unsigned char head[SCRIPT_LINE + 1];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*image = (struct qtrun_image){ .kind = QTRUN_UNREADABLE };
	if (fd < 0)
		return image->kind;
	ssize_t n = pread(fd, head, SCRIPT_LINE, 0);
	if (n >= 0) {
		image->kind = QTRUN_OTHER;
		head[n] = '\0';
		if (n > EI_NIDENT + 4 && memcmp(head, ELFMAG, SELFMAG) == 0)
			read_elf(fd, head, image);
		else if (n > 2 && head[0] == '#' && head[1] == '!')
			read_script((char *)head, image);
	}
	int reason = errno;
	close(fd);
	errno = reason;
	return image->kind;
}
