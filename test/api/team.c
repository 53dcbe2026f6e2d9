/* test/api/team.c -- teams: who is in which, and when a leader's result comes.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "waiting.h"
#include "child.h"

#include <qthread/sinc.h>

#include <string.h>

enum { CHECKS_PER_RUN = 35, ENDINGS_PER_SCHEDULER = 2, OTHER_CHECKS = 7 };

static int spawn(qthread_f f, void *arg, aligned_t *ret, unsigned features)
{
	return qthread_spawn(f, arg, 0, ret, 0, NULL, NO_SHEPHERD, features);
}

static aligned_t result(aligned_t *ret)
{
	aligned_t value = 0;

	qthread_readFF(&value, ret);
	return value;
}

/* ---- Numbers ------------------------------------------------------------------------------------------------- */

struct ids {
	unsigned own, parent;
	size_t own_state, parent_state;
};

static struct ids ids_here(void)
{
	return (struct ids){ qt_team_id(), qt_team_parent_id(), qthread_readstate(CURRENT_TEAM), qthread_readstate(PARENT_TEAM) };
}

static bool ids_are(struct ids i, unsigned own, unsigned parent)
{
	if (i.own == own && i.parent == parent && i.own_state == own && i.parent_state == parent)
		return true;
	diag("teams %u %u, states %zu %zu, not %u %u", i.own, i.parent, i.own_state, i.parent_state, own, parent);
	return false;
}

static aligned_t note_ids(void *arg)
{
	*(struct ids *)arg = ids_here();
	return 5;
}

static void note_ids_outside(void *arg)
{
	*(struct ids *)arg = ids_here();
}

/* First of all: numbers begin anew in each runtime. */
static void qt_team_id_counts(const char *what)
{
	struct ids i = { 0, 0, 0, 0 };
	bool in_order = true;
	aligned_t ret;

	for (unsigned n = 2; n < 7; n++) {
		const int rc = n % 2 ? qthread_fork_new_team(note_ids, &i, &ret) : qthread_fork_new_subteam(note_ids, &i, &ret);
		in_order = rc == QTHREAD_SUCCESS && result(&ret) == 5 && ids_are(i, n, n % 2 ? 0 : 1) && in_order;
	}
	ok(in_order, "%s: qt_team_id gives 2, 3, 4, ... to new teams", what);
	const bool refused = qthread_fork_new_team(note_ids, &i, (aligned_t *)((char *)&ret + 1)) == QTHREAD_BADARGS &&
		qthread_fork_new_subteam(NULL, &i, &ret) == QTHREAD_BADARGS &&
		qthread_fork_copyargs_new_team(note_ids, NULL, 8, &ret) == QTHREAD_BADARGS;
	qthread_fork_new_team(note_ids, &i, &ret);
	ok(refused && result(&ret) == 5 && ids_are(i, 7, 0), "%s: qt_team_id leaves none out for forks that are refused", what);
	ok(ids_are(ids_here(), 1, 0), "%s: qt_team_id gives the main task 1, below 0", what);
	qthread_fork(note_ids, &i, &ret);
	ok(result(&ret) == 5 && ids_are(i, 1, 0), "%s: qt_team_id gives what it forks the same", what);
	every_outside(note_ids_outside, &i);
	ok(i.own == 0 && i.parent == 0, "%s: qt_team_id and qt_team_parent_id give an external thread 0", what);
	ok(i.own_state == 1 && i.parent_state == 0, "%s: qthread_readstate gives it 1 and 0", what);
}

/* ---- Every form of fork inherits ----------------------------------------------------------------------------- */

enum { FORMS = 14 };

struct inheriting {
	struct ids ids[FORMS];
	unsigned grandchild[FORMS];
	struct ids leader;
	bool forked, results;
	qt_sinc_t sinc;
};

struct heir {
	struct inheriting *all;
	int form;
};

static aligned_t note_grandchild(void *arg)
{
	*(unsigned *)arg = qt_team_id();
	return 0;
}

static aligned_t inherit(void *arg)
{
	struct heir h = *(struct heir *)arg;

	h.all->ids[h.form] = ids_here();
	qthread_fork(note_grandchild, &h.all->grandchild[h.form], NULL);
	return (aligned_t)h.form;
}

