# bench/harness/papers.py -- the figures of the papers, and ours beside them.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Tables 2 to 5 are those of Olivier, Porterfield, Wheeler, Spiegel and Prins, OpenMP task scheduling strategies for
# multicore NUMA systems, IJHPCA 26(2), 2012: four sockets of eight cores, one L3 cache a socket, 32 threads.  The
# breakdown is Table 2 of Adnan and Sato, Dynamic multiple work stealing strategy for flexible load balancing, IEICE
# Transactions E95-D, 2012: the UTS tree A on 24 cores.  XQueue's are Tables II and III of Wang and others, Optimizing
# fine-grained parallelism through dynamic load balancing, 192 threads; bounded queues' are section 4 and Table 1 of
# Agathos, Kallimanis and Dimakopoulos, Speeding up OpenMP tasking, Euro-Par 2012, 16 threads; bubbles' are section 5 of
# Broquedis and others, Scheduling dynamic OpenMP applications over multicore architectures, IWOMP 2008, 16 cores.

from harness.programs import SWEEPS
from harness.tables import markdown, number, shown, time

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


# Seconds with xq's static dealing, with requests that redirect pushes (na-rp) and with those that move tasks (na-ws).
XQUEUE = {
    'fib': (8.1, 9.9, 8.0), 'nqueens': (23.8, 26.5, 23.2), 'fft': (19.1, 17.0, 15.5), 'floorplan': (3.4, 1.3, 1.3),
    'health': (28.2, 21.2, 20.9), 'uts': (9.0, 6.4, 6.6), 'strassen': (6.7, 1.6, 3.7), 'sort': (11.1, 3.8, 9.5),
    'alignment': (5.7, 5.6, 5.2),
}

# The same two tables, counts: tasks run by who created them, by another worker of its node, of another node, and those run
# at once as a queue was full; requests sent, handled and with a steal; tasks stolen, and of these in the own node.
XQUEUE_COUNTS = {
    'fib': {
        'xq': (318.1e6, 1.6e6, 11.5e6, 318.0e6),
        'na-rp': (310.8e6, 12.2e6, 8.2e6, 310.6e6, 590.1e3, 514.9e3, 514.7e3, 8.2e6, 8.2e6),
        'na-ws': (318.2e6, 1.6e6, 11.4e6, 318.1e6, 1.6e6, 1.3e6, 576.4e3, 576.4e3, 576.4e3)},
    'nqueens': {
        'xq': (2.5e9, 6.1e6, 44.2e6, 2.5e9),
        'na-rp': (2.4e9, 30.1e6, 74.1e6, 2.4e9, 1.3e6, 872.9e3, 872.7e3, 14.0e6, 14.0e6),
        'na-ws': (2.5e9, 6.5e6, 47.4e6, 2.5e9, 2.4e6, 2.3e6, 1.3e6, 1.3e6, 1.3e6)},
    'fft': {
        'xq': (203.0e3, 2.2e6, 15.9e6, 108.2e3),
        'na-rp': (946.7e3, 11.6e6, 5.7e6, 468.4e3, 4.2e6, 2.7e6, 2.7e6, 2.7e6, 2.7e6),
        'na-ws': (1.7e6, 2.0e6, 14.6e6, 1.6e6, 16.3e6, 10.9e6, 2.4e6, 19.5e6, 19.5e6)},
    'floorplan': {
        'xq': (16.7e6, 287.9e3, 2.1e6, 16.7e6),
        'na-rp': (17.1e6, 1.2e6, 837.6e3, 17.0e6, 31.3e3, 28.5e3, 28.3e3, 909.1e3, 909.1e3),
        'na-ws': (16.5e6, 302.3e3, 2.3e6, 16.5e6, 884.1e3, 798.0e3, 395.9e3, 7.0e6, 7.0e6)},
    'health': {
        'xq': (658.2e3, 15.1e6, 110.6e6, 0),
        'na-rp': (33.8e6, 41.2e6, 51.3e6, 33.3e6, 976.8e3, 905.9e3, 904.7e3, 29.0e6, 29.0e6),
        'na-ws': (33.5e6, 10.8e6, 82.1e6, 32.9e6, 13.2e6, 12.0e6, 7.9e6, 176.9e6, 98.9e6)},
    'uts': {
        'xq': (953.4e3, 3.5e6, 25.9e6, 799.2e3),
        'na-rp': (6.2e6, 20.4e6, 3.9e6, 5.4e6, 5.5e6, 4.4e6, 4.4e6, 4.4e6, 4.4e6),
        'na-ws': (347.1e3, 3.6e6, 26.5e6, 123.2e3, 19.1e6, 12.5e6, 4.8e6, 48.9e6, 48.9e6)},
    'strassen': {
        'xq': (5.1e3, 115.1e3, 840.6e3, 0),
        'na-rp': (277.2e3, 553.8e3, 129.7e3, 272.7e3, 18.9e3, 14.3e3, 14.1e3, 455.1e3, 455.1e3),
        'na-ws': (416.6e3, 65.7e3, 478.5e3, 412.0e3, 233.5e3, 171.6e3, 114.7e3, 2.8e6, 403.8e3)},
    'sort': {
        'xq': (16.1e3, 368.3e3, 2.7e6, 0),
        'na-rp': (146.3e3, 2.7e6, 208.9e3, 134.0e3, 86.8e3, 76.9e3, 76.7e3, 2.5e6, 2.5e6),
        'na-ws': (63.5e3, 376.0e3, 2.6e6, 41.9e3, 5.2e6, 2.0e6, 683.2e3, 9.0e6, 1.7e6)},
    'alignment': {
        'xq': (3.0e3, 59.8e3, 436.7e3, 3.0e3),
        'na-rp': (2.9e3, 59.8e3, 436.8e3, 2.9e3, 1.8e3, 192, 0, 0, 0),
        'na-ws': (2.6e3, 59.8e3, 437.0e3, 2.6e3, 266.4e3, 265.8e3, 156.4e3, 861.0e3, 861.0e3)},
}

