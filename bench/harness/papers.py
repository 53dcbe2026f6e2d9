# bench/harness/papers.py -- the figures of the papers, and ours beside them.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Tables 2 to 5 are those of Olivier, Porterfield, Wheeler, Spiegel and Prins, OpenMP task scheduling strategies for
# multicore NUMA systems, IJHPCA 26(2), 2012: four sockets of eight cores, one L3 cache a socket, 32 threads.  The
# breakdown is Table 2 of Adnan and Sato, Dynamic multiple work stealing strategy for flexible load balancing, IEICE
# Transactions E95-D, 2012: the UTS tree A on 24 cores.

from harness.tables import markdown, shown, time

WORKERS = 32

# The papers' benchmarks and our cases: manual cut-offs where they had them.
CASES = {
    'Alignment (single)': ('alignment', 'single', 'none'),
    'Alignment (for)': ('alignment', 'for', 'none'),
    'Fib': ('fib', '', 'manual'),
    'Health': ('health', '', 'manual'),
    'NQueens': ('nqueens', '', 'manual'),
    'Sort': ('sort', '', 'manual'),
    'SparseLU (single)': ('sparselu', 'single', 'none'),
    'SparseLU (for)': ('sparselu', 'for', 'none'),
    'Strassen': ('strassen', '', 'manual'),
}
# Where the better of two forms is what the paper shows.
BEST_OF = {'Alignment': ('Alignment (single)', 'Alignment (for)'), 'SparseLU': ('SparseLU (single)', 'SparseLU (for)')}

# Table 2, seconds: the serial program by GCC and by ICC, then ICC, GCC and MTS with 32 threads.
TIMES = {
    'Alignment': (28.06, 28.33, 0.9110, 0.9973, 1.024),
    'Fib': (83.46, 100.4, 4.036, 5.283, 3.189),
    'Health': (15.31, 15.07, 1.670, 7.460, 1.122),
    'NQueens': (45.24, 49.35, 1.793, 1.766, 1.591),
    'Sort': (19.83, 20.14, 1.230, 1.204, 1.080),
    'SparseLU': (119.7, 117.3, 7.901, 4.517, 4.530),
    'Strassen': (162.7, 169.3, 10.13, 10.13, 10.72),
}

# Table 3, standard deviation in percent of the fastest: ICC, GCC, MTS, WS.
VARIABILITY = {
    'Alignment (single)': (4.4, 0.11, 0.28, 0.035),
    'Alignment (for)': (2.0, 0.34, 1.5, 1.8),
    'Fib': (3.7, 2.8, 3.3, 2.0),
    'Health': (2.0, 0.35, 1.3, 0.29),
    'NQueens': (3.2, 0.77, 0.78, 0.60),
    'Sort': (4.0, 1.8, 1.9, 0.90),
    'SparseLU (single)': (1.1, 0.49, 0.15, 0.060),
    'SparseLU (for)': (3.9, None, 0.16, 0.24),
    'Strassen': (1.8, 1.4, 1.9, 3.0),
}

# Table 4: tasks stolen, and in one steal, MTS.
STOLEN = {
    'Alignment (single)': (5900, 5.8), 'Alignment (for)': (450, 4.1), 'Fib': (2181, 3.4), 'Health': (159386, 5.5),
    'NQueens': (423, 4.1), 'Sort': (5214, 4.6), 'SparseLU (single)': (93117, 5.1), 'SparseLU (for)': (38198, 2.8),
    'Strassen': (1355, 6.0),
}

# Table 5: remote steals and failed ones, MTS, then WS.
STEALS = {
    'Alignment (single)': (1016, 88, 3695, 255), 'Alignment (for)': (109, 122, 1431, 286),
    'Fib': (633, 331, 467, 984), 'Health': (28948, 10323, 295637, 47538), 'NQueens': (102, 141, 1428, 389),
    'Sort': (1134, 404, 19330, 3283), 'SparseLU (single)': (18045, 8133, 68927, 24506),
    'SparseLU (for)': (13486, 11889, 68099, 32205), 'Strassen': (227, 157, 14042, 823),
}

# The other paper's Table 2, in its unit: busy, steal, idle, switch, stack management.
BREAKDOWN = {
    'one task a steal': (6758903, 3623421, 264845, 497716, 1445588),
    'a fixed number': (4619911, 403476, 182164, 339500, 416425),
    'half of the queue': (4713164, 379168, 171128, 437727, 227515),
}


def plain(value, form='{:g}'):
    return '-' if value is None else form.format(value)


def best(run, bench, runtime, scheduler):
    """Our speed-up on that benchmark, of the better form where there are two."""
    found = [run.figures.speedup(run.key(CASES[form], runtime, scheduler=scheduler))
             for form in BEST_OF.get(bench, [bench])]
    return max((value for value in found if value is not None), default=None)


def speedup(run):
    """Table 2: theirs with 32 threads, ours with as many as there are, all over the serial program of GCC or ICC."""
    rows = []
    for bench, (gcc, icc, icc32, gcc32, mts32) in TIMES.items():
        theirs = [icc / icc32, gcc / gcc32, gcc / mts32]
        ours = [best(run, bench, *which) for which in
                (('libiomp5', None), ('libgomp', None), ('qthread', 'mts'), ('libqomp', None))]
        rows.append([bench, *(f'{v:.1f}' for v in theirs), *(f'{100 * v / WORKERS:.0f} %' for v in theirs),
                     *(plain(v, '{:.2f}') for v in ours), *(plain(v and 100 * v / run.most, '{:.0f} %') for v in ours)])
    own = ['Intel', 'libgomp', 'native mts', 'libqomp']
    return markdown(['', *(f'{n}, {WORKERS}' for n in ('ICC', 'GCC', 'MTS')), 'a thread', '', '',
                     *(f'{n}, {run.most}' for n in own), 'a worker', '', '', ''], rows)


