#!/bin/sh
# test/omp/privileged.sh -- a program with more privileges than its user: what the environment may not decide.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A set-user-ID copy of a program that uses all of the library runs for another user, who asks for everything that
# prints, names or opens something.  Without that bit the same program with the same settings does it all.

. "${abs_top_srcdir:?}/test/tap.sh"
libraries=${abs_top_builddir:?}/.libs
[ "$(id -u)" -eq 0 ] || skip_all "only root can give a program to root"
[ -z "$SANITIZER_FLAGS" ] || skip_all "sanitizers have an environment of their own"
[ -e "$libraries/libqomp.so" ] || skip_all "no shared library in this build"
for setting in $(env | sed -n 's/^\(G\{0,1\}OMP_[A-Z_]*\)=.*/\1/p; s/^\(QT[A-Z]*_[A-Z_]*\)=.*/\1/p'); do
	unset "$setting"
done

cat >"$work/nobody.c" <<'EOF'
#define _GNU_SOURCE
#include <grp.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2 || setgroups(0, NULL) != 0 || setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0)
		return 1;
	execv(argv[1], argv + 1);
	return 1;
}
EOF
cat >"$work/program.c" <<'EOF'
#include <libxomp.h>
#include <qthread/qthread.h>
#include <stdio.h>
#include <sys/auxv.h>

static void member(void *unused)
{
	(void)unused;
}

int main(void)
{
	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	XOMP_parallel_start(member, NULL, 1, 2, "program.c", 1);
	XOMP_parallel_end("program.c", 2);
	printf("%s %d %d\n", getauxval(AT_SECURE) ? "privileged" : "plain", (int)qthread_num_workers(),
		(int)qthread_readstate(STACK_SIZE));
	return 0;
}
EOF
${CC:-cc} -o "$work/nobody" "$work/nobody.c" >"$work/log" 2>&1 &&
	${CC:-cc} -I"$top/include" -o "$work/plain" "$work/program.c" -L"$libraries" -Wl,-rpath,"$libraries" \
		-lqomp -lqthread -pthread >>"$work/log" 2>&1 || {
	report 1 "a program that uses all of the library is built"
	finish
	exit 0
}
cp "$work/plain" "$work/privileged"
chmod 4755 "$work/privileged"
chmod 755 "$work"

# look PROGRAM SETTING...: runs it for another user in a directory where anyone may write.
look() {
	program=$1
	shift
	rm -rf "$work/here"
	mkdir -m 777 "$work/here"
	(cd "$work/here" && exec env "$@" "$work/nobody" "$work/$program" >"$work/out" 2>"$work/err")
}

look plain A=
grep -q plain "$work/out" || skip_all "another user cannot read this build"
look privileged A=
case $(cat "$work/out") in
privileged*) ;;
plain*) skip_all "set-user-ID has no effect in $work" ;;
*) skip_all "another user cannot run programs of this build" ;;
esac

cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
settings='QT_INFO=2 QT_STATS=1 QT_STACK_SIZE=16384 QT_GUARD_PAGES=no QT_SCHEDULER=nonsense QT_SPIN_US=nonsense
QT_HWPAR=3 QT_STAKS=1
OMP_DISPLAY_ENV=verbose OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT=%n OMP_STACKSIZE=nonsense GOMP_STACKSIZE=64
OMP_SCHEDULE=nonsense OMP_PLACES={'$cpu'},{1000} OMP_NUM_THREADS=3 XOMP_REGION_INSTR=1 HWLOC_COMPONENTS_VERBOSE=1'
# shellcheck disable=SC2086
words() {
	set -f
	look "$1" $settings
	status=$?
	set +f
	return $status
}

plan 7
words plain
report $? "with its user's privileges the program does what it is asked"
missing=
for said in 'QT_INFO = 2' 'QT_STATS' 'DISPLAY ENVIRONMENT' 'QT_SPIN_US=nonsense' 'OMP_SCHEDULE=nonsense' 'no such scheduler' \
	'QT_STAKS' 'no CPU that'; do
	grep -q "$said" "$work/err" || missing="$missing '$said'"
done
{ echo "not said:$missing"; cat "$work/err"; } >"$work/log"
[ -z "$missing" ] && [ -e "$(echo "$work/here/"xomp-regions.*)" ]
report $? "it prints, complains and writes its file"

words privileged
report $? "with more privileges it does its work as well"
cp "$work/err" "$work/log"
report_empty "nothing is printed"
ls "$work/here" >"$work/log"
report_empty "nothing is written"
cp "$work/out" "$work/log"
[ "$(cut -d ' ' -f 2 "$work/out")" -eq 3 ]
report $? "the number of workers counts: it can only make the program slower"
look plain QT_HWPAR=3
cp "$work/out" "$work/want"
look privileged QT_HWPAR=3 QT_STACK_SIZE=16384
cat "$work/want" "$work/out" >"$work/log"
[ "$(cut -d ' ' -f 3 "$work/out")" = "$(cut -d ' ' -f 3 "$work/want")" ]
report $? "stacks have their usual size"
