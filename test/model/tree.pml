/* test/model/tree.pml -- omp/team/tree.h: nobody passes before all are there and no task is left, nobody sleeps for
 * ever.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * MEMBERS of a team, in a line if LINE is set (so that there are grandchildren with few of them), else in the binary
 * tree, meet at PASSES barriers, one after another.  Before a barrier, and in tasks, they create tasks, TASKS in all,
 * which lie in one queue.  Who waits runs them, between two looks; who sleeps has a worker that does so on the same
 * thread, and may be roused for no reason, as by a list.
 *
 * A step is a shared access with its memory order; a fence that orders a store before a load (TB4) is left out by
 * letting the load come first.  A task that ends is counted before it is forgotten, one that is created before it is
 * queued.
 *
 * Mutants that must fail (test/model/run.sh): -DNO_LOOK, a member sleeps without a look after it stored its record;
 * -DNO_FENCE_UP and -DNO_FENCE_DOWN, who gathers or asks looks for the sleeper before it stores; -DONE_WAVE, the root
 * relies on the sums of one wave; -DOLD_SUMS, members gather for a second wave without their children; -DNO_UPDATE,
 * sums are told once in a wave; -DNO_ROUSE, who ends a task on a sleeper's thread leaves it asleep.
 */
#ifndef MEMBERS
#define MEMBERS 3
#endif
#ifndef TASKS
#define TASKS 2
#endif
#ifndef PASSES
#define PASSES 1
#endif

#ifdef LINE
#define PARENT(i) ((i) - 1)
#define FIRST(i) ((i) + 1)
#define SECOND(i) MEMBERS
#else
#define PARENT(i) (((i) - 1) / 2)
#define FIRST(i) (2 * (i) + 1)
#define SECOND(i) (2 * (i) + 2)
#endif

#define ASK_FOR(wave) (2 * (wave))
#define LET_GO_AFTER(wave) (2 * (wave) + 1)

/* The members' words. */
byte gathered[MEMBERS], sum_created[MEMBERS], sum_finished[MEMBERS];
byte asked[MEMBERS] = 1;
bool sleeper[MEMBERS], woken[MEMBERS];
byte created[MEMBERS], finished[MEMBERS];
bool watch, tasks;

/* For the assertions, and what there is to run. */
byte made, queued, running;
byte here;                      /* calls of the barrier that have begun */

/* --- tasks: on member me's thread ------------------------------------------------------------------------- */

inline create()
{
	atomic {
		made < TASKS -> made++;
		created[me]++;
		tasks = true;
		queued++
	}
}

/* Those of others are seen only when they are counted; those who run on one thread do so one after another. */
inline run_task()
{
	atomic { queued > 0 -> queued--; running++ }
	if
	:: create()
	:: skip
	fi;
	atomic { finished[me]++; running-- }
}

/* --- waking ---------------------------------------------------------------------------------------------- */

inline rouse(i)
{
	d_step {
		if
		:: sleeper[i] -> sleeper[i] = false; woken[i] = true
		:: else
		fi
	}
}

/* --- what there is to do --------------------------------------------------------------------------------- */

#define NOTHING 0
#define GATHER 1
#define ASK 2
#define LET_GO 3

inline created_below(i)
{
	if
	:: i < MEMBERS && gathered[i] == wave -> c = c + sum_created[i]
#ifdef OLD_SUMS
	:: i < MEMBERS && gathered[i] + 1 == wave && waves > 1 -> c = c + sum_created[i]
	:: i < MEMBERS && gathered[i] != wave && !(gathered[i] + 1 == wave && waves > 1) -> all = false
#else
	:: i < MEMBERS && gathered[i] != wave -> all = false
#endif
	:: else
	fi
}

inline finished_below(i)
{
	if
	:: i < MEMBERS -> f = f + sum_finished[i]
	:: else
	fi
}

