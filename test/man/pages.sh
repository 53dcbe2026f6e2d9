#!/bin/sh
# test/man/pages.sh -- the manual is well formed and has a page for every public name and for nothing else;
# documents name no option that configure lacks.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
man=$top/man

each_page() {   # COMMAND: what it says about each page
	for page in "$man"/*.[137]; do
		"$1" "$page" 2>&1 | sed "s|^|${page##*/}: |"
	done
}

# no_complaints TOOL COMMAND NAME: what the command, which uses the tool, says about each page is an error.
no_complaints() {
	if command -v "$1" >/dev/null; then
		each_page "$2" >"$work/log"
		report_empty "$3"
	else
		skip "$3" "no $1"
	fi
}

format() {
	groff -mdoc -ww -Tutf8 "$1" 2>&1 >/dev/null
}
no_complaints groff format "groff formats every page in silence"

# CONTEXT is a heading that BSD systems use for their kernels' interfaces only.
check() {
	mandoc -T lint -W warning "$1" 2>&1 | grep -v 'unexpected section: Sh CONTEXT'
}
no_complaints mandoc check "mandoc finds nothing wrong with any page"

# A function's page says from where it may be called, what it orders and what it returns.
headings() {
	for heading in NAME LIBRARY SYNOPSIS DESCRIPTION CONTEXT 'MEMORY ORDER' 'RETURN VALUES' EXAMPLES 'SEE ALSO'; do
		grep -qx "\.Sh $heading" "$1" || echo "no $heading"
	done
	! grep -q '\.It Dv QTHREAD_MALLOC_ERROR' "$1" || grep -qx '\.Sh ERRORS' "$1" || echo "no ERRORS"
}
each_page headings | grep -v '\.[17]: ' >"$work/log"
report_empty "each page of section 3 has all its parts"

# What is public: exported functions, but for those that GCC calls or OpenMP describes; inline functions; and macros that
# take arguments and are named like functions.
sed -e 's/#.*//' -e 's/[ 	]*$//' -e '/^$/d' "$top/src/libqthread.sym" >"$work/some"
sed -n 's/^	\([Xx][Oo][Mm][Pp]_.*\);$/\1/p' "$top/src/libqomp.map" >>"$work/some"
sed -n 's/^	\(qmpi_.*\);$/\1/p' "$top/src/libqmpi.map" >>"$work/some"
sed -n -e 's/^static inline .*[ *]\(q[a-z]*_[a-z0-9_]*\)(.*/\1/p' \
	-e 's/^#define \(q[a-z]*_[a-z0-9_]*\|qtlog[a-z]*\)(.*/\1/p' "$top"/include/qthread/*.h >>"$work/some"
sort -u "$work/some" >"$work/public"
awk '/^\.Sh / { in_name = $2 == "NAME" } in_name && /^\.Nm / { print $2 }' "$man"/*.3 | sort >"$work/named"

uniq -d "$work/named" >"$work/log"
report_empty "no name is on two pages"

comm -23 "$work/public" "$work/named" >"$work/log"
report_empty "every public name has a page"

comm -13 "$work/public" "$work/named" >"$work/log"
report_empty "every name with a page is public"

# A page shows the prototype of each of its names, and of no other.
prototypes() {
	awk '/^\.Sh / { part = $2 }
		part == "NAME" && /^\.Nm / { print $2 }
		part == "SYNOPSIS" && /^\.F[no] / { print $2 }' "$1" | sort | uniq -c | awk '$1 != 2 { print $2 }'
}
each_page prototypes | grep -v '\.[17]: ' >"$work/log"
report_empty "each name on a page is in its synopsis once"

# A reference to one of ours leads to a page: by its file name, or by a name that the installation adds.
{
	sh "$man/other-names" "$man"/*.3 | sed 's/ .*/.3/'
	cd "$man" && ls ./*.[137] | sed 's|^\./||'
} | sort >"$work/pages"
sed -n 's/^\.Xr \(q[A-Za-z0-9_]*\) \([137]\).*/\1.\2/p' "$man"/*.[137] | sort -u | grep -vx 'qsort\.3' | comm -23 - "$work/pages" >"$work/log"
report_empty "every cross reference leads to a page"

sed 's/\.[137]$//' "$work/pages" | sort -u | comm -23 "$work/public" - >"$work/log"
report_empty "man finds a page by every public name"

(cd "$top" && ls man/*.[137]) | sort >"$work/there"
sed -n 's/^	\(man\/[a-zA-Z0-9_]*\.[137]\).*/\1/p' "$man/man.am" | sort | comm -3 - "$work/there" >"$work/log"
report_empty "man.am installs every page"

sed -n 's/.*AS_HELP_STRING(\[\(--[a-z-]*\).*/\1/p' "$top/configure.ac" | sort >"$work/options"
grep -o -h -e '--\(with\|without\|enable\|disable\)-[a-z-]*' "$top/README.md" "$top/HACKING.md" "$man"/*.[137] |
	sort -u | comm -23 - "$work/options" >"$work/log"
[ -s "$work/options" ] && [ ! -s "$work/log" ]
report $? "documents name only options that configure has"

finish
