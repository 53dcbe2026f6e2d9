# test/man/examples.awk -- the example programs of a manual page or of README.md, and what they print.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: awk -v base=BASE -f examples.awk FILE
#
# A literal block (a fenced one in README.md) that begins with #include or #define is a program and goes to BASE-N.c, N
# from 1 on.  One in C++ includes a header whose name ends in .hpp.  One that begins with the word program is in Fortran
# and goes to BASE-N.f90.
# A block after a line that ends in "prints:" is what the last program prints and goes to BASE-N.out.

function plain(line) {
	gsub(/\\-/, "-", line)
	gsub(/\\\(aq/, "'", line)
	gsub(/\\\(ha/, "^", line)
	gsub(/\\\(ti/, "~", line)
	gsub(/\\\(ga/, "`", line)
	gsub(/\\&/, "", line)
	gsub(/\\e/, "\\", line)
	return line
}

BEGIN { markdown = ARGV[1] ~ /\.md$/ }

!inside && (/^\.Bd -literal/ || (markdown && /^```/)) {
	inside = first = 1
	out = ""
	next
}

inside && (/^\.Ed/ || (markdown && /^```/)) {
	inside = announced = 0
	next
}

inside {
	line = markdown ? $0 : plain($0)
	if (first && line ~ /^#(include|define)/)
		out = base "-" ++n ".c"
	else if (first && line ~ /^program /)
		out = base "-" ++n ".f90"
	else if (first && announced)
		out = base "-" n ".out"
	first = 0
	if (out)
		print line >out
	next
}

!/^\.Pp/ && NF > 0 { announced = /prints:$/ }
