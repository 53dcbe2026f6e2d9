/* core/tracefile.c -- see core/tracefile.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/tracefile.h"

#include "base/mem.h"
#include "base/outfile.h"
#include "base/park.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TEXT_BYTES = 64 << 10, LINE_BYTES = 8 << 10 };

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* --- its name -------------------------------------------------------------------------------------------- */

static char *name_of(const char *pattern, bool apart)
{
	char number[16];
	const char *mark = strstr(pattern, "%p");
	size_t size = strlen(pattern) + 2 * sizeof(number);
	char *name = qti_mem_alloc(size);

	if (!name)
		return NULL;
	snprintf(number, sizeof(number), "%ld", (long)getpid());
	if (mark)
		snprintf(name, size, "%.*s%s%s", (int)(mark - pattern), pattern, number, mark + 2);
	else
		snprintf(name, size, "%s%s%s", pattern, apart ? "." : "", apart ? number : "");
	return name;
}

/* What another process still writes to is left alone: this one's then has its number. */
static int open_alone(struct qti_tracefile *f, const char *pattern, bool apart)
{
	f->name = name_of(pattern, apart);
	if (!f->name)
		return ENOMEM;
	f->fd = qti_outfile_open(f->name, O_RDWR);
	if (f->fd < 0)
		return errno;
	if (flock(f->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
		return 0;
	close(f->fd);
	qti_mem_free(f->name);
	f->name = NULL;
	return apart ? EBUSY : open_alone(f, pattern, true);
}

/* --- its beginning --------------------------------------------------------------------------------------- */

/* Who writes beyond the limit of this process (ulimit -f) is sent SIGXFSZ, which ends it. */
static bool within_limit(uint64_t size)
{
	struct rlimit most;

	if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY && size > most.rlim_cur) {
		errno = EFBIG;
		return false;
	}
	return true;
}

static size_t data_at(unsigned buffers)
{
	size_t front = sizeof(struct qti_trace_header) + buffers * sizeof(struct qti_trace_place) + TEXT_BYTES;

	return qti_mem_round(front, qti_mem_page());
}

static int map(struct qti_tracefile *f)
{
	int flags = f->fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;

	if (f->fd >= 0 && (ftruncate(f->fd, 0) != 0 || !within_limit(f->size) || ftruncate(f->fd, (off_t)f->size) != 0))
		return errno;
	void *memory = mmap(NULL, f->size, PROT_READ | PROT_WRITE, flags, f->fd, 0);
	if (memory == MAP_FAILED)
		return errno;
	f->memory = memory;
	return 0;
}

static void describe(struct qti_tracefile *f, unsigned buffers, size_t bytes, const char *kinds)
{
	struct qti_trace_header *h = qti_tracefile_header(f);

	memcpy(h->magic, "QTTRACE", sizeof(h->magic));
	h->order = 0x01020304;
	h->version = QTI_TRACEFILE_VERSION;
	h->buffers = buffers;
	h->record_bytes = sizeof(struct qti_trace_record);
	h->table_at = sizeof(*h);
	h->text_at = (uint32_t)(sizeof(*h) + buffers * sizeof(struct qti_trace_place));
	h->pid = (uint32_t)getpid();
	for (unsigned i = 0; i < buffers; i++)
		*qti_tracefile_place(f, i) =
			(struct qti_trace_place){ .at = data_at(buffers) + i * bytes, .bytes = bytes };
	snprintf(f->memory + h->text_at, TEXT_BYTES, "%s", kinds);
}

static int give_up(struct qti_tracefile *f, int error)
{
	if (f->memory)
		munmap(f->memory, f->size);
	if (f->fd >= 0)
		close(f->fd);
	qti_mem_free(f->name);
	*f = (struct qti_tracefile){ .fd = -1 };
	return error;
}

int qti_tracefile_make(struct qti_tracefile *f, const char *name, bool apart, unsigned buffers, size_t bytes,
                       const char *kinds)
{
	int error;

	*f = (struct qti_tracefile){ .fd = -1 };
	if (name && (error = open_alone(f, name, apart)) != 0)
		return give_up(f, error);
	f->size = data_at(buffers) + buffers * bytes;
	if ((error = map(f)) != 0)
		return give_up(f, error);
	if (!qti_tracefile_room(f, f->memory, data_at(buffers)))
		return give_up(f, ENOSPC);
	describe(f, buffers, bytes, kinds);
	return 0;
}

/* --- room ------------------------------------------------------------------------------------------------ */

/* A page of a file that is not there costs several microseconds at its first touch, and where the file's system is
 * full the touch ends the process.  Written to first, and then touched by one call, 96 KiB take 27 us in ext4, 90
 * without the first, and 43 if they are written in six pieces. */
static bool write_zeros(const struct qti_tracefile *f, off_t at, size_t bytes)
{
	static char zeros[96 << 10];    /* never written to: all its pages are one */

	if (!within_limit((uint64_t)at + bytes))
		return false;
	while (bytes > 0) {
		ssize_t n = pwrite(f->fd, zeros, bytes < sizeof(zeros) ? bytes : sizeof(zeros), at);
		if (n <= 0)
			return n < 0 && errno == EINTR;
		at += n;
		bytes -= (size_t)n;
	}
	return true;
}

bool qti_tracefile_room(const struct qti_tracefile *f, void *at, size_t bytes)
{
	size_t page = qti_mem_page();
	char *from = (char *)at - ((uintptr_t)at & (page - 1));
	char *to = from + qti_mem_round((size_t)((char *)at + bytes - from), page);

	if (to > f->memory + qti_mem_round(f->size, page))
		to = f->memory + qti_mem_round(f->size, page);
	if (f->fd >= 0 && !write_zeros(f, (char *)at - f->memory, bytes))
		return false;
	return madvise(from, (size_t)(to - from), MADV_POPULATE_WRITE) == 0 || errno != EFAULT;
}

bool qti_tracefile_prepare(const struct qti_tracefile *f, size_t bytes)
{
	const unsigned buffers = qti_tracefile_header(f)->buffers;
	const size_t front = data_at(buffers);

	for (unsigned i = 0; i < buffers; i++) {
		if (qti_tracefile_room(f, f->memory + qti_tracefile_place(f, i)->at, bytes))
			continue;
		(void)!madvise(f->memory + front, f->size - front, f->fd < 0 ? MADV_DONTNEED : MADV_REMOVE);
		return false;
	}
	return true;
}

/* --- its text -------------------------------------------------------------------------------------------- */

/* Lines of /proc/self/maps: START-END r-xp OFFSET DEVICE INODE PATH. */
static void note_modules(char *text, const char *end)
{
	char line[LINE_BYTES], protection[8];
	unsigned long long from, to, offset;
	int path;
	FILE *maps = fopen("/proc/self/maps", "re");

	*text = '\0';
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %n", &from, &to, protection, &offset, &path) != 4 ||
		    !strchr(protection, 'x') || line[path] != '/')
			continue;
		size_t room = (size_t)(end - text);
		int n = snprintf(text, room, "module %llx %llx %llx %s", from, to, offset, line + path);
		if (n < 0 || (size_t)n >= room) {
			*text = '\0';
			break;
		}
		text += n;
	}
	if (maps)
		fclose(maps);
}

