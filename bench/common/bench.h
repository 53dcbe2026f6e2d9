/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What the benchmark programs share: one command line, one way to time, one way to report.
 *
 * A program is what its bench_program says, and no more: program.c has the main() that runs it.  Every
 * repetition is checked; a wrong answer is told on stderr and ends the program with status 1, a bad option with
 * status 2.  Those that are run otherwise, micro and mainjob, have a main() of their own and use the rest. */
#ifndef BENCH_COMMON_BENCH_H
#define BENCH_COMMON_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <qthread/qthread.h>

enum bench_option_kind {
	BENCH_SWITCH, /* no value; into is a bool, made true */
	BENCH_NUMBER, /* into is an unsigned long, between min and max */
	BENCH_CHOICE, /* into is an unsigned, the index of the word among choices */
	BENCH_TEXT,   /* into is a const char *, pointing into argv */
};

struct bench_option {
	const char *name; /* without dashes; NULL ends a table */
	const char *help; /* one line, ends without a stop */
	enum bench_option_kind kind;
	void *into;
	unsigned long min, max;
	const char *const *choices; /* ended by NULL */
};

struct bench_program {
	struct {
		const char *name, *unit; /* what the figure counts: "task", "node" */
		const char *what;        /* one line for --help */
	} about;
	const struct bench_option *options;
	unsigned long default_reps;
	struct {                      /* either may be NULL */
		void (*setup)(void);  /* once, after the options; may end the program through bench_usage() */
		void (*before)(void); /* before each repetition */
	} untimed;
	struct {
		void (*serial)(void);   /* the same work without tasks */
		void (*parallel)(void); /* from the main task */
	} timed;
	struct { /* both may be NULL */
		void (*run)(void);         /* the same work by another library, without ours */
		const char *(*name)(void); /* which one, once it has run */
	} peer;
	struct {
		/* Was the last repetition right?  When not, says so in why.  May run the serial twin, once. */
		bool (*check)(char *why, size_t size);
		double (*units)(void);                     /* units of work in one repetition */
		void (*describe)(char *text, size_t size); /* the problem: "n 30, aligned_t words" */
	} report;
};

extern const struct bench_program bench_program; /* each program defines its own */

/* Settings of the library that a program's command line chose; 0 leaves one to the environment. */
struct bench_setup {
	unsigned long workers;
	unsigned scheduler; /* index into bench_schedulers */
};

/* "auto", then the names that QT_SCHEDULER knows; ended by NULL. */
extern const char *const bench_schedulers[];

struct bench_summary {
	double median, min, max;
};

/* Reads options of two tables (either may be NULL); answers --help and bad options by ending the program. */
void bench_parse(int argc, char **argv, const char *name, const char *what, const struct bench_option *own,
	const struct bench_option *common);
_Noreturn void bench_usage(const char *name, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts setup into the environment, as QT_HWPAR and QT_SCHEDULER. */
void bench_configure(const struct bench_setup *setup);
/* The same, then starts the library; ends the program when that fails. */
void bench_start(const char *name, const struct bench_setup *setup);
/* The scheduler in use: the one asked for, or what the environment and then the build choose. */
const char *bench_scheduler_name(const struct bench_setup *setup);
/* "2 x 4": shepherds and workers in each.  The text lasts until the next call. */
const char *bench_shape(unsigned shepherds, unsigned workers);
/* CPU model, CPUs and load, as they were at the first call: the library binds the calling thread later. */
const char *bench_machine(void);
const char *bench_compiler(void);
/* Both, a line each. */
void bench_print_machine(FILE *to, const char *prefix);

uint64_t bench_now_ns(void);
/* Sorts samples. */
struct bench_summary bench_summarize(double *samples, size_t n);

/* Lets the work on a value neither move nor vanish. */
static inline void bench_keep(uint64_t value)
{
	__asm__ volatile("" : : "r"(value) : "memory");
}

#endif
