! test/xomp/pragma/fortran.f -- constructs in Fortran; see
! test/xomp/fortran.f90.
!
! Copyright (c) 2026 The libqthread authors
! SPDX-License-Identifier: BSD-3-Clause

      subroutine loops(n, v)
      implicit none
      include 'omp_lib.h'
      integer n, v(n), i
      v = 0
      call omp_set_schedule(omp_sched_guided, 2)
!$omp parallel
!$omp do
      do i = 1, n
        v(i) = v(i) + 1
      end do
!$omp do schedule(static, 3)
      do i = 1, n
        v(i) = v(i) + 10
      end do
!$omp do schedule(dynamic)
      do i = 1, n
        v(i) = v(i) + 100
      end do
!$omp do schedule(guided, 2)
      do i = 1, n
        v(i) = v(i) + 1000
      end do
!$omp do schedule(runtime)
      do i = 1, n
        v(i) = v(i) + 10000
      end do
!$omp do schedule(auto)
      do i = 1, n
        v(i) = v(i) + 100000
      end do
!$omp end parallel
      end

      subroutine downwards(n, v)
      implicit none
      integer n, v(n), i
!$omp parallel
!$omp do schedule(dynamic, 2)
      do i = n, 1, -3
        v(i) = v(i) + 100000
      end do
!$omp end do nowait
!$omp barrier
!$omp do
      do i = n, 1, -3
        v(i) = v(i) + 11111
      end do
!$omp end parallel
      end

      subroutine nothing(n, v)
      implicit none
      integer n, v(n), i
!$omp parallel
!$omp do
      do i = 1, n - n
        v(1) = -1
      end do
!$omp do schedule(guided)
      do i = n, n + 1, -1
        v(1) = -1
      end do
!$omp end parallel
      end

      subroutine reduce(n, total, last)
      implicit none
      integer n, total, last, i
!$omp parallel
!$omp do reduction(+: total) lastprivate(last)
      do i = 1, n
        total = total + i
        last = 2 * i
      end do
!$omp end parallel
      end

      subroutine ordered(n, k, order)
      implicit none
      integer n, k, order(n), i
!$omp parallel
!$omp do ordered schedule(dynamic, 3)
      do i = 1, n
!$omp ordered
        k = k + 1
        order(k) = i
!$omp end ordered
      end do
!$omp end parallel
      end

      subroutine three(ran, last)
      implicit none
      integer ran(3), last
!$omp parallel
!$omp sections lastprivate(last)
!$omp section
      ran(1) = ran(1) + 1
      last = 10
!$omp section
      ran(2) = ran(2) + 1
      last = 20
!$omp section
      ran(3) = ran(3) + 1
      last = 30
!$omp end sections
!$omp end parallel
      end

      subroutine alone(n, k)
      implicit none
      integer n, k, r
      k = 0
!$omp parallel private(r)
      do r = 1, n
!$omp single
        k = k + 1
!$omp end single
!$omp master
        k = k + 1
!$omp end master
!$omp barrier
!$omp single
        k = k + 1
!$omp end single nowait
!$omp barrier
      end do
!$omp end parallel
      end

      subroutine exclude(n, k, total)
      implicit none
      integer n, k, total, r
      k = 0
      total = 0
!$omp parallel private(r)
      do r = 1, n
!$omp critical
        k = k + 1
!$omp end critical
!$omp atomic
        total = total + 2
!$omp flush
      end do
!$omp end parallel
      end

      subroutine sized(threads, seen)
      implicit none
      include 'omp_lib.h'
      integer threads, seen(0:63)
!$omp parallel num_threads(threads)
      seen(omp_get_thread_num()) = seen(omp_get_thread_num()) + 1
!$omp end parallel
      end

      subroutine sized_if(condition, seen)
      implicit none
      include 'omp_lib.h'
      logical condition
      integer seen(0:63)
!$omp parallel if(condition)
      seen(omp_get_thread_num()) = seen(omp_get_thread_num()) + 1
!$omp end parallel
      end

      subroutine nested(kept)
      implicit none
      include 'omp_lib.h'
      integer kept
      call omp_set_max_active_levels(2)
!$omp parallel num_threads(3)
!$omp parallel num_threads(2)
!$omp atomic
      kept = kept + 1
!$omp end parallel
!$omp end parallel
      end

      subroutine some_variables(total)
      implicit none
      integer total
      integer a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12
      data a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12
     & /1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12/
      total = 0
!$omp parallel
!$omp critical
      total = total + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10
     & + a11 + a12
!$omp end critical
!$omp end parallel
      end

      subroutine many_variables(total)
      implicit none
      integer total
      integer a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12
      integer b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12
      integer c1, c2, c3, c4, c5, c6, c7, c8, c9, c10
      data a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12
     & /1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12/
      data b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12
     & /13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24/
      data c1, c2, c3, c4, c5, c6, c7, c8, c9, c10
     & /25, 26, 27, 28, 29, 30, 31, 32, 33, 34/
      total = 0
!$omp parallel
!$omp critical
      total = total + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10
     & + a11 + a12 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9 + b10
     & + b11 + b12 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10
!$omp end critical
!$omp end parallel
      end

      recursive function tree(n) result(res)
      implicit none
      integer n, res, a, b
      if (n .lt. 1) then
        res = 1
        return
      end if
!$omp task shared(a) firstprivate(n) untied if(n > 3)
      a = tree(n - 1)
!$omp end task
      b = tree(n - 1)
!$omp taskwait
      res = a + b
      end

      integer function treesum(n)
      implicit none
      integer n, tree, res
      external tree
      res = 0
!$omp parallel
!$omp single
      res = tree(n)
!$omp end single
!$omp end parallel
      treesum = res
      end

      subroutine task_values(n, total)
      implicit none
      integer n, total, i
      total = 0
!$omp parallel
!$omp single
      do i = 1, n
!$omp task firstprivate(i) shared(total)
!$omp atomic
        total = total + i
!$omp end task
      end do
!$omp end single
!$omp end parallel
      end
