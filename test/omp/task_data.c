/* test/omp/task_data.c -- what a task finds in its variables: copies of the moment it was made, or the originals.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tasking.h"

#include <stdint.h>
#include <string.h>

enum { TASKS = 100 };

struct pair {
	int first;
	double second;
};

struct wide32 {
	_Alignas(32) int words[8];
};

struct wide64 {
	_Alignas(64) int words[3];
};

struct big {
	unsigned char bytes[60000];
};

static void scalars(void)
{
	int bad = 0, sum = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		char c = (char)i;
		short s = (short)-i;
		long long l = (long long)i << 40;
		float f = (float)i / 2;
		long double d = (long double)i / 4;
		void *p = &sum;
#pragma omp task firstprivate(c, s, l, f, d, p, i)
		{
			if (c != (char)i || s != -i || l != (long long)i << 40 || f != (float)i / 2 ||
				d != (long double)i / 4 || p != &sum)
				bump(&bad);
			c = 0, s = 0, l = 0, f = 0, d = 0, p = NULL;
			__atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);
		}
		c = 'x', s = 1, l = 1, f = 1, d = 1, p = NULL;
	}
	is_int(bad, 0, "task firstprivate: scalars have the values of when the task was made");
	is_int(sum, TASKS * (TASKS - 1) / 2, "task firstprivate: each task has its own");
}

static void implicit(void)
{
	int shared_one = 0, bad = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		int local = i + 1;
#pragma omp task
		{
			if (local != i + 1)
				bump(&bad);
			local = -1;
			__atomic_fetch_add(&shared_one, 1, __ATOMIC_RELAXED);
		}
		if (local != i + 1)
			bump(&bad);
	}
	is_int(bad, 0, "task: without clauses a local variable is copied");
	is_int(shared_one, TASKS, "task: without clauses a variable that the region shares is shared");
}

static void arrays(void)
{
	int bad = 0, outside = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		int row[50], square[3][4];
		for (int k = 0; k < 50; k++)
			row[k] = i * k;
		for (int k = 0; k < 12; k++)
			square[k / 4][k % 4] = i + k;
#pragma omp task firstprivate(row, square)
		{
			for (int k = 0; k < 50; k++)
				if (row[k] != i * k || square[k % 12 / 4][k % 4] != i + k % 12)
					bump(&bad);
			memset(row, -1, sizeof(row));
			memset(square, -1, sizeof(square));
		}
		outside += row[49] != i * 49 || square[2][3] != i + 11;
		memset(row, 0, sizeof(row));
		memset(square, 0, sizeof(square));
	}
	is_int(bad, 0, "task firstprivate: arrays of one and two dimensions");
	is_int(outside, 0, "task firstprivate: the tasks wrote their own arrays only");
}

static void variable_length(void)
{
	int bad = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 1; i <= TASKS; i++) {
		int row[i], plane[2][i];
		for (int k = 0; k < i; k++)
			row[k] = plane[0][k] = plane[1][k] = i ^ k;
#pragma omp task firstprivate(row, plane)
		{
			if (sizeof(row) != i * sizeof(int) || sizeof(plane) != 2 * i * sizeof(int))
				bump(&bad);
			for (int k = 0; k < i; k++)
				if (row[k] != (i ^ k) || plane[0][k] != (i ^ k) || plane[1][k] != (i ^ k))
					bump(&bad);
		}
		memset(row, -1, sizeof(row));
		memset(plane, -1, sizeof(plane));
	}
	is_int(bad, 0, "task firstprivate: arrays of variable length");
}

static void structures(void)
{
	int bad = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		struct pair one = { i, i / 8.0 }, several[3] = { { i, 1 }, { i + 1, 2 }, { i + 2, 3 } };
		int *where = &several[0].first;
#pragma omp task firstprivate(one, several)
		{
			if (one.first != i || one.second != i / 8.0 || several[2].first != i + 2 ||
				several[2].second != 3)
				bump(&bad);
			if (&several[0].first == where)
				bump(&bad);
			one.first = -1;
		}
		one.first = -2;
		several[2].second = 0;
	}
	is_int(bad, 0, "task firstprivate: structures and arrays of them");
}

static bool aligned_to(const void *p, uintptr_t to)
{
	return (uintptr_t)p % to == 0;
}

static void over_aligned(void)
{
	int unaligned = 0, bad = 0;

#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
		struct wide32 a = { { i, [7] = i + 1 } };
		struct wide64 b = { { i, i, i } };
		char odd = 1;
#pragma omp task firstprivate(odd, a, b) if (i % 4)
		{
			if (!aligned_to(&a, 32) || !aligned_to(&b, 64))
				bump(&unaligned);
			if (a.words[0] != i || a.words[7] != i + 1 || b.words[2] != i || odd != 1)
				bump(&bad);
			a.words[7] = b.words[2] = odd = 0;
		}
		if (a.words[7] != i + 1)
			bump(&bad);
#pragma omp task firstprivate(odd, a)
		if (!aligned_to(&a, 32) || a.words[7] != i + 1 || odd != 1)
			bump(&unaligned);
	}
	is_int(unaligned, 0, "task firstprivate: structures aligned to 32 and 64 bytes are so in the task");
	is_int(bad, 0, "task firstprivate: over-aligned structures have their values");
}

static void large(void)
{
	static struct big big;
	int bad = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
		memset(&big, i, sizeof(big));
#pragma omp task firstprivate(big)
		for (size_t k = 0; k < sizeof(big); k++)
			if (big.bytes[k] != i) {
				bump(&bad);
				break;
			}
	}
	is_int(bad, 0, "task firstprivate: 60000 bytes for each of 20 tasks that wait");
}

static void undeferred(void)
{
	int bad = 0;

#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
		struct wide64 b = { { i } };
		int row[5] = { i, i, i, i, i }, n = 3 + i % 5, vla[n];
		for (int k = 0; k < n; k++)
			vla[k] = k;
#pragma omp task firstprivate(b, row, vla) if (0)
		{
			if (b.words[0] != i || row[4] != i || vla[n - 1] != n - 1 || !aligned_to(&b, 64))
				bump(&bad);
			b.words[0] = row[4] = vla[n - 1] = -1;
		}
		if (b.words[0] != i || row[4] != i || vla[n - 1] != n - 1)
			bump(&bad);
	}
	is_int(bad, 0, "task if(0) firstprivate: arrays and structures are copies there, too");
}

struct wide128 {
	_Alignas(128) int words[3];
};

/* How often a task that runs at once, and one in that, found something else than what it was to have. */
#define AT_ONCE(SIZE) \
	static int at_once_##SIZE(int value) \
	{ \
		struct { \
			unsigned char bytes[SIZE]; \
		} data, *original = &data; \
		int bad = 0; \
		memset(&data, value, SIZE); \
		_Pragma("omp task firstprivate(data) shared(bad) if (0)") \
		{ \
			const void *outer = &data; \
			bad += outer == (const void *)original || data.bytes[0] != value || data.bytes[SIZE - 1] != value; \
			data.bytes[0]++; \
			_Pragma("omp task firstprivate(data) shared(bad) if (0)") \
			{ \
				bad += outer == (const void *)&data || data.bytes[0] != value + 1 || \
					data.bytes[SIZE - 1] != value; \
				memset(&data, 255, SIZE); \
			} \
			bad += data.bytes[0] != value + 1 || data.bytes[SIZE - 1] != value; \
		} \
		return bad + (data.bytes[0] != value); \
	}

