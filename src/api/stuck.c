/* api/stuck.c -- see api/stuck.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Promise: a deadlock is reported only where there is one, and within a second where no thread outside could have ended
 * it.
 *
 * Proof.  When all workers sleep no task is ready (core/idle.c).  Somebody else has to make one ready, then: a thread
 * of the library's own, for a task that is absent (io/absent.h), or a thread that is no worker.  Who does so rouses a
 * worker, and that is counted.  The last worker that fell asleep looks, in this order: is nobody absent?  Has the
 * process no more threads than the library has, and those that sleep in a list of the library's, woken by nobody?  Has
 * no worker been roused since it fell asleep?  What could have gone on at the first of these looks has roused one
 * before the last.
 *
 *   A thread that the kernel counts and the library does not know may fill any word: as long as there is one, nothing
 *   is said, or, if that is asked for, once that it may be a deadlock.  The worker looks again after twice the time,
 *   for that thread may end.
 *   Handlers of signals may not fill words; what they may do, as to end the process, they may do to one that has said
 *   that it is stuck.
 *   Without /proc nobody knows how many threads there are.  Then the program says at most that this may be a deadlock,
 *   and only if the user has asked for reports: a word from a program that goes on would disturb everybody else.
 *
 * The dump.  The handler of QT_DUMP_SIGNAL raises a word and wakes a thread, which does the rest: it is started with
 * the runtime where that is set.  A report has a thread of its own, too: stacks of workers may be small.
 *
 * Checked by test/api/stuck.c, test/api/unstuck.c and test/omp/stuck.sh.
 */
#include "api/stuck.h"

#include "api/waits.h"
#include "base/diag.h"
#include "base/park.h"
#include "base/race.h"
#include "base/text.h"
#include "core/idle.h"
#include "io/absent.h"
#include "io/proxies.h"
#include "io/sleepers.h"
#include "io/thread.h"
#include "sync/waiter.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	bool told, guessed;             /* relaxed: one worker at a time passes all the looks */
	bool asked_for;                 /* QT_DEADLOCK has been set */
	uint64_t looked;                /* the rouses at the last of them; the same */
	uint32_t asked;                 /* the dumper's futex: times that a dump was asked for */
	bool stop;
	bool dumps;                     /* there is such a thread */
	int signal;
	struct sigaction before;
	pthread_t dumper;
} stuck;

/* --- threads --------------------------------------------------------------------------------------------- */

enum { BEFORE_THREADS = 17 };           /* fields of /proc/self/stat between the name and the number of threads */

/* Of the process; 0: not known. */
static unsigned threads_of_process(void)
{
	char text[512];
	unsigned n = 0;

	if (!qti_text_read("/proc/self/stat", text, sizeof(text)))
		return 0;
	char *at = strrchr(text, ')');
	for (unsigned i = 0; at && i <= BEFORE_THREADS; i++)
		at = strchr(at + 1, ' ');
	return at && sscanf(at, "%u", &n) == 1 ? n : 0;
}

/* A checker of the compiler's has one that does nothing for the program. */
static unsigned threads_of_library(void)
{
	return qti_rt.nworkers + qti_sleepers_threads() + qti_proxies_threads() + stuck.dumps +
		(QTI_TSAN || qti_races());
}

/* Threads wake each other while they are counted: one that was seen asleep may run, and who has woken it be asleep when
 * its turn comes.  Those that exist are counted last, lest one that has been made meanwhile be left out. */
static bool anybody_awake(unsigned own)
{
	uint64_t woken = load_acq(&qti_threads_woken);
	size_t asleep = qti_waits_threads();
	unsigned all = threads_of_process();

	return all > own + asleep || load_acq(&qti_threads_woken) != woken;
}

enum outside { NOBODY, SOMEBODY, UNKNOWN };

static enum outside who_is_outside(void)
{
	unsigned all = threads_of_process(), own = threads_of_library();

	if (all == 0)
		return UNKNOWN;
	return all > own && anybody_awake(own) ? SOMEBODY : NOBODY;
}

/* --- a deadlock ------------------------------------------------------------------------------------------ */

static struct verdict {
	const char *it, *left;
} for_good = { "deadlock", "nobody is left" },
  perhaps = { "may be a deadlock", "only threads that the library does not know are left" },
  uncounted = { "may be a deadlock", "/proc does not tell whether a thread is left" };

static void *deadlock_tell(void *verdict)
{
	const struct verdict *v = verdict;
	struct qti_waits all;

	qti_waits_take(&all);
	qti_warn("%s: all %u workers sleep, %s to wake one, and %zu task(s) wait",
		v->it, qti_rt.nworkers, v->left, all.tasks);
	qti_waits_print(&all);
	qti_waits_free(&all);
	return NULL;
}

