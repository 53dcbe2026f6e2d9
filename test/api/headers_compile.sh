#!/bin/sh
# test/api/headers_compile.sh -- the public headers compile alone, together and in any order, as C and as C++ of every
# standard, without a warning, and leave programs their own names.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# From the environment: QTI_SEED, for the random orders (default 1).

. "${abs_top_srcdir:?}/test/tap.sh"
headers=$(sed -e '/^#/d' -e 's/.*+= *//' "$top/include/headers.am" | tr ' \\' '\n\n' | sed -n 's|^	*include/\(.*\)|\1|p')
fortran_headers=libxompf.h
headers_of_c=$(printf '%s\n' "$headers" | grep -v "^$fortran_headers\$")
c_headers=$(printf '%s\n' "$headers_of_c" | grep '\.h$')
flags="-Wall -Wextra -Wshadow -pedantic-errors -Werror -I$top/include -I$top/test"
seed=${QTI_SEED:-1}

(cd "$top/include" && find . -name '*.h' -o -name '*.hpp') | sed 's|^\./||' | sort >"$work/there"
printf '%s\n' "$headers" | sort | comm -3 - "$work/there" >"$work/log"
report_empty "headers.am lists every header once"

include() {     # NAME...: a translation unit of them
	printf '#include <%s>\n' "$@"
	echo 'extern int nothing;'
}

wrap() {        # what C++ programs do that wrap C headers of their own accord
	printf '#ifdef __cplusplus\nextern "C" {\n#endif\n'
	sed '/nothing/d'
	printf '#ifdef __cplusplus\n}\n#endif\nextern int nothing;\n'
}

shuffle() {     # SEED NAME...
	printf '%s\n' "$@" | awk -v n=0 '
		NR == 1 { srand($0); next }
		{ name[++n] = $0 }
		END { for (; n > 0; n--) { i = 1 + int(rand() * n); print name[i]; name[i] = name[n] } }'
}

# One file per header, twice to see that it can be included again.
alone() {       # DIRECTORY NAME...
	directory=$1
	shift
	mkdir "$directory"
	for h; do
		include "$h" "$h" >"$directory/$(echo "$h" | tr ./ --).c"
	done
}
alone "$work/c-alone" $c_headers
alone "$work/c++-alone" $headers_of_c

# All of them forward and backward, in which each stands before and after every other; and in another order.
together() {    # DIRECTORY NAME...
	directory=$1
	shift
	mkdir -p "$directory"
	include "$@" >"$directory/forward.c"
	include $(printf '%s\n' "$@" | sed '1!G;h;$!d') >"$directory/backward.c"
	include "$@" | wrap >"$directory/wrapped.c"
	include $(shuffle $seed "$@") >"$directory/shuffled.c"
	seed=$((seed + 1))
	cat >>"$directory/forward.c" <<'END'
/* Names that programs which use the API define for themselves. */
typedef aligned_t qthread_t;
typedef struct { int x; } qthread_cond_t, qthread_cond_waiter_t;
int qthread_cond_init(qthread_cond_t *);
int qthread_cond_wait(qthread_cond_t *, int);
int qthread_cond_signal(qthread_cond_t *, long);
int qthread_cond_broadcast(qthread_cond_t *, char);
int qthread_cond_destroy(qthread_cond_t *, short);
END
	cp "$top/test/api/macros.c" "$directory/macros.c"
}

accepts() {     # COMPILER LANGUAGE STANDARD
	"$1" -x "$2" -std="$3" -fsyntax-only /dev/null 2>/dev/null
}

compilers="${CC:-gcc} gcc clang"
tried=
[ -z "${QTI_TEST_BRIEF:-}" ] || compilers=${CC:-gcc}
for language in c c++; do
	case $language in
	c) standards="c11 c17 c2x" names=$c_headers ;;
	c++) standards="c++11 c++17 c++20 c++2b" names=$headers_of_c ;;
	esac
	[ -z "${QTI_TEST_BRIEF:-}" ] || standards=${standards%% *}
	# Sanitizer builds and the like pass a CC with words in it; the first one is the compiler.
	for cc in $compilers; do
		case " $tried " in *" $language:$cc "*) continue ;; esac
		tried="$tried $language:$cc"
		command -v "$cc" >/dev/null || continue
		by_itself=$work/$language-alone
		for standard in $standards; do
			accepts "$cc" $language $standard || continue
			if [ "$by_itself" ]; then
				"$cc" -x $language -std=$standard $flags -fsyntax-only "$by_itself"/*.c >"$work/log" 2>&1
				report $? "$cc -std=$standard takes each header alone, twice"
				by_itself=
			fi
			together "$work/$language" $names
			"$cc" -x $language -std=$standard $flags -fsyntax-only "$work/$language"/*.c >"$work/log" 2>&1
			report $? "$cc -std=$standard takes all headers forward, backward and shuffled by $((seed - 1))"
		done
	done
done

# A program in the dialect of Qthreads 1.10 is told which header takes it, and that one does.
for cc in $compilers; do
	command -v "$cc" >/dev/null || continue
	printf '#include <libxomp.h>\nvoid f(void *p) { XOMP_parallel_start(0, p, 1, 0, "f"); XOMP_parallel_end(); }\n' \
		>"$work/older.c"
	"$cc" $flags -fsyntax-only "$work/older.c" >"$work/log" 2>&1
	grep -q 'error: .*qthread/xomp110/libxomp.h' "$work/log" &&
		"$cc" -I"$top/include/qthread/xomp110" $flags -fsyntax-only "$work/older.c" >"$work/log" 2>&1
	report $? "$cc: libxomp.h says that qthread/xomp110 accepts an older dialect"
done

# Fortran's, in a file of either form.
name="gfortran takes $fortran_headers in fixed and in free form"
if command -v "${OMPFC-gfortran}" >/dev/null; then
	printf "      subroutine s\n      implicit none\n      include '%s'\n      end\n" $fortran_headers |
		tee "$work/form.f" >"$work/form.f90"
	"${OMPFC-gfortran}" -Wall -Wno-unused-variable -Werror -I"$top/include" -fsyntax-only "$work/form.f" "$work/form.f90" \
		>"$work/log" 2>&1
	report $? "$name"
else
	skip "$name" "no gfortran"
fi

# The inline functions of C++ give the right values, too, and a word that is not one is refused.
ran=false
for cc in $compilers; do
	accepts "$cc" c++ c++17 || continue
	"$cc" $flags -Wno-error -c "$top/test/tap.c" -o "$work/tap.o" >"$work/log" 2>&1 &&
		"$cc" -x c++ -std=c++17 $flags -c "$work/c/macros.c" -o "$work/macros.o" >>"$work/log" 2>&1 &&
		"$cc" "$work/macros.o" "$work/tap.o" -pthread -o "$work/macros" >>"$work/log" 2>&1 &&
		"$work/macros" >>"$work/log" 2>&1
	report $? "test/api/macros.c holds in C++ as well"
	for bad in 'int x; qthread_fill(&x)' 'short x; qthread_readFF(&x)' 'struct { char c[8]; } x; qthread_empty(&x)' \
		'struct s { long x; s(s const &); }; s *x = 0; qthread_feb_status(x)'; do
		printf '#include <qthread.h>\nvoid f() { %s; }\n' "$bad" |
			"$cc" -x c++ -std=c++11 $flags -fsyntax-only - >"$work/log" 2>&1
		grep -q 'error: .*a full/empty word' "$work/log"
		report $? "C++ refuses: $bad"
	done
	ran=true
	break
done
$ran || skip "test/api/macros.c holds in C++ as well" "no C++ compiler"

finish