void qti_tracefile_date(struct qti_tracefile *f, uint64_t end_ticks, uint64_t end_ns)
{
	struct qti_trace_header *h = qti_tracefile_header(f);
	char *text = f->memory + h->text_at;
	char *modules = strstr(text, "module ");

	note_modules(modules ? modules : text + strlen(text), text + TEXT_BYTES);
	h->end_ticks = end_ticks;
	h->end_ns = end_ns;
}

/* --- its end --------------------------------------------------------------------------------------------- */

static bool write_all(int fd, const void *from, size_t bytes)
{
	for (const char *at = from; bytes > 0;) {
		ssize_t n = write(fd, at, bytes);
		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			at += n;
			bytes -= (size_t)n;
		}
	}
	return true;
}

static bool write_front(const struct qti_tracefile *f, int fd, const size_t *used)
{
	const struct qti_trace_header *h = qti_tracefile_header(f);
	struct qti_tracefile front = { .memory = qti_mem_alloc(data_at(h->buffers)), .fd = fd };
	uint64_t at = data_at(h->buffers);

	if (!front.memory)
		return false;
	memcpy(front.memory, f->memory, data_at(h->buffers));
	qti_tracefile_header(&front)->closed = 1;
	for (unsigned i = 0; i < h->buffers; i++) {
		struct qti_trace_place *p = qti_tracefile_place(&front, i);
		p->at = at;
		p->bytes = used[i];
		at += used[i];
	}
	bool done = write_all(fd, front.memory, data_at(h->buffers));
	qti_mem_free(front.memory);
	return done;
}

static uint64_t size_packed(const struct qti_tracefile *f, const size_t *used)
{
	const unsigned buffers = qti_tracefile_header(f)->buffers;
	uint64_t size = data_at(buffers);

	for (unsigned i = 0; i < buffers; i++)
		size += used[i];
	return size;
}

int qti_tracefile_copy(const struct qti_tracefile *f, const char *name, const size_t *used)
{
	char *whole = name_of(name, false);
	int fd = whole ? qti_outfile_open(whole, O_WRONLY) : -1, error = whole ? errno : ENOMEM;

	qti_mem_free(whole);
	if (fd < 0)
		return error;
	bool done = ftruncate(fd, 0) == 0 && within_limit(size_packed(f, used)) && write_front(f, fd, used);
	for (unsigned i = 0; done && i < qti_tracefile_header(f)->buffers; i++)
		done = write_all(fd, f->memory + qti_tracefile_place(f, i)->at, used[i]);
	error = done ? 0 : errno;
	close(fd);
	return error;
}

/* To where nothing is any more, and what lies there may never have been of the file. */
static bool buffer_move(const struct qti_tracefile *f, struct qti_trace_place *p, uint64_t to, size_t used)
{
	const uint64_t gap = p->at - to;

	if (gap && used && !qti_tracefile_room(f, f->memory + to, gap < used ? gap : used))
		return false;
	memmove(f->memory + to, f->memory + p->at, used);
	p->at = to;
	p->bytes = used;
	return true;
}

/* Buffers move towards the front, each over what those before it have left.  One for which there is no room stays, and
 * so do the others. */
static void pack(struct qti_tracefile *f, const size_t *used)
{
	struct qti_trace_header *h = qti_tracefile_header(f);
	uint64_t end = data_at(h->buffers);
	bool moves = true;

	for (unsigned i = 0; i < h->buffers; i++) {
		struct qti_trace_place *p = qti_tracefile_place(f, i);
		moves = moves && buffer_move(f, p, end, used[i]);
		if (!moves)
			p->bytes = used[i];
		end = p->at + used[i];
	}
	h->closed = 1;
	(void)!ftruncate(f->fd, (off_t)end);    /* or it stays as long as it was */
}

void qti_tracefile_close(struct qti_tracefile *f, const size_t *used)
{
	if (f->fd >= 0)
		pack(f, used);
	give_up(f, 0);
}

void qti_tracefile_forget(struct qti_tracefile *f)
{
	give_up(f, 0);
}
