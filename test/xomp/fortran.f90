! test/xomp/fortran.f90 -- a Fortran program as ROSE lowers it.
!
! Copyright (c) 2026 The libqthread authors
! SPDX-License-Identifier: BSD-3-Clause
!
! pragma/fortran.f has the constructs' source, which the compiler translates for its own OpenMP library; lowered/fortran.f
! says the same in calls of XOMP.

program fortran
  use iso_c_binding, only: c_null_char
  use omp_lib
  implicit none
  include 'tap.inc'
  integer n, i, last, total, ran(3), order(40), k, seen(0:63)
  integer v(100), kept, treesum, f
  logical good
  external treesum

  call plan(15)

  n = 100
  call loops(n, v)
  good = .true.
  do i = 1, n
    good = good .and. v(i) .eq. 111111
  end do
  call say(good, 'do: of every schedule, each iteration once')

  call downwards(n, v)
  good = .true.
  do i = 1, n
    if (mod(n - i, 3) .eq. 0) then
      good = good .and. v(i) .eq. 222222
    else
      good = good .and. v(i) .eq. 111111
    end if
  end do
  call say(good, 'do: downwards by 3')

  call nothing(n, v)
  call say(v(1) .eq. 222222 .or. v(1) .eq. 111111, &
      'do: no iteration')

  total = 1000
  last = -1
  call reduce(n, total, last)
  call say(total .eq. 6050 .and. last .eq. 200, &
      'reduction, lastprivate')

  k = 0
  call ordered(40, k, order)
  good = k .eq. 40
  do i = 1, 40
    good = good .and. order(i) .eq. i
  end do
  call say(good, 'ordered')

  ran = 0
  last = -1
  call three(ran, last)
  call say(all(ran .eq. 1) .and. last .eq. 30, 'sections')

  call alone(50, k)
  call say(k .eq. 150, 'single, master, barrier')

  call exclude(50, k, total)
  call say(k .eq. 50 * omp_get_max_threads() .and. &
      total .eq. 100 * omp_get_max_threads(), &
      'critical, atomic')

  seen = 0
  call sized(5, seen)
  call say(sum(seen) .eq. 5 .and. maxval(seen) .eq. 1, &
      'num_threads')
  call sized_if(.false., seen)
  call say(seen(0) .eq. 2 .and. sum(seen) .eq. 6, 'if')

  kept = 0
  call nested(kept)
  call say(kept .eq. 6, 'nested regions')

  call some_variables(total)
  call say(total .eq. 78 * omp_get_max_threads(), 'a region that shares 13 variables')
  call many_variables(total)
  call say(total .eq. 595 * omp_get_max_threads(), &
      'a region that shares 35 variables')

  f = treesum(10)
  call say(f .eq. 1024, 'task, taskwait')

  call task_values(60, total)
  call say(total .eq. 1830, 'tasks have what there was')

  call done()

contains

  subroutine say(good, text)
    logical, intent(in) :: good
    character(*), intent(in) :: text
    call ok(good, text//c_null_char)
  end subroutine say
end program fortran
