/* qthread/qalloc.h -- memory that lies in a file and outlives the program.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A map is a file mapped into memory, from which blocks are allocated.  A static map holds items of one size, a dynamic
 * map blocks of any size.  A file has the same address whenever it is mapped, so pointers from one block to another
 * stay good: the next program that loads the file goes on where the last one has stopped.
 *
 * Any thread may make these calls, with or without a running runtime; malloc and free may run beside each other and
 * themselves.  A file is mapped once at a time, in one process.
 *
 * What survives.  After qalloc_cleanup: everything.  When the process ends in any other way, killed between two
 * instructions even: everything that it had written and allocated, though a block that was just being allocated or
 * freed may be either.  When the machine stops: at least what was there at the last qalloc_checkpoint and has not been
 * freed since, with the bytes of then or later ones; later changes may have reached the disk in part.
 */
#ifndef QTHREAD_QALLOC_H
#define QTHREAD_QALLOC_H

#include <stddef.h>
#include <sys/types.h>

#include "macros.h"

Q_STARTCXX
#pragma GCC visibility push(default)

typedef struct mapinfo_s mapinfo_t;       /* a static map */
typedef struct dynmapinfo_s dynmapinfo_t; /* a dynamic map */

/* Load a static map from a file, or create the file if there is none or it is empty.
 *
 * filesize   bytes of items that a new file has room for; the file is a little larger.  Ignored for an existing one
 * addr       where a new file shall be mapped now and ever after, page-aligned; NULL: the library chooses.  For an
 *            existing file: the address that it has, or NULL
 * filename   the file
 * itemsize   bytes of an item; an existing file must have been made with the same
 * streams    parts of a map in which allocation goes on independently, the one for a call chosen by the calling OS
 *            thread; about the number of workers is good.  0 stands for 1, and 256 is the most
 *
 * A handle for the calls below, mapinfo_t * in truth; NULL with errno and a line on stderr if that cannot be:
 *
 *   EINVAL     an argument is out of range, or not that of the existing file, or the file is a dynamic map
 *   EBADMSG    the file is no map, damaged, or not as long as it was; it is left as it is
 *   EBUSY      it is mapped already, here or in another process
 *   EEXIST     something else is at its address
 *   ENOMEM     no memory for the handle, or none to map the file
 *   and what open(2) and posix_fallocate(3) give: EACCES, ENOENT, ENOSPC, EFBIG, ... */
void *qalloc_makestatmap(off_t const filesize, void *addr, char const *filename, size_t itemsize, size_t const streams);

/* The same for a dynamic map; the handle is a dynmapinfo_t *.  filesize is the room for blocks, each of which takes up
 * a multiple of 16 bytes. */
void *qalloc_makedynmap(off_t const filesize, void *addr, char const *filename, size_t const streams);

/* Load a map of either kind from an existing file, with as many streams as it was made with.  NULL with errno and a
 * line on stderr as above; ENOENT if there is no such file. */
void *qalloc_loadmap(char const *filename);

/* Write all maps to disk.  Returns when they are there; failing is a line on stderr.  The caller's OS thread waits. */
void qalloc_checkpoint(void);

/* Write all maps to disk and unmap them: the handles, and all addresses in the maps, are no longer good.  Nobody may be
 * using them. */
void qalloc_cleanup(void);

/* A block of size bytes (statmalloc: of the map's itemsize), aligned to 16 bytes, static items of 8 bytes or less to 8.
 * Its content is what was there before; in a new file, zero.  Does not block, but to take turns.
 *
 * NULL with errno: ENOMEM when the map is full or has no gap of that size; EINVAL for NULL or the wrong kind of map, or
 * a size larger than a static map's items. */
void *qalloc_statmalloc(mapinfo_t *map);
void *qalloc_dynmalloc(dynmapinfo_t *map, size_t size);
void *qalloc_malloc(void *map, size_t size);

/* Give a block back.  NULL in place of a block is ignored.  An address that is not an allocated block's, as after a
 * first free, or a wrong map, is a line on stderr and changes nothing. */
void qalloc_statfree(void *block, mapinfo_t *map);
void qalloc_dynfree(void *block, dynmapinfo_t *map);
void qalloc_free(void *block, void *map);

#pragma GCC visibility pop
Q_ENDCXX

#endif
