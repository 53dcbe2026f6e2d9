#!/bin/sh
# test/tools/qtrun.sh -- qtrun puts its library in front, turns options into settings, and says in one line why it cannot.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The libraries here only have the names of libgomp and others: no OpenMP is needed.

. "${abs_top_srcdir:?}/test/tap.sh"
qtrun=${abs_top_builddir:?}/src/tools/qtrun
[ -x "$qtrun" ] || skip_all "qtrun is not built"
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
unset LD_AUDIT LD_PRELOAD LD_LIBRARY_PATH OMP_NUM_THREADS OMP_STACKSIZE OMP_PROC_BIND OMP_PLACES QT_SCHEDULER QT_STATS
cd "$work" || exit 1
chmod 711 .

# ---- Programs and libraries ------------------------------------------------------------------------------------------

build() {       # ARGUMENT...
	${CC:-cc} -O0 "$@" >"$work/log" 2>&1 && return
	echo "Bail out! cannot compile: $*"
	sed 's/^/# /' "$work/log"
	exit 1
}

library() {     # FILE SONAME NUMBER [ARGUMENT...]: one function, which returns the number
	echo "int which(void); int which(void) { return $3; }" >library.c
	file=$1 soname=$2
	shift 3
	build -shared -fPIC -Wl,-soname,"$soname" -o "$file" library.c "$@"
}

# Prints which library it got, its settings and its arguments; its status is $STATUS.
cat >user.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int which(void);
int main(int argc, char **argv)
{
	static const char *const names[] = {
		"QT_SCHEDULER", "OMP_NUM_THREADS", "OMP_STACKSIZE", "OMP_PROC_BIND", "OMP_PLACES", "QT_STATS",
	};
	printf("library %d", which());
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (getenv(names[i]))
			printf(" %s=%s", names[i], getenv(names[i]));
	for (int i = 1; i < argc; i++)
		printf(" [%s]", argv[i]);
	puts("");
	return getenv("STATUS") ? atoi(getenv("STATUS")) : 0;
}
END
echo 'int main(void) { return 0; }' >plain.c
echo 'int which(void); int main(void) { return which(); }' >asks.c
echo 'int which(void); int middle(void); int middle(void) { return which(); }' >middle.c
echo 'int middle(void); int main(void) { return middle(); }' >through.c

mkdir -p lib moved bin empty deep/er
rpath="-Wl,-rpath,$work/lib"
library lib/libgomp.so.1 libgomp.so.1 1
library front.so libgomp.so.1 2
library lib/libgomp-1a2b3c4d.so.1.0.0 libgomp-1a2b3c4d.so.1.0.0 3
library lib/libomp.so.5 libomp.so.5 4
library lib/libiomp5.so libiomp5.so 5
build -o user user.c lib/libgomp.so.1 "$rpath"
build -o plain plain.c
build -o renamed asks.c lib/libgomp-1a2b3c4d.so.1.0.0 "$rpath"
build -o llvm asks.c lib/libomp.so.5 "$rpath"
build -o intel asks.c lib/libiomp5.so "$rpath"
build -o both user.c -Wl,--no-as-needed lib/libgomp.so.1 lib/libomp.so.5 "$rpath"
build -shared -fPIC -Wl,-soname,libmiddle.so -o lib/libmiddle.so middle.c lib/libgomp.so.1 "$rpath"
build -o bin/through through.c lib/libmiddle.so '-Wl,-rpath,$ORIGIN/../lib'
library gone.so libgone.so.7 6
build -o lost asks.c gone.so
library needy.so libgomp.so.1 7 plain.c -Wl,--no-as-needed gone.so
library moved/libgomp.so.99 libgomp.so.99 8
library front99.so libgomp.so.99 9
build -o bare user.c moved/libgomp.so.99        # nothing says where its libgomp is
build -o musl user.c lib/libgomp.so.1 "$rpath" -Wl,--dynamic-linker=/lib/ld-other.so.1

