/* test/api/cxx_syncvar.cc -- the class syncvar and the calls that take its address.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/syncvar.hpp>

#include <type_traits>
#include <vector>

static const int CHECKS_PER_RUN = 16, OTHER_CHECKS = 40;

/* ---- Without a runtime ------------------------------------------------------------------------------------------ */

static void construction(void)
{
	static_assert(noexcept(syncvar()) && noexcept(syncvar(uint64_t(1))) && noexcept(syncvar(syncvar())),
		"constructors do not throw");
	const syncvar_t plain = SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(9), waited = { { (UINT64_C(9) << 4) | 7 } };
	syncvar zero, five(5), large(~UINT64_C(0)), from_plain(plain), from_waited(waited);

	ok(zero.status() == 1 && zero.read() == 0, "syncvar() is full and 0");
	ok(five.status() == 1 && five.read() == 5, "syncvar(5) is full and 5");
	ok(large.status() == 1 && large.read() == UINT64_C(0x0fffffffffffffff), "syncvar(2^64 - 1) has its low 60 bits");
	ok(from_plain.status() == 0 && from_plain.read() == 9, "syncvar(syncvar_t) has its value and state");
	ok(from_waited.empty() == QTHREAD_SUCCESS && from_waited.status() == 0, "but neither its lock nor its waiters");
	syncvar copy(from_plain);
	ok(copy.status() == 0 && copy.read() == 9, "syncvar(syncvar) has the other's value and state");
	copy = five;
	ok(copy.status() == 1 && copy.read() == 5, "operator= has them, too");
	std::vector<syncvar> many(3, from_plain);
	ok(many[2].status() == 0 && many[2].read() == 9, "a vector of them can be made");
}

static void methods(void)
{
	syncvar v(5);
	uint64_t got = 0;

	is_int(v.empty(), QTHREAD_SUCCESS, "empty");
	is_int(v.status(), 0, "leaves it empty");
	is_int(v.fill(), QTHREAD_SUCCESS, "fill");
	is_int(v.status(), 1, "leaves it full");
	ok(v.readFF() == 5 && v.status() == 1, "readFF returns the value and leaves it full");
	ok(v.readFF(&got) == QTHREAD_SUCCESS && got == 5, "readFF stores the value");
	ok(v.readFE() == 5 && v.status() == 0, "readFE returns the value and leaves it empty");
	is_int(v.writeEF(6), QTHREAD_SUCCESS, "writeEF");
	ok(v.read() == 6 && v.status() == 1, "stores and fills");
	ok(v.readFE(&got) == QTHREAD_SUCCESS && got == 6 && v.status() == 0, "readFE stores the value and empties");
	is_int(v.writeF(7), QTHREAD_SUCCESS, "writeF");
	ok(v.read() == 7 && v.status() == 1, "stores and fills");
	is_int(v.writeF(UINT64_C(1) << 60), QTHREAD_OVERFLOW, "writeF of more than 60 bits");
	is_int(v.read(), 7, "changes nothing");
	is_int(v.incr(), 8, "incr adds 1 and returns the sum");
	is_int(v.incr(-3), 5, "incr of a negative number");
	v.empty();
	v.write(12);
	ok(v.read() == 12 && v.status() == 0, "write changes the value and not the state");
}

