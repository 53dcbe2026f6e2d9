/* test/unit/febtable.c -- a reader of a full word that loses its CPU between any two steps gets what a full word had.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The reader is held up where it loads, by pages that are not there: meanwhile its word is emptied and filled so often
 * that the slot's version is the same again (B2 and B3 of sync/febtable.h).
 */
#include "stress/stress.h"
#include "sync/febtable.h"

#include <qthread.h>

#include <sys/mman.h>

#define POISON UINT64_C(0xdeadbeef)

enum { ROUNDS = (int)(FEB_VERSION / FEB_VERSION_ONE) + 1 };

static aligned_t *word;
static char *word_page, *slot_page;
static size_t page;
static unsigned faults;
static unsigned times;                  /* that the reader is still to be held up */

static void protect(char *at, int how)
{
	if (mprotect(at, page, how) != 0)
		bail_out("mprotect failed");
}

/* The reader has seen the slot and loads the data: those of an empty word. */
static void before_data(void)
{
	times--;
	protect(word_page, PROT_READ | PROT_WRITE);
	qthread_purge_to_const(word, POISON);
	protect(slot_page, PROT_NONE);
}

/* It looks at the slot again. */
static void before_second_look(void)
{
	protect(slot_page, PROT_READ | PROT_WRITE);
	qthread_writeEF_const(word, 2);
	for (int i = 1; i < ROUNDS; i++) {
		qthread_empty(word);
		qthread_fill(word);
	}
	if (times > 0)
		protect(word_page, PROT_NONE);
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	char *at = info->si_addr;

	(void)context;
	faults++;
	if (at >= word_page && at < word_page + page)
		before_data();
	else if (at >= slot_page && at < slot_page + page)
		before_second_look();
	else
		signal(sig, SIG_DFL);
}

static void read_while_it_changes(unsigned loads, const char *where)
{
	aligned_t value = 0;

	qthread_writeF_const(word, 1);
	const uint64_t before = load_rlx(&feb_slot(word)->word);
	faults = 0;
	times = loads;
	protect(word_page, PROT_NONE);
	int rc = qthread_readFF(&value, word);
	protect(word_page, PROT_READ | PROT_WRITE);
	is_int(faults, 2 * loads, "%s: the reader was held up", where);
	is_int((load_rlx(&feb_slot(word)->word) ^ before) >> 57, 0, "%s: the version is the same again", where);
	ok(rc == QTHREAD_SUCCESS && value == 2, "%s: it gets what the full word has", where);
	if (value != 2)
		diag("it has got %#llx", (unsigned long long)value);
}

/* A word that has the same slot; its memory is of no account. */
static aligned_t *neighbour(void)
{
	aligned_t *other = word;

	do
		other++;
	while (feb_slot(other) != feb_slot(word));
	return other;
}

/* Slots of free words look different each time. */
static void never_twice(void)
{
	enum { LOOKS = 3 * ROUNDS };
	static uint64_t seen[LOOKS];
	int twice = 0;

	for (int i = 0; i < LOOKS; i++) {
		qthread_empty(word);
		if (i % 2)
			qthread_fill(word);
		else
			qthread_writeEF_const(word, 3);
		seen[i] = load_rlx(&feb_slot(word)->word);
		for (int j = 0; j < i; j++)
			twice += seen[j] == seen[i];
	}
	is_int(twice, 0, "a word that was empty in between has another slot each time, %d times", LOOKS);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	aligned_t *other;

	plan(7);
	page = (size_t)sysconf(_SC_PAGESIZE);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("qthread_initialize failed");
	word_page = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (word_page == MAP_FAILED)
		bail_out("no memory");
	word = (aligned_t *)(void *)word_page;
	slot_page = (char *)feb_slot(word) - (uintptr_t)feb_slot(word) % page;
	sigaction(SIGSEGV, &action, NULL);

	read_while_it_changes(1, "a slot of its own");
	other = neighbour();
	qthread_empty(other);
	qthread_empty(word);            /* the memory that a chained entry takes is there from now on */
	qthread_fill(word);
	read_while_it_changes(1, "beside an empty word");
	qthread_fill(other);
	never_twice();

	signal(SIGSEGV, SIG_DFL);
	munmap(word_page, page);
	qthread_finalize();
	return done();
}
