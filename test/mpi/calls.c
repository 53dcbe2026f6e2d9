/* test/mpi/calls.c -- every call that libqmpi intercepts does what MPI says, outside of tasks and in one.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: calls DIRECTORY: where files may be written.  Each rank counts what is wrong; rank 0 says how much it is in all.
 */
#include <qthread.h>

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(cond) check((cond), #cond, __LINE__)

static int rank, size, wrong;
static int windows_wrong;               /* before there were tasks: some MPIs have windows that do not work */
static bool in_windows;
static const char *where, *directory;

static void check(int cond, const char *text, int line)
{
	if (cond)
		return;
	if (in_windows && strncmp(where, "outside", 7) == 0)
		windows_wrong++;
	else
		wrong++;
	fprintf(stderr, "# %s, rank %d, line %d: %s\n", where, rank, line, text);
}

static void messages(MPI_Comm comm)
{
	int next = (rank + 1) % size, previous = (rank + size - 1) % size, out = rank, in = -1, n;
	MPI_Request r[3] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL };
	MPI_Status s, all[3];
	MPI_Message message;

	CHECK(MPI_Irecv(&in, 1, MPI_INT, previous, 1, comm, &r[0]) == MPI_SUCCESS);
	CHECK(MPI_Ssend(&out, 1, MPI_INT, next, 1, comm) == MPI_SUCCESS);
	CHECK(MPI_Wait(&r[0], &s) == MPI_SUCCESS);
	CHECK(in == previous && s.MPI_SOURCE == previous && s.MPI_TAG == 1 && r[0] == MPI_REQUEST_NULL);
	CHECK(MPI_Get_count(&s, MPI_INT, &n) == MPI_SUCCESS && n == 1);

	MPI_Irecv(&in, 1, MPI_INT, previous, 2, comm, &r[1]);
	MPI_Barrier(comm);
	CHECK(MPI_Rsend(&out, 1, MPI_INT, next, 2, comm) == MPI_SUCCESS);
	CHECK(MPI_Waitall(3, r, all) == MPI_SUCCESS);
	CHECK(all[1].MPI_SOURCE == previous && r[1] == MPI_REQUEST_NULL);

	in = -1;
	MPI_Isend(&out, 1, MPI_INT, next, 3, comm, &r[0]);
	CHECK(MPI_Probe(MPI_ANY_SOURCE, 3, comm, &s) == MPI_SUCCESS && s.MPI_SOURCE == previous);
	CHECK(MPI_Recv(&in, 1, MPI_INT, s.MPI_SOURCE, 3, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS && in == previous);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);

	in = -1;
	MPI_Isend(&out, 1, MPI_INT, next, 4, comm, &r[0]);
	CHECK(MPI_Mprobe(previous, MPI_ANY_TAG, comm, &message, &s) == MPI_SUCCESS && s.MPI_TAG == 4);
	CHECK(MPI_Mrecv(&in, 1, MPI_INT, &message, &s) == MPI_SUCCESS && in == previous && message == MPI_MESSAGE_NULL);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);

	in = -1;
	CHECK(MPI_Sendrecv(&out, 1, MPI_INT, next, 5, &in, 1, MPI_INT, previous, 5, comm, &s) == MPI_SUCCESS);
	CHECK(in == previous && s.MPI_SOURCE == previous);
	CHECK(MPI_Sendrecv_replace(&in, 1, MPI_INT, next, 6, previous, 6, comm, &s) == MPI_SUCCESS);
	CHECK(in == (rank + 2 * size - 2) % size);

	CHECK(MPI_Recv(&in, 1, MPI_INT, MPI_PROC_NULL, 7, comm, &s) == MPI_SUCCESS && s.MPI_SOURCE == MPI_PROC_NULL);
	CHECK(MPI_Send(&in, 1, MPI_INT, MPI_PROC_NULL, 7, comm) == MPI_SUCCESS);
}

