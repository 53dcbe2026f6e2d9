/* test/api/trace.c -- what is recorded: the file, its events and their nesting; full, round, paused, forked, killed.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "child.h"
#include "fib.h"
#include "process.h"
#include "waiting.h"

#include "base/park.h"
#include "core/trace.h"
#include "core/tracefile.h"

#include <qthread/bubble.h>
#include <qthread/trace.h>

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* --- reading --------------------------------------------------------------------------------------------- */

enum { MOST_IDS = 1 << 17, DEEP = 64, WORKERS = 2 };

struct flow {                           /* what has begun on one stack */
	unsigned char kind[DEEP];
	int n;
};

struct reading {
	struct qti_trace_header head;
	struct qti_trace_place place[WORKERS];
	char *text;
	unsigned events[QTI_TRACE_KINDS];
	uint64_t until;                 /* tick: from here on some worker records no more */
	unsigned bad;                   /* ends that do not end what began last, until then */
	unsigned back;                  /* stamps before that of the record before */
	unsigned records;
	unsigned created, run;          /* tasks of `tell` */
	uint64_t span;                  /* ticks between a worker's beginnings and ends, all workers together */
};

static char *file_bytes(const char *name, size_t *size)
{
	struct stat st;
	int fd = open(name, O_RDONLY);
	char *bytes;

	if (fd < 0 || fstat(fd, &st) != 0 || !(bytes = malloc((size_t)st.st_size + 1)) ||
	    read(fd, bytes, (size_t)st.st_size) != st.st_size)
		return NULL;
	bytes[st.st_size] = '\0';
	*size = (size_t)st.st_size;
	close(fd);
	return bytes;
}

struct lane {
	const struct qti_trace_record *next, *end;
	struct flow now;
	bool known;                     /* what the worker is in */
	uint64_t began;
};

static struct flow *aside;              /* of tasks that have left, by number */

static void event_switch(struct lane *l, unsigned event, uint32_t task)
{
	static const struct flow empty;

	if (event & QTI_TRACE_END) {
		l->now = task ? aside[task % MOST_IDS] : empty;
		l->known = true;
	} else {
		if (task)
			aside[task % MOST_IDS] = l->now;
		l->now = empty;
	}
}

/* True: it fits to what was before. */
static bool event_nests(struct lane *l, unsigned event)
{
	const unsigned kind = event & ~1u;

	if (!(event & QTI_TRACE_END)) {
		l->now.kind[l->now.n++ % DEEP] = (unsigned char)kind;
		return true;
	}
	if (l->now.n == 0)
		return !l->known;       /* it began before the worker's record */
	return l->now.kind[--l->now.n % DEEP] == kind;
}

static aligned_t tell(void *unused);

static void event_read(struct reading *r, struct lane *l, const struct qti_trace_record *record)
{
	const unsigned event = record->stamp & 0xff;

	r->records++;
	r->events[event % QTI_TRACE_KINDS]++;
	if (record->what == (uintptr_t)tell) {
		r->created += event == QTI_TRACE_CREATE;
		r->run += event == QTI_TRACE_TASK;
	}
	if (event == QTI_TRACE_WORKER) {
		l->began = record->stamp >> 8;
		l->now.n = 0;
		l->known = false;
	} else if (event == QTI_TRACE_WORKER + QTI_TRACE_END) {
		r->span += (record->stamp >> 8) - l->began;
	} else if ((event & ~1u) == QTI_TRACE_SWITCH) {
		event_switch(l, event, record->task);
	} else if (event != QTI_TRACE_STOLEN) {
		r->bad += !event_nests(l, event) && record->stamp >> 8 <= r->until;
	}
}

/* What the latest readings point into. */
enum { FILES_KEPT = 4 };
static char *read_files[FILES_KEPT];

