! test/xomp/lowered/fortran.f -- pragma/fortran.f in calls of XOMP.
!
! Copyright (c) 2026 The libqthread authors
! SPDX-License-Identifier: BSD-3-Clause

      subroutine loops(n, v)
      implicit none
      include 'libxompf.h'
      include 'omp_lib.h'
      external out_1
      integer n, v(n)
      call xomp_init
      v = 0
      call omp_set_schedule(omp_sched_guided, 2)
      call xomp_parallel_start(out_1, 1, 0, 2, n, v)
      call xomp_parallel_end
      call xomp_terminate(0)
      end

      subroutine out_1(n, v)
      implicit none
      include 'libxompf.h'
      include 'omp_lib.h'
      integer n, v(*)
      integer p_index_, p_lower_, p_upper_
      call xomp_loop_default(1, n, 1, p_lower_, p_upper_)
      do p_index_ = p_lower_, p_upper_, 1
        v(p_index_) = v(p_index_) + 1
      end do
      call xomp_barrier
      call xomp_loop_static_init(1, n, 1, 3)
      if (xomp_loop_static_start(1, n, 1, 3, p_lower_,
     &    p_upper_) .eq. 1) then
10      continue
        do p_index_ = p_lower_, p_upper_, 1
          v(p_index_) = v(p_index_) + 10
        end do
        if (xomp_loop_static_next(p_lower_, p_upper_) .eq. 1)
     &    goto 10
      end if
      call xomp_loop_end
      call xomp_loop_dynamic_init(1, n, 1, 1)
      if (xomp_loop_dynamic_start(1, n, 1, 1, p_lower_,
     &    p_upper_) .eq. 1) then
20      continue
        do p_index_ = p_lower_, p_upper_, 1
          v(p_index_) = v(p_index_) + 100
        end do
        if (xomp_loop_dynamic_next(p_lower_, p_upper_) .eq. 1)
     &    goto 20
      end if
      call xomp_loop_end
      call xomp_loop_guided_init(1, n, 1, 2)
      if (xomp_loop_guided_start(1, n, 1, 2, p_lower_,
     &    p_upper_) .eq. 1) then
30      continue
        do p_index_ = p_lower_, p_upper_, 1
          v(p_index_) = v(p_index_) + 1000
        end do
        if (xomp_loop_guided_next(p_lower_, p_upper_) .eq. 1)
     &    goto 30
      end if
      call xomp_loop_end
      call xomp_loop_runtime_init(1, n, 1)
      if (xomp_loop_runtime_start(1, n, 1, p_lower_,
     &    p_upper_) .eq. 1) then
40      continue
        do p_index_ = p_lower_, p_upper_, 1
          v(p_index_) = v(p_index_) + 10000
        end do
        if (xomp_loop_runtime_next(p_lower_, p_upper_) .eq. 1)
     &    goto 40
      end if
      call xomp_loop_end
      call xomp_loop_auto_init(1, n, 1)
      if (xomp_loop_auto_start(1, n, 1, p_lower_,
     &    p_upper_) .eq. 1) then
50      continue
        do p_index_ = p_lower_, p_upper_, 1
          v(p_index_) = v(p_index_) + 100000
        end do
        if (xomp_loop_auto_next(p_lower_, p_upper_) .eq. 1)
     &    goto 50
      end if
      call xomp_loop_end
      end

      subroutine downwards(n, v)
      implicit none
      include 'libxompf.h'
      external out_2
      integer n, v(n)
      call xomp_parallel_start(out_2, 1, 0, 2, n, v)
      call xomp_parallel_end
      end

      subroutine out_2(n, v)
      implicit none
      include 'libxompf.h'
      include 'omp_lib.h'
      integer n, v(*)
      integer p_index_, p_lower_, p_upper_
      call xomp_loop_dynamic_init(n, 1, -3, 2)
      if (xomp_loop_dynamic_start(n, 1, -3, 2, p_lower_,
     &    p_upper_) .eq. 1) then
10      continue
        do p_index_ = p_lower_, p_upper_, -3
          v(p_index_) = v(p_index_) + 100000
        end do
        if (xomp_loop_dynamic_next(p_lower_, p_upper_) .eq. 1)
     &    goto 10
      end if
      call xomp_loop_end_nowait
      call xomp_barrier
      call xomp_loop_default(n, 1, -3, p_lower_, p_upper_)
      do p_index_ = p_lower_, p_upper_, -3
        v(p_index_) = v(p_index_) + 11111
      end do
      call xomp_barrier
      end

      subroutine nothing(n, v)
      implicit none
      include 'libxompf.h'
      external out_3
      integer n, v(n)
      call xomp_parallel_start(out_3, 1, 0, 2, n, v)
      call xomp_parallel_end
      end

      subroutine out_3(n, v)
      implicit none
      include 'libxompf.h'
      include 'omp_lib.h'
      integer n, v(*)
      integer p_index_, p_lower_, p_upper_
      call xomp_loop_default(1, 0, 1, p_lower_, p_upper_)
      do p_index_ = p_lower_, p_upper_, 1
        v(1) = -1
      end do
      call xomp_barrier
      call xomp_loop_guided_init(n, n + 1, -1, 1)
      if (xomp_loop_guided_start(n, n + 1, -1, 1, p_lower_,
     &    p_upper_) .eq. 1) then
