/* test/api/qalloc.c -- maps keep what is put into them, for this program and for the next.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "child.h"
#include "fault.h"
#include "mapdir.h"

#include <qthread/qalloc.h>

#include <sys/mman.h>

enum { ITEMS = 1000 };

static size_t page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* --- static maps ----------------------------------------------------------------------------------------- */

static void *item[ITEMS + 5000];

/* Takes items until there are no more; *good if all are aligned, zero and apart. */
static int take_all(mapinfo_t *map, size_t size, bool *good)
{
	int n = 0;
	uintptr_t last = 0;

	*good = true;
	for (; n < ITEMS + 5000 && (item[n] = qalloc_statmalloc(map)) != NULL; n++) {
		const uintptr_t at = (uintptr_t)item[n];
		for (size_t i = 0; i < size; i++)
			*good = *good && ((char *)item[n])[i] == 0;
		*good = *good && at % (size > 8 ? 16 : 8) == 0 && (at >= last + size || at + size <= last);
		memset(item[n], n % 255 + 1, size);
		last = at;
	}
	return n;
}

static void static_map(size_t size)
{
	const char *path = mapdir_file("static");
	bool good;
	mapinfo_t *map = qalloc_makestatmap((off_t)(ITEMS * size), NULL, path, size, 4);

	ok(map, "qalloc_makestatmap: items of %zu bytes", size);
	const int n = take_all(map, size, &good);
	ok(n >= ITEMS && errno == ENOMEM, "qalloc_statmalloc: there is room for what was asked for, then NULL and ENOMEM");
	ok(good, "qalloc_statmalloc: items are apart, aligned and zero");
	int whole = 0;
	for (int i = 0; i < n; i++)
		whole += ((unsigned char *)item[i])[size - 1] == i % 255 + 1;
	is_int(whole, n, "qalloc_statmalloc: and keep what is written to them");
	qalloc_statfree(item[3], map);
	ok(qalloc_statmalloc(map) == item[3], "qalloc_statfree: what is given back can be had again");
	qalloc_free(item[n - 1], map);
	ok(qalloc_malloc(map, size) == item[n - 1], "qalloc_free: of a static map; qalloc_malloc: from one");
	errno = 0;
	ok(!qalloc_malloc(map, size + 1) && errno == EINVAL, "qalloc_malloc: EINVAL for more than an item");
	qalloc_statfree(item[7], map);
	qalloc_cleanup();

	map = qalloc_loadmap(path);
	ok(map, "qalloc_loadmap: a static map");
	for (int i = whole = 0; i < n; i++)
		whole += ((unsigned char *)item[i])[0] == i % 255 + 1;
	is_int(whole, n, "qalloc_loadmap: all items are where they were, with what was in them");
	ok(qalloc_statmalloc(map) == item[7] && !qalloc_statmalloc(map), "qalloc_loadmap: and those in use are in use");
	qalloc_cleanup();
	unlink(path);
}

/* --- dynamic maps ---------------------------------------------------------------------------------------- */

static void dynamic_map(size_t streams)
{
	enum { ROOM = 1 << 20, N = 100 };
	const char *path = mapdir_file("dynamic");
	dynmapinfo_t *map = qalloc_makedynmap(ROOM, NULL, path, streams);
	unsigned char *at[N];
	int whole = 0;

	ok(map, "qalloc_makedynmap: %zu streams", streams);
	void *most = qalloc_dynmalloc(map, ROOM);
	ok(most && !qalloc_dynmalloc(map, 1), "qalloc_dynmalloc: all of it in one block");
	qalloc_dynfree(most, map);
	for (int i = 0; i < N; i++) {
		at[i] = qalloc_dynmalloc(map, (size_t)i * 97);
		if (at[i])
			memset(at[i], i, (size_t)i * 97);
	}
	for (int i = 0; i < N; i++)
		whole += at[i] && (uintptr_t)at[i] % 16 == 0 && (i == 0 || (at[i][0] == i && at[i][i * 97 - 1] == i));
	is_int(whole, N, "qalloc_dynmalloc: blocks of all sizes, aligned and apart");
	for (int i = 0; i < N; i += 2)
		qalloc_free(at[i], map);
	qalloc_cleanup();

	map = qalloc_makedynmap(1, NULL, path, 1);
	ok(map, "qalloc_makedynmap: loads what is there");
	for (int i = 1; i < N; i += 2)
		qalloc_dynfree(at[i], map);
	ok(qalloc_malloc(map, ROOM) == most, "qalloc_dynfree: what has been freed, then and now, is one piece again");
	errno = 0;
	ok(!qalloc_malloc(map, 1) && errno == ENOMEM, "qalloc_malloc: ENOMEM when it is full");
	qalloc_free(most, map);
	ok(!qalloc_dynmalloc(map, SIZE_MAX) && !qalloc_dynmalloc(map, ROOM + 4096), "qalloc_dynmalloc: not more than there is");
	qalloc_cleanup();
	unlink(path);
}

