/* mpi/sendrecv.h -- the calls that send and receive.  No guard: as mpi/calls.h, it is read for each kind of count.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

int QMPI_NAME(MPI_, Sendrecv)(const void *out, QMPI_COUNT nout, MPI_Datatype tout, int to, int tag_out, void *in,
	QMPI_COUNT nin, MPI_Datatype tin, int from, int tag_in, MPI_Comm comm, MPI_Status *status)
{
	enum qmpi_stance stance = qmpi_stance();
	MPI_Request both[2];

	if (qti_likely(stance == QMPI_OUTSIDE) || is_no_status(status))
		return QMPI_NAME(PMPI_, Sendrecv)(
			out, nout, tout, to, tag_out, in, nin, tin, from, tag_in, comm, status);
	if (from == MPI_PROC_NULL) {
		int rc = QMPI_NAME(PMPI_, Recv)(in, nin, tin, from, tag_in, comm, status);
		return rc == MPI_SUCCESS ? QMPI_NAME(MPI_, Send)(out, nout, tout, to, tag_out, comm) : rc;
	}
	int rc = QMPI_NAME(PMPI_, Irecv)(in, nin, tin, from, tag_in, comm, &both[0]);
	if (rc != MPI_SUCCESS)
		return rc;
	rc = QMPI_NAME(PMPI_, Isend)(out, nout, tout, to, tag_out, comm, &both[1]);
	if (rc != MPI_SUCCESS) {
		take_back(&both[0]);
		return rc;
	}
	int received = complete(&both[0], status, comm, stance);
	int sent = complete(&both[1], MPI_STATUS_IGNORE, comm, stance);
	return received == MPI_SUCCESS ? sent : received;
}

/* What is sent lies packed meanwhile, and matches any type as MPI_PACKED. */
int QMPI_NAME(MPI_, Sendrecv_replace)(void *buf, QMPI_COUNT n, MPI_Datatype type, int to, int tag_out, int from,
	int tag_in, MPI_Comm comm, MPI_Status *status)
{
	QMPI_COUNT size, packed = 0;
	void *copy;
	int rc;

	if (qti_likely(qmpi_stance() == QMPI_OUTSIDE))
		return QMPI_NAME(PMPI_, Sendrecv_replace)(buf, n, type, to, tag_out, from, tag_in, comm, status);
	if ((rc = QMPI_NAME(PMPI_, Pack_size)(n, type, comm, &size)) != MPI_SUCCESS)
		return rc;
	if ((copy = qti_mem_alloc((size_t)size + 1)) == NULL)
		return QMPI_NAME(PMPI_, Sendrecv_replace)(buf, n, type, to, tag_out, from, tag_in, comm, status);
	rc = QMPI_NAME(PMPI_, Pack)(buf, n, type, copy, size, &packed, comm);
	if (rc == MPI_SUCCESS)
		rc = QMPI_NAME(MPI_, Sendrecv)(
			copy, packed, MPI_PACKED, to, tag_out, buf, n, type, from, tag_in, comm, status);
	qti_mem_free(copy);
	return rc;
}
