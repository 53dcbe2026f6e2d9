/* test/mpi/calls.c -- every call that libqmpi intercepts does what MPI says, outside of tasks and in one.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: calls DIRECTORY [jobs]: where files may be written; jobs: with the calls that begin other processes, or look for
 * them.  Each rank counts what is wrong; rank 0 says how much it is in all.  Without arguments: such a process.
 *
 * With -include of a header that test/mpi/tasks.sh makes of libqmpi's symbols, it names those that were not called.
 */
#include "sessions.h"

#include <qthread.h>

#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef EVERY_CALL
unsigned char called[CALLS][PHASES];
enum phase phase = OUTSIDE;
#else
enum { OUTSIDE, IN_MAIN, IN_TASK, PHASES };
static int phase = OUTSIDE;
#endif

#define CHECK(cond) check((cond), #cond, __LINE__)

static int rank, size, wrong;
static int windows_wrong;               /* before there were tasks: some MPIs have windows that do not work */
static bool in_windows;
static const char *where, *directory, *self;

static void check(int cond, const char *text, int line)
{
	if (cond)
		return;
	if (in_windows && (phase == OUTSIDE || windows_wrong))
		windows_wrong++;
	else
		wrong++;
	fprintf(stderr, "# %s, rank %d, line %d: %s\n", where, rank, line, text);
}

/* Those with counts. */
enum { MOST = 8 };
#define NAME(f) f
#define CALL(name) MPI_##name
#define COUNT int
#define DISPL int
#include "counted.h"
#if MPI_VERSION >= 4
#undef NAME
#undef CALL
#undef COUNT
#undef DISPL
#define NAME(f) f##_c
#define CALL(name) MPI_##name##_c
#define COUNT MPI_Count
#define DISPL MPI_Aint
#include "counted.h"
#endif

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
#ifdef QMPI_SESSIONS
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

/* As MPI-1 called them; mpi.h may have macros that refuse these names. */
#ifndef EVERY_CALL
#undef MPI_Errhandler_create
#undef MPI_Errhandler_get
#undef MPI_Errhandler_set
#endif
extern int (MPI_Errhandler_create)(MPI_Comm_errhandler_function *, MPI_Errhandler *);
extern int (MPI_Errhandler_get)(MPI_Comm, MPI_Errhandler *);
extern int (MPI_Errhandler_set)(MPI_Comm, MPI_Errhandler);

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
		CHECK((i % 2 ? MPI_Errhandler_create(nothing_wrong, &h) : MPI_Comm_create_errhandler(nothing_wrong, &h)) == MPI_SUCCESS);
		CHECK(MPI_Comm_set_errhandler(MPI_COMM_SELF, h) == MPI_SUCCESS && MPI_Errhandler_free(&h) == MPI_SUCCESS);
		MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
	}
	CHECK(told == 20);
	for (int i = 0; i < 2; i++) {
		CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, set[i]) == MPI_SUCCESS);
		CHECK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &h) == MPI_SUCCESS && h == set[i]);
		CHECK(MPI_Errhandler_set(MPI_COMM_WORLD, h) == MPI_SUCCESS);
		CHECK(MPI_Errhandler_get(MPI_COMM_WORLD, &h) == MPI_SUCCESS && h == set[i]);
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
	if (size > 1)           /* Open MPI has none for one rank alone */
		CHECK(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &win) == MPI_SUCCESS && MPI_Win_free(&win) == MPI_SUCCESS);
	windows_made(comm);
#if MPI_VERSION >= 4
	windows_made_c(comm);
#endif
	in_windows = false;
}

/* A file of each rank's own.  In Open MPI 4.1 (ompio) each rank asks for the size, and the first makes the file longer; who
 * asks after that believes that all is done, leaves before the last broadcast, and is one behind in every later one: then
 * sizes do not match what is sent, and it crashes or stands still in MPI_File_write_ordered, without libqmpi as with it. */