10      continue
        do p_index_ = p_lower_, p_upper_, -1
          v(1) = -1
        end do
        if (xomp_loop_guided_next(p_lower_, p_upper_) .eq. 1)
     &    goto 10
      end if
      call xomp_loop_end
      end

      subroutine reduce(n, total, last)
      implicit none
      include 'libxompf.h'
      external out_4
      integer n, total, last
      call xomp_parallel_start(out_4, 1, 0, 3, n, total, last)
      call xomp_parallel_end
      end

      subroutine out_4(n, total, last)
      implicit none
      include 'libxompf.h'
      include 'omp_lib.h'
      integer n, total, last
      integer p_index_, p_lower_, p_upper_, p_total, p_last
      p_total = 0
      p_last = 0
      call xomp_loop_default(1, n, 1, p_lower_, p_upper_)
      do p_index_ = p_lower_, p_upper_, 1
        p_total = p_total + p_index_
        p_last = 2 * p_index_
      end do
      if (p_index_ .ne. p_lower_ .and. p_index_ .gt. n) last = p_last
      call xomp_atomic_start
      total = total + p_total
      call xomp_atomic_end
      call xomp_barrier
      end

      subroutine ordered(n, k, order)
      implicit none
      include 'libxompf.h'
      external out_5
      integer n, k, order(n)
      call xomp_parallel_start(out_5, 1, 0, 3, n, k, order)
      call xomp_parallel_end
      end

      subroutine out_5(n, k, order)
      implicit none
      include 'libxompf.h'
      include 'omp_lib.h'
      integer n, k, order(*)
      integer p_index_, p_lower_, p_upper_
      call xomp_loop_ordered_dynamic_init(1, n, 1, 3)
      if (xomp_loop_ordered_dynamic_start(1, n, 1, 3, p_lower_,
     &    p_upper_) .eq. 1) then
