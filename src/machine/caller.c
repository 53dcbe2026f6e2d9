/* machine/caller.c -- see machine/caller.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A way is the addresses to which the library's functions return, from the innermost on, each with its distance from
 * the frame of qti_caller.  Frames have one size wherever they call from, so those that return to the same addresses
 * are on the same way; where one has been aligned anew, or has an array of another size, the addresses are not found,
 * and it is another way.  So a function that the program calls, and that waits, has no such frame: nothing would be
 * found amiss.
 *
 *   CA1  Who adds a way, or a file, writes it, then counts it by a release store -> who looks loads the number
 *        (acquire) and sees it whole.  None is changed or taken away later.  The unwinder comes last, in the same way.
 *
 * Checked by test/api/callers.c, test/unit/caller.c and test/unit/omp_callers.c.
 */
#include "machine/caller.h"

#include "base/lock.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <unwind.h>

enum {
	FILES = 8, WAYS = 64,
	STEPS = 16,             /* of a way, at most */
	ROOM = 8 << 10,         /* bytes of stack that unwinding takes */
};

enum whose { PROGRAMS, LIBRARYS, NOBODYS };

struct code {
	uintptr_t begin, end;
	enum whose whose;
};

struct step {
	uintptr_t returns;
	size_t up;
};

struct way {
	unsigned n;
	size_t out;             /* where the program's address stands; 0: nobody has called */
	size_t most;            /* the farthest of all that is looked at */
	struct step step[STEPS];
};

static struct {
	unsigned ncodes;        /* CA1 */
	struct code code[FILES];
	bool one_file;          /* the program and the library are: nothing can be told */
	unsigned nways;         /* CA1 */
	struct way way[WAYS];
	struct qti_lock adding; /* a way; tried only */
	_Unwind_Reason_Code (*unwind)(_Unwind_Trace_Fn, void *);        /* CA1 */
	_Unwind_Ptr (*returns)(struct _Unwind_Context *);
	_Unwind_Word (*top)(struct _Unwind_Context *);
} callers;

/* --- whose code ------------------------------------------------------------------------------------------ */

static enum whose whose_code(uintptr_t returns)
{
	const uintptr_t at = returns - 1;       /* a call may be a function's last instruction */
	const unsigned n = load_acq(&callers.ncodes);                                           /* CA1 */

	for (unsigned i = 0; i < n; i++)
		if (at - callers.code[i].begin < callers.code[i].end - callers.code[i].begin)
			return callers.code[i].whose;
	return PROGRAMS;
}

static bool is_in_part(const struct dl_phdr_info *file, const ElfW(Phdr) *part, uintptr_t address)
{
	return part->p_type == PT_LOAD && address - (file->dlpi_addr + part->p_vaddr) < part->p_memsz;
}

static bool is_in_file(const struct dl_phdr_info *file, uintptr_t address)
{
	for (unsigned i = 0; i < file->dlpi_phnum; i++)
		if (is_in_part(file, &file->dlpi_phdr[i], address))
			return true;
	return false;
}

struct wanted {
	uintptr_t address;
	enum whose whose;
};

/* The first file of the list is the program, which has no name. */
static int file_note(struct dl_phdr_info *file, size_t size, void *arg)
{
	const struct wanted *w = arg;

	(void)size;
	if (!is_in_file(file, w->address))
		return 0;
	if (!file->dlpi_name || file->dlpi_name[0] == '\0') {
		callers.one_file |= w->whose == LIBRARYS;
		return 1;
	}
	for (unsigned i = 0; i < file->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &file->dlpi_phdr[i];
		const unsigned n = callers.ncodes;
		const uintptr_t begin = file->dlpi_addr + part->p_vaddr;
		if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || n == FILES)
			continue;
		callers.code[n] = (struct code){ begin, begin + part->p_memsz, w->whose };
		store_rel(&callers.ncodes, n + 1);                                              /* CA1 */
	}
	return 1;
}

static void note_code(const void *address, enum whose whose)
{
	struct wanted w = { (uintptr_t)address, whose };

	if (whose_code(w.address + 1) == PROGRAMS)
		dl_iterate_phdr(file_note, &w);
}

/* The compiler's runtime library has the unwinder.  A program of C need not have loaded it. */
static void find_unwinder(void)
{
	void *there = dlsym(RTLD_DEFAULT, "_Unwind_Backtrace");
	void *library = there ? RTLD_DEFAULT : dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
	_Unwind_Reason_Code (*unwind)(_Unwind_Trace_Fn, void *);

	*(void **)&callers.returns = dlsym(library, "_Unwind_GetIP");
	*(void **)&callers.top = dlsym(library, "_Unwind_GetCFA");
	*(void **)&unwind = dlsym(library, "_Unwind_Backtrace");
	if (callers.returns && callers.top)
		store_rel(&callers.unwind, unwind);                                             /* CA1 */
}