static void preallocation(MPI_Comm comm)
{
	char name[4096];
	MPI_Offset n = 0;
	MPI_File f;

	(void)comm;
	snprintf(name, sizeof(name), "%s/file%d", directory, rank);
	CHECK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &f) == MPI_SUCCESS);
	CHECK(MPI_File_set_size(f, 0) == MPI_SUCCESS);
	CHECK(MPI_File_preallocate(f, 64) == MPI_SUCCESS && MPI_File_get_size(f, &n) == MPI_SUCCESS && n == 64);
	CHECK(MPI_File_close(&f) == MPI_SUCCESS && MPI_File_delete(name, MPI_INFO_NULL) == MPI_SUCCESS);
}

/* --- other processes ------------------------------------------------------------------------------------------ */

static bool with_jobs;

/* An MPI may not have it; then it has not in a task either. */
#define SAME(call) do { \
	static bool did; \
	bool does = (call) == MPI_SUCCESS; \
	if (phase == OUTSIDE) \
		did = does; \
	check(did == does, #call, __LINE__); \
	if (!does) \
		other = MPI_COMM_NULL; \
} while (0)

static void leave(MPI_Comm *other)
{
	if (*other != MPI_COMM_NULL)
		CHECK(MPI_Comm_disconnect(other) == MPI_SUCCESS);
}

static void children(MPI_Comm comm)
{
	char name[4096];
	char *commands[2] = { name, name };
	int one[2] = { 1, 1 };
	MPI_Info infos[2] = { MPI_INFO_NULL, MPI_INFO_NULL };
	MPI_Comm other;

	snprintf(name, sizeof(name), "%s", self);
	SAME(MPI_Comm_spawn(name, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, comm, &other, MPI_ERRCODES_IGNORE));
	leave(&other);
	SAME(MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, one, infos, 0, comm, &other, MPI_ERRCODES_IGNORE));
	leave(&other);
}

/* MPICH 4.0 over UCX has none: the two calls fail then, in a task as outside.  Nor is any closed: without libqmpi as
 * with it MPI_Close_port("") clears a bit at an index that is not set, and may crash. */
static void ports(MPI_Comm comm)
{
	char port[MPI_MAX_PORT_NAME];
	bool opened = rank == 0 && MPI_Open_port(MPI_INFO_NULL, port) == MPI_SUCCESS;
	MPI_Comm other;

	if (!opened)
		strcpy(port, "none");
	MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, comm);
	if (rank == 0)
		SAME(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other));
	if (rank == 1)
		SAME(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other));
	if (rank < 2)
		leave(&other);
	if (opened)
		CHECK(MPI_Close_port(port) == MPI_SUCCESS);
}

static void sockets(MPI_Comm comm)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	MPI_Comm other;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket%d", directory, phase);
	if (rank == 0) {
		unlink(address.sun_path);
		CHECK(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(fd, 1) == 0);
	}
	MPI_Barrier(comm);
	if (rank == 0)
		fd = accept(fd, NULL, NULL);
	if (rank == 1)
		CHECK(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	if (rank < 2) {
		SAME(MPI_Comm_join(fd, &other));
		leave(&other);
	}
	close(fd);
}

#ifdef QMPI_SESSIONS
static void groups(MPI_Comm comm)
{
	MPI_Group all, one, two;
	MPI_Comm other;

	MPI_Comm_group(comm, &all);
	SAME(MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_RETURN, &other));
	leave(&other);
	MPI_Group_incl(all, 1, (int[]){ rank % 2 }, &one);
	MPI_Group_incl(all, 1, (int[]){ 1 - rank % 2 }, &two);
	if (rank < 2) {
		SAME(MPI_Intercomm_create_from_groups(one, 0, two, 0, "pair", MPI_INFO_NULL, MPI_ERRORS_RETURN, &other));
		leave(&other);
	}
	MPI_Group_free(&all);
	MPI_Group_free(&one);
	MPI_Group_free(&two);
}
#endif

