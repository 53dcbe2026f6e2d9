/* test/clients/raftlib.cc -- kernels that are tasks and stream through queues between them, after RaftLib.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels are spawned without a return word: they are told to end by the stream, and count themselves out.  A kernel
 * whose queue has nothing to take, or no room, yields.
 */
#include "api/every.h"

#include <atomic>
#include <memory>
#include <vector>

static const int CHECKS_PER_RUN = 4;

/* One writer, one reader. */
class stream
{
public:
	bool push(long value)
	{
		const size_t t = tail.load(std::memory_order_relaxed);
		if (t - head.load(std::memory_order_acquire) == ROOM)
			return false;
		slot[t % ROOM] = value;
		tail.store(t + 1, std::memory_order_release);
		return true;
	}

	bool pop(long &value)
	{
		const size_t h = head.load(std::memory_order_relaxed);
		if (h == tail.load(std::memory_order_acquire))
			return false;
		value = slot[h % ROOM];
		head.store(h + 1, std::memory_order_release);
		return true;
	}

private:
	static const size_t ROOM = 8;
	long slot[ROOM];
	std::atomic<size_t> head{ 0 }, tail{ 0 };
};

static void put(stream &s, long value)
{
	while (!s.push(value))
		qthread_yield();
}

static long take(stream &s)
{
	long value;
	while (!s.pop(value))
		qthread_yield();
	return value;
}

static const long LAST = -1;

class kernel
{
public:
	virtual ~kernel() {}
	virtual void run() = 0;
};

class source : public kernel
{
public:
	source(long n, stream &out) : count(n), to(out) {}

	void run() override
	{
		for (long i = 1; i <= count; i++)
			put(to, i);
		put(to, LAST);
	}

private:
	const long count;
	stream &to;
};

class doubler : public kernel
{
public:
	doubler(stream &in, stream &out) : from(in), to(out) {}

	void run() override
	{
		for (long value; (value = take(from)) != LAST;)
			put(to, 2 * value);
		put(to, LAST);
	}

private:
	stream &from, &to;
};

class sum : public kernel
{
public:
	explicit sum(stream &in) : total(0), in_order(true), from(in) {}

	void run() override
	{
		long last = 0;
		for (long value; (value = take(from)) != LAST; last = value) {
			total += value;
			in_order = in_order && value > last;
		}
	}

	long total;
	bool in_order;

private:
	stream &from;
};

/* ---- The scheduler of kernels ------------------------------------------------------------------------------------- */

struct started {
	kernel *k;
	std::atomic<size_t> *running;
};

static aligned_t run_kernel(void *arg)
{
	started *s = static_cast<started *>(arg);

	s->k->run();
	s->running->fetch_sub(1, std::memory_order_release);
	return 0;
}

/* Whether all could be started; returns when all have ended. */
static bool run_all(std::vector<std::unique_ptr<kernel>> &kernels, bool in_groups)
{
	std::atomic<size_t> running(kernels.size());
	std::vector<started> start(kernels.size());
	bool right = true;

	for (size_t i = 0; i < kernels.size(); i++) {
		start[i].k = kernels[i].get();
		start[i].running = &running;
		right = qthread_spawn(run_kernel, static_cast<void *>(&start[i]), 0, 0, 0, nullptr,
			in_groups ? static_cast<qthread_shepherd_id_t>(i) : NO_SHEPHERD, 0) == QTHREAD_SUCCESS && right;
	}
	while (right && running.load(std::memory_order_acquire) > 0)
		qthread_yield();
	return right;
}

static void pipeline(const char *what, bool in_groups)
{
	const long count = every_scaled(100);
	std::vector<stream> between(5);
	std::vector<std::unique_ptr<kernel>> kernels;

	sum *last = new sum(between[4]);
	kernels.emplace_back(last);
	for (int i = 3; i >= 0; i--)
		kernels.emplace_back(new doubler(between[i], between[i + 1]));
	kernels.emplace_back(new source(count, between[0]));
	ok(run_all(kernels, in_groups), "%s: kernels run %s", what, in_groups ? "in groups" : "anywhere");
	ok(last->total == 16 * count * (count + 1) / 2 && last->in_order, "%s: and everything comes through in order", what);
}

static void run(const char *what)
{
	pipeline(what, false);
	pipeline(what, true);
}

int main()
{
	plan(every_runs() * CHECKS_PER_RUN);
	every_runtime(run);
	return done();
}
