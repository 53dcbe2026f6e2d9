#!/bin/sh
# test/omp/wheels.sh -- Python packages that bring a libgomp of their own each give the same results on ours, alone and all
# in one process, with one pool of threads.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Those that QTI_OMP_PYTHON (default python3) has are run, the others skipped:
#   pip install numpy scipy scikit-learn lightgbm xgboost faiss-cpu numba torch mkl threadpoolctl
#
# From the environment:
#   QTI_OMP_ROUNDS      no tests but times: medians of so many runs of each, on its own runtime and ours in turn
#   QTI_OMP_TIMEOUT     seconds until a run counts as hung (default 100)

. "${abs_top_srcdir:?}/test/tap.sh"
qtrun=${abs_top_builddir:?}/src/tools/qtrun
QTRUN_LIBRARY=$(readlink -f "${QTI_OMP_LIBRARY:-$abs_top_builddir/gomp/.libs/libgomp.so.1}")
export QTRUN_LIBRARY
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$QTRUN_LIBRARY" ] || skip_all "no shared library in this build"
python=$(command -v "${QTI_OMP_PYTHON:-python3}") || skip_all "no Python"
for setting in $(env | sed -n 's/^\(G\{0,1\}OMP_[A-Z_]*\)=.*/\1/p; s/^\(KMP_[A-Z_]*\)=.*/\1/p; s/^\(QT_[A-Z_]*\)=.*/\1/p'); do
	unset "$setting"
done
unset LD_PRELOAD
HOME=$work
export HOME

# Three threads, so that a second pool is seen among the process's; OpenBLAS has one of its own.
threads=3
[ -z "${QTI_OMP_ROUNDS-}" ] || threads=$(nproc)
OMP_NUM_THREADS=$threads OPENBLAS_NUM_THREADS=1
export OMP_NUM_THREADS OPENBLAS_NUM_THREADS

# wheels.py NAME...: a line "NAME RESULT" for each, and the number of the process's threads; with times, the seconds of
# the second run.
cat >"$work/wheels.py" <<'END'
import functools, glob, hashlib, os, sys, time