# The same with another header: 32-bit i386; a machine without a name.
patched() {     # FILE OFFSET BYTES
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
cp user i386
patched i386 4 '\001'
patched i386 18 '\003\000'
cp user strange
patched strange 18 '\376\177'

QTRUN_LIBRARY=$work/front.so
export QTRUN_LIBRARY

# ---- Checks ----------------------------------------------------------------------------------------------------------

# prints STATUS LINE NAME ARGUMENT...: qtrun with these arguments prints just that, and ends with that status.
prints() {
	want=$1 line=$2 name=$3
	shift 3
	"$qtrun" "$@" >out 2>err
	status=$?
	{ echo "status $status"; cat out err; } >log
	[ $status -eq "$want" ] && [ "$(cat out)" = "$line" ] && [ ! -s err ]
	report $? "$name"
}

# fails STATUS PATTERN NAME ARGUMENT...: one line on stderr, which the pattern fits, and that status.
fails() {
	want=$1 pattern=$2 name=$3
	shift 3
	"$qtrun" "$@" >out 2>err
	status=$?
	{ echo "status $status"; cat out err; } >log
	[ $status -eq "$want" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^qtrun: .*$pattern" err
	report $? "$name"
}

# Options.
prints 0 'library 2' "the library is in front" ./user
prints 0 'library 2 QT_SCHEDULER=ws' "--scheduler sets QT_SCHEDULER" --scheduler ws ./user
prints 0 'library 2 OMP_NUM_THREADS=3' "--workers sets OMP_NUM_THREADS" --workers 3 ./user
prints 0 'library 2 OMP_NUM_THREADS=4,2' "--workers takes a number for each level" --workers 4,2 ./user
prints 0 'library 2 OMP_STACKSIZE=16M' "--stack sets OMP_STACKSIZE" --stack=16M ./user
prints 0 'library 2 OMP_PROC_BIND=spread' "--bind sets OMP_PROC_BIND" --bind spread ./user
prints 0 'library 2 OMP_PROC_BIND=false' "--bind no unbinds" --bind no ./user
prints 0 'library 2 OMP_PROC_BIND=true' "--bind yes binds" --bind yes ./user
prints 0 'library 2 OMP_PROC_BIND=master' "--bind primary is the older word" --bind primary ./user
prints 0 'library 2 OMP_PLACES=cores(2)' "--places sets OMP_PLACES" --places 'cores(2)' ./user
prints 0 'library 2 OMP_PLACES={0,1},{2}' "--places takes a list" --places '{0,1},{2}' ./user
prints 0 'library 2 QT_STATS=yes' "--stats sets QT_STATS" --stats ./user
prints 0 'library 2 [--workers] [3] [a b] []' "what follows the program is the program's" ./user --workers 3 'a b' ''
prints 0 'library 2 [--stats]' "-- ends the options" -- ./user --stats
OMP_NUM_THREADS=5 prints 0 'library 2 OMP_NUM_THREADS=5' "the environment's settings stay" ./user
OMP_NUM_THREADS=5 prints 0 'library 2 OMP_NUM_THREADS=6' "an option overrides the environment's" --workers 6 ./user
STATUS=7 prints 7 'library 2' "the program's exit status is qtrun's" ./user

fails 2 '--scheduler fifo: allowed: .*mts' "an unknown scheduler" --scheduler fifo ./user
sed -n 's/^qtrun: .*allowed: //p' err | tr ' ' '\n' | sort >allowed
sed -n 's/.*\.name = "\([a-z-]*\)".*/\1/p' "$top"/src/sched/*.c | sort | diff allowed - >log
report $? "--scheduler allows the schedulers that there are"
for value in 0 -1 ' 1' 1,,2 1, 2x '' 99999999999 99999999999999999999; do
	fails 2 '--workers .*allowed: a number' "--workers '$value'" --workers "$value" ./user
done
for value in 16 16K 15B 0 8X 8MB M -8M '' 2048G 99999999999999999999G 18446744073709551615; do
	case $value in
	16 | 16K) prints 0 "library 2 OMP_STACKSIZE=$value" "--stack $value" --stack $value ./user ;;
	*) fails 2 '--stack .*allowed: 16K to' "--stack '$value'" --stack "$value" ./user ;;
	esac
done
for value in true nobody ''; do
	fails 2 '--bind .*allowed: no, yes' "--bind '$value'" --bind "$value" ./user
done
for value in core 'cores(' 'cores()' 'cores(0)' 'cores(2)x' 'cores 2' ''; do
	fails 2 '--places .*allowed: threads, cores' "--places '$value'" --places "$value" ./user
done
fails 2 "unrecognized option '--turbo'" "an unknown option" --turbo ./user
fails 2 "option '--workers' requires an argument" "an option without its value" --workers
fails 2 "doesn't allow an argument" "a value where none belongs" --stats=yes ./user
fails 2 'no program given' "no program" --workers 3
fails 2 'no program given' "nothing at all"

"$qtrun" --version >log
grep -qx "qtrun (libqthread) [0-9.]*" log
report $? "--version"
"$qtrun" --help >log && sed -n 's/^ *\(--[a-z-]*\).*/\1/p' log | sort >options
sed -n 's/^\.It Fl Fl \([a-z-]*\).*/--\1/p' "$top/man/qtrun.1" | sort | diff options - >log && [ -s options ]
report $? "--help and the manual have the same options"

# --dry-run.
prints 0 "LD_PRELOAD=$work/front.so QT_SCHEDULER=l OMP_PLACES='cores(2)' QT_STATS=yes ./user 'a '\\''b' ''" \
	"--dry-run prints the command" --dry-run --scheduler l --places 'cores(2)' --stats ./user "a 'b" ''
sh -c "$(cat out)" >log
[ "$(cat log)" = "library 2 QT_SCHEDULER=l OMP_PLACES=cores(2) QT_STATS=yes [a 'b] []" ]
report $? "a shell runs what --dry-run prints"
fails 125 'not linked with libgomp' "--dry-run checks, too" --dry-run ./plain

# Where programs are.
cp user bin/tool
PATH=$work/bin:$PATH prints 0 'library 2' "a program in PATH" tool
PATH=/nonexistent::$PATH prints 0 'library 2' "an empty entry of PATH is the current directory" user
mkdir bin/directory
fails 127 'nonesuch: no such program in PATH' "a program that is not in PATH" nonesuch
PATH=$work/bin:$PATH fails 127 'no such program' "a directory in PATH is no program" directory
fails 127 'No such file' "a file that is not there" ./nonesuch
fails 127 'Not a directory' "a path through a file" ./user/x
fails 127 'no such program' "an empty name" ''
fails 126 'Is a directory' "a directory" ./bin
echo text >text
fails 126 'Permission denied' "a file that may not be executed" ./text
cp text bin/qtrun-text
PATH=$work/bin:$PATH fails 126 'Permission denied' "and one in PATH" qtrun-text
chmod +x text
fails 126 'neither a program nor a script' "a file that is no program" ./text
: >empty/file
chmod +x empty/file
fails 126 'neither a program nor a script' "an empty file" empty/file
printf '#! \t\n' >empty/script
chmod +x empty/script
fails 126 'neither a program nor a script' "a script of nobody" empty/script
head -c 30 user >empty/elf
chmod +x empty/elf
fails 125 'linked statically' "the first bytes of a program" empty/elf

# What programs use.
prints 2 '' "a library of the program uses libgomp" bin/through
ln -s ../../bin/through deep/er/linked
prints 2 '' "\$ORIGIN is where the file is, not a link to it" deep/er/linked
prints 2 '' "a copy of libgomp under another name" ./renamed
QTRUN_LIBRARY=$work/front99.so prints 0 'library 9' "libgomp itself need not be there" ./bare
fails 125 'plain is not linked with libgomp, libomp or libiomp5;.*--force' "a program that does not use libgomp" ./plain
prints 2 '' "a program that uses LLVM's libomp" ./llvm
prints 2 '' "a program that uses Intel's libiomp5" ./intel
prints 0 'library 2' "a program that uses both" ./both

# Who uses which: a name of OpenMP's, from the library in front or from another one that has a name alone.
echo 'int GOMP_which(void); int omp_other(void); int GOMP_which(void) { return 1; } int omp_other(void) { return 1; }' >two.c
echo 'int GOMP_which(void); int GOMP_which(void) { return 2; }' >one.c
echo 'int GOMP_which(void); int main(void) { return GOMP_which() != 2; }' >calls1.c
echo 'int GOMP_which(void); int omp_other(void); int main(void) { return GOMP_which() != 2 || omp_other() != 1; }' >calls2.c
mkdir -p why/front why/back
build -shared -fPIC -Wl,-soname,libgomp.so.1 -o why/front/libgomp.so.1 one.c
build -shared -fPIC -Wl,-soname,libomp.so.5 -o why/back/libomp.so.5 two.c
build -o calls1 calls1.c why/back/libomp.so.5 "-Wl,-rpath,$work/why/back"
build -o calls2 calls2.c why/back/libomp.so.5 "-Wl,-rpath,$work/why/back"
here=$(pwd -P)
QTRUN_LIBRARY=$work/why/front/libgomp.so.1 prints 0 "$here/why/front/libgomp.so.1 (libqomp)
	$here/calls1: 1 name of it, GOMP_which
$here/why/back/libomp.so.5
	nobody uses it" "--why: a runtime that is there and not used" --why ./calls1
QTRUN_LIBRARY=$work/why/front/libgomp.so.1 "$qtrun" --why ./calls2 >out 2>log
[ $? -eq 1 ] && grep -A1 "^$here/why/back/libomp.so.5$" out | grep -q "	$here/calls2: 1 name of it, omp_other"
report $? "--why: who uses another runtime as well, and status 1"
QTRUN_LIBRARY=$work/why/front/libgomp.so.1 "$qtrun" ./calls2 2>log &&
	grep -q "^qtrun: $here/calls2 uses $here/why/back/libomp.so.5 beside libqomp" log
report $? "without --why it runs, and that is said"
# Of files alone: a library, what is missing, and what is neither.
build -shared -fPIC -o why/libcalls.so -x c calls1.c -x none why/back/libomp.so.5 "-Wl,-rpath,$work/why/back"
chmod -x why/libcalls.so
QTRUN_LIBRARY=$work/why/front/libgomp.so.1 prints 0 "$here/why/front/libgomp.so.1 (libqomp)
	$here/why/libcalls.so: 1 name of it, GOMP_which
$here/why/back/libomp.so.5
	nobody uses it" "--why: a library, which need not be executable" --why why/libcalls.so
QTRUN_LIBRARY=$work/why/front/libgomp.so.1 "$qtrun" --why=files ./lost argument >out 2>log
[ $? -eq 0 ] && [ "$(cat log)" = "qtrun: ./lost needs libgone.so.7, which is not found: what follows is without it" ] &&
	grep -q 'nobody uses it' out
report $? "--why=files runs nothing, and says what is missing"
chmod +x calls1.c
fails 126 'calls1.c is neither a program nor a shared library' "--why: a file that is neither" --why ./calls1.c
fails 125 'i386 is a 32-bit i386 program' "--why: a file for another machine" --why ./i386
fails 2 '--why=maybe: allowed: files or run' "--why: neither files nor run" --why=maybe ./calls1
fails 2 '--why=run with --dry-run' "--why=run: not with --dry-run" --why=run --dry-run ./calls1

# Of a run: what is loaded as it goes.
cat >late.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static void *get(const char *how, const char *file)
{
	if (strcmp(how, "apart") == 0)
		return dlmopen(LM_ID_NEWLM, file, RTLD_NOW);
	return dlopen(file, RTLD_NOW | RTLD_LOCAL | (strcmp(how, "deep") == 0 ? RTLD_DEEPBIND : 0));
}
int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		fflush(stdout);
		if (strcmp(argv[i], "kill") == 0)
			kill(getpid(), SIGKILL);
		for (int n = 3; n > 0; n--) {
			void *library = get(argv[i], argv[i + 1]);
			int (*plugin)(void) = library ? (int (*)(void))dlsym(library, "plugin") : NULL;
			if (!plugin) {
				puts(dlerror());
				return 1;
			}
			if (n == 1)
				printf("%d\n", plugin());
			dlclose(library);
		}
	}
	return argc % 2 ? 0 : 9;
}
END
echo 'int GOMP_which(void); int plugin(void); int plugin(void) { return GOMP_which(); }' >plugin.c
echo 'int GOMP_which(void); int GOMP_which(void) { return 3; }' >three.c
copy=libgomp-a34b3233.so.1.0.0
build -shared -fPIC -Wl,-soname,$copy -o why/$copy three.c
build -shared -fPIC -o why/plugin.so plugin.c why/$copy "-Wl,-rpath,$work/why"
build -o late late.c -ldl
cat >cancelled.c <<'END'
#include <pthread.h>
#include <stdio.h>
int GOMP_which(void);
static int which;
static void *run(void *unused)
{
	pthread_cancel(pthread_self());
	which = GOMP_which();
	return unused;
}
int main(void)
{
	pthread_t thread;
	int wrong = pthread_create(&thread, NULL, run, NULL) != 0 || pthread_join(thread, NULL) != 0;
	printf("%d\n", which);
	return wrong;
}
END
cat >ignoring.c <<'END'
#include <signal.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct sigaction was;
	if (argc == 1)
		return sigaction(SIGCHLD, NULL, &was) != 0 || was.sa_handler != SIG_IGN;
	signal(SIGCHLD, SIG_IGN);
	return execv(argv[1], argv + 1);
}
END
build -o ignoring ignoring.c
build -Wl,-z,lazy -o cancelled cancelled.c why/front/libgomp.so.1 -pthread