static void requests(MPI_Comm comm)
{
	int next = (rank + 1) % size, previous = (rank + size - 1) % size, in[4] = { -1, -1, -1, -1 }, index, n, indices[4], seen = 0;
	MPI_Request r[4] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL }, started;
	MPI_Status s[4];

	CHECK(MPI_Wait(&r[0], MPI_STATUS_IGNORE) == MPI_SUCCESS);
	CHECK(MPI_Waitany(4, r, &index, s) == MPI_SUCCESS && index == MPI_UNDEFINED);
	CHECK(MPI_Waitsome(4, r, &n, indices, s) == MPI_SUCCESS && n == MPI_UNDEFINED);
	CHECK(MPI_Waitall(4, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);

	/* One that is inactive beside two that are not. */
	MPI_Recv_init(&in[0], 1, MPI_INT, previous, 10, comm, &r[0]);
	MPI_Irecv(&in[2], 1, MPI_INT, previous, 12, comm, &r[2]);
	MPI_Irecv(&in[3], 1, MPI_INT, previous, 13, comm, &r[3]);
	MPI_Send(&rank, 1, MPI_INT, next, 13, comm);
	CHECK(MPI_Waitany(4, r, &index, s) == MPI_SUCCESS && index == 3 && in[3] == previous);
	MPI_Barrier(comm);
	MPI_Send(&rank, 1, MPI_INT, next, 12, comm);
	CHECK(MPI_Waitsome(4, r, &n, indices, s) == MPI_SUCCESS && n == 1 && indices[0] == 2 && in[2] == previous);
	CHECK(s[0].MPI_TAG == 12);

	started = r[0];
	for (int i = 0; i < 3; i++) {
		in[0] = -1;
		MPI_Start(&r[0]);
		MPI_Send(&rank, 1, MPI_INT, next, 10, comm);
		CHECK(MPI_Wait(&r[0], s) == MPI_SUCCESS && in[0] == previous && r[0] == started);
		seen += s[0].MPI_SOURCE == previous;
	}
	CHECK(seen == 3);
	CHECK(MPI_Wait(&r[0], s) == MPI_SUCCESS && r[0] == started);    /* inactive: at once */
	MPI_Request_free(&r[0]);

	MPI_Irecv(&in[0], 1, MPI_INT, previous, 99, comm, &r[0]);
	MPI_Cancel(&r[0]);
	CHECK(MPI_Wait(&r[0], s) == MPI_SUCCESS && MPI_Test_cancelled(s, &n) == MPI_SUCCESS && n);
#if MPI_VERSION >= 4
	MPI_Request parts[2];
	int of[2] = { rank, rank + 1 };
	MPI_Precv_init(in, 2, 1, MPI_INT, previous, 14, comm, MPI_INFO_NULL, &parts[0]);
	MPI_Psend_init(of, 2, 1, MPI_INT, next, 14, comm, MPI_INFO_NULL, &parts[1]);
	MPI_Startall(2, parts);
	MPI_Pready(1, parts[1]);
	MPI_Pready(0, parts[1]);
	CHECK(MPI_Waitall(2, parts, MPI_STATUSES_IGNORE) == MPI_SUCCESS && in[0] == previous && in[1] == previous + 1);
	MPI_Request_free(&parts[0]);
	MPI_Request_free(&parts[1]);
#endif
}

