/* omp/team/wait_loop.c -- see omp/team/wait_loop.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Who waits runs the team's tasks on top of itself: nothing of the region depends on it before they have ended.
 */
#include "omp/team/wait_loop.h"

#include "base/park.h"
#include "base/race.h"
#include "base/tuning.h"
#include "omp/team/apart.h"
#include "omp/team/list.h"
#include "omp/team/patience.h"
#include "omp/team/root.h"

/* --- helping --------------------------------------------------------------------------------------------- */

bool qomp_stack_has_room(const struct qti_worker *w)
{
	return qti_worker_stack_left(w) > qti_worker_stack_size(w) / TUNE_STACK_SHARE && !qti_races();
}

static bool is_of(const struct qti_task *t, const struct qomp_team *team)
{
	const struct qomp_frame *f = t->arg;

	return qti_guest_task_is_free(t) && f->team == team && !(f->flags & QOMP_IMPLICIT);
}

static void loop_has_work(struct qomp_wait_loop *v)
{
	if (v->out_of_work)
		qti_guest_out_of_work(false);
	v->out_of_work = false;
}

/* How often in a row the work that was published for this thread did not last. */
static __thread unsigned out_of_work_backoff __attribute__((tls_model("initial-exec")));

/* Publishing costs who does it: where tasks are that small, this thread looks for longer before it says that it is out
 * of work. */
static void loop_ran_out(struct qomp_wait_loop *v)
{
	if (qti_now_ns() - v->got_work >= TUNE_WORK_LASTS_NS)
		out_of_work_backoff = 0;
	else if (out_of_work_backoff < TUNE_WORK_DOUBLINGS)
		out_of_work_backoff++;
	v->got_work = 0;
}

static void loop_say_out_of_work(struct qomp_wait_loop *v)
{
	if (v->got_work)
		loop_ran_out(v);
	if (!v->seeks || v->out_of_work || v->looks < (unsigned)TUNE_OUT_OF_WORK_LOOKS << out_of_work_backoff)
		return;
	v->out_of_work = true;
	qti_guest_out_of_work(true);
}

/* Before it runs. */
static void loop_found(struct qomp_wait_loop *v)
{
	if (v->out_of_work)
		v->got_work = qti_now_ns();
	loop_has_work(v);
	v->looks = 0;
	v->spell = (struct qti_spell){ 0 };
}

/* Other work went on, as qthreads that poll do all the time: what the team waits for may still be in a queue that only
 * a longer look finds. */
static void found_others(struct qomp_wait_loop *v)
{
	loop_has_work(v);
	v->looks++;
	v->spell = (struct qti_spell){ 0 };
}

enum find { NOTHING, OTHERS, OWN };

static enum find loop_help(struct qomp_wait_loop *v, bool final)
{
	struct qomp_frame *f = v->f;
	struct qomp_team *team = f->team;
	struct qti_worker *w = qti_self();

	if (!load_rlx(&team->uses_scheduler))
		return qomp_list_run(f, (struct qomp_filter){ 0 }) ? OWN : NOTHING;
	if (qti_unlikely(!w))
		return NOTHING;         /* a thread that is no worker: its team's tasks are the workers' */
	struct qti_task *t = qti_guest_look(w, final);
	if (!t)
		return NOTHING;
	if (!is_of(t, team)) {
		found_others(v);
		qti_guest_give_way(t);  /* the one that waits comes back when it is its turn */
		return OTHERS;
	}
	loop_found(v);
	if (qomp_stack_has_room(w))
		qti_run_on_top(w, t);
	else
		qti_guest_give_way(t);
	return OWN;
}

/* How often in a row it was not worth it for this thread. */
static __thread unsigned final_backoff __attribute__((tls_model("initial-exec")));

/* Workers keep their newest task from those who only look.  To take it costs the looker much, and its owner something:
 * so one does after a while, and again after twice as long. */
static bool is_time_for_final(unsigned looks)
{
	if (looks < (unsigned)TUNE_TEAM_LOOKS << final_backoff)
		return false;
	return looks < TUNE_FINAL_LOOKS ? (looks & (looks - 1)) == 0 : looks % TUNE_FINAL_LOOKS == 0;
}

/* Where tasks are that small, one waits longer the next time. */
static enum find help_finally(struct qomp_wait_loop *v)
{
	uint64_t begin = qti_now_ns();
	enum find what = loop_help(v, true);

