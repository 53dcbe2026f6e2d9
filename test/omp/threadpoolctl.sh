#!/bin/sh
# test/omp/threadpoolctl.sh -- threadpoolctl, by which packages of Python keep their threads in check, knows the library by each
# of the names that programs ask for, and its limits hold.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Where QTI_OMP_PYTHON (default python3) has it: pip install threadpoolctl

. "${abs_top_srcdir:?}/test/tap.sh"
library=${abs_top_builddir:?}/gomp/.libs/libgomp.so.1
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$library" ] || skip_all "no shared library in this build"
python=$(command -v "${QTI_OMP_PYTHON:-python3}") || skip_all "no Python"
"$python" -c 'import threadpoolctl' 2>/dev/null || skip_all "no threadpoolctl"

cat >"$work/limits.py" <<'EOF'
import ctypes, sys, threadpoolctl
library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
known = [pool for pool in threadpoolctl.threadpool_info() if pool['user_api'] == 'openmp']
assert len(known) == 1 and known[0]['num_threads'] == 3, known
with threadpoolctl.threadpool_limits(limits=2, user_api='openmp'):
    assert library.omp_get_max_threads() == 2
assert library.omp_get_max_threads() == 3
EOF
plan 3
for name in libgomp.so.1 libomp.so.5 libiomp5.so; do
	ln -s "$(readlink -f "$library")" "$work/$name"
	OMP_NUM_THREADS=3 "$python" "$work/limits.py" "$work/$name" >"$work/log" 2>&1
	report $? "$name: one pool of 3 threads, limited to 2 and let go again"
done
