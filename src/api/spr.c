/* api/spr.c -- see qthread/spr.h: what concerns the caller's own locale is done here, the rest by api/locales.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/actions.h"
#include "api/locales.h"
#include "base/atomic.h"
#include "base/mem.h"

#include <string.h>

/* What a handle holds from a transfer within a locale to the wait, and afterwards. */
static const char spr_begun[sizeof(spr_get_handle_t)] = "in use";
static const char spr_ended[sizeof(spr_get_handle_t)] = "done";

_Static_assert(sizeof(spr_get_handle_t) == sizeof(uint64_t), "a handle of api/locales.h fits");

static const struct qti_locales *library;

static bool spr_claimed;        /* between spr_init and spr_fini */
static bool spr_up;             /* the same, but from when other locales may be asked */

void qti_locales_come(const struct qti_locales *l)
{
	library = l;
}

static int spr_ready(void)
{
	return load_acq(&spr_up) ? SPR_OK : SPR_NOINIT;
}

static int spr_locales(void)
{
	return library ? *library->locales : 1;
}

static int spr_here(void)
{
	return library ? *library->here : 0;
}

static bool spr_is_alone(void)
{
	return spr_locales() == 1;
}

/* --- begin and end --------------------------------------------------------------------------------------- */

static int spr_announce(qthread_f *regs)
{
	size_t n = 0;

	while (regs && regs[n])
		n++;
	return qti_actions_add(regs, n, 0);
}

void qti_locales_up(void)
{
	store_rel(&spr_up, true);
}

int spr_init(unsigned int flags, qthread_f *regs)
{
	if (flags & ~(unsigned)SPR_SPMD)
		return SPR_BADARGS;
	int error = qthread_initialize();
	if (error != QTHREAD_SUCCESS)
		return error;
	if (swap_acq_rel(&spr_claimed, true))
		return SPR_IGN;
	error = spr_announce(regs);
	if (library)
		error = library->begin(flags & SPR_SPMD, error);
	if (error == SPR_OK) {
		qti_locales_up();
		return SPR_OK;
	}
	qti_actions_forget();
	store_rel(&spr_up, false);
	store_rel(&spr_claimed, false);
	return error;
}

int spr_fini(void)
{
	if (spr_ready() != SPR_OK)
		return SPR_NOINIT;
	if (!spr_is_alone())
		library->end();
	qti_actions_forget();
	if (!swap_acq_rel(&spr_up, false))
		return SPR_NOINIT;
	store_rel(&spr_claimed, false);
	return SPR_OK;
}

void qti_locales_leave(void)
{
	if (spr_ready() == SPR_OK && !spr_is_alone())
		spr_fini();
}

int spr_register_actions(qthread_f *actions, size_t count, size_t base)
{
	if (spr_ready() != SPR_OK)
		return SPR_NOINIT;
	for (size_t i = 0; i < count; i++)
		if (!actions || !actions[i])
			return SPR_BADARGS;
	return qti_actions_add(actions, count, base);
}

int spr_unify(void)
{
	return spr_ready() != SPR_OK || spr_is_alone() ? spr_ready() : library->unify();
}

int spr_locale_barrier(void)
{
	return spr_ready() != SPR_OK || spr_is_alone() ? spr_ready() : library->barrier();
}

int spr_num_locales(void)
{
	return spr_ready() == SPR_OK ? spr_locales() : SPR_NOINIT;
}

int spr_locale_id(void)
{
	return spr_ready() == SPR_OK ? spr_here() : SPR_NOINIT;
}

/* --- copies ---------------------------------------------------------------------------------------------- */

static int spr_check(int locale, const void *a, const void *b, size_t size)
{
	if (spr_ready() != SPR_OK)
		return SPR_NOINIT;
	return locale < 0 || locale >= spr_locales() || (size > 0 && (!a || !b)) ? SPR_BADARGS : SPR_OK;
}

/* A transfer within the locale is over before the call that begins it returns; its handle only sees to it that somebody
 * waits. */
