# test/tap.sh -- what the test scripts share: TAP lines and a place to work.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: . "${abs_top_srcdir:?}/test/tap.sh"
#
# Leaves the source tree in $top and an empty directory in $work, which is removed at the end.  A check writes to
# $work/log what a reader should see if it fails.

top=$abs_top_srcdir
work=$(mktemp -d) || exit 1
# Neither LD_PRELOAD nor libtool nor a list of folders can name a path with a blank or a colon; the build's has none.
case $work in
*[[:space:]:]*)
	rmdir "$work"
	work=$(mktemp -d "${abs_top_builddir:-$PWD}/work-of-test.XXXXXX") || exit 1
	;;
esac
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
number=0
: >"$work/log"

# plan COUNT: before the first check.  A script that cannot know says `finish` after the last one instead.
plan() {
	echo "1..$1"
}

finish() {
	plan $number
}

skip_all() {    # WHY
	echo "1..0 # SKIP $1"
	exit 0
}

# report STATUS NAME: one check; 0 is good.
report() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed -e 's/^/# /' -e 40q "$work/log"
	fi
}

# report_empty NAME: an empty log is good news.
report_empty() {
	[ ! -s "$work/log" ]
	report $? "$1"
}

skip() {        # NAME WHY
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# What whoever started the tests has set changes what OpenMP programs do.
unset_settings() {
	for setting in $(env | sed -n 's/^\(G\{0,1\}OMP_[A-Z_]*\)=.*/\1/p; s/^\(QT_[A-Z_]*\)=.*/\1/p'); do
		unset "$setting"
	done
}

# name_library FILE: in $work/lib it has the names of all that it stands for.
name_library() {
	mkdir -p "$work/lib"
	for name in libgomp.so.1 libomp.so.5 libomp.so libiomp5.so; do
		ln -s "$(readlink -f "$1")" "$work/lib/$name"
	done
}
