/* test/omp/task_cxx.cc -- tasks and objects of C++: every copy is made and destroyed once; exceptions stay in a task.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tasking.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/* Knows its address, so that a copy of its bytes shows. */
struct tracked {
	static std::atomic<int> living, copied, made, torn;
	int value;
	const tracked *self;

	explicit tracked(int v) : value(v), self(this)
	{
		living++;
		made++;
	}
	tracked() : tracked(-1)
	{
	}
	tracked(const tracked &other) : value(other.value), self(this)
	{
		living++;
		copied++;
		torn += !other.whole();
	}
	tracked &operator=(const tracked &other)
	{
		value = other.value;
		torn += !whole() + !other.whole();
		return *this;
	}
	~tracked()
	{
		living--;
		torn += !whole();
		value = -2;
		self = nullptr;
	}
	bool whole() const
	{
		return self == this;
	}
	static void clear()
	{
		living = copied = made = torn = 0;
	}
};

std::atomic<int> tracked::living, tracked::copied, tracked::made, tracked::torn;

constexpr int TASKS = 100;

void firstprivate_object()
{
	std::atomic<int> bad{0};

	tracked::clear();
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		tracked t(i);
#pragma omp task firstprivate(t) shared(bad)
		{
			bad += t.value != i || !t.whole();
			t.value = -3;
		}
		bad += t.value != i;
	}
	is_int(bad, 0, "task firstprivate: an object is copied by its constructor before the task is left");
	is_int(tracked::copied, TASKS, "task firstprivate: one copy a task");
	is_int(tracked::living + tracked::torn, 0, "task firstprivate: every copy is destroyed, where it was made");
}

void firstprivate_undeferred()
{
	std::atomic<int> bad{0};

	tracked::clear();
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		tracked t(i);
#pragma omp task firstprivate(t) shared(bad) if (0)
		{
			bad += t.value != i || !t.whole();
			t.value = -3;
		}
		bad += t.value != i;
#pragma omp task final(1) shared(bad) firstprivate(t)
		{
#pragma omp task firstprivate(t) shared(bad)
			{
				bad += t.value != i || !t.whole();
				t.value = -4;
			}
			bad += t.value != i;
		}
	}
	is_int(bad, 0, "task if(0), final, firstprivate: an object is copied there, too");
	is_int(tracked::living + tracked::torn, 0, "task if(0), final, firstprivate: every copy is destroyed");
}

void firstprivate_array_of_objects()
{
	std::atomic<int> bad{0};

	tracked::clear();
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		tracked row[3] = {tracked(i), tracked(i + 1), tracked(i + 2)};
#pragma omp task firstprivate(row) shared(bad)
		for (int k = 0; k < 3; k++)
			bad += row[k].value != i + k || !row[k].whole();
	}
	is_int(bad, 0, "task firstprivate: an array of objects");
	is_int(tracked::copied, 3 * TASKS, "task firstprivate: one copy of each element");
	is_int(tracked::living + tracked::torn, 0, "task firstprivate: every element is destroyed");
}

void private_object()
{
	std::atomic<int> bad{0};
	tracked outer(7);

	tracked::clear();
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task private(outer) shared(bad)
		{
			bad += outer.value != -1 || !outer.whole();
			outer.value = i;
		}
	}
	ok(bad == 0 && outer.value == 7, "task private: an object is made by its default constructor");
	ok(tracked::living == 0 && tracked::made >= TASKS && tracked::copied == 0,
		"task private: made and destroyed once a task");
}

void strings_and_vectors()
{
	std::atomic<int> bad{0};

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		std::string text(100 + i, 'a' + i % 26);
		std::vector<int> numbers(i, i);
#pragma omp task firstprivate(text, numbers) shared(bad)
		{
			bad += text.size() != 100u + i || text[99] != 'a' + i % 26;
			bad += numbers.size() != (size_t)i || (i && numbers[i - 1] != i);
			text += "more";
			numbers.clear();
		}
		text.clear();
		numbers.assign(3, 3);
	}
	is_int(bad, 0, "task firstprivate: strings and vectors own their memory");
}

struct alignas(64) broad {
	int value;
	const broad *self;

	explicit broad(int v) : value(v), self(this)
	{
	}
	broad(const broad &other) : value(other.value), self(this)
	{
	}
};

void over_aligned_object()
{
	std::atomic<int> bad{0};

#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
		broad b(i);
		char odd = 'o';
#pragma omp task firstprivate(b, odd) shared(bad) if (i % 3)
		bad += b.value != i || b.self != &b || (uintptr_t)&b % 64 != 0 || odd != 'o';
	}
	is_int(bad, 0, "task firstprivate: an object aligned to 64 bytes");
}

void references_and_this()
{
	struct accumulator {
		std::atomic<int> sum{0};
		void add(const int &value)
		{
#pragma omp task
			sum += value;
		}
	} a;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++)
		a.add(i);
	is_int(a.sum, TASKS * (TASKS - 1) / 2, "task: this and a reference to a value");
}

