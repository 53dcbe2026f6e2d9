/* omp/env/affinity.c -- the text that says where a thread runs: OMP_AFFINITY_FORMAT and the routines about it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A field is %[[[0].]size]type, where type is a letter or a {name}.  A field of no known type says "undefined", and a
 * percent sign that begins no field stands for itself: a program does not end for that.
 */
#include "omp/env/affinity.h"

#include "base/forked.h"
#include "base/mem.h"
#include "machine/topo.h"
#include "omp/env/text.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINE_MAX_USUAL = 512 };

static pthread_mutex_t format_lock = PTHREAD_MUTEX_INITIALIZER;
static char *format;                    /* affinity-format-var; NULL: the default.  Under the lock */

/* ---- Fields ----------------------------------------------------------------------------------------------------- */

static const struct {
	char letter;
	const char *name;
} types[] = {
	{ 't', "team_num" },
	{ 'T', "num_teams" },
	{ 'L', "nesting_level" },
	{ 'n', "thread_num" },
	{ 'N', "num_threads" },
	{ 'a', "ancestor_tnum" },
	{ 'H', "host" },
	{ 'P', "process_id" },
	{ 'i', "native_thread_id" },
	{ 'A', "thread_affinity" },
};

enum { NTYPES = sizeof(types) / sizeof(types[0]) };

struct field {
	bool zeros, right;              /* filled up with zeros; on the left */
	uint64_t size;                  /* least number of characters */
	char letter;                    /* 0: no known type */
};

static char letter_of(const char *name, size_t len)
{
	for (unsigned i = 0; i < NTYPES; i++)
		if ((len == 1 && *name == types[i].letter) ||
			(len == strlen(types[i].name) && memcmp(name, types[i].name, len) == 0))
			return types[i].letter;
	return '\0';
}

/* What follows a percent sign.  NULL, if that is no field, or else what follows the field. */
static const char *read_field(const char *p, struct field *f)
{
	const char *end;

	*f = (struct field){ .zeros = p[0] == '0' && p[1] == '.' };
	p += f->zeros;
	f->right = *p == '.';
	p += f->right;
	for (; *p >= '0' && *p <= '9'; p++)
		if ((f->size = f->size * 10 + (uint64_t)(*p - '0')) > INT_MAX)
			return NULL;
	if (*p != '{') {
		f->letter = letter_of(p, 1);
		return (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ? p + 1 : NULL;
	}
	end = strchr(p, '}');
	if (end)
		f->letter = letter_of(p + 1, (size_t)(end - p) - 1);
	return end ? end + 1 : NULL;
}

/* The CPUs that the calling thread may run on: "0-3,8". */
static void add_cpus(struct qomp_text *out)
{
	struct qti_affinity a;
	bool first = true;

	qti_affinity_save(&a);
	for (unsigned cpu = 0, last; cpu < QTI_CPUS_MAX; cpu = last + 1) {
		for (last = cpu; qti_affinity_has(&a, last); last++)
			;
		if (last == cpu)
			continue;
		qomp_text_add(out, last > cpu + 1 ? "%s%u-%u" : "%s%u", first ? "" : ",", cpu, last - 1);
		first = false;
	}
}

static void add_host(struct qomp_text *out)
{
	char name[HOST_NAME_MAX + 1];

	if (gethostname(name, sizeof(name)) != 0)
		name[0] = '\0';
	name[sizeof(name) - 1] = '\0';
	qomp_text_add(out, "%s", name);
}

/* False: the type is no number. */
static bool number_of(const struct qomp_whereabouts *at, char letter, int64_t *n)
{
	switch (letter) {
	case 't':
		*n = at->team_num;
		return true;
	case 'T':
		*n = at->num_teams;
		return true;
	case 'L':
		*n = at->level;
		return true;
	case 'n':
		*n = at->thread_num;
		return true;
	case 'N':
		*n = at->num_threads;
		return true;
	case 'a':
		*n = at->ancestor;
		return true;
	case 'P':
		*n = getpid();
		return true;
	case 'i':
		*n = syscall(SYS_gettid);
		return true;
	default:
		return false;
	}
}

static void add_words(struct qomp_text *out, char letter)
{
	if (letter == 'A')
		add_cpus(out);
	else if (letter == 'H')
		add_host(out);
	else
		qomp_text_add(out, "undefined");
}

static void add_field(struct qomp_text *out, const struct field *field, const struct qomp_whereabouts *at)
{
	struct qomp_text none = { NULL, 0, 0 };
	int size = (int)field->size;
	int64_t n;

	if (number_of(at, field->letter, &n)) {
		const char *how = field->zeros ? "%0*" PRId64 : field->right ? "%*" PRId64 : "%-*" PRId64;

		qomp_text_add(out, how, size, n);
		return;
	}
	add_words(&none, field->letter);
	int room = none.used < field->size ? size - (int)none.used : 0;
	qomp_text_add(out, "%*s", field->right ? room : 0, "");
	add_words(out, field->letter);
	qomp_text_add(out, "%*s", field->right ? 0 : room, "");
}

static void format_expand(struct qomp_text *out, const char *p, const struct qomp_whereabouts *at)
{
	struct field field;

	while (*p) {
		size_t plain = strcspn(p, "%");
		const char *rest = p[plain] == '%' ? read_field(p + plain + 1, &field) : NULL;

		qomp_text_add(out, "%.*s", (int)plain, p);
		p += plain;
		if (rest) {
			add_field(out, &field, at);
			p = rest;
		} else if (*p) {
			qomp_text_add(out, "%%");
			p += p[1] == '%' ? 2 : 1;
		}
	}
}

/* ---- Formats ---------------------------------------------------------------------------------------------------- */

static void take_format(void)
{
	pthread_mutex_lock(&format_lock);
}

static void drop_format(void)
{
	pthread_mutex_unlock(&format_lock);
}

QTI_FORKED(QTI_FORKED_LOCKS, take_format, drop_format, NULL)

static const char *current_format(void)
{
	return format ? format : "level %L thread %i affinity %A";
}

bool qomp_affinity_format_set(const char *text, size_t len)
{
	char *copy = qti_mem_alloc(len + 1), *old;

	if (!copy)
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	pthread_mutex_lock(&format_lock);
	old = format;
	format = copy;
	pthread_mutex_unlock(&format_lock);
	qti_mem_free(old);
	return true;
}

void qomp_affinity_format_show(struct qomp_text *out)
{
	pthread_mutex_lock(&format_lock);
	qomp_text_add(out, "%s", current_format());
	pthread_mutex_unlock(&format_lock);
}

void qomp_affinity_expand(struct qomp_text *out, const char *text, const struct qomp_whereabouts *at)
{
	bool own = text && *text;

	if (!own)
		pthread_mutex_lock(&format_lock);
	format_expand(out, own ? text : current_format(), at);
	if (!own)
		pthread_mutex_unlock(&format_lock);
}

/* A first pass finds out how long the line is. */
void qomp_affinity_show(const char *text, const struct qomp_whereabouts *at)
{
	char usual[LINE_MAX_USUAL], *more = NULL;
	struct qomp_text line = { usual, sizeof(usual), 0 };

	qomp_affinity_expand(&line, text, at);
	qomp_text_add(&line, "\n");
	if (line.used >= sizeof(usual) && (more = qti_mem_alloc(line.used + 1)) != NULL) {
		line = (struct qomp_text){ more, line.used + 1, 0 };
		qomp_affinity_expand(&line, text, at);
		qomp_text_add(&line, "\n");
	}
	qomp_text_write(&line);
	qti_mem_free(more);
}
