/* test/unit/omp_kmp_routines.c -- what LLVM's and Intel's OpenMP has besides OpenMP's: routines, settings,
 * threadprivate variables that are not in thread-local storage.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/atomic.h"
#include "omp/abi/api.h"
#include "omp/abi/kmp.h"
#include "omp/abi/kmpc_private.h"
#include "omp/abi/kmpc_region.h"
#include "omp/abi/kmpc_thread.h"
#include "omp/env/env.h"
#include "omp/env/icv.h"
#include "omp/env/places.h"
#include "process.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3 };

#define MICRO(fn) ((kmpc_micro *)(void (*)(void))(fn))

/* --- threadprivate --------------------------------------------------------------------------------------- */

static int cached = 7, plain = 70, object = 700, many[2] = { 7000, 7001 };
static void **cache;
static uint32_t wrong, made, ended;

static void *object_make(void *p)
{
	add_rlx(&made, 1);
	*(int *)p = 1;
	return p;
}

static void object_end(void *p)
{
	add_rlx(&ended, 1);
	*(int *)p = 0;
}

static void *many_copy(void *p, void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((int *)p)[i] = ((int *)from)[i] + 5;
	return p;
}

static void many_end(void *p, size_t n)
{
	(void)p;
	add_rlx(&ended, (uint32_t)n);
}

static bool each_right(int32_t thread, int add)
{
	int *a = __kmpc_threadprivate_cached(NULL, thread, &cached, sizeof(cached), &cache);
	int *b = __kmpc_threadprivate(NULL, thread, &plain, sizeof(plain));
	int *c = __kmpc_threadprivate(NULL, thread, &object, sizeof(object));
	int *d = __kmpc_threadprivate(NULL, thread, many, sizeof(many));
	bool first = thread == 0;
	/* Copies of a copy. */
	bool good = *a == 7 + add && *b == 70 + add && *c == (first ? 700 : 1) + add && d[1] == (first ? 7001 : 7011) + add;

	good = good && load_acq(&cache)[thread] == a && (a == &cached) == first && (c == &object) == first && (uintptr_t)b % sizeof(int) == 0;
	*a += 1;
	*b += 1;
	*c += 1;
	d[1] += 1;
	return good;
}

static void privates(int32_t *thread, int32_t *bound, int *add)
{
	(void)bound;
	if (!each_right(*thread, *add))
		add_rlx(&wrong, 1);
	__kmpc_barrier(NULL, *thread);
}

static void privates_region(int add)
{
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, MICRO(privates), &add);
}

static void *visit(void *number)
{
	int32_t own = __kmpc_global_thread_num(NULL);

	if (!each_right(own, 0))
		add_rlx(&wrong, 1);
	*(int32_t *)number = own;
	return NULL;
}

static void *ask(void *number)
{
	*(int32_t *)number = __kmpc_global_thread_num(NULL);
	return NULL;
}

static void threadprivate(void)
{
	int32_t first = 0, second;
	pthread_t t;

	pthread_create(&t, NULL, ask, &first);
	pthread_join(t, NULL);
	ok(first > 0, "global_thread_num: 0 is kept for the process's first thread");
	__kmpc_threadprivate_register(NULL, &object, object_make, NULL, object_end);
	__kmpc_threadprivate_register_vec(NULL, many, NULL, many_copy, many_end, 2);
	privates_region(0);
	ok(wrong == 0 && made == THREADS - 1, "threadprivate: the first thread has the variable, others begin as they are told");
	privates_region(1);
	privates_region(2);
	ok(wrong == 0 && made == THREADS - 1, "threadprivate: a thread keeps what it has from region to region");
	pthread_create(&t, NULL, visit, &first);
	pthread_join(t, NULL);
	is_int(ended, 3, "threadprivate: destroyed when the thread ends");
	pthread_create(&t, NULL, visit, &second);
	pthread_join(t, NULL);
	ok(wrong == 0 && first == second && first >= THREADS, "global_thread_num: a number is used again, with variables of its own");
}

static int slow = 5;
static uint32_t copying, copy_on;