# watched STATUS OUTPUT REPORT NAME ARGUMENT...: as prints, with what stands on stderr, where P is the process.
watched() {
	want=$1 output=$2 line=$3 name=$4
	shift 4
	{
		QTRUN_LIBRARY=$work/why/front/libgomp.so.1 QTRUN_AUDIT=$audit "$qtrun" "$@" >out 2>err
		status=$?
	} 2>shell                                       # which may say what has been killed, there or to err
	sed '/^Killed$/d; s/(process [0-9]*)/(process P)/' err >said
	{ echo "status $status"; cat out said; } >log
	[ $status -eq "$want" ] && [ "$(cat out)" = "$output" ] && [ "$(cat said)" = "$line" ]
	report $? "$name"
}

audit=${abs_top_builddir:?}/src/tools/.libs/qtrun-audit.so
in_front="$here/why/front/libgomp.so.1 (libqomp)"
idle="$in_front
	nobody uses it"
linked="$here/why/$copy
	$here/why/plugin.so is linked with it
	nobody uses it"
if [ ! -e "$audit" ] || [ -n "$SANITIZER_FLAGS" ]; then
	skip "--why=run" "nothing that the loader could take into a plain program"
else
	watched 0 2 "qtrun: $here/late (process P): one OpenMP runtime at work: libqomp
