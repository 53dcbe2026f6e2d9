/* test/mpi/counted.h -- the calls that have counts.  No guard: read with COUNT int, and MPI_Count where MPI has that.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * NAME(f): a function here; CALL(Send): MPI's; DISPL: the type of displacements.
 */

static void NAME(messages)(MPI_Comm comm)
{
	int next = (rank + 1) % size, previous = (rank + size - 1) % size, out = rank, in = -1, n;
	MPI_Request r[3] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL };
	MPI_Status s, all[3];
	MPI_Message message;

	CHECK(MPI_Irecv(&in, 1, MPI_INT, previous, 1, comm, &r[0]) == MPI_SUCCESS);
	CHECK(CALL(Ssend)(&out, 1, MPI_INT, next, 1, comm) == MPI_SUCCESS);
	CHECK(MPI_Wait(&r[0], &s) == MPI_SUCCESS);
	CHECK(in == previous && s.MPI_SOURCE == previous && s.MPI_TAG == 1 && r[0] == MPI_REQUEST_NULL);
	CHECK(MPI_Get_count(&s, MPI_INT, &n) == MPI_SUCCESS && n == 1);

	MPI_Irecv(&in, 1, MPI_INT, previous, 2, comm, &r[1]);
	MPI_Barrier(comm);
	CHECK(CALL(Rsend)(&out, 1, MPI_INT, next, 2, comm) == MPI_SUCCESS);
	CHECK(MPI_Waitall(3, r, all) == MPI_SUCCESS);
	CHECK(all[1].MPI_SOURCE == previous && r[1] == MPI_REQUEST_NULL);

	in = -1;
	MPI_Isend(&out, 1, MPI_INT, next, 3, comm, &r[0]);
	CHECK(MPI_Probe(MPI_ANY_SOURCE, 3, comm, &s) == MPI_SUCCESS && s.MPI_SOURCE == previous);
	CHECK(CALL(Recv)(&in, 1, MPI_INT, s.MPI_SOURCE, 3, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS && in == previous);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);

	in = -1;
	MPI_Isend(&out, 1, MPI_INT, next, 4, comm, &r[0]);
	CHECK(MPI_Mprobe(previous, MPI_ANY_TAG, comm, &message, &s) == MPI_SUCCESS && s.MPI_TAG == 4);
	CHECK(CALL(Mrecv)(&in, 1, MPI_INT, &message, &s) == MPI_SUCCESS && in == previous && message == MPI_MESSAGE_NULL);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);

	in = -1;
	CHECK(CALL(Sendrecv)(&out, 1, MPI_INT, next, 5, &in, 1, MPI_INT, previous, 5, comm, &s) == MPI_SUCCESS);
	CHECK(in == previous && s.MPI_SOURCE == previous);
	CHECK(CALL(Sendrecv_replace)(&in, 1, MPI_INT, next, 6, previous, 6, comm, &s) == MPI_SUCCESS);
	CHECK(in == (rank + 2 * size - 2) % size);

	static char room[1000 + MPI_BSEND_OVERHEAD];
	void *detached;
	COUNT length;
	MPI_Buffer_attach(room, (int)sizeof(room));
	MPI_Irecv(&in, 1, MPI_INT, previous, 8, comm, &r[0]);
	MPI_Bsend(&out, 1, MPI_INT, next, 8, comm);
	CHECK(CALL(Buffer_detach)(&detached, &length) == MPI_SUCCESS && detached == room && length == sizeof(room));
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	CHECK(in == previous);

	CHECK(CALL(Recv)(&in, 1, MPI_INT, MPI_PROC_NULL, 7, comm, &s) == MPI_SUCCESS && s.MPI_SOURCE == MPI_PROC_NULL);
	CHECK(CALL(Send)(&in, 1, MPI_INT, MPI_PROC_NULL, 7, comm) == MPI_SUCCESS);
}

