/* test/stress/trace.c -- threads and a task begin and end the event log, and write it down, in any order, while others
 * are recorded.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * TR1 to TR3 of core/trace.h: each file that is written is whole, whatever the workers did meanwhile.  QTI_ROUNDS is
 * the number of calls that each makes.
 */
#include "stress/stress.h"

#include "api/fib.h"

#include <qthread/qthread.h>
#include <qthread/trace.h>

#include <errno.h>
#include <pthread.h>

enum { CALLERS = 3, SHARED_FILES = 2, FIB = 11, FIB_11 = 89, CHECKS = 4, NAME = 96, BIGGEST = 4 << 20 };

static const struct stress_shape shapes[] = { { 1, 2 }, { 2, 2 }, { 1, 1 } };

enum { NSHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static char directory[] = "/tmp/qt-stress-trace-XXXXXX";
static unsigned rounds;
static uint32_t at_work;                /* callers that have not ended */
static struct {
	uint32_t refused;               /* calls that returned what they may not */
	uint32_t copies, bad;           /* files that were read, and those that were not in order */
	uint32_t wrong;                 /* tasks' results */
} seen;

/* --- reading ----------------------------------------------------------------------------------------------- */

/* Stamps go on, but where a buffer has gone round; each record of a worker has its beginning and its end, but where
 * that has been overwritten. */
static bool buffer_is_in_order(const struct qti_trace_record *r, size_t n, bool round)
{
	bool on = round;
	unsigned back = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned event = r[i].stamp & 0xff;
		if (r[i].stamp == 0 && round)
			continue;       /* taken back */
		if (event < QTI_TRACE_WORKER || event >= QTI_TRACE_KINDS)
			return false;
		back += i > 0 && r[i].stamp >> 8 < r[i - 1].stamp >> 8;
		if ((event & ~1u) != QTI_TRACE_WORKER || round)
			continue;
		if (on == (event == QTI_TRACE_WORKER))
			return false;
		on = !on;
	}
	return back <= round && (round || !on);
}

static bool copy_is_whole(const char *bytes, size_t size)
{
	const struct qti_trace_header *h = (const void *)bytes;

	if (size < sizeof(*h) || strcmp(h->magic, "QTTRACE") != 0 || !h->closed || h->buffers != qti_rt.nworkers)
		return false;
	const struct qti_trace_place *place = (const void *)(bytes + h->table_at);
	for (unsigned i = 0; i < h->buffers; i++)
		if (place[i].at + place[i].bytes > size ||
		    !buffer_is_in_order((const void *)(bytes + place[i].at),
		                        place[i].bytes / sizeof(struct qti_trace_record), place[i].rounds != 0))
			return false;
	return true;
}

static void copy_read(const char *name)
{
	char *bytes = malloc(BIGGEST);
	FILE *f = fopen(name, "re");

	if (!bytes || !f)
		bail_out("%s: %s", name, strerror(errno));
	size_t size = fread(bytes, 1, BIGGEST, f);
	fclose(f);
	add_rlx(&seen.copies, 1);
	if (!copy_is_whole(bytes, size))
		add_rlx(&seen.bad, 1);
	free(bytes);
}

/* --- calling ----------------------------------------------------------------------------------------------- */

static void call(uint64_t *random, const char *own)
{
	char shared[NAME];
	int rc;

	snprintf(shared, sizeof(shared), "%s/%u", directory, stress_random(random, SHARED_FILES));
	switch (stress_random(random, 8)) {
	case 0:
		rc = qthread_trace_start(shared);
		break;
	case 1:
	case 2:
		rc = qthread_trace_start(NULL);
		break;
	case 3:
	case 4:
		rc = qthread_trace_stop();
		break;
	case 5:
		rc = qthread_trace_dump(NULL);
		break;
	default:
		rc = qthread_trace_dump(own);
		if (rc == QTHREAD_SUCCESS)
			copy_read(own);
		break;
	}
	if (rc != QTHREAD_SUCCESS && rc != QTHREAD_NOT_ALLOWED)
		add_rlx(&seen.refused, 1);
}

static void calls(uintptr_t caller)
{
	uint64_t random = stress_state(caller);
	char own[NAME];

	snprintf(own, sizeof(own), "%s/own-%u", directory, (unsigned)caller);
	for (unsigned i = 0; i < rounds; i++) {
		call(&random, own);
		stress_pause(stress_random(&random, 2000));
	}
	sub_acq_rel(&at_work, 1);
}

static aligned_t calls_as_task(void *caller)
{
	calls((uintptr_t)caller);
	return 0;
}

static void *calls_as_thread(void *caller)
{
	calls((uintptr_t)caller);
	return NULL;
}

/* --- runs -------------------------------------------------------------------------------------------------- */

static void work_until_they_end(void)
{
	while (load_acq(&at_work)) {
		aligned_t ret = 0;
		qthread_fork(fib, (void *)FIB, &ret);
		qthread_readFF(NULL, &ret);
		seen.wrong += ret != FIB_11;
		qthread_yield();        /* to the task that calls, which nobody joins yet */
	}
}

/* However often the others have found nothing to be written. */
static void last_copy(void)
{
	char name[NAME];

	snprintf(name, sizeof(name), "%s/last", directory);
	qthread_trace_start(NULL);
	if (qthread_trace_dump(name) == QTHREAD_SUCCESS)
		copy_read(name);
}

static void run(struct stress_shape shape, bool wraps)
{
	pthread_t thread[CALLERS - 1];
	aligned_t ret = 0;
	char what[64];

	snprintf(what, sizeof(what), "%u x %u%s", shape.shepherds, shape.workers, wraps ? ", round" : "");
	stress_watch(what);
	setenv("QT_TRACE_WRAP", wraps ? "yes" : "no", 1);
	memset(&seen, 0, sizeof(seen));
	stress_start("mts", shape);
	store_rel(&at_work, CALLERS);
	qthread_fork(calls_as_task, (void *)0, &ret);
	for (uintptr_t i = 1; i < CALLERS; i++)
		if (pthread_create(&thread[i - 1], NULL, calls_as_thread, (void *)i) != 0)
			bail_out("pthread_create failed");
	work_until_they_end();
	for (unsigned i = 1; i < CALLERS; i++)
		pthread_join(thread[i - 1], NULL);
	qthread_readFF(NULL, &ret);
	last_copy();
	qthread_finalize();
	is_int(seen.refused, 0, "%s: each call does what it is to do, or may not", what);
	ok(seen.copies > 0, "%s: %u files are written", what, seen.copies);
	is_int(seen.bad, 0, "%s: and are in order", what);
	is_int(seen.wrong, 0, "%s: tasks run on", what);
	stress_round();
}

int main(void)
{
	char command[NAME];

	plan(2 * NSHAPES * CHECKS);
	rounds = stress_rounds(60);
	stress_say(rounds);
	setenv("QT_TRACE_SIZE", "192K", 1);
	if (!mkdtemp(directory))
		bail_out("mkdtemp: %s", strerror(errno));
	for (unsigned i = 0; i < NSHAPES; i++) {
		run(shapes[i], false);
		run(shapes[i], true);
	}
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command) == 0 ? done() : 1;
}
