# bench/harness/__init__.py -- what bench/run and bench/omp/run are made of.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
