# bench/harness/tables.py -- a run's figures as Markdown tables.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

from harness.figures import target
from harness.programs import BY_NAME

NAMES = {'qthread': 'native', 'xomp': 'XOMP', 'tbb': 'oneTBB', 'libiomp5': 'Intel'}


def shown(runtime):
    return NAMES.get(runtime, runtime)


def markdown(header, rows):
    """A table whose source can be read, too: the first column to the left, others to the right."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(3, *(len(row[i]) for row in cells)) for i in range(len(header))]

    def line(row):
        return '| ' + ' | '.join(c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths))) + ' |'
    rule = '|' + '|'.join(['-' * (widths[0] + 2), *('-' * (w + 1) + ':' for w in widths[1:])]) + '|'
    return '\n'.join([line(cells[0]), rule, *map(line, cells[1:])]) + '\n'


def number(value, digits=3):
    """As many digits as mean something."""
    if value is None:
        return '-'
    if value >= 1000:
        return f'{value:,.0f}'
    return f'{value:.{digits}g}' if value >= 1 else f'{value:.{digits}f}'


def time(value):
    return f'{value:.2f}' if value >= 10 else f'{value:.3f}' if value >= 0.1 else f'{value:.4f}'


def seconds(run, key, spread=False):
    figure = run.figures.serial(key) if key.runtime == 'serial' else run.figures.get(key)
    if not figure:
        return run.status(key)
    return time(figure.median) + (f' ({figure.spread:.0f} %)' if spread else '')


def ratio(run, key):
    value = run.figures.ratio(key)
    return '-' if value is None else f'{value:.2f}'


def verdict(run, case):
    """Which of ours takes more of the best peer's time than it may."""
    limit = target(BY_NAME[case[0]].fine)
    above = [shown(name) for name in ('libqomp', 'qthread')
             if (run.figures.ratio(run.key(case, name)) or 0) > limit]
    return f'<= {limit:g}' + (f': {", ".join(above)} above' if above else '')


def speed(run, cutoff='none'):
    """Every runtime with all workers, and ours against the best peer."""
    cases = run.cases() if cutoff == 'none' else run.cutoff_cases()
    runtimes = run.runtimes(sweep='')
    compared = [name for name in ('libqomp', 'xomp', 'qthread') if name in runtimes]
    header = ['program', *map(shown, runtimes), *(f'{shown(name)} / best' for name in compared)]
    rows = []
    for case in cases:
        row = [run.label(case), *(seconds(run, run.key(case, name), True) for name in runtimes),
               *(ratio(run, run.key(case, name)) for name in compared)]
        rows.append(row + ([verdict(run, case)] if cutoff == 'none' else []))
    return markdown(header + (['target'] if cutoff == 'none' else []), rows)


BRIEF = ['fib', 'uts', 'strassen']  # the smallest tasks, the most uneven ones, and large ones


def brief(run):
    """What a README has room for."""
    runtimes = run.runtimes('libgomp', 'libomp', 'libiomp5', 'libqomp', 'qthread', sweep='')
    rows = [[run.label(case), *(seconds(run, run.key(case, name)) for name in runtimes),
             *(ratio(run, run.key(case, name)) for name in ('libqomp', 'qthread'))]
            for case in run.cases() if case[0] in BRIEF]
    return markdown(['program', *map(shown, runtimes), 'libqomp / best', 'native / best'], rows)


def extreme(figure):
    if not figure:
        return '-'
    return f'{time(min(figure.seconds))} ({figure.variability:.2g} %, {len(figure.seconds)})'


def extremes(run):
    """The least, and the standard deviation in percent of it, of how many samples."""
    runtimes = run.runtimes(sweep='')
    rows = []
    for case in run.cases() + run.cutoff_cases():
        found = [run.figures.get(run.key(case, name)) for name in runtimes]
        rows.append([run.label(case), *map(extreme, found)])
    return markdown(['program', *map(shown, runtimes)], rows)


def speedups(run):
    """Against the serial twin, by workers."""
    runtimes = [name for name in run.runtimes(sweep='') if name != 'serial']
    rows = []
    for case in run.cases():
        for workers in run.workers:
            values = [run.figures.speedup(run.key(case, name, workers)) for name in runtimes]
            rows.append([run.label(case), workers, *('-' if v is None else f'{v:.2f}' for v in values)])
    return markdown(['program', 'workers', *map(shown, runtimes)], rows)


def schedulers(run):
    """Ours, one scheduler beside the other."""
    runtimes = run.runtimes('libqomp', 'qthread', sweep='')
    compared = dict.fromkeys(f.key[:3] for f in run.figures.select(sweep='', workers=run.most)
                             if f.key.scheduler in run.schedulers[1:])
    rows = [[run.label(case), *(seconds(run, run.key(case, name, scheduler=s))
                                for name in runtimes for s in run.schedulers)] for case in compared]
    return markdown(['program', *(f'{shown(name)} {s}' for name in runtimes for s in run.schedulers)], rows)


def rates(run, sweep, case, first, scale=1e6):
    """Millions of units a second at each point of a sweep."""
    runtimes = run.runtimes(sweep=sweep)
    rows = []
    for point in run.points(sweep):
        found = [run.key(case, name, sweep=sweep, point=point) for name in runtimes]
        rows.append([point, *(number(run.figures.get(k).rate / scale) if run.figures.get(k) else run.status(k)
                              for k in found)])
    return markdown([first, *map(shown, runtimes)], rows)


def everything(run):
    """The document that lies beside the figures."""
    parts = ['# A run of the suite\n', ''.join(f'- {name}: {value}\n' for name, value in run.about.items()),
             f'## Seconds with {run.most} workers\n',
             'Medians; in brackets what lies between the least and the largest, in percent of the median.  Best: of '
             'libgomp, libomp\nand Intel\'s runtime.\n', speed(run)]
    if run.cutoff_cases():
        parts += ['## With cut-offs\n', speed(run, 'any')]
    parts += ['## Best\n', 'Least seconds; in brackets the standard deviation in percent of them, and the number of '
              'samples.\n', extremes(run)]
    parts += ['## Speed-up over the serial twin\n', speedups(run)]
    if len(run.schedulers) > 1:
        parts += ['## Schedulers\n', f'Seconds with {run.most} workers.\n', schedulers(run)]
    for sweep, case, title, first in SWEPT:
        if run.points(sweep):
            parts += [f'## {title}\n', rates(run, sweep, case, first)]
    return '\n'.join(parts)


SWEPT = [
    ('maxload', ('prodcons', '', 'none'), 'Millions of tasks a second against their size', 'maxload'),
    ('batch', ('pos', '', 'none'), 'Millions of hashes a second against hashes in a task', 'batch'),
]
