/* test/omp/depend.c -- dependences order sibling tasks, and only those.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What dependences order is not atomic on purpose: a ThreadSanitizer build looks at that, too.
 */
#include "omp/tasking.h"

#include <string.h>

enum { CHAIN = 200, GRID = 16, READERS = 8 };

static void chain_inout(void)
{
	int word = 0, wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < CHAIN; i++) {
#pragma omp task depend(inout: word) shared(word, wrong)
		{
			wrong += word != i;
			word = i + 1;
		}
	}
	ok(word == CHAIN && wrong == 0, "task depend(inout): a chain runs in the order in which it was made");
}

static void chain_out(void)
{
	int word = 0, wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < CHAIN; i++) {
#pragma omp task depend(out: word) shared(word, wrong)
		{
			wrong += word != i;
			word = i + 1;
		}
	}
	ok(word == CHAIN && wrong == 0, "task depend(out): one waits for the one before");
}

static void readers_between_writers(void)
{
	int word = -1, wrong = 0, reading[CHAIN / 10] = { 0 };

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < CHAIN / 10; i++) {
#pragma omp task depend(out: word) shared(word, wrong, reading)
		{
			if (i > 0 && now(&reading[i - 1]) != READERS)
				bump(&wrong);
			word = i;
		}
		for (int k = 0; k < READERS; k++) {
#pragma omp task depend(in: word) shared(word, wrong, reading)
			{
				if (word != i)
					bump(&wrong);
				bump(&reading[i]);
			}
		}
	}
	is_int(wrong, 0, "task depend(in): all behind the writer before them, the next writer behind all of them");
}

static void readers_are_free(void)
{
	int word = 0, completed = 0;

#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t open;
#pragma omp task depend(in: word) detach(open)
		bump(&completed);
#pragma omp task depend(in: word)
		bump(&completed);
#pragma omp task depend(in: word) if (0)
		bump(&completed);
		omp_fulfill_event(open);
	}
	ok(completed == 3 && word == 0, "task depend(in): readers do not wait for one another");
}

static void other_words_are_free(void)
{
	int a = 0, b = 0, completed = 0;

#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t open;
#pragma omp task depend(out: a) detach(open)
		bump(&completed);
#pragma omp task depend(out: b) if (0)
		bump(&completed);
		omp_fulfill_event(open);
#pragma omp taskwait
	}
	ok(completed == 2 && a == 0 && b == 0,
		"task depend(out): tasks on different words do not wait for one another");
}

static void diamonds(void)
{
	int wrong = 0;

#pragma omp parallel
	for (int i = 0; i < 50; i++) {
		int top = 0, left = 0, right = 0, bottom = 0;
#pragma omp task depend(out: top) shared(top)
		top = i + 1;
#pragma omp task depend(in: top) depend(out: left) shared(top, left)
		left = top * 2;
#pragma omp task depend(in: top) depend(out: right) shared(top, right)
		right = top * 3;
#pragma omp task depend(in: left, right) depend(out: bottom) shared(left, right, bottom)
		bottom = left + right;
#pragma omp taskwait
		if (bottom != 5 * (i + 1))
			bump(&wrong);
	}
	is_int(wrong, 0, "task depend: diamonds, in every member of the team at once");
}

static void wavefront(void)
{
	static int cell[GRID + 1][GRID + 1];
	int wrong = 0;

	memset(cell, 0, sizeof(cell));
	for (int i = 0; i <= GRID; i++)
		cell[i][0] = cell[0][i] = 1;
#pragma omp parallel
#pragma omp single
	for (int i = 1; i <= GRID; i++)
		for (int k = 1; k <= GRID; k++) {
#pragma omp task depend(in: cell[i - 1][k], cell[i][k - 1]) depend(out: cell[i][k])
			cell[i][k] = (cell[i - 1][k] + cell[i][k - 1]) % 10007;
		}
	int row[GRID + 1];
	for (int i = 0; i <= GRID; i++)
		row[i] = 1;
	for (int i = 1; i <= GRID; i++)
		for (int k = 1; k <= GRID; k++) {
			row[k] = (row[k] + row[k - 1]) % 10007;
			wrong += row[k] != cell[i][k];
		}
	is_int(wrong, 0, "task depend: a wavefront over %d x %d cells", GRID, GRID);
}

static void same_word_twice(void)
{
	int word = 0, wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task depend(in: word) depend(out: word) shared(word, wrong)
		{
			wrong += word != 2 * i;
			word++;
		}
#pragma omp task depend(inout: word, word) depend(in: word) shared(word, wrong)
		{
			wrong += word != 2 * i + 1;
			word++;
		}
	}
	ok(word == 100 && wrong == 0, "task depend: the same word twice in one task");
}

static void undeferred(void)
{
	int word = 0, wrong = 0;

#pragma omp parallel
	{
		int mine = 0;
		for (int i = 0; i < 50; i++) {
#pragma omp task depend(out: mine) shared(mine)
			mine = i;
#pragma omp task depend(inout: mine) if (0) shared(mine, wrong)
			{
				if (mine != i)
					bump(&wrong);
				mine = -i;
			}
			if (mine != -i)
				bump(&wrong);
		}
#pragma omp single
		for (int i = 0; i < 50; i++) {
#pragma omp task depend(inout: word) if (i % 2) shared(word, wrong)
			{
				if (word != i)
					bump(&wrong);
				word++;
			}
		}
	}
	is_int(wrong, 0, "task depend if(0): first what it depends on, then it, then the code behind it");
}

