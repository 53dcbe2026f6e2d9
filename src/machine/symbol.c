/* machine/symbol.c -- see machine/symbol.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * dladdr(3) knows what a program exports alone, and names what comes before where there is nothing.  So this reads the
 * file's own table of symbols.
 */
#include "machine/symbol.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file in memory. */
struct image {
	const char *begin;
	size_t size;
};

static bool image_open(struct image *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat s;
	void *p = MAP_FAILED;

	if (fd < 0)
		return false;
	if (fstat(fd, &s) == 0 && s.st_size >= (off_t)sizeof(Elf64_Ehdr))
		p = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return false;
	*f = (struct image){ p, (size_t)s.st_size };
	return true;
}

/* So many bytes at that place of the file; NULL if it has not as many. */
static const void *image_part(const struct image *f, uint64_t at, uint64_t bytes)
{
	return at <= f->size && bytes <= f->size - at ? f->begin + at : NULL;
}

static const Elf64_Shdr *image_sections(const struct image *f, unsigned *n)
{
	const Elf64_Ehdr *e = image_part(f, 0, sizeof(*e));

	if (memcmp(e->e_ident, ELFMAG, SELFMAG) != 0 || e->e_ident[EI_CLASS] != ELFCLASS64 ||
		e->e_shentsize != sizeof(Elf64_Shdr))
		return NULL;
	*n = e->e_shnum;
	return image_part(f, e->e_shoff, (uint64_t)e->e_shnum * sizeof(Elf64_Shdr));
}

static bool symbol_has(const Elf64_Sym *s, uint64_t address)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);

	if (s->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT && type != STT_GNU_IFUNC))
		return false;
	return address - s->st_value < s->st_size || address == s->st_value;
}

/* In one table of symbols, whose names are in another section. */
static bool table_find(const struct image *f, const Elf64_Shdr *table, const Elf64_Shdr *names, uint64_t address,
	char *text, size_t size)
{
	const Elf64_Sym *s = image_part(f, table->sh_offset, table->sh_size);
	const char *name = image_part(f, names->sh_offset, names->sh_size);

	if (!s || !name || names->sh_size == 0 || name[names->sh_size - 1] != '\0')
		return false;
	for (uint64_t i = 0; i < table->sh_size / sizeof(*s); i++) {
		if (!symbol_has(&s[i], address) || s[i].st_name >= names->sh_size || name[s[i].st_name] == '\0')
			continue;
		if (address == s[i].st_value)
			snprintf(text, size, "%s", name + s[i].st_name);
		else
			snprintf(text, size, "%s+0x%" PRIx64, name + s[i].st_name, address - s[i].st_value);
		return true;
	}
	return false;
}

/* All symbols, or those that a file which was stripped still has. */
static bool image_find(const struct image *f, uint64_t address, char *text, size_t size)
{
	static const unsigned types[] = { SHT_SYMTAB, SHT_DYNSYM };
	unsigned n = 0;
	const Elf64_Shdr *section = image_sections(f, &n);

	for (unsigned k = 0; section && k < sizeof(types) / sizeof(types[0]); k++)
		for (unsigned i = 0; i < n; i++)
			if (section[i].sh_type == types[k] && section[i].sh_link < n &&
			    table_find(f, &section[i], &section[section[i].sh_link], address, text, size))
				return true;
	return false;
}

void qti_symbol_show(const void *address, char *text, size_t size)
{
	char path[QTI_MODULE_PATH];
	struct image f;
	uintptr_t in_file;
	bool found = false;

	if (qti_module_find(address, path, sizeof(path), &in_file) && image_open(&f, path)) {
		found = image_find(&f, in_file, text, size);
		munmap((void *)(uintptr_t)f.begin, f.size);
	}
	if (!found)
		qti_module_show(address, text, size);
}
