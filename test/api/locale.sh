#!/bin/sh
# test/api/locale.sh -- settings are read, and numbers printed, the same in every locale.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The locale is made here: its point is a comma, and a small i has no capital, as in Turkish.

. "${abs_top_srcdir:?}/test/tap.sh"
libraries=${abs_top_builddir:?}/.libs
unset_settings

# The functions that go by the locale, and the environment: one file has each.  The tools never leave the C locale.
sources() {     # DIRECTORY FILE: all but that file, which may
	find "$1" -name '*.[ch]' ! -path "$1/tools/*" ! -path "$1/base/$2"
}

by_locale() {
	sources "$1" ascii.h | xargs grep -nE 'ctype\.h|strings\.h|\b(strtod|strtof|atof)\(|"[^"]*%[-+ #0-9.*]*[aefgAEFG]([^a-z]|$)' |
		grep -vE '^[^:]*:[0-9]+:( \*|/\*)|affinity %A"'
}

environment() {
	sources "$1" environ.c | xargs grep -nE '\b(getenv|secure_getenv)\(|\b_*environ\b' | grep -vE '^[^:]*:[0-9]+:( \*|/\*)|environ\.h'
}

finds() {       # CHECK LINE: the check finds a line that is wrong
	mkdir -p "$work/bad"
	printf '%s\n' "$2" >"$work/bad/bad.c"
	"$1" "$work/bad" >"$work/log"
	[ -s "$work/log" ]
	report $? "a line that is wrong would be found: $2"
}

by_locale "$top/src" >"$work/log"
report_empty "base/ascii.h is the only place where a function could go by the locale"
environment "$top/src" >"$work/log"
report_empty "base/environ.c is the only place that reads the environment"
finds by_locale '#include <ctype.h>'
finds by_locale '	printf("%.2f s", seconds);'
finds by_locale '	value = strtod(text, &end);'
finds environment '	const char *value = getenv("QT_HWPAR");'
finds environment '	for (char **e = environ; *e; e++)'

program="numbers in another locale"
cat >"$work/native.c" <<'EOP'
#include <locale.h>
#include <qthread/qthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static aligned_t work(void *arg)
{
	(void)arg;
	return 1;
}

/* 77: the locale is not what it should be. */
int main(int argc, char **argv)
{
	char number[8];
	aligned_t done;

	setlocale(LC_ALL, "");
	snprintf(number, sizeof(number), "%.1f", 0.5);
	if (argc > 1 && (strcmp(number, "0,5") != 0 || strcasecmp("I", "i") == 0))
		return 77;
	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	for (int i = 0; i < 20000; i++) {
		qthread_fork(work, argv, &done);
		qthread_readFF(NULL, &done);
	}
	qthread_finalize();
	return 0;
}
EOP
cat >"$work/omp.c" <<'EOP'
#include <locale.h>

void kmp_set_defaults(const char *text);
void omp_get_schedule(int *kind, int *chunk);

int main(void)
{
	int kind = 0, chunk = 0;

	setlocale(LC_ALL, "");
	kmp_set_defaults("OMP_SCHEDULE=STATIC,3");
	omp_get_schedule(&kind, &chunk);
	return (kind & 0xff) != 1 || chunk != 3;
}
EOP
letters='a b c d e f g h j k l m n o p q r s t u v w x y z'
code() {        # CHARACTER...: as a locale's source has them
	for c in "$@"; do
		printf '<U%04X>\n' "'$c"
	done
}
listed() {
	tr '\n' ';' | sed 's/;$//'
}
small=$(code $letters i | listed)
capital=$(code $(echo $letters i | tr a-z A-Z) | listed)
pairs=$(for c in $letters; do echo "($(code $c),$(code $(echo $c | tr a-z A-Z)))"; done)
{
	printf 'comment_char %%\nescape_char /\nLC_CTYPE\nupper %s\nlower %s\n' "$capital" "$small"
	echo 'digit <U0030>..<U0039>'
	echo 'space <U0020>;<U0009>..<U000D>'
	printf 'toupper %s\n' "$(echo "$pairs" | listed)"
	printf 'tolower %s\n' "$(echo "$pairs" | sed 's/(\(.*\),\(.*\))/(\2,\1)/' | listed)"
	printf 'END LC_CTYPE\nLC_NUMERIC\ndecimal_point "<U002C>"\nthousands_sep ""\ngrouping -1\nEND LC_NUMERIC\n'
} >"$work/comma.source"
cd "$work" || exit 1
localedef -c -i comma.source -f ANSI_X3.4-1968 ./comma >log 2>&1
build() {
	${CC:-cc} -O1 $SANITIZER_FLAGS -o native native.c -I"$top/include" -I"$abs_top_builddir/include" -L"$libraries" -lqthread \
		-Wl,-rpath,"$libraries" >>log 2>&1 &&
		${CC:-cc} -O1 $SANITIZER_FLAGS -o omp omp.c -L"$libraries" -lqomp -lqthread -Wl,-rpath,"$libraries" >>log 2>&1
}
comma() {
	env LC_ALL= LC_NUMERIC=comma LC_CTYPE=comma LOCPATH="$work" "$@"
}
if ! build; then
	skip "$program" "no shared library, or programs with it cannot be made"
	finish
	exit 0
fi
comma ./native comma >log 2>&1
if [ $? -eq 77 ]; then
	skip "$program" "localedef cannot make a locale here"
	finish
	exit 0
fi

QT_STATS=yes comma ./native comma >log 2>&1
grep -qE '^total .* [0-9]+\.[0-9]{2}$' log && ! sed 1d log | grep -q ,
report $? "QT_STATS prints numbers with a point"

QT_TRACE="$work/trace" QT_TRACE_SIZE=192K QT_HWPAR=1 comma ./native comma >log 2>&1
grep -qE 'the first after [0-9]+\.[0-9]{3} s;' log
report $? "so does the line about a trace that is full"

settings='QT_P_LOCAL=2.5E-1 QT_INLINE_JOIN=False QT_DUMP_SIGNAL=quit QT_SHEPHERD_BOUNDARY=CHIP QT_VICTIM=RANDOM QT_INFO=2 QT_HWPAR=2'
env $settings ./native >plain 2>&1
comma env $settings ./native comma >other 2>&1
diff plain other >log && grep -q 'P_LOCAL = 0\.25' plain && ! grep -q allowed plain
report $? "settings mean the same, in capitals and small letters, and are shown the same"

# Bytes that only another locale can print.
QT_HWPAR="$(printf 'x\344')" comma ./native comma 2>&1 | grep -q 'QT_HWPAR=x?:'
report $? "a wrong value is shown the same"

comma ./omp >log 2>&1
report $? "so are OpenMP's settings"
finish
