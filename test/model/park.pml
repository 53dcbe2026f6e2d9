/* test/model/park.pml -- core/idle.c: no worker sleeps on a task that it could run.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Worker 0 runs a task that makes others ready and then keeps its worker busy until all of them have started; tasks may
 * make more ready, and may keep their workers busy just so, as long as one worker is left.  A thread outside makes
 * tasks ready too.  So when nothing can move any more, all TASKS tasks must have started (P1, P2, P3), and when all
 * workers are asleep at once, none is ready (finalize relies on that).
 *
 * A worker's deque is a number of tasks, to which its owner's stores come late (TSO): until a full fence of its own or
 * somebody's heavy fence, others do not see them.  sched/deque.h is checked by itself in deque.pml; here a search that
 * is not final may miss any task.  A shepherd steals as mts does: from siblings one, from others a chunk and under the
 * thief lock, and what was brought home is announced.
 *
 * Mutants that must fail (test/model/run.sh): -DNO_HEAVY, -DNO_FINAL_LOOK, -DNO_PASS_ON, -DNO_NOTICE, -DTRY_THIEF,
 * -DNO_FENCE.
 */
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef TASKS
#define TASKS 2
#endif
#ifndef OUTSIDE
#define OUTSIDE 1               /* tasks that the thread outside makes ready */
#endif
#ifndef FIRST_OF_1
#define FIRST_OF_1 1            /* first worker of shepherd 1; WORKERS: there is one shepherd */
#endif
#ifndef BUSY
#define BUSY 1                  /* worker 0 is kept busy; 0: it becomes a worker like others */
#endif

#define CHUNK 2
#define SHEPHERD(w) ((w) >= FIRST_OF_1)

#define AWAKE 0
#define PARKED 1
#define ASLEEP 2

byte box[WORKERS];              /* tasks in a worker's deque that others may see */
byte late[WORKERS];             /* and those that they may not see yet */
byte inbox, inbox_late;         /* of the runtime: from the thread outside */

byte pushed, started;
byte spinning;                  /* tasks that keep their workers busy until all have started */

byte idle_count, searching, parked, asleep;
byte searching_in[2], parked_in[2];
byte state[WORKERS];
bool thief[2];

/* --- stores that come late ------------------------------------------------------------------------------- */

inline drain(w)
{
	box[w] = box[w] + late[w];
	late[w] = 0
}

inline drain_all()
{
	d_step {
		inbox = inbox + inbox_late;
		inbox_late = 0;
		box[0] = box[0] + late[0];
		late[0] = 0;
		box[1] = box[1] + late[1];
		late[1] = 0;
#if WORKERS > 2
		box[2] = box[2] + late[2];
		late[2] = 0;
#endif
#if WORKERS > 3
		box[3] = box[3] + late[3];
		late[3] = 0;
#endif
	}
}

active proctype buffers()
{
	byte w;

end:
	do
	:: d_step { inbox_late > 0 -> inbox = inbox + inbox_late; inbox_late = 0 }
	:: d_step { late[0] > 0 -> drain(0) }
	:: d_step { late[1] > 0 -> drain(1) }
#if WORKERS > 2
	:: d_step { late[2] > 0 -> drain(2) }
#endif
#if WORKERS > 3
	:: d_step { late[3] > 0 -> drain(3) }
#endif
	od
}

/* --- waking: `me` is a worker, or WORKERS for the thread outside ----------------------------------------- */

inline own_fence()
{
	d_step {
		if
		:: me < WORKERS -> drain(me)
		:: else -> inbox = inbox + inbox_late; inbox_late = 0
		fi
	}
}

/* Under idle.lock, one step. */
inline rouse(w)
{
	if
	:: state[w] != AWAKE ->
		if
		:: state[w] == ASLEEP -> asleep--
		:: else
		fi;
		parked--;
		parked_in[SHEPHERD(w)] = parked_in[SHEPHERD(w)] - 1;
		searching++;
		searching_in[SHEPHERD(w)] = searching_in[SHEPHERD(w)] + 1;
		state[w] = AWAKE
	:: else
	fi
}

