#!/bin/sh
# test/man/commands.sh -- each command that README.md, HACKING.md and bench/README.md show is run by some stage.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# commands.list says which stage that is, and how.  Without a setting this test compares it with the documents and with the
# stages.  From the environment:
#   QTI_COMMANDS   run: also run what `make check-commands` runs; anything else: only commands that have this text

. "${abs_top_srcdir:?}/test/tap.sh"
awk=${AWK:-awk}
tab=$(printf '\t')

# --- the list and the documents ----------------------------------------------------------------------------------------

documents='README.md HACKING.md bench/README.md'

# shown TREE: lines FILE:NUMBER:COMMAND.  HACKING.md indents pictures.
shown() {
	(cd "$1" && for document in $documents; do
		pictures=
		[ "$document" != HACKING.md ] || pictures=yes
		"$awk" -v pictures=$pictures -f "$top/test/man/commands.awk" "$document"
	done)
}

# listed TREE [KINDS]: the commands of the list, or its lines of these kinds as COMMAND<tab>LINE.
listed() {
	"$awk" -v kinds="${2:-}" '
		/^\$ / { command = substr($0, 3); if (kinds == "") print command }
		kinds != "" && substr($0, 2, 1) == " " && index(kinds, substr($0, 1, 1)) { print command "\t" substr($0, 3) }' \
		"$1/test/man/commands.list"
}

not_run() {     # TREE
	listed "$1" | sort -u >"$work/listed"
	listed "$1" '=@-' | cut -f 1 | sort -u | comm -23 "$work/listed" - | sed 's/^/commands.list: nothing is said of /'
	shown "$1" | while IFS= read -r line; do
		command=${line#*:*:}
		grep -qxF -e "$command" "$work/listed" || echo "${line%"$command"} no stage runs $command"
	done
}

not_shown() {   # TREE
	shown "$1" | cut -d : -f 3- | sort -u >"$work/shown"
	listed "$1" | sort -u | comm -23 - "$work/shown" | sed 's/^/no document shows /'
	listed "$1" | sort | uniq -d | sed 's/^/twice in commands.list: /'
}

# References lead to a stage that has the words in its command, or to a script that has them.  A release has no stages.
not_there() {   # TREE
	rm -f "$work/run" "$work/nightly"
	listed "$1" @ | while IFS=$tab read -r command reference; do
		words=${reference#* * }
		name=${reference#* }
		name=${name%% *}
		script=nightly
		case $reference in
		'test '*) grep -qsF -e "$words" "$1/$name" ;;
		'ci '* | 'nightly '*)
			[ "${reference%% *}" = nightly ] || script=run
			[ ! -e "$1/.ci" ] || {
				[ -e "$work/$script" ] || bash "$1/.ci/$script" --list >"$work/$script" 2>&1
				grep "^$name [0-9]* " "$work/$script" | grep -qF -e "$words"
			}
			;;
		*) false ;;
		esac || echo "$command: $reference"
	done
}

# --- a tree with one mistake of each kind ------------------------------------------------------------------------------

made=$work/made
mkdir -p "$made/bench" "$made/test/man" "$made/.ci"
cat >"$made/README.md" <<'END'
Text, `qtrun` and `make good`, and `make planted`.

    bench/good --n 1        # what it is
    planted --in | a-block

```c
    make inside a program
```
END
cat >"$made/HACKING.md" <<'END'
| `QTI_X=1 make table` | `no command` |

    a   picture
END
echo '`./planted`, but `QT_X=1 ./planted`' >"$made/bench/README.md"
cat >"$made/test/man/commands.list" <<'END'
$ make good
@ ci good good
@ nightly good better
@ test bench/README.md but
@ test bench/README.md nor
$ bench/good --n 1
= bench/good
$ QTI_X=1 make table
$ make gone
= true
$ make good
END
for script in run nightly; do
	echo 'echo "good 10 make good"' >"$made/.ci/$script"
done

# finds CHECK TEXT...: each text is a line of what it says, and there are no others.
finds() {
	check=$1
	shift
	"$check" "$made" >"$work/said"
	printf '%s\n' "$@" | diff - "$work/said" >"$work/log"
	report $? "$check finds what is wrong"
}

finds not_run 'commands.list: nothing is said of QTI_X=1 make table' 'README.md:1: no stage runs make planted' \
	'README.md:4: no stage runs planted --in | a-block' 'bench/README.md:1: no stage runs QT_X=1 ./planted'
finds not_shown 'no document shows make gone' 'twice in commands.list: make good'
if command -v bash >/dev/null; then
	finds not_there 'make good: nightly good better' 'make good: test bench/README.md nor'
else
	skip "not_there finds what is wrong" "no bash"
fi

# --- this one ----------------------------------------------------------------------------------------------------------

nothing() {     # CHECK NAME
	"$1" "$top" >"$work/log"
	report_empty "$2"
}

nothing not_run "some stage runs each command of the documents"
nothing not_shown "a document shows each command of the list, which has it once"
if command -v bash >/dev/null; then
	nothing not_there "stages have the commands that the list sends there"
else
	skip "stages have the commands that the list sends there" "no bash"
fi
[ "$(shown "$top" | wc -l)" -gt 50 ]
report $? "there is something to check"
if [ -n "${QTI_COMMANDS:-}" ]; then
	. "$top/test/man/run-commands.sh"
fi
finish
