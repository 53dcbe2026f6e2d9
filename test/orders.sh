#!/bin/sh
# test/orders.sh -- every fence and every access in one total order says which protocol needs it, and base/atomic.h alone names orders.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A tag (a letter and a number) on the line leads to the argument; the other side of the pair has it, too.  Where the
# library's interface promises the order, and the other side is the program's, the line says "promised".

. "${abs_top_srcdir:?}/test/tap.sh"

in_sources() {  # DIRECTORY COMMAND...: with their names
	folder=$1
	shift
	find "$folder" -name '*.[ch]' ! -path '*/base/atomic.h' ! -path '*/base/fence.c' -exec "$@" {} +
}

go_around() {   # DIRECTORY
	in_sources "$1" grep -nE '__atomic_|__sync_|__ATOMIC_|stdatomic\.h'
}

in_one_order='(_sc|fence_rel|fence_light|qti_fence_heavy)\('

untagged() {    # DIRECTORY
	in_sources "$1" grep -nE "$in_one_order" | grep -vE '/\* .*([A-Z]+[0-9]+\b|promised)'
}

# Tags that stand on such lines and nowhere else.
unpaired() {    # DIRECTORY
	in_sources "$1" cat >"$work/text"
	grep -E "$in_one_order" "$work/text" | grep -oE '\b[A-Z]+[0-9]+\b' | sort -u | while read -r tag; do
		grep -vE "$in_one_order" "$work/text" | grep -qE "\b$tag\b" || echo "$tag is explained nowhere"
	done
}

none() {        # NAME CHECK: the check finds nothing in the sources
	"$2" "$top/src" >"$work/log"
	[ ! -s "$work/log" ]
	report $? "$1"
}

finds() {       # CHECK LINE: the check finds a line that is wrong
	mkdir -p "$work/bad"
	printf '%s\n' "$2" >"$work/bad/bad.c"
	"$1" "$work/bad" >"$work/log"
	[ -s "$work/log" ]
	report $? "a line that is wrong would be found: $2"
}

plan 9
none "base/atomic.h is the only place that names memory orders" go_around
none "what is seq_cst, a fence or half of an asymmetric pair has a tag" untagged
none "each of these tags is explained" unpaired
finds go_around '	__atomic_thread_fence(__ATOMIC_ACQUIRE);'
finds untagged '	fence_sc();'
finds untagged '	fence_rel();'
finds untagged '	add_sc(&n, 1);  /* counts */'
finds untagged '	qti_fence_heavy();'
finds unpaired '	fence_light();  /* Y99 */'
