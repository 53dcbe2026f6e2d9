/* test/omp/target.c -- target, teams and distribute on the host, and the memory routines of a device that is the host.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tasking.h"

#include <string.h>

enum { N = 500 };

static int runs[N];

static void clear(void)
{
	memset(runs, 0, sizeof(runs));
}

/* --- target --------------------------------------------------------------------------------------------- */

static void runs_here(void)
{
	int host = 0, level = -1, threads = 0, parallel = -1;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp target map(from: host, level, threads, parallel)
		{
			host = omp_is_initial_device();
			level = omp_get_level();
			threads = omp_get_num_threads();
			parallel = omp_in_parallel();
		}
	}
	is_int(host, 1, "target: runs on the host");
	/* Where clang compiles for the host alone it makes a plain call of it, of which no library knows. */
#ifdef __clang__
	skip(1, "this compiler's code does not call the library for a target construct");
#else
	ok(level == 0 && threads == 1 && parallel == 0, "target: as an initial thread, even from a region");
#endif
}

static void mapped(void)
{
	int in = 3, out = 0, both = 4, scratch = 0, row[10], implicit[10] = { 0 };

	for (int i = 0; i < 10; i++)
		row[i] = i;
#pragma omp target map(to: in, row[0:5]) map(from: out) map(tofrom: both) map(alloc: scratch)
	{
		scratch = in * 2;
		out = scratch + row[4];
		both += out;
		for (int i = 0; i < 10; i++)
			implicit[i] = i;
	}
	ok(out == 10 && both == 14, "target map: to, from, tofrom, alloc, a section");
	is_int(implicit[9], 9, "target: an array that no clause names is mapped");
}

static void firstprivates(void)
{
	int scalar = 5, named = 6, seen = 0, kept = 7, row[4] = { 1, 2, 3, 4 };
	int *where = row;

#pragma omp target map(from: seen) firstprivate(named, row) private(kept)
	{
		kept = 0;
		scalar++;
		named++;
		row[3] += scalar + named + kept;
		seen = row[3];
		row[0] = 100;
	}
	ok(seen == 4 + 6 + 7, "target: scalars are firstprivate; firstprivate arrays have their values");
	ok(scalar == 5 && named == 6 && row[3] == 4 && row[0] == 1 && kept == 7 && where == row,
		"target firstprivate, private: the originals stay as they are");
}

struct pair {
	int a, *p;
};

static void structures_and_pointers(void)
{
	int values[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, sum = 0;
	struct pair s = { 2, values };

#pragma omp target map(tofrom: s) map(tofrom: sum)
	{
		for (int i = 0; i < 8; i++)
			sum += s.p[i];
		s.a = sum;
	}
	ok(sum == 36 && s.a == 36, "target map: a structure, a pointer in it");
}

static void conditions(void)
{
	int ran = 0, here = 0;

	for (int i = 0; i < 4; i++) {
#pragma omp target if (i % 2) map(tofrom: ran)
		ran++;
#pragma omp target device(omp_get_initial_device()) map(tofrom: ran, here)
		ran++, here += omp_is_initial_device();
	}
	ok(ran == 8 && here == 4, "target if, device");
}

static void nowait(void)
{
	int ran = 0;

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 50; i++) {
#pragma omp target nowait map(tofrom: ran)
			bump(&ran);
		}
#pragma omp taskwait
		ran += ran == 50;
		for (int i = 0; i < 49; i++) {
#pragma omp target nowait map(tofrom: ran)
			bump(&ran);
		}
	}
	is_int(ran, 100, "target nowait: done behind taskwait, and at the end of the region");
}