/* One of shepherd s if there is one, else any. */
inline rouse_near(s)
{
	if
	:: state[0] != AWAKE && SHEPHERD(0) == s -> rouse(0)
	:: state[1] != AWAKE && SHEPHERD(1) == s -> rouse(1)
#if WORKERS > 2
	:: state[2] != AWAKE && SHEPHERD(2) == s -> rouse(2)
#endif
#if WORKERS > 3
	:: state[3] != AWAKE && SHEPHERD(3) == s -> rouse(3)
#endif
	:: else ->
		if
		:: state[0] != AWAKE -> rouse(0)
		:: state[1] != AWAKE -> rouse(1)
#if WORKERS > 2
		:: state[2] != AWAKE -> rouse(2)
#endif
#if WORKERS > 3
		:: state[3] != AWAKE -> rouse(3)
#endif
		:: else
		fi
	fi
}

/* qti_notify_slow */
inline notify(s)
{
	if
	:: parked == 0
	:: else ->
		relied = false;
		if
		:: searching != 0 ->
#ifndef NO_FENCE
			own_fence();                                            /* P3 */
#endif
			relied = (searching != 0)
		:: else
		fi;
		if
		:: relied
		:: else ->
			own_fence();                                            /* the lock */
			atomic {
				if
				:: searching == 0 -> rouse_near(s)
				:: else
				fi
			}
		fi
	fi
}

/* qti_notify_shepherd_slow */
inline notify_shepherd(s)
{
	if
	:: parked_in[s] == 0
	:: else ->
		relied = false;
		if
		:: searching_in[s] != 0 ->
#ifndef NO_FENCE
			own_fence();
#endif
			relied = (searching_in[s] != 0)
		:: else
		fi;
		if
		:: relied
		:: else ->
			own_fence();
			atomic {
				if
				:: searching_in[s] == 0 && parked_in[s] != 0 -> rouse_near(s)
				:: else
				fi
			}
		fi
	fi
}

/* P1, after something was put into one's own deque. */
inline notice()
{
	if
	:: idle_count != 0 -> notify(SHEPHERD(me))
	:: else
	fi
}

inline push()
{
	d_step { late[me]++; pushed++ }
	notice()
}

/* --- looking: found is set by whoever takes a task ------------------------------------------------------- */

inline take_own()
{
	d_step {
		if
		:: late[me] > 0 -> late[me]--; found = true
		:: late[me] == 0 && box[me] > 0 -> box[me] = box[me] - 1; found = true
		:: else
		fi
	}
}

inline take_from_inbox()
{
	d_step {
		if
		:: inbox > 0 -> inbox--; found = true
		:: else
		fi
	}
}

/* One victim, up to n tasks: one to run, the others into one's own deque.  In passing one may see nothing. */
inline steal(v, n)
{
	if
	:: atomic {
		box[v] > 0 ->
			found = true;
			box[v] = box[v] - 1;
			if
			:: n > 1 && box[v] > 0 -> box[v] = box[v] - 1; late[me]++; more = true
			:: else
			fi
		}
	:: box[v] == 0 || !final
	fi
}

inline steal_from_siblings()
{
	victim = 0;
	do
	:: victim < WORKERS && !found ->
		if
		:: victim != me && SHEPHERD(victim) == SHEPHERD(me) -> steal(victim, 1)
		:: else
		fi;
		victim++
	:: else -> break
	od
}

inline steal_from_others()
{
	victim = 0;
	more = false;
	do
	:: victim < WORKERS && !found ->
		if
		:: SHEPHERD(victim) != SHEPHERD(me) -> steal(victim, CHUNK)
		:: else
		fi;
		victim++
	:: else -> break
	od;
	if
	:: more ->
#ifndef NO_NOTICE
		notice();
#endif
		more = false
	:: else
	fi
}

inline look()
{
	take_own();
	if
	:: !found -> take_from_inbox()
	:: else
	fi;
	if
	:: !found -> steal_from_siblings()
	:: else
	fi;
	if
	:: !found ->
		if
		:: atomic { !thief[SHEPHERD(me)] -> thief[SHEPHERD(me)] = true }
			steal_from_others();
			thief[SHEPHERD(me)] = false
#ifdef TRY_THIEF
		:: thief[SHEPHERD(me)]
#else
		:: thief[SHEPHERD(me)] && !final
#endif
		fi
	:: else
	fi;
	victim = 0
}

