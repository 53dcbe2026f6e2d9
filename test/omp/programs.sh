#!/bin/sh
# test/omp/programs.sh -- programs that others compiled for GCC's library give the same results on ours, under qtrun.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Those of Debian's archive that are installed are run; the others are skipped, each by its package's name, and so is what
# has no OpenMP here, such as numpy on a BLAS with threads of its own, or does not run on libgomp either.  A program
# runs on libgomp and then on libqomp, with as many threads: the first result is what the second has to be.  Where a
# program adds up floating-point numbers in an order that depends on how its threads were dealt with, on libgomp too, the
# numbers may differ by what the program's line below says, and by nothing else.
#
# From the environment:
#   QTI_OMP_THREADS, QTI_OMP_SCHEDULERS, QTI_OMP_PROGRAMS   only these, and then every number under every scheduler
#   QTI_OMP_TIMEOUT     seconds until a run counts as hung (default 30)
#   QTI_OMP_LIBRARY     the library to run them on (default: the one of this build)
#   QTI_OMP_ROUNDS      no tests but times: medians of so many runs of each, on one library and the other in turn
#                       (at real-time priority without numpy: libgomp's threads, more than CPUs there, poll for ever)
#   QTI_OMP_SIZE        how large the inputs are (default 1, for times 4)

. "${abs_top_srcdir:?}/test/tap.sh"
qtrun=${abs_top_builddir:?}/src/tools/qtrun
QTRUN_LIBRARY=$(readlink -f "${QTI_OMP_LIBRARY:-$abs_top_builddir/gomp/.libs/libgomp.so.1}")
export QTRUN_LIBRARY
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$QTRUN_LIBRARY" ] || skip_all "no shared library in this build"
unset_settings
unset LD_PRELOAD
size=${QTI_OMP_SIZE:-${QTI_OMP_ROUNDS:+4}}
size=${size:-1}
HOME=$work
export HOME

# ---- Inputs ----------------------------------------------------------------------------------------------------------

# sequences COUNT LENGTH LETTERS GAPS: related ones, in FASTA; of a hundred letters a fifth differs and some are missing.
sequences() {
	awk -v count="$1" -v length_="$2" -v letters="$3" -v gaps="$4" '
		function random(n) {
			state = (state * 1103 + 12345) % 2147483
			return int(state / 2147483 * n)
		}
		BEGIN {
			state = 4711
			kinds = length(letters)
			for (i = 0; i < length_; i++)
				first[i] = substr(letters, random(kinds) + 1, 1)
			for (s = 1; s <= count; s++) {
				line = ""
				for (i = 0; i < length_; i++) {
					chance = random(100)
					if (chance >= gaps)
						line = line (chance < 20 ? substr(letters, random(kinds) + 1, 1) : first[i])
				}
				printf ">s%d\n%s\n", s, line
			}
		}'
}

proteins() {    # COUNT
	sequences $(($1 * size)) 120 ACDEFGHIKLMNPQRSTVWY 4
}

picture() {     # WIDTH HEIGHT, times size: something with gradients and edges
	awk -v w=$(($1 * size)) -v h=$(($2 * size)) 'BEGIN {
		print "P3\n" w, h, 255
		for (y = 0; y < h; y++)
			for (x = 0; x < w; x++)
				print x * 255 % w, (x * y) % 256, (x - w / 2) ^ 2 + (y - h / 2) ^ 2 < h * h / 9 ? 200 : y % 256
	}'
}

# ---- The programs ----------------------------------------------------------------------------------------------------
#
# NAME_about      PACKAGE FILE TOLERANCE, a relative one or "same"; what the program does
# NAME_input      what has to be there first, in a directory of its own
# NAME_run        the program, behind its launcher; what it says is its result
# NAME_force      --force if it loads what uses OpenMP
# NAME_slow       yes if it takes long to start: it is run less often
#
# $threads is there for programs that want to be told.

primecount_about='primecount primecount same counts primes'
primecount_run() {
	"$@" primecount 3e$((9 + size)) --threads="$threads"
}

clustalo_about='clustalo clustalo same aligns proteins'
clustalo_input() {
	proteins 8 >in.fa
}
clustalo_run() {
	"$@" clustalo -i in.fa --threads="$threads"
}

muscle_about='muscle muscle same aligns proteins'
muscle_input() {
	proteins 5 >in.fa
}
muscle_run() {
	"$@" muscle -align in.fa -output out -threads "$threads" >log 2>&1 && cat out
}