static void *slow_copy(void *to, void *from)
{
	*(int *)to = *(int *)from;
	store_rel(&copying, 1);
	while (!load_acq(&copy_on))
		sched_yield();
	return to;
}

static void *meet_slow(void *unused)
{
	(void)unused;
	return __kmpc_threadprivate(NULL, __kmpc_global_thread_num(NULL), &slow, sizeof(slow));
}

/* The other thread is about to copy what the variable was: it does not go on in the child. */
static void threadprivate_in_child(void)
{
	bool *right = mmap(NULL, sizeof(*right), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_t t;

	if (right == MAP_FAILED)
		bail_out("no memory");
	__kmpc_threadprivate_register(NULL, &slow, NULL, slow_copy, NULL);
	pthread_create(&t, NULL, meet_slow, NULL);
	while (!load_acq(&copying))
		sched_yield();
	pid_t child = fork();
	if (child == 0) {
		alarm(100);
		store_rel(&copy_on, 1);
		*right = meet_slow(NULL) == &slow;
		_exit(0);
	}
	waitpid(child, NULL, 0); /* its status a checker of memory may have set, which misses the parent's threads */
	ok(*right, "threadprivate: in a child of fork(2), which came when another thread copied the variable");
	store_rel(&copy_on, 1);
	pthread_join(t, NULL);
	munmap(right, sizeof(*right));
}

/* --- routines -------------------------------------------------------------------------------------------- */

static void patience(void)
{
	int before = kmp_get_blocktime(), seen;

	kmp_set_blocktime(30);
	seen = kmp_get_blocktime();
	kmp_set_blocktime(0);
	ok(before == 200 && seen == 30 && kmp_get_blocktime() == 0, "kmp_set_blocktime, kmp_get_blocktime");
	kmp_set_blocktime(before);
	ok(kmp_get_blocktime() == 200 && qomp_settings.blocktime_us == QOMP_BLOCKTIME_UNSET,
	   "kmp_set_blocktime: what it was before is the library's own again");
	int threads = omp_get_max_threads();
	kmp_set_library_serial();
	seen = omp_get_max_threads() * 10 + kmp_get_library();
	kmp_set_library_turnaround();
	seen = seen * 10 + kmp_get_library();
	kmp_set_library_throughput();
	ok(seen == 112 && kmp_get_library() == 3 && omp_get_max_threads() == threads, "kmp_set_library: serial is one thread");
	kmp_set_blocktime(200);
}

static void sizes(void)
{
	size_t before = kmp_get_stacksize_s();

	kmp_set_stacksize(1 << 20);
	int seen = kmp_get_stacksize();
	kmp_set_stacksize_s(2 << 20);
	ok(seen == 1 << 20 && kmp_get_stacksize_s() == 2 << 20, "kmp_set_stacksize, kmp_set_stacksize_s");
	kmp_set_stacksize(100);
	is_int(kmp_get_stacksize(), 2 << 20, "kmp_set_stacksize: not what no stack can have");
	kmp_set_stacksize_s(before);
}

static void memory(void)
{
	char *a = kmp_malloc(100), *b = kmp_calloc(10, 10), *c = kmp_aligned_malloc(100, 256), *d = kmp_aligned_malloc(10, 2);
	bool good = a && b && c && d && b[99] == 0 && (uintptr_t)c % 256 == 0 && !kmp_aligned_malloc(100, 48);

	b[99] = 5;
	b = kmp_realloc(b, 1000);
	good = good && b && b[99] == 5;
	kmp_free(a);
	kmp_free(b);
	kmp_free(c);
	kmp_free(d);
	ok(good, "kmp_malloc, kmp_calloc, kmp_realloc, kmp_aligned_malloc, kmp_free");
}

static void masks(void)
{
	void *mask, *got;
	int cpu = 0, max = kmp_get_affinity_max_proc();

	kmp_create_affinity_mask(&mask);
	kmp_create_affinity_mask(&got);
	while (cpu < max && kmp_set_affinity_mask_proc(cpu, &mask) != 0)
		cpu++;
	ok(cpu < max && kmp_get_affinity_mask_proc(cpu, &mask) == 1 && kmp_set_affinity_mask_proc(max, &mask) == -1 &&
	   kmp_get_affinity_mask_proc(-1, &mask) == -1, "kmp_set_affinity_mask_proc, kmp_get_affinity_mask_proc");
	bool good = kmp_set_affinity(&mask) == 0 && kmp_get_affinity(&got) == 0 && kmp_get_affinity_mask_proc(cpu, &got) == 1;
	kmp_set_thread_affinity_mask_initial();
	ok((good || !process_can_bind()) && kmp_unset_affinity_mask_proc(cpu, &mask) == 0 && kmp_get_affinity_mask_proc(cpu, &mask) == 0,
	   "kmp_set_affinity, kmp_get_affinity: of the calling thread");
	ok(kmp_set_affinity(&mask) != 0, "kmp_set_affinity: not to no CPU");
	kmp_destroy_affinity_mask(&mask);
	kmp_destroy_affinity_mask(&got);
	ok(!mask && kmp_set_affinity(&mask) == -1, "kmp_destroy_affinity_mask");
}

/* Lines that it says. */
static int complaints(const char *settings)
{
	FILE *said = tmpfile();
	int err = dup(STDERR_FILENO), lines = 0;

	if (!said || err < 0)
		bail_out("no file");
	fflush(stderr);
	dup2(fileno(said), STDERR_FILENO);
	kmp_set_defaults(settings);
	fflush(stderr);
	dup2(err, STDERR_FILENO);
	close(err);
	rewind(said);
	for (int c; (c = getc(said)) != EOF;)
		lines += c == '\n';
	fclose(said);
	return lines;
}

static void defaults(void)
{
	kmp_set_warnings_off();
	kmp_set_defaults("OMP_NUM_THREADS=5|OMP_DYNAMIC=true|KMP_BLOCKTIME=7us|OMP_SCHEDULE=nonsense|NOTHING");
	kmp_set_warnings_on();
	ok(omp_get_max_threads() == 5 && omp_get_dynamic() == 1 && qomp_settings.blocktime_us == 7, "kmp_set_defaults: several, at once");
	kmp_set_defaults("OMP_NUM_THREADS=3|OMP_DYNAMIC=false");
	ok(omp_get_max_threads() == 3 && omp_get_dynamic() == 0, "kmp_set_defaults: again");
	is_int(complaints("OMP_NESTED=true"), 0, "kmp_set_defaults: a good value is not complained of");
	is_int(complaints("OMP_NESTED=perhaps"), 1, "and a bad one is, though there was a good one");
	kmp_set_blocktime(200);
	kmp_set_disp_num_buffers(5);
	ok(kmp_get_num_known_threads() >= THREADS, "kmp_get_num_known_threads");
}

/* --- other forms of them ----------------------------------------------------------------------------------- */

extern void kmp_set_blocktime_(const int *ms), kmp_set_library_(const int *kind), kmp_set_library_serial_(void),
	kmp_set_library_turnaround_(void), kmp_set_library_throughput_(void), kmp_set_stacksize_(const int *bytes),
	kmp_set_stacksize_s_(const size_t *bytes), kmp_set_defaults_(const char *settings, int length),
	kmp_set_disp_num_buffers_(const int *n), kmp_set_warnings_on_(void), kmp_set_warnings_off_(void);
extern int kmp_get_blocktime_(void), kmp_get_library_(void), kmp_get_stacksize_(void), kmp_get_num_known_threads_(void),
	kmp_get_cancellation_status_(const int *kind), kmp_get_cancellation_status(int kind);
extern size_t kmp_get_stacksize_s_(void);
extern void *kmp_malloc_(const size_t *size), *kmp_aligned_malloc_(const size_t *size, const size_t *align),
	*kmp_calloc_(const size_t *n, const size_t *size), *kmp_realloc_(void **p, const size_t *size);
extern void kmp_free_(void **p);
extern void kmp_create_affinity_mask_(void **mask), kmp_destroy_affinity_mask_(void **mask);
extern int kmp_set_affinity_mask_proc_(const int *cpu, void **mask), kmp_unset_affinity_mask_proc_(const int *cpu, void **mask),
	kmp_get_affinity_mask_proc_(const int *cpu, void **mask), kmp_set_affinity_(void **mask), kmp_get_affinity_(void **mask),
	kmp_get_affinity_max_proc_(void);

static void fortran_forms(void)
{
	const int serial = 1, ms = 40, bytes = 1 << 20, loop = 2, cpu = (int)qti_affinity_first(qomp_settings_cpus());
	const size_t before = kmp_get_stacksize_s_(), size = 64;

	kmp_set_library_(&serial);
	kmp_set_blocktime_(&ms);
	kmp_set_stacksize_(&bytes);
	ok(kmp_get_library_() == 1 && kmp_get_blocktime_() == 40 && kmp_get_stacksize_() == bytes, "Fortran's kmp_set_library and others");
	kmp_set_library_serial_();
	kmp_set_library_turnaround_();
	kmp_set_library_throughput_();
	kmp_set_stacksize_s_(&before);
	kmp_set_disp_num_buffers_(&ms);
	kmp_set_warnings_off_();
	kmp_set_warnings_on_();
	kmp_set_defaults_("KMP_BLOCKTIME=200, and more", 17);
	ok(kmp_get_library_() == 3 && kmp_get_blocktime_() == 200 && kmp_get_num_known_threads_() > 0 &&
	   kmp_get_cancellation_status_(&loop) == kmp_get_cancellation_status(2), "Fortran's kmp_set_defaults: a string with a length");
	void *p = kmp_malloc_(&size), *q = kmp_aligned_malloc_(&size, &size), *z = kmp_calloc_(&size, &size), *mask;
	z = kmp_realloc_(&z, &size);
	ok(p && q && z && (uintptr_t)q % size == 0, "Fortran's kmp_malloc and others");
	kmp_free_(&p);
	kmp_free_(&q);
	kmp_free_(&z);
	kmp_create_affinity_mask_(&mask);
	bool good = kmp_set_affinity_mask_proc_(&cpu, &mask) == 0 && kmp_set_affinity_(&mask) == 0 && kmp_get_affinity_(&mask) == 0 &&
		    kmp_get_affinity_mask_proc_(&cpu, &mask) == 1 && kmp_unset_affinity_mask_proc_(&cpu, &mask) == 0;
	kmp_set_thread_affinity_mask_initial();
	kmp_destroy_affinity_mask_(&mask);
	ok((good || !process_can_bind()) && kmp_get_affinity_max_proc_() > cpu, "Fortran's kmp_set_affinity and others");
}

extern void *kmpc_malloc(size_t size), *kmpc_aligned_malloc(size_t size, size_t align), *kmpc_calloc(size_t n, size_t size),
	*kmpc_realloc(void *p, size_t size);
extern void kmpc_free(void *p), kmpc_set_blocktime(int ms), kmpc_set_library(int kind),
	kmpc_set_stacksize(int bytes), kmpc_set_stacksize_s(size_t bytes), kmpc_set_defaults(const char *settings),
	kmpc_set_disp_num_buffers(int n);
extern int kmpc_set_affinity_mask_proc(int cpu, void **mask), kmpc_unset_affinity_mask_proc(int cpu, void **mask),
	kmpc_get_affinity_mask_proc(int cpu, void **mask);

#define FORMS(name) { (void (*)(void))kmpc_##name, (void (*)(void))kmp_##name }

/* The same functions.  volatile: compilers may take two names for two functions. */
static void forms_of_c(void)
{
	static void (*volatile const forms[][2])(void) = {
		FORMS(malloc), FORMS(aligned_malloc), FORMS(calloc), FORMS(realloc), FORMS(free),
		FORMS(set_blocktime), FORMS(set_library), FORMS(set_stacksize), FORMS(set_stacksize_s),
		FORMS(set_defaults), FORMS(set_disp_num_buffers), FORMS(set_affinity_mask_proc),
		FORMS(unset_affinity_mask_proc), FORMS(get_affinity_mask_proc),
	};
	bool same = true;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		same = same && forms[i][0] == forms[i][1];
	ok(same, "kmpc_malloc and so on are kmp_malloc and so on");
}

/* --- settings -------------------------------------------------------------------------------------------- */

static void read_with(const char *name, const char *value)
{
	setenv(name, value, 1);
	qomp_settings_read_now();
	unsetenv(name);
}

static void settings(void)
{
	read_with("KMP_BLOCKTIME", "12ms");
	is_int(qomp_settings.blocktime_us, 12000, "KMP_BLOCKTIME=12ms");
	read_with("KMP_BLOCKTIME", "infinite");
	is_int(kmp_get_blocktime(), INT_MAX, "KMP_BLOCKTIME=infinite");
	setenv("OMP_STACKSIZE", "1M", 1);
	read_with("KMP_STACKSIZE", "300k");
	unsetenv("OMP_STACKSIZE");
	is_int(qomp_settings.stack_size, 300 << 10, "KMP_STACKSIZE counts for more than OMP_STACKSIZE");
	read_with("KMP_LIBRARY", "serial");
	is_int(qomp_icv_initial->nthreads, 1, "KMP_LIBRARY=serial");
	read_with("KMP_ALL_THREADS", "9");
	is_int(qomp_icv_initial->thread_limit, 9, "KMP_ALL_THREADS");
	read_with("KMP_DEVICE_THREAD_LIMIT", "8");
	is_int(qomp_icv_initial->thread_limit, 8, "KMP_DEVICE_THREAD_LIMIT");
	read_with("KMP_TEAMS_THREAD_LIMIT", "6");
	is_int(qomp_settings.teams_thread_limit, 6, "KMP_TEAMS_THREAD_LIMIT");
	read_with("KMP_INHERIT_FP_CONTROL", "no");
	ok(qomp_settings.own_fp_control, "KMP_INHERIT_FP_CONTROL=no");
	read_with("KMP_AFFINITY", "granularity=fine,compact");
	ok(qomp_icv_initial->bind == QOMP_BIND_CLOSE && qomp_places.n > 0, "KMP_AFFINITY=compact binds close to each other");
	setenv("OMP_PROC_BIND", "close", 1);
	read_with("KMP_AFFINITY", "verbose,scatter");
	ok(qomp_icv_initial->bind == QOMP_BIND_SPREAD, "KMP_AFFINITY=scatter spreads, whatever OMP_PROC_BIND says");
	read_with("KMP_AFFINITY", "none");
	ok(qomp_icv_initial->bind == QOMP_BIND_FALSE, "KMP_AFFINITY=none binds nothing, likewise");
	unsetenv("OMP_PROC_BIND");
	char list[64];
	snprintf(list, sizeof(list), "proclist=[%u],explicit", qti_affinity_first(qomp_settings_cpus()));
	read_with("KMP_AFFINITY", list);
	ok(qomp_icv_initial->bind == QOMP_BIND_TRUE && qomp_places.n == 1, "KMP_AFFINITY=explicit: a list of CPUs");
	diag("three lines that this test wants:");
	read_with("KMP_AFFINITY", "compact,1,0");
	ok(qomp_icv_initial->bind == QOMP_BIND_FALSE, "KMP_AFFINITY: what is not understood has no effect");
	read_with("KMP_VERSION", "yes");
	setenv("KMP_LOCK_KIND", "tas", 1);
	read_with("KMP_WARNINGS", "true");
	read_with("KMP_WARNINGS", "0");
	unsetenv("KMP_LOCK_KIND");
	qomp_settings_read_now();
	is_int(kmp_get_blocktime(), 200, "without any, as before");
}

/* Before there are threads: settings are read again. */
int main(void)
{
	unsetenv("OMP_WAIT_POLICY");
	plan(16 + 4 + 3 + 2 + 1 + 4 + 5 + 4 + 1);
	settings();
	threadprivate();
	threadprivate_in_child();
	patience();
	sizes();
	memory();
	masks();
	defaults();
	fortran_forms();
	forms_of_c();
	return done();
}
