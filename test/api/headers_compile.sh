#!/bin/sh
# test/api/headers_compile.sh -- the public headers compile alone, together and in any order, as C and as C++ of every
# standard, without a warning; nothing public is left out of the tests of the headers.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
headers="qthread.h qthread/cacheline.h qthread/common.h qthread/macros.h qthread/qloop.h qthread/qthread.h
	qthread/qtimer.h qthread/sinc.h qthread/stats.h
	qthread/tls.h
	qthread/barrier.h qthread/feb_barrier.h
	qthread/qalloc.h
	qthread/allpairs.h qthread/qarray.h qthread/wavefront.h
	qthread/qdqueue.h qthread/qlfqueue.h qthread/qswsrqueue.h"
flags="-Wall -Wextra -Wshadow -pedantic-errors -Werror -I$top/include -I$top/test"

# One file per header, twice to see that it can be included again; all of them; all of them backwards.
forward=
backward=
n=0
for h in $headers; do
	line="#include <$h>"
	n=$((n + 1))
	printf '%s\n%s\nextern int nothing;\n' "$line" "$line" >"$work/alone$n.c"
	forward="$forward$line
"
	backward="$line
$backward"
done
printf '%sextern int nothing;\n' "$forward" >"$work/forward.c"
printf '%sextern int nothing;\n' "$backward" >"$work/backward.c"
# Many C++ programs wrap C headers of their own accord.
printf '#ifdef __cplusplus\nextern "C" {\n#endif\n%s#ifdef __cplusplus\n}\n#endif\nextern int nothing;\n' \
	"$forward" >"$work/wrapped.c"
# Names that programs which use the API define for themselves.
cat >"$work/names.c" <<'END'
#include <qthread.h>
typedef aligned_t qthread_t;
typedef struct { int x; } qthread_cond_t, qthread_cond_waiter_t;
int qthread_cond_init(qthread_cond_t *);
int qthread_cond_wait(qthread_cond_t *, int);
int qthread_cond_signal(qthread_cond_t *, long);
int qthread_cond_broadcast(qthread_cond_t *, char);
int qthread_cond_destroy(qthread_cond_t *, short);
END
cp "$top/test/api/macros.c" "$work/macros.c"

accepts() {     # COMPILER LANGUAGE STANDARD
	"$1" -x "$2" -std="$3" -fsyntax-only /dev/null 2>/dev/null
}

compilers="${CC:-gcc} gcc clang"
tried=
for language in c c++; do
	case $language in
	c) standards="c11 c17 c2x" ;;
	c++) standards="c++11 c++17 c++20 c++2b" ;;
	esac
	# Sanitizer builds and the like pass a CC with words in it; the first one is the compiler.
	for cc in $compilers; do
		case " $tried " in *" $language:$cc "*) continue ;; esac
		tried="$tried $language:$cc"
		command -v "$cc" >/dev/null || continue
		for standard in $standards; do
			accepts "$cc" $language $standard || continue
			"$cc" -x $language -std=$standard $flags -fsyntax-only "$work"/*.c >"$work/log" 2>&1
			report $? "$cc -std=$standard takes every header, alone, together and backwards"
		done
	done
done

# The inline functions of C++ give the right values, too.
ran=false
for cc in $compilers; do
	accepts "$cc" c++ c++17 || continue
	"$cc" $flags -Wno-error -c "$top/test/tap.c" -o "$work/tap.o" >"$work/log" 2>&1 &&
		"$cc" -x c++ -std=c++17 $flags -c "$work/macros.c" -o "$work/macros.o" >>"$work/log" 2>&1 &&
		"$cc" "$work/macros.o" "$work/tap.o" -pthread -o "$work/macros" >>"$work/log" 2>&1 &&
		"$work/macros" >>"$work/log" 2>&1
	report $? "test/api/macros.c holds in C++ as well"
	ran=true
	break
done
$ran || skip "test/api/macros.c holds in C++ as well" "no C++ compiler"

# Every exported function is declared in a header, with a comment before its family, and listed in prototypes.c.
sed -e 's/#.*//' -e '/^[ 	]*$/d' "$top/src/libqthread.sym" | sort -u >"$work/exported"
sed -n 's/^	CALL(\([a-z_A-Z0-9]*\),.*/\1/p' "$top/test/api/prototypes.c" | sort -u >"$work/tested"
comm -23 "$work/exported" "$work/tested" >"$work/log"
report_empty "test/api/prototypes.c lists every exported function"

cat "$top"/include/qthread/*.h | tr '\n' ' ' | tr ';{}' '\n\n\n' |
	sed -n 's/.*[ *]\(q[a-z]*_[A-Za-z0-9_]*\) *([^*].*)[ 	]*$/\1/p' | sort -u >"$work/declared"
comm -23 "$work/exported" "$work/declared" >"$work/log"
report_empty "every exported function is declared in a header"

finish
