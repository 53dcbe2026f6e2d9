! test/mpi/fortran.F90 -- calls from Fortran: two tasks on one worker wait for each other's messages.
!
! Copyright (c) 2026 The libqthread authors
! SPDX-License-Identifier: BSD-3-Clause
!
! -DF08, -DF90 or -DF77: by `use mpi_f08`, `use mpi` or mpif.h.  Each rank counts what is wrong; rank 0 says how much it is
! in all.
#if defined(F08)
#define INTERFACE use mpi_f08
#define HEADER
#elif defined(F90)
#define INTERFACE use mpi
#define HEADER
#else
#define INTERFACE
#define HEADER include 'mpif.h'
#endif

module tasks
	use iso_c_binding
	INTERFACE
	implicit none
	HEADER
	integer, parameter :: rounds = 20
#ifdef F08
	type(MPI_Comm) :: comms(0:1), handled
#else
	integer :: comms(0:1), handled
#endif
	integer :: rank, ranks, told = 0

	interface
		integer(c_int) function qthread_initialize() bind(C)
			import
		end function
		integer(c_int) function qthread_fork(fn, arg, ret) bind(C)
			import
			type(c_funptr), value :: fn
			type(c_ptr), value :: arg, ret
		end function
		integer(c_int) function qthread_readFF(to, from) bind(C, name = 'qthread_readFF')
			import
			type(c_ptr), value :: to, from
		end function
		subroutine qthread_finalize() bind(C)
		end subroutine
	end interface

contains

	subroutine tell(comm, code)
#ifdef F08
		type(MPI_Comm) :: comm
#else
		integer :: comm
#endif
		integer :: code

		if (comm == handled .and. code /= MPI_SUCCESS) told = told + 1
	end subroutine

	! A message that is too long, on a communicator with a handler.
	integer(c_int64_t) function handle(arg) bind(C) result(wrong)
		type(c_ptr), value :: arg
		integer :: out(2), in, class, err, code, mine
		integer, pointer :: number
#ifdef F08
		type(MPI_Request) :: r
		type(MPI_Errhandler) :: h
#else
		integer :: r, h
#endif

		call c_f_pointer(arg, number)
		mine = number
		out = mine
		call MPI_Comm_create_errhandler(tell, h, err)
		call MPI_Comm_set_errhandler(handled, h, err)
		call MPI_Issend(out, 2, MPI_INTEGER, 1 - rank, 950, handled, r, err)
		call MPI_Recv(in, 1, MPI_INTEGER, 1 - rank, 950, handled, MPI_STATUS_IGNORE, code)
		call MPI_Error_class(code, class, err)
		call MPI_Wait(r, MPI_STATUS_IGNORE, err)
		wrong = 0
		if (told /= 1 .or. class /= MPI_ERR_TRUNCATE) wrong = 1
	end function

	! What is wrong.
	integer(c_int64_t) function talk(arg) bind(C) result(wrong)
		type(c_ptr), value :: arg
		integer, pointer :: number
		integer :: me, i, in, out, err, total
#ifdef F08
		type(MPI_Status) :: s, both(2)
		type(MPI_Request) :: r(2)
#else
		integer :: s(MPI_STATUS_SIZE), both(MPI_STATUS_SIZE, 2), r(2)
#endif

		call c_f_pointer(arg, number)
		me = number
		wrong = 0
		do i = 1, rounds
			out = 100 * i + me
			if (mod(me + i, 2) == 0) then
				call MPI_Ssend(out, 1, MPI_INTEGER, rank, 2 * i + me, MPI_COMM_WORLD, err)
				call MPI_Recv(in, 1, MPI_INTEGER, rank, 2 * i + 1 - me, MPI_COMM_WORLD, s, err)
			else
				call MPI_Probe(rank, 2 * i + 1 - me, MPI_COMM_WORLD, s, err)
				call MPI_Recv(in, 1, MPI_INTEGER, rank, 2 * i + 1 - me, MPI_COMM_WORLD, s, err)
				call MPI_Ssend(out, 1, MPI_INTEGER, rank, 2 * i + me, MPI_COMM_WORLD, err)
			end if
			if (in /= 100 * i + 1 - me .or. err /= MPI_SUCCESS) wrong = wrong + 1
#ifdef F08
			if (s%MPI_SOURCE /= rank .or. s%MPI_TAG /= 2 * i + 1 - me) wrong = wrong + 1
#else
			if (s(MPI_SOURCE) /= rank .or. s(MPI_TAG) /= 2 * i + 1 - me) wrong = wrong + 1
#endif
		end do
		call MPI_Irecv(in, 1, MPI_INTEGER, rank, 901 - me, MPI_COMM_WORLD, r(1), err)
		call MPI_Issend(me, 1, MPI_INTEGER, rank, 900 + me, MPI_COMM_WORLD, r(2), err)
		call MPI_Waitall(2, r, both, err)
		if (in /= 1 - me) wrong = wrong + 1
		call MPI_Irecv(in, 1, MPI_INTEGER, rank, 903 - me, MPI_COMM_WORLD, r(1), err)
		call MPI_Ssend(me, 1, MPI_INTEGER, rank, 902 + me, MPI_COMM_WORLD, err)
		call MPI_Wait(r(1), MPI_STATUS_IGNORE, err)
		if (in /= 1 - me) wrong = wrong + 1
		! In another order in each rank.
		out = 1
		call MPI_Barrier(comms(mod(me + rank, 2)), err)
		call MPI_Allreduce(out, total, 1, MPI_INTEGER, MPI_SUM, comms(mod(me + rank, 2)), err)
		if (total /= ranks) wrong = wrong + 1
		call MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_INTEGER, MPI_SUM, comms(mod(me + rank, 2)), err)
		if (out /= ranks) wrong = wrong + 1
	end function
end module

program fortran
	use tasks
	implicit none
	integer(c_int64_t), target :: ret(0:1)
	integer, target :: number(0:1)
	integer :: level, err, wrong, total, i

	call MPI_Init_thread(MPI_THREAD_MULTIPLE, level, err)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
	call MPI_Comm_size(MPI_COMM_WORLD, ranks, err)
	call MPI_Comm_dup(MPI_COMM_WORLD, comms(0), err)
	call MPI_Comm_dup(MPI_COMM_WORLD, comms(1), err)
	call MPI_Comm_dup(MPI_COMM_WORLD, handled, err)
	wrong = qthread_initialize()
	do i = 0, 1
		number(i) = i
		wrong = wrong + qthread_fork(c_funloc(talk), c_loc(number(i)), c_loc(ret(i)))
	end do
	do i = 0, 1
		wrong = wrong + qthread_readFF(c_null_ptr, c_loc(ret(i))) + int(ret(i))
	end do
	if (ranks == 2) then
		wrong = wrong + qthread_fork(c_funloc(handle), c_loc(number(0)), c_loc(ret(0)))
		wrong = wrong + qthread_readFF(c_null_ptr, c_loc(ret(0))) + int(ret(0))
	end if
	call qthread_finalize()
	call MPI_Reduce(wrong, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, err)
	if (rank == 0) print '(i0, a)', total, ' wrong'
	call MPI_Finalize(err)
end program