/* The names of the C calls. */
static void overloads(void)
{
	syncvar v, *none = NULL;
	uint64_t got = 0;
	const uint64_t from = 6;

	is_int(qthread_empty(&v), QTHREAD_SUCCESS, "qthread_empty of a syncvar");
	is_int(qthread_feb_status(&v), 0, "qthread_feb_status of a syncvar");
	is_int(qthread_fill(&v), QTHREAD_SUCCESS, "qthread_fill of a syncvar");
	is_int(v.status(), 1, "fills it");
	v.empty();
	is_int(qthread_writeEF(&v, 0), QTHREAD_SUCCESS, "qthread_writeEF of 0 to a syncvar");
	ok(qthread_readFE(&v) == 0 && v.status() == 0, "qthread_readFE of a syncvar");
	is_int(qthread_writeEF(&v, &from), QTHREAD_SUCCESS, "qthread_writeEF from an address to a syncvar");
	ok(qthread_readFF(&v) == 6, "qthread_readFF of a syncvar");
	ok(qthread_writeF(&v, 7u) == QTHREAD_SUCCESS && v.read() == 7, "qthread_writeF of a value");
	ok(qthread_writeF(&v, &from) == QTHREAD_SUCCESS && v.read() == 6, "qthread_writeF from an address");
	ok(qthread_readFF(&got, &v) == QTHREAD_SUCCESS && got == 6, "qthread_readFF to an address");
	ok(qthread_readFE(&got, &v) == QTHREAD_SUCCESS && v.status() == 0, "qthread_readFE to an address");
	ok(qthread_fill(none) == QTHREAD_BADARGS && qthread_writeF(none, 1) == QTHREAD_BADARGS &&
			qthread_readFE(&got, none) == QTHREAD_BADARGS, "no syncvar is QTHREAD_BADARGS");
	ok(qthread_readFF(none) == UINT64_MAX && qthread_readFE(none) == UINT64_MAX, "or UINT64_MAX");
	syncvar_t *inside = reinterpret_cast<syncvar_t *>(&v);
	is_int(qthread_syncvar_status(inside), 0, "the C calls see the same variable");
}

/* ---- Tasks wait ------------------------------------------------------------------------------------------------- */

enum { ROUNDS = 100 };

struct buffer {
	syncvar full;
	uint64_t sum;
};

static aligned_t produce(void *arg)
{
	buffer *b = static_cast<buffer *>(arg);

	for (uint64_t i = 1; i <= ROUNDS; i++)
		b->full.writeEF(i);
	return 0;
}

static aligned_t consume(void *arg)
{
	buffer *b = static_cast<buffer *>(arg);

	for (int i = 0; i < ROUNDS; i++)
		b->sum += b->full.readFE();
	return 0;
}

static aligned_t wait_for(void *arg)
{
	return static_cast<syncvar *>(arg)->readFF();
}

static void run(const char *what)
{
	buffer b = { syncvar(), 0 };
	aligned_t done[4];
	syncvar gate;

	b.full.empty();
	qthread_fork(consume, &b, &done[0]);
	qthread_fork(produce, &b, &done[1]);
	qthread_readFF(NULL, &done[0]);
	qthread_readFF(NULL, &done[1]);
	is_int(b.sum, ROUNDS * (ROUNDS + 1) / 2, "%s: writeEF and readFE take turns", what);
	is_int(b.full.status(), 0, "%s: and end empty", what);

	gate.empty();
	for (int i = 0; i < 4; i++)
		qthread_fork(wait_for, &gate, &done[i]);
	for (int i = 0; i < 4; i++)
		qthread_yield();
	is_int(gate.writeEF(11), QTHREAD_SUCCESS, "%s: writeEF with readers waiting", what);
	for (int i = 0; i < 4; i++) {
		qthread_readFF(NULL, &done[i]);
		is_int(done[i], 11, "%s: readFF of a waiting task", what);
	}

	/* incr lets them go as well, and status, read and write do not disturb those who wait. */
	gate.empty();
	for (int i = 0; i < 4; i++)
		qthread_fork(wait_for, &gate, &done[i]);
	for (int i = 0; i < 4; i++)
		qthread_yield();
	gate.write(20);
	is_int(gate.read(), 20, "%s: write beside waiting tasks", what);
	is_int(gate.status(), 0, "%s: leaves it empty", what);
	gate.fill();
	for (int i = 0; i < 4; i++) {
		qthread_readFF(NULL, &done[i]);
		is_int(done[i], 20, "%s: they get what was written", what);
	}

	syncvar result;
	is_int(qthread_fork_syncvar(wait_for, &gate, reinterpret_cast<syncvar_t *>(&result)), QTHREAD_SUCCESS,
		"%s: a syncvar is a return location", what);
	is_int(result.readFF(), 20, "%s: and gets the result", what);
	is_int(qthread_readFF(&gate), 20, "%s: the gate is still full", what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	construction();
	methods();
	overloads();
	every_runtime(run);
	return done();
}
