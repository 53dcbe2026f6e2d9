#!/bin/sh
# test/man/modules.sh -- no circle of files in src/; and a header of src/omp declares what its own .c defines.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A module is NAME.c and NAME.h of one directory, or one of the two alone.  It needs another one if it includes that one's
# header, or uses a function or a variable that the other's .c defines, whoever declares it.
#
# Each check prints what is wrong with the tree that is its argument.  First each has to find what is wrong with a tree
# that is made up here.

. "${abs_top_srcdir:?}/test/tap.sh"
awk=${AWK:-awk}

# Headers with the entry points of several files: what one ABI looks like.
several='omp/abi/api.h
omp/abi/device.h
omp/abi/gomp_share.h
omp/abi/gomp_tasking.h
omp/abi/kmp.h
omp/abi/kmpc_loop.h
omp/abi/kmpc_region.h
omp/abi/kmpc_tasking.h
omp/abi/xomp_fortran.h'

# facts TREE: lines "includes FILE FILE", "declares FILE NAME", "defines FILE NAME" and "uses FILE NAME".
facts() {
	(cd "$1/src" && "$awk" '
		# What ends with a ; or begins a { outside of all braces.
		function outside(text, end,    name) {
			while (match(text, /__attribute__ *\(\([^()]*(\([^()]*\))?[^()]*\)\)/))
				text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
			if (text ~ /^[ \t]*(static|typedef|_Static_assert|#)/ || text ~ /^[ \t]*$/)
				return
			if (text ~ /=/) {
				sub(/[ \t]*(\[[^\]]*\][ \t]*)*=.*/, "", text)
			} else if (text ~ /\(/) {
				if (text !~ /[A-Za-z0-9_*][ \t*]+[A-Za-z_][A-Za-z0-9_]*\(/)
					return          # a macro is called
				sub(/\(.*/, "", text)
				declared = end == ";"
				match(text, /[A-Za-z_][A-Za-z0-9_]*[ \t]*$/)
				name = substr(text, RSTART)
				print declared ? "declares" : FILENAME ~ /c$/ ? "defines" : "inline", FILENAME, name
				return
			} else {
				if (end == "{" || text ~ /^[ \t]*(struct|union|enum)[ \t]+[A-Za-z0-9_]+[ \t]*$/)
					return
				sub(/[ \t]*(\[[^\]]*\][ \t]*)*$/, "", text)
			}
			if (!match(text, /[A-Za-z_][A-Za-z0-9_]*[ \t]*$/))
				return
			name = substr(text, RSTART)
			print text ~ /^[ \t]*extern/ ? "declares" : "defines", FILENAME, name
		}
		FNR == 1 { comment = depth = more = 0; text = "" }
		{
			line = $0; kept = ""
			while (line != "") {
				mark = index(line, comment ? "*/" : "/*")
				if (!comment) kept = kept (mark ? substr(line, 1, mark - 1) : line)
				line = mark ? substr(line, mark + 2) : ""
				if (mark) comment = !comment
			}
			line = kept
		}
		/^#include "/ { split(line, part, "\""); print "includes", FILENAME, part[2] }
		{
			macro = more || line ~ /^[ \t]*#/
			more = macro && line ~ /\\$/
			gsub(/\\./, " ", line); gsub(/"[^"]*"/, "\"\"", line); gsub(/\047[^\047]*\047/, "0", line)
			words = line
			gsub(/(struct|union|enum)[ \t]+[A-Za-z0-9_]+|(\.|->)[A-Za-z0-9_]+/, " ", words)
			gsub(/[^A-Za-z0-9_]+/, " ", words)
			n = split(words, word, " ")
		}
		macro && line ~ /^[ \t]*#(include|if|ifdef|ifndef|endif|else|pragma)/ { next }
		{ idle = depth == 0 && !macro && line !~ /[{=]/ && text !~ /=/ }        # prototypes and heads use nothing
		{ for (i = 1; i <= n && !idle; i++) if (!((FILENAME, word[i]) in seen) && word[i] ~ /^[A-Za-z_]/) {
			seen[FILENAME, word[i]]; print "uses", FILENAME, word[i]
		} }
		macro || (depth == 0 && line ~ /^[A-Z][A-Z0-9_]*\(.*\)$/) { next }   # as it is where a macro is called
		{
			while (match(line, /[{};]/)) {
				c = substr(line, RSTART, 1)
				if (depth == 0) text = text " " substr(line, 1, RSTART - 1)
				line = substr(line, RSTART + 1)
				if (c == "}") { if (--depth == 0 && text ~ /=/) { outside(text, ";"); text = "" } }
				else if (c == "{") { if (depth++ == 0 && text !~ /=/) { outside(text, "{"); text = "" } }
				else if (depth == 0) { outside(text, ";"); text = "" }
			}
			if (depth == 0) text = text " " line
		}' $(find . -name '*.[ch]' | sed 's|^\./||' | sort))
}

# needs TREE: lines "MODULE MODULE WHY".
needs() {
	facts "$1" >"$work/facts"
	"$awk" '
		function module(file) { sub(/\.[ch]$/, "", file); return file }
		NR == FNR && $1 == "declares" { declared[$3] }
		NR == FNR && $1 == "defines" && $2 ~ /c$/ { where[$3] = module($2); times[$3]++ }
		NR == FNR { there[$2]; next }
		$1 == "includes" && $3 in there && module($2) != module($3) { print module($2), module($3), "includes" }
		$1 == "uses" && $3 in declared && times[$3] == 1 && where[$3] != module($2) { print module($2), where[$3], $3 }
	' "$work/facts" "$work/facts" | sort -u
}

# bad_circles TREE: needs in circles, when those who need nobody have been taken away again and again, and those whom nobody
# needs.
bad_circles() {
	needs "$1" | "$awk" '
		# Takes away who needs nobody (side 1), or whom nobody needs.
		function peel(side,    again, e, busy, end, m) {
			do {
				again = 0
				split("", busy)
				for (e in edge) { split(e, end, " "); busy[end[side]] }
				for (m in left) if (!(m in busy)) {
					delete left[m]; again = 1
					for (e in edge) { split(e, end, " "); if (end[3 - side] == m) delete edge[e] }
				}
			} while (again)
		}
		# Whether `to` can be come to from `at`.
		function leads(at, to,    e, end) {
			if (at == to) return 1
			if (at in been) return 0
			been[at]
			for (e in edge) {
				split(e, end, " ")
				if (end[1] == at && leads(end[2], to)) return 1
			}
			return 0
		}
		{ edge[$1 " " $2]; left[$1]; left[$2] }
		END {
			peel(1); peel(2)
			for (e in edge) {
				split(e, end, " "); split("", been)
				if (leads(end[2], end[1])) print "circle: " e
			}
		}' | sort
}

# A header declares what no .c of its name defines.
bad_headers() { # TREE
	facts "$1" | "$awk" -v several="$several" '
		BEGIN { n = split(several, name, "\n"); for (i = 1; i <= n; i++) excepted[name[i]] }
		$2 !~ /^omp\// || $2 in excepted { next }
		$1 == "defines" { defined[$2, $3] }
		$1 == "declares" && $2 ~ /h$/ { declared[$2 " " $3] }
		END {
			for (d in declared) {
				split(d, part, " ")
				own = part[1]; sub(/h$/, "c", own)
				if (!((own, part[2]) in defined)) print part[1] " declares " part[2]
			}
		}' | sort
}

# --- a tree with mistakes ----------------------------------------------------------------------------------------

made=$work/made
mkdir -p "$made/src/omp" "$made/src/base"
cat >"$made/src/base/a.h" <<'END'
int a_number(void);     /* b_number() */
extern int a_variable;
END
cat >"$made/src/base/a.c" <<'END'
#include "base/a.h"
#include "base/b.h"

int a_variable = 2;

int a_number(void)
{
	return b_number(1, 2);
}
END
printf 'int b_number(int one,\n             int two);\n' >"$made/src/base/b.h"
cat >"$made/src/base/b.c" <<'END'
#include "base/b.h"

static int a_number_of_mine = 1;        /* a_number */
extern int a_variable;

int b_number(int one, int two)
{
	return one + two + a_number_of_mine + a_variable;
}
END
printf '#include "base/a.h"\n' >"$made/src/base/c.c"
cat >"$made/src/omp/d.h" <<'END'
struct d;
int d_own(void);
int d_other(struct d *d) __attribute__((noreturn));
extern int d_nobody;
static inline int d_inline(void) { return d_own(); }
END
printf '#include "omp/d.h"\n#include "base/a.h"\n\nint d_own(void)\n{\n\treturn 0;\n}\n' >"$made/src/omp/d.c"
printf 'int d_other(struct d *d)\n{\n\treturn d != 0;\n}\n' >"$made/src/omp/e.c"

bad_circles "$made" >"$work/log"
printf '%s\n' 'circle: base/a base/b' 'circle: base/b base/a' | diff - "$work/log" >"$work/difference"
status=$?
cp "$work/difference" "$work/log"
report $status "bad_circles finds the circle of two files, by an include and by a use, and none where there is none"
bad_headers "$made" >"$work/log"
printf '%s\n' 'omp/d.h declares d_nobody' 'omp/d.h declares d_other' | diff - "$work/log" >"$work/difference"
status=$?
cp "$work/difference" "$work/log"
report $status "bad_headers finds what another file defines, and what none does"

# --- this one ----------------------------------------------------------------------------------------------------

bad_circles "$abs_top_srcdir" >"$work/log"
report_empty "no circle of files"
bad_headers "$abs_top_srcdir" >"$work/log"
report_empty "headers of src/omp declare what their own .c defines"
[ "$(needs "$abs_top_srcdir" | wc -l)" -gt 500 ]
report $? "there is something to check"
finish