static void NAME(collectives)(MPI_Comm comm)
{
	int one = rank + 1, in[MOST], out[MOST], sum = size * (size + 1) / 2, x;
	MPI_Datatype types[MOST];
	COUNT ones[MOST];
	DISPL at[MOST];

	for (int i = 0; i < size; i++) {
		ones[i] = 1;
		at[i] = i;
		types[i] = MPI_INT;
		out[i] = 10 * rank + i;
	}
	CHECK(MPI_Barrier(comm) == MPI_SUCCESS);
	x = rank == 0 ? 42 : 0;
	CHECK(CALL(Bcast)(&x, 1, MPI_INT, 0, comm) == MPI_SUCCESS && x == 42);
	CHECK(CALL(Gather)(&one, 1, MPI_INT, in, 1, MPI_INT, 0, comm) == MPI_SUCCESS && (rank || in[size - 1] == size));
	CHECK(CALL(Gatherv)(&one, 1, MPI_INT, in, ones, at, MPI_INT, 0, comm) == MPI_SUCCESS && (rank || in[size - 1] == size));
	CHECK(CALL(Scatter)(out, 1, MPI_INT, &x, 1, MPI_INT, 0, comm) == MPI_SUCCESS && x == rank);
	CHECK(CALL(Scatterv)(out, ones, at, MPI_INT, &x, 1, MPI_INT, 0, comm) == MPI_SUCCESS && x == rank);
	CHECK(CALL(Allgather)(&one, 1, MPI_INT, in, 1, MPI_INT, comm) == MPI_SUCCESS && in[size - 1] == size);
	CHECK(CALL(Allgatherv)(&one, 1, MPI_INT, in, ones, at, MPI_INT, comm) == MPI_SUCCESS && in[size - 1] == size);
	CHECK(CALL(Alltoall)(out, 1, MPI_INT, in, 1, MPI_INT, comm) == MPI_SUCCESS && in[size - 1] == 10 * (size - 1) + rank);
	CHECK(CALL(Alltoallv)(out, ones, at, MPI_INT, in, ones, at, MPI_INT, comm) == MPI_SUCCESS);
	CHECK(in[size - 1] == 10 * (size - 1) + rank);
	for (int i = 0; i < size; i++)
		at[i] = i * (DISPL)sizeof(int);
	CHECK(CALL(Alltoallw)(out, ones, at, types, in, ones, at, types, comm) == MPI_SUCCESS);
	CHECK(in[size - 1] == 10 * (size - 1) + rank);
	CHECK(CALL(Reduce)(&one, &x, 1, MPI_INT, MPI_SUM, 0, comm) == MPI_SUCCESS && (rank || x == sum));
	x = one;
	CHECK(CALL(Allreduce)(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && x == sum);
	for (int i = 0; i < size; i++)
		out[i] = one;
	CHECK(CALL(Reduce_scatter)(out, &x, ones, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && x == sum);
	CHECK(CALL(Reduce_scatter_block)(out, &x, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && x == sum);
	CHECK(CALL(Scan)(&one, &x, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && x == one * (one + 1) / 2);
	CHECK(CALL(Exscan)(&one, &x, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && (rank == 0 || x == rank * (rank + 1) / 2));
}

static void NAME(neighbours)(MPI_Comm comm)
{
	int periodic = 1, in[2], out[2] = { rank, rank + 100 };
	int next = (rank + 1) % size, previous = (rank + size - 1) % size;
	MPI_Aint bytes[2] = { 0, sizeof(int) };
	MPI_Datatype types[2] = { MPI_INT, MPI_INT };
	COUNT ones[2] = { 1, 1 };
	DISPL at[2] = { 0, 1 };
	MPI_Comm ring;

	CHECK(MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring) == MPI_SUCCESS);
	CHECK(CALL(Neighbor_allgather)(&rank, 1, MPI_INT, in, 1, MPI_INT, ring) == MPI_SUCCESS);
	CHECK(in[0] == previous && in[1] == next);
	CHECK(CALL(Neighbor_allgatherv)(&rank, 1, MPI_INT, in, ones, at, MPI_INT, ring) == MPI_SUCCESS && in[1] == next);
	const bool each_its_own = size > 2;     /* else both neighbours are one */
	CHECK(CALL(Neighbor_alltoall)(out, 1, MPI_INT, in, 1, MPI_INT, ring) == MPI_SUCCESS);
	CHECK(!each_its_own || (in[0] == previous + 100 && in[1] == next));
	CHECK(CALL(Neighbor_alltoallv)(out, ones, at, MPI_INT, in, ones, at, MPI_INT, ring) == MPI_SUCCESS);
	CHECK(!each_its_own || (in[0] == previous + 100 && in[1] == next));
	CHECK(CALL(Neighbor_alltoallw)(out, ones, bytes, types, in, ones, bytes, types, ring) == MPI_SUCCESS);
	CHECK(!each_its_own || (in[0] == previous + 100 && in[1] == next));
	MPI_Comm_free(&ring);
}

static void NAME(windows_made)(MPI_Comm comm)
{
	int x, *base;
	MPI_Win win;

	CHECK(CALL(Win_allocate)(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &base, &win) == MPI_SUCCESS);
	CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
	CHECK(CALL(Win_allocate_shared)(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &base, &win) == MPI_SUCCESS);
	CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
	if (size > 1) {         /* Open MPI has none for one rank alone */
		CHECK(CALL(Win_create)(&x, sizeof(x), sizeof(x), MPI_INFO_NULL, comm, &win) == MPI_SUCCESS);
		CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
	}
}

/* In two halves. */
static void NAME(split)(MPI_File f)
{
	int x = rank + 20, y = -1;
	MPI_Status s;

	CHECK(CALL(File_write_at_all_begin)(f, rank, &x, 1, MPI_INT) == MPI_SUCCESS);
	CHECK(MPI_File_write_at_all_end(f, &x, &s) == MPI_SUCCESS);
	CHECK(CALL(File_read_at_all_begin)(f, rank, &y, 1, MPI_INT) == MPI_SUCCESS);
	CHECK(MPI_File_read_at_all_end(f, &y, &s) == MPI_SUCCESS && y == x);
	x++;
	MPI_File_seek(f, rank, MPI_SEEK_SET);
	CHECK(CALL(File_write_all_begin)(f, &x, 1, MPI_INT) == MPI_SUCCESS && MPI_File_write_all_end(f, &x, &s) == MPI_SUCCESS);
	MPI_File_seek(f, rank, MPI_SEEK_SET);
	CHECK(CALL(File_read_all_begin)(f, &y, 1, MPI_INT) == MPI_SUCCESS);
	CHECK(MPI_File_read_all_end(f, &y, &s) == MPI_SUCCESS && y == x);
}

/* By the pointer that all share: one after the other in any order, or in that of the ranks. */
static void NAME(shared)(MPI_File f, MPI_Comm comm)
{
	int x = 1, y = -1;
	MPI_Status s;

	CHECK(CALL(File_write_shared)(f, &x, 1, MPI_INT, &s) == MPI_SUCCESS && MPI_File_sync(f) == MPI_SUCCESS);
	MPI_Barrier(comm);
	CHECK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET) == MPI_SUCCESS);
	CHECK(CALL(File_read_shared)(f, &y, 1, MPI_INT, &s) == MPI_SUCCESS && y == 1);
	MPI_Barrier(comm);
	CHECK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET) == MPI_SUCCESS);
	x = rank + 30;
	CHECK(CALL(File_write_ordered)(f, &x, 1, MPI_INT, &s) == MPI_SUCCESS);
	CHECK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET) == MPI_SUCCESS);
	CHECK(CALL(File_read_ordered)(f, &y, 1, MPI_INT, &s) == MPI_SUCCESS && y == x);
	CHECK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET) == MPI_SUCCESS);
	x++;
	CHECK(CALL(File_write_ordered_begin)(f, &x, 1, MPI_INT) == MPI_SUCCESS);
	CHECK(MPI_File_write_ordered_end(f, &x, &s) == MPI_SUCCESS);
	CHECK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET) == MPI_SUCCESS);
	CHECK(CALL(File_read_ordered_begin)(f, &y, 1, MPI_INT) == MPI_SUCCESS);
	CHECK(MPI_File_read_ordered_end(f, &y, &s) == MPI_SUCCESS && y == x);
}