	if (what != OWN)
		return what;
	if (qti_now_ns() - begin >= TUNE_FINAL_PAYS_NS)
		final_backoff = 0;
	else if (final_backoff < TUNE_FINAL_DOUBLINGS)
		final_backoff++;
	return what;
}

static __attribute__((noinline)) void loop_seek(struct qomp_wait_loop *v, bool begin)
{
	loop_has_work(v);
	qti_guest_seek(begin);
	v->seeks = begin;
}

/* Who seeks takes what it finds in any place, and so does not look out for the work of others (others_queue): not for
 * longer than the team's tasks may be there. */
bool qomp_wait_loop_help(struct qomp_wait_loop *v)
{
	const struct qomp_team *team = v->f->team;
	bool tasks = load_rlx(&team->tasks), in_queues = tasks && load_rlx(&team->uses_scheduler);

	if (qti_unlikely(v->seeks ? !in_queues : in_queues && v->looks > 0))
		loop_seek(v, in_queues);
	if (!tasks)
		return false;
	enum find what = qti_unlikely(is_time_for_final(v->looks)) ? help_finally(v) : loop_help(v, false);
	if (what == OWN)
		loop_found(v);
	return what != NOTHING;
}

/* Work came up on the thread of f that is not the team's: native tasks, members of other teams. */
static bool others_wait(void)
{
	struct qti_worker *w = qti_self();

	return w && qti_worker_has_assigned(w);
}

/* The same for the queues, which other workers may serve, but need not: not every policy steals. */
static bool others_queue(const struct qomp_wait_loop *v)
{
	struct qti_worker *w = qti_self();

	return w && !v->seeks && qti_worker_has_queued(w);
}

/* Members of inner regions wait to be begun by whoever is out of work. */
static bool members_queue(const struct qomp_wait_loop *v)
{
	return qti_unlikely(load_rlx(&v->f->team->root->nests)) && !v->seeks && qti_self() && qti_host_has_queued();
}

/* With more threads than CPUs in all, a team that has a CPU for each of its own may still run all at a time, beside
 * others whose threads have none then: that is for who waits to learn.  But while there are tasks who runs does them,
 * and its team's other threads would only take them away from it. */
static bool is_crowded(const struct qomp_team *team)
{
	return load_rlx(&qomp_crowded) &&
		(load_rlx(&team->tasks) || load_acq(&team->n) > qomp_settings.procs);   /* T6 */
}

/* False: it has looked and given way for long enough. */
static bool looks_on(struct qomp_wait_loop *v)
{
	struct qomp_member *m = qomp_member_late(v->f);
	const struct qomp_team *team = v->f->team;
	bool crowded = is_crowded(team), apart = !crowded && !team->shares_workers;

	if (v->spell.since == 0) {
		qomp_apart_note(&m->apart);
		v->shares = apart && qomp_apart_shares(m);
	}
	switch (qti_spin_on(&m->spin, &v->spell, load_rlx(&qomp_spin_ns), v->shares || crowded)) {
	case QTI_SPIN_OVER:
		return false;
	case QTI_SPIN_BACK:
		if (crowded && !team->shares_workers && load_acq(&team->n) > qomp_settings.procs) {     /* T6 */
			qomp_apart_even_out(m, qomp_settings.procs);
			break;
		}
		qomp_apart_gave_way(m, v->shares);
		v->shares = apart && qomp_apart_shares(m);
		break;
	case QTI_SPIN_LOOK:
		break;
	}
	return true;
}

/* With more threads than CPUs, what is looked for is mostly the work of a thread that has none meanwhile. */
static unsigned looks_between(void)
{
	return load_rlx(&qomp_crowded) ? TUNE_TEAM_LOOKS_CROWDED : TUNE_TEAM_LOOKS;
}

bool qomp_wait_loop_over(struct qomp_wait_loop *v)
{
	if (load_rlx(&qomp_spin_ns) == 0 || others_wait())
		return true;
	cpu_relax();
	if (++v->looks % looks_between() != 0)
		return false;
	loop_say_out_of_work(v);
	return others_queue(v) || members_queue(v) || qti_host_drains() || !looks_on(v);
}

void qomp_wait_loop_came(struct qomp_wait_loop *v)
{
	qti_spin_came(&qomp_member_late(v->f)->spin, &v->spell);
}
