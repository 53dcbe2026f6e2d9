# test/api/prototypes.awk -- the list of public functions as rows for prototypes.c.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: awk -f prototypes.awk prototypes.list
#
# [qthread/qloop.h] becomes an #include, `void qt_loop(size_t, size_t, qt_loop_f, void *)` becomes
# CALL(qt_loop, void, (size_t, size_t, qt_loop_f, void *)).  The rows are one macro, CALLS.

/^#/ || NF == 0 { next }

/^\[.*\]$/ {
	includes = includes "#include <" substr($0, 2, length($0) - 2) ">\n"
	next
}

{
	parameters = substr($0, index($0, "("))
	result = name = substr($0, 1, index($0, "(") - 1)
	sub(/.*[ *]/, "", name)
	sub(/[A-Za-z0-9_]*$/, "", result)
	sub(/ *$/, "", result)
	rows = rows "\tCALL(" name ", " result ", " parameters ") \\\n"
}

END {
	printf "%s\n#define CALLS \\\n%s\n", includes, rows
}