static void sessions(MPI_Comm comm)
{
	(void)comm;
#ifdef QMPI_SESSIONS
	MPI_Session session;

	CHECK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS);
	MPI_Session_finalize(&session);
#endif
}

static void jobs(MPI_Comm comm)
{
	MPI_Errhandler h;
	MPI_Comm returns;

	if (!with_jobs || size < 2)
		return;
	MPI_Comm_dup(comm, &returns);
	MPI_Comm_set_errhandler(returns, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	CHECK(MPI_Errhandler_get(MPI_COMM_WORLD, &h) == MPI_SUCCESS);
	CHECK(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN) == MPI_SUCCESS);
	children(returns);
	ports(returns);
	sockets(returns);
#ifdef QMPI_SESSIONS
	groups(returns);
#endif
	CHECK(MPI_Errhandler_set(MPI_COMM_WORLD, h) == MPI_SUCCESS);
	MPI_Comm_free(&returns);
}

/* --- all of it ------------------------------------------------------------------------------------------------ */

static aligned_t every_call(void *comm)
{
	static void (*const all[])(MPI_Comm) = { messages, requests, datatypes, collectives, neighbours, graphs, communicators,
		handlers, handlers_of_others, windows, files, preallocation, sessions, jobs,
#if MPI_VERSION >= 4
		messages_c, collectives_c, neighbours_c, files_c,
#endif
	};

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		all[i](*(MPI_Comm *)comm);
	return 0;
}

/* MPI_Finalize cannot be called twice: test/mpi/tasks.c has it in its main task. */
static void name_those_not_called(void)
{
#ifdef EVERY_CALL
	PMPI_Allreduce(MPI_IN_PLACE, called, CALLS * PHASES, MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
	called[CALL_MPI_Finalize][OUTSIDE] = called[CALL_MPI_Finalize][IN_TASK] = 1;
	for (int i = 0; rank == 0 && i < CALLS; i++)
		if (!called[i][OUTSIDE] || !called[i][IN_TASK])
			printf("not called %s: %s\n", called[i][OUTSIDE] ? "in a task" : "outside", names[i]);
	if (rank == 0)
		printf("%d calls\n", CALLS);
#endif
}

static void never_comes(int unused)
{
	static const char text[] = "# a process that has been begun stays in MPI_Init\n";

	(void)unused;
	_exit(write(STDERR_FILENO, text, sizeof(text) - 1) < 0 ? 2 : 1);
}

/* A process that another one has begun.  For Open MPI's, see test/mpi/tasks.sh. */
static int child(int *argc, char ***argv)
{
	MPI_Comm parent;
	int level;

	signal(SIGALRM, never_comes);
	alarm(30);
	MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
	alarm(0);
	MPI_Comm_get_parent(&parent);
	if (parent != MPI_COMM_NULL)
		MPI_Comm_disconnect(&parent);
	MPI_Finalize();
	return 0;
}

int main(int argc, char **argv)
{
	MPI_Comm comm = MPI_COMM_WORLD;
	aligned_t done;
	int level, sum = 0;

	if (argc == 1)
		return child(&argc, &argv);
	self = argv[0];
	directory = argv[1];
	with_jobs = argc > 2;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	where = "outside of tasks";
	every_call(&comm);
	MPI_Allreduce(MPI_IN_PLACE, &windows_wrong, 1, MPI_INT, MPI_SUM, comm);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	where = "in the main task";
	phase = IN_MAIN;
	every_call(&comm);
	where = "in a task";
	phase = IN_TASK;
	qthread_fork(every_call, &comm, &done);
	qthread_readFF(NULL, &done);
	MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
	if (rank == 0)
		printf("%d wrong\n", sum);
	qthread_finalize();
	name_those_not_called();
	MPI_Finalize();
	if (with_jobs)
		fprintf(stderr, "# rank %d has ended\n", rank);
	return 0;
}