def variability(run):
    """Table 3."""
    rows = []
    for bench, theirs in VARIABILITY.items():
        keys = [run.key(CASES[bench], runtime, scheduler=scheduler) for runtime, scheduler in
                (('libiomp5', None), ('libgomp', None), ('qthread', 'mts'), ('qthread', 'ws'), ('libqomp', None))]
        found = [run.figures.get(key) for key in keys]
        rows.append([bench, *map(plain, theirs), *(plain(f and f.variability, '{:.2g}') for f in found),
                     '/'.join(str(len(f.seconds)) if f else '-' for f in found)])
    return markdown(['', 'ICC', 'GCC', 'MTS', 'WS', 'Intel', 'libgomp', 'native mts', 'native ws', 'libqomp',
                     'samples'], rows)


def steal_figures(run, bench, scheduler):
    """The counts of the runs that were made for them."""
    figure = run.figures.get(run.key(CASES[bench], 'qthread', scheduler=scheduler, sweep='steals'))
    return figure.counts if figure and 'steals' in figure.counts else None


def count(counts, name):
    return f'{counts[name]:,.0f}' if counts and name in counts else '-'


def per_steal(counts):
    return f'{counts["stolen"] / counts["steals"]:.2f}' if counts and counts['steals'] else '-'


def stolen(run):
    """Table 4."""
    rows = []
    for bench, (tasks, each) in STOLEN.items():
        counts = steal_figures(run, bench, 'mts')
        rows.append([bench, f'{tasks:,}', each, count(counts, 'tasks'), count(counts, 'stolen'), per_steal(counts)])
    return markdown(['', 'stolen, 32', 'a steal', 'our tasks', f'stolen, {run.most}', 'a steal'], rows)


def steals(run):
    """Table 5."""
    rows = []
    for bench, theirs in STEALS.items():
        row = [bench, *(f'{n:,}' for n in theirs)]
        for scheduler in ('mts', 'ws'):
            counts = steal_figures(run, bench, scheduler)
            row += [count(counts, 'steals'), count(counts, 'failed_steals')]
        rows.append(row)
    return markdown(['', 'MTS, 32', 'failed', 'WS, 32', 'failed', f'mts, {run.most}', 'failed',
                     f'ws, {run.most}', 'failed'], rows)


def chunk(run):
    """Figure 12: health by the most that a steal takes."""
    rows = []
    for point in run.points('chunk'):
        key = run.key(('health', '', 'none'), 'qthread', scheduler='mts', sweep='chunk', point=point)
        figure = run.figures.get(key)
        counts = figure.counts if figure and 'steals' in figure.counts else None
        rows.append([point, time(figure.median) if figure else '-', count(counts, 'steals'), count(counts, 'stolen'),
                     per_steal(counts)])
    return markdown(['QT_STEAL_CHUNK', 'seconds', 'steals', 'stolen', 'a steal'], rows)


def chosen(run, sweep, setting):
    """Programs by the values of a setting: how much a thief takes, and from whom."""
    rows = []
    for figure in run.figures.select(sweep=sweep):
        counts = figure.counts if 'steals' in figure.counts else None
        rows.append([run.label(figure.key[:3]), figure.key.point, time(figure.median), count(counts, 'steals'),
                     count(counts, 'failed_steals'), count(counts, 'stolen'), per_steal(counts)])
    return markdown(['program', setting, 'seconds', 'steals', 'failed', 'stolen', 'a steal'], rows)


def settings(run):
    """The same of all that were swept, each under a title."""
    return ''.join(f'\n## {setting}, under ws\n\n{chosen(run, sweep, setting)}'
                   for sweep, setting in (('steal', 'QT_STEAL'), ('victim', 'QT_VICTIM')) if run.points(sweep))


def shares(run, runtime, scheduler):
    """Of all workers' time: work, what tasks cost one worker, steals and search, sleep; None without figures."""
    case = ('uts', '', 'none')
    serial = run.figures.get(run.key(case, 'serial'))
    alone = run.figures.get(run.key(case, runtime, 1))
    all_of_them = run.figures.get(run.key(case, runtime, scheduler=scheduler))
    if not (serial and alone and all_of_them):
        return None
    total = run.most * all_of_them.median
    busy = serial.median / total
    tasks = max(alone.median - serial.median, 0) / total
    asleep = min(max(1 - all_of_them.cpu_share, 0), max(1 - busy - tasks, 0))
    return busy, tasks, max(1 - busy - tasks - asleep, 0), asleep


def breakdown(run):
    """Where the time of UTS goes."""
    rows = []
    for name, parts in BREAKDOWN.items():
        total = sum(parts)
        busy, steal, idle, switch, stack = (100 * part / total for part in parts)
        rows.append([f'paper, 24 cores, {name}', *(f'{v:.1f} %' for v in (busy, switch + stack, steal, idle))])
    others = ['libqomp', 'libgomp', 'libomp', 'libiomp5']
    for runtime, scheduler in [('qthread', s) for s in run.schedulers] + [(name, None) for name in others]:
        found = shares(run, runtime, scheduler)
        if found:
            rows.append([f'{shown(runtime)} {scheduler or ""}'.rstrip() + f', {run.most} workers',
                         *(f'{100 * v:.1f} %' for v in found)])
    return markdown(['', 'busy', 'tasks', 'steal', 'idle'], rows)
