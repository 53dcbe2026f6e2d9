/* mpi/calls.h -- the table of what is intercepted.  No guard: it is read several times.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	QMPI_START(name, twin, parameters, arguments)       MPI_name is MPI_twin, with a request more, and a wait for it
 *	QMPI_RECEIVE(name, twin, parameters, arguments, on, from_nobody)    the same, and MPI_name has a status more
 *	QMPI_CARRY(name, parameters, arguments)             has no such twin: another thread carries the task through it
 *
 * A call of the first two kinds is on the communicator `comm`, or `on`.  Counts are QMPI_COUNT and displacements
 * QMPI_DISPL: int, or what MPI_name_c of MPI 4 has in place of that.  Where QMPI_SMALL is not defined, calls without a
 * count are left out: there is one of each.
 */

/* Messages. */
QMPI_START(Send, Isend, (const void *buf, QMPI_COUNT n, MPI_Datatype type, int to, int tag, MPI_Comm comm),
	(buf, n, type, to, tag, comm))
QMPI_START(Ssend, Issend, (const void *buf, QMPI_COUNT n, MPI_Datatype type, int to, int tag, MPI_Comm comm),
	(buf, n, type, to, tag, comm))
QMPI_START(Rsend, Irsend, (const void *buf, QMPI_COUNT n, MPI_Datatype type, int to, int tag, MPI_Comm comm),
	(buf, n, type, to, tag, comm))
QMPI_RECEIVE(Recv, Irecv, (void *buf, QMPI_COUNT n, MPI_Datatype type, int from, int tag, MPI_Comm comm),
	(buf, n, type, from, tag, comm), comm, from == MPI_PROC_NULL)
QMPI_RECEIVE(Mrecv, Imrecv, (void *buf, QMPI_COUNT n, MPI_Datatype type, MPI_Message *message), (buf, n, type, message),
	MPI_COMM_WORLD, message && *message == MPI_MESSAGE_NO_PROC)

/* Collectives. */
QMPI_START(Bcast, Ibcast, (void *buf, QMPI_COUNT n, MPI_Datatype type, int root, MPI_Comm comm),
	(buf, n, type, root, comm))
QMPI_START(Gather, Igather, (const void *in, QMPI_COUNT nin, MPI_Datatype tin, void *out, QMPI_COUNT nout,
	MPI_Datatype tout, int root, MPI_Comm comm), (in, nin, tin, out, nout, tout, root, comm))
QMPI_START(Gatherv, Igatherv, (const void *in, QMPI_COUNT nin, MPI_Datatype tin, void *out, const QMPI_COUNT *nout,
	const QMPI_DISPL *dout, MPI_Datatype tout, int root, MPI_Comm comm),
	(in, nin, tin, out, nout, dout, tout, root, comm))
QMPI_START(Scatter, Iscatter, (const void *in, QMPI_COUNT nin, MPI_Datatype tin, void *out, QMPI_COUNT nout,
	MPI_Datatype tout, int root, MPI_Comm comm), (in, nin, tin, out, nout, tout, root, comm))
QMPI_START(Scatterv, Iscatterv, (const void *in, const QMPI_COUNT *nin, const QMPI_DISPL *din, MPI_Datatype tin,
	void *out, QMPI_COUNT nout, MPI_Datatype tout, int root, MPI_Comm comm),
	(in, nin, din, tin, out, nout, tout, root, comm))
QMPI_START(Allgather, Iallgather, (const void *in, QMPI_COUNT nin, MPI_Datatype tin, void *out, QMPI_COUNT nout,
	MPI_Datatype tout, MPI_Comm comm), (in, nin, tin, out, nout, tout, comm))
QMPI_START(Allgatherv, Iallgatherv, (const void *in, QMPI_COUNT nin, MPI_Datatype tin, void *out,
	const QMPI_COUNT *nout, const QMPI_DISPL *dout, MPI_Datatype tout, MPI_Comm comm),
	(in, nin, tin, out, nout, dout, tout, comm))
QMPI_START(Alltoall, Ialltoall, (const void *in, QMPI_COUNT nin, MPI_Datatype tin, void *out, QMPI_COUNT nout,
	MPI_Datatype tout, MPI_Comm comm), (in, nin, tin, out, nout, tout, comm))
QMPI_START(Alltoallv, Ialltoallv, (const void *in, const QMPI_COUNT *nin, const QMPI_DISPL *din, MPI_Datatype tin,
	void *out, const QMPI_COUNT *nout, const QMPI_DISPL *dout, MPI_Datatype tout, MPI_Comm comm),
	(in, nin, din, tin, out, nout, dout, tout, comm))
