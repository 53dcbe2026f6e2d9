/* test/model/deque.pml -- sched/deque.h with an owner, thieves and a store buffer: no task is lost or taken twice.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The owner's stores go through a buffer that reaches memory in order and at any later time, as on x86 (TSO); the
 * light fence does nothing to it.  A locked operation of the owner waits for it to drain, a thief's heavy fence drains
 * it (D2, D3).  Thieves see memory as it is: what they store before the heavy fence is out with it, and later stores
 * only make the owner take the lock.
 *
 * The owner does any OPS operations in any order, then takes what is left; each of THIEVES thieves steals STEALS times.
 * Mutants that must fail (test/model/run.sh): -DNO_HEAVY, -DNO_CLAIMING, -DNO_DRAW_BACK, -DNO_LOOK_AGAIN, -DNO_LIMIT.
 */
#ifndef OPS
#define OPS 6
#endif
#ifndef THIEVES
#define THIEVES 1
#endif
#ifndef STEALS
#define STEALS 2
#endif
#ifndef MAX
#define MAX 2                   /* tasks a steal takes at most */
#endif

#ifndef RING
#define RING 4                  /* slots */
#define LIMIT 3                 /* tasks held at most */
#endif
#define TASKS 4                 /* ever pushed; task 0 is NULL */

/* Memory. */
#define BOTTOM 0
#define CLAIMING 1
#define SPLIT 2
#define TOP 3
#define LOCK 4
#define SLOT(i) (5 + ((i) % RING))
byte mem[5 + RING];

/* The owner's store buffer, oldest first. */
#define DEPTH 4
byte where[DEPTH], what[DEPTH];
byte depth;

byte taken[TASKS + 1];          /* how often each task came out */
byte pushed;
bool owner_done;

/* S4: a final steal that begins and ends while the owner is between operations must find what there is. */
byte operations;
bool operating;

inline store(a, v)
{
	d_step {
		depth < DEPTH;
		where[depth] = a;
		what[depth] = v;
		depth++
	}
}

inline drain_one()
{
	mem[where[0]] = what[0];
	where[0] = where[1]; what[0] = what[1];
	where[1] = where[2]; what[1] = what[2];
	where[2] = where[3]; what[2] = what[3];
	where[3] = 0; what[3] = 0;
	depth--
}

/* The owner's: its own stores first. */
inline load(v, a)
{
	d_step {
		v = mem[a];
		if
		:: depth > 0 && where[0] == a -> v = what[0]
		:: else
		fi;
		if
		:: depth > 1 && where[1] == a -> v = what[1]
		:: else
		fi;
		if
		:: depth > 2 && where[2] == a -> v = what[2]
		:: else
		fi;
		if
		:: depth > 3 && where[3] == a -> v = what[3]
		:: else
		fi
	}
}

inline take(t)
{
	d_step {
		taken[t]++;
		assert(taken[t] == 1)
	}
}

active proctype buffer()
{
end:
	do
	:: d_step { depth > 0 -> drain_one() }
	od
}

/* --- the owner ------------------------------------------------------------------------------------------- */

inline lock_take()
{
	d_step { depth == 0 && mem[LOCK] == 0 -> mem[LOCK] = 1 }
}

inline push()
{
	load(b, BOTTOM);
	if
	:: b - top_seen >= LIMIT -> load(top_seen, TOP)                         /* D4 */
	:: else
	fi;
#ifdef NO_LIMIT
	top_seen = b;
#endif
	if
	:: b - top_seen < LIMIT ->
		pushed++;
		store(SLOT(b), pushed);
		store(BOTTOM, b + 1)                                            /* D1 */
	:: else
	fi
}

inline pop_public()
{
	got = 0;
	load(b, BOTTOM);
	load(x, TOP);
	if
	:: b == x
	:: else ->
		lock_take();
		do
		:: got == 0 && b > mem[TOP] ->
			load(s, SPLIT);
			if
			:: b == s -> store(SPLIT, s - (s - mem[TOP] + 1) / 2)
			:: else
			fi;
			b--;
			store(BOTTOM, b);
			load(got, SLOT(b))
		:: else -> break
		od;
		load(s, SPLIT);
		assert(mem[TOP] <= s && s <= b);
		store(LOCK, 0)
	fi
}

/* got: the task, 0: none */
inline pop()
{
	got = 0;
	do
	:: load(b, BOTTOM);
		load(s, SPLIT);
		if
		:: b <= s -> pop_public(); break
		:: else
		fi;
		b--;
		store(BOTTOM, b);                                               /* D1, D2 */
		load(s, SPLIT);
		if
		:: s > b ->
			store(BOTTOM, b + 1);
			pop_public();
			break
		:: else
		fi;
		load(got, SLOT(b));
		if
		:: got != 0 -> break
		:: else
		fi
	od
}

inline claim_locked(t)
{
	lock_take();
	load(i, BOTTOM);
	do
	:: got == 0 && i > mem[TOP] ->
		i--;
		load(x, SLOT(i));
		if
		:: x == t -> got = t; store(SLOT(i), 0)
		:: else
		fi
	:: else -> break
	od;
	store(LOCK, 0)
}

/* i is the newest, down to split s: the bottom comes down to it and past the claimed ones below. */
inline claim_newest(t)
{
	do
	:: i > s ->
		load(x, SLOT(i - 1));
		if
		:: x == 0 -> i--
		:: else -> break
		fi
	:: else -> break
	od;
	store(BOTTOM, i);                                                       /* D1, D2 */
	load(s, SPLIT);
	if
	:: s <= i -> got = t
	:: else -> store(BOTTOM, b)
	fi
}

