# bench/harness/results.py -- a finished run, as it lies in a folder: figures, and what was written about the machine.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

import os

from harness import machine
from harness.figures import OURS, RUNTIMES, Figures, Key
from harness.programs import label

FIGURES, ABOUT, TABLES = 'results.csv', 'machine.txt', 'tables.md'


class Run:
    def __init__(self, figures, about):
        self.figures, self.about = figures, about
        self.workers = [int(word) for word in about['workers'].split(', ')]
        self.most = max(self.workers)
        self.schedulers = about['schedulers'].split(', ')

    @classmethod
    def read(cls, folder):
        return cls(Figures.read(os.path.join(folder, FIGURES)), machine.read(os.path.join(folder, ABOUT)))

    def key(self, case, runtime, workers=None, scheduler=None, sweep='', point=''):
        """That of a figure; case is (program, form, cutoff).  Ours have their first scheduler, others none."""
        if runtime not in OURS:
            scheduler = ''
        elif scheduler is None:
            scheduler = self.schedulers[0]
        return Key(*case, sweep, str(point), runtime, scheduler, 1 if runtime == 'serial' else workers or self.most)

    def cases(self, cutoff='none', sweep=''):
        """What was run with that cut-off, in the plan's order."""
        return list(dict.fromkeys(f.key[:3] for f in self.figures.select(cutoff=cutoff, sweep=sweep)))

    def cutoff_cases(self):
        return [case for case in dict.fromkeys(f.key[:3] for f in self.figures.select(sweep='')) if case[2] != 'none']

    def runtimes(self, *names, **fields):
        """Of these, or all, those that there are figures of, good or not, in the order of tables; others come last."""
        there = dict.fromkeys(f.key.runtime for f in self.figures.select(**fields))
        order = [*RUNTIMES, *(name for name in there if name not in RUNTIMES)]
        return [name for name in order if name in there and (not names or name in names)]

    def points(self, sweep):
        return list(dict.fromkeys(f.key.point for f in self.figures.select(sweep=sweep)))

    def status(self, key):
        """What to show where there is no good figure."""
        figure = self.figures.all.get(key)
        return figure.status if figure and figure.status else '-'

    @staticmethod
    def label(case):
        return label(*case)
