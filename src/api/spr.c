/* api/spr.c -- programs for several locales, run on the one there is.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/atomic.h"
#include "qthread/spr.h"

enum { SPR_LOCALES = 1, SPR_HERE = 0 };

/* What a handle holds from the transfer to the wait. */
static const char spr_begun[sizeof(spr_get_handle_t)] = "in use";
static const char spr_ended[sizeof(spr_get_handle_t)] = "done";

static bool spr_up;             /* between spr_init and spr_fini */

int spr_init(unsigned int flags, qthread_f *regs)
{
	(void)regs;
	if (flags & ~(unsigned)SPR_SPMD)
		return SPR_BADARGS;
	const int error = qthread_initialize();
	if (error != QTHREAD_SUCCESS)
		return error;
	return swap_acq_rel(&spr_up, true) ? SPR_IGN : SPR_OK;
}

int spr_fini(void)
{
	return swap_acq_rel(&spr_up, false) ? SPR_OK : SPR_NOINIT;
}

static int spr_ready(void)
{
	return load_acq(&spr_up) ? SPR_OK : SPR_NOINIT;
}

int spr_register_actions(qthread_f *actions, size_t count, size_t base)
{
	(void)base;
	if (spr_ready() != SPR_OK)
		return SPR_NOINIT;
	return actions || count == 0 ? SPR_OK : SPR_BADARGS;
}

int spr_unify(void)
{
	return spr_ready();
}

int spr_locale_barrier(void)
{
	return spr_ready();
}

int spr_num_locales(void)
{
	return spr_ready() == SPR_OK ? SPR_LOCALES : SPR_NOINIT;
}

int spr_locale_id(void)
{
	return spr_ready() == SPR_OK ? SPR_HERE : SPR_NOINIT;
}

static int spr_copy(int locale, void *dest, void const *src, size_t size)
{
	if (spr_ready() != SPR_OK)
		return SPR_NOINIT;
	if (locale != SPR_HERE || (size > 0 && (!dest || !src)))
		return SPR_BADARGS;
	if (size > 0)
		memmove(dest, src, size);
	return SPR_OK;
}

int spr_get(void *dest, int src_loc, void const *src, size_t size)
{
	return spr_copy(src_loc, dest, src, size);
}

int spr_put(int dest_loc, void *dest, void const *src, size_t size)
{
	return spr_copy(dest_loc, dest, src, size);
}

/* A transfer is over before the call that begins it returns; the handle only sees to it that somebody waits. */
static int spr_begin(int locale, void *dest, void const *src, size_t size, char *handle)
{
	const int result = spr_ready() == SPR_OK && !handle ? SPR_BADARGS : spr_copy(locale, dest, src, size);

	if (result == SPR_OK)
		memcpy(handle, spr_begun, sizeof(spr_begun));
	return result;
}

static int spr_end(char *handle)
{
	if (spr_ready() != SPR_OK)
		return SPR_NOINIT;
	if (!handle || memcmp(handle, spr_begun, sizeof(spr_begun)) != 0)
		return SPR_BADARGS;
	memcpy(handle, spr_ended, sizeof(spr_ended));
	return SPR_OK;
}

int spr_get_nb(void *dest, int src_loc, void const *src, size_t size, spr_get_handle_t *hand)
{
	return spr_begin(src_loc, dest, src, size, hand ? hand->opaque : NULL);
}

int spr_get_wait(spr_get_handle_t *const hand)
{
	return spr_end(hand ? hand->opaque : NULL);
}

int spr_put_nb(int dest_loc, void *dest, void const *src, size_t size, spr_put_handle_t *hand)
{
	return spr_begin(dest_loc, dest, src, size, hand ? hand->opaque : NULL);
}

int spr_put_wait(spr_put_handle_t *const hand)
{
	return spr_end(hand ? hand->opaque : NULL);
}