/* All workers' records in the order of time.  False: that is no such file. */
static bool reading_of(struct reading *r, const char *name)
{
	static unsigned nfiles;
	size_t size = 0;
	char *bytes = file_bytes(name, &size);
	struct lane lane[WORKERS] = { { 0 } };

	*r = (struct reading){ .until = UINT64_MAX };
	free(read_files[nfiles % FILES_KEPT]);
	read_files[nfiles++ % FILES_KEPT] = bytes;
	if (!bytes || size < sizeof(r->head))
		return false;
	memcpy(&r->head, bytes, sizeof(r->head));
	if (strcmp(r->head.magic, "QTTRACE") != 0 || r->head.order != 0x01020304 || r->head.buffers > WORKERS)
		return false;
	r->text = bytes + r->head.text_at;
	memcpy(r->place, bytes + r->head.table_at, r->head.buffers * sizeof(r->place[0]));
	aside = calloc(MOST_IDS, sizeof(*aside));
	for (unsigned i = 0; i < r->head.buffers; i++) {
		const struct qti_trace_record *first = (const void *)(bytes + r->place[i].at), *end;
		end = first + r->place[i].bytes / sizeof(*first);
		lane[i].next = first;
		if (r->place[i].full_at && r->place[i].full_at < r->until)
			r->until = r->place[i].full_at;
		while (first < end && first->stamp != 0)
			first++;
		lane[i].end = first;
	}
	for (;;) {
		struct lane *oldest = NULL;
		for (unsigned i = 0; i < r->head.buffers; i++)
			if (lane[i].next < lane[i].end &&
			    (!oldest || lane[i].next->stamp >> 8 < oldest->next->stamp >> 8))
				oldest = &lane[i];
		if (!oldest)
			break;
		event_read(r, oldest, oldest->next);
		oldest->next++;
		r->back += oldest->next < oldest->end && oldest->next->stamp >> 8 < oldest->next[-1].stamp >> 8;
	}
	free(aside);
	return true;
}

/* --- what is recorded ------------------------------------------------------------------------------------ */

static char directory[] = "/tmp/qt-trace-XXXXXX", at[128], beside[512];

static void fresh_name(void)
{
	static int n;

	snprintf(at, sizeof(at), "%s/%d", directory, n++);
}

static aligned_t gate, told;

static aligned_t wait_for_gate(void *unused)
{
	(void)unused;
	qthread_readFF(NULL, &gate);
	return 0;
}

static aligned_t tell(void *unused)
{
	(void)unused;
	store_rel(&told, 1);
	return 0;
}

static void until_told(void)
{
	while (!load_acq(&told))
		sched_yield();          /* not to a task: another worker runs it */
}

enum { TOGETHER = 5 };

/* Every kind that the native calls know. */
static void all_kinds(void)
{
	aligned_t ret = 0, waited = 0;

	qthread_empty(&gate);
	qthread_fork(wait_for_gate, NULL, &waited);
	until_waiting(&gate, QTI_WAIT_READ_FF, 1);
	qthread_writeEF_const(&gate, 1);
	qthread_readFF(NULL, &waited);
	until_quiet();                  /* the other worker sleeps */
	told = 0;
	qthread_fork(tell, NULL, NULL);
	until_told();                   /* it has stolen that */
	qthread_fork_bubble(tell, NULL, 0, TOGETHER, &ret);
	qthread_readFF(NULL, &ret);
	qthread_fork(fib, (void *)12, &ret);
	qthread_readFF(NULL, &ret);
	if (ret != 144)
		bail_out("fib(12) = %d", (int)ret);
}


static void check_kinds(const struct reading *r)
{
	static const struct {
		unsigned kind, least;
		const char *name;
	} kind[] = {
		{ QTI_TRACE_WORKER, WORKERS, "worker" },
		{ QTI_TRACE_TASK, 467, "task" },
		{ QTI_TRACE_CREATE, 467, "create" },
		{ QTI_TRACE_IDLE, 1, "idle" },
		{ QTI_TRACE_PARKED, 1, "parked" },
		{ QTI_TRACE_STEAL, 1, "steal" },
		{ QTI_TRACE_STOLEN, 1, "stolen" },
		{ QTI_TRACE_SWITCH, 2, "switch" },
		{ QTI_TRACE_STACK, 1, "stack" },
		{ QTI_TRACE_WAIT, 1, "wait" },
		{ QTI_TRACE_LOG, WORKERS, "log" },
	};

	for (unsigned i = 0; i < sizeof(kind) / sizeof(kind[0]); i++) {
		char line[64];
		snprintf(line, sizeof(line), "kind %u %s\n", kind[i].kind, kind[i].name);
		ok(strstr(r->text, line) != NULL && r->events[kind[i].kind] >= kind[i].least,
		   "%s: %u of them, at least %u", kind[i].name, r->events[kind[i].kind], kind[i].least);
	}
}

