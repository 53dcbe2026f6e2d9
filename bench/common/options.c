/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Command lines: --name value or --name=value, from a table. */
#include "common/bench.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void bench_usage(const char *name, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", name);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fprintf(stderr, " (see %s --help)\n", name);
	exit(2);
}

static const char *value_hint(const struct bench_option *o, char *text, size_t size)
{
	size_t used = 0;

	switch (o->kind) {
	case BENCH_NUMBER:
		return " N";
	case BENCH_TEXT:
		return " TEXT";
	case BENCH_CHOICE:
		text[0] = '\0';
		for (unsigned i = 0; o->choices[i] && used < size; i++)
			used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "|" : " ", o->choices[i]);
		return text;
	default:
		return "";
	}
}

static void print_options(const struct bench_option *table)
{
	char hint[128], left[160];

	for (const struct bench_option *o = table; o->name; o++) {
		snprintf(left, sizeof(left), "--%s%s", o->name, value_hint(o, hint, sizeof(hint)));
		printf("  %-34s %s", left, o->help);
		if (o->kind == BENCH_NUMBER && *(unsigned long *)o->into)
			printf(" (default %lu)", *(unsigned long *)o->into);
		else if (o->kind == BENCH_CHOICE)
			printf(" (default %s)", o->choices[*(unsigned *)o->into]);
		printf("\n");
	}
}

_Noreturn static void help(const char *name, const char *what, const struct bench_option *table)
{
	printf("%s: %s\n\nusage: %s [options]\n\n", name, what, name);
	print_options(table);
	printf("  %-34s %s\n", "--help", "print this and exit");
	exit(0);
}

static unsigned long number(const char *name, const struct bench_option *o, const char *value)
{
	char *end;

	errno = 0;
	unsigned long v = strtoul(value, &end, 10);
	if (!isdigit((unsigned char)value[0]) || *end != '\0')
		bench_usage(name, "--%s %s: not a number", o->name, value);
	if (errno == ERANGE || v < o->min || v > o->max)
		bench_usage(name, "--%s %s: must be between %lu and %lu", o->name, value, o->min, o->max);
	return v;
}

static unsigned choice(const char *name, const struct bench_option *o, const char *value)
{
	char hint[128];

	for (unsigned i = 0; o->choices[i]; i++)
		if (strcmp(o->choices[i], value) == 0)
			return i;
	bench_usage(name, "--%s %s: must be one of%s", o->name, value, value_hint(o, hint, sizeof(hint)));
}

static const struct bench_option *find(const struct bench_option *table, const char *word, size_t len)
{
	for (const struct bench_option *o = table; o->name; o++)
		if (strlen(o->name) == len && strncmp(o->name, word, len) == 0)
			return o;
	return NULL;
}

/* Takes the option at argv[0]; returns how many words it used. */
static int take(const char *name, char **argv, const struct bench_option *table)
{
	const char *word = argv[0] + 2;
	size_t len = strcspn(word, "=");
	const char *value = word[len] == '=' ? word + len + 1 : argv[1];
	const struct bench_option *o = find(table, word, len);

	if (!o)
		bench_usage(name, "unknown option %s", argv[0]);
	if (o->kind == BENCH_SWITCH) {
		if (word[len] == '=')
			bench_usage(name, "--%s takes no value", o->name);
		*(bool *)o->into = true;
		return 1;
	}
	if (!value)
		bench_usage(name, "--%s needs a value", o->name);
	if (o->kind == BENCH_NUMBER)
		*(unsigned long *)o->into = number(name, o, value);
	else if (o->kind == BENCH_CHOICE)
		*(unsigned *)o->into = choice(name, o, value);
	else
		*(const char **)o->into = value;
	return word[len] == '=' ? 1 : 2;
}

void bench_parse(int argc, char **argv, const char *name, const char *what, const struct bench_option *table)
{
	for (int i = 1; i < argc;) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			help(name, what, table);
		if (strncmp(argv[i], "--", 2) != 0)
			bench_usage(name, "unknown argument %s", argv[i]);
		i += take(name, argv + i, table);
	}
}

void bench_parse_tables(int argc, char **argv, const char *name, const char *what, const struct bench_option *const *tables,
	unsigned n)
{
	unsigned count = 0;

	for (unsigned i = 0; i < n; i++)
		for (const struct bench_option *o = tables[i]; o && o->name; o++)
			count++;

	struct bench_option all[count + 1], *next = all;

	for (unsigned i = 0; i < n; i++)
		for (const struct bench_option *o = tables[i]; o && o->name; o++)
			*next++ = *o;
	*next = (struct bench_option){ .name = NULL };
	bench_parse(argc, argv, name, what, all);
}