/* --- addresses ------------------------------------------------------------------------------------------- */

static void addresses(void)
{
	const char *path = mapdir_file("at");
	const size_t bytes = 64 * page();
	char *free_place = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(free_place, bytes);
	void *map = qalloc_makestatmap((off_t)page(), free_place, path, 64, 1);
	char *block = qalloc_malloc(map, 64);
	ok(block > free_place && block < free_place + bytes, "qalloc_makestatmap: at the address asked for");
	memcpy(block, "here", 5);
	qalloc_cleanup();

	char *occupied = mmap(free_place, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	errno = 0;
	ok(!qalloc_loadmap(path) && errno == EEXIST, "qalloc_loadmap: EEXIST if something is at its address");
	errno = 0;
	ok(!qalloc_makedynmap(100, free_place, mapdir_file("new"), 1) && errno == EEXIST, "qalloc_makedynmap: likewise");
	is_int(access(mapdir_file("new"), F_OK), -1, "qalloc_makedynmap: leaves no file then");
	munmap(occupied, bytes);
	errno = 0;
	ok(!qalloc_makestatmap(100, free_place + 16 * bytes, path, 64, 1) && errno == EINVAL,
		"qalloc_makestatmap: EINVAL for another address than the file has");
	map = qalloc_makestatmap(100, free_place, path, 64, 1);
	ok(map && strcmp(block, "here") == 0, "qalloc_makestatmap: the same address is right");
	qalloc_cleanup();
	unlink(path);
	errno = 0;
	ok(!qalloc_makedynmap(100, free_place + 1, path, 1) && errno == EINVAL, "qalloc_makedynmap: EINVAL if it is not a page's");
}

/* --- files that will not do ------------------------------------------------------------------------------ */

/* The call has to give NULL and that errno, and to leave the file as it is. */
static bool refused(void *map, int wanted, const char *path, const struct file_bytes *before)
{
	const int got = errno;

	errno = 0;
	if (map || got != wanted || !file_is(path, before->at, before->n)) {
		diag("%s: map %p, errno %d, wanted %d", path, map, got, wanted);
		return false;
	}
	return true;
}

static void wrong_files(void)
{
	const char *path = mapdir_file("file");
	struct file_bytes b;

	void *map = qalloc_makestatmap(100000, NULL, path, 24, 1);
	qalloc_malloc(map, 1);
	errno = 0;
	ok(!qalloc_loadmap(path) && errno == EBUSY, "qalloc_loadmap: EBUSY while it is mapped");
	qalloc_cleanup();
	b = file_read(path);
	ok(refused(qalloc_makedynmap(100, NULL, path, 1), EINVAL, path, &b), "qalloc_makedynmap: EINVAL for a static map");
	ok(refused(qalloc_makestatmap(100, NULL, path, 25, 1), EINVAL, path, &b),
		"qalloc_makestatmap: EINVAL for items of another size");
	b.n -= 4096;
	file_write(path, b.at, b.n);
	ok(refused(qalloc_loadmap(path), EBADMSG, path, &b), "qalloc_loadmap: EBADMSG for a file that was cut short");
	b.n += 4096;
	b.at[4096 + 5] ^= 1;
	file_write(path, b.at, b.n);
	ok(refused(qalloc_loadmap(path), EBADMSG, path, &b), "qalloc_loadmap: EBADMSG for a changed bit map");
	b.at[4096 + 5] ^= 1;
	b.at[20] ^= 1;
	file_write(path, b.at, b.n);
	ok(refused(qalloc_makestatmap(100, NULL, path, 24, 1), EBADMSG, path, &b),
		"qalloc_makestatmap: EBADMSG for a changed header");
	memset(b.at, 'x', b.n);
	file_write(path, b.at, b.n);
	ok(refused(qalloc_loadmap(path), EBADMSG, path, &b), "qalloc_loadmap: EBADMSG for something else");
	file_write(path, "", b.n = 0);
	ok(refused(qalloc_loadmap(path), EBADMSG, path, &b), "qalloc_loadmap: EBADMSG for an empty file");
	ok(qalloc_makestatmap(100, NULL, path, 24, 1), "qalloc_makestatmap: makes a map of an empty file");
	qalloc_cleanup();
	free(b.at);
	unlink(path);
}

static void wrong_arguments(void)
{
	const char *path = mapdir_file("none");

	errno = 0;
	ok(!qalloc_makestatmap(0, NULL, path, 8, 1) && errno == EINVAL, "qalloc_makestatmap: EINVAL for no room");
	ok(!qalloc_makestatmap(-1, NULL, path, 8, 1) && errno == EINVAL, "qalloc_makestatmap: EINVAL for less than none");
	ok(!qalloc_makestatmap(100, NULL, path, 0, 1) && errno == EINVAL, "qalloc_makestatmap: EINVAL for items of nothing");
	ok(!qalloc_makestatmap(100, NULL, path, SIZE_MAX, 1) && errno == EINVAL, "qalloc_makestatmap: or of everything");
	ok(!qalloc_makestatmap(100, NULL, NULL, 8, 1) && errno == EINVAL, "qalloc_makestatmap: EINVAL without a name");
	ok(!qalloc_makedynmap(0, NULL, path, 1) && errno == EINVAL, "qalloc_makedynmap: EINVAL for no room");
	ok(!qalloc_makedynmap(INT64_MAX, NULL, path, 1) && (errno == EFBIG || errno == ENOSPC),
		"qalloc_makedynmap: EFBIG for more than a disk has");
	ok(!qalloc_loadmap(NULL) && errno == EINVAL, "qalloc_loadmap: EINVAL without a name");
	ok(!qalloc_loadmap(path) && errno == ENOENT, "qalloc_loadmap: ENOENT if there is no such file");
	ok(!qalloc_makedynmap(100, NULL, mapdir_file("no/such/directory"), 1) && errno == ENOENT, "qalloc_makedynmap: likewise");
	ok(!qalloc_loadmap(mapdir) && errno == EISDIR, "qalloc_loadmap: EISDIR for a directory");
	is_int(access(path, F_OK), -1, "qalloc_makestatmap: no file is left by all this");

	ok(!qalloc_malloc(NULL, 1) && errno == EINVAL, "qalloc_malloc: EINVAL without a map");
	errno = 0;
	ok(!qalloc_statmalloc(NULL) && errno == EINVAL, "qalloc_statmalloc: likewise");
	errno = 0;
	ok(!qalloc_dynmalloc(NULL, 1) && errno == EINVAL, "qalloc_dynmalloc: likewise");
	qalloc_free(NULL, NULL);
	qalloc_statfree(NULL, NULL);
	qalloc_dynfree(NULL, NULL);
	qalloc_checkpoint();
	qalloc_cleanup();
	ok(1, "qalloc_cleanup, qalloc_checkpoint: without a map");

	void *dynamic = qalloc_makedynmap(1000, NULL, path, 99999), *fixed = qalloc_makestatmap(1, NULL, mapdir_file("one"), 8, 0);
	ok(dynamic && fixed, "qalloc_makestatmap, qalloc_makedynmap: any number of streams");
	errno = 0;
	ok(!qalloc_statmalloc(dynamic) && errno == EINVAL, "qalloc_statmalloc: EINVAL for a dynamic map");
	errno = 0;
	ok(!qalloc_dynmalloc(fixed, 1) && errno == EINVAL, "qalloc_dynmalloc: EINVAL for a static map");
	ok(qalloc_statmalloc(fixed) && !qalloc_statmalloc(fixed), "qalloc_statmalloc: a map of one item");
	qalloc_cleanup();
	unlink(path);
	unlink(mapdir_file("one"));
}

/* Free what is not there: a line each, and nothing else. */
static void free_wrongly(void *arg)
{
	char *fixed = qalloc_makestatmap(10000, NULL, mapdir_file("f"), 24, 1);
	char *dynamic = qalloc_makedynmap(10000, NULL, mapdir_file("d"), 1);
	char *a = qalloc_malloc(fixed, 24), *b = qalloc_malloc(dynamic, 100);

	(void)arg;
	qalloc_free(a, fixed);
	qalloc_free(a, fixed);                                          /* 1 */
	qalloc_statfree(a + 1, (mapinfo_t *)fixed);                     /* 2 */
	qalloc_free(b + 16, dynamic);                                   /* 3 */
	qalloc_free(&a, dynamic);                                       /* 4 */
	qalloc_dynfree(b, (dynmapinfo_t *)fixed);                       /* 5 */
	qalloc_statfree(b, (mapinfo_t *)dynamic);                       /* 6 */
	qalloc_free(b, NULL);                                           /* 7 */
	qalloc_free(b, dynamic);
	qalloc_dynfree(b, (dynmapinfo_t *)dynamic);                     /* 8 */
	if (qalloc_malloc(fixed, 24) != a || qalloc_malloc(dynamic, 100) != b)
		exit(1);
	qalloc_cleanup();
	unlink(mapdir_file("f"));
	unlink(mapdir_file("d"));
}

static void wrong_frees(void)
{
	struct child c;

	child_run(&c, free_wrongly, NULL);
	ok(child_ended_well(&c), "qalloc_free: of what is not allocated changes nothing");
	is_int(child_lines(&c), 8, "qalloc_free: and says so");
}

/* --- another program goes on ----------------------------------------------------------------------------- */

struct node {
	struct node *next;
	char *text;
};

struct root {
	struct node *first;
};

/* A list of words in a dynamic map, its nodes in a static one. */
static void write_list(bool in_order)
{
	void *nodes = qalloc_makestatmap(100 * sizeof(struct node), NULL, mapdir_file("nodes"), sizeof(struct node), 2);
	void *words = qalloc_makedynmap(10000, NULL, mapdir_file("words"), 2);
	struct root *root = qalloc_malloc(nodes, sizeof(*root));

	root->first = NULL;
	file_write(mapdir_file("root"), &root, sizeof(root));
	for (int i = 0; i < 50; i++) {
		struct node *n = qalloc_malloc(nodes, sizeof(*n));
		n->text = qalloc_malloc(words, 16);
		snprintf(n->text, 16, "w%d", i);
		n->next = root->first;
		root->first = n;
	}
	qalloc_checkpoint();
	if (in_order)
		qalloc_cleanup();
	else
		_exit(0);
}

static void in_order(void *unused)
{
	(void)unused;
	write_list(true);
}

static void and_vanish(void *unused)
{
	(void)unused;
	write_list(false);
}

static bool list_is_there(void)
{
	struct file_bytes b = file_read(mapdir_file("root"));
	struct root *root;
	char want[16];
	int i = 50;

	memcpy(&root, b.at, sizeof(root));
	free(b.at);
	for (struct node *n = root->first; n; n = n->next) {
		snprintf(want, sizeof(want), "w%d", --i);
		if (strcmp(n->text, want) != 0)
			return false;
	}
	return i == 0;
}

static void restart(void (*program)(void *), const char *how)
{
	struct child c;

	child_run(&c, program, NULL);
	ok(child_ended_well(&c), "a program makes two maps and ends %s", how);
	void *nodes = qalloc_loadmap(mapdir_file("nodes"));
	void *words = qalloc_loadmap(mapdir_file("words"));
	ok(nodes && words, "qalloc_loadmap: the next one loads them");
	ok(list_is_there(), "qalloc_loadmap: and follows the pointers from map to map");
	int left = 0;
	while (qalloc_malloc(nodes, 1))
		left++;
	ok(left >= 49 && left < 512 && list_is_there(), "qalloc_malloc: it goes on where the first has stopped");
	qalloc_cleanup();
	unlink(mapdir_file("nodes"));
	unlink(mapdir_file("words"));
	unlink(mapdir_file("root"));
}

/* --- no memory ------------------------------------------------------------------------------------------- */

static void out_of_memory(void)
{
	const char *path = mapdir_file("oom");

	fault_after(0);
	errno = 0;
	ok(!qalloc_makedynmap(100, NULL, path, 1) && errno == ENOMEM, "qalloc_makedynmap: ENOMEM");
	fault_end();
	is_int(access(path, F_OK), -1, "qalloc_makedynmap: and no file");
	qalloc_makedynmap(100, NULL, path, 1);
	qalloc_cleanup();
	struct file_bytes b = file_read(path);
	fault_after(0);
	ok(refused(qalloc_loadmap(path), ENOMEM, path, &b), "qalloc_loadmap: ENOMEM, and the file is as it was");
	fault_end();
	free(b.at);
	unlink(path);
}

int main(void)
{
	qti_mem_fault = fault;
	plan(3 * 10 + 2 * 7 + 7 + 9 + 20 + 2 + 2 * 4 + 3);
	mapdir_make();
	static_map(8);
	static_map(1);
	static_map(100);
	dynamic_map(1);
	dynamic_map(5);
	addresses();
	wrong_files();
	wrong_arguments();
	wrong_frees();
	restart(in_order, "in good order");
	restart(and_vanish, "at once");
	out_of_memory();
	mapdir_remove();
	return done();
}