QMPI_START(Alltoallw, Ialltoallw, (const void *in, const QMPI_COUNT *nin, const QMPI_DISPL *din,
	const MPI_Datatype *tin, void *out, const QMPI_COUNT *nout, const QMPI_DISPL *dout, const MPI_Datatype *tout,
	MPI_Comm comm), (in, nin, din, tin, out, nout, dout, tout, comm))
QMPI_START(Reduce, Ireduce, (const void *in, void *out, QMPI_COUNT n, MPI_Datatype type, MPI_Op op, int root,
	MPI_Comm comm), (in, out, n, type, op, root, comm))
QMPI_START(Allreduce, Iallreduce, (const void *in, void *out, QMPI_COUNT n, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm), (in, out, n, type, op, comm))
QMPI_START(Reduce_scatter, Ireduce_scatter, (const void *in, void *out, const QMPI_COUNT *n, MPI_Datatype type,
	MPI_Op op, MPI_Comm comm), (in, out, n, type, op, comm))
QMPI_START(Reduce_scatter_block, Ireduce_scatter_block, (const void *in, void *out, QMPI_COUNT n, MPI_Datatype type,
	MPI_Op op, MPI_Comm comm), (in, out, n, type, op, comm))
QMPI_START(Scan, Iscan, (const void *in, void *out, QMPI_COUNT n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	(in, out, n, type, op, comm))
QMPI_START(Exscan, Iexscan, (const void *in, void *out, QMPI_COUNT n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	(in, out, n, type, op, comm))
QMPI_START(Neighbor_allgather, Ineighbor_allgather, (const void *in, QMPI_COUNT nin, MPI_Datatype tin, void *out,
	QMPI_COUNT nout, MPI_Datatype tout, MPI_Comm comm), (in, nin, tin, out, nout, tout, comm))
QMPI_START(Neighbor_allgatherv, Ineighbor_allgatherv, (const void *in, QMPI_COUNT nin, MPI_Datatype tin, void *out,
	const QMPI_COUNT *nout, const QMPI_DISPL *dout, MPI_Datatype tout, MPI_Comm comm),
	(in, nin, tin, out, nout, dout, tout, comm))
QMPI_START(Neighbor_alltoall, Ineighbor_alltoall, (const void *in, QMPI_COUNT nin, MPI_Datatype tin, void *out,
	QMPI_COUNT nout, MPI_Datatype tout, MPI_Comm comm), (in, nin, tin, out, nout, tout, comm))
QMPI_START(Neighbor_alltoallv, Ineighbor_alltoallv, (const void *in, const QMPI_COUNT *nin, const QMPI_DISPL *din,
	MPI_Datatype tin, void *out, const QMPI_COUNT *nout, const QMPI_DISPL *dout, MPI_Datatype tout, MPI_Comm comm),
	(in, nin, din, tin, out, nout, dout, tout, comm))
QMPI_START(Neighbor_alltoallw, Ineighbor_alltoallw, (const void *in, const QMPI_COUNT *nin, const MPI_Aint *din,
	const MPI_Datatype *tin, void *out, const QMPI_COUNT *nout, const MPI_Aint *dout, const MPI_Datatype *tout,
	MPI_Comm comm), (in, nin, din, tin, out, nout, dout, tout, comm))

/* Files: errors are the file's handler's, which a wait for a request is not sure to know. */
QMPI_CARRY(File_read, (MPI_File file, void *buf, QMPI_COUNT n, MPI_Datatype type, MPI_Status *status),
	(file, buf, n, type, status))
QMPI_CARRY(File_read_all, (MPI_File file, void *buf, QMPI_COUNT n, MPI_Datatype type, MPI_Status *status),
	(file, buf, n, type, status))
QMPI_CARRY(File_read_at, (MPI_File file, MPI_Offset at, void *buf, QMPI_COUNT n, MPI_Datatype type, MPI_Status *status),
	(file, at, buf, n, type, status))
QMPI_CARRY(File_read_at_all, (MPI_File file, MPI_Offset at, void *buf, QMPI_COUNT n, MPI_Datatype type,
	MPI_Status *status), (file, at, buf, n, type, status))
QMPI_CARRY(File_read_shared, (MPI_File file, void *buf, QMPI_COUNT n, MPI_Datatype type, MPI_Status *status),
	(file, buf, n, type, status))
QMPI_CARRY(File_read_ordered, (MPI_File file, void *buf, QMPI_COUNT n, MPI_Datatype type, MPI_Status *status),
	(file, buf, n, type, status))
QMPI_CARRY(File_write, (MPI_File file, const void *buf, QMPI_COUNT n, MPI_Datatype type, MPI_Status *status),
	(file, buf, n, type, status))
QMPI_CARRY(File_write_all, (MPI_File file, const void *buf, QMPI_COUNT n, MPI_Datatype type, MPI_Status *status),
	(file, buf, n, type, status))
QMPI_CARRY(File_write_at, (MPI_File file, MPI_Offset at, const void *buf, QMPI_COUNT n, MPI_Datatype type,
	MPI_Status *status), (file, at, buf, n, type, status))
QMPI_CARRY(File_write_at_all, (MPI_File file, MPI_Offset at, const void *buf, QMPI_COUNT n, MPI_Datatype type,
	MPI_Status *status), (file, at, buf, n, type, status))
QMPI_CARRY(File_write_shared, (MPI_File file, const void *buf, QMPI_COUNT n, MPI_Datatype type, MPI_Status *status),
	(file, buf, n, type, status))
QMPI_CARRY(File_write_ordered, (MPI_File file, const void *buf, QMPI_COUNT n, MPI_Datatype type, MPI_Status *status),
	(file, buf, n, type, status))

QMPI_CARRY(File_read_all_begin, (MPI_File file, void *buf, QMPI_COUNT n, MPI_Datatype type), (file, buf, n, type))
QMPI_CARRY(File_read_at_all_begin, (MPI_File file, MPI_Offset at, void *buf, QMPI_COUNT n, MPI_Datatype type),
	(file, at, buf, n, type))
QMPI_CARRY(File_read_ordered_begin, (MPI_File file, void *buf, QMPI_COUNT n, MPI_Datatype type), (file, buf, n, type))
QMPI_CARRY(File_write_all_begin, (MPI_File file, const void *buf, QMPI_COUNT n, MPI_Datatype type),
	(file, buf, n, type))
QMPI_CARRY(File_write_at_all_begin, (MPI_File file, MPI_Offset at, const void *buf, QMPI_COUNT n, MPI_Datatype type),
	(file, at, buf, n, type))
QMPI_CARRY(File_write_ordered_begin, (MPI_File file, const void *buf, QMPI_COUNT n, MPI_Datatype type),
	(file, buf, n, type))

/* Windows are made by all ranks. */
QMPI_CARRY(Win_allocate, (MPI_Aint size, QMPI_DISPL unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
	(size, unit, info, comm, base, win))
QMPI_CARRY(Win_allocate_shared, (MPI_Aint size, QMPI_DISPL unit, MPI_Info info, MPI_Comm comm, void *base,
	MPI_Win *win), (size, unit, info, comm, base, win))
QMPI_CARRY(Win_create, (void *base, MPI_Aint size, QMPI_DISPL unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
	(base, size, unit, info, comm, win))

/* What was sent from the buffer is waited for. */
QMPI_CARRY(Buffer_detach, (void *buf, QMPI_COUNT *size), (buf, size))

#ifdef QMPI_SMALL

QMPI_START(Barrier, Ibarrier, (MPI_Comm comm), (comm))

/* Communicators. */
QMPI_START(Comm_dup, Comm_idup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
QMPI_CARRY(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made))
QMPI_CARRY(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made))
QMPI_CARRY(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made), (comm, group, tag, made))
QMPI_CARRY(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))
QMPI_CARRY(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
	(comm, type, key, info, made))
QMPI_CARRY(Comm_disconnect, (MPI_Comm *comm), (comm))
QMPI_CARRY(Comm_accept, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
	(port, info, root, comm, made))
QMPI_CARRY(Comm_connect, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
	(port, info, root, comm, made))
QMPI_CARRY(Comm_join, (int fd, MPI_Comm *made), (fd, made))
QMPI_CARRY(Comm_spawn, (const char *command, char **argv, int n, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made,
	int *errors), (command, argv, n, info, root, comm, made, errors))
QMPI_CARRY(Comm_spawn_multiple, (int k, char **commands, char ***argvs, const int *n, const MPI_Info *infos, int root,
	MPI_Comm comm, MPI_Comm *made, int *errors), (k, commands, argvs, n, infos, root, comm, made, errors))
#ifdef QMPI_SESSIONS
QMPI_CARRY_HANDLED(Comm_create_from_group, (MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler handler,
	MPI_Comm *made), (group, tag, info, handler, made))
QMPI_CARRY_HANDLED(Intercomm_create_from_groups, (MPI_Group here, int leader, MPI_Group there, int remote,
	const char *tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm *made),
	(here, leader, there, remote, tag, info, handler, made))
#endif
QMPI_CARRY(Intercomm_create, (MPI_Comm comm, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *made),
	(comm, leader, peer, remote, tag, made))
QMPI_CARRY(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made))
QMPI_CARRY(Cart_create, (MPI_Comm comm, int n, const int *dims, const int *periods, int reorder, MPI_Comm *made),
	(comm, n, dims, periods, reorder, made))
