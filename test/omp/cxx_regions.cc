/* test/omp/cxx_regions.cc -- C++: iterators, classes as private variables, exceptions within regions.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/every.h"

#include <cstddef>
#include <deque>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

enum { N = 100 };

bool each_is(const std::vector<int> &v, int want)
{
	return every_is(v.data(), static_cast<int>(v.size()), want);
}

/* A random access iterator that is no pointer: it counts in steps of 3 from anywhere. */
class thirds {
public:
	using iterator_category = std::random_access_iterator_tag;
	using value_type = long;
	using difference_type = std::ptrdiff_t;
	using pointer = const long *;
	using reference = long;

	explicit thirds(long n = 0) : at(n)
	{
	}
	long operator*() const
	{
		return at * 3;
	}
	thirds &operator++()
	{
		++at;
		return *this;
	}
	thirds &operator--()
	{
		--at;
		return *this;
	}
	thirds &operator+=(std::ptrdiff_t n)
	{
		at += n;
		return *this;
	}
	thirds &operator-=(std::ptrdiff_t n)
	{
		at -= n;
		return *this;
	}
	thirds operator+(std::ptrdiff_t n) const
	{
		return thirds(at + n);
	}
	std::ptrdiff_t operator-(const thirds &other) const
	{
		return at - other.at;
	}
	bool operator<(const thirds &other) const
	{
		return at < other.at;
	}
	bool operator>=(const thirds &other) const
	{
		return at >= other.at;
	}
	bool operator!=(const thirds &other) const
	{
		return at != other.at;
	}

private:
	long at;
};

void iterators()
{
	std::vector<int> v(N);
	std::deque<int> d(N);

#pragma omp parallel for schedule(dynamic, 3)
	for (auto i = v.begin(); i < v.end(); ++i)
		++*i;
	ok(each_is(v, 1), "for: iterators of a vector");

#pragma omp parallel for
	for (auto i = d.rbegin(); i < d.rend(); i += 2)
		++*i;
	int sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(guided)
	for (auto i = d.begin(); i != d.end(); ++i)
		sum += *i;
	is_int(sum, N / 2, "for: iterators of a deque, reversed, until unequal");

	long long total = 0;
#pragma omp parallel for reduction(+ : total) schedule(runtime)
	for (thirds i = thirds(10); i < thirds(20); ++i)
		total += *i;
#pragma omp parallel for reduction(+ : total) schedule(static, 2)
	for (thirds i = thirds(19); i >= thirds(10); i -= 3)
		total += 1000 * *i;
	is_int(total, 3 * 145 + 3000 * (19 + 16 + 13 + 10), "for: an iterator of one's own, up and down");

#pragma omp parallel for schedule(dynamic)
	for (int &x : v)
		x += 4;
	ok(each_is(v, 5), "for: over a range");

	std::vector<int> grid(N);
#pragma omp parallel for collapse(2) schedule(dynamic, 3)
	for (auto i = v.begin(); i < v.begin() + 10; ++i)
		for (thirds j = thirds(0); j < thirds(10); ++j)
			++grid[static_cast<std::size_t>((i - v.begin()) * 10 + *j / 3)];
	ok(each_is(grid, 1), "for collapse(2): of two kinds of iterators");
}

/* Tells how many of it there are, and how they came to be. */
struct counted {
	static int alive, made, copied, assigned;
	int value;

	counted() : value(-1)
	{
#pragma omp atomic
		alive++;
#pragma omp atomic
		made++;
	}
	counted(const counted &other) : value(other.value)
	{
#pragma omp atomic
		alive++;
#pragma omp atomic
		copied++;
	}
	counted &operator=(const counted &other)
	{
		value = other.value;
#pragma omp atomic
		assigned++;
		return *this;
	}
	~counted()
	{
		value = -99;
#pragma omp atomic
		alive--;
	}
	static void reset()
	{
		made = copied = assigned = 0;
	}
};
int counted::alive, counted::made, counted::copied, counted::assigned;

void classes()
{
	const int members = omp_get_max_threads();
	counted a, b, c;
	int wrong = 0;

	a.value = 7;
	b.value = 8;
	counted::reset();
#pragma omp parallel private(c) firstprivate(a) reduction(+ : wrong)
	{
		wrong += a.value != 7 || c.value != -1 || &a == &c;
#pragma omp barrier
		a.value = c.value = omp_get_thread_num();
#pragma omp barrier
		wrong += a.value != omp_get_thread_num() || c.value != a.value;
	}
	ok(wrong == 0 && a.value == 7, "parallel private, firstprivate: objects of a class");
	is_int(counted::made, members, "parallel private: each is constructed once");
	is_int(counted::copied, members, "parallel firstprivate: each is copied once");
	is_int(counted::alive, 3, "parallel private, firstprivate: all are destroyed");

	counted::reset();
#pragma omp parallel for lastprivate(b) schedule(dynamic)
	for (int i = 0; i < N; i++)
		b.value = i;
	ok(b.value == N - 1 && counted::assigned == 1, "for lastprivate: an object is assigned once");
	is_int(counted::alive, 3, "for lastprivate: all are destroyed");

	counted::reset();
#pragma omp parallel reduction(+ : wrong)
	{
		counted mine;

#pragma omp single copyprivate(mine)
		mine.value = 55;
		wrong += mine.value != 55;
	}
	ok(wrong == 0 && counted::assigned == members - 1, "single copyprivate: an object is assigned to each other");
	is_int(counted::alive, 3, "single copyprivate: all are destroyed");
}

#pragma omp declare reduction(append : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))
#pragma omp declare reduction(join : std::string : omp_out += omp_in)

