#!/bin/sh
# test/omp/symbols.sh -- the shared libraries have every name that programs ask libgomp for, at its version.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
map=$top/src/libqomp.map
build=${abs_top_builddir:?}
qomp=$build/.libs/libqomp.so
gomp=$build/gomp/.libs/libgomp.so
[ -e "$qomp" ] || skip_all "no shared library in this build"
command -v readelf >/dev/null || skip_all "no readelf"

# Lines name@VERSION, or name@@VERSION for the one that the linker takes.
names() {
	${NM:-nm} -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" && $3 ~ /@/ { print $3 }' | sort
}

# Lines VERSION PARENT, in which a node without one has only itself.
nodes() {
	readelf -VW "$1" | awk '
		/Version definition section/ { on = 1 }
		/Version needs section/ { on = 0 }
		on && /Flags:.*Name:/ { if (node) print node, parent; node = $NF; parent = ""; base = /Flags: BASE/; if (base) node = "" }
		on && /Parent [0-9]+:/ { parent = $NF }
		END { if (node) print node, parent }' | sort
}

# The same from the map, which lists a node as `NAME {`, names as `name;` and the parent as `} PARENT;`.
awk '/^[A-Z].* [{]$/ { node = $1; next }
	/^[}]/ { sub(/;/, ""); print "node", node, $2; next }
	/^\t.*;$/ && !/[*]/ { sub(/;/, ""); print "name", $1, node }' "$map" >"$work/map"
sed -n 's/^node //p' "$work/map" | sort >"$work/nodes"
sed -n 's/^name \(.*\) \(.*\)/\1@\2/p' "$work/map" >"$work/listed"
# And what stands at VERSION besides.
sed -n 's/^"\(.*@VERSION\)" = .*;$/\1/p' "$top/src/libqomp-version.ld" >>"$work/listed"
sort -o "$work/listed" "$work/listed"

[ -s "$work/listed" ] && [ "$(sort -u "$work/listed" | wc -l)" -eq "$(wc -l <"$work/listed")" ]
report $? "libqomp.map and libqomp-version.ld name something, and nothing twice in a node"

for library in "$qomp" "$gomp"; do
	is=${library##*/}
	names "$library" >"$work/$is"
	sed 's/@@/@/' "$work/$is" | sort | diff "$work/listed" - >"$work/log"
	report_empty "$is: has the names that these two list, and no others"
	nodes "$library" | diff "$work/nodes" - >"$work/log"
	report_empty "$is: its versions follow each other as in the map"
	grep -v '@@' "$work/$is" | grep -v '^omp_[a-z_]*lock_*@OMP_1.0$' | grep -v '^\(omp\|GOMP\)_.*@VERSION$' >"$work/log"
	report_empty "$is: every name but the old locks' and libomp's is the one that the linker takes"
	readelf -dW "$library" >"$work/log"
	grep -q "SONAME.*\[$is\.1\]" "$work/log"
	report $? "$is: calls itself $is.1"
	readelf -lW "$library" >"$work/log"
	grep 'GNU_STACK' "$work/log" | grep -qv 'RWE'
	report $? "$is: asks for no executable stack"
done

diff "$work/libqomp.so" "$work/libgomp.so" >"$work/log"
report_empty "both libraries have the same names"

# Of later ones than the compiler's: the table says what they have besides.
sed '/^#/d' "$top/test/omp/newer.list" | sort >"$work/newer"
[ "$(wc -l <"$work/newer")" -ge 35 ]
report $? "newer.list names what GCC 13 to 16 have brought"
comm -23 "$work/newer" "$work/listed" >"$work/log"
report_empty "all of it is there, at its version"
sed 's/.*@//' "$work/newer" | sort -u | join - "$work/nodes" >"$work/found"
printf '%s\n' 'GOMP_5.1.2 GOMP_5.1.1' 'GOMP_5.1.3 GOMP_5.1.2' 'GOMP_6.0 GOMP_5.1.3' 'GOMP_6.0.1 GOMP_6.0' \
	'GOMP_PLUGIN_1.4 GOMP_PLUGIN_1.3' 'OACC_2.6.1 OACC_2.6' 'OMP_5.1.1 OMP_5.1' | diff - "$work/found" >"$work/log"
report_empty "their versions follow those before"
grep -q '^OMP_5.2 OMP_5.1.1$' "$work/nodes"
report $? "OMP_5.2 follows OMP_5.1.1"

oracle=$(${OMPCC:-gcc} -print-file-name=libgomp.so.1 2>/dev/null)
case $oracle in
/*)
	names "$oracle" | comm -23 - "$work/libgomp.so" >"$work/log"
	report_empty "every name of the compiler's libgomp is there, at its version"
	nodes "$oracle" | comm -23 - "$work/nodes" >"$work/log"
	report_empty "every version of the compiler's libgomp is there, after the same one"
	;;
*)
	skip "every name of the compiler's libgomp is there, at its version" "the compiler has none"
	skip "every version of the compiler's libgomp is there, after the same one" "the compiler has none"
	;;
esac

# build_program NAME: from standard input, with libqomp.
build_program() {
	cat >"$work/$1.c"
	${CC:-cc} ${CFLAGS-} ${SANITIZER_FLAGS-} -o "$work/$1" "$work/$1.c" "$qomp" -Wl,-rpath,"$build/.libs" >"$work/log" 2>&1
}

# An old program's locks: of 4 and 8 bytes, between others'.
build_program old <<'END'
#include <string.h>
#define OLD(name) __asm__(".symver " #name ", " #name "@OMP_1.0")
extern void omp_init_lock(void *), omp_set_lock(void *), omp_unset_lock(void *), omp_destroy_lock(void *);
extern void omp_init_nest_lock(void *), omp_set_nest_lock(void *), omp_unset_nest_lock(void *);
extern int omp_test_lock(void *), omp_test_nest_lock(void *);
OLD(omp_init_lock);
OLD(omp_set_lock);
OLD(omp_unset_lock);
OLD(omp_destroy_lock);
OLD(omp_init_nest_lock);
OLD(omp_set_nest_lock);
OLD(omp_unset_nest_lock);
OLD(omp_test_lock);
OLD(omp_test_nest_lock);
int main(void)
{
	int word[5] = { 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a };
	_Alignas(8) int pair[4] = { 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a };

	omp_init_lock(&word[1]);
	omp_set_lock(&word[1]);
	if (omp_test_lock(&word[1]))
		return 1;
	omp_unset_lock(&word[1]);
	if (!omp_test_lock(&word[1]))
		return 2;
	omp_destroy_lock(&word[1]);
	omp_init_nest_lock(pair);
	omp_set_nest_lock(pair);
	if (omp_test_nest_lock(pair) != 2)
		return 3;
	omp_unset_nest_lock(pair);
	omp_unset_nest_lock(pair);
	if (omp_test_nest_lock(pair) != 1)
		return 4;
	return word[0] != 0x5a5a5a5a || word[2] != 0x5a5a5a5a || pair[2] != 0x5a5a5a5a;
}
END
report $? "a program is linked to the lock routines at OMP_1.0"
"$work/old" >>"$work/log" 2>&1
report $? "they stay within locks of 4 and 8 bytes"

# What is known and not supported ends the program and says what it was.
for name in acc_init GOACC_parallel_keyed GOMP_PLUGIN_malloc; do
	echo "extern void $name(void); int main(void) { $name(); return 0; }" | build_program absent &&
		! "$work/absent" >"$work/log" 2>&1 && grep -q "^libqomp: $name: " "$work/log"
	report $? "$name says that it is not supported"
done

finish