fasttree_about='fasttree fasttreeMP 1e-4 finds a tree of genes'
fasttree_input() {
	sequences $((12 * size)) 300 ACGT 0 >in.fa
}
fasttree_run() {
	"$@" fasttreeMP -quiet -nt in.fa
}

cdhit_about='cd-hit cd-hit same clusters proteins'
cdhit_input() {
	proteins 12 >in.fa
}
cdhit_run() {
	"$@" cd-hit -i in.fa -o out -c 0.7 -T "$threads" >log 2>&1 && cat out out.clstr
}

andi_about='andi andi same compares genomes'
andi_input() {
	sequences 4 $((2000 * size)) ACGT 0 >in.fa
}
andi_run() {
	"$@" andi -t "$threads" in.fa 2>/dev/null || [ $? -eq 1 ]
}

sumaclust_about='sumaclust sumaclust same clusters genes'
sumaclust_input() {
	sequences $((30 * size)) 200 ACGT 0 >in.fa
}
sumaclust_run() {
	"$@" sumaclust -p "$threads" in.fa 2>/dev/null
}

par2_about='par2 par2 same computes recovery data'
par2_input() {
	picture 100 70 >data
}
par2_run() {
	rm -f p.*par2 && "$@" par2 create -q -q -t"$threads" -s2000 -r20 p data && cat p.*par2
}

normaliz_about='normaliz normaliz same computes Hilbert bases'
normaliz_input() {
	cat >cone.in <<-END
		amb_space 6
		cone 10
		1 0 0 0 0 3
		0 1 0 0 0 5
		0 0 1 0 0 7
		0 0 0 1 0 2
		0 0 0 0 1 9
		1 1 2 3 5 11
		2 3 1 1 4 7
		5 1 3 2 2 8
		1 4 4 3 1 13
		3 3 2 5 1 10
	END
}
normaliz_run() {
	"$@" normaliz -x="$threads" cone && cat cone.out
}

xtb_about='xtb xtb 1e-7 computes a molecule'
xtb_input() {
	awk -v n=$((size + 2)) 'BEGIN {
		print 3 * n "\nmolecules of water in a row"
		for (i = 0; i < n; i++)
			printf "O %g 0 %g\nH %g 0 %g\nH %g 0.93 %g\n", 3 * i, i % 2 / 2, 3 * i + 0.96, i % 2 / 2,
				3 * i - 0.24, i % 2 / 2
	}' >water.xyz
}
xtb_run() {
	rm -f xtbrestart && OMP_STACKSIZE=64M "$@" xtb water.xyz --gfn 2 --parallel "$threads" >log 2>&1 &&
		grep -E 'TOTAL ENERGY|HOMO-LUMO' log
}

molds_slow=yes
molds_about='molds molds 1e-6 computes a molecule'
molds_input() {
	cat /usr/share/doc/molds/examples/ch4_am1_directCIS_singlet.in >in
}
molds_run() {
	"$@" molds in >log 2>&1 && grep 'Total energy' log
}

ngspice_about='ngspice ngspice same simulates a circuit'
ngspice_input() {
	{
		echo 'a ring of inverters'
		echo '.model n nmos level=1 vto=0.7 kp=110u'
		echo '.model p pmos level=1 vto=-0.7 kp=50u'
		echo 'vdd vdd 0 3'
		for i in 0 1 2 3 4 5 6 7 8; do
			j=$(((i + 1) % 9))
			echo "mp$i n$j n$i vdd vdd p w=4u l=1u"
			echo "mn$i n$j n$i 0 0 n w=2u l=1u"
			echo "c$i n$j 0 10f"
		done
		printf '.ic v(n0)=3\n.tran 20p %dn uic\n.print tran v(n0) v(n4)\n.end\n' $((4 * size))
	} >in.cir
}
ngspice_run() {
	"$@" ngspice -b in.cir >log 2>&1 && grep -E '^[0-9]+	' log
}

convert_about='imagemagick /usr/bin/convert same turns a picture'
convert_input() {
	picture 160 120 >in.ppm
}
convert_run() {
	"$@" /usr/bin/convert in.ppm -swirl 90 -blur 0x2 -rotate 17 -resize 120% ppm:-
}

gm_about='graphicsmagick gm same turns a picture'
gm_input() {
	picture 160 120 >in.ppm
}
gm_run() {
	"$@" gm convert in.ppm -swirl 90 -blur 0x2 -rotate 17 -resize 120% ppm:-
}

pngquant_about='pngquant pngquant same reduces the colours of a picture'
pngquant_input() {
	picture 120 90 >in.ppm && /usr/bin/convert in.ppm in.png
}
pngquant_run() {
	"$@" pngquant --speed 3 64 - <in.png
}