AT_ONCE(17)
AT_ONCE(200)
AT_ONCE(240)
AT_ONCE(256)
AT_ONCE(257)
AT_ONCE(3000)

static int aligned_at_once(int value)
{
	struct wide128 a = { { value, value, value } };
	int bad = 0;

#pragma omp task firstprivate(a) shared(bad) if (0)
	{
		bad += !aligned_to(&a, 128) || a.words[2] != value;
		a.words[2] = -1;
	}
	return bad + (a.words[2] != value);
}

static void at_once(void)
{
	int bad = 0, unaligned = 0;

#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
		__atomic_fetch_add(&bad, at_once_17(i) + at_once_200(i) + at_once_240(i), __ATOMIC_RELAXED);
		__atomic_fetch_add(&bad, at_once_256(i) + at_once_257(i) + at_once_3000(i), __ATOMIC_RELAXED);
		__atomic_fetch_add(&unaligned, aligned_at_once(i), __ATOMIC_RELAXED);
	}
	is_int(bad, 0, "task if(0) firstprivate: structures of 17 to 3000 bytes, in a task that has copied them, too");
	is_int(unaligned, 0, "task if(0) firstprivate: structures aligned to 128 bytes are so in the task");
}

static void from_final(void)
{
	int bad = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task final(1)
		{
			int row[4] = { i, i, i, i };
			struct pair p = { i, i };
#pragma omp task firstprivate(row, p)
			{
				if (row[3] != i || p.first != i)
					bump(&bad);
				row[3] = p.first = -1;
			}
			if (row[3] != i || p.first != i)
				bump(&bad);
		}
	}
	is_int(bad, 0, "task in a final one, firstprivate: still a copy");
}