10      continue
        do p_index_ = p_lower_, p_upper_, 1
          call xomp_ordered_start
          k = k + 1
          order(k) = p_index_
          call xomp_ordered_end
        end do
        if (xomp_loop_ordered_dynamic_next(p_lower_, p_upper_)
     &    .eq. 1) goto 10
      end if
      call xomp_loop_end
      end

      subroutine three(ran, last)
      implicit none
      include 'libxompf.h'
      external out_6
      integer ran(3), last
      call xomp_parallel_start(out_6, 1, 0, 2, ran, last)
      call xomp_parallel_end
      end

      subroutine out_6(ran, last)
      implicit none
      include 'libxompf.h'
      include 'omp_lib.h'
      integer ran(*), last
      integer xomp_section_1, xomp_section_1_save, p_last
      xomp_section_1_save = -1
      p_last = 0
      xomp_section_1 = xomp_sections_init_next(3)
      do while (xomp_section_1 .ge. 0)
        select case (xomp_section_1)
        case (0)
          ran(1) = ran(1) + 1
          p_last = 10
        case (1)
          ran(2) = ran(2) + 1
          p_last = 20
        case (2)
          ran(3) = ran(3) + 1
          p_last = 30
        case default
          call abort
        end select
        xomp_section_1_save = xomp_section_1
        xomp_section_1 = xomp_sections_next()
      end do
      if (xomp_section_1_save .eq. 2) last = p_last
      call xomp_sections_end
      end

      subroutine alone(n, k)
      implicit none
      include 'libxompf.h'
      external out_7
      integer n, k
      k = 0
      call xomp_parallel_start(out_7, 1, 0, 2, n, k)
      call xomp_parallel_end
      end

      subroutine out_7(n, k)
      implicit none
      include 'libxompf.h'
      include 'omp_lib.h'
      integer n, k
      integer p_r
      do p_r = 1, n
        if (xomp_single() .eq. 1) then
          k = k + 1
        end if
        call xomp_barrier
        if (xomp_master() .eq. 1) then
          k = k + 1
        end if
        call xomp_barrier
        if (xomp_single() .eq. 1) then
          k = k + 1
        end if
        call xomp_barrier
      end do
      end

      subroutine exclude(n, k, total)
      implicit none
      include 'libxompf.h'
      external out_8
      integer n, k, total
      k = 0
      total = 0
      call xomp_parallel_start(out_8, 1, 0, 3, n, k, total)
      call xomp_parallel_end
      end

      subroutine out_8(n, k, total)
      implicit none
      include 'libxompf.h'
      include 'omp_lib.h'
      integer n, k, total
      integer p_r
      integer*8 xomp_critical_user_
      common /xomp_critical_user_/ xomp_critical_user_
      do p_r = 1, n
        call xomp_critical_start(xomp_critical_user_)
        k = k + 1
        call xomp_critical_end(xomp_critical_user_)
        call xomp_atomic_start
        total = total + 2
        call xomp_atomic_end
        call xomp_flush_all
      end do
      end

      subroutine sized(threads, seen)
      implicit none
      include 'libxompf.h'
      external out_9
      integer threads, seen(0:63)
      call xomp_parallel_start(out_9, 1, threads, 1, seen)
      call xomp_parallel_end
      end

      subroutine out_9(seen)
      implicit none
      include 'omp_lib.h'
      integer seen(0:63)
      seen(omp_get_thread_num()) = seen(omp_get_thread_num()) + 1
      end

      subroutine sized_if(condition, seen)
      implicit none
      include 'libxompf.h'
      external out_9
      logical condition
      integer seen(0:63)
      call xomp_parallel_start(out_9, condition, 0, 1, seen)
      call xomp_parallel_end
      end

      subroutine nested(kept)
      implicit none
      include 'libxompf.h'
      include 'omp_lib.h'
      external out_10
      integer kept
      call omp_set_max_active_levels(2)
      call xomp_parallel_start(out_10, 1, 3, 1, kept)
      call xomp_parallel_end
      end

      subroutine out_10(kept)
      implicit none
      external out_11
      integer kept
      call xomp_parallel_start(out_11, 1, 2, 1, kept)
      call xomp_parallel_end
      end

      subroutine out_11(kept)
      implicit none
      integer kept
      call xomp_atomic_start
      kept = kept + 1
      call xomp_atomic_end
      end

      subroutine some_variables(total)
      implicit none
      include 'libxompf.h'
      external out_17
      integer total
      integer a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12
      data a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12
     & /1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12/
      total = 0
      call xomp_parallel_start(out_17, 1, 0, 13, total,
     & a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)
      call xomp_parallel_end
      end

      subroutine out_17(total,
     & a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)
      implicit none
      integer total
      integer a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12
      call xomp_atomic_start
      total = total + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10
     & + a11 + a12
      call xomp_atomic_end
      end

      subroutine many_variables(total)
      implicit none
      include 'libxompf.h'
      external out_12
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
      call xomp_parallel_start(out_12, 1, 0, 35, total,
     & a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12,
     & b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12,
     & c1, c2, c3, c4, c5, c6, c7, c8, c9, c10)
      call xomp_parallel_end
      end

      subroutine out_12(total,
     & a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12,
     & b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12,
     & c1, c2, c3, c4, c5, c6, c7, c8, c9, c10)
      implicit none
      integer total
      integer a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12
      integer b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12
      integer c1, c2, c3, c4, c5, c6, c7, c8, c9, c10
      call xomp_atomic_start
      total = total + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10
     & + a11 + a12 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9 + b10
     & + b11 + b12 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10
      call xomp_atomic_end
      end

      recursive function tree(n) result(res)
      implicit none
      external out_13
      integer n, res, a, b
      if (n .lt. 1) then
        res = 1
        return
      end if
      call xomp_task(out_13, 0, 0, 0, n > 3, 1, 6,
     & 0, 8, a, 1, 4, n)
      b = tree(n - 1)
      call xomp_taskwait
      res = a + b
      end

      recursive subroutine out_13(a, n)
      implicit none
      integer a, n, tree
      external tree
      a = tree(n - 1)
      end

      integer function treesum(n)
      implicit none
      external out_14
      integer n, res
      res = 0
      call xomp_parallel_start(out_14, 1, 0, 2, n, res)
      call xomp_parallel_end
      treesum = res
      end

      subroutine out_14(n, res)
      implicit none
      include 'libxompf.h'
      integer n, res, tree
      external tree
      if (xomp_single() .eq. 1) then
        res = tree(n)
      end if
      call xomp_barrier
      end

      subroutine task_values(n, total)
      implicit none
      include 'libxompf.h'
      external out_15
      integer n, total
      total = 0
      call xomp_parallel_start(out_15, 1, 0, 2, n, total)
      call xomp_parallel_end
      end

      subroutine out_15(n, total)
      implicit none
      include 'libxompf.h'
      external out_16
      integer n, total
      integer i
      if (xomp_single() .eq. 1) then
        do i = 1, n
          call xomp_task(out_16, 0, 0, 0, 1, 0, 6,
     &     1, 4, i, 0, 8, total)
        end do
      end if
      call xomp_barrier
      end

      subroutine out_16(i, total)
      implicit none
      integer i, total
      call xomp_atomic_start
      total = total + i
      call xomp_atomic_end
      end
