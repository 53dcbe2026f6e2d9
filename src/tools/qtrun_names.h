/* tools/qtrun_names.h -- what OpenMP runtimes and their functions are called.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TOOLS_QTRUN_NAMES_H
#define QTI_TOOLS_QTRUN_NAMES_H

#include <stdbool.h>

/* Whether a file is called STEM.so..., or STEM-SOMETHING.so... as the copies in Python's wheels are. */
bool qtrun_file_is_called(const char *file, const char *stem);

/* LLVM's or Intel's runtime, whose file has this name. */
bool qtrun_file_is_llvm(const char *file);

/* Whether a path ends with the name of GCC's, LLVM's or Intel's runtime, or of ours. */
bool qtrun_path_is_runtime(const char *path);

/* Whether a function is one of OpenMP's; whether compilers call it for what threads are to do. */
bool qtrun_symbol_is_openmp(const char *symbol);
bool qtrun_symbol_is_work(const char *symbol);

#endif