static void NAME(files)(MPI_Comm comm)
{
	char name[4096];
	int x = rank, y = -1;
	MPI_Status s;
	MPI_File f;

	snprintf(name, sizeof(name), "%s/file", directory);
	CHECK(MPI_File_open(comm, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &f) == MPI_SUCCESS);
	CHECK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL) == MPI_SUCCESS);
	CHECK(MPI_File_set_size(f, 0) == MPI_SUCCESS);
	CHECK(CALL(File_write_at)(f, rank, &x, 1, MPI_INT, &s) == MPI_SUCCESS && MPI_File_sync(f) == MPI_SUCCESS);
	MPI_Barrier(comm);
	CHECK(CALL(File_read_at)(f, (rank + 1) % size, &y, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS && y == (rank + 1) % size);
	MPI_Barrier(comm);
	x += 10;
	CHECK(CALL(File_write_at_all)(f, rank, &x, 1, MPI_INT, &s) == MPI_SUCCESS);
	MPI_Barrier(comm);
	CHECK(CALL(File_read_at_all)(f, rank, &y, 1, MPI_INT, &s) == MPI_SUCCESS && y == rank + 10);
	MPI_File_seek(f, rank, MPI_SEEK_SET);
	CHECK(CALL(File_read)(f, &y, 1, MPI_INT, &s) == MPI_SUCCESS && y == rank + 10);
	MPI_File_seek(f, rank, MPI_SEEK_SET);
	CHECK(CALL(File_read_all)(f, &y, 1, MPI_INT, &s) == MPI_SUCCESS && y == rank + 10);
	MPI_File_seek(f, rank, MPI_SEEK_SET);
	CHECK(CALL(File_write)(f, &rank, 1, MPI_INT, &s) == MPI_SUCCESS);
	MPI_File_seek(f, rank, MPI_SEEK_SET);
	CHECK(CALL(File_write_all)(f, &rank, 1, MPI_INT, &s) == MPI_SUCCESS);
	CHECK(MPI_File_set_atomicity(f, 1) == MPI_SUCCESS && MPI_File_set_atomicity(f, 0) == MPI_SUCCESS);
	NAME(split)(f);
	CHECK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET) == MPI_SUCCESS);
	NAME(shared)(f, comm);
	CHECK(MPI_File_close(&f) == MPI_SUCCESS);
	MPI_Barrier(comm);
	CHECK(rank > 0 || MPI_File_delete(name, MPI_INFO_NULL) == MPI_SUCCESS);
	CHECK(MPI_File_open(comm, "/nowhere/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &f) != MPI_SUCCESS);  /* and lives */
}