/* --- idle ------------------------------------------------------------------------------------------------ */

inline search_begin()
{
	if
	:: searching_in[SHEPHERD(me)] != 0 -> searches = false
	:: else ->
		searches = true;
		d_step { drain(me); searching_in[SHEPHERD(me)] = searching_in[SHEPHERD(me)] + 1 }
		searching++
	fi
}

inline search_end()
{
	d_step { drain(me); searching_in[SHEPHERD(me)] = searching_in[SHEPHERD(me)] - 1 }
	searching--
}

inline announce()
{
	d_step {
		drain(me);
		state[me] = PARKED;
		parked++;
		parked_in[SHEPHERD(me)] = parked_in[SHEPHERD(me)] + 1
	}
}

inline fall_asleep()
{
	atomic {
		if
		:: state[me] == PARKED ->
			state[me] = ASLEEP;
			asleep++;
			assert(asleep < WORKERS || box[0] + late[0] + box[1] + late[1] == 0);
#if WORKERS > 2
			assert(asleep < WORKERS || box[2] + late[2] == 0)
#endif
		:: else
		fi
	}
}

inline pass_on()
{
	own_fence();
	if
	:: parked == 0
	:: else ->
		d_step {
			work = false;
			elsewhere = inbox > 0;
			victim = 0;
			do
			:: victim < WORKERS ->
				work = work || (box[victim] > 0 && SHEPHERD(victim) == SHEPHERD(me));
				elsewhere = elsewhere || box[victim] > 0;
				victim++
			:: else -> break
			od;
			victim = 0
		}
		if
		:: work -> notify_shepherd(SHEPHERD(me))
		:: else
		fi;
		if
		:: elsewhere -> notify(SHEPHERD(me))
		:: else
		fi;
		work = false;
		elsewhere = false
	fi
}

inline idle()
{
	d_step { drain(me); idle_count++ }
	search_begin();
	do
	::	if
		:: searches ->
			final = false;
			look()
		:: else
		fi;
		if
		:: found -> break
		:: else
		fi;
		announce();
		if
		:: searches -> search_end()
		:: else
		fi;
#ifndef NO_HEAVY
		drain_all();                                                    /* P2 */
#endif
		final = true;
#ifndef NO_FINAL_LOOK
		look();
#endif
		final = false;
		if
		:: found ->
			atomic { rouse(me) }
			break
		:: else
		fi;
		fall_asleep();
end_asleep:
		state[me] == AWAKE;
		searches = true
	od;
	search_end();
	idle_count--;
	searches = false;
#ifndef NO_PASS_ON
	pass_on();
#endif
	skip
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

inline run_task()
{
	found = false;
	started++;
	if
	:: atomic { pushed < TASKS -> skip }
		push()
	:: skip
	fi;
	if
	:: atomic { spinning + BUSY < WORKERS - 1 -> spinning++ }
		started == TASKS + OUTSIDE
	:: skip
	fi
}

proctype worker(byte me)
{
	byte victim;
	bool found, final, searches, more, relied, work, elsewhere;

	if
	:: me == 0 ->
		do
		:: atomic { pushed < TASKS -> skip } push()
		:: break
		od;
		if
		:: BUSY -> started == TASKS + OUTSIDE
		:: !BUSY
		fi
	:: else
	fi;
	do
	::	final = false;
		look();                 /* quietly: nobody relies on it */
		if
		:: found
		:: else -> idle()
		fi;
		run_task()
	od
}

proctype outside(byte me)
{
	byte n;
	bool relied;

	do
	:: n < OUTSIDE ->
		n++;
		inbox_late++;
		notice()
	:: else -> break
	od
}

/* What nobody made ready is as good as started. */
active proctype judge()
{
	atomic {
		run worker(0);
		run worker(1);
#if WORKERS > 2
		run worker(2);
#endif
#if WORKERS > 3
		run worker(3);
#endif
		run outside(WORKERS)
	}
	timeout;
	assert(started >= pushed + OUTSIDE)
}