static int fork_form(struct heir *h, aligned_t *word, syncvar_t *sv, aligned_t *open)
{
	const size_t size = sizeof(*h);
	const unsigned sinc = h->form == 12 ? QTHREAD_SPAWN_RET_SINC : QTHREAD_SPAWN_RET_SINC_VOID;

	switch (h->form) {
	case 0:
		return qthread_fork(inherit, h, word);
	case 1:
		return qthread_fork_net(inherit, h, word);
	case 2:
		return qthread_fork_to(inherit, h, word, 1);
	case 3:
		return qthread_fork_syncvar(inherit, h, sv);
	case 4:
		return qthread_fork_syncvar_to(inherit, h, sv, 1);
	case 5:
		return qthread_fork_copyargs(inherit, h, size, word);
	case 6:
		return qthread_fork_copyargs_to(inherit, h, size, (syncvar_t *)word, 1);
	case 7:
		return qthread_fork_syncvar_copyargs(inherit, h, size, sv);
	case 8:
		return qthread_fork_syncvar_copyargs_simple(inherit, h, size, sv);
	case 9:
		return qthread_fork_precond(inherit, h, word, 2, open, open);
	case 10:
		return qthread_fork_precond_simple(inherit, h, word, 1, open);
	case 11:
		return qthread_fork_copyargs_precond(inherit, h, size, sv, 1, open);
	default:
		return qthread_spawn(inherit, h, 0, &h->all->sinc, 0, NULL, NO_SHEPHERD, sinc);
	}
}

static bool returns_syncvar(int form)
{
	return form == 3 || form == 4 || form == 7 || form == 8 || form == 11;
}

static void sum(void *restrict tgt, void const *restrict src)
{
	*(aligned_t *)tgt += *(aligned_t const *)src;
}

/* As the leader of a team. */
static aligned_t fork_heirs(void *arg)
{
	struct inheriting *all = arg;
	struct heir heirs[FORMS];
	aligned_t words[FORMS], open = 0, total = 0;
	syncvar_t sv[FORMS];
	uint64_t value;

	all->leader = ids_here();
	all->forked = all->results = true;
	qthread_empty(&open);
	qt_sinc_init(&all->sinc, sizeof(total), &total, sum, 2);
	for (int i = 0; i < FORMS; i++) {
		heirs[i] = (struct heir){ all, i };
		sv[i] = SYNCVAR_INITIALIZER;
		all->forked = fork_form(&heirs[i], &words[i], &sv[i], &open) == QTHREAD_SUCCESS && all->forked;
	}
	qthread_fill(&open);
	for (int i = 0; i < 12; i++) {
		value = 99;
		if (returns_syncvar(i))
			qthread_syncvar_readFF(&value, &sv[i]);
		else
			value = result(&words[i]);
		all->results = value == (aligned_t)i && all->results;
	}
	qt_sinc_wait(&all->sinc, &total);
	qt_sinc_fini(&all->sinc);
	all->results = total == 12 && all->results;
	return 77;
}

static void members(const char *what, unsigned feature, const char *name)
{
	static struct inheriting all;
	aligned_t ret;
	bool same = true;

	memset(&all, 0, sizeof(all));
	ok(spawn(fork_heirs, &all, &ret, feature) == QTHREAD_SUCCESS && result(&ret) == 77,
		"%s: %s: the leader's result comes", what, name);
	for (int i = 0; i < FORMS; i++)
		same = ids_are(all.ids[i], all.leader.own, all.leader.parent) && all.grandchild[i] == all.leader.own && same;
	ok(same && all.forked && all.leader.own > 1, "%s: %s: what the team's tasks fork, in any form, is in it", what, name);
	ok(all.results, "%s: %s: and returns as ever", what, name);
}

/* ---- When the leader's result comes --------------------------------------------------------------------------- */

static aligned_t gate, opened, ended;

static aligned_t wait_at_gate(void *arg)
{
	qthread_readFF(NULL, &gate);
	qthread_incr(&ended, 1);
	return (aligned_t)(uintptr_t)arg;
}

static void close_gate(void)
{
	qthread_empty(&gate);
	ended = 0;
}

static aligned_t lead_waiter(void *arg)
{
	qthread_fork(wait_at_gate, NULL, NULL);
	return (aligned_t)(uintptr_t)arg;
}

