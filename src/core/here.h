/* core/here.h -- what is the calling thread's: its worker, and the guest's word of the task that runs on it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A compiler may keep a thread-local address across a context switch, after which it is another thread's.  So both are
 * reached by code that it cannot see through: a few instructions where there is a form for the processor, else a call.
 */
#ifndef QTI_CORE_HERE_H
#define QTI_CORE_HERE_H

#include "base/shared.h"
#include "core/task.h"

struct qti_worker;

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__linux__) && defined(__LP64__)
#define QTI_HERE_INLINE 1
#else
#define QTI_HERE_INLINE 0
#endif

extern __thread struct qti_worker *qti_worker_self __attribute__((tls_model("initial-exec"))) QTI_SHARED;
extern __thread struct qti_worker *qti_worker_untold __attribute__((tls_model("initial-exec")));
extern __thread void *qti_guest_word_now __attribute__((tls_model("initial-exec"))) QTI_SHARED;

QTI_SHARED struct qti_worker *qti_self_called(void);
struct qti_worker *qti_self_untold_called(void);
QTI_SHARED void *qti_guest_word_called(void);
QTI_SHARED void qti_guest_word_set_called(void *word);

/* The value of a thread-local variable: what the thread's pointer is, and how far from it the dynamic linker has put
 * the variable, which it notes in a table. */
#if QTI_HERE_INLINE && defined(__x86_64__)
#define QTI_HERE_LOAD(value, variable, called) \
	__asm__ volatile("movq " #variable "@gottpoff(%%rip), %0\n\tmovq %%fs:(%0), %0" : "=&r"(value))
#elif QTI_HERE_INLINE
#define QTI_HERE_OFFSET(name) \
	"adrp %0, :gottprel:" #name "\n\tldr %0, [%0, #:gottprel_lo12:" #name "]\n\tmrs %1, tpidr_el0\n\t"
#define QTI_HERE_LOAD(value, variable, called) \
	({ \
		uintptr_t thread_; \
		__asm__ volatile(QTI_HERE_OFFSET(variable) "ldr %0, [%1, %0]" : "=&r"(value), "=&r"(thread_)); \
	})
#else
#define QTI_HERE_LOAD(value, variable, called) ((value) = called())
#endif

/* The calling thread's worker, NULL on a thread that is none. */
static inline struct qti_worker *qti_self(void)
{
	struct qti_worker *w;

	QTI_HERE_LOAD(w, qti_worker_self, qti_self_called);
	return w;
}

/* The same where no race checker has to be told what is ordered (base/race.h), NULL where one has: one question where a
 * call's usual path asks both. */
static inline struct qti_worker *qti_self_untold(void)
{
	struct qti_worker *w;

	QTI_HERE_LOAD(w, qti_worker_untold, qti_self_untold_called);
	return w;
}

void qti_self_set(struct qti_worker *w);

/* What carries a task for a while on a thread that is no worker: core/proxy.h. */
struct qti_carrier {
	struct qti_task *task;          /* NULL: none now */
	void (*give_back)(void);        /* called by the task: it goes on on a worker */
};

/* The calling thread's, NULL on one that is none.  Out of line as qti_self() is, and for the same reason. */
struct qti_carrier *qti_carrier(void);
void qti_carrier_set(struct qti_carrier *c);

/* The task that the calling thread carries, or NULL. */
struct qti_task *qti_proxied(void);

/* The running task's word, which belongs to the library that keeps tasks in the runtime (core/guest.h): NULL in a task
 * that begins, and then what it was set to there last.  It is one load away, where the task's descriptor is three;
 * while the task does not run its descriptor keeps it.  An OS thread that is no worker has a word, too. */
static inline void *qti_guest_word(void)
{
	void *word;

	QTI_HERE_LOAD(word, qti_guest_word_now, qti_guest_word_called);
	return word;
}

static inline void qti_guest_word_set(void *word)
{
#if QTI_HERE_INLINE && defined(__x86_64__)
	void *at;

	__asm__ volatile("movq qti_guest_word_now@gottpoff(%%rip), %0\n\tmovq %1, %%fs:(%0)"
		: "=&r"(at) : "r"(word) : "memory");
#elif QTI_HERE_INLINE
	uintptr_t offset, thread;

	__asm__ volatile(QTI_HERE_OFFSET(qti_guest_word_now) "str %2, [%1, %0]"
		: "=&r"(offset), "=&r"(thread) : "r"(word) : "memory");
#else
	qti_guest_word_set_called(word);
#endif
}

#endif
