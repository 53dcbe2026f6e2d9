#!/bin/sh
# test/tools/ci.sh -- .ci/stages: what .ci/run and .ci/nightly say of their stages, above all of those that they left out.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Stages and the system are made up.

. "${abs_top_srcdir:?}/test/tap.sh"
[ -e "$top/.ci/stages" ] || skip_all "a release has no .ci"
command -v bash >/dev/null || skip_all "no bash"
tree=$work/tree
mkdir -p "$tree/.ci" "$tree/test" "$tree/build/sanitize-thread"
cp "$top/.ci/stages" "$tree/.ci/"
cp "$top/test/count-results" "$tree/test/"
cat >"$tree/bootstrap" <<'END'
#!/bin/sh
[ -z "$PACKAGES" ] || for name in $PACKAGES; do
	echo "bootstrap: cannot be had, and done without: $name" >&2
done
exit ${PACKAGES_STATUS-0}
END
cat >"$tree/.ci/run" <<'END'
#!/bin/bash
set -u
total=${TOTAL-100}
. "$(dirname "${BASH_SOURCE[0]}")/stages"
lacks_two() { program no-such-program; }
packages ci
stage one 100 - bash -c 'test -z "${BUSY-}" || (ulimit -t $BUSY; while :; do :; done) || true'
stage two 10 - true
stage three 10 build bash -c 'echo ":test-result: PASS" >build/a.trs; echo ":test-result: SKIP" >>build/a.trs'
[ -z "${BAD-}" ] || stage four 10 - bash -c 'echo "x.c:1: error: no"; exit 3'
[ -z "${SLOW-}" ] || stage five 1 - sleep 100
[ -z "${OPEN-}" ] || stage six 10 - bash -c ': 3<&0 && : 3>&1 && : 3>&2'
finish
END
chmod +x "$tree/bootstrap" "$tree/test/count-results"
echo ':test-result: FAIL' >"$tree/build/old.trs"
echo ':test-result: FAIL' >"$tree/build/sanitize-thread/other.trs"

# run VARIABLE=VALUE... [-- ARGUMENT...]: what it says is left in log, its status in $status.
run() {
	settings=
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		settings="$settings $1"
		shift
	done
	[ $# -eq 0 ] || shift
	# shellcheck disable=SC2086
	env $settings bash "$tree/.ci/run" "$@" >"$work/log" 2>&1
	status=$?
}

ends_with() {   # LINE...
	printf '%s\n' "$@" >"$work/wanted"
	tail -n $# "$work/log" | cmp -s - "$work/wanted"
}

run
[ $status -eq 0 ] && ends_with 'skipped: stage two: no-such-program is not installed' '3 passed, 0 failed, 2 skipped'
report $? "a stage that lacks something is named in the last lines"
grep -q '^stage three: 1 passed, 0 failed, 1 skipped, [0-9]* s, [0-9]* s of CPU$' "$work/log" &&
	[ -e "$tree/build/sanitize-thread/other.trs" ]
report $? "results of earlier runs and of other builds are not a stage's"
run BUSY=3 -- one
seconds=$(sed -n 's/^stage one: .* s, \([0-9]*\) s of CPU$/\1/p' "$work/log")
[ "${seconds:-0}" -gt 0 ]
report $? "a stage says how long CPUs were busy with it"
run PACKAGES=clang
[ $status -eq 0 ] && ends_with 'skipped: stage deps: not installed: clang' \
	'skipped: stage two: no-such-program is not installed' '2 passed, 0 failed, 3 skipped'
report $? "so are packages that cannot be had"
run PACKAGES_STATUS=1
[ $status -eq 0 ] && grep -q '^skipped: stage deps: ./bootstrap deps ci ended with 1' "$work/log"
report $? "and an installation that fails"
run BAD=yes
[ $status -eq 1 ] && ends_with 'skipped: stage two: no-such-program is not installed' '3 passed, 1 failed, 2 skipped' &&
	grep -q '^    x.c:1: error: no' "$work/log"
report $? "a stage that fails is a failure, and says why"
run SLOW=yes
[ $status -eq 1 ] && grep -q '^stage five: stopped after its 1 s' "$work/log"
report $? "so is one that has no end"
run TOTAL=1
[ $status -eq 0 ] && grep -q '^skipped: stage one: no time left' "$work/log"
report $? "a stage that no time is left for is named"
run -- two three
[ $status -eq 0 ] && ends_with 'skipped: stage two: no-such-program is not installed' '1 passed, 0 failed, 2 skipped'
report $? "stages that are named are run, and no others"
run -- three none
[ $status -eq 2 ] && grep -q "no stage none$" "$work/log"
report $? "a stage that is none is refused"
run -- --list
[ $status -eq 0 ] && [ "$(grep -c . "$work/log")" -eq 4 ] && grep -q '^two 10 true$' "$work/log"
report $? "--list prints them all"
(OPEN=yes exec bash "$tree/.ci/run" six <&- >&- 2>&-)
report $? "without standard input and output a stage finds them open"
finish