/* The leader has returned long before. */
static void result_waits_for_members(const char *what)
{
	aligned_t ret = 0;

	close_gate();
	qthread_fork_new_team(lead_waiter, (void *)42, &ret);
	until_waiting(&gate, QTI_WAIT_READ_FF, 1);
	until_quiet();
	ok(qthread_feb_status(&ret) == 0, "%s: NEW_TEAM: no result while a member waits", what);
	qthread_fill(&gate);
	const aligned_t value = result(&ret);
	ok(value == 42 && ended == 1, "%s: NEW_TEAM: when the last one has ended, there is what the leader returned", what);
}

static void syncvar_and_sinc_wait_for_members(const char *what)
{
	syncvar_t sv = SYNCVAR_INITIALIZER;
	const aligned_t zero = 0;
	aligned_t total = 0;
	uint64_t value = 0;
	qt_sinc_t sinc;

	close_gate();
	qt_sinc_init(&sinc, sizeof(zero), &zero, sum, 2);
	qthread_fork_syncvar_new_team(lead_waiter, (void *)42, &sv);
	qthread_spawn(lead_waiter, (void *)40, 0, &sinc, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM | QTHREAD_SPAWN_RET_SINC);
	qthread_spawn(lead_waiter, (void *)3, 0, &sinc, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM | QTHREAD_SPAWN_RET_SINC_VOID);
	until_waiting(&gate, QTI_WAIT_READ_FF, 3);
	until_quiet();
	ok(qthread_syncvar_status(&sv) == 0, "%s: NEW_TEAM: a syncvar waits for the members, too", what);
	qthread_fill(&gate);
	qthread_syncvar_readFF(&value, &sv);
	qt_sinc_wait(&sinc, &total);
	qt_sinc_fini(&sinc);
	ok(value == 42 && total == 40 && ended == 3, "%s: NEW_TEAM: syncvars and sincs get the result", what);
}

struct family {
	struct ids outer, inner;
	aligned_t inner_ret;
	unsigned feature;
};

static aligned_t lead_inner(void *arg)
{
	struct family *f = arg;

	f->inner = ids_here();
	return lead_waiter((void *)8);
}

static aligned_t lead_outer(void *arg)
{
	struct family *f = arg;

	f->outer = ids_here();
	spawn(lead_inner, f, &f->inner_ret, f->feature);
	return 9;
}

static void result_waits_for_subteams(const char *what)
{
	struct family f = { .feature = QTHREAD_SPAWN_NEW_SUBTEAM };
	aligned_t ret;

	close_gate();
	qthread_fork_new_team(lead_outer, &f, &ret);
	until_waiting(&gate, QTI_WAIT_READ_FF, 1);
	until_quiet();
	ok(qthread_feb_status(&ret) == 0 && qthread_feb_status(&f.inner_ret) == 0,
		"%s: NEW_SUBTEAM: no result of either leader while a member of the subteam waits", what);
	qthread_fill(&gate);
	ok(result(&ret) == 9 && qthread_feb_status(&f.inner_ret) == 1 && f.inner_ret == 8,
		"%s: NEW_SUBTEAM: the subteam's comes first, then the team's", what);
	ok(ids_are(f.outer, f.outer.own, 0) && ids_are(f.inner, f.outer.own + 1, f.outer.own),
		"%s: NEW_SUBTEAM: qt_team_parent_id is the forker's team", what);
}

static void team_inside_is_apart(const char *what)
{
	struct family f = { .feature = QTHREAD_SPAWN_NEW_TEAM | QTHREAD_SPAWN_NEW_SUBTEAM };
	aligned_t ret;

	close_gate();
	qthread_fork_new_team(lead_outer, &f, &ret);
	ok(result(&ret) == 9, "%s: NEW_TEAM wins over NEW_SUBTEAM: the forker's team does not wait", what);
	until_waiting(&gate, QTI_WAIT_READ_FF, 1);
	ok(qthread_feb_status(&f.inner_ret) == 0 && ids_are(f.inner, f.outer.own + 1, 0),
		"%s: NEW_TEAM wins over NEW_SUBTEAM: there is no team above", what);
	qthread_fill(&gate);
	ok(result(&f.inner_ret) == 8, "%s: NEW_TEAM in a team ends for itself", what);
}

/* ---- The forking macros --------------------------------------------------------------------------------------- */

