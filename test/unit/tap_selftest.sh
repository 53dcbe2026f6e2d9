#!/bin/sh
# test/unit/tap_selftest.sh -- a test that fails says so: in its lines, in its log and in its exit status.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
here=$top/test

# program BODY: compiles and runs a main() of these statements; $status and $work/log are what came.
program() {
	printf '#include "tap.h"\n#include <stddef.h>\nint main(void)\n{\n%s\n}\n' "$1" >"$work/t.c"
	if ! ${CC:-cc} -pthread -I"$here" -o "$work/t" "$work/t.c" "$here/tap.c" >"$work/log" 2>&1; then
		echo "Bail out! cannot compile a test"
		sed 's/^/# /' "$work/log"
		exit 1
	fi
	"$work/t" >"$work/log" 2>&1
	status=$?
}

# says LINE...: the output is exactly these lines
says() {
	printf '%s\n' "$@" | cmp -s - "$work/log"
}

plan 17

program 'plan(1); ok(1, "a"); return done();'
says '1..1' 'ok 1 - a'
report $? "a check that holds is one line"
report $status "and status 0"

program 'plan(2);
#line 7 "x.c"
	bool r = ok(0, "a %d", 5); return ok(!r, "returned") ? done() : 42;'
says '1..2' 'not ok 1 - a 5' '# failed at x.c:7' 'ok 2 - returned' '# 1 of 2 checks failed'
report $? "a check that fails names its place and is false"
[ $status -eq 1 ]
report $? "and makes the status 1"

program 'plan(2); ok(1, "a"); return done();'
[ $status -eq 1 ] && grep -q '^# planned 2 checks, ran 1$' "$work/log"
report $? "too few checks fail"

program 'plan(0); ok(1, "a"); return done();'
[ $status -eq 1 ]
report $? "too many checks fail"

program 'ok(1, "a"); return done();'
[ $status -eq 1 ]
report $? "checks without a plan fail"

program 'plan(1);
#line 7 "x.c"
	is_int(-1, 2, "n"); return done();'
says '1..1' 'not ok 1 - n' '# failed at x.c:7' '#      got: -1 (0xffffffffffffffff)' '# expected: 2 (0x2)' \
	'# 1 of 1 checks failed'
report $? "is_int shows both numbers"

program 'plan(1);
#line 7 "x.c"
	is_str("a", NULL, "s"); return done();'
says '1..1' 'not ok 1 - s' '# failed at x.c:7' "#      got: 'a'" '# expected: NULL' '# 1 of 1 checks failed'
report $? "is_str shows both strings, NULL too"

program 'plan(2); skip(2, "no %s", "cat"); return done();'
says '1..2' 'ok 1 - # SKIP no cat' 'ok 2 - # SKIP no cat'
report $? "skip counts and says why"
report $status "and is no failure"

program 'plan_skip_all("no %s", "dog");'
says '1..0 # SKIP no dog' && [ $status -eq 0 ]
report $? "plan_skip_all ends the program"

program 'plan(2); bail_out("no %s", "hope");'
says '1..2' 'Bail out! no hope' && [ $status -ne 0 ]
report $? "bail_out ends the program"

program 'plan(1); ok(1, "a # TODO b\nc"); return done();'
says '1..1' 'ok 1 - a \# TODO b c'
report $? "a name is no directive and one line"

cat >"$work/hang" <<'END'
#!/bin/sh
echo 1..1
while :; do :; done
END
chmod +x "$work/hang"
QTI_TEST_TIMEOUT=1 QTI_TEST_TOOL= QTI_EMULATED= SHELL=/bin/sh sh "$here/run-test" "$work/hang" >"$work/log" 2>&1
status=$?
[ $status -ne 0 ] && grep -q '^Bail out! hung: killed after 1 s$' "$work/log"
report $? "a test that hangs is killed and reported"

printf '#!/bin/sh\necho "$QT_HWPAR $QTHREAD_INFO $OMP_PLACES $GOMP_DEBUG $KMP_SETTINGS $HWLOC_XMLFILE $QTI_TEST_OTHER"\n' >"$work/told"
chmod +x "$work/told"
QT_HWPAR=7 QTHREAD_INFO=2 OMP_PLACES='{0}' GOMP_DEBUG=1 KMP_SETTINGS=1 HWLOC_XMLFILE=a.xml QTI_TEST_OTHER=kept QTI_TEST_TOOL= \
	QTI_EMULATED= sh "$here/run-test" "$work/told" >"$work/log" 2>&1
says '      kept'
report $? "the user's settings of the library do not reach a test, those of tests do"

mkdir "$work/results"
printf ':test-result: PASS a\n:test-result: ERROR - b\n' >"$work/results/a.trs"
printf ':test-result: SKIP a\n:test-result: PASS a\n:recheck: no\n' >"$work/results/b.trs"
sh "$here/count-results" "$work/results" >"$work/log"
status=$?
says '2 passed, 1 failed, 1 skipped' && [ $status -eq 1 ]
report $? "results are summed up, errors as failures"