QMPI_CARRY(Cart_sub, (MPI_Comm comm, const int *remain, MPI_Comm *made), (comm, remain, made))
QMPI_CARRY(Graph_create, (MPI_Comm comm, int n, const int *index, const int *edges, int reorder, MPI_Comm *made),
	(comm, n, index, edges, reorder, made))
QMPI_CARRY(Dist_graph_create, (MPI_Comm comm, int n, const int *from, const int *degrees, const int *to,
	const int *weights, MPI_Info info, int reorder, MPI_Comm *made),
	(comm, n, from, degrees, to, weights, info, reorder, made))
QMPI_CARRY(Dist_graph_create_adjacent, (MPI_Comm comm, int in, const int *from, const int *win, int out, const int *to,
	const int *wout, MPI_Info info, int reorder, MPI_Comm *made),
	(comm, in, from, win, out, to, wout, info, reorder, made))

/* Windows: what waits for other ranks. */
QMPI_CARRY(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win))
QMPI_CARRY(Win_free, (MPI_Win *win), (win))
QMPI_CARRY(Win_fence, (int assert, MPI_Win win), (assert, win))
QMPI_CARRY(Win_start, (MPI_Group group, int assert, MPI_Win win), (group, assert, win))
QMPI_CARRY(Win_complete, (MPI_Win win), (win))
QMPI_CARRY(Win_post, (MPI_Group group, int assert, MPI_Win win), (group, assert, win))
QMPI_CARRY(Win_wait, (MPI_Win win), (win))
QMPI_CARRY(Win_lock, (int type, int rank, int assert, MPI_Win win), (type, rank, assert, win))
QMPI_CARRY(Win_lock_all, (int assert, MPI_Win win), (assert, win))
QMPI_CARRY(Win_unlock, (int rank, MPI_Win win), (rank, win))
QMPI_CARRY(Win_unlock_all, (MPI_Win win), (win))
QMPI_CARRY(Win_flush, (int rank, MPI_Win win), (rank, win))
QMPI_CARRY(Win_flush_all, (MPI_Win win), (win))
QMPI_CARRY(Win_flush_local, (int rank, MPI_Win win), (rank, win))
QMPI_CARRY(Win_flush_local_all, (MPI_Win win), (win))

