/* test/model/lfqueue.pml -- ds/lfqueue.h: nobody touches a segment that has been freed, and the queue is a queue.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Pushers put elements in and poppers take them out, through segments of CELLS cells.  Every access to a word is a step
 * of its own, and steps are in one order.  A segment that has been freed is the next to be given out: so it comes back,
 * at the same address, to a thread that knew it before.
 *
 * Checked: a thread touches a segment only in that life of it in which it took its index (L2 to L4).  Elements come out
 * once; those of one pusher come out in order as far as one popper sees it; none is lost.  A pop that says "empty" has
 * had a moment when no element was there that no popper had claimed (L5, L6).  Nobody gets stuck.
 *
 * Mutants that must fail (test/model/run.sh): -DNO_INSIDE, -DNO_CELLS, -DNO_RECYCLED, -DEARLY_MOVE.
 */
#ifndef PUSHERS
#define PUSHERS 1
#endif
#ifndef PUSHES
#define PUSHES 3                /* of each pusher */
#endif
#ifndef POPPERS
#define POPPERS 2
#endif
#ifndef POPS
#define POPS 2                  /* of each popper */
#endif
#ifndef CELLS
#define CELLS 1
#endif
#ifndef SEGMENTS
#define SEGMENTS 5
#endif

#define TOTAL (PUSHERS * PUSHES)
#define NONE 15                 /* no segment */
#define POISON 100
#define LEFT 101                /* the cell's own address */
#define AT(s, i) ((s) * CELLS + (i))

byte cell[SEGMENTS * CELLS];
byte next[SEGMENTS];
short inside[SEGMENTS];
byte moved[SEGMENTS];           /* 1: tail, 2: head */
bit used[SEGMENTS];
bit retired[SEGMENTS];          /* in the list */

byte tail_seg, tail_index, head_seg, head_index, recycled;

/* What the checks know; no part of the protocol. */
byte life[SEGMENTS];            /* times it was given out */
bit claimed[SEGMENTS * CELLS];
byte present;                   /* elements that no popper has claimed */
bit moment[POPPERS];            /* there was one, during this pop, when present was 0 */
bit popped[TOTAL + 1];
byte npopped, finished;

#define MINE(s, when) assert(used[s] && life[s] == when)

inline note_empty()
{
	if
	:: present == 0 ->
		moment[0] = 1;
#if POPPERS > 1
		moment[1] = 1;
#endif
#if POPPERS > 2
		moment[2] = 1;
#endif
	:: else -> skip
	fi
}

inline note_put(s, i)
{
	if
	:: claimed[AT(s, i)] -> skip
	:: else -> present++
	fi
}

inline note_claim(s, i)
{
	claimed[AT(s, i)] = 1;
	if
	:: cell[AT(s, i)] != 0 -> present--
	:: else -> skip
	fi;
	note_empty()
}

inline segment_new(s)
{
	d_step {
		s = 0;
		do
		:: s < SEGMENTS && used[s] -> s++
		:: else -> break
		od;
		assert(s < SEGMENTS);
		used[s] = 1;
		life[s]++;
		next[s] = NONE;
		inside[s] = 0;
		moved[s] = 0;
		k = 0;
		do
		:: k < CELLS -> cell[AT(s, k)] = 0; claimed[AT(s, k)] = 0; k++
		:: else -> break
		od;
		k = 0
	}
}

/* Whether everybody has left x. */
inline see_whether_left(x)
{
	d_step {
		left = 1;
#ifndef NO_INSIDE
		left = (inside[x] == 0 && moved[x] == 3);
#endif
#ifndef NO_CELLS
		k = 0;
		do
		:: k < CELLS -> left = left && cell[AT(x, k)] == LEFT; k++
		:: else -> break
		od;
#endif
		k = 0
	}
}

/* --- push ------------------------------------------------------------------------------------------------ */

