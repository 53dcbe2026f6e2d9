#!/bin/sh
# test/model/run.sh -- has spin look at every course that the protocols can take.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: run.sh [MODEL...]         (MODEL or MODEL.pml; all without)
#
# A model that holds says little if it could not fail: each is also run with one step of the protocol left out, and then
# has to.  With QTI_MODEL=full larger settings are looked at as well, for minutes and with some gigabytes of memory.

here=${abs_top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}/test/model
number=0
failed=0

plan_skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

command -v spin >/dev/null || plan_skip_all "spin is not installed"
# The models are the same however the library is built.
[ -z "${SANITIZER_FLAGS:-}${QTI_TEST_BRIEF:-}" ] || plan_skip_all "models run with the whole of the tests"

work=$(mktemp -d "${TMPDIR:-/tmp}/qti-model.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

report() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		failed=$((failed + 1))
		sed 's/^/# /' "$work/log"
	fi
}

# explore MODEL OPTION FLAG...: what the verifier says goes to log.  0: no course goes wrong; 1: one does; 2: neither
# could be found out.  What takes a second to explore is not worth five to optimize.
explore() {
	model=$1 option=$2
	shift 2
	(
		cd "$work" && cp "$here/$model.pml" . &&
			spin -a "$@" "$model.pml" &&
			${CC:-cc} -O$optimize -w -DSAFETY -DCOLLAPSE -DMEMLIM="$megabytes" \
				-o pan pan.c &&
			./pan "$option" -m100000 -w20
	) >"$work/log" 2>&1
	if grep -q 'assertion violated\|invalid end state (' "$work/log"; then
		return 1
	fi
	grep -q 'errors: 0$' "$work/log" || return 2
	! grep -q 'max search depth too small\|reached -DMEMLIM\|out of memory' "$work/log" || return 2
}

holds() {
	what=$1
	shift
	explore "$@"
	report $? "$what ($(sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' "$work/log") states)"
}

fails() {
	what=$1
	shift
	explore "$@"
	[ $? -eq 1 ]
	report $? "$what"
}

# Of protocols that test/check has run as they are in the sources, with each memory order left out in turn: there one step
# left out shows that the model can fail, and the others take a second each.
fails_in_full() {
	[ "${QTI_MODEL:-}" != full ] || fails "$@"
}

# A worker that sleeps for ever is no error by itself, so -E; the deque's processes have to come to their ends (-n only
# shortens the log).
deque() {
	holds "deque: owner and thief, $1" deque -n $2
}

park() {
	holds "park: $1" park -E $2
}

lfqueue() {
	holds "lfqueue: $1" lfqueue -n $2
}

# Whether larger settings are asked for: what follows is worth optimizing, and takes more memory.
larger() {
	optimize=2
	megabytes=${QTI_MODEL_MB:-8000}
	[ "${QTI_MODEL:-}" = full ]
}

look_at_deque() {
	deque "three operations" "-DOPS=3"
	deque "around a ring of two" "-DRING=2 -DLIMIT=2 -DOPS=3"
	fails_in_full "deque: without the heavy fence a task runs twice" deque -n -DOPS=3 -DNO_HEAVY
	fails_in_full "deque: without the claimer's announcement too" deque -n -DOPS=3 -DNO_CLAIMING
	fails_in_full "deque: without drawing the split back too" deque -n -DOPS=3 -DNO_DRAW_BACK
	fails_in_full "deque: without looking at top before a slot is used again too" deque -n -DRING=2 -DLIMIT=2 -DOPS=4 -DNO_LIMIT
	fails_in_full "deque: without looking behind claimed slots a final steal misses tasks" deque -n -DOPS=3 -DNO_LOOK_AGAIN
	larger || return 0
	deque "four operations" "-DOPS=4"
	deque "around a ring of two, four operations" "-DRING=2 -DLIMIT=2 -DOPS=4"
	deque "five operations" "-DOPS=5"
	deque "around a ring of two, five operations" "-DRING=2 -DLIMIT=2 -DOPS=5"
	deque "two thieves" "-DTHIEVES=2 -DSTEALS=1 -DOPS=2"
	deque "two thieves, three operations" "-DTHIEVES=2 -DSTEALS=1 -DOPS=3"
}

