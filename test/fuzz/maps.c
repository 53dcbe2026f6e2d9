/* test/fuzz/maps.c -- the input is a file of qalloc_loadmap, without what is always there: its header, then the bytes
 * of its bit maps.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first byte says what is put right, so that what lies behind the checks is read, too.  A map that is accepted
 * is used: every block is whole and alone, whatever its bits say.
 */
#include "fuzz.h"

#include "ds/mapfile.h"

#include <qthread/hash.h>
#include <qthread/qalloc.h>

#include <errno.h>

enum { MOST = 1 << 20, BLOCKS = 8 };
enum { CLAIMS_SUM = 1, CLAIMS_SIZE = 2, CLAIMS_BITS = 4, CLAIMS_MAGIC = 8, CLAIMS_BYTES = 16 };

static uint64_t rounded(uint64_t n)
{
	return (n + MAPFILE_PAGE - 1) / MAPFILE_PAGE * MAPFILE_PAGE;
}

/* As ds/mapfile.h says a file is laid out. */
static void put_right(struct mapfile_header *h, unsigned what, const uint8_t *bits, size_t nbits, char *file)
{
	const uint64_t words = h->nunits / 64 + (h->nunits % 64 != 0), map = rounded(words * 8);
	const unsigned maps = h->kind == MAPFILE_DYNAMIC ? 2 : 1;

	if (what & CLAIMS_MAGIC) {
		memcpy(h->magic, "QTALLOC", sizeof(h->magic));
		h->version = 1;
		h->unit = (h->item + (h->item > 8 ? 15 : 7)) / (h->item > 8 ? 16 : 8) * (h->item > 8 ? 16 : 8);
	}
	if (what & CLAIMS_BYTES && h->unit < MOST && h->nunits < MOST && h->unit * h->nunits < MOST)
		h->bytes = MAPFILE_PAGE + maps * map + rounded(h->unit * h->nunits);
	for (size_t i = 0; i < nbits; i++) {
		const bool first = i < nbits / 2 || maps == 1 || map > MOST / 4;
		file[MAPFILE_PAGE + (first ? i : map + i - nbits / 2) % (MOST - MAPFILE_PAGE)] = (char)bits[i];
	}
	if (what & CLAIMS_BITS && maps * map < MOST / 2) {
		h->bits_sum = qt_hash_bytes(file + MAPFILE_PAGE, words * 8, 0);
		if (maps == 2)
			h->bits_sum = qt_hash_bytes(file + MAPFILE_PAGE + map, words * 8, h->bits_sum);
	}
	if (what & CLAIMS_SUM)
		h->sum = qt_hash_bytes((void *)h, offsetof(struct mapfile_header, sum), 0);
	memcpy(file, h, sizeof(*h));
}

static void use(void *map, const struct mapfile_header *h)
{
	const size_t size = h->kind == MAPFILE_STATIC ? h->item : 40;
	void *block[BLOCKS];

	for (unsigned i = 0; i < BLOCKS; i++)
		if ((block[i] = qalloc_malloc(map, size)) != NULL)
			memset(block[i], (int)i, size);
	for (unsigned i = 0; i < BLOCKS; i++)
		if (block[i] && (*(unsigned char *)block[i] != i || ((unsigned char *)block[i])[size - 1] != i))
			abort();
	for (unsigned i = 0; i < BLOCKS; i++)
		if (block[i])
			qalloc_free(block[i], map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char file[MOST];
	struct mapfile_header h = { 0 };
	char path[256];

	if (size == 0)
		return 0;
	const unsigned what = *data++;
	const size_t head = --size < sizeof(h) ? size : sizeof(h);
	memcpy(&h, data, head);
	memset(file, 0, sizeof(file));
	put_right(&h, what, data + head, size - head < MOST / 4 ? size - head : MOST / 4, file);
	const size_t bytes = what & CLAIMS_SIZE && h.bytes <= MOST ? h.bytes : MAPFILE_PAGE + size;

	fuzz_write("map", file, bytes < MOST ? bytes : MOST);
	fuzz_path(path, sizeof(path), "map");
	void *map = qalloc_loadmap(path);
	if (map)
		use(map, &h);
	qalloc_cleanup();
	return 0;
}
