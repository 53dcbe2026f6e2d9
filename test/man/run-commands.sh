# test/man/run-commands.sh -- runs what commands.list says of the documents' commands; commands.sh reads this.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

build=${abs_top_builddir:?}
unset_settings
# What make has told its children is for them.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS QTI_TEST_TIMEOUT HWLOC_SYNTHETIC HWLOC_XMLFILE
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# directory NAME: of the Makefile's, such as libdir
directory() {
	for name in prefix exec_prefix datarootdir; do
		eval "$name=\"$(sed -n "s/^$name = //p" "$build/Makefile")\""
	done
	eval "echo \"$(sed -n "s/^$1 = //p" "$build/Makefile")\""
}
root=$work/root
prefix=$(directory prefix) bindir=$(directory bindir) libdir=$(directory libdir) mandir=$(directory mandir)
ours=$root$libdir/libqthread

# The build tree's files, in a directory of its own for what commands write.
mkdir -p "$work/build" "$work/user" "$work/bin"
for file in "$build"/* "$build/.libs"; do
	ln -s "$file" "$work/build/${file##*/}"
done

# Files for pkg-config say where the library is to be, not where it is now.
cat >"$work/bin/pkg-config" <<END
#!/bin/sh
exec $(command -v "${PKG_CONFIG:-pkg-config}") --define-variable=prefix='$root$prefix' "\$@"
END
chmod +x "$work/bin/pkg-config"
# Open MPI wants to hear that there are more ranks than cores.
cores=$(lscpu -p=CORE 2>/dev/null | grep -v '^#' | sort -u | wc -l)
[ "$cores" -gt 1 ] && [ "$(nproc 2>/dev/null || echo 1)" -gt 1 ] || for name in mpirun mpirun.openmpi; do
	[ -n "$(command -v $name)" ] || continue
	cat >"$work/bin/$name" <<END
#!/bin/sh
for argument; do
	shift
	case \$argument in
	core) argument=none ;;
	esac
	set -- "\$@" "\$argument"
done
exec $(command -v $name) --oversubscribe "\$@"
END
	chmod +x "$work/bin/$name"
done
cat >"$work/preamble" <<END
top='$top' build='$build' root='$root' prefix='$prefix' libdir='$libdir' mandir='$mandir' work='$work'
PATH='$work/bin:$root$bindir':\$PATH
PKG_CONFIG_PATH='$root$libdir/pkgconfig'
export PATH PKG_CONFIG_PATH
make() {
	command make -C "\$build" --no-print-directory "\$@"
}
# Whether a process may look into another one here.
can_attach() {
	command -v gdb || return
	sleep 30 &
	asleep=\$!
	gdb -batch -ex 'info inferiors' -p \$asleep 2>&1 | grep "process \$asleep" && can=0 || can=1
	kill \$asleep
	return \$can
}
END
cat >"$work/preamble-user" <<END
QTRUN_LIBRARY='$ours/libgomp.so.1' QTRUN_MPI_DIRECTORY='$ours' QTRUN_AUDIT='$ours/qtrun-audit.so'
LD_LIBRARY_PATH='$root$libdir'
export QTRUN_LIBRARY QTRUN_MPI_DIRECTORY QTRUN_AUDIT LD_LIBRARY_PATH
END

# snippet PLACE TEXT: a script that does it there, in $work/snippet.
snippet() {
	{
		cat "$work/preamble"
		[ "$1" != user ] || cat "$work/preamble-user"
		echo "$2"
	} >"$work/snippet"
}

# limited SECONDS DIRECTORY: runs the snippet there; what it prints is left in $work/out.
limited() {
	(cd "$2" && exec ${TIMEOUT:+"$TIMEOUT" -k 5 "$1"} sh -e "$work/snippet" </dev/null >"$work/out" 2>&1)
}

begin() {       # COMMAND
	command=$1 text='' prints='' need='' reason=''
}

# run_one: what has been read of one command.
run_one() {
	case $QTI_COMMANDS,$command in
	run,* | *,*"$QTI_COMMANDS"*) ;;
	*) return ;;
	esac
	if [ -n "$reason" ]; then
		skip "$command" "$reason"
		return
	fi
	[ -n "$text" ] || return
	where=$work/$place
	[ "$place" != source ] || where=$top
	if [ -n "$need" ] && snippet "$place" "$need" && ! limited 60 "$where"; then
		skip "$command" "not here: $need"
		return
	fi
	snippet "$place" "$text"
	limited 300 "$where"
	status=$?
	{
		echo "as: $text"
		[ $status -eq 0 ] || echo "status $status"
		printf '%s' "$prints" | while IFS= read -r pattern; do
			grep -qE -e "$pattern" "$work/out" || echo "prints nothing like: $pattern"
		done
	} >"$work/log"
	[ $status -eq 0 ] && ! grep -q '^prints nothing like: ' "$work/log"
	good=$?
	tail -n 30 "$work/out" >>"$work/log"
	report $good "$command"
}

# What the documents suppose that a user has.
programs() {
	cd "$work/user" || exit 1
	"$awk" -v base="$work/user/readme" -f "$top/test/man/examples.awk" "$top/README.md"
	cp readme-1.c fib.c
	cat >program.c <<'END'
#include <qthread/qthread.h>

static aligned_t one(void *arg)
{
	return *(aligned_t *)arg;
}

int main(void)
{
	aligned_t value = 1, got;

	return qthread_initialize() || qthread_fork(one, &value, &got) || qthread_readFF(NULL, &got);
}
END
	cat >waits.c <<'END'
#include <qthread/qthread.h>
#include <unistd.h>

int main(void)
{
	qthread_initialize();
	sleep(60);
	return 0;
}
END
	cat >total.c <<'END'
#include <stdio.h>

int main(void)
{
	long sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (long i = 0; i < 1000; i++)
		sum += i;
	printf("%ld\n", sum);
	return 0;
}
END
	cat >halo.c <<'END'
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int level, rank, own = 0, sum;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel for reduction(+ : own)
	for (int i = 0; i < 1; i++)
		own += rank;
	MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("sum %d\n", sum);
	return MPI_Finalize();
}
END
	echo 'import ctypes; print(ctypes.CDLL("libgomp.so.1").omp_get_max_threads())' >fit.py
	snippet user 'for name in program waits; do
		cc -o $name $name.c $(pkg-config --cflags --libs qthread)
	done'
	limited 60 "$work/user"
}

snippet build 'make DESTDIR="$root" install'
limited 300 "$work/build"
status=$?
tail -n 30 "$work/out" >"$work/log"
report $status "make DESTDIR=... install"
programs
status=$?
cp "$work/out" "$work/log"
report $status "programs are compiled against what is installed"

begin ''
place=user
while IFS= read -r line; do
	rest=${line#??}
	case $line in
	'# in '*)
		run_one
		begin ''
		place=${line#\# in }
		;;
	'$ '*)
		run_one
		begin "$rest"
		;;
	'= '*) text="$text${text:+
}$rest" ;;
	'> '*) prints="$prints$rest
" ;;
	'? '*) need=$rest ;;
	'- '*) reason=$rest ;;
	esac
done <"$top/test/man/commands.list"
run_one