static void data(void)
{
	int a[20], sum = 0;

	for (int i = 0; i < 20; i++)
		a[i] = i;
#pragma omp target data map(tofrom: a) map(to: sum)
	{
#pragma omp target map(tofrom: a)
		for (int i = 0; i < 20; i++)
			a[i] *= 2;
#pragma omp target update from(a)
		a[0] = 5;
#pragma omp target update to(a)
#pragma omp target map(tofrom: a)
		a[1] += a[0];
	}
	for (int i = 0; i < 20; i++)
		sum += a[i];
	is_int(sum, 380 + 10, "target data, target update");

	int *heap = malloc(20 * sizeof(int));
	for (int i = 0; i < 20; i++)
		heap[i] = 1;
#pragma omp target enter data map(to: heap[0:20])
#pragma omp target map(tofrom: heap[0:20])
	for (int i = 0; i < 20; i++)
		heap[i]++;
#pragma omp target exit data map(from: heap[0:20])
	ok(every_is(heap, 20, 2), "target enter data, exit data");
	free(heap);
}

#pragma omp declare target
static int remembered = 40;

static int add_to_remembered(int n)
{
	remembered += n;
	return remembered;
}
#pragma omp end declare target

static void declared(void)
{
	int got = 0;

#pragma omp target map(from: got)
	got = add_to_remembered(2);
	ok(got == 42 && remembered == 42, "declare target: functions and variables");
}

static void from_tasks(void)
{
	int wrong = 0, ran = 0;

#pragma omp parallel
	for (int i = 0; i < 20; i++) {
#pragma omp task
		{
			const int me = omp_get_thread_num();
			int inner = 0;
#pragma omp target map(tofrom: inner) firstprivate(i)
			inner = i + 1;
			if (inner != i + 1 || omp_get_thread_num() != me || omp_get_level() != 1)
				bump(&wrong);
			bump(&ran);
		}
	}
	ok(wrong == 0 && ran % 20 == 0 && ran > 0, "target: in tasks, which go on as what they were");
}

static void region_in_target(void)
{
	int members = 0, tasks = 0;

#pragma omp target map(tofrom: members, tasks)
	{
#pragma omp parallel num_threads(3)
		{
			bump(&members);
#pragma omp task
			bump(&tasks);
		}
	}
	ok(members == 3 && tasks == 3, "target: a region with tasks in it");
}

static void target_reductions(void)
{
	int sum = 10;
	double real = 0;

	clear();
#pragma omp target teams distribute parallel for reduction(+ : sum, real) map(tofrom: sum, real, runs)
	for (int i = 0; i < N; i++) {
		sum += i;
		real += 0.5;
		bump(&runs[i]);
	}
	ok(sum == 10 + N * (N - 1) / 2 && real == N / 2, "target teams distribute parallel for reduction");
	ok(every_is(runs, N, 1), "target teams distribute parallel for: each iteration once");
	clear();
#pragma omp target parallel for simd map(tofrom: runs) schedule(static, 8)
	for (int i = 0; i < N; i++)
		runs[i]++;
	ok(every_is(runs, N, 1), "target parallel for simd: each iteration once");
}

static void target_in_reduction(void)
{
	int sum = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 0; i < 20; i++) {
#pragma omp target in_reduction(+ : sum)
		sum += i;
#pragma omp task in_reduction(+ : sum)
		sum += 100;
	}
	is_int(sum, 2190, "target in_reduction");
}

/* --- teams ---------------------------------------------------------------------------------------------- */

static void teams(void)
{
	int seen[16] = { 0 }, wrong = 0, count = 0, members = 0;

#pragma omp teams num_teams(4) thread_limit(2)
	{
		const int me = omp_get_team_num();
		if (me == 0)
			count = omp_get_num_teams();
		if (me < 0 || me >= omp_get_num_teams() || omp_get_num_teams() > 4)
			bump(&wrong);
		bump(&seen[me]);
#pragma omp parallel num_threads(8)
		{
#pragma omp single
			if (omp_get_num_threads() > 2 || omp_get_thread_limit() > 2)
				bump(&wrong);
			if (omp_get_team_num() != me || omp_get_level() != 1 || omp_get_team_size(0) != 1)
				bump(&wrong);
			bump(&members);
		}
	}
	ok(count >= 1 && count <= 4 && every_is(seen, count, 1), "teams num_teams(4): each once, no more than 4");
	is_int(wrong, 0, "teams: numbers; no more threads than thread_limit");
	ok(members >= count && members <= 2 * count, "teams: a region in each");
	ok(omp_get_num_teams() == 1 && omp_get_team_num() == 0, "teams: behind it there is one team again");
}

