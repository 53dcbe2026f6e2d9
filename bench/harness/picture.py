# bench/harness/picture.py -- the picture that documents show: bars, written as SVG line by line.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# matplotlib, which draws the others, makes a thousand lines of it, too many for a file that is kept in the tree.

import math
import os
from xml.sax.saxutils import escape

from harness.tables import shown

NAME = 'ratio.svg'
COLORS = {'libgomp': '#1f4e9c', 'libomp': '#2a9d8f', 'libiomp5': '#6a4c93', 'libqomp': '#e76f51', 'qthread': '#b5121b'}
LEFT, TOP, HEIGHT, BELOW = 45, 40, 220, 95  # the field of bars is HEIGHT high, names of programs are below it
BAR, GAP = 8, 14


def text(x, y, words, more=''):
    return f'<text x="{x:g}" y="{y:g}"{more}>{escape(words)}</text>'


def line(y, width, color):
    return f'<line x1="{LEFT}" y1="{y:.1f}" x2="{width}" y2="{y:.1f}" stroke="{color}"/>'


class Scale:
    """Logarithmic, from one power of two to another; 1 is always on it."""

    def __init__(self, values):
        self.low = math.floor(math.log2(min(values + [0.5])))
        self.high = math.ceil(math.log2(max(values + [2])))

    def y(self, value):
        return TOP + HEIGHT * (self.high - math.log2(value)) / (self.high - self.low)

    def powers(self):
        return [2.0 ** power for power in range(self.low, self.high + 1)]


def bars(case, values, x, scale):
    """One for each runtime that has a figure, from 1 upwards or downwards."""
    for i, (name, value) in enumerate(values.items()):
        if value:
            top, bottom = sorted([scale.y(value), scale.y(1)])
            yield (f'<rect x="{x + i * BAR:g}" y="{top:.1f}" width="{BAR}" height="{max(bottom - top, 0.5):.1f}" '
                   f'fill="{COLORS[name]}"><title>{escape(case)}, {shown(name)}: {value:.2f}</title></rect>')


def ratio(run):
    """Time with all workers, as a multiple of the best peer's; nothing if there is no peer."""
    cases = [case for case in run.cases() if run.figures.best_peer(run.key(case, 'libgomp'))]
    names = [name for name in run.runtimes(sweep='') if name in COLORS]
    if not cases:
        return None
    found = [{name: run.figures.ratio(run.key(case, name)) for name in names} for case in cases]
    scale = Scale([value for values in found for value in values.values() if value])
    step = len(names) * BAR + GAP
    width = LEFT + len(cases) * step + GAP
    height = TOP + HEIGHT + BELOW
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
             'font-family="sans-serif" font-size="11">', f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
             text(LEFT, 14, f'time / best of libgomp, libomp, Intel; {run.most} workers; less is better')]
    for i, name in enumerate(names):
        lines += [f'<rect x="{LEFT + 80 * i}" y="22" width="9" height="9" fill="{COLORS[name]}"/>',
                  text(LEFT + 80 * i + 13, 31, shown(name))]
    for power in scale.powers():
        lines += [line(scale.y(power), width, '#dddddd'),
                  text(LEFT - 5, scale.y(power) + 4, f'{power:g}', ' text-anchor="end"')]
    for i, (case, values) in enumerate(zip(cases, found)):
        x = LEFT + GAP + i * step
        lines += bars(run.label(case), values, x, scale)
        turn = f'{x + step / 2:g} {TOP + HEIGHT + 14}'
        lines.append(text(x + step / 2, TOP + HEIGHT + 14, run.label(case),
                          f' text-anchor="end" transform="rotate(-40 {turn})"'))
    return '\n'.join([*lines, line(scale.y(1), width, '#333333'), '</svg>']) + '\n'


def write(run, folder):
    """None of an earlier run stays."""
    path, drawn = os.path.join(folder, NAME), ratio(run)
    if drawn:
        with open(path, 'w') as file:
            file.write(drawn)
    elif os.path.exists(path):
        os.remove(path)