static void test_kinds(void)
{
	struct reading r;
	uint64_t outer = qti_now_ns(), inner;

	fresh_name();
	is_int(qthread_trace_start(at), QTHREAD_SUCCESS, "recording begins");
	inner = qti_now_ns();
	is_int(qthread_trace_start(at), QTHREAD_NOT_ALLOWED, "and not twice");
	all_kinds();
	inner = qti_now_ns() - inner;
	is_int(qthread_trace_stop(), QTHREAD_SUCCESS, "it stops");
	outer = qti_now_ns() - outer;
	is_int(qthread_trace_stop(), QTHREAD_NOT_ALLOWED, "and not twice");
	if (!reading_of(&r, at))
		bail_out("%s cannot be read", at);
	check_kinds(&r);
	ok(r.created == 1 + TOGETHER && r.run == 1 + TOGETHER, "tasks of a bubble, too, and by their function: %u of %u", r.run,
	   r.created);
	ok(r.bad == 0 && r.back == 0, "what begins ends, in order: %u do not, %u go back", r.bad, r.back);
	double ns = 1e9 / (double)r.head.hertz * (double)r.span / WORKERS;
	ok(ns > 0.98 * (double)inner && ns < 1.02 * (double)outer, "%.0f ns a worker are within %.0f and %.0f", ns,
	   (double)inner, (double)outer);
	ok(r.head.record_bytes == sizeof(struct qti_trace_record) && r.head.version == QTI_TRACEFILE_VERSION &&
	   r.head.pid == (uint32_t)getpid() && !r.head.closed, "the head says what is there");
	ok(strstr(r.text, "module ") || !process_has_proc(), "and where code is, if that is known");
}

enum { KINDS_CHECKS = 4 + 11 + 5 };

/* --- pauses, copies --------------------------------------------------------------------------------------- */

enum { PAUSE_CHECKS = 8 };

static void test_pause(void)
{
	struct reading r;
	aligned_t ret = 0;

	is_int(qthread_trace_start(NULL), QTHREAD_SUCCESS, "it goes on");
	qthread_fork(fib, (void *)5, &ret);
	qthread_readFF(NULL, &ret);
	is_int(qthread_trace_stop(), QTHREAD_SUCCESS, "and stops again");
	qthread_fork(fib, (void *)5, &ret);
	qthread_readFF(NULL, &ret);
	if (!reading_of(&r, at))
		bail_out("%s cannot be read", at);
	is_int(r.events[QTI_TRACE_WORKER], 2 * WORKERS, "each worker's record begins twice");
	is_int(r.events[QTI_TRACE_CREATE], 2 + TOGETHER + 465 + 15, "what is created meanwhile is not in it");
	ok(r.bad == 0 && r.back == 0, "all nests");
	snprintf(beside, sizeof(beside), "%s.copy", at);
	is_int(qthread_trace_dump(beside), QTHREAD_SUCCESS, "a copy is made");
	unsigned records = r.records;
	ok(reading_of(&r, beside) && r.records == records, "with all that there is");
	ok(r.head.closed, "it is whole");
}

enum { MEMORY_CHECKS = 4 };

