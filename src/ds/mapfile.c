/* ds/mapfile.c -- see ds/mapfile.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The header changes twice in a run: it says "in use" as long as the file is mapped, and "clean", with a checksum of
 * the bit maps, when it has been closed.  A file that was in use is accepted without that checksum.
 */
#include "ds/mapfile.h"

#include "base/mem.h"
#include "qthread/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char MAGIC[8] = "QTALLOC";
enum { FORMAT = 1, WORD_BITS = 64 };

/* --- layout ---------------------------------------------------------------------------------------------- */

static uint64_t words_for(uint64_t nunits)
{
	return nunits / WORD_BITS + (nunits % WORD_BITS != 0);
}

static uint64_t bitmap_bytes(uint64_t nunits)
{
	return qti_mem_round(words_for(nunits) * sizeof(uint64_t), MAPFILE_PAGE);
}

static uint64_t units_offset(enum mapfile_kind kind, uint64_t nunits)
{
	return MAPFILE_PAGE + bitmap_bytes(nunits) * (kind == MAPFILE_DYNAMIC ? 2 : 1);
}

/* Of the whole file; 0: too large. */
static uint64_t file_bytes(enum mapfile_kind kind, uint64_t unit, uint64_t nunits)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(unit, nunits, &bytes) || bytes > INT64_MAX / 4 || nunits > INT64_MAX / 4)
		return 0;
	return units_offset(kind, nunits) + qti_mem_round(bytes, MAPFILE_PAGE);
}

static uint64_t unit_bytes(uint64_t item)
{
	return qti_mem_round(item, item > 8 ? 16 : 8);
}

static void find_parts(struct mapfile *f)
{
	const struct mapfile_header *h = f->header;
	char *base = (char *)f->header;

	f->bytes = h->bytes;
	f->nwords = words_for(h->nunits);
	f->used = (uint64_t *)(void *)(base + MAPFILE_PAGE);
	f->heads = NULL;
	if (h->kind == MAPFILE_DYNAMIC)
		f->heads = (uint64_t *)(void *)(base + MAPFILE_PAGE + bitmap_bytes(h->nunits));
	f->units = base + units_offset((enum mapfile_kind)h->kind, h->nunits);
}

/* --- checksums (not word by word: there, changes of two top bits made up for each other) ------------------- */

static uint64_t header_sum(const struct mapfile_header *h)
{
	return qt_hash_bytes((void *)h, offsetof(struct mapfile_header, sum), 0);
}

static uint64_t bits_sum(const struct mapfile *f)
{
	uint64_t sum = qt_hash_bytes(f->used, f->nwords * sizeof(*f->used), 0);

	return f->heads ? qt_hash_bytes(f->heads, f->nwords * sizeof(*f->heads), sum) : sum;
}

static void set_clean(struct mapfile *f, bool clean)
{
	struct mapfile_header *h = f->header;

	h->clean = clean;
	h->bits_sum = clean ? bits_sum(f) : 0;
	h->sum = header_sum(h);
}

/* --- mapping --------------------------------------------------------------------------------------------- */

/* At that address or nowhere.  As a mere hint, which the kernel grants if the place is free: MAP_FIXED_NOREPLACE would
 * say no more, and checking tools that keep parts of the address space for themselves misread it. */
static struct mapfile_header *map_at(uint64_t address, uint64_t bytes, int fd)
{
	void *want = (void *)(uintptr_t)address;
	void *got = mmap(want, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (got == want)
		return got;
	if (got != MAP_FAILED) {
		munmap(got, bytes);
		errno = EEXIST;
	}
	return NULL;
}

/* Somewhere in a large area where neither programs, libraries, heaps nor stacks are put, so that it will be free the
 * next time, too; in a different place for each file.  The second area is for ThreadSanitizer, whose own the first
 * is. */
static const struct {
	uint64_t start, steps;
} areas[] = { { UINT64_C(0x200000000000), 1 << 24 }, { UINT64_C(0x7e8000000000), 1 << 17 } };
enum { AREAS = sizeof(areas) / sizeof(areas[0]), PLACES_TRIED = 8, AREA_STEP = 2 << 20 };

static struct mapfile_header *map_new(uint64_t bytes, int fd)
{
	struct timespec now;
	void *anywhere;

