/* test/omp/depend_forms.c -- dependences in other forms: iterators, sections, mutexinoutset, depobj, taskwait, target.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What dependences order is not atomic on purpose: a ThreadSanitizer build looks at that, too.
 */
#include "omp/tasking.h"

#include <string.h>

static void several_on_one_task(void)
{
	int words[40] = { 0 }, wrong = 0, sum = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < 40; i++) {
#pragma omp task depend(inout: words[i]) shared(words)
			words[i]++;
		}
#pragma omp task depend(iterator(k = 0 : 40), in: words[k]) depend(inout: sum) shared(words, wrong, sum)
		{
			wrong += !every_is(words, 40, round + 1);
			sum++;
		}
	}
	ok(wrong == 0 && sum == 10, "task depend(iterator): a task that reads 40 words waits for their 40 writers");
}

static void iterators(void)
{
	static int table[6][7];
	int wrong = 0;

	memset(table, 0, sizeof(table));
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(iterator(int i = 0 : 6, k = 6 : -1 : -2), out: table[i][k])
		for (int i = 0; i < 42; i++)
			table[i / 7][i % 7] = 1;
		for (int i = 0; i < 6; i++)
			for (int k = 0; k < 7; k += 2) {
#pragma omp task depend(inout: table[i][k]) shared(wrong)
				{
					if (table[i][k] != 1)
						bump(&wrong);
					table[i][k] = 2;
				}
			}
#pragma omp task depend(iterator(unsigned long i = 0 : 6, k = 0 : 7 : 2), in: table[i][k]) shared(wrong)
		for (int i = 0; i < 6; i++)
			for (int k = 0; k < 7; k++)
				if (table[i][k] != (k % 2 ? 1 : 2))
					bump(&wrong);
	}
	is_int(wrong, 0, "task depend(iterator): two dimensions, steps up and down");
}

static void empty_iterator(void)
{
	int table[4] = { 0 }, ran = 0, none = 0;

#pragma omp parallel shared(none)
#pragma omp single
	for (int i = 0; i < 10; i++) {
#pragma omp task depend(iterator(k = 0 : none), out: table[k]) shared(ran)
		bump(&ran);
	}
	ok(ran == 10 && none == 0 && table[0] == 0, "task depend(iterator): an empty range is no dependence");
}

static void array_sections(void)
{
	int block[64], wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 20; round++) {
#pragma omp task depend(out: block[0:32]) shared(block)
		for (int i = 0; i < 32; i++)
			block[i] = round;
#pragma omp task depend(out: block[32:32]) shared(block)
		for (int i = 32; i < 64; i++)
			block[i] = -round;
#pragma omp task depend(in: block[0:32], block[32:32]) shared(block, wrong)
		for (int i = 0; i < 32; i++)
			wrong += block[i] != round || block[i + 32] != -round;
	}
	is_int(wrong, 0, "task depend: array sections that begin at the same element");
}

static void mutexinoutset(void)
{
	int word = 0, inside = 0, wrong = 0, result = 0;

#pragma omp parallel
#pragma omp single
	for (int round = 0; round < 10; round++) {
#pragma omp task depend(out: word) shared(word)
		word = 0;
		for (int i = 0; i < 20; i++) {
#pragma omp task depend(mutexinoutset: word) shared(word, inside, wrong)
			{
				if (bump(&inside) != 0)
					bump(&wrong);
				if (i % 10 == 5)
					every_linger();
				word += 1;
				__atomic_fetch_sub(&inside, 1, __ATOMIC_ACQ_REL);
			}
		}
#pragma omp task depend(in: word) shared(word, result)
		result += word;
	}
	is_int(wrong, 0, "task depend(mutexinoutset): one at a time");
	is_int(result, 200, "task depend(mutexinoutset): behind the writer, and the reader behind all of them");
}