static void test_memory(void)
{
	struct reading r;
	aligned_t ret = 0;

	is_int(qthread_trace_dump("x"), QTHREAD_NOT_ALLOWED, "without a record there is nothing to write");
	qthread_trace_start(NULL);
	qthread_fork(fib, (void *)5, &ret);
	qthread_readFF(NULL, &ret);
	fresh_name();
	is_int(qthread_trace_dump(NULL), QTHREAD_NOT_ALLOWED, "nor without a file's name");
	is_int(qthread_trace_dump(at), QTHREAD_SUCCESS, "what is in memory is written, while it goes on");
	ok(reading_of(&r, at) && r.events[QTI_TRACE_CREATE] == 15 && r.bad == 0, "and read");
}

/* --- while others are at it -------------------------------------------------------------------------------- */

enum { MEANWHILE_CHECKS = 2, TURNS = 100 };

/* TR1, TR2: the other worker records, or is about to, whenever its buffer goes. */
static void test_meanwhile(void)
{
	struct reading r;
	aligned_t ret = 0;
	unsigned copies = 0;

	fresh_name();
	snprintf(beside, sizeof(beside), "%s.copy", at);
	qthread_fork(fib, (void *)18, &ret);
	for (int i = 0; i < TURNS; i++) {
		qthread_trace_start(at);
		copies += i % 10 == 0 && qthread_trace_dump(beside) == QTHREAD_SUCCESS;
		qthread_trace_stop();
	}
	qthread_readFF(NULL, &ret);
	is_int(ret, 2584, "tasks run on while recording begins and ends");
	ok(reading_of(&r, at) && r.back == 0 && copies == TURNS / 10 &&
	   r.events[QTI_TRACE_WORKER] == r.events[QTI_TRACE_WORKER + QTI_TRACE_END], "and each record is whole");
}

/* --- files that cannot be ---------------------------------------------------------------------------------- */

enum { REFUSED_CHECKS = 4 };

static void test_refused(void)
{
	fresh_name();
	snprintf(beside, sizeof(beside), "%s/nowhere/file", directory);
	ok(qthread_trace_start(beside) == QTHREAD_OPFAIL && errno == ENOENT, "no directory");
	if (symlink("elsewhere", at) != 0)
		bail_out("symlink: %s", strerror(errno));
	ok(qthread_trace_start(at) == QTHREAD_OPFAIL && errno == ELOOP, "a link is not followed");
	ok(qthread_trace_start("/dev/null") == QTHREAD_OPFAIL && errno == EEXIST, "what is no file is left alone");
	is_int(qthread_trace_start(NULL), QTHREAD_SUCCESS, "all goes on");
}

/* --- room -------------------------------------------------------------------------------------------------- */

enum { AHEAD_CHECKS = 3 };

static long disk_bytes(void)
{
	struct stat st;

	return stat(at, &st) == 0 ? (long)st.st_blocks * 512 : -1;
}

static void test_ahead(void)
{
	static const struct {
		const char *asked;
		long least, most;
	} row[] = { { "128M", WORKERS * 900 << 10, LONG_MAX }, { "200K", WORKERS * 90 << 10, WORKERS * 800 << 10 },
	            { "0", 0, WORKERS * 800 << 10 } };

	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		fresh_name();
		setenv("QT_TRACE_AHEAD", row[i].asked, 1);
		qthread_initialize();
		qthread_trace_start(at);
		long now = disk_bytes();
		qthread_finalize();
		ok(now >= row[i].least && now <= row[i].most && disk_bytes() < WORKERS * 800 << 10,
		   "%s: when recording begins there are %ld bytes of 1 MiB a worker, and %ld at the end", row[i].asked, now,
		   disk_bytes());
	}
	unsetenv("QT_TRACE_AHEAD");
}

/* --- full, and round --------------------------------------------------------------------------------------- */

enum { FULL_CHECKS = 4, ROUND_CHECKS = 3 };

static void overflow(void)
{
	aligned_t ret = 0;

	qthread_fork(fib, (void *)16, &ret);    /* 3,193 tasks, four events each and more */
	qthread_readFF(NULL, &ret);
}

static bool within(const struct reading *r)
{
	return r->records <= WORKERS * 2 * 4096;
}