/* A column of a matrix. */
static void datatypes(MPI_Comm comm)
{
	int m[4][4], column[4] = { 0 }, next = (rank + 1) % size, previous = (rank + size - 1) % size;
	MPI_Datatype type;

	for (int i = 0; i < 16; i++)
		m[i / 4][i % 4] = 100 * rank + i;
	MPI_Type_vector(4, 1, 4, MPI_INT, &type);
	MPI_Type_commit(&type);
	CHECK(MPI_Sendrecv(&m[0][1], 1, type, next, 20, column, 4, MPI_INT, previous, 20, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS);
	CHECK(column[0] == 100 * previous + 1 && column[3] == 100 * previous + 13);
	CHECK(MPI_Sendrecv_replace(&m[0][2], 1, type, next, 21, previous, 21, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS);
	CHECK(m[1][2] == 100 * previous + 6 && m[1][1] == 100 * rank + 5);
	MPI_Type_free(&type);
}

enum { MOST = 8 };

static void collectives(MPI_Comm comm)
{
	int one = rank + 1, in[MOST], out[MOST], ones[MOST], at[MOST], sum = size * (size + 1) / 2, x;
	MPI_Datatype types[MOST];

	for (int i = 0; i < size; i++) {
		ones[i] = 1;
		at[i] = i;
		types[i] = MPI_INT;
		out[i] = 10 * rank + i;
	}
	CHECK(MPI_Barrier(comm) == MPI_SUCCESS);
	x = rank == 0 ? 42 : 0;
	CHECK(MPI_Bcast(&x, 1, MPI_INT, 0, comm) == MPI_SUCCESS && x == 42);
	CHECK(MPI_Gather(&one, 1, MPI_INT, in, 1, MPI_INT, 0, comm) == MPI_SUCCESS && (rank || in[size - 1] == size));
	CHECK(MPI_Gatherv(&one, 1, MPI_INT, in, ones, at, MPI_INT, 0, comm) == MPI_SUCCESS && (rank || in[size - 1] == size));
	CHECK(MPI_Scatter(out, 1, MPI_INT, &x, 1, MPI_INT, 0, comm) == MPI_SUCCESS && x == rank);
	CHECK(MPI_Scatterv(out, ones, at, MPI_INT, &x, 1, MPI_INT, 0, comm) == MPI_SUCCESS && x == rank);
	CHECK(MPI_Allgather(&one, 1, MPI_INT, in, 1, MPI_INT, comm) == MPI_SUCCESS && in[size - 1] == size);
	CHECK(MPI_Allgatherv(&one, 1, MPI_INT, in, ones, at, MPI_INT, comm) == MPI_SUCCESS && in[size - 1] == size);
	CHECK(MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm) == MPI_SUCCESS && in[size - 1] == 10 * (size - 1) + rank);
	CHECK(MPI_Alltoallv(out, ones, at, MPI_INT, in, ones, at, MPI_INT, comm) == MPI_SUCCESS);
	CHECK(in[size - 1] == 10 * (size - 1) + rank);
	for (int i = 0; i < size; i++)
		at[i] = i * (int)sizeof(int);
	CHECK(MPI_Alltoallw(out, ones, at, types, in, ones, at, types, comm) == MPI_SUCCESS);
	CHECK(in[size - 1] == 10 * (size - 1) + rank);
	CHECK(MPI_Reduce(&one, &x, 1, MPI_INT, MPI_SUM, 0, comm) == MPI_SUCCESS && (rank || x == sum));
	x = one;
	CHECK(MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && x == sum);
	for (int i = 0; i < size; i++)
		out[i] = one;
	CHECK(MPI_Reduce_scatter(out, &x, ones, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && x == sum);
	CHECK(MPI_Reduce_scatter_block(out, &x, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && x == sum);
	CHECK(MPI_Scan(&one, &x, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && x == one * (one + 1) / 2);
	CHECK(MPI_Exscan(&one, &x, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && (rank == 0 || x == rank * (rank + 1) / 2));
}

static void neighbours(MPI_Comm comm)
{
	int periodic = 1, in[2], out[2] = { rank, rank + 100 }, ones[2] = { 1, 1 }, at[2] = { 0, 1 };
	int next = (rank + 1) % size, previous = (rank + size - 1) % size;
	MPI_Aint bytes[2] = { 0, sizeof(int) };
	MPI_Datatype types[2] = { MPI_INT, MPI_INT };
	MPI_Comm ring;

	CHECK(MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring) == MPI_SUCCESS);
	CHECK(MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, ring) == MPI_SUCCESS);
	CHECK(in[0] == previous && in[1] == next);
	CHECK(MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, in, ones, at, MPI_INT, ring) == MPI_SUCCESS && in[1] == next);
	if (size > 2) {         /* else both neighbours are one */
		CHECK(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring) == MPI_SUCCESS);
		CHECK(in[0] == previous + 100 && in[1] == next);
		CHECK(MPI_Neighbor_alltoallv(out, ones, at, MPI_INT, in, ones, at, MPI_INT, ring) == MPI_SUCCESS);
		CHECK(in[0] == previous + 100 && in[1] == next);
		CHECK(MPI_Neighbor_alltoallw(out, ones, bytes, types, in, ones, bytes, types, ring) == MPI_SUCCESS);
		CHECK(in[0] == previous + 100 && in[1] == next);
	}
	MPI_Comm_free(&ring);
}

/* From one rank to the next. */
static void graphs(MPI_Comm comm)
{
	int next = (rank + 1) % size, previous = (rank + size - 1) % size, one = 1, zero = 0, yes = 1, in = -1;
	int index[MOST], edges[MOST];
	MPI_Aint none = 0;
	MPI_Datatype type = MPI_INT;
	MPI_Comm made, line;

	for (int i = 0; i < size; i++) {
		index[i] = i + 1;
		edges[i] = (i + 1) % size;
	}
	CHECK(MPI_Graph_create(comm, size, index, edges, 0, &made) == MPI_SUCCESS);
	MPI_Comm_free(&made);
	CHECK(MPI_Cart_create(comm, 1, &size, &yes, 0, &made) == MPI_SUCCESS && MPI_Cart_sub(made, &yes, &line) == MPI_SUCCESS);
	MPI_Comm_free(&made);
	MPI_Comm_free(&line);
	CHECK(MPI_Dist_graph_create_adjacent(comm, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
	                                     &made) == MPI_SUCCESS);
	CHECK(MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &in, 1, MPI_INT, made) == MPI_SUCCESS && in == previous);
	in = -1;
	CHECK(MPI_Neighbor_alltoallw(&rank, &one, &none, &type, &in, &one, &none, &type, made) == MPI_SUCCESS && in == previous);
	MPI_Comm_free(&made);
	CHECK(MPI_Dist_graph_create(comm, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made) == MPI_SUCCESS);
	in = -1;
	CHECK(MPI_Neighbor_alltoallv(&rank, &one, &zero, MPI_INT, &in, &one, &zero, MPI_INT, made) == MPI_SUCCESS && in == previous);
	MPI_Comm_free(&made);
}