proctype pusher(byte me)
{
	byte n, s, i, to, when, k, count, element;
	bit won, put;

	do
	:: n == PUSHES -> break
	:: else ->
		n++;
		element = me * PUSHES + n;
try:
		atomic { s = tail_seg; i = tail_index; when = life[s]; tail_index++ }
		if
		:: i < CELLS ->
			d_step {
				MINE(s, when);
				put = (cell[AT(s, i)] == 0);
				if
				:: put -> cell[AT(s, i)] = element; note_put(s, i)
				:: else -> skip
				fi
			}
			if
			:: put -> skip
			:: else ->
				d_step { MINE(s, when); assert(cell[AT(s, i)] == POISON); cell[AT(s, i)] = LEFT }
				goto try
			fi
		:: else ->
			d_step { MINE(s, when); to = next[s]; put = 0 }
			if
			:: to == NONE ->
				segment_new(to);
				d_step {
					cell[AT(to, 0)] = element;
					MINE(s, when);
					put = (next[s] == NONE);
					if
					:: put -> next[s] = to
					:: else -> used[to] = 0; to = next[s]
					fi
				}
			:: else -> skip
			fi;
			d_step {
				won = (tail_seg == s);
				count = tail_index;
				if
				:: won -> tail_seg = to; tail_index = 1; note_put(to, 0)
				:: else -> skip
				fi
			}
			d_step {
				MINE(s, when);
				if
				:: won -> inside[s] = inside[s] + count - CELLS - 1; moved[s] = moved[s] + 1
				:: else -> inside[s] = inside[s] - 1
				fi;
				count = 0
			}
			if
			:: put -> skip
			:: else -> goto try
			fi
		fi
	od;
	finished++
}

/* --- pop ------------------------------------------------------------------------------------------------- */

proctype popper(byte me)
{
	byte n, s, i, to, when, k, count, element, then, r;
	byte last[PUSHERS];
	bit won, left;

	do
	:: n == POPS -> break
	:: else ->
		d_step { n++; moment[me] = (present == 0) }
look:
		then = recycled;
		d_step { s = head_seg; i = head_index }
		d_step { to = tail_seg; count = tail_index }
		if
		:: s != to -> skip
		:: else ->
#ifndef NO_RECYCLED
			if
			:: recycled != then -> goto look
			:: else -> skip
			fi;
#endif
			if
			:: i >= CELLS || i >= count -> assert(moment[me]); goto ended
			:: else -> skip
			fi
		fi;
		d_step {
			then = 0;
			count = 0;
			s = head_seg;
			i = head_index;
			when = life[s];
			head_index++;
			if
			:: i < CELLS -> note_claim(s, i)
			:: else -> skip
			fi
		}
		if
		:: i < CELLS -> skip
		:: else ->
			to = tail_seg;
#ifndef EARLY_MOVE
			if
			:: to == s ->
				d_step {
					MINE(s, when);
					if
					:: head_seg == s -> head_index--
					:: else -> inside[s] = inside[s] - 1
					fi
				}
				goto look
			:: else -> skip
			fi;
#endif
			d_step { MINE(s, when); to = next[s] }
#ifdef EARLY_MOVE
			if
			:: to == NONE -> head_index--; goto look
			:: else -> skip
			fi;
#endif
			d_step {
				won = (head_seg == s);
				count = head_index;
				if
				:: won -> head_seg = to; head_index = 1; note_claim(to, 0)
				:: else -> skip
				fi
			}
			d_step {
				MINE(s, when);
				if
				:: won -> inside[s] = inside[s] + count - CELLS - 1; moved[s] = moved[s] + 2; retired[s] = 1
				:: else -> inside[s] = inside[s] - 1
				fi;
				count = 0
			}
			if
			:: won -> skip
			:: else -> goto look
			fi;
			d_step { s = to; i = 0; when = life[s]; r = 0 }
			do
			:: atomic {
				do
				:: r < SEGMENTS && !retired[r] -> r++
				:: else -> break
				od;
				if
				:: r < SEGMENTS -> retired[r] = 0
				:: else -> break
				fi
			}
				see_whether_left(r);
				if
				:: left -> recycled++; used[r] = 0
				:: else -> retired[r] = 1
				fi;
				r++
			od;
			r = 0
		fi;
		d_step {
			MINE(s, when);
			element = cell[AT(s, i)];
			if
			:: element == 0 -> cell[AT(s, i)] = POISON
			:: else -> skip
			fi
		}
		if
		:: element == 0 -> goto look
		:: else -> skip
		fi;
		d_step {
			MINE(s, when);
			assert(element <= TOTAL && !popped[element] && element > last[(element - 1) / PUSHES]);
			cell[AT(s, i)] = LEFT;
			last[(element - 1) / PUSHES] = element;
			popped[element] = 1;
			npopped++
		}
ended:
		atomic { element = 0; s = 0; i = 0; when = 0; to = 0; count = 0; then = 0 }
	od;
	finished++
}

init {
	byte k;

	atomic {
		segment_new(tail_seg);
		head_seg = tail_seg;
		for (k : 0 .. PUSHERS - 1) {
			run pusher(k)
		}
		for (k : 0 .. POPPERS - 1) {
			run popper(k)
		}
	}
	finished == PUSHERS + POPPERS;
	assert(present + npopped == TOTAL)
}
