/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* oneTBB. */
#include "common/bench.h"

#include <atomic>
#include <memory>
#include <thread>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

namespace
{

namespace tbb = oneapi::tbb;

unsigned threads;
std::unique_ptr<tbb::global_control> limit;
std::unique_ptr<tbb::task_arena> arena;

/* Nobody goes on before all are there: the library makes threads when it finds work for them. */
void meet()
{
	std::atomic<unsigned> arrived{ 0 };
	tbb::task_group group;

	for (unsigned i = 0; i < threads; i++)
		group.run([&arrived] {
			arrived.fetch_add(1);
			while (arrived.load() < threads)
				std::this_thread::yield();
		});
	group.wait();
}

void start(const struct bench_setup *setup)
{
	threads = setup->workers ? static_cast<unsigned>(setup->workers)
				 : static_cast<unsigned>(tbb::info::default_concurrency());
	limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, threads);
	arena = std::make_unique<tbb::task_arena>(static_cast<int>(threads));
	arena->execute(meet);
}

void stop()
{
	arena.reset();
	limit.reset();
}

void run(void (*body)())
{
	arena->execute(body);
}

unsigned workers()
{
	return threads;
}

const char *library()
{
	return bench_origin("TBB_runtime_interface_version");
}

struct bench_runtime describe()
{
	struct bench_runtime r {
	};

	r.name = "tbb";
	r.start = start;
	r.stop = stop;
	r.run = run;
	r.workers = workers;
	r.library = library;
	return r;
}

} // namespace

const struct bench_runtime bench_runtime = describe();
