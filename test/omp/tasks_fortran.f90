! test/omp/tasks_fortran.f90 -- tasks, dependences, taskloop, locks and the routines of omp_lib, from Fortran.
!
! Copyright (c) 2026 The libqthread authors
! SPDX-License-Identifier: BSD-3-Clause

program tasks_fortran
  use iso_c_binding
  use omp_lib
  implicit none
  include 'tap.inc'

  integer, parameter :: n = 200

  call plan(33)
  call flat
  call clauses
  call final_tasks
  call recursion
  call dependences
  call groups
  call loops
  call detached
  call simple_locks
  call nest_locks
  call routines
  call routines_of_a_region
  call wide_arguments
  call done

contains

  subroutine check(good, name)
    logical, intent(in) :: good
    character(len=*), intent(in) :: name
    call ok(good, name//c_null_char)
  end subroutine check

  subroutine flat
    integer :: runs(n), i
    runs = 0
    !$omp parallel
    !$omp single
    do i = 1, n
      !$omp task firstprivate(i)
      !$omp atomic
      runs(i) = runs(i) + 1
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    call check(all(runs == 1), 'task: each runs once')
  end subroutine flat

  subroutine clauses
    integer :: i, row(5), bad, other
    character(len=8) :: text
    integer, allocatable :: heap(:)
    bad = 0
    other = 3
    !$omp parallel private(row, text, heap)
    !$omp single
    do i = 1, n
      row = i
      write (text, '(i8)') i
      allocate (heap(i))
      heap = -i
      !$omp task firstprivate(row, text, heap, i) private(other) shared(bad) untied if(mod(i, 3) /= 0)
      other = i
      if (any(row /= i) .or. size(heap) /= i .or. any(heap /= -i) .or. other /= i) then
        !$omp atomic
        bad = bad + 1
      end if
      read (text, '(i8)') other
      if (other /= i) then
        !$omp atomic
        bad = bad + 1
      end if
      row = 0
      heap = 0
      !$omp end task
      if (any(row /= i) .or. any(heap /= -i)) bad = bad + 1
      deallocate (heap)
    end do
    !$omp end single
    !$omp end parallel
    call check(bad == 0, 'task firstprivate: arrays, text, allocatable arrays')
    call check(other == 3, 'task private: the original stays as it is')
  end subroutine clauses

  subroutine final_tasks
    integer :: wrong
    logical :: child
    wrong = 0
    !$omp parallel
    !$omp single private(child)
    if (omp_in_final()) wrong = wrong + 1
    !$omp task final(.true.) shared(wrong) private(child)
    child = .false.
    if (.not. omp_in_final()) wrong = wrong + 1
    !$omp task shared(child)
    child = omp_in_final()
    !$omp end task
    if (.not. child) wrong = wrong + 1
    !$omp end task
    !$omp end single
    !$omp end parallel
    call check(wrong == 0, 'task final(.true.): omp_in_final, and undeferred children')
  end subroutine final_tasks

  recursive integer function fib(k) result(f)
    integer, intent(in) :: k
    integer :: a, b
    if (k < 2) then
      f = k
    else
      !$omp task shared(a)
      a = fib(k - 1)
      !$omp end task
      !$omp task shared(b) if(k > 4)
      b = fib(k - 2)
      !$omp end task
      !$omp taskwait
      f = a + b
    end if
  end function fib

  subroutine recursion
    integer :: f
    !$omp parallel
    !$omp single
    f = fib(12)
    !$omp end single
    !$omp end parallel
    call check(f == 144, 'task: recursive functions, taskwait')
  end subroutine recursion

  subroutine dependences
    integer :: i, word, wrong, cells(0:10, 0:10), k
    word = 0
    wrong = 0
    !$omp parallel
    !$omp single
    do i = 1, n
      !$omp task depend(inout: word) shared(word, wrong) firstprivate(i)
      if (word /= i - 1) wrong = wrong + 1
      word = i
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    call check(word == n .and. wrong == 0, 'task depend(inout): a chain')

    cells = 1
    !$omp parallel
    !$omp single
    do k = 1, 10
      do i = 1, 10
        !$omp task depend(in: cells(i - 1, k), cells(i, k - 1)) depend(out: cells(i, k)) firstprivate(i, k)
        cells(i, k) = cells(i - 1, k) + cells(i, k - 1)
        !$omp end task
      end do
    end do
    !$omp end single
    !$omp end parallel
    call check(cells(10, 10) == 184756, 'task depend: a wavefront')
  end subroutine dependences

  recursive subroutine spread_out(depth, ran)
    integer, intent(in), value :: depth
    integer, intent(inout) :: ran
    integer :: i
    !$omp atomic
    ran = ran + 1
    if (depth > 0) then
      do i = 1, 3
        !$omp task shared(ran) firstprivate(depth)
        call spread_out(depth - 1, ran)
        !$omp end task
      end do
    end if
  end subroutine spread_out

  subroutine groups
    integer :: ran, seen, total, i
    ran = 0
    total = 0
    !$omp parallel
    !$omp single
    !$omp taskgroup
    !$omp task shared(ran)
    call spread_out(4, ran)
    !$omp end task
    !$omp end taskgroup
    seen = ran
    !$omp taskgroup task_reduction(+: total)
    do i = 1, 100
      !$omp task in_reduction(+: total) firstprivate(i)
      total = total + i
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp end single
    !$omp end parallel
    call check(seen == 121, 'taskgroup: waits for descendants')
    call check(total == 5050, 'taskgroup task_reduction')
  end subroutine groups

  subroutine loops
    integer :: runs(n), i, k, last, total
    integer(c_int64_t) :: wide
    runs = 0
    last = 0
    total = 0
    !$omp parallel
    !$omp single
    !$omp taskloop grainsize(7) lastprivate(last)
    do i = 1, n
      !$omp atomic
      runs(i) = runs(i) + 1
      last = i
    end do
    !$omp end taskloop
    !$omp taskloop num_tasks(5) reduction(+: total)
    do i = n, 1, -2
      total = total + i
    end do
    !$omp end taskloop
    !$omp taskloop collapse(2)
    do k = 1, 10
      do i = 1, 20
        !$omp atomic
        runs((k - 1) * 20 + i) = runs((k - 1) * 20 + i) + 1
      end do
    end do
    !$omp end taskloop
    !$omp taskloop
    do wide = huge(wide) - 10, huge(wide) - 1
      !$omp atomic
      runs(huge(wide) - wide) = runs(huge(wide) - wide) + 1
    end do
    !$omp end taskloop
    !$omp end single
    !$omp end parallel
    call check(all(runs(1:10) == 3) .and. all(runs(11:n) == 2), 'taskloop: grainsize, collapse, 8 byte indices')
    call check(last == n, 'taskloop lastprivate')
    call check(total == 10100, 'taskloop reduction, downwards')
  end subroutine loops

  subroutine detached
    integer(omp_event_handle_kind) :: event
    integer :: done_first, body
    done_first = 0
    body = 0
    !$omp parallel
    !$omp single
    !$omp task detach(event) shared(body)
    !$omp atomic write
    body = 1
    !$omp end task
    !$omp task firstprivate(event) shared(done_first)
    !$omp atomic write
    done_first = 1
    call omp_fulfill_event(event)
    !$omp end task
    !$omp taskwait
    !$omp atomic
    body = body + done_first
    !$omp end single
    !$omp end parallel
    call check(body == 2, 'omp_fulfill_event')
  end subroutine detached

  subroutine simple_locks
    integer(omp_lock_kind) :: lock
    integer :: sum, i
    logical :: first, second
    sum = 0
    call omp_init_lock(lock)
    first = omp_test_lock(lock)
    second = omp_test_lock(lock)
    call omp_unset_lock(lock)
    call check(first .and. .not. second, 'omp_test_lock')
    !$omp parallel
    !$omp single
    do i = 1, n
      !$omp task shared(sum, lock)
      call omp_set_lock(lock)
      sum = sum + 1
      call omp_unset_lock(lock)
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    call omp_destroy_lock(lock)
    call check(sum == n, 'omp_set_lock: one task at a time')
  end subroutine simple_locks

  subroutine nest_locks
    integer(omp_nest_lock_kind) :: lock
    integer :: count, members, sum
    sum = 0
    members = 0
    call omp_init_nest_lock(lock)
    call omp_set_nest_lock(lock)
    count = omp_test_nest_lock(lock)
    call omp_unset_nest_lock(lock)
    call omp_unset_nest_lock(lock)
    call check(count == 2, 'omp_test_nest_lock: how often it is held')
    !$omp parallel reduction(+: members)
    members = members + 1
    call omp_set_nest_lock(lock)
    call omp_set_nest_lock(lock)
    sum = sum + 1
    call omp_unset_nest_lock(lock)
    call omp_unset_nest_lock(lock)
    !$omp end parallel
    call omp_destroy_nest_lock(lock)
    call check(sum == members, 'omp_set_nest_lock: one member at a time')
  end subroutine nest_locks

  subroutine routines
    integer(omp_sched_kind) :: kind
    integer :: chunk
    double precision :: from, to
    call check(omp_get_num_threads() == 1 .and. omp_get_thread_num() == 0 .and. .not. omp_in_parallel(), &
      'omp_get_num_threads, omp_get_thread_num, omp_in_parallel: outside')
    call check(omp_get_level() == 0 .and. omp_get_active_level() == 0 .and. omp_get_team_size(0) == 1 .and. &
      omp_get_ancestor_thread_num(0) == 0 .and. omp_get_ancestor_thread_num(1) == -1, &
      'omp_get_level and its kin: outside')
    call check(omp_get_num_procs() >= 1 .and. omp_get_thread_limit() >= omp_get_max_threads(), &
      'omp_get_num_procs, omp_get_thread_limit')
    call omp_set_schedule(omp_sched_guided, 5)
    call omp_get_schedule(kind, chunk)
    call check(kind == omp_sched_guided .and. chunk == 5, 'omp_set_schedule, omp_get_schedule')
    call omp_set_dynamic(.true.)
    call check(omp_get_dynamic(), 'omp_set_dynamic(.true.)')
    call omp_set_dynamic(.false.)
    call check(.not. omp_get_dynamic(), 'omp_set_dynamic(.false.)')
    call omp_set_max_active_levels(3)
    call check(omp_get_max_active_levels() == 3, 'omp_set_max_active_levels')
    call omp_set_max_active_levels(1)
    from = omp_get_wtime()
    to = omp_get_wtime()
    call check(to >= from .and. omp_get_wtick() > 0 .and. omp_get_wtick() <= 1d-3, 'omp_get_wtime, omp_get_wtick')
    call check(omp_get_num_devices() == 0 .and. omp_is_initial_device() .and. omp_get_team_num() == 0 .and. &
      omp_get_num_teams() == 1, 'omp_get_num_devices, omp_is_initial_device, teams')
    call check(.not. omp_get_cancellation() .and. omp_get_max_task_priority() == 0 .and. &
      omp_get_proc_bind() == omp_proc_bind_false, 'omp_get_cancellation, omp_get_max_task_priority, omp_get_proc_bind')
  end subroutine routines

  subroutine routines_of_a_region
    integer :: wrong, before
    logical :: busy
    wrong = 0
    before = omp_get_max_threads()
    call omp_set_num_threads(3)
    call check(omp_get_max_threads() == 3, 'omp_set_num_threads')
    !$omp parallel reduction(+: wrong) private(busy)
    busy = omp_in_parallel()
    if (omp_get_num_threads() /= 3 .or. .not. busy .or. omp_get_team_size(1) /= 3) wrong = wrong + 1
    if (omp_get_ancestor_thread_num(1) /= omp_get_thread_num() .or. omp_get_level() /= 1) wrong = wrong + 1
    !$omp end parallel
    call omp_set_num_threads(before)
    call check(wrong == 0, 'omp_get_num_threads and its kin: in a region')
  end subroutine routines_of_a_region

  ! The same with arguments of 8 bytes, which are other functions of the library.
  subroutine wide_arguments
    integer(c_int64_t) :: level, threads
    integer(omp_sched_kind) :: kind
    integer(c_int64_t) :: chunk
    integer :: before, small
    before = omp_get_max_threads()
    threads = 2
    call omp_set_num_threads(threads)
    call check(omp_get_max_threads() == 2, 'omp_set_num_threads: of 8 bytes')
    level = 0
    call check(omp_get_ancestor_thread_num(level) == 0 .and. omp_get_team_size(level) == 1, &
      'omp_get_ancestor_thread_num, omp_get_team_size: of 8 bytes')
    chunk = 9
    call omp_set_schedule(omp_sched_dynamic, chunk)
    call omp_get_schedule(kind, chunk)
    call omp_get_schedule(kind, small)
    call check(kind == omp_sched_dynamic .and. chunk == 9 .and. small == 9, &
      'omp_set_schedule, omp_get_schedule: of 8 bytes')
    level = 2
    call omp_set_max_active_levels(level)
    call check(omp_get_max_active_levels() == 2, 'omp_set_max_active_levels: of 8 bytes')
    level = 1
    call omp_set_max_active_levels(level)
    call omp_set_num_threads(before)
  end subroutine wide_arguments

end program tasks_fortran
