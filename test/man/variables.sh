#!/bin/sh
# test/man/variables.sh -- every variable of the environment that the code knows has an entry in the manual, and no
# other of that kind has.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# That the entries of QT_* say what the table in base/settings.c says is test/man/settings.c's to check.

. "${abs_top_srcdir:?}/test/tap.sh"
prefixes='QT\|QTHREAD\|QTRUN\|OMP\|GOMP\|XOMP\|KMP'

# known TREE: the names in its tables and in other strings of its code, in lines.
known() {
	sed -n 's/^		\.name = "\([A-Z_]*\)".*/QT_\1/p' "$1/src/base/settings.c"
	find "$1/src" -name '*.[ch]' -exec sed -n "s/\"\(\($prefixes\)_[A-Z_]*[A-Z]\)=\{0,1\}\"/\\
\1\\
/gp" {} + | sed -n "/^\($prefixes\)_[A-Z_]*\$/p" | grep -vx OMP_INITIAL_DEVICE     # which is the host's uid
}

# listed TREE: the names that have entries.  Ours alone: PATH is nobody's.
listed() {
	sed -n 's/^\.It Ev //p' "$1"/man/*.[137] | tr ' ' '\n' | sed -n "/^\($prefixes\)_/p"
}

# compare TREE: what is wrong with it.
compare() {
	known "$1" | sort -u >"$work/known"
	listed "$1" | sort -u >"$work/listed"
	comm -23 "$work/known" "$work/listed" | sed 's/$/: no entry/'
	comm -13 "$work/known" "$work/listed" | sed 's/$/: an entry, and the code does not know it/'
}

# A tree with one mistake of each kind.
made=$work/made
mkdir -p "$made/src/base" "$made/man"
printf '\t\t.name = "%s", .kind = QTI_KIND_COUNT,\n' GOOD LOST >"$made/src/base/settings.c"
printf '\t{ "OMP_GOOD", f }, { "OMP_LOST", f },\n\tgetenv("XOMP_GOOD");\n' >"$made/src/other.c"
printf '.It Ev QT_GOOD\n.It Ev OMP_GOOD , XOMP_GOOD\n.It Ev OMP_OLD\n.It Ev PATH\n' >"$made/man/a.7"
compare "$made" | tr '\n' '.' >"$work/log"
[ "$(cat "$work/log")" = "OMP_LOST: no entry.QT_LOST: no entry.OMP_OLD: an entry, and the code\
 does not know it." ]
report $? "a missing entry and one of nothing are found"

compare "$top" >"$work/log"
report_empty "every variable has an entry in the manual, and no other has"

grep -qx QT_SPIN_US "$work/known" && grep -qx OMP_NUM_THREADS "$work/known" && grep -qx GOMP_SPINCOUNT "$work/known"
report $? "tables of the code are read"
finish