	clock_gettime(CLOCK_REALTIME, &now);
	uint64_t random = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30 ^ (uint64_t)getpid() << 44;
	for (unsigned i = 0; i < AREAS * PLACES_TRIED; i++) {
		random = (random + (uint64_t)fd + 1) * UINT64_C(0x9e3779b97f4a7c15);
		const uint64_t step = (random >> 40) % areas[i / PLACES_TRIED].steps;
		struct mapfile_header *h = map_at(areas[i / PLACES_TRIED].start + step * AREA_STEP, bytes, fd);
		if (h)
			return h;
	}
	anywhere = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return anywhere == MAP_FAILED ? NULL : anywhere;
}

/* --- a new file ------------------------------------------------------------------------------------------ */

static int header_fill(struct mapfile_header *h, const struct mapfile_request *request)
{
	memset(h, 0, sizeof(*h));
	memcpy(h->magic, MAGIC, sizeof(h->magic));
	h->version = FORMAT;
	h->kind = request->kind;
	h->item = request->item;
	h->unit = unit_bytes(request->item);
	h->nunits = request->room / request->item + (request->room % request->item != 0);
	h->streams = request->streams;
	h->bytes = file_bytes(request->kind, h->unit, h->nunits);
	return h->bytes ? 0 : EFBIG;
}

static int mapfile_create(struct mapfile *f, const struct mapfile_request *request, const char **why)
{
	struct mapfile_header h;
	int rc = header_fill(&h, request);

	if (rc == 0)
		rc = posix_fallocate(f->fd, 0, (off_t)h.bytes); /* no room on disk is an error here,
								 * not a SIGBUS later */
	if (rc != 0)
		return rc;
	f->header = request->address ? map_at((uintptr_t)request->address, h.bytes, f->fd) : map_new(h.bytes, f->fd);
	if (!f->header) {
		*why = errno == EEXIST ? "something else is at that address" : NULL;
		return errno;
	}
	h.address = (uintptr_t)f->header;
	*f->header = h;
	find_parts(f);
	return 0;
}

/* --- an existing file ------------------------------------------------------------------------------------ */

static bool header_is_good(const struct mapfile_header *h)
{
	if (memcmp(h->magic, MAGIC, sizeof(h->magic)) != 0 || h->version != FORMAT || h->sum != header_sum(h))
		return false;
	if (h->kind != MAPFILE_STATIC && h->kind != MAPFILE_DYNAMIC)
		return false;
	return h->nunits && h->item && h->unit == unit_bytes(h->item) && h->unit >= h->item && h->streams &&
	       h->clean <= 1 && h->nunits <= h->bytes / h->unit &&
	       h->bytes == file_bytes((enum mapfile_kind)h->kind, h->unit, h->nunits);
}

static const char *header_mismatch(const struct mapfile_header *h, const struct mapfile_request *request)
{
	if (request->kind && h->kind != request->kind)
		return h->kind == MAPFILE_STATIC ? "it is a static map" : "it is a dynamic map";
	if (request->kind && h->item != request->item)
		return "it has items of another size";
	if (request->address && h->address != (uintptr_t)request->address)
		return "it has another address";
	return NULL;
}

static int mapfile_load(struct mapfile *f, uint64_t bytes, const struct mapfile_request *request, const char **why)
{
	struct mapfile_header h;

	*why = "no map, or a damaged one";
	if (bytes < MAPFILE_PAGE || pread(f->fd, &h, sizeof(h), 0) != (ssize_t)sizeof(h) || !header_is_good(&h))
		return EBADMSG;
	*why = "it is not as long as it was";
	if (h.bytes != bytes)
		return EBADMSG;
	*why = header_mismatch(&h, request);
	if (*why)
		return EINVAL;
	f->header = map_at(h.address, h.bytes, f->fd);
	if (!f->header) {
		*why = errno == EEXIST ? "something else is at its address" : NULL;
		return errno;
	}
	find_parts(f);
	if (h.clean && h.bits_sum != bits_sum(f)) {
		*why = "it is damaged";
		return EBADMSG;
	}
	f->crashed = !h.clean;
	return 0;
}

/* --- opening and closing --------------------------------------------------------------------------------- */

/* Locked against other users; *made tells whether there was none. */
static int open_locked(const struct mapfile_request *request, bool *made, struct stat *st)
{
	int fd = -1;

	*made = false;
	if (request->may_create) {
		fd = open(request->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		*made = fd >= 0;
	}
	if (fd < 0 && (!request->may_create || errno == EEXIST))
		fd = open(request->name, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, st) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, st) == 0) {
		if (st->st_nlink != 0)
			return fd;
		errno = ENOENT; /* whoever made it has failed and taken it away meanwhile */
	}
	const int error = errno == EWOULDBLOCK ? EBUSY : errno;
	close(fd);
	errno = error;
	return -1;
}

static void mapfile_let_go(struct mapfile *f)
{
	if (f->header)
		munmap(f->header, f->bytes);
	flock(f->fd, LOCK_UN);  /* a child of fork(2) may hold the descriptor, too */
	close(f->fd);
}

int qti_mapfile_open(struct mapfile *f, const struct mapfile_request *request, const char **why)
{
	struct stat st;
	bool made;
	int rc;

	*why = NULL;
	*f = (struct mapfile){ .fd = open_locked(request, &made, &st) };
	if (f->fd < 0) {
		*why = errno == EBUSY ? "it is mapped already" : NULL;
		return errno;
	}
	const bool fresh = request->may_create && S_ISREG(st.st_mode) && st.st_size == 0;
	rc = fresh ? mapfile_create(f, request, why)
	           : mapfile_load(f, S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0, request, why);
	if (rc == 0)
		return 0;
	if (fresh && ftruncate(f->fd, 0) == 0 && made)
		unlink(request->name);
	mapfile_let_go(f);
	return rc;
}

/* The bits that fill up the last word stand for no units: they count as used, so that nobody takes them. */
void qti_mapfile_begin(struct mapfile *f)
{
	const uint64_t rest = f->header->nunits % WORD_BITS;

	set_clean(f, false);
	if (rest)
		f->used[f->nwords - 1] |= ~UINT64_C(0) << rest;
}

int qti_mapfile_sync(const struct mapfile *f)
{
	return msync(f->header, f->bytes, MS_SYNC) == 0 ? 0 : errno;
}

/* "Clean" is written when the rest is on disk. */
int qti_mapfile_close(struct mapfile *f)
{
	int rc = qti_mapfile_sync(f);

	if (rc == 0) {
		set_clean(f, true);
		rc = msync(f->header, MAPFILE_PAGE, MS_SYNC) == 0 ? 0 : errno;
	}
	mapfile_let_go(f);
	return rc;
}