def digest(array):
    import numpy
    return hashlib.sha256(numpy.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def points(rows, columns):
    import numpy
    x = numpy.random.default_rng(1).standard_normal((rows, columns)).astype("float32")
    return x, (x[:, 0] + x[:, 1] * x[:, 2] > 0).astype("int32")


def sklearn():
    from sklearn.cluster import KMeans
    from sklearn.ensemble import HistGradientBoostingClassifier
    x, y = points(20000, 20)
    trees = HistGradientBoostingClassifier(max_iter=20, early_stopping=False, random_state=1).fit(x, y)
    clusters = KMeans(8, n_init=1, random_state=1, algorithm="lloyd").fit(x)
    return digest(trees.predict(x)), round(float(clusters.inertia_) / 100)


def lightgbm():
    import lightgbm
    x, y = points(20000, 20)
    how = {"objective": "binary", "verbose": -1, "deterministic": True, "force_row_wise": True, "seed": 1}
    return digest(lightgbm.train(how, lightgbm.Dataset(x, y), 30).predict(x).round(6))


def xgboost():
    import xgboost
    x, y = points(20000, 20)
    how = {"objective": "binary:logistic", "tree_method": "hist", "max_depth": 6, "seed": 1, "verbosity": 0}
    return digest(xgboost.train(how, xgboost.DMatrix(x, y), 20).predict(xgboost.DMatrix(x)).round(3))


def faiss():
    import faiss
    x, _ = points(20000, 32)
    index = faiss.IndexFlatL2(32)
    index.add(x)
    return digest(index.search(x[:1000], 10)[1])


# Compiled once: that takes most of the time, and no threads.
@functools.lru_cache
def numba_steps():
    import numba, numpy
    numba.config.THREADING_LAYER = "omp"

    @numba.njit(parallel=True)
    def steps(a):
        s = numpy.zeros(a.size)
        for i in numba.prange(a.size):
            x = a[i]
            for _ in range(50):
                x = x * 0.5 + 1.0 / (1.0 + x * x)
            s[i] = x
        return s
    return steps


def numba():
    import numba, numpy
    return digest(numba_steps()(numpy.linspace(0, 10, 200000))), numba.threading_layer()


def torch():
    import torch
    torch.manual_seed(1)
    with torch.no_grad():
        picture, square = torch.randn(2, 8, 64, 64), torch.randn(300, 300)
        for _ in range(3):
            picture = torch.nn.functional.conv2d(picture, torch.randn(8, 8, 3, 3)).relu() / 8
        return digest(picture), digest(square @ square), digest(torch.randn(100000).exp().sort()[0])


def mkl():
    import ctypes, numpy
    library = ctypes.CDLL(glob.glob(sys.prefix + "/lib/libmkl_rt.so.*")[0], mode=ctypes.RTLD_GLOBAL)
    n = 400
    a = (numpy.arange(n * n) * 7919 % 1013 / 1013).reshape(n, n)
    c = numpy.zeros((n, n))
    word = lambda array: array.ctypes.data_as(ctypes.c_void_p)
    library.cblas_dgemm(101, 111, 111, n, n, n, ctypes.c_double(1), word(a), n, word(a), n, ctypes.c_double(0), word(c), n)
    return round(float(c.sum()), 3)


def here(name):
    try:
        __import__(name)
        return True
    except ImportError:
        return name == "mkl" and bool(glob.glob(sys.prefix + "/lib/libmkl_rt.so.*"))


if sys.argv[1] == "--here":
    print(*filter(here, sys.argv[2:]))
    sys.exit()
again = sys.argv[1] == "--time"
for name in sys.argv[2 if again else 1:]:
    result = globals()[name]()
    begin = time.perf_counter()
    if again:
        globals()[name]()
    print(name, *([f"{time.perf_counter() - begin:.4f}"] if again else result if isinstance(result, tuple) else [result]), flush=True)
if not again:
    print("threads", len(os.listdir("/proc/self/task")))
END

names=$("$python" "$work/wheels.py" --here sklearn lightgbm xgboost faiss numba torch mkl 2>/dev/null)
[ -n "$names" ] || skip_all "$python has none of the packages"

run() {         # LAUNCHER ARGUMENT...
	launcher=$1
	shift
	timeout -k 5 "${QTI_OMP_TIMEOUT:-100}" $launcher "$python" "$work/wheels.py" "$@" 2>"$work/stderr"
}

ours="$qtrun --force"

if [ -n "${QTI_OMP_ROUNDS-}" ]; then
	for name in $names; do
		for i in $(seq "$QTI_OMP_ROUNDS"); do
			echo "own $(run '' --time "$name")"
			echo "ours $(run "$ours" --time "$name")"
		done
	done | awk '{ print > "/dev/stderr"; k = $2; n[$1, k]++; v[$1, k, n[$1, k]] = $3; seen[k] = 1 }
		function median(who, k,   i, j, t, c) {
			c = n[who, k]
			for (i = 1; i <= c; i++) for (j = i + 1; j <= c; j++) if (v[who, k, j] < v[who, k, i]) {
				t = v[who, k, i]; v[who, k, i] = v[who, k, j]; v[who, k, j] = t }
			return v[who, k, int((c + 1) / 2)]
		}
		END { for (k in seen) { a = median("own", k); b = median("ours", k)
			printf "%-10s own %8.4f s, libqomp %8.4f s, %.2f\n", k, a, b, (a > 0 ? b / a : 0) } }' 2>"$work/runs"
	exit
fi

for name in $names; do
	if ! run '' "$name" >"$work/own"; then
		skip "$name" "it does not run on its own runtime"
		continue
	fi
	run "$ours" "$name" >"$work/log"
	status=$?
	[ $status -eq 0 ] && [ "$(sed '$d' "$work/own")" = "$(sed '$d' "$work/log")" ]
	report $? "$name: the same result as on its own runtime"
	[ "$(tail -n 1 "$work/log")" = "threads $threads" ]
	report $? "$name: one pool of threads"
	sed '$d' "$work/own" >>"$work/all"
done
run "$ours" $(cut -d ' ' -f 1 "$work/all") >"$work/log"
[ "$(sed '$d' "$work/log")" = "$(cat "$work/all")" ]
report $? "all in one process: the same results"
[ "$(tail -n 1 "$work/log")" = "threads $threads" ]
report $? "and one pool of threads"
finish
