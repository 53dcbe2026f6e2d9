/* test/model/request.pml -- sched/balance.c: requests may be lost, but none is served twice, and who asks again is heard.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Thieves write to the one request cell of a victim, with plain stores, at any time after they looked (NA1); the victim
 * serves a request of its round and raises the round (NA2).  Each thief wants to be served once, asks again when its request
 * has been overwritten or came late, and then ends.  Under na-rp serving takes until the victim has created a task; now
 * and then it creates none any more, and the service times out.  When nothing can move any more, all thieves must have been
 * served; no request of a thief and a round may be served twice.
 *
 * Mutants that must fail (test/model/run.sh): -DNO_RAISE, -DANY_ROUND, -DNO_RETRY, -DNO_TIMEOUT (with
 * -DREDIRECT).
 */
#ifndef THIEVES
#define THIEVES 2
#endif
#define ROUNDS 5                /* more are not needed: a lost message makes none */

byte round = 1;
byte cell_thief, cell_round;    /* one word: changed in one step */
byte served[THIEVES];           /* tasks that thief got */
byte asked[THIEVES];            /* requests it sent, and of these */
byte heard[THIEVES];            /* those that were served */
byte ended;

inline ask()
{
	r = round;
	if
	:: cell_round < r ->
		/* Others may write, and the victim serve, before this store. */
		asked[me] = asked[me] + 1;
		d_step { cell_thief = me; cell_round = r }                      /* NA1 */
	:: else -> skip
	fi
}

proctype thief(byte me)
{
	byte r;

	do
	:: served[me] > 0 -> break
	:: else ->
		ask();
#ifdef NO_RETRY
		served[me] > 0
#else
		/* The next tick; one at which nothing has changed since makes no difference. */
		served[me] > 0 || cell_round < round
#endif
	od;
	ended++
}

proctype victim()
{
	byte who;

	do
	:: ended == THIEVES -> break
#ifdef ANY_ROUND
	:: cell_round != 0 && round < ROUNDS ->
#else
	:: cell_round == round && round < ROUNDS ->                             /* NA2 */
#endif
		who = cell_thief;
		heard[who] = heard[who] + 1;
		assert(heard[who] <= asked[who]);
#ifdef REDIRECT
		if
		:: true -> served[who] = served[who] + 1
#ifdef NO_TIMEOUT
		:: true -> false
#else
		:: true -> skip
#endif
		fi;
#else
		served[who] = served[who] + 1;
#endif
#ifndef NO_RAISE
		round++
#endif
	od
}

active proctype judge()
{
	byte i;

	atomic {
		do
		:: i < THIEVES -> run thief(i); i++
		:: else -> break
		od;
		run victim()
	}
	timeout;
	assert(ended == THIEVES || round == ROUNDS)
}