jpegqs_about='jpegqs jpegqs same smooths a picture'
jpegqs_input() {
	picture 160 120 >in.ppm && /usr/bin/convert in.ppm -quality 60 in.jpg
}
jpegqs_run() {
	"$@" jpegqs --quality 3 --threads "$threads" in.jpg out.jpg >log 2>&1 && cat out.jpg
}

vips_about='libvips-tools vips same reduces the colours of a picture, from threads of its own'
vips_input() {
	picture 100 80 >in.ppm && /usr/bin/convert in.ppm in.png
}
vips_run() {
	"$@" vips pngsave in.png out.png --palette --strip && cat out.png
}

sox_about='sox sox same changes the rate of sound'
sox_run() {
	"$@" sox --multi-threaded -R -n -c 4 -r 44100 -b 16 -t raw - synth "$size" sine 300 sine 400 square 500 sawtooth 60 \
		rate 48000 reverse 2>log
}

msgmerge_about='gettext msgmerge same merges translations'
msgmerge_input() {
	awk -v size="$size" 'BEGIN {
		print "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n"
		for (i = 0; i < 150 * size; i++)
			printf "msgid \"the %d words of number %d are %d\"\nmsgstr \"x%d\"\n\n", i * 7919 % 97, i, i * 31 % 1000, i
	}' >old.po
	sed -e 's/words/words out/' -e 's/^msgstr "x.*/msgstr ""/' old.po >new.pot
}
msgmerge_run() {
	"$@" msgmerge -q -o - old.po new.pot
}

datatable_slow=yes
datatable_force=--force
datatable_about='r-cran-data.table Rscript same reads, sorts and sums tables'
datatable_input() {
	awk -v n=$((20000 * size)) 'BEGIN { print "k,v,w"; for (i = 0; i < n; i++) print i * 7919 % 1013 "," i * 31 % 977 "," i % 89 }' >in.csv
	Rscript --vanilla -e 'library(data.table)'
}
datatable_run() {
	R_DATATABLE_NUM_THREADS=$threads "$@" Rscript --vanilla -e 'library(data.table); setDTthreads('"$threads"')
		t <- fread("in.csv"); setorder(t, k, -v, w); print(t[, .(.N, sum(v), max(w)), by = k]); fwrite(t, "out.csv")' &&
		cat out.csv
}

octave_slow=yes
octave_about='octave octave-cli 1e-9 multiplies and solves, by OpenBLAS'
octave_run() {
	"$@" octave-cli --norc --eval "n = 150 * $size;"'
		a = reshape(mod((1:n * n) * 7919, 1013), n, n) / 1013 + 20 * eye(n);
		b = a * a'"'"'; printf("%.9g\n", b(1:7:end)); printf("%.9g\n", a \ ones(n, 1));' 2>log
}

numpy_slow=yes
numpy_force=--force
numpy_about='python3-numpy /usr/bin/python3 1e-9 multiplies and solves, by OpenBLAS'
numpy_input() {
	/usr/bin/python3 -c 'import numpy'
}
numpy_run() {
	"$@" /usr/bin/python3 -c '
import numpy, sys, threading
n = 150 * int(sys.argv[1])
a = (numpy.arange(n * n) * 7919 % 1013).reshape(n, n) / 1013 + 20 * numpy.eye(n)
def work(results, i):
    results[i] = numpy.linalg.solve(a @ a.T, (a + i).sum(0))
results = [None] * 4
threads = [threading.Thread(target=work, args=(results, i)) for i in range(4)]
for t in threads: t.start()
for t in threads: t.join()
for r in results: print(*("%.10g" % x for x in r))' "$size"
}

sklearn_slow=yes
sklearn_force=--force
sklearn_about='python3-sklearn /usr/bin/python3 1e-9 clusters points and fits trees'
sklearn_input() {
	/usr/bin/python3 -c 'import sklearn'
}
sklearn_run() {
	"$@" /usr/bin/python3 -c '
import numpy, sys
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingRegressor
x = (numpy.arange(6000 * int(sys.argv[1])) * 7919 % 1013).reshape(-1, 4) / 1013
y = x[:, 0] * x[:, 1] - x[:, 2] ** 2
print(*KMeans(5, n_init=1, max_iter=20, random_state=1).fit(x).cluster_centers_.ravel())
print(*HistGradientBoostingRegressor(max_iter=5, random_state=1).fit(x, y).predict(x[::50]))' "$size"
}

