#!/bin/sh
# test/omp/offload.sh -- OMP_TARGET_OFFLOAD=mandatory: a program that needs a device ends, for there is only the host.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

. "${abs_top_srcdir:?}/test/tap.sh"
libraries=${abs_top_builddir:?}/.libs
[ -z "$SANITIZER_FLAGS" ] || skip_all "programs without a sanitizer cannot load a library with one"
[ -e "$libraries/libqomp.so" ] || skip_all "no shared library in this build"
unset_settings

cat >"$work/target.c" <<'EOP'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int omp_get_default_device(void);
void omp_set_default_device(int device);
void *omp_target_alloc(size_t size, int device);
void omp_target_free(void *p, int device);
int omp_target_is_present(const void *p, int device);
int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset, int to_device,
	int from_device);
int omp_target_associate_ptr(const void *host, const void *other, size_t size, size_t offset, int device);
int omp_target_disassociate_ptr(const void *p, int device);
int omp_get_num_devices(void);

static int value;

static void construct(const char *what, int device)
{
	if (strcmp(what, "target") == 0) {
#pragma omp target map(tofrom: value)
		value++;
	} else if (strcmp(what, "device") == 0) {
#pragma omp target map(tofrom: value) device(device)
		value++;
	} else if (strcmp(what, "if") == 0) {
#pragma omp target map(tofrom: value) if (device)
		value++;
	} else if (strcmp(what, "data") == 0) {
#pragma omp target data map(tofrom: value)
		value++;
	} else if (strcmp(what, "enter") == 0) {
#pragma omp target enter data map(to: value)
		value++;
	} else if (strcmp(what, "exit") == 0) {
#pragma omp target exit data map(from: value)
		value++;
	} else if (strcmp(what, "update") == 0) {
#pragma omp target update to(value)
		value++;
	} else if (strcmp(what, "teams") == 0) {
#pragma omp target teams map(tofrom: value)
#pragma omp parallel
#pragma omp atomic
		value++;
	} else if (strcmp(what, "task") == 0) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp target map(tofrom: value) nowait
		value++;
	}
}

static int call(const char *what, int device)
{
	int other = 0;

	if (strcmp(what, "alloc") == 0) {
		void *p = omp_target_alloc(8, device);
		omp_target_free(p, 0);
		value = p != NULL;
	} else if (strcmp(what, "free") == 0) {
		omp_target_free(NULL, device);
	} else if (strcmp(what, "present") == 0) {
		value = omp_target_is_present(&value, device);
	} else if (strcmp(what, "memcpy") == 0) {
		value = omp_target_memcpy(&value, &other, sizeof(value), 0, 0, 0, device) == 0;
	} else if (strcmp(what, "associate") == 0) {
		omp_target_associate_ptr(&value, &other, sizeof(value), 0, device);
	} else if (strcmp(what, "disassociate") == 0) {
		omp_target_disassociate_ptr(&value, device);
	} else {
		return 0;
	}
	return 1;
}

/* Program what number: the number is that of a device, or a condition. */
int main(int argc, char **argv)
{
	int number = argc > 2 ? atoi(argv[2]) : 0;

	if (argc > 3)
		omp_set_default_device(atoi(argv[3]));
	if (argc > 1 && !call(argv[1], number))
		construct(argv[1], number);
	printf("%d %d\n", omp_get_default_device(), omp_get_num_devices());
	return 0;
}
EOP
cd "$work" && ${OMPCC:-${CC:-cc}} -fopenmp -O1 -c target.c >log 2>&1 &&
	${OMPCC:-${CC:-cc}} -o target target.o -L"$libraries" -lqomp -lqthread -Wl,-rpath,"$libraries" >>log 2>&1 ||
	skip_all "no compiler for the calls that GCC makes of OpenMP"

ends() {        # ARGUMENT...: with one line, and status 1
	timeout 100 ./target "$@" >log 2>&1
	[ $? -eq 1 ] && [ "$(wc -l <log)" = 1 ] && grep -q '^libqomp: OMP_TARGET_OFFLOAD=mandatory: ' log
	report $? "mandatory, $*: the program ends with one line"
}

goes_on() {     # WHY EXPECTED ARGUMENT...
	why=$1
	expected=$2
	shift 2
	timeout 100 ./target "$@" >log 2>&1
	[ "$(cat log)" = "$expected" ]
	report $? "$*: $why"
}

for setting in '' default disabled; do
	export OMP_TARGET_OFFLOAD="$setting"
	[ -n "$setting" ] || unset OMP_TARGET_OFFLOAD
	for what in target data enter exit update teams task alloc free present memcpy associate disassociate; do
		goes_on "the host stands in (OMP_TARGET_OFFLOAD=$setting)" "0 0" $what 7
	done
	goes_on "the host stands in for device 3 (OMP_TARGET_OFFLOAD=$setting)" "0 0" device 3
done

export OMP_TARGET_OFFLOAD=mandatory
goes_on "a program that needs no device has none to begin with" "-4 0"
for what in target data enter exit update teams task; do
	ends $what
done
for what in device alloc free present memcpy associate disassociate; do
	ends $what 3
	ends $what -5
	goes_on "the host is asked for by its number" "-4 0" $what 0
done
goes_on "the program wants it on the host" "-4 0" if 0
ends if 1
goes_on "the program says that the host is its default device" "0 0" target 0 0
goes_on "or omp_initial_device" "-1 0" target 0 -1
ends target 0 3
export OMP_DEFAULT_DEVICE=0
goes_on "the user says that the host is the default device" "0 0" target
export OMP_DEFAULT_DEVICE=2
ends target

unset OMP_DEFAULT_DEVICE
OMP_DISPLAY_ENV=true ./target >log 2>&1
grep -q "OMP_DEFAULT_DEVICE = '-4'" log && grep -q "OMP_TARGET_OFFLOAD = 'MANDATORY'" log
report $? "OMP_DISPLAY_ENV shows that there is no default device"
finish