static void full_in_child(void *unused)
{
	(void)unused;
	setenv("QT_TRACE", at, 1);
	setenv("QT_TRACE_SIZE", "192K", 1);
	qthread_initialize();
	overflow();
	overflow();
	qthread_finalize();
	exit(0);
}

/* The only file there whose name begins with `at` and a dot: of a child. */
static bool reading_of_child(struct reading *r)
{
	DIR *d = opendir(directory);
	struct dirent *e;
	const char *base = strrchr(at, '/') + 1;
	size_t n = strlen(base);

	beside[0] = '\0';
	while (d && (e = readdir(d)) != NULL)
		if (strncmp(e->d_name, base, n) == 0 && e->d_name[n] == '.')
			snprintf(beside, sizeof(beside), "%s/%s", directory, e->d_name);
	closedir(d);
	return reading_of(r, beside);
}

static void test_full(void)
{
	struct child c;
	struct reading r;

	fresh_name();
	child_run(&c, full_in_child, NULL);
	if (!ok(child_ended_well(&c), "a full buffer does not stop the program"))
		child_tell(&c);
	if (!ok(strstr(c.said, "QT_TRACE_SIZE") != NULL && child_lines(&c) == 1, "one line says so"))
		child_tell(&c);
	ok(reading_of_child(&r) && within(&r) && r.place[0].full_at + r.place[1].full_at != 0, "it is full");
	ok(r.bad == 0 && r.back == 0 && r.head.closed, "and what is in it is in order");
}

static void test_round(void)
{
	struct reading r;

	fresh_name();
	qthread_trace_start(at);
	overflow();
	overflow();
	qthread_trace_stop();
	if (!reading_of(&r, at))
		bail_out("%s cannot be read", at);
	ok(r.place[0].rounds + r.place[1].rounds != 0 && within(&r), "it goes round");
	ok(r.place[0].full_at + r.place[1].full_at == 0, "and is not full");
	ok(r.back <= WORKERS, "time goes back where the oldest is");
}

/* --- processes --------------------------------------------------------------------------------------------- */

enum { FORK_CHECKS = 3, CRASH_CHECKS = 3, LIMIT_CHECKS = 6 };

static void trace_in_child(void *unused)
{
	(void)unused;
	qthread_initialize();
	overflow();
}

static void test_fork(void)
{
	struct child c;
	struct reading r;
	aligned_t ret = 0;

	if (every_is_brief()) {
		skip(FORK_CHECKS, "tools allow no new thread in the child of several");
		return;
	}
	child_run(&c, trace_in_child, NULL);
	if (!ok(child_ended_well(&c), "a child of fork(2) has a record of its own"))
		child_tell(&c);
	ok(reading_of_child(&r) && r.events[QTI_TRACE_CREATE] == 3193 && r.bad == 0, "in its own file");
	qthread_fork(fib, (void *)5, &ret);
	qthread_readFF(NULL, &ret);
	qthread_trace_stop();
	ok(reading_of(&r, at) && r.events[QTI_TRACE_CREATE] == 15 && r.bad == 0, "and the parent's goes on");
}

static void crash_in_child(void *unused)
{
	(void)unused;
	setenv("QT_TRACE", at, 1);
	qthread_initialize();
	overflow();
	raise(SIGKILL);
}

static void test_crash(void)
{
	struct child c;
	struct reading r;

	fresh_name();
	child_run(&c, crash_in_child, NULL);
	ok(WIFSIGNALED(c.status), "a process is killed");
	ok(reading_of_child(&r) && r.events[QTI_TRACE_CREATE] == 3193 && r.back == 0, "what it has recorded is there");
	ok(!r.head.closed && r.head.hertz != 0, "and says that it has no end");
}

/* Files of this process may not be longer (ulimit -f): at first, or from now on. */
static void limit_files(rlim_t bytes)
{
	const struct rlimit most = { bytes, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &most);
}

