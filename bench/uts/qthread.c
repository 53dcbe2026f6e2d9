/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "uts/tasks.h"
#include "uts/uts.h"

static unsigned words;

static void parallel(void)
{
	uts_walked = uts_walk_tasks(&uts_tree, (enum uts_words)words, uts_manual_depth(), &uts_count);
}

static const struct bench_option options[] = {
	{ "words", "what a task returns through", BENCH_CHOICE, &words, 0, 0, uts_words_names },
	{ .name = NULL },
};

const struct bench_version bench_version = { .options = options, .parallel = parallel };
