/* test/clients/stdexec.cc -- a scheduler for senders and receivers on top of tasks, after that for the C++ proposal
 * P2300 (std::execution).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An operation is a task, started on itself; bulk work is a loop over a function object; an exception in a task is the
 * operation's error and arrives where it is waited for.
 */
#include "api/every.h"

#include <qthread/qloop.hpp>

#include <exception>
#include <memory>
#include <stdexcept>
#include <string.h>
#include <string>
#include <utility>
#include <vector>

static const int CHECKS_PER_RUN = 7;

/* ---- The layer ---------------------------------------------------------------------------------------------------- */

class context
{
public:
	context() { if (qthread_initialize() != QTHREAD_SUCCESS) throw std::runtime_error("qthread_initialize"); }
	~context() { qthread_finalize(); }
	context(context const &) = delete;
	context &operator=(context const &) = delete;
};

/* What becomes of f(): connected, started and waited for. */
template <typename F> class operation
{
public:
	typedef decltype(std::declval<F &>()()) value_type;

	explicit operation(F body) : f(std::move(body)), value() {}
	operation(operation const &) = delete;
	operation &operator=(operation const &) = delete;

	void start()
	{
		if (qthread_fork(run, this, &finished) != QTHREAD_SUCCESS)
			throw std::bad_alloc();
	}

	value_type wait()
	{
		qthread_readFF(nullptr, &finished);
		if (error)
			std::rethrow_exception(error);
		return std::move(value);
	}

private:
	static aligned_t run(void *arg)
	{
		operation *self = static_cast<operation *>(arg);

		try {
			self->value = self->f();
		} catch (...) {
			self->error = std::current_exception();
		}
		return 0;
	}

	F f;
	value_type value;
	std::exception_ptr error;
	aligned_t finished = 0;
};

template <typename F> static typename operation<F>::value_type sync_wait(F f)
{
	operation<F> op(std::move(f));

	op.start();
	return op.wait();
}

template <typename F> static void bulk(size_t count, F const &f)
{
	qt_loop_balance(0, count, [&f](size_t startat, size_t stopat) {
		for (size_t i = startat; i < stopat; i++)
			f(i);
	});
}

/* ---- Programs ----------------------------------------------------------------------------------------------------- */

static long fib(int n)
{
	if (n < 2)
		return n;
	auto left = [n] { return fib(n - 1); };
	operation<decltype(left)> op(left);

	op.start();
	const long right = fib(n - 2);
	return op.wait() + right;
}

/* Catches and throws again on the way, with a wait in between. */
static long unlucky(int depth)
{
	if (depth == 0)
		throw std::out_of_range("bottom");
	try {
		return sync_wait([depth] { return unlucky(depth - 1); });
	} catch (std::out_of_range const &e) {
		qthread_yield();
		throw std::out_of_range(std::string(e.what()) + "!");
	}
}

static std::string fate(int depth)
{
	try {
		return std::to_string(sync_wait([depth] { return unlucky(depth); }));
	} catch (std::exception const &e) {
		return e.what();
	}
}

static void errors(const char *what)
{
	const int n = every_scaled(100);
	int wrong = 0;

	is_str(fate(3).c_str(), "bottom!!!", "%s: an exception arrives where its operation is waited for", what);
	auto one = [] { return fate(2) == "bottom!!" ? 1 : 0; };
	std::vector<std::unique_ptr<operation<decltype(one)>>> ops;
	for (int i = 0; i < n; i++)
		ops.emplace_back(new operation<decltype(one)>(one));
	for (auto &op : ops)
		op->start();
	for (auto &op : ops)
		wrong += op->wait() != 1;
	is_int(wrong, 0, "%s: %d of them at a time, each gets its own", what, n);
}

static void run(const char *what)
{
	context c;

	is_int(sync_wait([] { return 42; }), 42, "%s: a value arrives", what);
	is_str(sync_wait([] { return std::string("moved"); }).c_str(), "moved", "%s: one that is moved, too", what);
	is_int(fib(12), 144, "%s: operations start operations", what);

	const size_t n = 1000;
	std::vector<long> squares(n);
	bulk(n, [&squares](size_t i) { squares[i] = long(i) * long(i); });
	int wrong = 0;
	for (size_t i = 0; i < n; i++)
		wrong += squares[i] != long(i * i);
	is_int(wrong, 0, "%s: bulk work", what);
	auto nested = [] {
		aligned_t sum = 0;
		bulk(100, [&sum](size_t i) { qthread_incr(&sum, i); });
		return sum;
	};
	is_int(sync_wait(nested), 4950, "%s: bulk work inside an operation", what);
	errors(what);
}

int main()
{
	plan(every_runs() * CHECKS_PER_RUN);
	every_setting(run);
	return done();
}