static void limited_in_child(void *unused)
{
	(void)unused;
	setenv("QT_TRACE", at, 1);
	limit_files(64 << 10);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		exit(1);
	overflow();
	if (qthread_trace_start(beside) != QTHREAD_OPFAIL || errno != EFBIG)
		exit(2);
	qthread_trace_start(NULL);
	overflow();
	if (qthread_trace_dump(beside) != QTHREAD_OPFAIL || errno != EFBIG)
		exit(3);
	qthread_finalize();
	exit(0);
}

/* The second worker's buffer cannot move to the front, nor can either go on. */
static void limited_late_in_child(void *unused)
{
	(void)unused;
	setenv("QT_TRACE", at, 1);
	setenv("QT_TRACE_SIZE", "1M", 1);
	setenv("QT_TRACE_AHEAD", "0", 1);
	qthread_initialize();
	told = 0;
	qthread_fork(tell, NULL, NULL);
	until_told();
	limit_files(4096);
	overflow();
	overflow();
	qthread_finalize();
	limit_files(RLIM_INFINITY);     /* with gcc's --coverage exit(3) writes files, too */
	exit(0);
}

static void test_limits(void)
{
	struct child c;
	struct reading r;

	fresh_name();
	snprintf(beside, sizeof(beside), "%s/beside", directory);
	child_run(&c, limited_in_child, NULL);
	if (!ok(child_ended_well(&c), "a file that may not be so long does not stop the program"))
		child_tell(&c);
	if (!ok(strstr(c.said, "QT_TRACE") != NULL && child_lines(&c) == 1, "one line says so"))
		child_tell(&c);
	fresh_name();
	child_run(&c, limited_late_in_child, NULL);
	if (!ok(child_ended_well(&c), "nor does one that may not grow any more"))
		child_tell(&c);
	if (!ok(strstr(c.said, "may not grow") != NULL && !strstr(c.said, "QT_TRACE_SIZE"), "which is told, too"))
		child_tell(&c);
	ok(reading_of_child(&r) && r.place[0].full_at + r.place[1].full_at != 0 && r.bad == 0 && r.head.closed,
	   "what was recorded before is there");
	ok(r.events[QTI_TRACE_STOLEN] != 0 && r.run == 1, "of both workers");
}

/* --- all of it --------------------------------------------------------------------------------------------- */

static void with_runtime(void (*body)(void))
{
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("qthread_initialize");
	body();
	qthread_finalize();
}

static void clear(void)
{
	char command[160];

	snprintf(command, sizeof(command), "rm -rf %s", directory);
	(void)!system(command);
}

int main(void)
{
	plan(1 + KINDS_CHECKS + PAUSE_CHECKS + MEMORY_CHECKS + MEANWHILE_CHECKS + REFUSED_CHECKS + FULL_CHECKS +
	     ROUND_CHECKS + FORK_CHECKS + CRASH_CHECKS + LIMIT_CHECKS + AHEAD_CHECKS);
	if (!mkdtemp(directory))
		bail_out("mkdtemp: %s", strerror(errno));
	setenv("QT_SCHEDULER", "mts", 1);       /* who is idle steals, whichever is the default */
	setenv("QT_HWPAR", "2", 1);
	setenv("QT_NUM_SHEPHERDS", "1", 1);
	setenv("QT_TRACE_SIZE", "1M", 1);
	is_int(qthread_trace_start(NULL), QTHREAD_NOT_ALLOWED, "without a runtime there is nothing to record");
	qthread_initialize();
	test_kinds();
	test_pause();
	qthread_finalize();
	with_runtime(test_memory);
	with_runtime(test_meanwhile);
	with_runtime(test_refused);
	test_full();
	test_crash();
	test_limits();
	test_ahead();
	setenv("QT_TRACE_SIZE", "192K", 1);
	setenv("QT_TRACE_WRAP", "yes", 1);
	with_runtime(test_round);
	setenv("QT_TRACE_SIZE", "1M", 1);
	unsetenv("QT_TRACE_WRAP");
	fresh_name();
	setenv("QT_TRACE", at, 1);
	with_runtime(test_fork);
	clear();
	return done();
}