# FFTW's library for OpenMP, by its soname: the headers need not be there.
fftw_about='libfftw3-double3 fftw3_omp 1e-9 transforms a signal in three dimensions'
fftw_input() {
	cat >fft.c <<-END
		enum { X = 32 * $size, Y = 48, Z = 40 * $size, N = X * Y * Z };
		#include <stdio.h>
		typedef double number[2];
		int fftw_init_threads(void);
		void fftw_plan_with_nthreads(int);
		int omp_get_max_threads(void);
		void *fftw_plan_dft_3d(int, int, int, number *, number *, int, unsigned);
		void fftw_execute(void *);
		static number in[N], out[N];
		int main(void)
		{
			fftw_init_threads();
			fftw_plan_with_nthreads(omp_get_max_threads());
			void *plan = fftw_plan_dft_3d(X, Y, Z, in, out, -1, 1u << 6);
			for (int i = 0; i < N; i++)
				in[i][0] = i * 7919 % 1013, in[i][1] = i % 89;
			fftw_execute(plan);
			for (int i = 0; i < N; i += 97)
				printf("%.9e %.9e\n", out[i][0], out[i][1]);
			return 0;
		}
	END
	"${OMPCC:-gcc}" -O1 -o fft fft.c -l:libfftw3_omp.so.3 -l:libfftw3.so.3 -l:libgomp.so.1 -lm
}
fftw_run() {
	"$@" ./fft
}

programs='primecount clustalo muscle fasttree cdhit andi sumaclust par2 normaliz xtb molds ngspice convert gm
	pngquant jpegqs vips sox msgmerge datatable octave numpy sklearn fftw'

# ---- Running and comparing -------------------------------------------------------------------------------------------

# run RESULT PROGRAM THREADS LAUNCHER...: in its directory; a status other than 0 is part of the result.
run() {
	result=$1 program=$2 threads=$3
	shift 3
	(
		cd "$work/$program" || exit
		"${program}_run" ${TIMEOUT:+"$TIMEOUT" -k 5 "${QTI_OMP_TIMEOUT:-30}"} "$@" </dev/null >"$result" 2>err ||
			echo "status $?" >>"$result"
	)
}

on_libgomp() {  # RESULT PROGRAM THREADS
	run "$1" "$2" "$3" env OMP_NUM_THREADS="$3"
}

on_ours() {     # RESULT PROGRAM THREADS SCHEDULER
	eval "force=\${$2_force-}"
	run "$1" "$2" "$3" "$qtrun" $force --workers "$3" --scheduler "$4"
}

# alike TOLERANCE EXPECTED GOT: the same words, numbers among them apart by as much
alike() {
	[ "$1" != same ] || {
		cmp "$2" "$3"
		return
	}
	awk -v tolerance="$1" -v expected="$2" '
		function number(text) {
			return text ~ /^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$/
		}
		function near(want, got,   apart, size) {
			apart = want < got ? got - want : want - got
			size = want < 0 ? -want : want
			return apart <= tolerance * (size < tolerance ? tolerance : size)
		}
		BEGIN { FS = "[][ \t(),:;=]+" }
		{
			if ((getline line <expected) <= 0) {
				print "line " NR " is one too many"
				exit bad = 1
			}
			n = split(line, want)
			for (i = 1; i <= n || i <= NF; i++) {
				if (want[i] "" == $i "" || (number(want[i]) && number($i) && near(want[i] + 0, $i + 0)))
					continue
				print "line " NR ": " want[i] ", not " $i
				exit bad = 1
			}
		}
		END {
			if (!bad && (getline line <expected) > 0) {
				print "lines are missing"
				bad = 1
			}
			exit bad
		}' "$3"
}

# What is missing, empty if nothing.
missing() {     # PACKAGE FILE
	case $2 in
	fftw3_omp) { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q libfftw3_omp.so.3 ;;
	*) command -v "$2" >/dev/null ;;
	esac || echo "$1"
}

result() {      # PROGRAM THREADS SCHEDULER TOLERANCE WHAT
	[ -e "$work/$1/want.$2" ] || on_libgomp "want.$2" "$1" "$2"
	on_ours got "$1" "$2" "$3"
	{
		alike "$4" "$work/$1/want.$2" "$work/$1/got" && [ -s "$work/$1/got" ]
		status=$?
		[ $status -eq 0 ] || cat "$work/$1/err"
	} >"$work/log" 2>&1
	report $status "[$3 $2] $1 $5"
}

