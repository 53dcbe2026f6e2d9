/* test/api/cxx_words.cc -- full/empty words of any type of eight bytes do what the C calls do, and the C calls stay
 * what they are.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/qthread.hpp>

#include <string.h>
#include <type_traits>

static const int CHECKS_PER_RUN = 41;

struct alignas(8) pair {
	int first, second;
};

enum colour : uint64_t { RED, GREEN };

/* ---- A value goes through a word of each kind ------------------------------------------------------------------- */

template <typename T> struct exchange {
	T word, sent;
	T got;
};

template <typename T> static aligned_t send(void *arg)
{
	exchange<T> *x = static_cast<exchange<T> *>(arg);

	qthread_writeEF(&x->word, &x->sent);
	return 0;
}

template <typename T> static aligned_t receive(void *arg)
{
	exchange<T> *x = static_cast<exchange<T> *>(arg);

	x->got = qthread_readFE(&x->word);
	return 0;
}

/* One task waits for the word in each order of fork, so both calls have to wait in some run. */
template <typename T> static bool passes(T value, bool receiver_first)
{
	exchange<T> x;
	aligned_t done[2];

	memset(static_cast<void *>(&x), 0, sizeof(x));
	x.sent = value;
	qthread_empty(&x.word);
	qthread_fork(receiver_first ? receive<T> : send<T>, &x, &done[0]);
	qthread_fork(receiver_first ? send<T> : receive<T>, &x, &done[1]);
	qthread_readFF(NULL, &done[0]);
	qthread_readFF(NULL, &done[1]);
	const bool right = memcmp(&x.got, &value, sizeof(value)) == 0 && qthread_feb_status(&x.word) == 0;
	qthread_fill(&x.word);
	return right;
}

template <typename T> static void every_kind(const char *what, const char *type, T value)
{
	ok(passes(value, false), "%s: qthread_writeEF and qthread_readFE pass a %s on", what, type);
	ok(passes(value, true), "%s: and the other way round", what);
}

/* ---- Each template by itself ------------------------------------------------------------------------------------ */

static void templates(const char *what)
{
	double d = 1.5, other = 2.5;
	const double *where = &d;

	is_int(qthread_feb_status(where), 1, "%s: qthread_feb_status of a double", what);
	is_int(qthread_empty(where), QTHREAD_SUCCESS, "%s: qthread_empty of a double", what);
	is_int(qthread_feb_status(&d), 0, "%s: makes it empty", what);
	is_int(qthread_fill(where), QTHREAD_SUCCESS, "%s: qthread_fill of a double", what);
	ok(d == 1.5 && qthread_feb_status(&d) == 1, "%s: makes it full and leaves the value", what);

	qthread_empty(&d);
	is_int(qthread_writeEF(&d, &other), QTHREAD_SUCCESS, "%s: qthread_writeEF from an address", what);
	ok(d == 2.5 && qthread_feb_status(&d) == 1, "%s: stores and fills", what);
	qthread_empty(&d);
	is_int(qthread_writeEF(&d, 3.5), QTHREAD_SUCCESS, "%s: qthread_writeEF of a value", what);
	ok(d == 3.5 && qthread_feb_status(&d) == 1, "%s: stores and fills", what);
	is_int(qthread_writeF(&d, &other), QTHREAD_SUCCESS, "%s: qthread_writeF from an address", what);
	ok(d == 2.5, "%s: stores", what);
	is_int(qthread_writeF(&d, 4), QTHREAD_SUCCESS, "%s: qthread_writeF of a value of another type", what);
	ok(d == 4.0, "%s: converts it", what);

	other = 0;
	is_int(qthread_readFF(&other, where), QTHREAD_SUCCESS, "%s: qthread_readFF of a double", what);
	ok(other == 4.0 && qthread_readFF(where) == 4.0, "%s: in both forms", what);
	other = 0;
	is_int(qthread_readFE(&other, where), QTHREAD_SUCCESS, "%s: qthread_readFE of a double", what);
	ok(other == 4.0 && qthread_feb_status(&d) == 0, "%s: empties", what);
	qthread_fill(&d);
	ok(qthread_readFE(where) == 4.0 && qthread_feb_status(&d) == 0, "%s: in both forms", what);
	qthread_fill(&d);

	is_int(qthread_lock(where), QTHREAD_SUCCESS, "%s: qthread_lock of a double", what);
	is_int(qthread_trylock(reinterpret_cast<aligned_t *>(&d)), QTHREAD_OPFAIL, "%s: locks it", what);
	is_int(qthread_unlock(where), QTHREAD_SUCCESS, "%s: qthread_unlock of a double", what);
	is_int(qthread_feb_status(&d), 1, "%s: unlocks it", what);
}

static void stays_c(const char *what)
{
	aligned_t word = 5, seen = 0;

	is_int(qthread_readFF(NULL, &word), QTHREAD_SUCCESS, "%s: qthread_readFF(NULL, word) is the C call", what);
	is_int(qthread_readFF(nullptr, &word), QTHREAD_SUCCESS, "%s: and with nullptr", what);
	is_int(qthread_readFF(&seen, &word), QTHREAD_SUCCESS, "%s: and so is one that copies", what);
	is_int(seen, 5, "%s: the value", what);
	qthread_empty(&word);
	is_int(qthread_writeEF(&word, nullptr), QTHREAD_BADARGS, "%s: nullptr is no value for qthread_writeEF", what);
	is_int(qthread_writeEF(&word, 0), QTHREAD_SUCCESS, "%s: 0 is one", what);
	is_int(word, 0, "%s: and is stored", what);
}

static void run(const char *what)
{
	static int target;

	every_kind(what, "double", -0.5);
	every_kind(what, "pointer", &target);
	every_kind(what, "pair of ints", pair{ 7, -8 });
	every_kind(what, "enumerator", GREEN);
	every_kind<long long>(what, "long long", -9);
	every_kind<aligned_t>(what, "aligned_t", 10);
	templates(what);
	stays_c(what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN);
	every_runtime(run);
	return done();
}