# Seconds of GCC, ICC and OMPi without cut-offs; where there is only a figure, what the text says of OMPi to ICC.
OMPI_TEXT = {'fib': '0.13 to 0.25', 'nqueens': '0.33 at best', 'floorplan': '-'}
OMPI = {
    'fft': (17.571, 2.086, 1.918), 'health': (141.85, 4.778, 5.327), 'sort': (2.007, 0.621, 0.610),
    'sparselu': (1.679, 1.676, 1.668), 'strassen': (24.602, 20.641, 22.368), 'alignment': (1.576, 1.338, 1.604),
}

# Tasks a second of OMPi over those of ICC, one producer, by maxload as far as the text has numbers.
OMPI_RATES = {'0': 'about 6', '16': 'about 6', '128': '5', '8192': 'about 1', '65536': 'about 1'}

# Speed-up on 16 cores.
BUBBLES = {'bubbles, affinity': '14.04', 'bubbles, random victims': '8.2 to 11.82', 'Cilk-like, rewritten': '15.05'}


def quotient(a, b):
    return plain(a / b if a is not None and b else None, '{:.2f}')


def median(run, case, runtime, **more):
    """None where there is no figure; case is a key's, or a program's only one, without cut-off or with the papers'."""
    if isinstance(case, str):
        cases = [key for key in run.cases() + run.cutoff_cases() if key[0] == case]
        found = [median(run, key, runtime, **more) for key in cases]
        return next((value for value in found if value is not None), None)
    figure = run.figures.get(run.key(case, runtime, **more))
    return figure.median if figure else None


def bare_figure(run, name, runtime, scheduler):
    """Without cut-offs: of the runs that were made for it, or of the others."""
    case = next((key for key in run.cases() if key[0] == name), None)
    found = [run.figures.get(run.key(case, runtime, scheduler=scheduler, sweep=sweep)) for sweep in ('bare', '') if case]
    return next((figure for figure in found if figure), None)


def bare(run, name, runtime, scheduler):
    figure = bare_figure(run, name, runtime, scheduler)
    return figure.median if figure else None


def balancers(run):
    """XQueue's Tables II and III: dealing tasks out, and the two ways of asking for them; beside ws, which steals."""
    rows = []
    for name, (dealt, redirected, moved) in XQUEUE.items():
        ours = {s: bare(run, name, 'qthread', s) for s in ('xq', 'na-rp', 'na-ws', 'ws')}
        rows.append([name, quotient(redirected, dealt), quotient(moved, dealt),
                     *(quotient(ours[s], ours['xq']) for s in ('na-rp', 'na-ws', 'ws'))])
    return markdown(['', 'NA-RP / SLB, 192', 'NA-WS / SLB, 192',
                     *(f'{s} / xq, {run.most}' for s in ('na-rp', 'na-ws', 'ws'))], rows)


def percent(part, whole):
    if not whole:
        return '-'
    share = 100 * part / whole
    return f'{share:.0f}' if share >= 9.5 or share == 0 else f'{share:.1f}' if share >= 0.05 else '0.0'


PLACES = ['self', 'local', 'remote']


def origins(counts):
    """Of the tasks that the scheduler has seen: who ran them, and which ran at once; theirs are in the same order."""
    return [percent(count, sum(counts[:3])) for count in counts] if counts else ['-'] * 4