inline claim_private(t)
{
#ifndef NO_CLAIMING
	store(CLAIMING, i + 1);
#endif
	load(s, SPLIT);                                                         /* D3 */
	if
	:: s <= i -> got = t; store(SLOT(i), 0)
	:: else
	fi;
	store(CLAIMING, 0)
}

inline claim(t)
{
	got = 0;
	newest = true;
	seen = false;
	load(b, BOTTOM);
	load(s, SPLIT);
	i = b;
	do
	:: !seen && i > s ->
		i--;
		load(x, SLOT(i));
		if
		:: x == t ->
			seen = true;
			if
			:: newest -> claim_newest(t)
			:: else -> claim_private(t)
			fi
		:: x != 0 && x != t -> newest = false
		:: x == 0
		fi
	:: else -> break
	od;
	if
	:: got == 0 ->
		load(x, TOP);
		load(s, SPLIT);
		if
		:: x < s -> claim_locked(t)
		:: else
		fi
	:: else
	fi
}

inline publish()
{
	if
	:: d_step { depth == 0 && mem[LOCK] == 0 -> mem[LOCK] = 1 } ->
		load(b, BOTTOM);
		load(s, SPLIT);
		store(SPLIT, s + (b - s + 1) / 2);
		store(LOCK, 0)
	:: d_step { depth == 0 && mem[LOCK] != 0 }
	fi
}

inline begin_operation()
{
	d_step { operating = true; operations++ }
}

/* Over when its stores are out: only then has everybody had a chance to see them. */
inline end_operation()
{
	if
	:: d_step { depth == 0 -> operating = false; b = 0; s = 0; x = 0; i = 0; newest = false; seen = false }
	:: d_step { b = 0; s = 0; x = 0; i = 0; newest = false; seen = false }
	fi
}

inline keep()
{
	if
	:: got != 0 -> take(got); got = 0
	:: else
	fi
}

active proctype owner()
{
	byte b, s, x, i, got, top_seen, ops, t;
	bool newest, seen;

	do
	:: ops < OPS ->
		ops++;
		begin_operation();
		if
		:: pushed < TASKS -> push()
		:: pop(); keep()
		:: pushed > 0 ->
			select(t : 1 .. pushed);
			if
			:: taken[t] == 0 -> claim(t); keep()
			:: else
			fi;
			t = 0
		:: publish()
		fi;
		end_operation()
	:: else -> break
	od;
	do
	:: begin_operation();
		pop();
		if
		:: got != 0 -> keep(); end_operation()
		:: else -> break
		fi
	od;
	depth == 0;
	d_step { operating = false; owner_done = true }
}

/* --- thieves --------------------------------------------------------------------------------------------- */

inline heavy_fence()
{
#ifdef NO_HEAVY
	skip
#else
	atomic {
		do
		:: depth > 0 -> drain_one()
		:: else -> break
		od
	}
#endif
}

inline raise_split()
{
	split = mem[SPLIT];
	bottom = mem[BOTTOM];
	if
	:: bottom > split ->
		end_ = split + (bottom - split + 1) / 2;
		mem[SPLIT] = end_;
		heavy_fence();                                                  /* D2, D3 */
		bottom = mem[BOTTOM];
		claiming = mem[CLAIMING];
#ifndef NO_DRAW_BACK
		if
		:: end_ > bottom && bottom > split -> end_ = bottom
		:: end_ > bottom && bottom <= split -> end_ = split
		:: else
		fi;
#endif
		if
		:: claiming > split && claiming <= end_ -> end_ = claiming - 1
		:: else
		fi;
		mem[SPLIT] = end_
	:: else
	fi
}

/* One task after the other, so that the owner may come between. */
inline take_some()
{
	top = mem[TOP];
	end_ = mem[SPLIT];
	do
	:: top < end_ && count < MAX ->
		t = mem[SLOT(top)];
		top++;
		if
		:: t != 0 -> take(t); count++
		:: else
		fi
	:: else -> break
	od;
	mem[TOP] = top                                                          /* D4 */
}

inline steal_finally()
{
	d_step { before = operations; quiet = !operating && depth == 0 }
	d_step { mem[LOCK] == 0 -> mem[LOCK] = 1 }
	count = 0;
	do
	:: 	if
		:: mem[TOP] == mem[SPLIT] -> raise_split()
		:: else
		fi;
		take_some();
#ifdef NO_LOOK_AGAIN
		break
#else
		if
		:: count == 0 && mem[BOTTOM] > mem[TOP]
		:: else -> break
		fi
#endif
	od;
	atomic {
		mem[LOCK] = 0;
		if
		:: count == 0 && quiet && !operating && before == operations ->
			left = pushed;
			for (t : 1 .. TASKS) {
				left = left - taken[t]
			}
			assert(left == 0)                                       /* S4 */
		:: else
		fi;
		t = 0; top = 0; end_ = 0; split = 0; bottom = 0; claiming = 0; count = 0; left = 0; before = 0;
		quiet = false
	}
}

byte thieves_done;

active [THIEVES] proctype thief()
{
	byte split, bottom, claiming, end_, top, count, t, steals, before, left;
	bool quiet;

	do
	:: steals < STEALS -> steals++; steal_finally()
	:: break
	od;
	thieves_done++
}

/* What was pushed came out, once: take asserts that it was not twice. */
active proctype judge()
{
	byte t, out;

	owner_done && thieves_done == THIEVES;
	atomic {
		for (t : 1 .. TASKS) {
			out = out + taken[t]
		}
		assert(out == pushed)
	}
}
