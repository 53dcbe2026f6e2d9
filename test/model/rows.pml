/* test/model/rows.pml -- sched/rows.c: no task of a row is lost or taken twice, and nobody sleeps on one that it may take.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The producer, worker 0, puts tasks into the row of worker 1, the owner: strict ones, which nobody else may take, and open
 * ones; between them it may push an open task to itself and take it again.  Then it is busy until all have been taken.
 * The owner pops, may run one task for as long as an open one is left, and parks.  Worker 2, the rescuer, parks too, and looks
 * for open tasks before (P1, P2 of core/worker.h; XQ1 to XQ3 of sched/rows.h; RG1 of sched/ring.h).  When nothing can move any
 * more, all tasks must have been taken.
 *
 * Stores of producer and owner come late, in order (TSO): until a full fence of their own or somebody's heavy fence, others do
 * not see them.  Slots are not used again here; test/stress/rows.c has them do that.
 *
 * Mutants that must fail (test/model/run.sh): -DNO_HEAVY_PARK, -DNO_HEAVY_RESCUE, -DNO_WAIT, -DNO_SHUT, -DOPENED_FIRST,
 * -DNO_ANY, -DNO_NOTIFY.
 */
#ifndef TASKS
#define TASKS 2
#endif

#define EMPTY 0
#define STRICT 1
#define OPEN 2
#define GONE 3

#define AWAKE 0
#define PARKED 1

byte slot[TASKS];               /* as others see it */
byte pushed;                    /* tasks that the producer has pushed to the row */
byte times[TASKS];              /* that a task was taken */
byte opened, taken_self, taken;
bool inside, shut, gate;
byte state[3];
byte open_left;                 /* open tasks pushed to the row and not taken: a ghost */

/* Stores on their way.  Producer: a task's kind, or one of these; owner: likewise. */
#define OPENED 4
#define TAKEN 5
#define ENTER 6
#define LEAVE 7
#define CLEAR 8
chan late0 = [8] of { byte };
chan late1 = [8] of { byte };
byte arrived;                   /* slots that others see filled */
byte cleared;                   /* by the owner: slots in order */

inline drain0()
{
	late0?what0;
	if
	:: what0 == OPENED -> opened++
	:: what0 == TAKEN -> taken_self++
	:: else -> slot[arrived] = what0; arrived++
	fi;
	what0 = 0
}

inline drain1()
{
	late1?what1;
	if
	:: what1 == ENTER -> inside = true
	:: what1 == LEAVE -> inside = false
	:: what1 == TAKEN -> taken++
	:: else -> slot[cleared] = GONE; cleared++
	fi;
	what1 = 0
}

byte what0, what1;

inline fence0()
{
	d_step {
		do
		:: nempty(late0) -> drain0()
		:: empty(late0) -> break
		od
	}
}

inline fence1()
{
	d_step {
		do
		:: nempty(late1) -> drain1()
		:: empty(late1) -> break
		od
	}
}

active proctype memory()
{
end:
	do
	:: d_step { nempty(late0) -> drain0() }
	:: d_step { nempty(late1) -> drain1() }
	od
}

inline take_one(i)
{
	times[i] = times[i] + 1;
	assert(times[i] == 1)
}

/* --- the producer ---------------------------------------------------------------------------------------- */

inline notify(open)
{
#ifndef NO_NOTIFY
	if
	:: state[1] != AWAKE -> fence0(); state[1] = AWAKE
	:: else -> skip
	fi;
#endif
#ifndef NO_ANY
	if
	:: open && state[2] != AWAKE -> fence0(); state[2] = AWAKE
	:: else -> skip
	fi
#endif
}

inline push(kind)
{
	if
	:: kind == OPEN -> d_step { late0!OPENED; open_left++ }
	:: else -> skip
	fi;
	d_step { late0!kind; pushed++ }                                         /* RG1 */
	notify(kind == OPEN)                                                    /* P1 */
}

active proctype producer()
{
	byte n;
	bool self;

	do
	:: n < TASKS ->
		if
		:: true -> push(STRICT)
		:: true -> push(OPEN)
		fi;
		n++;
		if
		:: !self -> self = true; late0!OPENED; late0!TAKEN              /* XQ3 */
		:: skip
		fi
	:: else -> break
	od
}

/* --- the owner ------------------------------------------------------------------------------------------- */

inline look()
{
	do
	:: head < TASKS && slot[head] == GONE -> d_step { late1!CLEAR; head++ }
	:: else -> break
	od;
	if
	:: head < TASKS && slot[head] != EMPTY ->
		kind = slot[head];
		take_one(head);
		d_step { late1!CLEAR; head++ }
		if
		:: kind == OPEN -> d_step { late1!TAKEN; open_left-- }
		:: else -> skip
		fi;
		found = true
	:: else -> skip
	fi
}

/* What a rescuer took counts as cleared when the owner passes it, so that clears arrive in the order of slots. */
inline pop()
{
	late1!ENTER;                                                            /* XQ1 */
	if
	:: shut ->
		late1!LEAVE;
		atomic { !gate -> gate = true }
		fence1();
		look();
		gate = false
	:: else ->
		look();
		late1!LEAVE
	fi
}

active proctype owner()
{
	byte head, kind;
	bool found;

	do
	::	pop();
		if
		:: found ->
			found = false;
			if
			:: true -> open_left == 0 && pushed == TASKS
			:: skip
			fi
		:: else ->
			fence1();
			state[1] = PARKED;
#ifndef NO_HEAVY_PARK
			fence0();                                               /* P2 */
#endif
			pop();
			fence1();
			if
			:: found -> state[1] = AWAKE; found = false
			:: else ->
end_asleep:
				state[1] == AWAKE
			fi
		fi
	od
}

/* --- the rescuer ----------------------------------------------------------------------------------------- */

inline rescue()
{
	atomic { !gate -> gate = true }
#ifndef NO_SHUT
	shut = true;
#endif
#ifndef NO_HEAVY_RESCUE
	fence1();                                                               /* XQ2 */
#endif
#ifndef NO_WAIT
	!inside;
#endif
	i = 0;
	do
	:: i < TASKS && !found ->
		if
		:: slot[i] == OPEN ->
			take_one(i);
			d_step { slot[i] = GONE; taken++; open_left-- }
			found = true
		:: else -> skip
		fi;
		i++
	:: else -> break
	od;
	i = 0;
	shut = false;
	gate = false
}

active proctype rescuer()
{
	byte i, sum;
	bool found;

	do
	::	state[2] = PARKED;
		fence0();                                                       /* P2 */
		fence1();
#ifdef OPENED_FIRST
		sum = opened;
		sum = sum - taken_self;
		sum = sum - taken;
#else
		sum = taken;                                                    /* XQ3 */
		sum = sum + taken_self;
		sum = opened - sum;
#endif
		if
		:: sum != 0 -> rescue()
		:: else -> skip
		fi;
		if
		:: found -> state[2] = AWAKE; found = false
		:: else ->
end_asleep:
			state[2] == AWAKE
		fi;
		sum = 0
	od
}

active proctype judge()
{
	byte i;

	timeout;
	do
	:: i < TASKS -> assert(times[i] == 1); i++
	:: else -> break
	od
}
