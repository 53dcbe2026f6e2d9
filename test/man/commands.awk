# test/man/commands.awk -- the commands that a document in Markdown shows.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: awk [-v pictures=yes] -f commands.awk FILE
#
# Prints lines FILE:NUMBER:COMMAND.  A command is a line of an indented block, without what follows " #", unless blocks are
# pictures; and a piece in backquotes that begins, after assignments, with the name of a program that people call and goes
# on with arguments, or that is a whole command by itself.  What a fence encloses is a program (examples.awk).

function command(text) {
	sub(/  +# .*/, "", text)
	sub(/ +$/, "", text)
	if (text != "")
		print FILENAME ":" FNR ":" text
}

# Whether the words in backquotes are a command.
function is_command(text,    rest, word) {
	rest = text
	while (rest ~ /^[A-Z_]+=[^ ]* /)
		sub(/^[^ ]* /, "", rest)
	word = rest
	sub(/ .*/, "", word)
	if (rest == word)
		return word ~ /^(make|\.\/bootstrap|\.ci\/[a-z]+|ldconfig|find_package\(.*)$/ || (word ~ /^\.\/[a-z]+$/ && rest != text)
	if (word ~ /^bench\/[a-z\/-]+$/)
		return 1
	return word ~ /^(\.\/[a-z]+|\.ci\/[a-z]+|configure|make|cc|gcc|g\+\+|gfortran|clang|mpicc|mpirun[.a-z]*|qtrun|qtprof|man|pkg-config|cmake|gdb|sh|grep|git|pip|docker)$/
}

/^```/ { fenced = !fenced; next }
fenced { next }

/^    [^ ]/ && !/^    - / {
	if (!pictures)
		command(substr($0, 5))
	next
}

{
	n = split($0, piece, "`")
	for (i = 2; i <= n; i += 2)
		if (is_command(piece[i]))
			command(piece[i])
}