$in_front
	$here/why/plugin.so: 1 name of it, GOMP_which
$linked" "--why: a copy of libgomp that a plugin brings, which ours is in front of" --why ./late plain why/plugin.so
	watched 9 3 "qtrun: $here/late (process P): one OpenMP runtime at work: $here/why/$copy, which is not libqomp
$idle
$here/why/$copy
	$here/why/plugin.so: 1 name of it, GOMP_which" \
		"--why: one that ours is not in front of; the program's status" --why -- ./late deep why/plugin.so more
	watched 0 "2
3" "qtrun: $here/late (process P): several OpenMP runtimes at work, with threads of its own each: \
$here/why/front/libgomp.so.1, $here/why/$copy
$in_front
	$here/why/plugin.so: 1 name of it, GOMP_which
$linked
$here/why/$copy (in a namespace of its own)
	$here/why/plugin.so: 1 name of it, GOMP_which" \
		"--why: two runtimes" --why ./late plain why/plugin.so apart why/plugin.so
	watched 137 2 "qtrun: $here/late (process P): one OpenMP runtime at work: libqomp
$in_front
	$here/why/plugin.so: 1 name of it, GOMP_which
$linked" "--why: a program that is killed" --why ./late plain why/plugin.so kill kill
	watched 0 '' "qtrun: $here/plain (process P): no OpenMP runtime at work