static void mutexinoutset_mixed(void)
{
	int a = 0, b = 0, wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 30; i++) {
#pragma omp task depend(mutexinoutset: a, b) shared(a, b)
		a++, b++;
#pragma omp task depend(mutexinoutset: a) depend(in: b) shared(a, b)
		a += b > 0;
#pragma omp task depend(inout: b) depend(mutexinoutset: a) shared(a, b)
		a++, b++;
#pragma omp task depend(in: a, b) shared(a, b, wrong)
		wrong += a != 3 * (i + 1) || b != 2 * (i + 1);
	}
	is_int(wrong, 0, "task depend(mutexinoutset): with in and inout on the same task");
}

static void depobj(void)
{
	int word = 0, wrong = 0;
	omp_depend_t d;

#pragma omp depobj(d) depend(inout: word)
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task depend(depobj: d) shared(word, wrong)
		{
			wrong += word != 2 * i;
			word++;
		}
#pragma omp task depend(inout: word) shared(word, wrong)
		{
			wrong += word != 2 * i + 1;
			word++;
		}
	}
#pragma omp depobj(d) destroy
	ok(word == 100 && wrong == 0, "task depend(depobj): the same as the dependence it was made from");
}

static void depobj_update(void)
{
	int word = 0, completed = 0, wrong = 0;
	omp_depend_t d, other;

#pragma omp depobj(d) depend(out: word)
#pragma omp depobj(other) depend(in: word)
#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t open;
#pragma omp task depend(depobj: other) detach(open) shared(completed)
		bump(&completed);
#pragma omp depobj(d) update(in)
#pragma omp task depend(depobj: d) if (0) shared(completed)
		bump(&completed);
#pragma omp depobj(d) update(mutexinoutset)
#pragma omp task depend(depobj: d) shared(completed, wrong)
		wrong += now(&completed) != 2;
#pragma omp depobj(d) update(inout)
		omp_fulfill_event(open);
#pragma omp task depend(depobj: d) if (0) shared(completed, word)
		word = now(&completed);
	}
#pragma omp depobj(d) destroy
#pragma omp depobj(other) destroy
	ok(word == 2 && wrong == 0, "depobj update: from out to in, mutexinoutset, inout");
}

static void taskwait_depend(void)
{
	int a = 0, b = 0, wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 1; i <= 30; i++) {
		omp_event_handle_t open;
#pragma omp task depend(out: b) detach(open) shared(b)
		b = i;
#pragma omp task depend(out: a) shared(a)
		a = i;
#pragma omp task depend(inout: a) shared(a)
		a = -a;
#pragma omp taskwait depend(in: a)
		wrong += a != -i;
		omp_fulfill_event(open);
#pragma omp taskwait depend(inout: b, a)
		wrong += b != i;
	}
	is_int(wrong, 0, "taskwait depend: waits for the tasks named by it, not for the others");
}

static void taskwait_depend_of_nobody(void)
{
	int a = 0, completed = 0;

#pragma omp taskwait depend(inout: a)
#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t open;
#pragma omp task depend(in: a) detach(open) shared(completed)
		bump(&completed);
#pragma omp taskwait depend(in: a)
		omp_fulfill_event(open);
#pragma omp taskwait depend(out: a)
		completed += now(&completed) == 1;
	}
	ok(completed == 2 && a == 0, "taskwait depend: a reader waits for no reader");
}

static void target_nowait(void)
{
	int word = 0, wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task depend(out: word) shared(word)
		word = i;
#pragma omp target map(tofrom: word) depend(inout: word) nowait
		word += 100;
#pragma omp task depend(in: word) shared(word, wrong)
		wrong += word != i + 100;
#pragma omp target map(tofrom: word) depend(inout: word)
		word += 100;
		wrong += word != i + 200;
	}
	is_int(wrong, 0, "target nowait depend: on the host, in the order of its dependences");
}

int main(void)
{
	plan(12);
	several_on_one_task();
	iterators();
	empty_iterator();
	array_sections();
	mutexinoutset();
	mutexinoutset_mixed();
	depobj();
	depobj_update();
	taskwait_depend();
	taskwait_depend_of_nobody();
	target_nowait();
	return done();
}
