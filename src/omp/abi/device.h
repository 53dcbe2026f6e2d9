/* omp/abi/device.h -- devices, of which there are none but the host: their routines, target regions, and teams.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The host has number 0, which is also how many other devices there are; programs of newer compilers call it by others,
 * too.
 */
#ifndef QOMP_DEVICE_H
#define QOMP_DEVICE_H

#include "omp/env/icv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An omp_depend_t. */
struct qomp_depend_object {
	void *address;
	uintptr_t kind;
};

/* Ends the program if the number is omp_invalid_device.  With OMP_TARGET_OFFLOAD=mandatory the program ends if the number
 * is not the host's. */
bool qomp_device_is_host(int device);

#pragma GCC visibility push(default)

/* api_device.c */
void omp_set_default_device(int device);
int omp_get_default_device(void);
int omp_get_num_devices(void);
int omp_get_device_num(void);
int omp_get_initial_device(void);
int omp_is_initial_device(void);
void *omp_target_alloc(size_t size, int device);
void omp_target_free(void *p, int device);
int omp_target_is_present(const void *p, int device);
int omp_target_is_accessible(const void *p, size_t size, int device);
void *omp_get_mapped_ptr(const void *p, int device);
int omp_target_associate_ptr(const void *host, const void *other, size_t size, size_t offset, int device);
int omp_target_disassociate_ptr(const void *p, int device);
int omp_pause_resource(int kind, int device);
int omp_pause_resource_all(int kind);

void omp_set_default_device_(const int32_t *device);
void omp_set_default_device_8_(const int64_t *device);
int omp_pause_resource_(const int32_t *kind, const int32_t *device);
int omp_pause_resource_all_(const int32_t *kind);

const char *omp_get_uid_from_device(int device);
int omp_get_device_from_uid(const char *uid);
void omp_get_uid_from_device_(const char **result, size_t *length, int32_t device);
void omp_get_uid_from_device_8_(const char **result, size_t *length, int64_t device);
int omp_get_device_from_uid_(const char *uid, size_t length);

/* api_transfer.c.  The result is an errno, or 0. */
int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset, int to_device,
                      int from_device);
int omp_target_memcpy_rect(void *to, const void *from, size_t element, int dimensions, const size_t *volume,
                           const size_t *to_offsets, const size_t *from_offsets, const size_t *to_sizes,
                           const size_t *from_sizes, int to_device, int from_device);
int omp_target_memcpy_async(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
	int to_device, int from_device, int ndepend, struct qomp_depend_object *depend);
int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int dimensions, const size_t *volume,
                                 const size_t *to_offsets, const size_t *from_offsets, const size_t *to_sizes,
                                 const size_t *from_sizes, int to_device, int from_device, int ndepend,
                                 struct qomp_depend_object *depend);
void *omp_target_memset(void *p, int byte, size_t size, int device);
void *omp_target_memset_async(
	void *p, int byte, size_t size, int device, int ndepend, struct qomp_depend_object *depend);

/* api_interop.c.  Fortran has a string's address and length back in two references. */
int omp_get_num_interop_properties(const void *interop);
intptr_t omp_get_interop_int(const void *interop, int property, int *rc);
void *omp_get_interop_ptr(const void *interop, int property, int *rc);
const char *omp_get_interop_str(const void *interop, int property, int *rc);
const char *omp_get_interop_name(const void *interop, int property);
const char *omp_get_interop_type_desc(const void *interop, int property);
const char *omp_get_interop_rc_desc(const void *interop, int rc);
void omp_get_interop_str_(const char **result, size_t *length, const void *interop, int32_t property, int32_t *rc);
void omp_get_interop_name_(const char **result, size_t *length, const void *interop, int32_t property);
void omp_get_interop_type_desc_(const char **result, size_t *length, const void *interop, int32_t property);
void omp_get_interop_rc_desc_(const char **result, size_t *length, const void *interop, int32_t rc);
void GOMP_interop(int device, int ninit, void ***init, const int *kinds, const char **prefer, int nuse, void **use,
                  int ndestroy, void ***destroy, unsigned flags, void **depend);

/* gomp_target.c.  `kinds` say in 8 or 16 bits what the n addresses stand for. */
void GOMP_target(int device, void (*fn)(void *), const void *unused, size_t n, void **addresses, size_t *sizes,
                 unsigned char *kinds);
void GOMP_target_ext(int device, void (*fn)(void *), size_t n, void **addresses, size_t *sizes, unsigned short *kinds,
                     unsigned flags, void **depend, void **args);
void GOMP_target_data(int device, const void *unused, size_t n, void **addresses, size_t *sizes, unsigned char *kinds);
void GOMP_target_data_ext(int device, size_t n, void **addresses, size_t *sizes, unsigned short *kinds);
void GOMP_target_end_data(void);
void GOMP_target_update(
	int device, const void *unused, size_t n, void **addresses, size_t *sizes, unsigned char *kinds);
void GOMP_target_update_ext(
	int device, size_t n, void **addresses, size_t *sizes, unsigned short *kinds, unsigned flags, void **depend);
void GOMP_target_enter_exit_data(int device, size_t n, void **addresses, size_t *sizes, unsigned short *kinds,
                                 unsigned flags, void **depend);
void *GOMP_target_map_indirect_ptr(void *p);

/* gomp_teams.c.  0 teams, or a limit of 0: the program does not say. */
void GOMP_teams(unsigned teams, unsigned limit);
bool GOMP_teams4(unsigned least, unsigned most, unsigned limit, bool first);
void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned teams, unsigned limit, unsigned flags);

/* gomp_misc.c */
void GOMP_warning(const char *message, size_t length);
void GOMP_error(const char *message, size_t length);
void GOMP_offload_register(const void *table, int type, const void *image);
void GOMP_offload_unregister(const void *table, int type, const void *image);
void GOMP_offload_register_ver(unsigned version, const void *table, int type, const void *image);
void GOMP_offload_unregister_ver(unsigned version, const void *table, int type, const void *image);

#pragma GCC visibility pop

#endif
