/* test/model/duty.pml -- core/duty.c: nothing stays behind in a shepherd that has left (P4, P5 of core/worker.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One shepherd with one worker and a queue that only this worker takes from, and an inbox that anybody may empty.  Two
 * threads put tasks into either, as long as they believe that it is on duty; a third disables it, and may enable it
 * again.  What is put anywhere else is taken care of there.  When nothing can move any more, nothing is left in either.
 *
 * A pusher's store comes late: until the heavy fence of another or a full fence of its own, others may not see it.
 *
 * Mutants that must fail (test/model/run.sh): -DNO_HEAVY, -DNO_CHECK, -DNO_FORWARD, -DNO_HAND_ON.
 */
#define AWAKE 0
#define LEAVING 1
#define AWAY 2
#define PARKED 3
#define ASLEEP 4

#define PUSHERS 2
#ifndef TASKS
#define TASKS 2                 /* of each pusher */
#endif

byte queue, inbox, queue_late[PUSHERS], inbox_late[PUSHERS];
byte state, idle_count;
bool off, elsewhere;            /* elsewhere: stand_in is another */

inline drain(p)
{
	queue = queue + queue_late[p];
	queue_late[p] = 0;
	inbox = inbox + inbox_late[p];
	inbox_late[p] = 0
}

inline heavy()
{
#ifndef NO_HEAVY
	d_step { drain(0); drain(1) }
#endif
	skip
}

active proctype buffers()
{
end:
	do
	:: d_step { queue_late[0] + inbox_late[0] > 0 -> drain(0) }
	:: d_step { queue_late[1] + inbox_late[1] > 0 -> drain(1) }
	od
}

/* Under idle.lock, one step, as all changes of state. */
inline rouse()
{
	if
	:: state == PARKED || state == ASLEEP -> idle_count--; state = AWAKE
	:: state == LEAVING || state == AWAY -> state = AWAKE
	:: else
	fi
}

/* qti_forward */
inline forward()
{
#ifndef NO_FORWARD
	if
	:: elsewhere -> inbox = 0       /* each to the stand-in */
	:: else
	fi;
	if
	:: state == LEAVING || state == AWAY -> atomic { rouse() }
	:: else
	fi
#endif
	skip
}

proctype pusher(byte me)
{
	byte n;

	do
	:: n < TASKS ->
		n++;
		if
		:: elsewhere            /* seen at once: it goes to the stand-in */
		:: !elsewhere ->
			if
			:: queue_late[me]++
			:: inbox_late[me]++
			fi;
			/* the light fence */
			if
			:: idle_count != 0 -> atomic { drain(me); rouse() }     /* P1; the lock is a full fence */
			:: else
			fi;
#ifndef NO_CHECK
			if
			:: elsewhere -> atomic { drain(me) } forward()          /* P4 */
			:: else
			fi
#endif
		fi
	:: else -> break
	od
}

/* qti_duty_set_shepherd */
inline set_shepherd(disabled)
{
	atomic {
		off = disabled;
		rouse();
		elsewhere = disabled
	}
	heavy();
	if
	:: elsewhere -> forward()
	:: else
	fi
}

proctype changer()
{
	set_shepherd(true);
	if
	:: set_shepherd(false);
		if
		:: set_shepherd(true)
		:: skip
		fi
	:: skip
	fi
}

proctype worker()
{
	bool found;

	do
	:: off ->
		/* qti_idle_away */
		atomic {
			if
			:: off -> state = LEAVING
			:: else
			fi
		}
		if
		:: state == LEAVING ->
			heavy();                                                /* P5 */
#ifndef NO_HAND_ON
			if
			:: elsewhere -> queue = 0; inbox = 0
			:: else
			fi;
#endif
			atomic {
				if
				:: state == LEAVING -> state = AWAY
				:: else
				fi
			}
end_away:
			state == AWAKE
		:: else
		fi
	:: !off ->
		/* A task, which may take its time; or sleep. */
		d_step {
			found = false;
			if
			:: queue > 0 -> queue--; found = true
			:: queue == 0 && inbox > 0 -> inbox--; found = true
			:: else
			fi
		}
		if
		:: found
		:: else ->
			atomic { idle_count++; state = PARKED }
			heavy();                                                /* P2 */
			if
			:: queue + inbox > 0 || off -> atomic { rouse() }
			:: else ->
				atomic {
					if
					:: state == PARKED -> state = ASLEEP
					:: else
					fi
				}
end_asleep:
				state == AWAKE
			fi
		fi
	od
}

active proctype judge()
{
	atomic { run worker(); run pusher(0); run pusher(1); run changer() }
	timeout;
	assert(queue + inbox == 0)
}