$idle" "--why=run: a program that has none" --why=run ./plain
	cat >both.sh <<'END'
#!/bin/sh
./late plain why/plugin.so
exec ./late deep why/plugin.so
END
	chmod +x both.sh
	watched 0 "2
3" "qtrun: $here/late (process P): one OpenMP runtime at work: libqomp
$in_front
	$here/why/plugin.so: 1 name of it, GOMP_which
$linked
qtrun: $here/late (process P): one OpenMP runtime at work: $here/why/$copy, which is not libqomp
$idle
$here/why/$copy
	$here/why/plugin.so: 1 name of it, GOMP_which" "--why: programs that a script starts, and becomes" --why=run ./both.sh
	QTRUN_LIBRARY=$work/front.so QTRUN_AUDIT=$audit "$qtrun" --why sh -c \
		'trap "exit 5" TERM; kill -TERM $PPID; while :; do :; done' >out 2>log
	[ $? -eq 5 ]
	report $? "--why: a signal for qtrun is one for the program"
	watched 0 2 "qtrun: $here/cancelled (process P): one OpenMP runtime at work: libqomp
$in_front
	$here/cancelled: 1 name of it, GOMP_which" "--why: a thread that is to be cancelled is not, when it calls a runtime" \
		--why=run ./cancelled
	QTRUN_LIBRARY=$work/front.so QTRUN_AUDIT=$audit ./ignoring "$qtrun" --why=run sh -c 'exit 5' >out 2>log
	[ $? -eq 5 ]
	report $? "--why: the program's status, whoever ignores how children end"
	echo mine >file
	LD_AUDIT=$audit QTRUN_WHY_LOG=$work/file ./user >/dev/null 2>log &&
		[ "$(cat file)" = mine ]
	report $? "--why: what has come to be where the log was is not written to"
	QTRUN_AUDIT=$work/nonesuch fails 125 'QTRUN_AUDIT=.*nonesuch: No such file' "--why=run without its library" \
		--why=run ./user
	QTRUN_AUDIT=$audit fails 126 'late.c: Permission denied' "--why: what cannot be run" --why ./late.c argument
