#!/bin/sh
# test/man/names.sh -- what HACKING.md and the comments of src/ name is there: files, tests, functions, tags of protocols;
# and includes point down.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A tag is one or two capitals and a number, such as P1: one step of a protocol.  It is defined where a line of a comment
# begins with it and two blanks follow.  All tags with the same capitals are in one file.
#
# Each check prints what is wrong with the tree that is its argument.  First each has to find what is wrong with a tree
# that is made up here.

. "${abs_top_srcdir:?}/test/tap.sh"
awk=${AWK:-awk}

# --- reading -----------------------------------------------------------------------------------------------------

# comments FILE...: lines FILE:NUMBER:TEXT of what stands in comments.
comments() {
	"$awk" '
		FNR == 1 { inside = 0 }
		{
			line = $0; text = ""
			for (;;) {
				mark = index(line, inside ? "*/" : "/*")
				if (inside) text = text " " (mark ? substr(line, 1, mark - 1) : line)
				if (!mark) break
				line = substr(line, mark + 2)
				inside = !inside
			}
			if (text != "") print FILENAME ":" FNR ":" text
		}' "$@" /dev/null
}

of_sources() {  # TREE: the comments of the library
	(cd "$1" && comments $(find src -name '*.[chS]' | sort))
}

of_tests() {    # TREE: those of tests and models, which say which steps they check
	(cd "$1" && comments $(find test -name '*.c' -o -name '*.cc' -o -name '*.pml' | sort))
}

of_guide() {    # TREE: what HACKING.md says
	[ ! -e "$1/HACKING.md" ] || sed = "$1/HACKING.md" | sed 'N;s/\n/:/;s/^/HACKING.md:/'
}

# --- files -------------------------------------------------------------------------------------------------------