static void communicators(MPI_Comm comm)
{
	MPI_Comm made, halves, inter;
	MPI_Group group;
	int n, x = rank;

	CHECK(MPI_Comm_dup(comm, &made) == MPI_SUCCESS && MPI_Comm_size(made, &n) == MPI_SUCCESS && n == size);
	MPI_Comm_free(&made);
	CHECK(MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, &made) == MPI_SUCCESS);
	MPI_Comm_free(&made);
	MPI_Comm_group(comm, &group);
	CHECK(MPI_Comm_create(comm, group, &made) == MPI_SUCCESS);
	MPI_Comm_free(&made);
	CHECK(MPI_Comm_create_group(comm, group, 5, &made) == MPI_SUCCESS);
	MPI_Comm_free(&made);
	MPI_Group_free(&group);
	CHECK(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &made) == MPI_SUCCESS);
	CHECK(MPI_Comm_disconnect(&made) == MPI_SUCCESS);
	CHECK(MPI_Comm_split(comm, rank % 2, rank, &halves) == MPI_SUCCESS);
	if (size > 1) {
		CHECK(MPI_Intercomm_create(halves, 0, comm, 1 - rank % 2, 6, &inter) == MPI_SUCCESS);
		if (rank < 2) {
			CHECK(MPI_Sendrecv_replace(&x, 1, MPI_INT, 0, 7, 0, 7, inter, MPI_STATUS_IGNORE) == MPI_SUCCESS);
			CHECK(x == 1 - rank);
		}
		CHECK(MPI_Barrier(inter) == MPI_SUCCESS);
		CHECK(MPI_Intercomm_merge(inter, rank % 2, &made) == MPI_SUCCESS);
		MPI_Comm_free(&made);
		MPI_Comm_free(&inter);
	}
	MPI_Comm_free(&halves);
}

static int told;

static void nothing_wrong(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	told += *code == MPI_ERR_OTHER;
}

