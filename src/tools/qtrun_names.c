/* tools/qtrun_names.c -- see tools/qtrun_names.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "tools/qtrun_names.h"

#include <stddef.h>
#include <string.h>

bool qtrun_file_is_called(const char *file, const char *stem)
{
	size_t length = strlen(stem);

	return strncmp(file, stem, length) == 0 && (file[length] == '.' || file[length] == '-') && strstr(file, ".so");
}

bool qtrun_file_is_llvm(const char *file)
{
	return qtrun_file_is_called(file, "libomp") || qtrun_file_is_called(file, "libomp5") ||
		qtrun_file_is_called(file, "libiomp5");
}

bool qtrun_path_is_runtime(const char *path)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;

	return qtrun_file_is_called(file, "libgomp") || qtrun_file_is_called(file, "libqomp") ||
		qtrun_file_is_llvm(file);
}

static bool begins(const char *text, const char *const *with, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(text, with[i], strlen(with[i])) == 0)
			return true;
	return false;
}

bool qtrun_symbol_is_openmp(const char *symbol)
{
	static const char *const with[] = { "omp_", "ompc_", "kmp_", "kmpc_" };

	return qtrun_symbol_is_work(symbol) || begins(symbol, with, sizeof(with) / sizeof(with[0]));
}

bool qtrun_symbol_is_work(const char *symbol)
{
	static const char *const with[] = { "GOMP_", "__kmpc_", "XOMP_" };

	return begins(symbol, with, sizeof(with) / sizeof(with[0]));
}
