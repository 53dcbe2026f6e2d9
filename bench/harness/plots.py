# bench/harness/plots.py -- a run's figures as curves.  With a folder as argument: draws those of the run in it.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

import os
import sys

if __name__ == '__main__':
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

import matplotlib

matplotlib.use('svg')
matplotlib.rcParams['svg.fonttype'] = 'none'  # text stays text
from matplotlib import pyplot  # noqa: E402

from harness.results import Run  # noqa: E402
from harness.tables import shown  # noqa: E402

# Ours are warm, others cool; told apart without colours as well.
STYLES = {
    'serial': ('#888888', '.'), 'libgomp': ('#1f4e9c', 's'), 'libomp': ('#2a9d8f', '^'), 'libiomp5': ('#6a4c93', 'D'),
    'tbb': ('#333333', 'v'), 'libqomp': ('#e76f51', 'o'), 'xomp': ('#f4a261', 'P'), 'qthread': ('#b5121b', '*'),
}
COLUMNS = 4


def style(runtime):
    color, marker = STYLES.get(runtime, ('#555555', 'x'))
    return {'color': color, 'marker': marker, 'label': shown(runtime)}


def save(figure, folder, name):
    """Without a date, and with the same names for the same shapes, so that only new figures make a new file."""
    matplotlib.rcParams['svg.hashsalt'] = name
    figure.savefig(os.path.join(folder, name), metadata={'Date': None})
    pyplot.close(figure)


def grid(count):
    columns = min(COLUMNS, count)
    rows = -(-count // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(3 * columns, 2.6 * rows), squeeze=False)
    flat = list(axes.flat)
    for unused in flat[count:]:
        unused.axis('off')
    return figure, flat


def one_legend(figure, axes):
    """Of all that is drawn in any of them."""
    found = {}
    for axis in axes:
        found.update(zip(*reversed(axis.get_legend_handles_labels())))
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.3 / figure.get_figheight()))
    figure.legend(found.values(), found.keys(), loc='upper center', ncol=len(found), frameon=False, fontsize=8)


def speedups(run, folder):
    """A curve for each runtime, a field for each program."""
    cases = run.cases()
    figure, axes = grid(len(cases))
    for axis, case in zip(axes, cases):
        for name in run.runtimes(sweep=''):
            found = [(w, run.figures.speedup(run.key(case, name, w))) for w in run.workers]
            found = [(w, value) for w, value in found if value is not None]
            if name != 'serial' and found:
                axis.plot(*zip(*found), linewidth=1.2, markersize=5, **style(name))
        axis.plot(run.workers, run.workers, color='#bbbbbb', linestyle=':', linewidth=1)
        axis.set_title(run.label(case), fontsize=9)
        axis.set_xticks(run.workers)
        axis.set_ylim(bottom=0)
        axis.tick_params(labelsize=7)
        axis.set_xlabel('workers', fontsize=7)
        axis.set_ylabel('speed-up', fontsize=7)
    one_legend(figure, axes)
    save(figure, folder, 'speedup.svg')


def swept(run, folder, sweep, case, labels, name):
    """Units a second against the value that was varied."""
    points = run.points(sweep)
    figure, axis = pyplot.subplots(figsize=(5.2, 3.6))
    for runtime in run.runtimes(sweep=sweep):
        found = [(point, run.figures.get(run.key(case, runtime, sweep=sweep, point=point))) for point in points]
        found = [(max(int(point), 1), figure.rate / 1e6) for point, figure in found if figure]
        if found:
            axis.plot(*zip(*found), linewidth=1.2, markersize=5, **style(runtime))
    axis.set_xscale('log', base=2)
    axis.set_yscale('log')
    axis.set_xlabel(labels[0], fontsize=8)
    axis.set_ylabel(labels[1], fontsize=8)
    axis.tick_params(labelsize=8)
    one_legend(figure, [axis])
    save(figure, folder, name)


def overhead(run, folder):
    """What a task costs beyond its work, of all workers' time, against what it works."""
    case = ('prodcons', '', 'none')
    figure, axis = pyplot.subplots(figsize=(5.2, 3.6))
    for runtime in run.runtimes(sweep='maxload'):
        found = []
        for point in run.points('maxload'):
            key = run.key(case, runtime, sweep='maxload', point=point)
            mine, serial = run.figures.get(key), run.figures.serial(key)
            if runtime != 'serial' and mine and serial:
                found.append((1e9 / serial.rate, max(1e9 * key.workers / mine.rate - 1e9 / serial.rate, 0.1)))
        if found:
            axis.plot(*zip(*found), linewidth=1.2, markersize=5, **style(runtime))
    axis.set_xscale('log')
    axis.set_yscale('log')
    axis.set_xlabel("a task's work, ns", fontsize=8)
    axis.set_ylabel(f"{run.most} workers' time a task beyond it, ns", fontsize=8)
    axis.tick_params(labelsize=8)
    one_legend(figure, [axis])
    save(figure, folder, 'overhead.svg')


def draw(folder):
    run = Run.read(folder)
    if run.cases():
        speedups(run, folder)
    if run.points('maxload'):
        swept(run, folder, 'maxload', ('prodcons', '', 'none'), ('maxload: iterations of a task are below it',
                                                                 'million tasks a second'), 'maxload.svg')
        overhead(run, folder)
    if run.points('batch'):
        swept(run, folder, 'batch', ('pos', '', 'none'), ('hashes in a task', 'million hashes a second'), 'batch.svg')


if __name__ == '__main__':
    draw(sys.argv[1])
