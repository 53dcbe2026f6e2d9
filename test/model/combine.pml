/* test/model/combine.pml -- base/combine.h: each request happens once and alone, and its answer comes to who asked.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * THREADS threads make REQUESTS requests each, of OBJECTS objects in any order; a request adds one to the object by a
 * load and a store, and the answer is what was there.  A node's owner and the object's holder take single steps, in the
 * order that the release stores and acquire loads of CB1 to CB3 leave them; what a missing one of them would allow is a
 * mutant in which two steps have changed places.  In the end no request may be under way, and each object has been
 * added to as often as asked.
 *
 * Mutants that must fail (test/model/run.sh): -DTORN_SWAP, -DLATE_CLEAR, -DLATE_WAIT (CB1), -DEARLY_NEXT (CB2),
 * -DEARLY_SERVED, -DEARLY_HOLD, -DLATE_NEXT (CB3), -DNO_PASS, -DNO_LIMIT.
 */
#ifndef THREADS
#define THREADS 2
#endif
#ifndef REQUESTS
#define REQUESTS 2
#endif
#ifndef OBJECTS
#define OBJECTS 2
#endif
#ifndef MOST
#define MOST 2
#endif

#define NODES (OBJECTS + THREADS)
#define NONE 255

#define WAIT 0
#define SERVED 1
#define HOLD 2

byte next[NODES], state[NODES], word[NODES];
byte tail[OBJECTS];

byte count[OBJECTS];            /* the objects */
byte busy[OBJECTS];             /* holders at work: a ghost */
byte asked[OBJECTS];            /* requests that were announced: a ghost */
byte ended;

#define ASKING 100              /* a word that holds an argument and not an answer */

/* One request of object o, whose node is n; the asking thread checks what it gets. */
inline call_request(n)
{
	assert(word[n] == ASKING + o);          /* the request is there, and it is this object's */
	was = count[o];
	count[o] = was + 1;
	word[n] = was
}

/* From `mine` on. */
inline serve()
{
	busy[o]++;
	assert(busy[o] == 1);
	at = mine;
	served = 0;
	do
	:: served < MOST && next[at] != NONE ->
		following = next[at];                   /* CB2 */
#ifdef EARLY_SERVED
		if
		:: at != mine -> state[at] = SERVED
		:: else -> skip
		fi;
#endif
		call_request(at);
#ifndef EARLY_SERVED
		if
		:: at != mine -> state[at] = SERVED     /* CB3 */
		:: else -> skip
		fi;
#endif
#ifdef LATE_NEXT
		following = next[at];
#endif
		at = following;
#ifndef NO_LIMIT
		served++;
#endif
		handled++
	:: else -> break
	od;
	assert(handled <= MOST);
	busy[o]--;
#ifndef NO_PASS
	state[at] = HOLD;                               /* CB3 */
#endif
	at = 0; following = 0; served = 0; handled = 0
}

proctype asker(byte spare)
{
	byte fresh, mine, o, i, at, following, was, served, handled;

	do
	:: i < REQUESTS ->
		i++;
		if
		:: o = 0
		:: OBJECTS > 1 -> o = OBJECTS - 1
		fi;
		fresh = spare;
#ifndef LATE_CLEAR
		next[fresh] = NONE;
#endif
#ifndef LATE_WAIT
		state[fresh] = WAIT;
#endif
#ifdef TORN_SWAP
		mine = tail[o];
		tail[o] = fresh;
#else
		d_step { mine = tail[o]; tail[o] = fresh }      /* CB1 */
#endif
#ifdef LATE_CLEAR
		next[fresh] = NONE;
#endif
#ifdef LATE_WAIT
		state[fresh] = WAIT;
#endif
#ifdef EARLY_NEXT
		next[mine] = fresh;
		word[mine] = ASKING + o;
#else
		word[mine] = ASKING + o;
		next[mine] = fresh;                             /* CB2 */
#endif
		asked[o]++;
		spare = mine;
#ifdef EARLY_HOLD
		was = count[o];
#endif
		state[mine] != WAIT;                            /* CB3 */
		if
		:: state[mine] == HOLD ->
#ifdef EARLY_HOLD
			assert(was == count[o]);
#endif
			serve()
		:: else -> skip
		fi;
		assert(word[mine] < ASKING);                    /* an answer */
		was = 0
	:: else -> break
	od;
	fresh = 0; mine = 0;
	d_step {
		ended++;
		if
		:: ended == THREADS ->
			for (o in count) {
				assert(count[o] == asked[o])
			}
		:: else -> skip
		fi
	}
}

init {
	byte i;

	atomic {
		for (i : 0 .. OBJECTS - 1) {
			tail[i] = i;
			next[i] = NONE;
			state[i] = HOLD
		}
		for (i : 0 .. THREADS - 1) {
			run asker(OBJECTS + i)
		}
	}
}