void lambdas()
{
	std::atomic<int> sum{0};

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		auto add = [i, &sum] { sum += i; };
#pragma omp task firstprivate(add)
		add();
	}
	is_int(sum, TASKS * (TASKS - 1) / 2, "task firstprivate: a lambda");
}

void taskloop_objects()
{
	std::atomic<int> bad{0};
	tracked last(-5);

	tracked::clear();
#pragma omp parallel
#pragma omp single
	{
		tracked t(11);
#pragma omp taskloop firstprivate(t) lastprivate(last) shared(bad) num_tasks(7)
		for (int i = 0; i < 50; i++) {
			bad += t.value != 11 || !t.whole();
			last.value = i;
		}
	}
	is_int(bad, 0, "taskloop firstprivate: each task has its copy of an object");
	is_int(last.value, 49, "taskloop lastprivate: an object is assigned from the last iteration");
	is_int(tracked::living + tracked::torn, 0, "taskloop: every copy of an object is destroyed");
}

/* --- exceptions ----------------------------------------------------------------------------------------- */

int caught_below(int depth)
{
	int a = 0, b = 0;

	if (depth == 0)
		throw std::runtime_error("the bottom");
#pragma omp task shared(a)
	try {
		a = caught_below(depth - 1);
	} catch (const std::runtime_error &) {
		a = 1;
	}
#pragma omp task shared(b)
	try {
		b = caught_below(depth - 1);
	} catch (const std::runtime_error &) {
		b = 1;
	}
#pragma omp taskwait
	return a + b;
}

void thrown_and_caught_in_tasks()
{
	int got = 0;

#pragma omp parallel
#pragma omp single
	got = caught_below(6);
	is_int(got, 64, "task: exceptions thrown and caught inside of tasks");
}

void thrown_around_a_taskwait()
{
	std::atomic<int> wrong{0}, caught{0};

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(wrong, caught)
		try {
			int child = 0;
#pragma omp task shared(child)
			child = i;
#pragma omp taskwait
			throw child;
		} catch (int what) {
			wrong += what != i;
			caught++;
		}
	}
	ok(wrong == 0 && caught == TASKS, "task: an exception thrown behind a taskwait");
}

/* While a task handles an exception its thread may run others that throw their own. */
void taskwait_in_a_catch_block()
{
	std::atomic<int> wrong{0}, rethrown{0};

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(wrong, rethrown)
		try {
			try {
				throw i;
			} catch (int mine) {
				for (int k = 0; k < 3; k++) {
#pragma omp task shared(wrong)
					{
						wrong += std::uncaught_exceptions() != 0;
						try {
							throw std::string(1, (char)('a' + k));
						} catch (const std::string &text) {
							wrong += text[0] != 'a' + k;
						}
					}
				}
#pragma omp taskwait
				wrong += mine != i;
				throw;
			}
		} catch (int again) {
			wrong += again != i;
			rethrown++;
		} catch (...) {
			wrong++;
		}
	}
	ok(wrong == 0 && rethrown == TASKS,
		"task: taskwait in a catch block, `throw;` behind it is the same exception");
}

void taskyield_in_a_catch_block()
{
	std::atomic<int> wrong{0};

#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(wrong)
		try {
			throw i;
		} catch (int) {
#pragma omp taskyield
			std::exception_ptr mine = std::current_exception();
#pragma omp taskyield
			try {
				std::rethrow_exception(mine);
			} catch (int again) {
				wrong += again != i;
			}
		}
	}
	is_int(wrong, 0, "task: the current exception across taskyield");
}

void unwinding_across_scheduling_points()
{
	struct waits_in_its_destructor {
		std::atomic<int> &sum;
		~waits_in_its_destructor()
		{
#pragma omp task
			sum++;
#pragma omp taskwait
		}
	};
	std::atomic<int> sum{0}, caught{0};

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(sum, caught)
		try {
			waits_in_its_destructor w{sum};
			throw i;
		} catch (int what) {
			caught += what == i;
		}
	}
	ok(sum == TASKS && caught == TASKS, "task: a taskwait in a destructor that an exception runs");
}

void out_of_a_group()
{
	std::atomic<int> sum{0}, caught{0};

#pragma omp parallel
#pragma omp single
	try {
#pragma omp taskgroup
		{
			for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(sum)
				sum++;
			}
			try {
				throw 1;
			} catch (int) {
				caught++;
			}
		}
		throw sum.load();
	} catch (int what) {
		caught += what;
	}
	is_int(caught, TASKS + 1, "taskgroup: exceptions inside of it and behind it");
}

}

int main()
{
	plan(23);
	firstprivate_object();
	firstprivate_undeferred();
	firstprivate_array_of_objects();
	private_object();
	strings_and_vectors();
	over_aligned_object();
	references_and_this();
	lambdas();
	taskloop_objects();
	thrown_and_caught_in_tasks();
	thrown_around_a_taskwait();
	taskwait_in_a_catch_block();
	taskyield_in_a_catch_block();
	unwinding_across_scheduling_points();
	out_of_a_group();
	return done();
}
