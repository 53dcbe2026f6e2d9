/* test/api/prototypes.c -- every public function has exactly the type that the API gives it, and is there to be linked.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * headers_compile.sh checks that no exported name is missing here.
 */
#include "tap.h"

#include <qthread.h>
#include <qthread/cacheline.h>
#include <qthread/qloop.h>
#include <qthread/qtimer.h>
#include <qthread/sinc.h>
#include <qthread/stats.h>
#include <qthread/tls.h>

/* name, result, parameters: 1 if the type is the same but for qualifiers of the parameters themselves, else 0. */
#define CALL(name, result, params) \
	{ #name, (void (*)(void))name, _Generic(&name, result (*) params : 1, default : 0) }

static const struct {
	const char *name;
	void (*address)(void);
	int right_type;
} calls[] = {
	CALL(qthread_init, int, (qthread_shepherd_id_t)),
	CALL(qthread_initialize, int, (void)),
	CALL(qthread_finalize, void, (void)),
	CALL(qthread_call_method, void, (qthread_f, void *, void *, uint16_t)),
	CALL(qthread_yield_, void, (int)),
	CALL(qthread_flushsc, void, (void)),
	CALL(qthread_migrate_to, int, (qthread_shepherd_id_t)),
	CALL(qthread_disable_shepherd, int, (qthread_shepherd_id_t)),
	CALL(qthread_enable_shepherd, void, (qthread_shepherd_id_t)),
	CALL(qthread_disable_worker, int, (qthread_worker_id_t)),
	CALL(qthread_enable_worker, void, (qthread_worker_id_t)),
	CALL(qthread_reset_target_shep, void, (void)),
	CALL(qthread_fork, int, (qthread_f, void const *, aligned_t *)),
	CALL(qthread_fork_net, int, (qthread_f, void const *, aligned_t *)),
	CALL(qthread_fork_to, int, (qthread_f, void const *, aligned_t *, qthread_shepherd_id_t)),
	CALL(qthread_fork_syncvar, int, (qthread_f, void const *, syncvar_t *)),
	CALL(qthread_fork_syncvar_to, int, (qthread_f, void const *, syncvar_t *, qthread_shepherd_id_t)),
	CALL(qthread_fork_copyargs, int, (qthread_f, void const *, size_t, aligned_t *)),
	CALL(qthread_fork_copyargs_to, int, (qthread_f, void const *, size_t, syncvar_t *, qthread_shepherd_id_t)),
	CALL(qthread_fork_syncvar_copyargs, int, (qthread_f, void const *, size_t, syncvar_t *)),
	CALL(qthread_fork_syncvar_copyargs_simple, int, (qthread_f, void const *, size_t, syncvar_t *)),
	CALL(qthread_fork_precond, int, (qthread_f, void const *, aligned_t *, int, ...)),
	CALL(qthread_fork_precond_to, int, (qthread_f, void const *, aligned_t *, qthread_shepherd_id_t, int, ...)),
	CALL(qthread_fork_precond_simple, int, (qthread_f, void const *, aligned_t *, int, ...)),
	CALL(qthread_fork_copyargs_precond, int, (qthread_f, void const *, size_t, syncvar_t *, int, ...)),
	CALL(qthread_spawn, int,
		(qthread_f, void const *, size_t, void *, size_t, void *, qthread_shepherd_id_t, unsigned int)),
	CALL(qt_team_id, unsigned, (void)),
	CALL(qt_team_parent_id, unsigned, (void)),
	CALL(qt_team_critical_section, void, (qt_team_critical_section_t)),
	CALL(qthread_id, unsigned, (void)),
	CALL(qthread_shep, qthread_shepherd_id_t, (void)),
	CALL(qthread_worker, qthread_worker_id_t, (qthread_shepherd_id_t *)),
	CALL(qthread_worker_unique, qthread_worker_id_t, (qthread_shepherd_id_t *)),
	CALL(qthread_worker_local, qthread_worker_id_t, (qthread_shepherd_id_t *)),
	CALL(qthread_get_tasklocal, void *, (unsigned int)),
	CALL(qthread_size_tasklocal, unsigned, (void)),
	CALL(qthread_tos, void *, (void)),
	CALL(qthread_bos, void *, (void)),
	CALL(qthread_stackleft, size_t, (void)),
	CALL(qthread_retloc, aligned_t *, (void)),
	CALL(qthread_shep_ok, int, (void)),
	CALL(qthread_shep_next, void, (qthread_shepherd_id_t *)),
	CALL(qthread_shep_prev, void, (qthread_shepherd_id_t *)),
	CALL(qthread_shep_next_local, void, (qthread_shepherd_id_t *)),
	CALL(qthread_shep_prev_local, void, (qthread_shepherd_id_t *)),
	CALL(qthread_distance, int, (qthread_shepherd_id_t, qthread_shepherd_id_t)),
	CALL(qthread_sorted_sheps, qthread_shepherd_id_t const *, (void)),
	CALL(qthread_sorted_sheps_remote, qthread_shepherd_id_t const *, (qthread_shepherd_id_t)),
	CALL(qthread_num_shepherds, qthread_shepherd_id_t, (void)),
	CALL(qthread_num_workers, qthread_worker_id_t, (void)),
	CALL(qthread_num_workers_local, qthread_worker_id_t, (qthread_shepherd_id_t)),
	CALL(qthread_readstate, size_t, (enum introspective_state)),
	CALL(qthread_feb_status, int, (aligned_t const *)),
	CALL(qthread_empty, int, (aligned_t const *)),
	CALL(qthread_fill, int, (aligned_t const *)),
	CALL(qthread_purge, int, (aligned_t *)),
	CALL(qthread_purge_to, int, (aligned_t *, aligned_t const *)),
	CALL(qthread_purge_to_const, int, (aligned_t *, aligned_t)),
	CALL(qthread_writeEF, int, (aligned_t *, aligned_t const *)),
	CALL(qthread_writeEF_const, int, (aligned_t *, aligned_t)),
	CALL(qthread_writeEF_nb, int, (aligned_t *, aligned_t const *)),
	CALL(qthread_writeEF_const_nb, int, (aligned_t *, aligned_t)),
	CALL(qthread_writeF, int, (aligned_t *, aligned_t const *)),
	CALL(qthread_writeF_const, int, (aligned_t *, aligned_t)),
	CALL(qthread_writeFF, int, (aligned_t *, aligned_t const *)),
	CALL(qthread_writeFF_const, int, (aligned_t *, aligned_t)),
	CALL(qthread_readFF, int, (aligned_t *, aligned_t const *)),
	CALL(qthread_readFF_nb, int, (aligned_t *, aligned_t const *)),
	CALL(qthread_readFE, int, (aligned_t *, aligned_t const *)),
	CALL(qthread_readFE_nb, int, (aligned_t *, aligned_t const *)),
	CALL(qthread_readXX, int, (aligned_t *, aligned_t const *)),
	CALL(qthread_feb_callback, void,
		(void (*)(void *, qthread_f, void *, void *, unsigned int, void *, void *), void *)),
	CALL(qthread_syncvar_callback, void,
		(void (*)(void *, qthread_f, void *, void *, unsigned int, void *, void *), void *)),
	CALL(qthread_queue_create, qthread_queue_t, (uint8_t, aligned_t)),
	CALL(qthread_queue_join, int, (qthread_queue_t)),
	CALL(qthread_queue_length, aligned_t, (qthread_queue_t)),
	CALL(qthread_queue_release_one, int, (qthread_queue_t)),
	CALL(qthread_queue_release_all, int, (qthread_queue_t)),
	CALL(qthread_queue_destroy, int, (qthread_queue_t)),
	CALL(qthread_lock, int, (aligned_t const *)),
	CALL(qthread_unlock, int, (aligned_t const *)),
	CALL(qthread_trylock, int, (aligned_t const *)),
	CALL(qthread_lock_init, int, (aligned_t const *, bool)),
	CALL(qthread_lock_destroy, int, (aligned_t *)),
	CALL(qthread_spinlock_init, int, (qthread_spinlock_t *, bool)),
	CALL(qthread_spinlock_destroy, int, (qthread_spinlock_t *)),
	CALL(qthread_spinlocks_init, int, (qthread_spinlock_t *, bool)),
	CALL(qthread_spinlocks_destroy, int, (qthread_spinlock_t *)),
	CALL(qthread_spinlock_lock, int, (qthread_spinlock_t *)),
	CALL(qthread_spinlock_unlock, int, (qthread_spinlock_t *)),
	CALL(qthread_spinlock_trylock, int, (qthread_spinlock_t *)),
	CALL(qthread_syncvar_status, int, (syncvar_t *)),
	CALL(qthread_syncvar_empty, int, (syncvar_t *)),
	CALL(qthread_syncvar_fill, int, (syncvar_t *)),
	CALL(qthread_syncvar_writeEF, int, (syncvar_t *, uint64_t const *)),
	CALL(qthread_syncvar_writeEF_const, int, (syncvar_t *, uint64_t)),
	CALL(qthread_syncvar_writeEF_nb, int, (syncvar_t *, uint64_t const *)),
	CALL(qthread_syncvar_writeEF_const_nb, int, (syncvar_t *, uint64_t)),
	CALL(qthread_syncvar_writeF, int, (syncvar_t *, uint64_t const *)),
	CALL(qthread_syncvar_writeF_const, int, (syncvar_t *, uint64_t)),
	CALL(qthread_syncvar_readFF, int, (uint64_t *, syncvar_t *)),
	CALL(qthread_syncvar_readFF_nb, int, (uint64_t *, syncvar_t *)),
	CALL(qthread_syncvar_readFE, int, (uint64_t *, syncvar_t *)),
	CALL(qthread_syncvar_readFE_nb, int, (uint64_t *, syncvar_t *)),
	CALL(qthread_syncvar_incrF, uint64_t, (syncvar_t *, uint64_t)),
	CALL(qthread_fincr, float, (float *, float)),
	CALL(qthread_dincr, double, (double *, double)),
	CALL(qthread_incr32, uint32_t, (uint32_t *, uint32_t)),
	CALL(qthread_incr64, uint64_t, (uint64_t *, uint64_t)),
	CALL(qthread_incr_xx, int64_t, (void *, int64_t, size_t)),
	CALL(qt_sinc_init, void, (qt_sinc_t *, size_t, void const *, qt_sinc_op_f, size_t)),
	CALL(qt_sinc_create, qt_sinc_t *, (size_t, void const *, qt_sinc_op_f, size_t)),
	CALL(qt_sinc_reset, void, (qt_sinc_t *, size_t)),
	CALL(qt_sinc_fini, void, (qt_sinc_t *)),
	CALL(qt_sinc_destroy, void, (qt_sinc_t *)),
	CALL(qt_sinc_expect, void, (qt_sinc_t *, size_t)),
	CALL(qt_sinc_tmpdata, void *, (qt_sinc_t *)),
	CALL(qt_sinc_submit, void, (qt_sinc_t *, void const *)),
	CALL(qt_sinc_wait, void, (qt_sinc_t *, void *)),
	CALL(qt_loop, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loop_simple, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loop_sv, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loop_dc, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loop_aligned, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loop_sinc, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loop_balance, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loop_balance_simple, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loop_balance_sv, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loop_balance_dc, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loop_balance_aligned, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loop_balance_sinc, void, (size_t, size_t, qt_loop_f, void *)),
	CALL(qt_loopaccum_balance, void, (size_t, size_t, size_t, void *, qt_loopr_f, void *, qt_accum_f)),
	CALL(qt_loopaccum_balance_sv, void, (size_t, size_t, size_t, void *, qt_loopr_f, void *, qt_accum_f)),
	CALL(qt_loopaccum_balance_dc, void, (size_t, size_t, size_t, void *, qt_loopr_f, void *, qt_accum_f)),
	CALL(qt_loopaccum_balance_sinc, void, (size_t, size_t, size_t, void *, qt_loopr_f, void *, qt_accum_f)),
	CALL(qtimer_fastrand, unsigned long, (void)),
	CALL(qtimer_wtime, double, (void)),
	CALL(qtimer_res, double, (void)),
	CALL(qtimer_create, qtimer_t, (void)),
	CALL(qtimer_destroy, void, (qtimer_t)),
	CALL(qtimer_start, void, (qtimer_t)),
	CALL(qtimer_stop, void, (qtimer_t)),
	CALL(qtimer_secs, double, (qtimer_t)),
	CALL(qthread_cacheline, int, (void)),
	CALL(qthread_stats, int, (qt_stats_t *, qt_stats_scope_t, unsigned)),
	CALL(qthread_key_create, int, (qthread_key_t *, void (*)(void *))),
	CALL(qthread_key_delete, int, (qthread_key_t)),
	CALL(qthread_getspecific, void *, (qthread_key_t)),
	CALL(qthread_setspecific, int, (qthread_key_t, void const *)),
};

enum { NCALLS = sizeof(calls) / sizeof(calls[0]) };

int main(void)
{
	plan(NCALLS);
	for (int i = 0; i < NCALLS; i++)
		ok(calls[i].right_type && calls[i].address, "%s has the type the API gives it", calls[i].name);
	return done();
}