static void in_a_final_task(void)
{
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task final(1) shared(wrong)
		{
			int word = 0;
#pragma omp task depend(out: word) shared(word)
			word = 1;
#pragma omp task depend(inout: word) shared(word)
			word = word * 10 + 2;
			if (word != 12)
				bump(&wrong);
		}
	}
	is_int(wrong, 0, "task depend: in a final task");
}

static void siblings_only(void)
{
	int word = 0, order = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
		omp_event_handle_t open;
#pragma omp task depend(out: word) detach(open) shared(word)
		word = 0;
#pragma omp task if (0) shared(word, order)
		{
#pragma omp task depend(inout: word) shared(order)
			bump(&order);
#pragma omp taskwait
			bump(&order);
		}
		omp_fulfill_event(open);
#pragma omp taskwait
	}
	is_int(order, 40, "task depend: only siblings count, a task does not wait for its parent's sibling");
}

static void implicit_tasks_are_no_siblings(void)
{
	int word = 0, ran = 0, tasks = 0;

#pragma omp parallel
	for (int i = 0; i < 50; i++) {
		bump(&tasks);
#pragma omp task depend(inout: word) shared(ran)
		bump(&ran);
	}
	ok(ran == tasks && word == 0, "task depend: the same word in all members of a team");
}

static void finished_already(void)
{
	int word = 0, wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task depend(inout: word) shared(word)
		word++;
#pragma omp taskwait
#pragma omp task depend(in: word) shared(word, wrong)
		wrong += word != i + 1;
#pragma omp taskwait
	}
	is_int(wrong, 0, "task depend: on tasks that have completed");
}

static void parent_leaves(void)
{
	static int words[20];
	int wrong = 0;

	memset(words, 0, sizeof(words));
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task shared(wrong)
		for (int k = 0; k < 10; k++) {
#pragma omp task depend(inout: words[i]) shared(wrong)
			{
				if (words[i] != k)
					bump(&wrong);
				words[i]++;
			}
		}
	}
	ok(wrong == 0 && every_is(words, 20, 10), "task depend: chains whose parents ended first");
}

static void with_priority_and_untied(void)
{
	int word = 0, wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < CHAIN; i++) {
#pragma omp task depend(inout: word) priority(i % 5) untied shared(word, wrong) final(i % 11 == 0)
		{
			wrong += word != i;
			word = i + 1;
		}
	}
	ok(word == CHAIN && wrong == 0, "task depend priority untied final: the order is kept all the same");
}

static void in_a_taskgroup(void)
{
	int word = 0, wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 20; round++) {
#pragma omp taskgroup
		for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout: word) shared(word)
			word++;
		}
		wrong += word != 10 * (round + 1);
	}
	is_int(wrong, 0, "taskgroup: waits for tasks that wait for others");
}

static void tasks_that_wait_have_children(void)
{
	int word = 0, wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 30; i++) {
#pragma omp task depend(inout: word) shared(word, wrong)
		{
			int lower = 0;
#pragma omp task depend(out: lower) shared(lower)
			lower = i;
#pragma omp task depend(in: lower) shared(lower, wrong)
			if (lower != i)
				bump(&wrong);
#pragma omp taskwait
			wrong += word != i;
			word++;
		}
	}
	ok(word == 30 && wrong == 0, "task depend: a chain of tasks with dependent children of their own");
}

static void outside_of_regions(void)
{
	int word = 0;

#pragma omp task depend(out: word) shared(word)
	word = 1;
#pragma omp task depend(inout: word) shared(word)
	word = word * 10 + 2;
#pragma omp taskwait
	is_int(word, 12, "task depend: outside of any region");
}

/* So many that their creator runs some itself, and gets others from whoever would run them next. */
static void many_in_chains(void)
{
	enum { MANY = 4000, WORDS = 3 };
	int word[WORDS] = { 0 }, wrong = 0, ran = 0, below = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < MANY; i++) {
		int *mine = &word[i % WORDS], want = i / WORDS;
#pragma omp task depend(inout: *mine) firstprivate(mine, want, i) shared(wrong, ran, below)
		{
			if (*mine != want)
				bump(&wrong);
			if (i % 64 == 0) {
				for (volatile int k = 0; k < 20000; k++)
					;
			}
			if (i % 32 == 5) {
#pragma omp task shared(below)
				bump(&below);
#pragma omp taskwait
			}
			*mine = want + 1;
			bump(&ran);
		}
	}
	is_int(wrong, 0, "task depend(inout): thousands in a few chains keep their order");
	is_int(ran, MANY, "task depend(inout): thousands in a few chains run once");
	is_int(below, MANY / 32, "task depend(inout): in a chain they have children");
}

static void many_words(void)
{
	static int words[2000];
	int wrong = 0;

	memset(words, 0, sizeof(words));
#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 2000; i++) {
#pragma omp task depend(inout: words[i]) shared(wrong)
			{
				if (words[i] != round)
					bump(&wrong);
				words[i]++;
			}
		}
	ok(wrong == 0 && every_is(words, 2000, 3), "task depend: 2000 words in use at once");
}

int main(void)
{
	plan(22);
	chain_inout();
	chain_out();
	readers_between_writers();
	readers_are_free();
	other_words_are_free();
	diamonds();
	wavefront();
	same_word_twice();
	undeferred();
	in_a_final_task();
	siblings_only();
	implicit_tasks_are_no_siblings();
	finished_already();
	parent_leaves();
	with_priority_and_untied();
	in_a_taskgroup();
	tasks_that_wait_have_children();
	outside_of_regions();
	many_in_chains();
	many_words();
	return done();
}
