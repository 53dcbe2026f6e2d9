/* ds/mapfile.h -- the file of a map: its layout, and how it is made, loaded, checked and closed.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     | header | bits: unit is used | bits: block begins (dynamic maps) | units ... |
 *
 * each beginning at a multiple of MAPFILE_PAGE bytes.  A unit is an item, or 16 bytes of a dynamic map.  Nothing else
 * is in the file: there are no lists that a crash could leave half linked.
 */
#ifndef QTI_DS_MAPFILE_H
#define QTI_DS_MAPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAPFILE_PAGE = 4096, MAPFILE_GRANULE = 16 };
enum mapfile_kind { MAPFILE_STATIC = 1, MAPFILE_DYNAMIC = 2 };

struct mapfile_header {
	char magic[8];
	uint32_t version;               /* also tells the order of bytes */
	uint32_t kind;                  /* enum mapfile_kind */
	uint64_t address;
	uint64_t bytes;                 /* of the whole file */
	uint64_t item;                  /* bytes of an item, as the user has it; dynamic: MAPFILE_GRANULE */
	uint64_t unit;                  /* the same rounded up: bytes of a unit */
	uint64_t nunits;
	uint64_t streams;
	uint64_t clean;                 /* 1: closed in good order, and bits_sum is right; 0: in use,
					 * or was when it crashed */
	uint64_t bits_sum;
	uint64_t sum;                   /* of all above */
};

struct mapfile {
	struct mapfile_header *header;  /* the whole file is mapped here */
	size_t bytes;
	uint64_t *used;
	uint64_t *heads;                /* NULL in static maps */
	size_t nwords;                  /* of 64 bits, in each */
	char *units;
	int fd;
	bool crashed;                   /* it was in use when its last user ended:
					 * the two bit maps may not fit together */
};

/* What the caller wants; of an existing file 0 (or NULL) accepts anything. */
struct mapfile_request {
	const char *name;
	enum mapfile_kind kind;
	uint64_t item;
	uint64_t room;                  /* bytes of items, in a new file */
	void *address;
	uint64_t streams;
	bool may_create;
};

/* 0, or an errno; then *why is what to tell the user besides, or NULL, and the file is as it was. */
int qti_mapfile_open(struct mapfile *f, const struct mapfile_request *request, const char **why);

int qti_mapfile_sync(const struct mapfile *f);          /* 0 or an errno */
int qti_mapfile_close(struct mapfile *f);               /* the same; it is unmapped in any case */

/* From now on the file is in use.  Until then an existing one has not been written to. */
void qti_mapfile_begin(struct mapfile *f);

#endif