fi

ln -s libgomp.so.1 why/front/libomp.so.5
QTRUN_LIBRARY=$work/why/front/libgomp.so.1 prints 0 \
	"LD_PRELOAD=$here/why/front/libgomp.so.1 LD_LIBRARY_PATH=$work/why/front ./calls1" \
	"the directory of the library's other names comes first" --dry-run ./calls1
fails 127 'lost needs libgone.so.7, which is not found' "a library of the program is missing" ./lost
prints 0 '' "--force runs a program that does not use libgomp" --force ./plain
QTRUN_LIBRARY=$work/front.so ./ignoring "$qtrun" --force ./ignoring 2>log
report $? "signals that were ignored are ignored"
cat >starts.sh <<'END'
#!/bin/sh
./user from "$0"
END
chmod +x starts.sh
fails 125 'starts.sh is run by /.*sh, which is not linked with libgomp' "a script whose interpreter does not" ./starts.sh
prints 0 'library 2 [from] [./starts.sh]' "with --force it gives the library to what it starts" --force ./starts.sh
echo "#! $work/user  one two " >script
echo "#!$work/script" >script2
echo "#!/usr/bin/env -S X=1 user" >script3
chmod +x script script2 script3
prints 0 'library 2 [one two] [./script]' "a script's interpreter is looked at" ./script
prints 0 "library 2 [one two] [$work/script] [./script2]" "and the interpreter's interpreter" ./script2
PATH=$work:$PATH prints 0 'library 2 [./script3]' "and what env finds in PATH" ./script3
echo "#!$work/nonesuch" >script
fails 127 'nonesuch: No such file' "a script whose interpreter is not there" ./script
echo "#!$work/loop" >loop
chmod +x loop
fails 126 'loop is neither a program' "a script that is its own interpreter" ./loop

# What the library cannot be loaded into.
fails 125 'i386 is a 32-bit i386 program, libqomp is for 64-bit' "a 32-bit program" ./i386
fails 125 'strange is a 64-bit machine number 32766 program' "a program for another machine" ./strange
fails 125 'for another C library (its loader is /lib/ld-other.so.1' "a program for another C library" ./musl
if ${CC:-cc} -static -o static plain.c 2>/dev/null; then
	fails 125 'static is linked statically' "a static program" ./static
	prints 0 '' "--force runs it: it may start others" --force ./static
else
	skip "a static program" "cannot link one"
	skip "--force runs it: it may start others" "cannot link one"
fi

