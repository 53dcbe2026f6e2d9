/* omp/abi/api_affinity.c -- see omp/abi/api_affinity.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/api_affinity.h"

#include "base/mem.h"
#include "omp/env/affinity.h"
#include "omp/env/env.h"
#include "omp/env/text.h"
#include "omp/team/bind.h"
#include "omp/team/standing.h"

#include <string.h>

static void set_or_die(const char *text, size_t len)
{
	if (!qomp_affinity_format_set(text, len))
		qomp_fatal("out of memory for the %zu characters of an affinity format", len);
}

void omp_set_affinity_format(const char *text)
{
	qomp_settings_read();
	text = text ? text : "";
	set_or_die(text, strlen(text));
}

size_t omp_get_affinity_format(char *buffer, size_t size)
{
	struct qomp_text out = { buffer, buffer ? size : 0, 0 };

	qomp_settings_read();
	qomp_affinity_format_show(&out);
	return out.used;
}

void omp_display_affinity(const char *text)
{
	struct qomp_whereabouts at = qomp_bind_whereabouts(qomp_frame());

	qomp_affinity_show(text, &at);
}

size_t omp_capture_affinity(char *buffer, size_t size, const char *text)
{
	struct qomp_whereabouts at = qomp_bind_whereabouts(qomp_frame());
	struct qomp_text out = { buffer, buffer ? size : 0, 0 };

	qomp_affinity_expand(&out, text, &at);
	return out.used;
}

/* ---- The same for Fortran, whose strings have no end but a length, and blanks that do not count ------------------ */

static size_t text_trimmed(const char *text, size_t len)
{
	while (len > 0 && text[len - 1] == ' ')
		len--;
	return len;
}

static char *string_of(const char *text, size_t len)
{
	char *s;

	len = text_trimmed(text, len);
	s = qti_mem_alloc(len + 1);
	if (!s)
		qomp_fatal("out of memory for the %zu characters of an affinity format", len);
	memcpy(s, text, len);
	s[len] = '\0';
	return s;
}

/* The text is written with room for its end, which Fortran has not got. */
static int32_t hand_out(char *buffer, size_t len, void (*write)(struct qomp_text *out, const char *arg),
                        const char *arg)
{
	struct qomp_text out = { NULL, 0, 0 };

	out.size = len + 1;
	out.at = qti_mem_alloc(out.size);
	if (!out.at)
		qomp_fatal("out of memory for the %zu characters of an affinity format", len);
	write(&out, arg);
	size_t n = out.used < len ? out.used : len;
	memcpy(buffer, out.at, n);
	memset(buffer + n, ' ', len - n);
	qti_mem_free(out.at);
	return (int32_t)out.used;
}

static void write_format(struct qomp_text *out, const char *unused)
{
	(void)unused;
	qomp_affinity_format_show(out);
}

static void write_affinity(struct qomp_text *out, const char *text)
{
	struct qomp_whereabouts at = qomp_bind_whereabouts(qomp_frame());

	qomp_affinity_expand(out, text, &at);
}

void omp_set_affinity_format_(const char *text, size_t len)
{
	qomp_settings_read();
	set_or_die(text, text_trimmed(text, len));
}

int32_t omp_get_affinity_format_(char *buffer, size_t len)
{
	qomp_settings_read();
	return hand_out(buffer, len, write_format, NULL);
}

void omp_display_affinity_(const char *text, size_t len)
{
	char *s = string_of(text, len);

	omp_display_affinity(s);
	qti_mem_free(s);
}

int32_t omp_capture_affinity_(char *buffer, const char *text, size_t len, size_t text_len)
{
	char *s = string_of(text, text_len);
	int32_t n = hand_out(buffer, len, write_affinity, s);

	qti_mem_free(s);
	return n;
}
