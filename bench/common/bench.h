/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What the benchmark programs share: one command line, one way to time, one way to report.
 *
 * A program of the suite is three objects, and program.c has the main() that runs them:
 *   bench_program  the problem: its input, the serial twin, the check (P.c)
 *   bench_version  the same work in parallel, as one of the runtimes has it (qthread.c, omp.c, xomp.c, tbb.cc)
 *   bench_runtime  how that runtime is started and what it is called (common/runtime_*)
 * Every repetition is checked; a wrong answer is told on stderr and ends the program with status 1, a bad option or
 * input file with status 2.  Programs that are run otherwise, micro and mainjob among them, have a main() of their own
 * and use the rest.
 *
 * Nothing here knows a runtime: programs with OpenMP or oneTBB link none of our libraries. */
#ifndef BENCH_COMMON_BENCH_H
#define BENCH_COMMON_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- options --------------------------------------------------------------------------------------------- */

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

/* Reads options; answers --help and bad options by ending the program. */
void bench_parse(int argc, char **argv, const char *name, const char *what, const struct bench_option *table);
/* The same of n tables as if they were one; NULL stands for an empty one. */
void bench_parse_tables(int argc, char **argv, const char *name, const char *what, const struct bench_option *const *tables,
	unsigned n);
/* A bad option or a bad input file: one line, status 2. */
void bench_usage(const char *name, const char *fmt, ...) __attribute__((format(printf, 2, 3), noreturn));

/* Settings of the runtime that the command line chose; 0 leaves one to the environment. */
struct bench_setup {
	unsigned long workers;
	unsigned scheduler; /* index into bench_schedulers */
};

/* "auto", then the names that QT_SCHEDULER knows; ended by NULL. */
extern const char *const bench_schedulers[];

/* How a recursion ends its tasks.  If and final are clauses of OpenMP: other runtimes' --cutoff has the first two. */
enum bench_cutoff { BENCH_NONE, BENCH_MANUAL, BENCH_IF, BENCH_FINAL };
/* As the names of --size: test for make check, quick a few tenths of a second, reference our own, paper the papers'. */
enum bench_size { BENCH_TEST, BENCH_QUICK, BENCH_REFERENCE, BENCH_PAPER, BENCH_SIZES };

/* What --cutoff and --size chose; programs take them by bench_program.takes. */
extern unsigned bench_cutoff, bench_size;

/* given, or where that is 0 what belongs to bench_size. */
static inline unsigned long bench_by_size(unsigned long given, const unsigned long by_size[BENCH_SIZES])
{
	return given ? given : by_size[bench_size];
}

/* --- a program ------------------------------------------------------------------------------------------- */

struct bench_program {
	struct {
		const char *name, *unit; /* what the figure counts: "task", "node" */
		const char *what;        /* one line for --help */
	} about;
	const struct bench_option *options;
	struct {
		bool size, cutoff; /* which of these options it takes */
	} takes;
	unsigned long default_reps;
	struct {                      /* either may be NULL */
		void (*setup)(void);  /* once, after the options; may end the program through bench_usage() */
		void (*before)(void); /* before each repetition */
	} untimed;
	struct {
		void (*serial)(void); /* the same work without tasks */
	} timed;
	struct {
		/* Was the last repetition right?  When not, says so in why.  May run the serial twin, once. */
		bool (*check)(char *why, size_t size);
		double (*units)(void);                     /* units of work in one repetition */
		void (*describe)(char *text, size_t size); /* the problem: "fib(30)" */
		/* How many tasks a repetition creates, of those that may run later; negative: not known.  May be
		 * NULL. */
		double (*tasks)(void);
	} report;
};

struct bench_version {
	const char *name;                   /* how this version does it, a few words; may be NULL */
	const struct bench_option *options; /* that only this version knows; may be NULL */
	void (*parallel)(void);
};

enum { BENCH_COUNTS = 16 }; /* of what our libraries count */

struct bench_runtime {
	const char *name;                   /* "qthread", "openmp", "xomp", "tbb" */
	bool clauses;                       /* it has OpenMP's clauses if and final */
	const struct bench_option *options; /* may be NULL */
	/* Also warms it up: what is timed starts no threads.  Ends the program when it cannot. */
	void (*start)(const struct bench_setup *setup);
	void (*stop)(void);              /* may be NULL */
	void (*run)(void (*body)(void)); /* body where tasks may be created; NULL: anywhere */
	unsigned (*workers)(void);
	unsigned (*shepherds)(void);           /* NULL: it has none */
	const char *(*library)(void);          /* the file that it is */
	const char *(*scheduler)(void);        /* NULL: there is no choice */
	/* Sums since start, in the order of common/counts.c; false, or NULL: it does not count. */
	bool (*counts)(double into[BENCH_COUNTS]);
};

extern const struct bench_program bench_program;
extern const struct bench_version bench_version;
extern const struct bench_runtime bench_runtime;

/* What --workers and the runtime's own options chose. */
extern struct bench_setup bench_setup;

/* Something that has nothing to do with the options went wrong: one line, status 1. */
void bench_fail(const char *name, const char *fmt, ...) __attribute__((format(printf, 2, 3), noreturn));
/* Zeroed memory, or the end of the program. */
void *bench_room(const char *name, size_t count, size_t size);

/* --- measuring and telling ------------------------------------------------------------------------------- */

struct bench_summary {
	double median, min, max, deviation; /* the last is the standard deviation of samples */
};

uint64_t bench_now_ns(void);
/* Sorts samples. */
struct bench_summary bench_summarize(double *samples, size_t n);

/* The scheduler of a libqthread or libqomp: the one asked for, or what the environment and then the build choose. */
const char *bench_scheduler_name(const struct bench_setup *setup);
/* "2 x 4": shepherds and workers in each.  The text lasts until the next call. */
const char *bench_shape(unsigned shepherds, unsigned workers);
/* The file that an exported function comes from; "the program itself" where it is linked statically. */
const char *bench_origin(const char *function);
/* CPU model, CPUs and load, as they were at the first call: runtimes bind the calling thread later. */
const char *bench_machine(void);
const char *bench_compiler(void);
/* Both, a line each. */
void bench_print_machine(FILE *to, const char *prefix);

/* Lets the work on a value neither move nor vanish. */
static inline void bench_keep(uint64_t value)
{
	__asm__ volatile("" : : "r"(value) : "memory");
}

/* SplitMix64's finish: numbers that look random from a seed and an index. */
static inline uint64_t bench_scramble(uint64_t v)
{
	v += 0x9e3779b97f4a7c15;
	v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
	v = (v ^ v >> 27) * 0x94d049bb133111eb;
	return v ^ v >> 31;
}

#ifdef __cplusplus
}
#endif

#endif
