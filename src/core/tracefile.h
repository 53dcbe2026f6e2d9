/* core/tracefile.h -- the event log's file: made in one piece and mapped, so that what was written to it is there
 * whatever becomes of the process.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Everything is in the byte order of the machine.  The header, a table of buffers, some text in lines, and the
 * buffers.  A buffer holds records one after the other; the first whose stamp is 0 is none, and neither is any after
 * it.  If it has gone round, the oldest is where stamps go back.  The text:
 *
 * 	kind NUMBER NAME                what an event is: NUMBER begins it, NUMBER + 1 ends it
 * 	module START END OFFSET PATH    hexadecimal: code of PATH, from OFFSET on, was at START
 *
 * man qthread_trace(3) says the same to users.
 */
#ifndef QTI_CORE_TRACEFILE_H
#define QTI_CORE_TRACEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QTI_TRACEFILE_VERSION = 1 };

struct qti_trace_record {
	uint64_t stamp;                 /* ticks since the start, times 256, and the event's number */
	uint32_t task;
	uint32_t more;
	uint64_t what;
};

struct qti_trace_header {
	char magic[8];                  /* "QTTRACE" */
	uint32_t order;                 /* 0x01020304 */
	uint32_t version;
	uint32_t buffers, record_bytes;
	uint32_t table_at, text_at;     /* bytes from the beginning; the text ends with a byte of 0 */
	uint32_t pid;
	uint32_t closed;                /* 0: the process has not ended, or has not come so far */
	uint64_t hertz;                 /* ticks a second, about */
	uint64_t start_real;            /* CLOCK_REALTIME of tick 0, ns */
	uint64_t start_ns, end_ns;      /* CLOCK_MONOTONIC of tick 0, and of end_ticks; end_ticks == 0: unknown */
	uint64_t end_ticks;
};

/* Of the table, for each worker. */
struct qti_trace_place {
	uint64_t at, bytes;             /* in the file */
	uint64_t full_at;               /* tick after which nothing was recorded any more; 0: none */
	uint64_t rounds;                /* how often it has gone round */
};

struct qti_tracefile {
	char *memory;                   /* NULL: there is none */
	size_t size;
	int fd;                         /* -1: memory alone */
	char *name;
};

static inline struct qti_trace_header *qti_tracefile_header(const struct qti_tracefile *f)
{
	return (struct qti_trace_header *)(void *)f->memory;
}

static inline struct qti_trace_place *qti_tracefile_place(const struct qti_tracefile *f, unsigned i)
{
	return (struct qti_trace_place *)(void *)(f->memory + qti_tracefile_header(f)->table_at) + i;
}

/* name: %p in it stands for the process's number; NULL: no file.  apart: `.' and that number are added.  kinds: lines
 * of the text.  0, or an errno. */
int qti_tracefile_make(struct qti_tracefile *f, const char *name, bool apart, unsigned buffers, size_t bytes,
                       const char *kinds);

/* Sees to it that memory is there, and blocks of the file.  false: there are none. */
bool qti_tracefile_room(const struct qti_tracefile *f, void *at, size_t bytes);

/* The same for the first bytes of each buffer, all at once.  false: for none of them,
 * and what was there is given back. */
bool qti_tracefile_prepare(const struct qti_tracefile *f, size_t bytes);

/* Notes what is mapped now, and the end, in the header. */
void qti_tracefile_date(struct qti_tracefile *f, uint64_t end_ticks, uint64_t end_ns);

/* Writes all that has been recorded to another file.  used: bytes in each buffer.  0, or an errno. */
int qti_tracefile_copy(const struct qti_tracefile *f, const char *name, const size_t *used);

/* Cuts off what has not been used, and lets go of it. */
void qti_tracefile_close(struct qti_tracefile *f, const size_t *used);

/* In the child of fork(2): lets go of the parent's. */
void qti_tracefile_forget(struct qti_tracefile *f);

#endif