static void privates(void)
{
	int value = 5, other[3] = { 1, 2, 3 }, wrong = 0;

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < TASKS; i++) {
#pragma omp task private(value, other)
			{
				value = i;
				other[0] = other[1] = other[2] = i;
#pragma omp taskyield
				if (value != i || other[2] != i)
					bump(&wrong);
			}
		}
	}
	is_int(wrong, 0, "task private: each task has its own");
	ok(value == 5 && other[0] == 1 && other[2] == 3, "task private: the originals stay as they are");
}

static void shared_with_the_parent(void)
{
	int wrong = 0;

#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
		int left = 0, right = 0, row[10];
#pragma omp task shared(left, row)
		{
			left = i;
			for (int k = 0; k < 10; k++)
				row[k] = i;
		}
#pragma omp task shared(right)
		right = -i;
#pragma omp taskwait
		if (left + right != 0 || left != i || row[9] != i)
			bump(&wrong);
	}
	is_int(wrong, 0, "task shared: after taskwait the parent sees what its tasks wrote");
}

static void defaults(void)
{
	int in = 3, out = 0, total = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task default(none) shared(out) firstprivate(in)
		out = in;
#pragma omp taskwait
		int here = 4;
#pragma omp task default(shared)
		{
			total = here + out;
			here = 5;
		}
#pragma omp taskwait
		total += here;
	}
	is_int(out, 3, "task default(none): clauses name what it uses");
	is_int(total, 12, "task default(shared): a local variable, too, is the original");
}

static int counter;
#pragma omp threadprivate(counter)

static int handed_down(int depth, int a[2])
{
	int below[2] = { a[0] + 1, a[1] * 2 }, got = 0;

	if (depth == 0)
		return a[0] * 1000 + a[1] % 997;
#pragma omp task firstprivate(below) shared(got)
	got = handed_down(depth - 1, below);
	below[0] = below[1] = -1;
#pragma omp taskwait
	return got;
}

static void generations(void)
{
	int start[2] = { 0, 1 }, got = 0;

#pragma omp parallel
#pragma omp single
	got = handed_down(20, start);
	is_int(got, 20000 + 1048576 % 997, "task firstprivate: 20 generations, each copies from the one before");
}

static void nothing_captured(void)
{
	static int ran;

	ran = 0;
#pragma omp parallel
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		bump(&ran);
	}
	ok(ran >= TASKS && ran % TASKS == 0, "task: with no variables of its own at all");
}

static void threadprivate_is_not_copied(void)
{
	int wrong = 0;

#pragma omp parallel
	{
		counter = omp_get_thread_num();
#pragma omp barrier
		for (int i = 0; i < TASKS; i++) {
#pragma omp task
			if (counter != omp_get_thread_num())
				bump(&wrong);
		}
	}
	is_int(wrong, 0, "task: a threadprivate variable is that of the thread whose number it has");
}

int main(void)
{
	plan(23);
	scalars();
	implicit();
	arrays();
	variable_length();
	structures();
	over_aligned();
	large();
	undeferred();
	at_once();
	from_final();
	privates();
	shared_with_the_parent();
	defaults();
	generations();
	nothing_captured();
	threadprivate_is_not_copied();
	return done();
}
