/* test/api/callers.c -- what is recorded of a wait says where the program has called: of each kind, first one by one
 * and then on several workers at once, which come by the same ways for the first time.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each call stands in a function that has a section of its own, whose ends the linker knows.
 */
#include "tap.h"

#include "core/trace.h"
#include "sync/waiter.h"

#include <qthread/barrier.h>
#include <qthread/qthread.h>
#include <qthread/sinc.h>
#include <qthread/trace.h>

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- who waits ------------------------------------------------------------------------------------------- */

static struct {
	aligned_t read_ff, read_fe, write_ff, write_ef, locked;
	syncvar_t sync;
	qt_barrier_t *barrier;
	qt_sinc_t *sinc;
	qthread_queue_t queue;
	uint32_t came, returned;
} its;

/* What is done after the call keeps it from being a jump. */
#define WAITER(name, call) \
	extern const char __start_in_##name[], __stop_in_##name[]; \
	static __attribute__((noinline, section("in_" #name))) aligned_t name(void *unused) \
	{ \
		(void)unused; \
		add_rlx(&its.came, 1); \
		call; \
		add_acq_rel(&its.returned, 1); \
		return 0; \
	}

WAITER(read_ff, qthread_readFF(NULL, &its.read_ff))
WAITER(read_fe, qthread_readFE(NULL, &its.read_fe))
WAITER(write_ef, qthread_writeEF_const(&its.write_ef, 1))
WAITER(write_ff, qthread_writeFF_const(&its.write_ff, 1))
WAITER(lock, (qthread_lock(&its.locked), qthread_unlock(&its.locked)))
WAITER(sync_read, qthread_syncvar_readFF(NULL, &its.sync))
WAITER(enter, qt_barrier_enter(its.barrier))
WAITER(sinc_wait, qt_sinc_wait(its.sinc, NULL))
WAITER(join, qthread_queue_join(its.queue))

#define KNOWN(name, kind) { #name, name, __start_in_##name, __stop_in_##name, kind }

static const struct waiter {
	const char *name;
	qthread_f run;
	const char *begin, *end;
	unsigned kind;
} waiters[] = {
	KNOWN(read_ff, QTI_WAIT_READ_FF), KNOWN(read_fe, QTI_WAIT_READ_FE), KNOWN(write_ef, QTI_WAIT_WRITE_EF),
	KNOWN(write_ff, QTI_WAIT_WRITE_FF), KNOWN(lock, QTI_WAIT_READ_FE), KNOWN(sync_read, QTI_WAIT_READ_FF),
	KNOWN(enter, QTI_WAIT_BARRIER), KNOWN(sinc_wait, QTI_WAIT_SINC), KNOWN(join, QTI_WAIT_QUEUE),
};

enum { KINDS = sizeof(waiters) / sizeof(waiters[0]), ROUNDS = 4 };

static void things_make(unsigned each)
{
	its.came = its.returned = 0;
	qthread_empty(&its.read_ff);
	qthread_empty(&its.read_fe);
	qthread_empty(&its.write_ff);
	qthread_fill(&its.write_ef);
	qthread_lock(&its.locked);
	qthread_syncvar_empty(&its.sync);
	its.barrier = qt_barrier_create(each, REGION_BARRIER);
	its.sinc = qt_sinc_create(0, NULL, NULL, 1);
	its.queue = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);
}

static void things_destroy(void)
{
	qt_barrier_destroy(its.barrier);
	qt_sinc_destroy(its.sinc);
	qthread_queue_destroy(its.queue);
}

static void yield_until(const uint32_t *count, uint32_t wanted)
{
	while (load_acq(count) != wanted) {
		qthread_yield();
		sched_yield();
	}
}

/* On one worker all wait when the main task has seen them come.  On more they wait or not. */
static void run_waiters(unsigned each)
{
	const uint64_t one = 1;

	things_make(each);
	for (unsigned i = 0; i < each * KINDS; i++)
		qthread_fork(waiters[i % KINDS].run, NULL, NULL);
	yield_until(&its.came, each * KINDS);
	qthread_fill(&its.read_ff);
	qthread_fill(&its.write_ff);
	qthread_unlock(&its.locked);
	qthread_syncvar_writeF(&its.sync, &one);
	qt_sinc_submit(its.sinc, NULL);
	while (load_acq(&its.returned) != each * KINDS) {
		qthread_fill(&its.read_fe);
		qthread_empty(&its.write_ef);
		qthread_queue_release_all(its.queue);
		qthread_yield();
		sched_yield();
	}
	things_destroy();
}

/* --- what is recorded ------------------------------------------------------------------------------------ */

static char directory[] = "/tmp/qt-callers-XXXXXX", at[64];

struct seen {
	unsigned of[KINDS];
	unsigned nowhere, elsewhere;
};

static void end_note(struct seen *s, const struct qti_trace_record *r, unsigned kind)
{
	for (unsigned i = 0; i < KINDS; i++) {
		if (r->what <= (uintptr_t)waiters[i].begin || r->what > (uintptr_t)waiters[i].end)
			continue;
		s->of[i] += kind == waiters[i].kind;
		s->elsewhere += kind != waiters[i].kind;
		return;
	}
	s->nowhere += r->what == 0;
	s->elsewhere += r->what != 0;
	diag("task %u, %u: 0x%llx", r->task, kind, (unsigned long long)r->what);
}

/* Each task has waits of one kind alone. */
enum { IDS = 1 << 16 };
static unsigned char kind_of[IDS];

static void records_read(struct seen *s, const char *bytes, bool ends)
{
	const struct qti_trace_header *h = (const void *)bytes;

	for (unsigned i = 0; i < h->buffers; i++) {
		const struct qti_trace_place *p = (const struct qti_trace_place *)(const void *)(bytes + h->table_at) + i;
		const struct qti_trace_record *r = (const void *)(bytes + p->at);
		for (const struct qti_trace_record *last = r + p->bytes / sizeof(*r); r < last && r->stamp; r++) {
			if (!ends && (r->stamp & 0xff) == QTI_TRACE_WAIT)
				kind_of[r->task % IDS] = (unsigned char)r->more;
			else if (ends && (r->stamp & 0xff) == QTI_TRACE_WAIT + QTI_TRACE_END)
				end_note(s, r, kind_of[r->task % IDS]);
		}
	}
}

static struct seen seen_in_file(void)
{
	static char bytes[8 << 20];
	struct seen s = { .nowhere = 0 };
	FILE *f = fopen(at, "r");

	if (!f || fread(bytes, 1, sizeof(bytes), f) < sizeof(struct qti_trace_header))
		bail_out("%s cannot be read", at);
	fclose(f);
	records_read(&s, bytes, false);
	records_read(&s, bytes, true);
	return s;
}

static struct seen record(const char *workers, unsigned rounds, unsigned each)
{
	setenv("QT_HWPAR", workers, 1);
	if (qthread_initialize() != QTHREAD_SUCCESS || qthread_trace_start(at) != QTHREAD_SUCCESS)
		bail_out("nothing can be recorded");
	for (unsigned i = 0; i < rounds; i++)
		run_waiters(each);
	qthread_finalize();
	return seen_in_file();
}

/* --- all of it ------------------------------------------------------------------------------------------- */

/* In a program that has the library in itself its calls look like others. */
static bool is_one_file(void)
{
	Dl_info program, library;

	return !dladdr(directory, &program) || !dladdr((void *)(uintptr_t)qthread_trace_stop, &library) ||
	       program.dli_fbase == library.dli_fbase;
}

int main(void)
{
	struct seen s;

	if (is_one_file())
		plan_skip_all("the library is part of the program");
	if (!dlopen("libgcc_s.so.1", RTLD_NOW))
		plan_skip_all("nothing here unwinds the stack");
	plan(2 + KINDS + 1);
	if (!mkdtemp(directory))
		bail_out("mkdtemp: %s", strerror(errno));
	snprintf(at, sizeof(at), "%s/trace", directory);
	setenv("QT_TRACE_SIZE", "1M", 1);
	setenv("QT_NUM_SHEPHERDS", "1", 1);
	s = record("4", ROUNDS, 6);
	is_int(s.elsewhere, 0, "on several workers at once, each wait was called where it was");
	is_int(s.nowhere, 0, "and that is known of each");
	s = record("1", 1, 2);
	for (unsigned i = 0; i < KINDS; i++)
		ok(s.of[i] > 0, "%s: %u waits, called in there", waiters[i].name, s.of[i]);
	is_int(s.elsewhere + s.nowhere, 0, "and none elsewhere");
	unlink(at);
	rmdir(directory);
	return done();
}