# Of lines as comments prints them: FILE:NUMBER:NAME.  <header.h> is the system's.  FILE, NAME and the like stand for any.
files_named() {
	"$awk" '{
		match($0, /^[^:]*:[0-9]*:/)
		where = substr($0, 1, RLENGTH); text = substr($0, RLENGTH + 1)
		gsub(/<[^>]*>/, " ", text)
		gsub(/[^A-Za-z0-9_.\/*-]/, " ", text)
		n = split(text, word, " ")
		for (i = 1; i <= n; i++) {
			sub(/[.-]+$|\.omp$/, "", word[i])
			if (word[i] ~ /[*A-Z][A-Z]/ && word[i] !~ /\.md$/)
				continue
			if (word[i] ~ /^[A-Za-z.][A-Za-z0-9_.\/-]*\.(c|h|S|cc|hpp|pml|sh|am|ac|py|md|awk|sym|map|svg|list)$/ ||
			    word[i] ~ /^(test|bench|src)\/[a-z]+\/[A-Za-z0-9_.-]+$/)
				print where word[i]
		}
	}'
}

# A name with a directory is one from the top, from src or from include; one without is any file of that name.  A test may
# lack its end, or have that of a program.
bad_files() {   # TREE
	(cd "$1" && find . -type f ! -path './build*' ! -path './.git/*' | sed 's|^\./||') >"$work/files"
	{ of_sources "$1"; of_guide "$1"; } | files_named | "$awk" -F: -v list="$work/files" '
		BEGIN {
			while ((getline path < list) > 0) {
				there[path]; base = path; sub(/.*\//, "", base); there[base]
				if (sub(/^(src|include)\//, "", path)) there[path]
				if (sub(/\.[a-z0-9]*$/, "", path)) there[path]
				while (sub(/\/[^\/]*$/, "", path)) there[path]
			}
		}
		!($3 in there) { print $1 ":" $2 ": " $3 " is not there" }'
}

# --- tags --------------------------------------------------------------------------------------------------------

defined() {     # TREE: lines TAG FILE
	of_sources "$1" | sed -n 's/^\([^:]*\):[0-9]*:[ 	*]*\([A-Z]\{1,2\}[1-9][0-9]\{0,1\}\)  .*/\2 \1/p'
}

# used TREE: lines TAG FILE:NUMBER.  In tests capitals that no tag has mean something else.
used() {
	defined "$1" | sed 's/[0-9]* .*//' | sort -u >"$work/capitals"
	{ of_sources "$1"; of_tests "$1"; } | "$awk" -v list="$work/capitals" '
		BEGIN { while ((getline line < list) > 0) known[line] }
		{
			match($0, /^[^:]*:[0-9]*:/)
			where = substr($0, 1, RLENGTH - 1); text = substr($0, RLENGTH + 1)
			gsub(/[^A-Za-z0-9_]/, " ", text)
			n = split(text, word, " ")
			for (i = 1; i <= n; i++) {
				capitals = word[i]; sub(/[0-9]+$/, "", capitals)
				if (word[i] ~ /^[A-Z][A-Z]?[1-9][0-9]?$/ && (where ~ /^src/ || capitals in known))
					print word[i], where
			}
		}'
}

bad_tags() {    # TREE
	defined "$1" | sort >"$work/defined"
	used "$1" | sort >"$work/used"
	cut -d ' ' -f 1 "$work/defined" | uniq -d | sed 's/$/ is defined twice/'
	sed 's/[0-9]* / /' "$work/defined" | sort -u | cut -d ' ' -f 1 | uniq -d | sed 's/$/ stands for the tags of two files/'
	cut -d ' ' -f 1 "$work/defined" | sort -u >"$work/tags"
	join -v 1 "$work/used" "$work/tags" | sed 's/\(.*\) \(.*\)/\2: \1 is no tag/'
}

# rows TREE: lines FIRST LAST FILE CHECKS... of the table of protocols.
rows() {
	of_guide "$1" | sed -n 's/^[^:]*:[0-9]*:| \([A-Z]\{1,2\}[0-9][0-9]*\)\( to [A-Z]*\([0-9]*\)\)* | `\([^`]*\)` |.*| \(.*\) |$/\1 \3 \4 \5/p' |
		sed 's/^\([A-Z]*[0-9]*\)  /\1 0 /'
}

# The table has every tag once, with the file that defines it, and a check; a model that is named there knows it.
bad_index() {   # TREE
	defined "$1" | sed 's| src/| |' | sort >"$work/defined"
	rows "$1" | "$awk" '{
		capitals = $1; sub(/[0-9]+$/, "", capitals)
		first = last = substr($1, length(capitals) + 1)
		if ($2 > first) last = $2
		for (i = first; i <= last; i++) print capitals i, $3
	}' | sort >"$work/listed"
	cut -d ' ' -f 1 "$work/listed" | uniq -d | sed 's/$/ has two rows in HACKING.md/'
	sort -u "$work/listed" | comm -13 - "$work/defined" | sed 's/$/: no such row in HACKING.md/'
	sort -u "$work/listed" | comm -23 - "$work/defined" | sed 's/$/: a row in HACKING.md, but not defined there/'
	rows "$1" | while read -r first last file checks; do
		case $checks in
		*test/*) ;;
		*) echo "$first: no check in HACKING.md" ;;
		esac
		for check in $checks; do
			check=$(echo "$check" | tr -d '`,')
			case $check in
			*.pml) grep -qw "${first%%[0-9]*}[0-9]*" "$1/$check" || echo "$first: $check does not know it" ;;
			esac
		done
	done
}

# --- the rest ----------------------------------------------------------------------------------------------------

# Names in the guide that look like C, with a line in their name, are in some source.  What a build in the tree has left
# there is none.
bad_words() {   # TREE
	of_guide "$1" | grep -o '`[^`]*`' | grep -o '[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]*[A-Za-z0-9]' | sort -u >"$work/words"
	(cd "$1" && find src include test bench man configure.ac -name corpus -prune -o -type f ! -name '*.log' \
		-exec grep -Ihow '[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]*' {} +) | sort -u | comm -23 "$work/words" - |
		sed 's/^/HACKING.md: nothing is called /'
}

# From the bottom; what is in one line does not know each other.
layers='base
machine
core
sync sched
io
api
ds
mpi
omp/env
omp/tool
omp/team
omp/task
omp/work
omp/abi
tools'

# OpenMP is a guest of the core (core/guest.h), and sleeps by sync/waiter.h.
of_guests='base machine core/guest.h sync/waiter.h'

bad_includes() { # TREE
	(cd "$1" && find src -name '*.[ch]' -exec grep -H '^#include "' {} +) |
		sed -n 's|^src/\([^:]*\):#include "\([a-z]*/[^"]*\)"|\1 \2|p' |
		"$awk" -v layers="$layers" -v of_guests="$of_guests" '
			function layer(path,    part) {
				split(path, part, "/")
				return part[1] == "omp" ? part[1] "/" part[2] : part[1]
			}
			BEGIN {
				rows = split(layers, row, "\n")
				for (i = 1; i <= rows; i++) {
					n = split(row[i], name, " ")
					for (j = 1; j <= n; j++) level[name[j]] = i
				}
				n = split(of_guests, name, " ")
				for (j = 1; j <= n; j++) guests[name[j]]
			}
			{ from = layer($1); to = layer($2) }
			!(from in level) { print "src/" from ": no layer" }
			to in level && from != to && level[to] >= level[from] { print "src/" $1 " includes " $2 }
			$1 ~ /^omp/ && to in level && to !~ /^omp/ && !(to in guests) && !($2 in guests) {
				print "src/" $1 " includes " $2 ", which is not for guests" }' | sort
}

bad_size() {    # TREE
	of_guide "$1" | "$awk" 'END { if (NR > 250) print "HACKING.md: " NR " lines, more than 250" }'
	of_guide "$1" | "$awk" '{ sub(/^[^:]*:[0-9]*:/, "") } length > 120 && !/^\|/ { print "HACKING.md:" NR ": more than 120 columns" }'
}

# --- a tree with one mistake of each kind ----------------------------------------------------------------------------

made=$work/made
mkdir -p "$made/src/core" "$made/src/base" "$made/src/sync" "$made/test/unit" "$made/test/model" "$made/include" "$made/bench" "$made/man"
: >"$made/configure.ac"
cat >"$made/src/core/good.h" <<'END'
/* core/good.h -- see core/good.h, good.h, <none.h> and test/unit/good.c.
 *
 * A1  one step
 * A2  another || see core/gone.h.
 *
 * Checked by test/unit/good and test/unit/gone.c. */
#include "base/other.h"
int a_name; /* A1, A3 */
END
cat >"$made/src/base/other.h" <<'END'
/* B1  a step */
/* B1  the same tag */
/* A2  the capitals of another file */
#include "core/good.h"
END
echo '#include "sched/x.h"' >"$made/src/sync/side.c"
mkdir -p "$made/src/omp/env" "$made/src/omp/team"
printf '#include "%s"\n' omp/team/x.h core/worker.h core/guest.h >"$made/src/omp/env/up.c"
echo '/* A1, A4 and the P2300 of C2 */' >"$made/test/unit/good.c"
echo '/* B1 */' >"$made/test/model/m.pml"
printf 'a_nam\0a_nam\n' >"$made/test/unit/good"
cat >"$made/HACKING.md" <<'END'
`a_name` in `core/good.h`, not `a_nam` in `core/god.h`

| A1 | `core/good.h` | what | `test/unit/good.c`, `test/model/m.pml` |
| A1 to A2 | `core/good.h` | what | - |
| C1 | `core/good.h` | what | `test/unit/good.c` |
END
for i in $(seq 250); do
	echo "$i"
done >>"$made/HACKING.md"

# finds CHECK TEXT...: each text is a line of what it says, and there are no others.
finds() {
	check=$1
	shift
	"$check" "$made" >"$work/log"
	printf '%s\n' "$@" | diff - "$work/log" >"$work/difference"
	status=$?
	cp "$work/difference" "$work/log"
	report $status "$check finds what is wrong"
}

finds bad_files 'src/core/good.h:4: core/gone.h is not there' 'src/core/good.h:6: test/unit/gone.c is not there' \
	'HACKING.md:1: core/god.h is not there'
finds bad_tags 'A2 is defined twice' 'B1 is defined twice' 'A stands for the tags of two files' \
	'src/core/good.h:8: A3 is no tag' 'test/unit/good.c:1: A4 is no tag'
finds bad_index 'A1 has two rows in HACKING.md' 'A2 base/other.h: no such row in HACKING.md' \
	'B1 base/other.h: no such row in HACKING.md' 'B1 base/other.h: no such row in HACKING.md' \
	'C1 core/good.h: a row in HACKING.md, but not defined there' 'A1: test/model/m.pml does not know it' \
	'A1: no check in HACKING.md'
finds bad_words 'HACKING.md: nothing is called a_nam'
finds bad_includes 'src/base/other.h includes core/good.h' 'src/omp/env/up.c includes core/worker.h, which is not for guests' \
	'src/omp/env/up.c includes omp/team/x.h' 'src/sync/side.c includes sched/x.h'
finds bad_size 'HACKING.md: 255 lines, more than 250'

# --- this one --------------------------------------------------------------------------------------------------------

nothing() {     # CHECK NAME
	"$1" "$top" >"$work/log"
	report_empty "$2"
}

nothing bad_files "files that comments and HACKING.md name are there"
nothing bad_tags "each tag is defined once, and its capitals are one file's; comments name no others"
nothing bad_index "HACKING.md has every tag, where it is defined and what checks it"
nothing bad_words "names in HACKING.md are somewhere in the sources"
nothing bad_includes "includes point down"
nothing bad_size "HACKING.md has at most 250 lines"
[ "$(defined "$top" | wc -l)" -gt 50 ] && [ -e "$top/HACKING.md" ]
report $? "there is something to check"
finish