look_at_park() {
	two="-DWORKERS=2 -DTASKS=2 -DOUTSIDE=1"
	three="-DWORKERS=3 -DTASKS=2 -DOUTSIDE=0"
	park "two workers and a thread outside" "$two"
	fails "park: without the heavy fence a worker sleeps on a task" park -E $two -DNO_HEAVY
	fails_in_full "park: without a last look too" park -E $two -DNO_FINAL_LOOK
	fails_in_full "park: without passing the search on too" park -E $three -DNO_PASS_ON
	fails_in_full "park: without waiting for the shepherd's thief too" park -E $three -DTRY_THIEF
	larger || return 0
	fails "park: without telling what was brought home too" park -E $three -DNO_NOTICE
	fails "park: without the fence before relying on a searcher too" park -E $three -DNO_FENCE
	park "shepherds of one and two workers" "$three"
	park "two workers, of which none is kept busy" "$two -DBUSY=0"
	park "shepherds of two workers and one" "$three -DFIRST_OF_1=2"
	park "one shepherd of three workers" "$three -DFIRST_OF_1=3"
	park "three workers, of which none is kept busy" "$three -DBUSY=0"
}

look_at_duty() {
	holds "duty: a shepherd leaves and comes back" duty -E -DTASKS=1
	fails "duty: without the heavy fence a task stays behind" duty -E -DTASKS=1 -DNO_HEAVY
	fails "duty: without looking for the stand-in after a push too" duty -E -DTASKS=1 -DNO_CHECK
	fails "duty: without waking who has left too" duty -E -DTASKS=1 -DNO_FORWARD
	fails "duty: without handing on what is queued too" duty -E -DTASKS=1 -DNO_HAND_ON
	larger || return 0
	holds "duty: two tasks a pusher" duty -E -DTASKS=2
}

look_at_rows() {
	holds "rows: a producer, an owner and a rescuer" rows -E
	fails "rows: without the heavy fence before it parks an owner sleeps on a task" rows -E -DNO_HEAVY_PARK
	fails "rows: without telling the owner too" rows -E -DNO_NOTIFY
	fails "rows: without telling anybody of an open task it waits behind another" rows -E -DNO_ANY
	fails "rows: without the rescuer's heavy fence a task runs twice" rows -E -DNO_HEAVY_RESCUE
	fails "rows: without its waiting for the owner too" rows -E -DNO_WAIT
	fails "rows: without its shutting the row too" rows -E -DNO_SHUT
	fails "rows: when what was opened is summed up first a rescuer sleeps on a task" rows -E -DOPENED_FIRST
	larger || return 0
	holds "rows: three tasks" rows -E -DTASKS=3
}

look_at_request() {
	holds "request: three thieves of one victim" request -E -DTHIEVES=3
	holds "request: two thieves, and tasks as they are created" request -E -DREDIRECT
	fails "request: without raising the round a request is served twice" request -E -DNO_RAISE
	fails "request: when one of any round is served too" request -E -DANY_ROUND
	fails "request: without asking again a thief is never heard" request -E -DNO_RETRY
	fails "request: when a victim waits for tasks to create nobody else is" request -E -DREDIRECT -DNO_TIMEOUT
}

look_at_combine() {
	crowd="-DTHREADS=3 -DREQUESTS=2 -DOBJECTS=1"
	holds "combine: two threads and two objects" combine -n
	holds "combine: three threads and one object" combine -n $crowd
	fails_in_full "combine: without one swap two requests get one node" combine -n -DTORN_SWAP
	fails_in_full "combine: without preparing a node before the swap a request is lost" combine -n -DLATE_CLEAR
	fails_in_full "combine: and there are two holders" combine -n -DLATE_WAIT
	fails_in_full "combine: when the request is announced before it is written it is not seen" combine -n -DEARLY_NEXT
	fails_in_full "combine: when the answer is announced before it is written it is not there" combine -n -DEARLY_SERVED
	fails_in_full "combine: when the object is read before the state it is an old one" combine -n -DMOST=1 -DEARLY_HOLD
	fails_in_full "combine: when a node is read after its owner was told, it is another request's" combine -n -DLATE_NEXT
	fails_in_full "combine: without passing on who waits waits for ever" combine -n -DNO_PASS
	fails_in_full "combine: without a limit a holder serves more than it is to" combine -n $crowd -DNO_LIMIT
	larger || return 0
	holds "combine: three threads and two objects" combine -n -DTHREADS=3 -DREQUESTS=2
}

