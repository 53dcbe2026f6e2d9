/* test/model/barrier.pml -- sync/barrier.c: nobody passes early, nobody sleeps for ever, however late the others are.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * COMERS enter a barrier for SIZE participants PASSES times each.  With COMERS = SIZE everybody's n-th pass is round n;
 * with more, whose number is a multiple, they make up rounds as they come.  A step is a shared access with its memory
 * order; a waiter polls as long as it likes before it parks.
 *
 * Mutants that must fail (test/model/run.sh): -DNO_LOOK, a waiter parks without looking at `open` under the lock (Y2);
 * -DNO_ROUND, whoever ends a round wakes all that are parked (Y4); -DNO_RETRY, who finds the round full goes by.
 */
#ifndef COMERS
#define COMERS 3
#endif
#ifndef SIZE
#define SIZE 3
#endif
#ifndef PASSES
#define PASSES 2
#endif
#ifndef LEAVES
#define LEAVES 2
#endif

#define QUOTA(leaf) (SIZE / LEAVES + ((leaf) < SIZE % LEAVES))

byte open, filled;
byte arrived[LEAVES];
bool locked[LEAVES];
byte parked[COMERS];            /* in which leaf, from 1; 0: in none */
byte parked_round[COMERS];
bool woken[COMERS];
byte entered, ended;            /* for the assertion: calls that have begun, and that have returned */

inline lock(leaf)
{
	atomic { !locked[leaf] -> locked[leaf] = true }
}

#define ARRIVED 0
#define LAST 1
#define FULL 2

inline arrive_at(leaf)
{
	atomic {
		if
		:: arrived[leaf] - round * QUOTA(leaf) >= QUOTA(leaf) -> a = FULL
		:: else ->
			arrived[leaf]++;
			a = (arrived[leaf] - round * QUOTA(leaf) < QUOTA(leaf) -> ARRIVED : LAST)
		fi
	}
	if
	:: a == LAST && LEAVES > 1 ->
		atomic {
			filled++;
			a = (filled == (round + 1) * LEAVES -> LAST : ARRIVED)
		}
	:: else
	fi
}

inline wake_all()
{
	leaf = 0;
	do
	:: leaf < LEAVES ->
		lock(leaf);
		d_step {
			other = 0;
			do
			:: other < COMERS ->
				if
#ifdef NO_ROUND
				:: parked[other] == leaf + 1 ->
#else
				:: parked[other] == leaf + 1 && parked_round[other] <= round ->
#endif
					parked[other] = 0;
					taken = taken | (1 << other)
				:: else
				fi;
				other++
			:: else -> break
			od;
			other = 0;
			locked[leaf] = false
		}
		leaf++
	:: else -> break
	od;
	/* The waiters are gone as soon as they are woken. */
	other = 0;
	do
	:: other < COMERS ->
		if
		:: (taken >> other) & 1 -> woken[other] = true
		:: else
		fi;
		other++
	:: else -> break
	od;
	taken = 0
}

/* The leaf of the worker that it waits on, which may be another than the one where it has arrived. */
inline await()
{
	if
	:: open > round
	:: else ->
		if
		:: leaf = 0
		:: leaf = LEAVES - 1
		fi;
		lock(leaf);
#ifndef NO_LOOK
		if
		:: open > round -> locked[leaf] = false
		:: else ->
#endif
			atomic {
				woken[_pid] = false;
				parked[_pid] = leaf + 1;
				parked_round[_pid] = round;
				locked[leaf] = false
			}
			woken[_pid]
#ifndef NO_LOOK
		fi
#endif
	fi
}

active [COMERS] proctype comer()
{
	byte pass, round, leaf, i, other, taken, a;

	do
	:: pass < PASSES ->
		entered++;
		do
		:: true ->
			round = open;
			i = 0;
			a = FULL;
			do
			:: a == FULL && i < LEAVES ->
				leaf = (_pid + i) % LEAVES;
				arrive_at(leaf);
				i++
			:: else -> break
			od;
			if
			:: a == LAST -> open = round + 1; wake_all()
			:: else -> await()
			fi;
			if
#ifndef NO_RETRY
			:: a == FULL
#endif
			:: else -> break
			fi
		od;
		pass++;
		d_step {
			/* Rounds that must have been complete for so many to have returned. */
			ended++;
			assert(ended <= entered / SIZE * SIZE);
			assert(COMERS > SIZE || entered >= pass * SIZE)
		}
	:: else -> break
	od
}