static int spr_begin(bool get, int locale, void *mine, void *theirs, size_t size, char *handle)
{
	uint64_t number;

	int result = spr_check(locale, mine, theirs, size);
	if (result == SPR_OK && !handle)
		result = SPR_BADARGS;
	if (result != SPR_OK)
		return result;
	if (locale != spr_here()) {
		result = library->transfer(get, locale, mine, theirs, size, &number);
		if (result == SPR_OK)
			memcpy(handle, &number, sizeof(number));
		return result;
	}
	if (size > 0)
		memmove(get ? mine : theirs, get ? theirs : mine, size);
	memcpy(handle, spr_begun, sizeof(spr_begun));
	return SPR_OK;
}

static int spr_end(bool get, char *handle)
{
	uint64_t number;
	int result = SPR_OK;

	if (spr_ready() != SPR_OK)
		return SPR_NOINIT;
	if (!handle)
		return SPR_BADARGS;
	memcpy(&number, handle, sizeof(number));
	if (memcmp(handle, spr_begun, sizeof(spr_begun)) != 0)
		result = spr_is_alone() ? SPR_BADARGS : library->wait(get, number);
	if (result == SPR_OK)
		memcpy(handle, spr_ended, sizeof(spr_ended));
	return result;
}

int spr_get_nb(void *dest, int src_loc, void const *src, size_t size, spr_get_handle_t *hand)
{
	return spr_begin(true, src_loc, dest, (void *)(uintptr_t)src, size, hand ? hand->opaque : NULL);
}

int spr_get_wait(spr_get_handle_t *const hand)
{
	return spr_end(true, hand ? hand->opaque : NULL);
}

int spr_put_nb(int dest_loc, void *dest, void const *src, size_t size, spr_put_handle_t *hand)
{
	return spr_begin(false, dest_loc, (void *)(uintptr_t)src, dest, size, hand ? hand->opaque : NULL);
}

int spr_put_wait(spr_put_handle_t *const hand)
{
	return spr_end(false, hand ? hand->opaque : NULL);
}

int spr_get(void *dest, int src_loc, void const *src, size_t size)
{
	spr_get_handle_t hand;
	const int result = spr_get_nb(dest, src_loc, src, size, &hand);

	return result == SPR_OK ? spr_get_wait(&hand) : result;
}

int spr_put(int dest_loc, void *dest, void const *src, size_t size)
{
	spr_put_handle_t hand;
	const int result = spr_put_nb(dest_loc, dest, src, size, &hand);

	return result == SPR_OK ? spr_put_wait(&hand) : result;
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

/* With one locale: a task that has its argument to itself, as one that another locale has forked.  With several the
 * library forks those of its own locale, too, for spr_fini to wait for them. */
struct spr_task {
	qthread_f f;
	max_align_t arg[];
};

static aligned_t spr_run(void *arg)
{
	struct spr_task *t = arg;
	const aligned_t value = t->f(t->arg);

	qti_mem_free(t);
	return value;
}

static int spr_fork_here(qthread_f f, void const *arg, size_t size, aligned_t *ret)
{
	struct spr_task *t = size > SIZE_MAX - sizeof(*t) ? NULL : qti_mem_alloc(sizeof(*t) + size);

	if (!t)
		return QTHREAD_MALLOC_ERROR;
	t->f = f;
	if (size > 0)
		memcpy(t->arg, arg, size);
	const int result = qthread_fork(spr_run, t, ret);
	if (result != QTHREAD_SUCCESS)
		qti_mem_free(t);
	return result;
}

int qthread_fork_remote(qthread_f f, void const *arg, aligned_t *ret, int locale, size_t size)
{
	size_t number;
	const int result = spr_check(locale, arg, arg, size);

	if (result != SPR_OK)
		return result;
	if (!f || !qti_action_number(f, &number))
		return SPR_BADARGS;
	return spr_is_alone() ? spr_fork_here(f, arg, size, ret) : library->fork(locale, number, arg, size, ret);
}