static void teams_data(void)
{
	int first = 7, mine = 0, shared_one = 0, sum = 100, wrong = 0, count = 0;

#pragma omp teams num_teams(3) firstprivate(first) private(mine) shared(shared_one, wrong) reduction(+ : sum, count)
	{
		mine = omp_get_team_num();
		if (first != 7)
			bump(&wrong);
		first = mine;
		bump(&shared_one);
		sum += 10 + mine;
		count++;
	}
	ok(wrong == 0 && first == 7 && shared_one == count && mine == 0, "teams firstprivate, private, shared");
	is_int(sum, 100 + 10 * count + count * (count - 1) / 2, "teams reduction");
}

static void distribute(void)
{
	int wrong = 0;

	clear();
#pragma omp teams num_teams(3)
#pragma omp distribute
	for (int i = 0; i < N; i++)
		bump(&runs[i]);
	ok(every_is(runs, N, 1), "distribute: each iteration once, over all teams");
	clear();
#pragma omp teams num_teams(3) shared(wrong)
#pragma omp distribute dist_schedule(static, 7)
	for (int i = N - 1; i >= 0; i--) {
		bump(&runs[i]);
		if ((N - 1 - i) / 7 % omp_get_num_teams() != omp_get_team_num())
			bump(&wrong);
	}
	ok(every_is(runs, N, 1) && wrong == 0, "distribute dist_schedule(static, 7): chunks go around the teams");
	clear();
#pragma omp teams num_teams(2)
#pragma omp distribute collapse(2)
	for (int i = 0; i < 20; i++)
		for (int k = 0; k < 25; k++)
			bump(&runs[i * 25 + k]);
	ok(every_is(runs, N, 1), "distribute collapse(2)");
}

static void distribute_parallel_for(void)
{
	int last = 0, sum = 0;

	clear();
#pragma omp teams distribute parallel for num_teams(3) num_threads(2) schedule(dynamic, 3) reduction(+ : sum)
	for (int i = 0; i < N; i++) {
		bump(&runs[i]);
		sum += i;
	}
	ok(every_is(runs, N, 1) && sum == N * (N - 1) / 2, "teams distribute parallel for: with a reduction");
	clear();
#pragma omp teams distribute parallel for simd num_teams(2) lastprivate(last)
	for (int i = 0; i < N; i++) {
		runs[i]++;
		last = i;
	}
	ok(every_is(runs, N, 1) && last == N - 1, "teams distribute parallel for simd lastprivate");
	clear();
#pragma omp teams num_teams(3)
#pragma omp loop bind(teams)
	for (int i = 0; i < N; i++)
		bump(&runs[i]);
	ok(every_is(runs, N, 1), "loop bind(teams)");
}

static void teams_with_tasks(void)
{
	int ran = 0, made = 0;

#pragma omp teams num_teams(3)
	{
#pragma omp parallel num_threads(2)
		for (int i = 0; i < 20; i++) {
			bump(&made);
#pragma omp task
			bump(&ran);
		}
	}
	ok(made >= 20 && ran == made, "teams: tasks in the region of each");
}

static void settings_of_teams(void)
{
	int count = 0, limit = 0;

	omp_set_num_teams(2);
	omp_set_teams_thread_limit(3);
#pragma omp teams
	if (omp_get_team_num() == 0) {
		count = omp_get_num_teams();
#pragma omp parallel
#pragma omp single
		limit = omp_get_thread_limit();
	}
	omp_set_num_teams(0);
	omp_set_teams_thread_limit(0);
	ok(count >= 1 && count <= 2, "omp_set_num_teams: no more without a num_teams clause");
	ok(limit >= 1 && limit <= 3, "omp_set_teams_thread_limit: no more threads in each");
}