def our_counts(run, name, runtime, scheduler, columns):
    figure = bare_figure(run, name, runtime, scheduler)
    return [figure.counts[column] for column in columns] if figure and 'requests' in figure.counts else None


def places(run):
    """The same tables' rows on where tasks ran."""
    rows = []
    for name, theirs in XQUEUE_COUNTS.items():
        for scheduler, counts in theirs.items():
            rows.append([f'{name}, {scheduler}', *origins(counts[:4]),
                         *origins(our_counts(run, name, 'libqomp', scheduler, [*PLACES, 'at_once'])),
                         *origins(our_counts(run, name, 'qthread', scheduler, [*PLACES, 'at_once']))[:3]])
    return markdown(['%', *('paper, 192: self', 'local', 'remote', 'at once'),
                     *(f'libqomp, {run.most}: self', 'local', 'remote', 'at once'),
                     *(f'native, {run.most}: self', 'local', 'remote')], rows)


def answers(tasks, sent, handled, served, moved, near):
    """Requests a thousand tasks, and what became of them."""
    return [number(1000 * sent / tasks if tasks else None), percent(handled, sent), percent(served, handled),
            number(moved / served if served else None), percent(near, moved)]


def our_answers(run, name, runtime, scheduler):
    found = our_counts(run, name, runtime, scheduler,
                       [*PLACES, 'requests', 'handled', 'served', 'given_local', 'given_remote'])
    return answers(sum(found[:3]), *found[3:6], found[6] + found[7], found[6]) if found else ['-'] * 5


def requests(run):
    """The same tables' rows on requests."""
    rows = []
    for name, theirs in XQUEUE_COUNTS.items():
        for scheduler in ('na-rp', 'na-ws'):
            counts = theirs[scheduler]
            rows.append([f'{name}, {scheduler}', *answers(sum(counts[:3]), *counts[4:]),
                         *our_answers(run, name, 'libqomp', scheduler), *our_answers(run, name, 'qthread', scheduler)])
    columns = ['handled, %', 'served, %', 'tasks each', 'local, %']
    return markdown(['', 'paper, 192: sent', *columns, f'libqomp, {run.most}: sent', *columns,
                     f'native, {run.most}: sent', *columns], rows)


def amounts(run):
    """How much a steal takes: time relative to that with one task a steal."""
    one, fixed, half = (sum(parts) for parts in BREAKDOWN.values())
    rows = [['paper: uts, 24 cores', f'{fixed / one:.2f}', f'{half / one:.2f}']]
    for case in run.cases(sweep='steal'):
        found = {point: median(run, case, 'qthread', scheduler='ws', sweep='steal', point=point)
                 for point in ('one', 'chunk', 'half')}
        rows.append([f'{run.label(case)}, {run.most} workers', quotient(found['chunk'], found['one']),
                     quotient(found['half'], found['one'])])
    return markdown(['', 'chunk / one', 'half / one'], rows)


def intel(run):
    """Intel's runtime, or LLVM's, which it comes from."""
    return next(iter(run.runtimes('libiomp5', sweep='') or run.runtimes('libomp', sweep='')), 'libomp')


def bounded_rates(run):
    """Tasks a second of one producer, over those of Intel's or LLVM's runtime."""
    case, peer, rows = ('prodcons', '', 'none'), intel(run), []
    for point in run.points('maxload'):
        theirs = median(run, case, peer, sweep='maxload', point=point)
        ours = [median(run, case, 'libqomp', scheduler='bq', sweep='bounded', point=point),
                *(median(run, case, name, sweep='maxload', point=point) for name in ('libqomp', 'libgomp'))]
        rows.append([point, OMPI_RATES.get(point, '-'), *(quotient(theirs, our) for our in ours)])
    return markdown(['maxload', 'OMPi / ICC, 16', f'libqomp bq / {shown(peer)}, {run.most}',
                     f'libqomp {run.schedulers[0]} / {shown(peer)}', f'libgomp / {shown(peer)}'], rows)


def bounded_suite(run):
    """Their Table 1: times over those of ICC's runtime; and their Figures 7 to 9."""
    peer, rows = intel(run), []
    said = {**{name: ('-', text) for name, text in OMPI_TEXT.items()},
            **{name: (f'{gcc / icc:.2f}', f'{ompi / icc:.2f}') for name, (gcc, icc, ompi) in OMPI.items()}}
    for name, theirs in said.items():
        best = median(run, name, peer)
        ours = [median(run, name, 'libgomp'), bare(run, name, 'libqomp', 'bq'), median(run, name, 'libqomp')]
        rows.append([name, *theirs, *(quotient(our, best) for our in ours)])
    return markdown(['', 'GCC / ICC, 16', 'OMPi / ICC, 16', f'libgomp / {shown(peer)}, {run.most}', 'libqomp bq',
                     f'libqomp {run.schedulers[0]}'], rows)