/* More of them than libqmpi keeps: each is called, and what is set comes back. */
static void handlers(MPI_Comm comm)
{
	static const MPI_Errhandler set[] = { MPI_ERRORS_RETURN, MPI_ERRORS_ARE_FATAL };
	MPI_Errhandler h;

	(void)comm;
	told = 0;
	for (int i = 0; i < 20; i++) {
		CHECK(MPI_Comm_create_errhandler(nothing_wrong, &h) == MPI_SUCCESS);
		CHECK(MPI_Comm_set_errhandler(MPI_COMM_SELF, h) == MPI_SUCCESS && MPI_Errhandler_free(&h) == MPI_SUCCESS);
		MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
	}
	CHECK(told == 20);
	for (int i = 0; i < 2; i++) {
		CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, set[i]) == MPI_SUCCESS);
		CHECK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &h) == MPI_SUCCESS && h == set[i]);
	}
}

static int of_window, of_file;

static void window_wrong(MPI_Win *win, int *code, ...)
{
	(void)win;
	of_window += *code != MPI_SUCCESS;
}

static void file_wrong(MPI_File *file, int *code, ...)
{
	(void)file;
	of_file += *code != MPI_SUCCESS;
}

/* Errors of windows and files are their handlers', in the task. */
static void handlers_of_others(MPI_Comm comm)
{
	MPI_Errhandler h;
	MPI_File f;
	MPI_Win win;
	int *base;

	of_window = of_file = 0;
	CHECK(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &base, &win) == MPI_SUCCESS);
	CHECK(MPI_Win_create_errhandler(window_wrong, &h) == MPI_SUCCESS && MPI_Win_set_errhandler(win, h) == MPI_SUCCESS);
	CHECK(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win) != MPI_SUCCESS && of_window == 1);
	CHECK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN) == MPI_SUCCESS);
	CHECK(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win) != MPI_SUCCESS && of_window == 1);
	CHECK(MPI_Win_free(&win) == MPI_SUCCESS && MPI_Errhandler_free(&h) == MPI_SUCCESS);
	CHECK(MPI_File_create_errhandler(file_wrong, &h) == MPI_SUCCESS);
	CHECK(MPI_File_set_errhandler(MPI_FILE_NULL, h) == MPI_SUCCESS);
	CHECK(MPI_File_open(MPI_COMM_SELF, "/nowhere/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &f) != MPI_SUCCESS && of_file == 1);
	CHECK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN) == MPI_SUCCESS);
	CHECK(MPI_File_open(MPI_COMM_SELF, "/nowhere/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &f) != MPI_SUCCESS && of_file == 1);
	MPI_Errhandler_free(&h);
}

static void windows(MPI_Comm comm)
{
	int *base, next = (rank + 1) % size, previous = (rank + size - 1) % size, x = rank;
	MPI_Group all, one, other;
	MPI_Win win;

	if (windows_wrong)
		return;
	in_windows = true;
	CHECK(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &base, &win) == MPI_SUCCESS);
	*base = -1;
	CHECK(MPI_Win_fence(0, win) == MPI_SUCCESS);
	MPI_Put(&x, 1, MPI_INT, next, 0, 1, MPI_INT, win);
	CHECK(MPI_Win_fence(0, win) == MPI_SUCCESS && *base == previous);
	MPI_Barrier(comm);
	x = 1000 + rank;
	CHECK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win) == MPI_SUCCESS);
	MPI_Put(&x, 1, MPI_INT, next, 0, 1, MPI_INT, win);
	CHECK(MPI_Win_flush(next, win) == MPI_SUCCESS && MPI_Win_flush_local(next, win) == MPI_SUCCESS);
	CHECK(MPI_Win_unlock(next, win) == MPI_SUCCESS);
	MPI_Barrier(comm);
	CHECK(MPI_Win_lock_all(0, win) == MPI_SUCCESS);
	x = -1;
	MPI_Get(&x, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
	CHECK(MPI_Win_flush_all(win) == MPI_SUCCESS && MPI_Win_flush_local_all(win) == MPI_SUCCESS && x == 1000 + previous);
	CHECK(MPI_Win_unlock_all(win) == MPI_SUCCESS);
	MPI_Barrier(comm);
	MPI_Comm_group(comm, &all);
	MPI_Group_incl(all, 1, &previous, &one);
	MPI_Group_incl(all, 1, &next, &other);
	x = 2000 + rank;
	CHECK(MPI_Win_post(one, 0, win) == MPI_SUCCESS);
	CHECK(MPI_Win_start(other, 0, win) == MPI_SUCCESS);
	MPI_Put(&x, 1, MPI_INT, next, 0, 1, MPI_INT, win);
	CHECK(MPI_Win_complete(win) == MPI_SUCCESS && MPI_Win_wait(win) == MPI_SUCCESS && *base == 2000 + previous);
	MPI_Group_free(&all);
	MPI_Group_free(&one);
	MPI_Group_free(&other);
	CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
	if (size > 1) {         /* Open MPI has none for one rank alone */
		CHECK(MPI_Win_create(&x, sizeof(x), sizeof(x), MPI_INFO_NULL, comm, &win) == MPI_SUCCESS);
		CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
		CHECK(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &win) == MPI_SUCCESS && MPI_Win_free(&win) == MPI_SUCCESS);
	}
	CHECK(MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &base, &win) == MPI_SUCCESS);
	CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
	in_windows = false;
}