look_at_barrier() {
	extra="-DCOMERS=4 -DSIZE=2 -DPASSES=1 -DLEAVES"
	holds "barrier: three twice, in two leaves" barrier -n
	holds "barrier: two twice, in one leaf" barrier -n -DCOMERS=2 -DSIZE=2 -DLEAVES=1
	holds "barrier: two at a barrier for one" barrier -n -DCOMERS=2 -DSIZE=1 -DPASSES=2 -DLEAVES=1
	fails "barrier: without looking under the lock a waiter sleeps for ever" barrier -n -DNO_LOOK
	fails_in_full "barrier: without the round in their records waiters pass early" barrier -n -DNO_ROUND
	fails_in_full "barrier: without trying again who is one too many passes early" barrier -n $extra=1 -DNO_RETRY
	larger || return 0
	holds "barrier: three three times, in two leaves" barrier -n -DPASSES=3
	holds "barrier: four at a barrier for two, in one leaf" barrier -n $extra=1
	holds "barrier: four at a barrier for two, in two leaves" barrier -n $extra=2
}

look_at_tree() {
	holds "tree: three in a line" tree -n -DLINE -DTASKS=1
	holds "tree: two twice" tree -n -DMEMBERS=2 -DPASSES=2
	fails "tree: without a look after its record is there a member sleeps for ever" tree -n -DMEMBERS=2 -DNO_LOOK
	fails_in_full "tree: without the fence when it gathers its parent does" tree -n -DMEMBERS=2 -DNO_FENCE_UP
	fails_in_full "tree: without the fence when it is asked its child does" tree -n -DMEMBERS=2 -DNO_FENCE_DOWN
	fails_in_full "tree: when one wave is enough a task is left" tree -n -DMEMBERS=2 -DONE_WAVE
	fails_in_full "tree: without waiting for its children in the second wave a member is missed" tree -n -DOLD_SUMS
	fails_in_full "tree: without telling what changed within a wave the root waits for ever" tree -n -DMEMBERS=2 -DNO_UPDATE
	fails_in_full "tree: without rousing the sleeper on its thread a task's end is missed" tree -n -DMEMBERS=2 -DNO_ROUSE
	larger || return 0
	holds "tree: three in a line, two tasks" tree -n -DLINE
}

look_at_lfqueue() {
	lfqueue "a pusher and two poppers" -DPUSHES=2
	fails "lfqueue: without counting who is inside a freed segment is touched" lfqueue -n -DNO_INSIDE
	fails_in_full "lfqueue: without looking at its cells too" lfqueue -n -DNO_CELLS
	fails_in_full "lfqueue: without looking twice at what was recycled a pop says empty too soon" lfqueue -n -DNO_RECYCLED
	fails_in_full "lfqueue: when head may overtake tail elements are lost" lfqueue -n -DEARLY_MOVE
	larger || return 0
	lfqueue "three pushes" -DPUSHES=3
}

look_at_febread() {
	holds "febread: a slot of the word's own" febread -n
	holds "febread: a slot that is another word's" febread -n -DBESIDE
	fails_in_full "febread: without release stores a reader gets what no full word had" febread -n -DNO_RELEASE
	fails_in_full "febread: without acquiring the data before the second look too" febread -n -DNO_ACQUIRE
	fails_in_full "febread: without a fence before a caller's own stores too" febread -n -DNO_FENCE
	fails_in_full "febread: when the version wraps too" febread -n -DNO_EPOCH
	fails_in_full "febread: when the version wraps, beside another word, too" febread -n -DBESIDE -DNO_EPOCH
	fails_in_full "febread: when the epoch is loaded after the slot too" febread -n -DBESIDE -DLATE_EPOCH
	larger || return 0
	holds "febread: four changes" febread -n -DCYCLES=4
	holds "febread: four changes beside another word" febread -n -DBESIDE -DCYCLES=4
}

[ $# -gt 0 ] || set -- deque park duty rows request combine barrier tree lfqueue febread
for name; do
	name=${name##*/} optimize=0 megabytes=${QTI_MODEL_MB:-1500}
	"look_at_${name%.pml}" || failed=$((failed + $?))
done
echo "1..$number"
[ $failed -eq 0 ]
