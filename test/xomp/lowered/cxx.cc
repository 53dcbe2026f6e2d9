/* test/xomp/lowered/cxx.cc -- pragma/cxx.cc in calls of XOMP.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "libxomp.h"

#include "xomp/cxx.hh"

struct OUT__1__data {
	void *this__ptr___p;
	void *total_p;
};
static void OUT__1__(void *__out_argv)
{
	cxx::Table *this__ptr__ = (cxx::Table *)(((struct OUT__1__data *)__out_argv)->this__ptr___p);
	long *total = (long *)(((struct OUT__1__data *)__out_argv)->total_p);
	long _p_total;
	long p_index_;
	long p_lower_;
	long p_upper_;
	_p_total = 0;
	XOMP_loop_dynamic_init(0, static_cast<int>(this__ptr__->values.size()) - 1, 1, 4);
	if (XOMP_loop_dynamic_start(0, static_cast<int>(this__ptr__->values.size()) - 1, 1, 4, &p_lower_, &p_upper_)) {
		do {
			for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1)
				_p_total += this__ptr__->values[p_index_];
		} while (XOMP_loop_dynamic_next(&p_lower_, &p_upper_));
	}
	XOMP_atomic_start();
	*total = *total + _p_total;
	XOMP_atomic_end();
	XOMP_loop_end();
}

static void *xomp_critical_user_longest;

struct OUT__2__data {
	void *names_p;
	void *most_p;
};
static void OUT__2__(void *__out_argv)
{
	std::vector<std::string> *names = (std::vector<std::string> *)(((struct OUT__2__data *)__out_argv)->names_p);
	int *most = (int *)(((struct OUT__2__data *)__out_argv)->most_p);
	long p_index_;
	long p_lower_;
	long p_upper_;
	XOMP_loop_default(0, static_cast<int>(names->size()) - 1, 1, &p_lower_, &p_upper_);
	for (p_index_ = p_lower_; p_index_ <= p_upper_; p_index_ += 1) {
		XOMP_critical_start(&xomp_critical_user_longest);
		if (*most < static_cast<int>((*names)[p_index_].size()))
			*most = static_cast<int>((*names)[p_index_].size());
		XOMP_critical_end(&xomp_critical_user_longest);
	}
	XOMP_barrier();
}

struct OUT__4__data {
	int i;
	void *caught_p;
};
static void OUT__4__(void *__out_argv)
{
	int i = (int)(((struct OUT__4__data *)__out_argv)->i);
	int *caught = (int *)(((struct OUT__4__data *)__out_argv)->caught_p);
	int _p_i = i;
	try {
		throw _p_i;
	} catch (int thrown) {
		XOMP_atomic_start();
		*caught += thrown == _p_i;
		XOMP_atomic_end();
	}
}

struct OUT__3__data {
	void *n_p;
	void *caught_p;
};
static void OUT__3__(void *__out_argv)
{
	int *n = (int *)(((struct OUT__3__data *)__out_argv)->n_p);
	int *caught = (int *)(((struct OUT__3__data *)__out_argv)->caught_p);
	if (XOMP_single()) {
		for (int i = 0; i < *n; i++) {
			struct OUT__4__data __out_argv4__;
			__out_argv4__.i = i;
			__out_argv4__.caught_p = ((void *)(&*caught));
			XOMP_task(OUT__4__, &__out_argv4__, 0, sizeof(struct OUT__4__data), 4, 1, 0);
		}
	}
	XOMP_barrier();
}

namespace cxx
{

long Table::sum()
{
	long total = 0;
	struct OUT__1__data __out_argv1__;
	__out_argv1__.this__ptr___p = ((void *)(this));
	__out_argv1__.total_p = ((void *)(&total));
	XOMP_parallel_start(OUT__1__, &__out_argv1__, 1, 0, (char *)"cxx.cc", 14);
	XOMP_parallel_end((char *)"cxx.cc", 17);
	return total;
}

int Table::longest(const std::vector<std::string> &names)
{
	int most = 0;
	struct OUT__2__data __out_argv2__;
	__out_argv2__.names_p = ((void *)(&names));
	__out_argv2__.most_p = ((void *)(&most));
	XOMP_parallel_start(OUT__2__, &__out_argv2__, 1, 0, (char *)"cxx.cc", 24);
	XOMP_parallel_end((char *)"cxx.cc", 30);
	return most;
}

int throw_and_catch(int n)
{
	int caught = 0;
	struct OUT__3__data __out_argv3__;
	__out_argv3__.n_p = ((void *)(&n));
	__out_argv3__.caught_p = ((void *)(&caught));
	XOMP_parallel_start(OUT__3__, &__out_argv3__, 1, 0, (char *)"cxx.cc", 37);
	XOMP_parallel_end((char *)"cxx.cc", 49);
	return caught;
}

}