static void target_teams(void)
{
	int seen[8] = { 0 }, count = 0, wrong = 0;

#pragma omp target teams num_teams(4) thread_limit(2) map(tofrom: seen, count, wrong)
	{
		if (omp_get_team_num() >= omp_get_num_teams() || omp_get_num_teams() > 4)
			bump(&wrong);
		bump(&seen[omp_get_team_num()]);
		if (omp_get_team_num() == 0)
			count = omp_get_num_teams();
	}
	ok(wrong == 0 && count >= 1 && every_is(seen, count, 1), "target teams: each once");
}

/* --- memory --------------------------------------------------------------------------------------------- */

static void memory(void)
{
	const int host = omp_get_initial_device();
	int from[20], back[20], *there = omp_target_alloc(sizeof(from), host), status;

	for (int i = 0; i < 20; i++)
		from[i] = i * i, back[i] = -1;
	ok(there != NULL, "omp_target_alloc: on the host");
	status = omp_target_memcpy(there, from, sizeof(from), 0, 0, host, host);
	status += omp_target_memcpy(back, there, 10 * sizeof(int), 5 * sizeof(int), 2 * sizeof(int), host, host);
	ok(status == 0 && back[4] == -1 && back[5] == 4 && back[14] == 121 && back[15] == -1,
		"omp_target_memcpy: with offsets on both sides");
	ok(omp_target_is_present(from, host), "omp_target_is_present: always on the host");
	omp_target_free(there, host);
	omp_target_free(NULL, host);
	ok(omp_target_alloc(10, 77) == NULL && omp_target_alloc(10, -3) == NULL &&
			omp_target_memcpy(back, from, 4, 0, 0, 77, host) != 0,
		"omp_target_alloc, omp_target_memcpy: no such device");
	ok(omp_target_associate_ptr(from, back, 4, 0, host) != 0 && omp_target_disassociate_ptr(from, host) != 0,
		"omp_target_associate_ptr, disassociate_ptr: not on the host");
}

static void rectangles(void)
{
	const int host = omp_get_initial_device();
	int from[6][8], to[5][5], wrong = 0;
	const size_t volume[2] = { 2, 3 }, to_offset[2] = { 1, 2 }, from_offset[2] = { 3, 4 };
	const size_t to_size[2] = { 5, 5 }, from_size[2] = { 6, 8 };

	for (int i = 0; i < 48; i++)
		from[i / 8][i % 8] = i;
	memset(to, -1, sizeof(to));
	is_int(omp_target_memcpy_rect(
		       to, from, sizeof(int), 2, volume, to_offset, from_offset, to_size, from_size, host, host),
		0, "omp_target_memcpy_rect: a part of a matrix");
	for (int i = 0; i < 25; i++) {
		const int y = i / 5, x = i % 5;
		const bool inside = y >= 1 && y < 3 && x >= 2 && x < 5;
		wrong += to[y][x] != (inside ? (y - 1 + 3) * 8 + x - 2 + 4 : -1);
	}
	is_int(wrong, 0, "omp_target_memcpy_rect: that part, and nothing beside it");
	ok(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3,
		"omp_target_memcpy_rect: without arrays, how many dimensions there may be");
}

int main(void)
{
	plan(42);
	runs_here();
	mapped();
	firstprivates();
	structures_and_pointers();
	conditions();
	nowait();
	data();
	declared();
	from_tasks();
	region_in_target();
	target_reductions();
	target_in_reduction();
	teams();
	teams_data();
	distribute();
	distribute_parallel_for();
	teams_with_tasks();
	settings_of_teams();
	target_teams();
	memory();
	rectangles();
	return done();
}