# Privileges that make the loader ignore LD_PRELOAD.
fresh() {
	rm -f special && cp user special
}
privileged() {  # HOW NAME COMMAND...: which gives them to a copy of the program
	how=$1 what=$2
	shift 2
	fresh
	if [ "$(id -u)" -eq 0 ] && "$@" 2>/dev/null; then
		fails 125 "special $how.*: the loader preloads nothing" "$what" ./special
		fails 125 "special $how.*: the loader preloads nothing" "$what, and --force does not help" --force ./special
	else
		skip "$what" "not root"
		skip "$what, and --force does not help" "not root"
	fi
}
set_user() {
	chown 12345 special && chmod u+s special
}
set_group() {
	chgrp 12345 special && chmod g+s special
}
if [ "$(findmnt -no OPTIONS -T "$work" 2>/dev/null | grep -c nosuid)" -ne 0 ]; then
	skip "set-user-ID and set-group-ID" "they do not count in $work"
else
	privileged 'runs as another user' "a set-user-ID program" set_user
	privileged 'runs as another group' "a set-group-ID program" set_group
fi
fresh
chmod u+s special
prints 0 'library 2' "a set-user-ID program of one's own is like any other" ./special
fresh
cp "$qtrun" qtrun
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null && setcap cap_net_raw+ep special 2>/dev/null &&
	setpriv --reuid=12345 --regid=12345 --clear-groups ./qtrun --version >/dev/null 2>&1; then
	setpriv --reuid=12345 --regid=12345 --clear-groups ./qtrun ./special >log 2>&1
	[ $? -eq 125 ] && grep -q 'special has capabilities of its own' log
	report $? "a program with capabilities"
	prints 0 'library 2' "which root has anyhow" ./special
else
	skip "a program with capabilities" "cannot make one"
	skip "which root has anyhow" "cannot make one"
fi

# The library.
QTRUN_LIBRARY=front.so prints 0 "LD_PRELOAD=$work/front.so ./user" "QTRUN_LIBRARY may be a relative path" --dry-run ./user
QTRUN_LIBRARY=nonesuch.so fails 125 'QTRUN_LIBRARY=nonesuch.so: No such file' "QTRUN_LIBRARY is not there" ./user
QTRUN_LIBRARY=$work/text fails 125 'text is not a shared library' "QTRUN_LIBRARY is something else" ./user
cp front.so other.so
patched other.so 18 '\376\177'
QTRUN_LIBRARY=$work/other.so fails 125 'other.so is not a shared library for this machine' \
	"QTRUN_LIBRARY is for another machine" ./user
mkdir 'a b'
cp front.so 'a b'
QTRUN_LIBRARY="a b/front.so" fails 125 'LD_PRELOAD cannot hold' "QTRUN_LIBRARY has a blank" ./user
QTRUN_LIBRARY=$work/needy.so fails 125 'needy.so needs libgone.so.7, which is not found' \
	"the library needs one that is not there" ./user
case $SANITIZER_FLAGS in
*address*)
	skip "the library is there once, before other preloads" "the sanitizer's library insists on being the first"
	skip "qtrun may run qtrun" "the sanitizer's library insists on being the first"
	;;
*)
	LD_PRELOAD=$work/front.so:$work/gone.so prints 0 "LD_PRELOAD=$work/front.so:$work/gone.so ./user" \
		"the library is there once, before other preloads" --dry-run ./user
	prints 0 'library 2 OMP_NUM_THREADS=3 QT_STATS=yes' "qtrun may run qtrun" \
		--force --stats "$qtrun" --workers 3 ./user
	;;
esac

# The example of the manual, for GCC's library and on ours.
awk -v base="$work/page" -f "$top/test/man/examples.awk" "$top/man/qtrun.1"
ours=$abs_top_builddir/gomp/.libs/libgomp.so.1
if [ ! -e "$ours" ] || [ -n "$SANITIZER_FLAGS" ]; then
	skip "the example of the manual" "no shared library that a plain program could load"
elif ! "${OMPCC:-gcc}" -O1 -fopenmp -o sum page-1.c 2>log; then
	skip "the example of the manual" "no compiler with libgomp"
else
	QTRUN_LIBRARY=$ours prints 0 "$(cat page-1.out)" "the example of the manual" --workers 4 ./sum
fi

unset QTRUN_LIBRARY
if [ "$("$qtrun" --help | sed -n 's/^The library is \(.*\), or what .*/\1/p' | xargs ls 2>/dev/null)" ]; then
	skip "without QTRUN_LIBRARY the installed library is used" "it is installed"
else
	fails 125 '/libgomp.so.1: No such file or directory; is libqthread installed' \
		"without QTRUN_LIBRARY the installed library is used" ./user
fi

finish