inline due_to_root()
{
	if
	:: !tasks -> due = LET_GO
#ifdef ONE_WAVE
	:: tasks && c == f -> due = LET_GO
#else
	:: tasks && waves > 1 && before == c -> due = LET_GO
	:: tasks && !(waves > 1 && before == c) && c == f -> due = ASK
#endif
	:: else
	fi
}

inline due_to_child()
{
	if
	:: gathered[me] != wave -> due = GATHER
#ifndef NO_UPDATE
	:: gathered[me] == wave && (sum_created[me] != c || sum_finished[me] != f) -> due = GATHER
#endif
	:: else
	fi
}

/* Sums are read one after the other. */
inline look()
{
	atomic {
		due = NOTHING;
		all = false;
		if
		:: me > 0 && asked[me] == LET_GO_AFTER(wave) -> due = LET_GO
		:: me > 0 && asked[me] == ASK_FOR(wave + 1) -> due = ASK
		:: else ->
			all = true;
			c = created[me];
			created_below(FIRST(me));
			created_below(SECOND(me))
		fi
	}
	atomic {
		if
		:: all ->
			f = finished[me];
			finished_below(FIRST(me));
			finished_below(SECOND(me));
			if
			:: me == 0 -> due_to_root()
			:: else -> due_to_child()
			fi
		:: else
		fi;
		all = false
	}
}

/* --- doing it -------------------------------------------------------------------------------------------- */

inline gather()
{
	sum_created[me] = c;
	sum_finished[me] = f;
#ifdef NO_FENCE_UP
	asleep = sleeper[PARENT(me)];
	gathered[me] = wave;
	if
	:: asleep -> rouse(PARENT(me))
	:: else
	fi;
	asleep = false
#else
	gathered[me] = wave;
	rouse(PARENT(me))
#endif
}

inline tell_child(i, what)
{
	if
	:: i < MEMBERS ->
#ifdef NO_FENCE_DOWN
		asleep = sleeper[i];
		asked[i] = what;
		if
		:: asleep -> rouse(i)
		:: else
		fi;
		asleep = false
#else
		asked[i] = what;
		rouse(i)
#endif
	:: else
	fi
}

inline tell_children(what)
{
	tell_child(FIRST(me), what);
	tell_child(SECOND(me), what)
}

inline sleep()
{
	atomic { woken[me] = false; watch = true }
	sleeper[me] = true;
#ifndef NO_LOOK
	look();
	if
	:: due != NOTHING ->
		rouse(me)
	:: else
	fi;
#endif
	do
	:: woken[me] -> break
	:: run_task() ->                /* the worker, on the member's thread */
#ifndef NO_ROUSE
		d_step {
			if
			:: watch && sleeper[me] -> sleeper[me] = false; woken[me] = true
			:: else
			fi
		}
#endif
	od
}

/* --- members --------------------------------------------------------------------------------------------- */

inline barrier()
{
	d_step {
		here++;
		wave = gathered[me] + 1;
		waves = 1;
		before = 0
	}
	do
	::	look();
		if
		:: due == GATHER -> gather()
		:: due == ASK ->
			d_step { before = f; wave++; waves++ }
			tell_children(ASK_FOR(wave))
		:: due == LET_GO ->
			if
			:: me == 0 ->
				assert(here == MEMBERS * (pass + 1));
				assert(queued == 0 && running == 0);
				gathered[0] = wave;
				watch = false
			:: else
			fi;
			tell_children(LET_GO_AFTER(wave));
			break
		:: due == NOTHING ->
			if
			:: run_task() -> skip
			:: sleep()
			fi
		fi
	od;
	assert(here >= MEMBERS * (pass + 1));
	d_step { due = NOTHING; c = 0; f = 0 }
}

proctype member(byte me)
{
	byte pass, wave, waves, before, c, f, due;
	bool all, asleep;

	do
	:: pass < PASSES ->
		do
		:: create()
		:: break
		od;
		barrier();
		pass++
	:: else -> break
	od
}

init {
	atomic {
		byte i;
		for (i : 0 .. MEMBERS - 1) {
			run member(i)
		}
	}
}