struct copied {
	struct ids *ids;
	qthread_shepherd_id_t *shepherd;
	char rest[40];
};

static aligned_t note_copied(void *arg)
{
	struct copied *c = arg;

	*c->ids = ids_here();
	*c->shepherd = qthread_shep();
	return (aligned_t)(unsigned char)c->rest[39];
}

static void macros(const char *what)
{
	struct ids ids[7];
	qthread_shepherd_id_t shepherd[7];
	struct copied c[7];
	aligned_t ret[7];
	syncvar_t sv[2] = { SYNCVAR_INITIALIZER, SYNCVAR_INITIALIZER };
	uint64_t value[2] = { 0, 0 };
	const qthread_shepherd_id_t last = (qthread_shepherd_id_t)(qthread_num_shepherds() - 1);

	for (int i = 0; i < 7; i++) {
		c[i] = (struct copied){ .ids = &ids[i], .shepherd = &shepherd[i] };
		c[i].rest[39] = (char)(50 + i);
	}
	int rc = qthread_fork_new_team(note_copied, &c[0], &ret[0]);
	rc |= qthread_fork_new_subteam(note_copied, &c[1], &ret[1]);
	rc |= qthread_fork_new_team_to(note_copied, &c[2], &ret[2], last);
	rc |= qthread_fork_syncvar_new_team(note_copied, &c[3], &sv[0]);
	rc |= qthread_fork_syncvar_new_subteam(note_copied, &c[4], &sv[1]);
	struct copied gone = c[5];
	rc |= qthread_fork_copyargs_new_team(note_copied, &gone, sizeof(gone), &ret[5]);
	gone = c[6];
	rc |= qthread_fork_copyargs_new_subteam(note_copied, &gone, sizeof(gone), &ret[6]);
	memset(&gone, 0, sizeof(gone));
	qthread_syncvar_readFF(&value[0], &sv[0]);
	qthread_syncvar_readFF(&value[1], &sv[1]);
	bool results = rc == QTHREAD_SUCCESS && value[0] == 53 && value[1] == 54;
	bool numbers = true;
	for (unsigned i = 0; i < 7; i++) {
		results = (i == 3 || i == 4 || result(&ret[i]) == 50 + i) && results;
		numbers = ids_are(ids[i], ids[0].own + i, i == 1 || i == 4 || i == 6 ? 1 : 0) && numbers;
	}
	ok(results && shepherd[2] == last, "%s: the macros that make teams fork", what);
	ok(numbers, "%s: and make teams and subteams", what);
}

/* ---- Records -------------------------------------------------------------------------------------------------- */

/* What a task of a team has in its record besides does not get into another's way. */
static aligned_t check_record(void *arg)
{
	const unsigned char *bytes = arg;
	const unsigned size = qthread_size_tasklocal(), team = qt_team_id();
	aligned_t wrong = 0;

	memset(qthread_get_tasklocal(size), 0xff, size);
	for (size_t i = 1; i < bytes[0]; i++)
		wrong += bytes[i] != (unsigned char)i;
	memset(qthread_get_tasklocal(1000), 0xff, 1000);
	return wrong + (qt_team_id() != team) + (team == 1);
}

static aligned_t fork_records(void *arg)
{
	unsigned char bytes[3000];
	aligned_t ret[64], wrong = 0;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)i;
	for (size_t i = 0; i < 64; i++) {
		const size_t size = i < 60 ? i + 1 : 700 * (i - 59);
		bytes[0] = (unsigned char)(size < 255 ? size : 255);
		wrong += qthread_fork_copyargs(check_record, bytes, size, &ret[i]) != QTHREAD_SUCCESS;
	}
	for (size_t i = 0; i < 64; i++)
		wrong += result(&ret[i]);
	return wrong + check_record(arg);
}