/* Files. */
QMPI_CARRY(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
	(comm, name, mode, info, file))
QMPI_CARRY(File_delete, (const char *name, MPI_Info info), (name, info))
QMPI_CARRY(File_close, (MPI_File *file), (file))
QMPI_CARRY(File_set_size, (MPI_File file, MPI_Offset size), (file, size))
QMPI_CARRY(File_preallocate, (MPI_File file, MPI_Offset size), (file, size))
QMPI_CARRY(File_set_view, (MPI_File file, MPI_Offset at, MPI_Datatype etype, MPI_Datatype ftype,
	const char *representation, MPI_Info info), (file, at, etype, ftype, representation, info))
QMPI_CARRY(File_set_atomicity, (MPI_File file, int flag), (file, flag))
QMPI_CARRY(File_seek_shared, (MPI_File file, MPI_Offset at, int whence), (file, at, whence))
QMPI_CARRY(File_sync, (MPI_File file), (file))
QMPI_CARRY(File_read_all_end, (MPI_File file, void *buf, MPI_Status *status), (file, buf, status))
QMPI_CARRY(File_read_at_all_end, (MPI_File file, void *buf, MPI_Status *status), (file, buf, status))
QMPI_CARRY(File_read_ordered_end, (MPI_File file, void *buf, MPI_Status *status), (file, buf, status))
QMPI_CARRY(File_write_all_end, (MPI_File file, const void *buf, MPI_Status *status), (file, buf, status))
QMPI_CARRY(File_write_at_all_end, (MPI_File file, const void *buf, MPI_Status *status), (file, buf, status))
QMPI_CARRY(File_write_ordered_end, (MPI_File file, const void *buf, MPI_Status *status), (file, buf, status))

#endif