void reductions()
{
	std::vector<int> found, hits(N);
	std::string text = "x";

#pragma omp parallel for reduction(append : found) schedule(dynamic)
	for (int i = 0; i < N; i++)
		found.push_back(i);
	for (int i : found)
		hits[static_cast<std::size_t>(i)]++;
	ok(found.size() == N && each_is(hits, 1), "reduction of one's own: vectors");

#pragma omp parallel for reduction(join : text)
	for (int i = 0; i < N; i++)
		text += static_cast<char>('a' + i % 26);
	is_int(text.size(), N + 1, "reduction of one's own: strings");
}

struct tally {
	int value = 4;
	std::vector<int> more = {1, 2, 3};
};
extern tally per_thread;
#pragma omp threadprivate(per_thread)
tally per_thread;

void threadprivate()
{
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		wrong += per_thread.value != 4 || per_thread.more.size() != 3;
		per_thread.value = omp_get_thread_num();
		per_thread.more.push_back(per_thread.value);
	}
#pragma omp parallel reduction(+ : wrong)
	wrong += per_thread.value != omp_get_thread_num() || per_thread.more.size() != 4;
	is_int(wrong, 0, "threadprivate: each copy is constructed, and stays");

	per_thread.more.assign(10, 6);
#pragma omp parallel copyin(per_thread) reduction(+ : wrong)
	wrong += per_thread.more.size() != 10 || per_thread.more[9] != 6;
	is_int(wrong, 0, "parallel copyin: objects are assigned");
}

struct holder {
	std::vector<int> slots = std::vector<int>(N);
	int step = 2;

	void fill()
	{
#pragma omp parallel for firstprivate(step) schedule(dynamic)
		for (int i = 0; i < N; i++)
			slots[static_cast<std::size_t>(i)] += step;
	}
	template <typename T>
	int sum(T start) const
	{
		T total = start;
		auto add = [&](int x) {
#pragma omp critical
			total += x;
		};

#pragma omp parallel for
		for (int i = 0; i < N; i++)
			add(slots[static_cast<std::size_t>(i)]);
		return total;
	}
};

void members_and_lambdas()
{
	holder h;

	h.fill();
	ok(each_is(h.slots, 2), "for: in a member function");
	is_int(h.sum(5L), 5 + 2 * N, "for: in a template, with a lambda that takes a lock");
}

void fail(int i)
{
	throw std::runtime_error(std::to_string(i));
}

void caught_within()
{
	int caught = 0, wrong = 0;

#pragma omp parallel reduction(+ : caught, wrong)
	{
		const int me = omp_get_thread_num();

		try {
			fail(me);
			wrong++;
		} catch (const std::runtime_error &e) {
			caught += e.what() == std::to_string(me);
		}
	}
	ok(caught == omp_get_max_threads() && wrong == 0, "exceptions: thrown and caught by each member");

	caught = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : caught)
	for (int i = 0; i < N; i++)
		try {
			fail(i);
		} catch (const std::exception &e) {
			caught += e.what() == std::to_string(i);
		}
	is_int(caught, N, "exceptions: in iterations of a loop");

	caught = 0;
#pragma omp parallel
	{
#pragma omp critical
		try {
			fail(1);
		} catch (...) {
			caught++;
		}
#pragma omp barrier
#pragma omp single
		try {
			fail(2);
		} catch (...) {
			caught += 100;
		}
#pragma omp sections
		{
			try {
				fail(3);
			} catch (...) {
#pragma omp atomic
				caught += 1000;
			}
#pragma omp section
			try {
				fail(4);
			} catch (...) {
#pragma omp atomic
				caught += 1000;
			}
		}
	}
	is_int(caught, omp_get_max_threads() + 2100, "exceptions: in critical, single, sections");

	caught = 0;
	try {
#pragma omp parallel num_threads(2)
#pragma omp atomic
		caught++;
		fail(5);
	} catch (const std::exception &e) {
		caught += e.what() == std::string("5") ? 10 : 0;
	}
	is_int(caught, 12, "exceptions: past a region in a function");
}

/* In a catch block a member may wait for the others, which are in catch blocks of their own. */
void waiting_in_handlers()
{
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	for (int r = 0; r < every_scaled(20); r++) {
		const int me = omp_get_thread_num() * 1000 + r;

		try {
			try {
				fail(me);
			} catch (const std::runtime_error &e) {
#pragma omp barrier
				wrong += e.what() != std::to_string(me);
#pragma omp critical
				wrong += std::uncaught_exceptions();
#pragma omp for schedule(dynamic)
				for (int i = 0; i < 10; i++)
					try {
						fail(i);
					} catch (...) {
					}
#pragma omp barrier
				throw;
			}
			wrong++;
		} catch (const std::runtime_error &e) {
#pragma omp barrier
			wrong += e.what() != std::to_string(me);
		}
		wrong += std::uncaught_exceptions() || std::current_exception();
	}
	is_int(wrong, 0, "exceptions: barriers and loops in handlers, and thrown again");

	int inner = 0;
	try {
		fail(77);
	} catch (const std::runtime_error &e) {
#pragma omp parallel reduction(+ : inner)
		try {
			fail(omp_get_thread_num());
		} catch (...) {
			inner++;
		}
		inner += e.what() == std::string("77") ? 100 : 0;
	}
	is_int(inner, 100 + omp_get_max_threads(), "exceptions: a region in a handler");
}

} // namespace

int main()
{
	plan(5 + 8 + 2 + 2 + 2 + 4 + 2);
	omp_set_dynamic(0);
	iterators();
	classes();
	reductions();
	threadprivate();
	members_and_lambdas();
	caught_within();
	waiting_in_handlers();
	return done();
}
