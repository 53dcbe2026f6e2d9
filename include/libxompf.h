! libxompf.h -- what ROSE's OpenMP lowering calls: XOMP, for Fortran.  C and C++ have libxomp.h.
!
! Copyright (c) 2026 The libqthread authors
! SPDX-License-Identifier: BSD-3-Clause
!
! To be included among the declarations of a program unit, of fixed or free form.  xomp_init_(3) describes the calls.

      external xomp_loop_static_start, xomp_loop_static_next
      integer xomp_loop_static_start, xomp_loop_static_next
      external xomp_loop_dynamic_start, xomp_loop_dynamic_next
      integer xomp_loop_dynamic_start, xomp_loop_dynamic_next
      external xomp_loop_guided_start, xomp_loop_guided_next
      integer xomp_loop_guided_start, xomp_loop_guided_next
      external xomp_loop_runtime_start, xomp_loop_runtime_next
      integer xomp_loop_runtime_start, xomp_loop_runtime_next
      external xomp_loop_auto_start, xomp_loop_auto_next
      integer xomp_loop_auto_start, xomp_loop_auto_next
      external xomp_loop_ordered_static_start
      integer xomp_loop_ordered_static_start
      external xomp_loop_ordered_static_next
      integer xomp_loop_ordered_static_next
      external xomp_loop_ordered_dynamic_start
      integer xomp_loop_ordered_dynamic_start
      external xomp_loop_ordered_dynamic_next
      integer xomp_loop_ordered_dynamic_next
      external xomp_loop_ordered_guided_start
      integer xomp_loop_ordered_guided_start
      external xomp_loop_ordered_guided_next
      integer xomp_loop_ordered_guided_next
      external xomp_loop_ordered_runtime_start
      integer xomp_loop_ordered_runtime_start
      external xomp_loop_ordered_runtime_next
      integer xomp_loop_ordered_runtime_next

      external xomp_sections_init_next, xomp_sections_next
      integer xomp_sections_init_next, xomp_sections_next
      external xomp_sections_end, xomp_sections_end_nowait

      external xomp_single, xomp_master
      integer xomp_single, xomp_master