def nested(run):
    """The share of the processors that a reconstruction by nested regions, or tasks, makes use of."""
    rows = [[f'paper, {name}', speedup, 16, ' to '.join(f'{100 * float(v) / 16:.0f} %' for v in speedup.split(' to '))]
            for name, speedup in BUBBLES.items()]
    for runtime in run.runtimes(sweep=''):
        value = runtime != 'serial' and run.figures.speedup(run.key(('octree', '', 'none'), runtime))
        if value:
            rows.append([shown(runtime), f'{value:.2f}', run.most, f'{100 * value / run.most:.0f} %'])
    return markdown(['', 'speed-up', 'of', 'share'], rows)


def chosen(run, sweep, setting):
    """Programs by the values of a setting."""
    rows = []
    for figure in run.figures.select(sweep=sweep):
        counts = figure.counts if 'steals' in figure.counts else None
        rows.append([f'{run.label(figure.key[:3])}, {shown(figure.key.runtime)} {figure.key.scheduler}', figure.key.point,
                     time(figure.median) if figure.good else figure.status, count(counts, 'steals'),
                     count(counts, 'failed_steals'), count(counts, 'stolen'), per_steal(counts)])
    return markdown(['program', setting, 'seconds', 'steals', 'failed', 'stolen', 'a steal'], rows)


def settings(run):
    """The same of all that were swept, each under a title."""
    swept = dict.fromkeys((sweep.name, sweep.setting) for sweep in SWEEPS if sweep.setting and run.points(sweep.name))
    return ''.join(f'\n## {setting}\n\n{chosen(run, name, setting)}' for name, setting in swept)


BESIDE = [
    ('paper-balancers', 'Load balancers of XQueue: time over that of static dealing', balancers),
    ('paper-places', 'XQueue: where tasks ran', places),
    ('paper-requests', 'XQueue: requests', requests),
    ('paper-amounts', 'How much a steal takes: time over that with one task a steal', amounts),
    ('paper-breakdown', 'Where the time of UTS goes', lambda run: breakdown(run)),
    ('paper-inferred', 'Where the time of UTS goes on runtimes without a log', lambda run: inferred(run)),
    ('paper-bounded-rates', 'Bounded queues: tasks a second over those of the Intel compiler', bounded_rates),
    ('paper-bounded-suite', 'Bounded queues: times over those of the Intel compiler', bounded_suite),
    ('paper-nested', 'Nested regions of an octree', nested),
]


def beside(run):
    """The four papers on other schedulers, each with the paper's rows."""
    return '\n## Beside the papers\n' + ''.join(f'\n### {title}\n\n{table(run)}' for _, title, table in BESIDE)


def shares(run, runtime):
    """Of all workers' time: work, what tasks cost one worker, steals and search, sleep; None without figures."""
    case = ('uts', '', 'none')
    serial = run.figures.get(run.key(case, 'serial'))
    alone = run.figures.get(run.key(case, runtime, 1))
    all_of_them = run.figures.get(run.key(case, runtime))
    if not (serial and alone and all_of_them):
        return None
    total = run.most * all_of_them.median
    busy = serial.median / total
    tasks = max(alone.median - serial.median, 0) / total
    asleep = min(max(1 - all_of_them.cpu_share, 0), max(1 - busy - tasks, 0))
    return busy, tasks, max(1 - busy - tasks - asleep, 0), asleep


def breakdown(run):
    """Where the time of UTS goes, by event logs."""
    parts = ['busy', 'steal', 'idle', 'switch', 'stack', 'log']
    rows = [[f'paper, 24 cores, {name}', *(f'{100 * part / sum(theirs):.1f} %' for part in theirs), '-']
            for name, theirs in BREAKDOWN.items()]
    for figure in run.figures.select(sweep='log'):
        if figure.good and figure.shares:
            key = figure.key
            how = f', {key.point} a steal' if key.point else ''
            rows.append([f'{shown(key.runtime)} {key.scheduler}, {key.workers} workers{how}',
                         *(f'{figure.shares[part]:.1f} %' for part in parts)])
    return markdown(['', *parts], rows)


def inferred(run):
    """The same of runtimes that have no log."""
    rows = []
    for runtime in ('libgomp', 'libomp', 'libiomp5'):
        found = shares(run, runtime)
        if found:
            rows.append([f'{shown(runtime)}, {run.most} workers',
                         *(f'{100 * v:.1f} %' for v in found)])
    return markdown(['', 'busy', 'tasks', 'steal', 'idle'], rows)