static void deadlock_report(struct verdict *v)
{
	pthread_t thread;

	if (qti_thread_start(&thread, deadlock_tell, v))
		pthread_join(thread, NULL);
	else
		qti_warn("%s: all %u workers sleep, and %s to wake one", v->it, qti_rt.nworkers, v->left);
	if (v == &for_good && qti_rt.env.deadlock == QTI_DEADLOCK_ABORT)
		abort();
}

/* At the second look in vain: a thread that was about to wake somebody has had its time. */
static void deadlock_guess(uint64_t rouses, enum outside who)
{
	bool again = load_rlx(&stuck.looked) == rouses;
	bool wanted = qti_rt.env.deadlock == QTI_DEADLOCK_MAY || (who == UNKNOWN && stuck.asked_for);

	store_rlx(&stuck.looked, rouses);
	if (!wanted || !again || load_rlx(&stuck.guessed) || !qti_idle_all_sleep(rouses))
		return;
	store_rlx(&stuck.guessed, true);
	deadlock_report(who == UNKNOWN ? &uncounted : &perhaps);
}

/* In core/idle.c's words. */
static bool look_for_deadlock(uint64_t rouses)
{
	uint64_t ever;

	if (load_rlx(&stuck.told) || !qti_absent_none(&ever))
		return false;           /* who is absent will rouse a worker */
	enum outside who = who_is_outside();
	if (who != NOBODY) {
		deadlock_guess(rouses, who);
		return true;
	}
	if (!qti_idle_all_sleep(rouses))
		return false;
	store_rlx(&stuck.told, true);
	deadlock_report(&for_good);
	return false;
}

/* --- a dump ---------------------------------------------------------------------------------------------- */

static void dump(void)
{
	struct qti_waits all;

	qti_waits_take(&all);
	qti_warn("dump: %zu task(s) wait, %u of %u workers are awake", all.tasks, qti_idle_awake(), qti_rt.nworkers);
	qti_waits_print(&all);
	qti_waits_free(&all);
}

static void *dumper_main(void *unused)
{
	uint32_t seen = 0, asked;

	(void)unused;
	qti_thread_settle();
	while (!load_acq(&stuck.stop)) {
		asked = load_acq(&stuck.asked);
		if (asked == seen)
			qti_futex_wait(&stuck.asked, seen);
		else
			dump();
		seen = asked;
	}
	return NULL;
}

static void dumper_call(void)
{
	add_acq_rel(&stuck.asked, 1);
	qti_futex_wake(&stuck.asked, 1);
}

static void on_dump_signal(int signal)
{
	int before = errno;

	(void)signal;
	dumper_call();
	errno = before;
}

/* --- up and down ----------------------------------------------------------------------------------------- */

static void dump_up(void)
{
	static const int signals[] = { [QTI_DUMP_HUP] = SIGHUP, [QTI_DUMP_QUIT] = SIGQUIT, [QTI_DUMP_USR1] = SIGUSR1,
		[QTI_DUMP_USR2] = SIGUSR2, [QTI_DUMP_WINCH] = SIGWINCH };
	struct sigaction action = { .sa_handler = on_dump_signal, .sa_flags = SA_RESTART | SA_ONSTACK };

	stuck.signal = signals[qti_rt.env.dump_signal];
	sigfillset(&action.sa_mask);
	stuck.dumps = qti_thread_start(&stuck.dumper, dumper_main, NULL);
	if (!stuck.dumps)
		qti_env_complain(
			QTI_SET_DUMP_SIGNAL, "there is no thread for it", "where another thread can be had", "none");
	else
		sigaction(stuck.signal, &action, &stuck.before);
}

int qti_stuck_up(void)
{
	memset(&stuck, 0, sizeof(stuck));
	stuck.asked_for = qti_env_given(QTI_SET_DEADLOCK);
	if (qti_rt.env.deadlock != QTI_DEADLOCK_OFF)
		qti_rt.all_sleep = look_for_deadlock;
	if (qti_rt.env.dump_signal != QTI_DUMP_NONE)
		dump_up();
	return QTHREAD_SUCCESS;
}

/* If the program has installed a handler over ours meanwhile, that one stays; ours does nothing any more. */
static void dump_signal_restore(void)
{
	struct sigaction now;

	if (sigaction(stuck.signal, NULL, &now) == 0 && now.sa_handler == on_dump_signal)
		sigaction(stuck.signal, &stuck.before, NULL);
}

/* A handler that is on its way finds a word that nobody looks at. */
void qti_stuck_down(void)
{
	if (!stuck.dumps)
		return;
	dump_signal_restore();
	store_rel(&stuck.stop, true);
	dumper_call();
	pthread_join(stuck.dumper, NULL);
	stuck.dumps = false;
}

void qti_stuck_forget(void)
{
	if (stuck.dumps)
		dump_signal_restore();
	stuck.dumps = false;
}