static void records(const char *what)
{
	unsigned char bytes[16] = { 16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	aligned_t ret[3];

	qthread_fork_copyargs_new_team(fork_records, bytes, 16, &ret[0]);
	qthread_fork_copyargs_new_subteam(fork_records, bytes, 16, &ret[1]);
	bytes[0] = 8;
	qthread_fork_copyargs_new_team(fork_records, bytes, 8, &ret[2]);
	is_int(result(&ret[0]) + result(&ret[1]) + result(&ret[2]), 0,
		"%s: copied arguments and task-local data of leaders and members", what);
}

/* ---- Leaders and members of all kinds ------------------------------------------------------------------------- */

static aligned_t count_end(void *arg)
{
	qthread_incr(&ended, 1);
	return (aligned_t)(uintptr_t)arg;
}

static aligned_t lead_simply(void *arg)
{
	(void)arg;
	for (int i = 0; i < 20; i++)
		spawn(count_end, NULL, NULL, QTHREAD_SPAWN_SIMPLE);
	return 11;
}

static void simple(const char *what)
{
	aligned_t ret;

	ended = 0;
	spawn(lead_simply, NULL, &ret, QTHREAD_SPAWN_NEW_TEAM | QTHREAD_SPAWN_SIMPLE);
	const aligned_t value = result(&ret);
	ok(value == 11 && ended == 20, "%s: simple tasks lead teams and are members", what);
}

static aligned_t lead_later(void *arg)
{
	qthread_fork_precond(count_end, NULL, NULL, 1, arg);
	return 12;
}

/* A team lives before its leader starts, and waits for members that have not started. */
static void preconditions(const char *what)
{
	void **words = malloc(2 * sizeof(*words));
	aligned_t ret, first = 0, second = 0;
	struct ids later;
	aligned_t later_ret;

	ended = 0;
	words[0] = (void *)1;
	words[1] = &first;
	qthread_empty(&first);
	qthread_empty(&second);
	const int rc = qthread_spawn(lead_later, &second, 0, &ret, 1, words, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM);
	until_waiting(&first, QTI_WAIT_PRECOND, 1);
	qthread_fork_new_team(note_ids, &later, &later_ret);
	qthread_fill(&first);
	until_waiting(&second, QTI_WAIT_PRECOND, 1);
	until_quiet();
	const bool waits = rc == QTHREAD_SUCCESS && qthread_feb_status(&ret) == 0 && result(&later_ret) == 5;
	qthread_fill(&second);
	ok(result(&ret) == 12 && waits && ended == 1, "%s: a member with a precondition keeps the result waiting", what);
}

static aligned_t filled;

static aligned_t lead_undeliverable(void *arg)
{
	(void)arg;
	qthread_fork(wait_at_gate, (void *)31, &filled);
	return 32;
}

/* A member that has returned has ended, wherever its result is. */
static void undeliverable_results(const char *what)
{
	aligned_t ret, value = 0;

	close_gate();
	qthread_fork_new_team(lead_undeliverable, NULL, &ret);
	until_waiting(&gate, QTI_WAIT_READ_FF, 1);
	qthread_writeF_const(&filled, 1);
	qthread_writeF_const(&ret, 2);
	qthread_fill(&gate);
	until_waiting(&ret, QTI_WAIT_WRITE_EF, 1);
	ok(waiting_at(&filled, QTI_WAIT_WRITE_EF) == 1 && filled == 1 && ret == 2,
		"%s: results of a member and a leader wait for words that somebody has filled", what);
	qthread_readFE(NULL, &filled);
	qthread_readFE(NULL, &ret);
	qthread_readFF(&value, &filled);
	ok(value == 31 && result(&ret) == 32, "%s: and are delivered when those are empty", what);
}

static struct ids forked_by_sinc;
static aligned_t forked_by_sinc_ret, operations;

/* Called for the value, and again when what the workers have is put together. */
static void fork_in_operation(void *restrict tgt, void const *restrict src)
{
	if (*(aligned_t const *)src == 42 && qthread_incr(&operations, 1) == 0)
		qthread_fork(note_ids, &forked_by_sinc, &forked_by_sinc_ret);
	*(aligned_t *)tgt += *(aligned_t const *)src;
}

/* The team has ended by then, so it cannot be in it. */
static void sinc_operation(const char *what)
{
	const aligned_t zero = 0;
	aligned_t total = 0;
	qt_sinc_t *s = qt_sinc_create(sizeof(zero), &zero, fork_in_operation, 1);

	close_gate();
	operations = 0;
	qthread_empty(&forked_by_sinc_ret);
	qthread_spawn(lead_waiter, (void *)42, 0, s, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM | QTHREAD_SPAWN_RET_SINC);
	until_waiting(&gate, QTI_WAIT_READ_FF, 1);
	qthread_fill(&gate);
	qt_sinc_wait(s, &total);
	qt_sinc_destroy(s);
	ok(total == 42 && result(&forked_by_sinc_ret) == 5 && ids_are(forked_by_sinc, 1, 0),
		"%s: what a sinc's operation forks for a leader is in the default team", what);
}

static aligned_t leaders_ret, early;

static void look_at_leader(void *restrict tgt, void const *restrict src)
{
	(void)tgt, (void)src;
	early += qthread_feb_status(&leaders_ret) != 0;
}

static aligned_t lead_submitter(void *arg)
{
	qthread_spawn(wait_at_gate, NULL, 0, arg, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC);
	return 15;
}

static void order_of_results(const char *what)
{
	qt_sinc_t *s = qt_sinc_create(sizeof(aligned_t), NULL, look_at_leader, 1);

	close_gate();
	early = 0;
	qthread_fork_new_team(lead_submitter, s, &leaders_ret);
	until_waiting(&gate, QTI_WAIT_READ_FF, 1);
	qthread_fill(&gate);
	qt_sinc_wait(s, NULL);
	qt_sinc_destroy(s);
	ok(result(&leaders_ret) == 15 && early == 0, "%s: the last member's result is delivered before the leader's", what);
}

/* ---- Size ----------------------------------------------------------------------------------------------------- */

static aligned_t lead_wide(void *arg)
{
	for (uintptr_t i = 0; i < (uintptr_t)arg; i++)
		qthread_fork(count_end, NULL, NULL);
	return 13;
}

static aligned_t lead_deep(void *arg)
{
	const uintptr_t left = (uintptr_t)arg;

	if (left == 0)
		return wait_at_gate(NULL);
	qthread_fork_new_subteam(lead_deep, (void *)(left - 1), NULL);
	qthread_incr(&ended, 1);
	return 14;
}

static void large_teams(const char *what)
{
	const aligned_t n = (aligned_t)every_scaled(2000);
	aligned_t ret;

	ended = 0;
	qthread_fork_new_team(lead_wide, (void *)(uintptr_t)n, &ret);
	const aligned_t wide = result(&ret);
	ok(wide == 13 && ended == n, "%s: a team of %d", what, (int)n);
	close_gate();
	qthread_fork_new_team(lead_deep, (void *)(uintptr_t)n, &ret);
	until_waiting(&gate, QTI_WAIT_READ_FF, 1);
	until_quiet();
	const bool waits = qthread_feb_status(&ret) == 0;
	qthread_fill(&gate);
	const aligned_t deep = result(&ret);
	ok(waits && deep == 14 && ended == n + 1, "%s: %d teams, each below the next", what, (int)n);
}

/* ---- External threads, and calls without effect --------------------------------------------------------------- */

static void fork_outside(void *arg)
{
	struct ids *ids = arg;
	aligned_t ret[3];

	qthread_fork_new_team(note_ids, &ids[0], &ret[0]);
	qthread_fork_new_subteam(note_ids, &ids[1], &ret[1]);
	qthread_fork(note_ids, &ids[2], &ret[2]);
	for (int i = 0; i < 3; i++)
		result(&ret[i]);
}

static void external_threads(const char *what)
{
	struct ids ids[3];

	every_outside(fork_outside, ids);
	ok(ids_are(ids[0], ids[0].own, 0) && ids_are(ids[1], ids[0].own + 1, 1) && ids_are(ids[2], 1, 0),
		"%s: external threads fork teams, subteams of the default team, and tasks in that", what);
}

static void qt_team_critical_section_does_nothing(const char *what)
{
	qt_team_critical_section(END);
	qt_team_critical_section(BEGIN);
	qt_team_critical_section((qt_team_critical_section_t)77);
	ok(ids_are(ids_here(), 1, 0), "%s: qt_team_critical_section, with any argument", what);
}

static void run(const char *what)
{
	qt_team_id_counts(what);
	members(what, QTHREAD_SPAWN_NEW_TEAM, "NEW_TEAM");
	members(what, QTHREAD_SPAWN_NEW_SUBTEAM, "NEW_SUBTEAM");
	result_waits_for_members(what);
	syncvar_and_sinc_wait_for_members(what);
	result_waits_for_subteams(what);
	team_inside_is_apart(what);
	macros(what);
	records(what);
	simple(what);
	preconditions(what);
	undeliverable_results(what);
	sinc_operation(what);
	order_of_results(what);
	large_teams(what);
	external_threads(what);
	qt_team_critical_section_does_nothing(what);
}

/* ---- The end of the runtime ----------------------------------------------------------------------------------- */

static void count_task(void *address, qthread_f f, void *f_arg, void *retloc, unsigned id, void *tasklocal, void *arg)
{
	(void)address, (void)f, (void)f_arg, (void)retloc, (void)id, (void)tasklocal;
	++*(int *)arg;
}

/* Fills the word when, besides the three members, the main task waits in qthread_finalize. */
static void *open_late(void *unused)
{
	(void)unused;
	for (int waiting = 0; waiting != 4; sched_yield()) {
		waiting = 0;
		qthread_feb_callback(count_task, &waiting);
	}
	qthread_fill(&gate);
	return NULL;
}

static aligned_t lead_fifty(void *unused)
{
	(void)unused;
	return lead_wide((void *)50);
}

static aligned_t poll(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&opened, __ATOMIC_ACQUIRE))
		qthread_yield();
	return count_end(NULL);
}

