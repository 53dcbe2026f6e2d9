/* test/model/febread.pml -- sync/febtable.h: who reads a full word without a lock gets what was in it when it was full.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A writer takes the word through CYCLES changes, each of a kind of its own choosing, while a reader tries READS times.
 * What the writer stores goes through a buffer from which stores to different places may become visible in any order,
 * but for what releases and fences forbid; a compare-and-swap counts as a release store, so that stores behind it may
 * overtake it.  The reader's loads are acquire loads and stay in order.  The version has one bit.
 *
 * By default the slot's own entry is the word's.  -DBESIDE: it is another word's all the time, and the entry of ours
 * hangs below while it is empty.
 *
 * Mutants that must fail (test/model/run.sh): -DNO_RELEASE, data are stored relaxed (B2); -DNO_ACQUIRE, they are
 * loaded after the second look; -DNO_FENCE, a caller's own stores follow the emptying without a fence (B4); -DNO_EPOCH,
 * the version alone tells; -DLATE_EPOCH, with BESIDE, the epoch is loaded after the first look only (B3).
 */
#ifndef CYCLES
#define CYCLES 3
#endif
#ifndef READS
#define READS 2
#endif

/* Places. */
#define SLOT 0
#define DATA 1
#define BELOW 2
#define NEWS 3                  /* what the writer of a value wrote before */
#define FENCE 4

#define POISON 99               /* what only an empty word has */

#define LOCKED 1
#define EMPTY 2                 /* BESIDE: chained */
#define VERSION_ONE 4
#define VERSION 4
#define EPOCH_ONE 8

byte memory[4];

/* --- stores that are not visible yet --------------------------------------------------------------------- */

#define ROOM 10

byte place[ROOM], content[ROOM];
bool release[ROOM];
byte pending;
bool finished;

/* Whether store i has to wait for j, an earlier one. */
#define IN_THE_WAY (release[i] || place[i] == FENCE || place[j] == FENCE || place[j] == place[i])

inline store(where, what, releases)
{
	atomic {
		pending < ROOM ->
		place[pending] = where;
		content[pending] = what;
		release[pending] = releases;
		pending++
	}
}

proctype visible()
{
	byte i, j;
	bool stuck;

	do
	:: atomic {
		pending > 0 ->
		/* Any of them; it becomes visible unless it has to wait for an earlier one. */
		i = 0;
		do
		:: i + 1 < pending -> i++
		:: break
		od;
		d_step {
			stuck = false;
			j = 0;
			do
			:: j < i && !stuck -> stuck = IN_THE_WAY; j++
			:: else -> break
			od;
			if
			:: !stuck ->
				if
				:: place[i] != FENCE -> memory[place[i]] = content[i]
				:: else
				fi;
				do
				:: i + 1 < pending ->
					place[i] = place[i + 1];
					content[i] = content[i + 1];
					release[i] = release[i + 1];
					i++
				:: else -> break
				od;
				pending--;
				place[pending] = 0;
				content[pending] = 0;
				release[pending] = false
			:: else
			fi;
			i = 0;
			j = 0;
			stuck = false
		}
	   }
	:: atomic { finished && pending == 0 -> break }
	od
}

/* --- the writer ------------------------------------------------------------------------------------------ */

#ifdef NO_RELEASE
#define PUT(value) store(DATA, value, false)
#else
#define PUT(value) store(DATA, value, true)
#endif

#ifdef NO_EPOCH
#define EPOCH_BITS 0
#else
#define EPOCH_BITS (epoch * EPOCH_ONE)
#endif

#ifdef BESIDE
#define FREE_WORD version
#define CHAIN() store(BELOW, 1, true)
#define UNCHAIN() store(BELOW, 2 * epoch, true)
#else
#define FREE_WORD (version | EPOCH_BITS)
#define CHAIN() skip
#define UNCHAIN() store(BELOW, 2 * epoch, true)
#endif

inline lock(w)
{
	store(SLOT, (w) | LOCKED, true)
}

inline drop_entry()
{
	version = (version + VERSION_ONE) & VERSION;
	if
	:: version == 0 -> epoch++
	:: else
	fi;
	UNCHAIN();
	store(SLOT, FREE_WORD, true)
}

proctype writer()
{
	byte version, epoch, value = 1, cycle;

	do
	:: cycle < CYCLES ->
		cycle++;
		value++;
		store(NEWS, value, false);
		if
		:: /* writeF of the full word */
			lock(FREE_WORD);
			PUT(value);
			store(SLOT, FREE_WORD, true)
		:: /* purge, writeEF */
			lock(FREE_WORD);
			CHAIN();
			PUT(POISON);
			store(SLOT, version | EMPTY, true);
			lock(version | EMPTY);
			PUT(value);
			drop_entry()
		:: /* empty, stores of the caller, fill */
			lock(FREE_WORD);
			CHAIN();
			store(SLOT, version | EMPTY, true);
#ifndef NO_FENCE
			store(FENCE, 0, false);
#endif
			store(DATA, POISON, false);
			store(DATA, value, false);
			lock(version | EMPTY);
			drop_entry()
		fi
	:: else -> break
	od;
	finished = true
}

/* --- the reader ------------------------------------------------------------------------------------------ */

#if defined(BESIDE) && !defined(NO_EPOCH)
#define SAME_EPOCH (!(epoch & 1) && memory[BELOW] == epoch)
#else
#define SAME_EPOCH true
#endif

proctype reader()
{
	byte w, data, again, epoch, reads;

	do
	:: reads < READS ->
		reads++;
#ifndef LATE_EPOCH
		epoch = memory[BELOW];
#endif
		w = memory[SLOT];
#ifdef LATE_EPOCH
		epoch = memory[BELOW];
#endif
#ifndef NO_ACQUIRE
		data = memory[DATA];
#endif
		again = memory[SLOT];
#ifdef NO_ACQUIRE
		data = memory[DATA];
#endif
		if
		:: !(w & (LOCKED | EMPTY)) && again == w && SAME_EPOCH ->
			assert(data != POISON);
			assert(memory[NEWS] >= data)
		:: else
		fi;
		d_step { w = 0; data = 0; again = 0; epoch = 0 }
	:: else -> break
	od
}

init
{
	atomic {
		memory[DATA] = 1;
		memory[NEWS] = 1;
		run visible();
		run writer();
		run reader()
	}
}
