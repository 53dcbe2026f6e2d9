# bench/harness/__init__.py -- what bench/run, bench/omp/run and bench/share/run are made of.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