static aligned_t lead_poller(void *arg)
{
	qthread_fork(poll, arg, NULL);
	return 0;
}

static void *stop_polling(void *unused)
{
	(void)unused;
	__atomic_store_n(&opened, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void finalize_with(qthread_f leader, aligned_t teams, void *(*help)(void *))
{
	pthread_t thread;

	close_gate();
	opened = 0;
	for (aligned_t i = 0; i < teams; i++)
		qthread_fork_new_team(leader, NULL, NULL);
	until_waiting(&gate, QTI_WAIT_READ_FF, leader == lead_waiter ? (unsigned)teams : 0);
	if (pthread_create(&thread, NULL, help, NULL) != 0)
		bail_out("pthread_create failed");
	qthread_finalize();
	pthread_join(thread, NULL);
}

static void finalize_waiting(void *unused)
{
	(void)unused;
	every_start("mts", "1", "2");
	finalize_with(lead_waiter, 3, open_late);
	exit(ended == 3 ? 0 : 1);
}

static void exit_waiting(void *arg)
{
	every_start("ws", "1", "2");
	close_gate();
	for (int i = 0; i < 3; i++)
		qthread_fork_new_team(arg ? lead_waiter : lead_poller, NULL, NULL);
	exit(0);
}

static void endings(void)
{
	struct child c;

	child_run(&c, finalize_waiting, NULL);
	ok(child_ended_well(&c), "qthread_finalize waits for teams that need another thread");
	ok(child_lines(&c) == 1 && strstr(c.said, "3 team(s)"), "qthread_finalize says so in one line") || (child_tell(&c), 0);
	child_run(&c, exit_waiting, &c);
	ok(child_ended_well(&c) && child_lines(&c) == 0, "exit does not wait for teams that wait for ever") || (child_tell(&c), 0);
	child_run(&c, exit_waiting, NULL);
	ok(child_ended_well(&c) && child_lines(&c) == 0, "exit does not wait for teams that poll for ever") || (child_tell(&c), 0);
}

static void endings_of(const char *scheduler)
{
	every_start(scheduler, "2", "1");
	finalize_with(lead_poller, 2, stop_polling);
	is_int(ended, 2, "%s: qthread_finalize waits for teams that poll", scheduler);
	every_start(scheduler, "1", "1");
	finalize_with(lead_fifty, 5, stop_polling);
	is_int(ended, 5 * 50, "%s: qthread_finalize runs teams that can go on", scheduler);
}

static void while_down(void)
{
	aligned_t ret;

	is_int(qt_team_id(), 0, "qt_team_id is 0 while the runtime is down");
	is_int(qt_team_parent_id(), 0, "qt_team_parent_id is 0 while the runtime is down");
	qt_team_critical_section(BEGIN);
	is_int(qthread_fork_new_team(count_end, NULL, &ret), QTHREAD_NOT_ALLOWED, "qthread_fork_new_team is not allowed then");
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + EVERY_SCHEDULERS * ENDINGS_PER_SCHEDULER + OTHER_CHECKS);
	while_down();
	endings();
	for (int s = 0; s < EVERY_SCHEDULERS; s++)
		endings_of(every_scheduler[s]);
	every_runtime(run);
	return done();
}