# bindings PROGRAM RUN...: a run of which the loader tells what it binds to what, in $work/bindings: OpenMP's names only.
bindings() {
	LD_DEBUG=bindings LD_DEBUG_OUTPUT=$work/$1/bound
	export LD_DEBUG LD_DEBUG_OUTPUT
	shift
	"$@"
	unset LD_DEBUG
	cat "$LD_DEBUG_OUTPUT".* | grep -E '`(GOMP|omp)_' >"$work/bindings"
	rm -f "$LD_DEBUG_OUTPUT".*
}

# Why a program's result on libgomp is nothing to compare with, empty if it is.
unfit() {       # PROGRAM THREADS
	bindings "$1" on_libgomp "want.$2" "$1" "$2"
	status=$(sed -n '$s/^status //p' "$work/$1/want.$2")
	if [ "$status" ]; then
		echo "it fails on libgomp, too, with status $status"
	elif [ ! -s "$work/$1/want.$2" ]; then
		echo "it has no result on libgomp"
	elif ! grep -q 'libgomp[^ ]* .*`GOMP_parallel' "$work/bindings"; then
		echo "it calls nothing of libgomp here"
	fi
}

# The first of its runs also shows that the program's calls went where they were to go, by the loader's own account.
calls() {       # PROGRAM
	grep -v -F " to $QTRUN_LIBRARY " "$work/bindings" >"$work/log"
	grep -q GOMP_parallel "$work/bindings" && [ ! -s "$work/log" ]
	report $? "$1 calls no other library"
}

checks() {      # PROGRAM TOLERANCE WHAT
	if [ "${QTI_OMP_THREADS-}${QTI_OMP_SCHEDULERS-}" ]; then
		pairs=$(for scheduler in ${QTI_OMP_SCHEDULERS:-q l cq ws mts xq bq na-rp na-ws}; do
			for number_of in ${QTI_OMP_THREADS:-1 2 4 8}; do
				echo "$scheduler:$number_of"
			done
		done)
	else
		eval "slow=\${$1_slow-}"
		pairs="mts:4 ws:8"
		[ "$slow" ] || pairs="$pairs mts:1 mts:2 q:4 l:2 cq:8"
	fi
	first=${pairs%%[!a-z0-9:]*}
	why=$(unfit "$1" "${first#*:}")
	if [ "$why" ]; then
		skip "$1 $3" "$why"
		return
	fi
	for pair in $pairs; do
		if [ "$pair" = "$first" ]; then
			bindings "$1" result "$1" "${pair#*:}" "${pair%:*}" "$2" "$3"
			calls "$1"
		else
			result "$1" "${pair#*:}" "${pair%:*}" "$2" "$3"
		fi
	done
}

# qtrun looks at a program by two processes before it starts it.
without_qtrun() {       # RESULT PROGRAM THREADS
	run "$1" "$2" "$3" env OMP_NUM_THREADS="$3" LD_PRELOAD="$QTRUN_LIBRARY" QT_SCHEDULER="${QTI_OMP_SCHEDULERS:-mts}"
}

milliseconds() {        # COMMAND...
	from=$(date +%s%N)
	"$@"
	echo $((($(date +%s%N) - from) / 1000))
}

median() {
	sort -n | awk '{ t[NR] = $1 } END { printf "%.1f", t[int((NR + 1) / 2)] / 1000 }'
}

both_times() {  # PROGRAM
	for number_of in ${QTI_OMP_THREADS:-1 2}; do
		: >"$work/theirs"
		: >"$work/ours"
		round=0
		while [ $round -lt "$QTI_OMP_ROUNDS" ]; do
			milliseconds on_libgomp want "$1" "$number_of" >>"$work/theirs"
			milliseconds without_qtrun got "$1" "$number_of" >>"$work/ours"
			round=$((round + 1))
		done
		echo "$1 $number_of $(median <"$work/theirs") $(median <"$work/ours")"
	done | awk '{ printf "%-12s %2d threads: libgomp %8.1f ms, libqomp %8.1f ms, ratio %.2f\n", $1, $2, $3, $4, $4 / $3 }'
}

for program in ${QTI_OMP_PROGRAMS:-$programs}; do
	eval "set -- \$${program}_about"
	package=$(missing "$1" "$2") tolerance=$3
	shift 3
	if [ "$package" ]; then
		skip "$program $*" "$package is not installed"
		continue
	fi
	mkdir "$work/$program"
	if command -v "${program}_input" >/dev/null &&
		! (cd "$work/$program" && "${program}_input") >"$work/log" 2>&1; then
		skip "$program $*" "its input cannot be made"
		continue
	fi
	if [ "${QTI_OMP_ROUNDS-}" ]; then
		both_times "$program"
	else
		checks "$program" "$tolerance" "$*"
	fi
done
[ "${QTI_OMP_ROUNDS-}" ] || finish
