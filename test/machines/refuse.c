/* test/machines/refuse.c -- runs a command for which the kernel refuses system calls.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: refuse SET -- COMMAND [ARGUMENT...]
 *
 * A set is a group of rules below.  What a container's supervisor forbids fails with EPERM, what an older kernel lacks with
 * ENOSYS or, advice to madvise(2), with EINVAL.  Exit status 125: this kernel filters no calls.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ANY = 0, RULES_MAX = 64, CANNOT = 125 };

/* As the kernel has them, for an older C library. */
enum { POPULATE_WRITE = 23, GUARD_INSTALL = 102 };

struct rule {
	const char *set;
	long number;
	int error;
	uint32_t third;         /* only with this third argument; ANY: with all */
};

static const struct rule rules[] = {
	{ "affinity", SYS_sched_setaffinity, EPERM, ANY },
	{ "membarrier", SYS_membarrier, EPERM, ANY },
	{ "guard", SYS_madvise, EINVAL, GUARD_INSTALL },
	/* What a container may not do, as a rule. */
	{ "container", SYS_perf_event_open, EPERM, ANY },
	{ "container", SYS_userfaultfd, EPERM, ANY },
	{ "container", SYS_process_vm_readv, EPERM, ANY },
	{ "container", SYS_ptrace, EPERM, ANY },
	{ "container", SYS_personality, EPERM, ANY },
	{ "container", SYS_unshare, EPERM, ANY },
	{ "container", SYS_mount, EPERM, ANY },
	{ "container", SYS_bpf, EPERM, ANY },
	{ "container", SYS_keyctl, EPERM, ANY },
	{ "container", SYS_get_mempolicy, EPERM, ANY },
	{ "container", SYS_set_mempolicy, EPERM, ANY },
	{ "container", SYS_mbind, EPERM, ANY },
	{ "container", SYS_sched_setscheduler, EPERM, ANY },
	{ "container", SYS_mlock, EPERM, ANY },
#ifdef SYS_io_uring_setup
	{ "container", SYS_io_uring_setup, EPERM, ANY },
#endif
#ifdef SYS_clone3
	{ "container", SYS_clone3, ENOSYS, ANY },       /* its flags lie in memory, where no filter looks */
#endif
	/* What Linux got after its version 4.2. */
	{ "old-kernel", SYS_membarrier, ENOSYS, ANY },
	{ "old-kernel", SYS_madvise, EINVAL, GUARD_INSTALL },
	{ "old-kernel", SYS_madvise, EINVAL, POPULATE_WRITE },
#ifdef SYS_copy_file_range
	{ "old-kernel", SYS_copy_file_range, ENOSYS, ANY },
#endif
#ifdef SYS_preadv2
	{ "old-kernel", SYS_preadv2, ENOSYS, ANY },
	{ "old-kernel", SYS_pwritev2, ENOSYS, ANY },
#endif
#ifdef SYS_statx
	{ "old-kernel", SYS_statx, ENOSYS, ANY },
#endif
#ifdef SYS_rseq
	{ "old-kernel", SYS_rseq, ENOSYS, ANY },
#endif
#ifdef SYS_clone3
	{ "old-kernel", SYS_clone3, ENOSYS, ANY },
#endif
#ifdef SYS_pidfd_open
	{ "old-kernel", SYS_pidfd_open, ENOSYS, ANY },
#endif
#ifdef SYS_close_range
	{ "old-kernel", SYS_close_range, ENOSYS, ANY },
#endif
#ifdef SYS_openat2
	{ "old-kernel", SYS_openat2, ENOSYS, ANY },
#endif
#ifdef SYS_faccessat2
	{ "old-kernel", SYS_faccessat2, ENOSYS, ANY },
#endif
#ifdef SYS_futex_waitv
	{ "old-kernel", SYS_futex_waitv, ENOSYS, ANY },
#endif
	/* What not every kernel is built with. */
	{ "small-kernel", SYS_memfd_create, ENOSYS, ANY },
	{ "small-kernel", SYS_userfaultfd, ENOSYS, ANY },
	{ "small-kernel", SYS_membarrier, ENOSYS, ANY },
	{ "small-kernel", SYS_mbind, ENOSYS, ANY },
	{ "small-kernel", SYS_get_mempolicy, ENOSYS, ANY },
	{ "small-kernel", SYS_set_mempolicy, ENOSYS, ANY },
};

static struct sock_filter program[5 * RULES_MAX + 1];
static unsigned short length;

static void emit(uint16_t code, unsigned jump_true, unsigned jump_false, uint32_t k)
{
	program[length++] = (struct sock_filter){ code, (uint8_t)jump_true, (uint8_t)jump_false, k };
}

static void load(size_t offset)
{
	emit(BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

/* Where the low half of a call's third argument is. */
static size_t third_argument(void)
{
	const uint16_t one = 1;

	return offsetof(struct seccomp_data, args[2]) + (*(const uint8_t *)&one ? 0 : 4);
}

static void add(const struct rule *r)
{
	load(offsetof(struct seccomp_data, nr));
	emit(BPF_JMP | BPF_JEQ | BPF_K, 0, r->third == ANY ? 1 : 3, (uint32_t)r->number);
	if (r->third != ANY) {
		load(third_argument());
		emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, r->third);
	}
	emit(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | (uint32_t)r->error);
}

static bool add_set(const char *set)
{
	const unsigned short before = length;

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (strcmp(rules[i].set, set) == 0)
			add(&rules[i]);
	return length > before;
}

int main(int argc, char **argv)
{
	struct sock_fprog filter = { .filter = program };

	_Static_assert(sizeof(rules) / sizeof(*rules) <= RULES_MAX, "as many as the program has room for");
	if (argc < 4 || !add_set(argv[1]) || strcmp(argv[2], "--") != 0) {
		fprintf(stderr, "usage: refuse SET -- COMMAND [ARGUMENT...]\n");
		return CANNOT;
	}
	emit(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
	filter.len = length;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
		fprintf(stderr, "this kernel filters no system calls: %s\n", strerror(errno));
		return CANNOT;
	}
	execvp(argv[3], argv + 3);
	fprintf(stderr, "refuse: %s: %s\n", argv[3], strerror(errno));
	return 127;
}