void qti_caller_begin(const void *const *own, unsigned n)
{
	const bool first = callers.ncodes == 0;

	/* The C library begins threads, and calls handlers of atexit(3). */
	note_code((const void *)(uintptr_t)exit, NOBODYS);
	note_code((const void *)(uintptr_t)qti_caller_begin, LIBRARYS);
	for (unsigned i = 0; i < n; i++)
		note_code(own[i], LIBRARYS);
	if (first)
		find_unwinder();
}

/* --- unwinding ------------------------------------------------------------------------------------------- */

/* A word of the stack, wherever it is in a frame. */
static inline __attribute__((always_inline)) uintptr_t stack_word(const char *base, size_t up)
{
	return *(const uintptr_t *)(const void *)(base + up);
}

struct climb {
	const char *base;
	size_t below;           /* the end of the frame beneath */
	struct way way;
	const void *program;
	bool lost;              /* that way cannot be kept */
};

/* Where between the two ends of a frame its return address stands: on most machines last. */
static __attribute__((no_sanitize_address)) size_t return_slot(const struct climb *c, size_t top, uintptr_t returns)
{
	size_t up = top;

	while (up > c->below)
		if (stack_word(c->base, up -= sizeof(returns)) == returns)
			return up;
	return 0;
}

static _Unwind_Reason_Code climb_on(struct _Unwind_Context *context, void *arg)
{
	struct climb *c = arg;
	const char *end = (const char *)callers.top(context);
	uintptr_t returns = callers.returns(context);

	if (end <= c->base)
		return _URC_NO_REASON;          /* this file's own */
	size_t top = (size_t)(end - c->base), up = return_slot(c, top, returns);
	enum whose whose = whose_code(returns);
	c->lost |= up == 0 || (whose == LIBRARYS && c->way.n == STEPS);
	c->below = top;
	if (whose == LIBRARYS && !c->lost) {
		c->way.step[c->way.n++] = (struct step){ returns, up };
		return _URC_NO_REASON;
	}
	if (whose == LIBRARYS)
		return _URC_NO_REASON;
	c->program = whose == PROGRAMS ? (const void *)returns : NULL;
	c->way.out = up;
	return _URC_END_OF_STACK;
}

/* Who finds somebody else at it finds this way again another time.  With too many ways the last ones are unwound each
 * time. */
static void way_add(const struct way *w)
{
	if (!qti_lock_try(&callers.adding))
		return;
	const unsigned n = load_rlx(&callers.nways);
	if (n < WAYS) {
		callers.way[n] = *w;
		store_rel(&callers.nways, n + 1);                                               /* CA1 */
	}
	qti_lock_drop(&callers.adding);
}

static __attribute__((noinline, cold)) const void *climb(const char *base)
{
	struct climb c = { .base = base };

	callers.unwind(climb_on, &c);
	if (!c.lost && c.way.n > 0) {
		c.way.most = c.way.out ? c.way.out : c.way.step[c.way.n - 1].up;
		way_add(&c.way);
	}
	return c.program;
}

/* --- ways that are known --------------------------------------------------------------------------------- */

/* True: it is this one, and *returns is where it comes from, or 0.  A way with a frame that was larger may lead beyond
 * the stack, of which there are `above` bytes. */
static inline __attribute__((no_sanitize_address)) bool way_is(const struct way *w, const char *base, size_t above,
                                                               uintptr_t *returns)
{
	if (w->most + sizeof(uintptr_t) > above)
		return false;
	for (unsigned i = 0; i < w->n; i++)
		if (stack_word(base, w->step[i].up) != w->step[i].returns)
			return false;
	*returns = w->out ? stack_word(base, w->out) : 0;
	return true;
}

__attribute__((noinline, no_sanitize_address)) const void *qti_caller(const struct qti_stack *s)
{
	const char *base = __builtin_frame_address(0);
	const size_t room = qti_stack_left(s), above = room ? (size_t)(s->base - base) : 0;
	const unsigned n = load_acq(&callers.nways);                                            /* CA1 */
	uintptr_t returns;

	for (unsigned i = 0; i < n; i++) {
		if (!way_is(&callers.way[i], base, above, &returns))
			continue;
		enum whose whose = returns ? whose_code(returns) : NOBODYS;
		if (whose != LIBRARYS)
			return whose == PROGRAMS ? (const void *)returns : NULL;
	}
	return load_acq(&callers.unwind) && !callers.one_file && room >= ROOM ? climb(base) : NULL;     /* CA1 */
}
