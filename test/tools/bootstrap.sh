#!/bin/sh
# test/tools/bootstrap.sh -- ./bootstrap: which packages it installs, and that what it starts finds all three files open.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The system is made up: what the commands below are told goes into files.

. "${abs_top_srcdir:?}/test/tap.sh"
command -v bash >/dev/null || skip_all "no bash"
tree=$work/tree
mkdir -p "$tree/build-aux" "$tree/test" "$tree/some" "$work/bin"
cp "$top/bootstrap" "$tree/"
cp "$top/test/count-results" "$tree/test/"
touch "$tree/configure.ac" "$tree/Makefile.am" "$tree/some/some.am" "$tree/Makefile.in" "$tree/config.h.in"

command_is() {  # NAME SCRIPT
	{ echo '#!/bin/sh'; echo "$2"; } >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}
# What is in $work/lacking is not installed, what is in $work/unknown cannot be.
command_is dpkg-query 'for name; do :; done; case $name in
*Provides*) ;;
*) grep -qx "$name" "$WORK/lacking" || echo installed ;;
esac'
command_is apt-cache '! grep -qx "$2" "$WORK/unknown"'
command_is apt-get 'echo "apt-get $*" >>"$WORK/told"; [ "$1" = update ] || while [ $# -gt 3 ]; do
	grep -vx "$4" "$WORK/lacking" >"$WORK/rest"; mv "$WORK/rest" "$WORK/lacking"; shift
done'
command_is id 'echo "$USERID"'
command_is clang 'echo 14.0.6'
command_is autoreconf :
closed='for fd in 0 1 2; do (eval ": 9<&$fd") || echo "'"\$0"' finds $fd closed" >>"$WORK/told"; done'
command_is make "$closed
mkdir -p \"\$2/bench\"
echo ':test-result: PASS' >\"\$2/one.trs\"
printf '#!/bin/sh\necho the table\n' >\"\$2/bench/mainjob\"
chmod +x \"\$2/bench/mainjob\""
{
	echo '#!/bin/sh'
	echo "$closed"
	echo 'echo configure >>"$WORK/told"; touch Makefile config.status'
} >"$tree/configure"
chmod +x "$tree/configure"
export WORK="$work"

# system USER LACKING UNKNOWN: lists of packages
system() {
	USERID=$1
	export USERID
	printf '%s\n' $2 >"$work/lacking"
	printf '%s\n' $3 >"$work/unknown"
	: >"$work/told"
}

# bootstrap ARGUMENT...: what it says is left in log, its status in $status.
bootstrap() {
	PATH=$work/bin:$PATH bash "$tree/bootstrap" "$@" >"$work/log" 2>&1
	status=$?
}

installed() {   # PACKAGE
	grep -q "install.* $1\$\|install.* $1 " "$work/told"
}

# --- open files --------------------------------------------------------------------------------------------------------

system 0 '' ''
for command in run check; do
	for how in '</dev/null' '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
		: >"$work/told"
		rm -rf "$tree/build"
		eval "(PATH=\$work/bin:\$PATH exec bash \"\$tree/bootstrap\" $command $how)" >"$work/out" 2>"$work/err"
		status=$?
		{ cat "$work/out" "$work/err"; grep closed "$work/told"; } >"$work/log"
		[ $status -eq 0 ] && ! grep -q closed "$work/told" && grep -q configure "$work/told"
		report $? "bootstrap $command $how: what it starts finds files open"
	done
done

# --- packages ----------------------------------------------------------------------------------------------------------

more='clang gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user util-linux openmpi-bin libopenmpi-dev mpich libmpich-dev'
system 0 "make libtbb-dev $more gcc-riscv64-linux-gnu libclang-rt-14-dev" ''
bootstrap deps
[ $status -eq 0 ] && installed make && installed libtbb-dev && ! installed clang && ! installed mpich
report $? "deps installs what the build and benchmarks need"
: >"$work/told"
bootstrap deps ci
missing=
for name in $more; do
	installed "$name" || missing="$missing $name"
done
echo "not installed:$missing" >>"$work/log"
[ $status -eq 0 ] && [ -z "$missing" ] && ! installed gcc-riscv64-linux-gnu
report $? "deps ci installs what the stages of .ci/run need"
: >"$work/told"
bootstrap deps nightly
[ $status -eq 0 ] && installed gcc-riscv64-linux-gnu && installed libclang-rt-14-dev && ! installed clang
report $? "deps nightly the rest"
: >"$work/told"
bootstrap deps nightly
[ $status -eq 0 ] && [ ! -s "$work/told" ]
report $? "what is there is not asked for"

system 1000 "clang mpich" ''
bootstrap deps ci
[ $status -eq 0 ] && grep -q 'not installed, and done without: clang' "$work/log" && grep -q 'without: mpich' "$work/log" &&
	[ ! -s "$work/told" ]
report $? "whoever is not root is told what stages lack"
system 1000 make ''
bootstrap deps ci
[ $status -eq 1 ] && grep -q '^apt-get install .* make' "$work/log"
report $? "and what root has to install for the build"
system 0 "clang mpich" clang
bootstrap deps ci
[ $status -eq 0 ] && grep -q 'cannot be had, and done without: clang' "$work/log" && installed mpich
report $? "a package that no source has is named, and the others are installed"

system 0 '' ''
bootstrap run
: >"$work/told"
bootstrap run
[ $status -eq 0 ] && ! grep -q configure "$work/told"
report $? "what is configured stays so"
system 0 clang ''
bootstrap deps ci
bootstrap run
[ $status -eq 0 ] && grep -q configure "$work/told"
report $? "after packages have come configure looks again"

for arguments in 'deps some' 'run ci' 'frob' 'deps ci nightly'; do
	# shellcheck disable=SC2086
	bootstrap $arguments
	[ $status -eq 2 ] && grep -q "unknown arguments '$arguments'" "$work/log" && grep -q '^usage: ' "$work/log"
	report $? "bootstrap $arguments: status 2 and the usage"
done
bootstrap --help
[ $status -eq 0 ] && grep -q 'deps ci' "$work/log"
report $? "bootstrap --help"
finish
