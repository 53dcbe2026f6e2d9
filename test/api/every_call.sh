#!/bin/sh
# test/api/every_call.sh -- every public function is on the list of prototypes and is called by a test; which, the log
# says.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A test calls what its object file asks the linker for.  That of prototypes.c does not count: it asks for everything.

. "${abs_top_srcdir:?}/test/tap.sh"
cd "${abs_top_builddir:?}" || exit 1

sed -e 's/#.*//' -e '/^[ 	]*$/d' "$top/src/libqthread.sym" | sort >"$work/exported"
awk -f "$top/test/api/prototypes.awk" "$top/test/api/prototypes.list" |
	sed -n 's/^	CALL(\([A-Za-z0-9_]*\),.*/\1/p' | sort >"$work/listed"
uniq -d "$work/listed" >"$work/log"
comm -23 "$work/exported" "$work/listed" >>"$work/log"
report_empty "prototypes.list has every exported function, once"

# One line for each name: it, and the object files that ask for it.  Lines of nm: test/api/feb.o:   U qthread_fill
find test -name '*.o' | grep -v prototypes | xargs ${NM:-nm} -uA | sed 's|\.o: *[a-zA-Z] | |' | sort -u |
	awk 'NR == FNR { callers[$1] = ""; next }
		$2 in callers { callers[$2] = callers[$2] " " $1 }
		END { for (name in callers) print name callers[name] }' "$work/exported" - | sort >"$work/asked"
while read -r name callers; do
	echo "no test calls $name" >"$work/log"
	[ "$callers" ]
	report $? "$name is called by ${callers:-no test}"
done <"$work/asked"

finish
