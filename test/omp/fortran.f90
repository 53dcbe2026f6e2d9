! test/omp/fortran.f90 -- Fortran: regions, loops, sections, workshare, single, threadprivate, omp_lib.
!
! Copyright (c) 2026 The libqthread authors
! SPDX-License-Identifier: BSD-3-Clause

module shared_state
  implicit none
  integer, save :: in_module = 3
  !$omp threadprivate(in_module)
end module shared_state

program fortran
  use iso_c_binding, only: c_null_char
  use omp_lib
  implicit none
  include 'tap.inc'
  integer :: members

  call plan(39)
  call omp_set_dynamic(.false.)
  members = omp_get_max_threads()
  call regions
  call loops
  call reductions
  call ordered
  call sections
  call workshare
  call single
  call threadprivate
  call exclusion
  call routines
  call nesting
  call absent_arguments
  call done

contains

  subroutine regions
    integer :: i, x, wrong, seen(0:63)
    integer, allocatable :: a(:), b(:)
    character(len=10) :: text

    seen = 0
    !$omp parallel
    !$omp atomic
    seen(omp_get_thread_num()) = seen(omp_get_thread_num()) + 1
    !$omp end parallel
    call ok(all(seen(0:members - 1) == 1) .and. all(seen(members:) == 0), 'parallel: each member once'//c_null_char)

    x = 6
    text = 'some text'
    allocate (a(20))
    a = [(i, i=1, 20)]
    wrong = 0
    !$omp parallel num_threads(4) firstprivate(x, a, text) private(i, b) reduction(+: wrong)
    if (x /= 6 .or. text /= 'some text' .or. any(a /= [(i, i=1, 20)])) wrong = wrong + 1
    allocate (b(omp_get_thread_num() + 1))
    x = omp_get_thread_num()
    a = x
    b = x
    !$omp barrier
    if (any(a /= x) .or. any(b /= x) .or. size(b) /= x + 1) wrong = wrong + 1
    deallocate (b)
    !$omp end parallel
    call ok(wrong == 0, 'parallel firstprivate, private: allocatable arrays and characters too'//c_null_char)
    call ok(x == 6 .and. a(20) == 20 .and. .not. allocated(b), &
      'parallel firstprivate, private: originals are left alone'//c_null_char)

    x = 0
    !$omp parallel if(x == 1) reduction(+: x)
    x = x + 1
    !$omp end parallel
    call ok(x == 1, 'parallel if: alone'//c_null_char)

    x = 0
    !$omp parallel default(none) shared(x) num_threads(3)
    !$omp atomic update
    x = x + 1
    !$omp end parallel
    call ok(x == 3, 'parallel default(none) num_threads(3)'//c_null_char)
  end subroutine regions

  subroutine loops
    integer :: i, j, n, last, wrong, hits(100), grid(10, 10)
    integer(8) :: k, sum8

    n = 100
    hits = 0
    !$omp parallel do
    do i = 1, n
      hits(i) = hits(i) + 1
    end do
    !$omp parallel do schedule(dynamic, 3)
    do i = n, 1, -1
      hits(i) = hits(i) + 1
    end do
    !$omp parallel do schedule(guided) lastprivate(last)
    do i = 1, n, 2
      hits(i) = hits(i) + 1
      last = i
    end do
    !$omp parallel do schedule(runtime)
    do i = 2, n, 2
      hits(i) = hits(i) + 1
    end do
    !$omp parallel do schedule(static, 7) num_threads(3)
    do i = 1, 100
      hits(i) = hits(i) + 1
    end do
    call ok(all(hits == 4), 'parallel do: each iteration once under each schedule'//c_null_char)
    call ok(last == 99, 'parallel do lastprivate'//c_null_char)

    grid = 0
    !$omp parallel do collapse(2) schedule(dynamic)
    do i = 1, 10
      do j = 10, 1, -1
        grid(j, i) = grid(j, i) + 1
      end do
    end do
    call ok(all(grid == 1), 'parallel do collapse(2)'//c_null_char)

    wrong = 0
    hits = 0
    !$omp parallel reduction(+: wrong)
    !$omp do schedule(dynamic)
    do i = 1, n
      hits(i) = hits(i) + 1
    end do
    !$omp end do
    if (any(hits /= 1)) wrong = wrong + 1
    !$omp barrier
    !$omp do schedule(monotonic: dynamic, 2)
    do i = 1, n
      hits(i) = hits(i) + 1
    end do
    !$omp end do nowait
    !$omp do
    do i = n, 1
      wrong = wrong + 1
    end do
    !$omp end parallel
    call ok(wrong == 0 .and. all(hits == 2), 'do, end do nowait'//c_null_char)

    sum8 = 0
    !$omp parallel do reduction(+: sum8) schedule(dynamic, 4)
    do k = 5000000000_8, 5000000990_8, 10_8
      sum8 = sum8 + (k - 5000000000_8)
    end do
    call ok(sum8 == 49500, 'parallel do: integer(8)'//c_null_char)

    wrong = 0
    !$omp parallel do firstprivate(n) linear(j: 2) reduction(+: wrong)
    do i = 1, 50
      j = j + 2
      if (n /= 100) wrong = wrong + 1
    end do
    call ok(wrong == 0, 'parallel do firstprivate linear'//c_null_char)

    hits = 0
    !$omp parallel do simd
    do i = 1, 100
      hits(i) = i
    end do
    call ok(sum(hits) == 5050, 'parallel do simd'//c_null_char)
  end subroutine loops

  subroutine reductions
    integer :: i, total, least, bits, odd, counts(5)
    logical :: every, some, same
    real(8) :: product8
    complex(8) :: z

    total = 10
    least = huge(least)
    bits = 0
    odd = 0
    every = .true.
    some = .false.
    same = .true.
    product8 = 1
    z = 0
    counts = 0
    !$omp parallel do reduction(+: total, z, counts) reduction(min: least) reduction(ior: bits) &
    !$omp reduction(ieor: odd) reduction(.and.: every) reduction(.or.: some) reduction(.eqv.: same) &
    !$omp reduction(*: product8)
    do i = 1, 100
      total = total + i
      least = min(least, mod(i * 37, 101))
      bits = ior(bits, ishft(1, mod(i, 9)))
      odd = ieor(odd, i)
      every = every .and. i > 0
      some = some .or. i == 50
      same = same .eqv. i /= 50
      if (mod(i, 10) == 0) product8 = product8 * 2
      z = z + cmplx(i, -i, 8)
      counts(mod(i, 5) + 1) = counts(mod(i, 5) + 1) + 1
    end do
    call ok(total == 5060 .and. least == 1 .and. product8 == 1024 .and. z == (5050d0, -5050d0), &
      'reduction: sums, products, least'//c_null_char)
    call ok(bits == 511 .and. odd == 100, 'reduction: ior, ieor'//c_null_char)
    call ok(every .and. some .and. .not. same, 'reduction: .and., .or., .eqv.'//c_null_char)
    call ok(all(counts == 20), 'reduction: an array'//c_null_char)
  end subroutine reductions

  subroutine ordered
    integer :: i, next, wrong, value(0:30)

    next = 1
    wrong = 0
    !$omp parallel do ordered schedule(dynamic) reduction(+: wrong)
    do i = 1, 40
      !$omp ordered
      if (next /= i) wrong = wrong + 1
      next = next + 1
      !$omp end ordered
    end do
    call ok(wrong == 0 .and. next == 41, 'do ordered'//c_null_char)

    value = 0
    !$omp parallel do ordered(1) schedule(dynamic)
    do i = 1, 30
      !$omp ordered depend(sink: i - 1)
      value(i) = value(i - 1) + i
      !$omp ordered depend(source)
    end do
    call ok(value(30) == 465, 'do ordered(1): sink and source'//c_null_char)
  end subroutine ordered

  subroutine sections
    integer :: seen(4), last

    seen = 0
    !$omp parallel
    !$omp sections lastprivate(last)
    seen(1) = seen(1) + 1
    !$omp section
    seen(2) = seen(2) + 1
    !$omp section
    seen(3) = seen(3) + 1
    last = 3
    !$omp end sections
    !$omp end parallel
    call ok(all(seen(1:3) == 1) .and. last == 3, 'sections lastprivate: each once'//c_null_char)

    !$omp parallel sections num_threads(2)
    seen(1) = 7
    !$omp section
    seen(4) = 8
    !$omp end parallel sections
    call ok(seen(1) == 7 .and. seen(4) == 8, 'parallel sections'//c_null_char)
  end subroutine sections

  subroutine workshare
    real(8) :: a(200), b(200), c(20, 30), total
    integer :: i

    a = [(i, i=1, 200)]
    total = 0
    !$omp parallel
    !$omp workshare
    b = 2 * a + 1
    where (b > 200) b = -b
    forall (i=1:20) c(i, :) = i
    total = sum(a)
    !$omp end workshare
    !$omp end parallel
    call ok(all(b(1:99) == 2 * a(1:99) + 1) .and. all(b(100:) == -2 * a(100:) - 1), &
      'workshare: assignments and where'//c_null_char)
    call ok(all(c(20, :) == 20) .and. total == 20100, 'workshare: forall and sum'//c_null_char)

    !$omp parallel workshare
    a = a + 1
    b = a * 2
    !$omp end parallel workshare
    call ok(all(b == [(2 * i + 2, i=1, 200)]), 'parallel workshare: one statement after another'//c_null_char)
  end subroutine workshare

  subroutine single
    integer :: times, wrong, x, i
    real(8) :: y(5)
    character(len=8) :: text

    times = 0
    wrong = 0
    !$omp parallel private(x, y, text, i) reduction(+: wrong)
    do i = 1, 20
      !$omp single
      times = times + 1
      x = i
      y = i * 0.5d0
      write (text, '(i8)') i
      !$omp end single copyprivate(x, y, text)
      if (x /= i .or. any(y /= i * 0.5d0)) wrong = wrong + 1
      if (verify(trim(adjustl(text)), '0123456789') /= 0) wrong = wrong + 1
    end do
    !$omp end parallel
    call ok(times == 20 .and. wrong == 0, 'single, end single copyprivate'//c_null_char)

    times = 0
    !$omp parallel
    !$omp single
    !$omp atomic
    times = times + 1
    !$omp end single nowait
    !$omp master
    !$omp atomic
    times = times + 10
    !$omp end master
    !$omp masked filter(0)
    !$omp atomic
    times = times + 100
    !$omp end masked
    !$omp end parallel
    call ok(times == 111, 'single nowait, master, masked'//c_null_char)
  end subroutine single

  subroutine threadprivate
    use shared_state
    integer :: number, wrong
    real :: field
    common /block/ number, field(5)
    !$omp threadprivate(/block/)
    integer, save :: kept = 20
    !$omp threadprivate(kept)

    wrong = 0
    number = 9
    field = 2.5
    !$omp parallel copyin(/block/) reduction(+: wrong)
    if (number /= 9 .or. any(field /= 2.5)) wrong = wrong + 1
    if (in_module /= 3 .or. kept /= 20) wrong = wrong + 1
    number = omp_get_thread_num()
    field(5) = omp_get_thread_num()
    in_module = 100 + number
    kept = kept + number
    !$omp end parallel
    call ok(wrong == 0, 'parallel copyin(/common/)'//c_null_char)

    !$omp parallel reduction(+: wrong)
    if (number /= omp_get_thread_num() .or. field(5) /= number) wrong = wrong + 1
    if (in_module /= 100 + number .or. kept /= 20 + number) wrong = wrong + 1
    !$omp end parallel
    call ok(wrong == 0 .and. number == 0, 'threadprivate: they stay from region to region'//c_null_char)
  end subroutine threadprivate

  subroutine exclusion
    integer :: i, counted, named, old, wrong, flag
    real(8) :: sum8

    counted = 0
    named = 0
    flag = 1
    sum8 = 0
    wrong = 0
    !$omp parallel private(i, old) reduction(+: wrong)
    do i = 1, 100
      !$omp critical
      counted = counted + 1
      !$omp end critical
      !$omp critical (a_name)
      named = named + 2
      !$omp end critical (a_name)
      !$omp atomic
      sum8 = sum8 + 0.5d0
      !$omp atomic capture
      old = flag
      flag = i
      !$omp end atomic
      !$omp atomic read
      old = flag
      if (old < 1 .or. old > 100) wrong = wrong + 1
      !$omp flush
    end do
    !$omp end parallel
    call ok(counted == 100 * members .and. named == 200 * members, 'critical'//c_null_char)
    call ok(sum8 == 50 * members .and. wrong == 0, 'atomic'//c_null_char)
  end subroutine exclusion

  subroutine routines
    integer(omp_sched_kind) :: kind
    integer :: chunk, inside
    real(8) :: before

    before = omp_get_wtime()
    call ok(omp_get_wtime() >= before .and. omp_get_wtick() > 0, 'omp_get_wtime, omp_get_wtick'//c_null_char)
    call omp_set_schedule(omp_sched_guided, 7)
    call omp_get_schedule(kind, chunk)
    call ok(kind == omp_sched_guided .and. chunk == 7, 'omp_set_schedule, omp_get_schedule'//c_null_char)
    call omp_set_schedule(omp_sched_dynamic, 1)

    call omp_set_num_threads(5_8)
    inside = 0
    !$omp parallel reduction(+: inside)
    if (omp_in_parallel() .and. omp_get_num_threads() == 5) inside = inside + 1
    !$omp end parallel
    call ok(inside == 5 .and. omp_get_max_threads() == 5, 'omp_set_num_threads: integer(8)'//c_null_char)
    call omp_set_num_threads(members)
    call ok(omp_get_max_threads() == members .and. .not. omp_in_parallel(), 'omp_set_num_threads'//c_null_char)
    call ok(omp_get_num_procs() >= 1 .and. omp_get_thread_limit() >= members .and. .not. omp_get_dynamic(), &
      'omp_get_num_procs, omp_get_thread_limit, omp_get_dynamic'//c_null_char)
  end subroutine routines

  subroutine nesting
    integer :: wrong, inner

    call omp_set_max_active_levels(2)
    wrong = 0
    inner = 0
    !$omp parallel num_threads(2) reduction(+: wrong, inner)
    !$omp parallel num_threads(3) reduction(+: wrong, inner)
    inner = inner + 1
    if (omp_get_level() /= 2 .or. omp_get_team_size(1) /= 2 .or. omp_get_team_size(2) /= 3) wrong = wrong + 1
    if (omp_get_ancestor_thread_num(2) /= omp_get_thread_num()) wrong = wrong + 1
    if (omp_get_ancestor_thread_num(1) < 0 .or. omp_get_ancestor_thread_num(1) > 1) wrong = wrong + 1
    if (omp_get_active_level() /= 2) wrong = wrong + 1
    !$omp end parallel
    !$omp end parallel
    call ok(inner == 6, 'parallel in parallel: all members'//c_null_char)
    call ok(wrong == 0, 'omp_get_level, omp_get_team_size, omp_get_ancestor_thread_num'//c_null_char)
    call omp_set_max_active_levels(1)
    call ok(omp_get_max_active_levels() == 1, 'omp_set_max_active_levels'//c_null_char)
  end subroutine nesting

  subroutine add_optional(total, first, second)
    integer, intent(inout) :: total
    integer, optional, intent(in) :: first(20), second(30)
    !$omp target map(tofrom: total) firstprivate(first, second)
    if (present(first)) total = total + sum(first)
    if (present(second)) total = total + sum(second)
    !$omp end target
  end subroutine add_optional

  subroutine absent_arguments
    integer :: total, i
    integer, parameter :: first(20) = 1, second(30) = [(i, i=1, 30)]
    total = 1
    call add_optional(total)
    call ok(total == 1, 'target firstprivate: of absent arguments'//c_null_char)
    call add_optional(total, first=first)
    call add_optional(total, second=second)
    call add_optional(total, first, second)
    call ok(total == 1 + 2*(20 + 465), 'target firstprivate: of some that are there'//c_null_char)
  end subroutine absent_arguments

end program fortran