static void files(MPI_Comm comm)
{
	char name[4096];
	int x = rank, y = -1;
	MPI_Status s;
	MPI_File f;

	snprintf(name, sizeof(name), "%s/file", directory);
	CHECK(MPI_File_open(comm, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &f) == MPI_SUCCESS);
	CHECK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL) == MPI_SUCCESS);
	CHECK(MPI_File_set_size(f, 0) == MPI_SUCCESS);
	CHECK(MPI_File_write_at(f, rank, &x, 1, MPI_INT, &s) == MPI_SUCCESS && MPI_File_sync(f) == MPI_SUCCESS);
	MPI_Barrier(comm);
	CHECK(MPI_File_read_at(f, (rank + 1) % size, &y, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS && y == (rank + 1) % size);
	MPI_Barrier(comm);
	x += 10;
	CHECK(MPI_File_write_at_all(f, rank, &x, 1, MPI_INT, &s) == MPI_SUCCESS);
	MPI_Barrier(comm);
	CHECK(MPI_File_read_at_all(f, rank, &y, 1, MPI_INT, &s) == MPI_SUCCESS && y == rank + 10);
	MPI_File_seek(f, rank, MPI_SEEK_SET);
	CHECK(MPI_File_read(f, &y, 1, MPI_INT, &s) == MPI_SUCCESS && y == rank + 10);
	MPI_File_seek(f, rank, MPI_SEEK_SET);
	CHECK(MPI_File_read_all(f, &y, 1, MPI_INT, &s) == MPI_SUCCESS && y == rank + 10);
	MPI_File_seek(f, rank, MPI_SEEK_SET);
	CHECK(MPI_File_write(f, &rank, 1, MPI_INT, &s) == MPI_SUCCESS);
	MPI_File_seek(f, rank, MPI_SEEK_SET);
	CHECK(MPI_File_write_all(f, &rank, 1, MPI_INT, &s) == MPI_SUCCESS);
	CHECK(MPI_File_close(&f) == MPI_SUCCESS);
	CHECK(MPI_File_open(comm, "/nowhere/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &f) != MPI_SUCCESS);  /* and lives */
}

static aligned_t every_call(void *comm)
{
	static void (*const all[])(MPI_Comm) = { messages, requests, datatypes, collectives, neighbours, graphs, communicators,
		handlers, handlers_of_others, windows, files };

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		all[i](*(MPI_Comm *)comm);
	return 0;
}

int main(int argc, char **argv)
{
	MPI_Comm comm = MPI_COMM_WORLD;
	aligned_t done;
	int level, sum = 0;

	directory = argc > 1 ? argv[1] : ".";
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	where = "outside of tasks";
	every_call(&comm);
	MPI_Allreduce(MPI_IN_PLACE, &windows_wrong, 1, MPI_INT, MPI_SUM, comm);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	where = "in the main task";
	every_call(&comm);
	where = "in a task";
	qthread_fork(every_call, &comm, &done);
	qthread_readFF(NULL, &done);
	MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
	if (rank == 0)
		printf("%d wrong\n", sum);
	qthread_finalize();
	MPI_Finalize();
	return 0;
}
