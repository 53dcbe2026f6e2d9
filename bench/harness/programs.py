# bench/harness/programs.py -- the programs of the suite: what each is asked for, and what is held against it.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

import os

SIZES = ['test', 'quick', 'reference', 'paper']
CUTOFFS = ['none', 'manual', 'if', 'final']
# What is behind the program's name in that of the executable, for each kind of runtime.
SUFFIX = {'serial': '', 'qthread': '', 'openmp': '-omp', 'xomp': '-xomp', 'tbb': '-tbb'}


class Program:
    def __init__(self, name, forms=('',), cutoffs=False, fine=False, papers='none'):
        self.name = name
        self.forms = forms      # values of --tasks, '' where there is no choice
        self.cutoffs = cutoffs  # knows --cutoff
        self.fine = fine        # its tasks are so small that a runtime's own work is most of it
        self.papers = papers    # the cut-off with which the papers compare schedulers

    def executable(self, build, kind):
        return os.path.join(build, 'bench', self.name, self.name + SUFFIX[kind])

    def built(self, build, kind):
        return os.access(self.executable(build, kind), os.X_OK)

    def cases(self, cutoffs):
        """Its forms with each cut-off; those without cut-offs are there once."""
        for form in self.forms:
            for cutoff in cutoffs if self.cutoffs else [CUTOFFS[0]]:
                yield Case(self, form, cutoff)


class Case:
    """A program with the options that make it another piece of work."""

    def __init__(self, program, form='', cutoff='none'):
        self.program, self.form, self.cutoff = program, form, cutoff

    @property
    def key(self):
        return self.program.name, self.form, self.cutoff

    @property
    def name(self):
        return label(*self.key)

    def options(self):
        words = ['--tasks', self.form] if self.form else []
        return words + (['--cutoff', self.cutoff] if self.cutoff != 'none' else [])

    def suits(self, kind):
        """The clauses if and final are OpenMP's."""
        return self.cutoff in ('none', 'manual') or kind == 'openmp'


class Sweep:
    """A program run with one value after another of one of its options, or of a setting of the library's."""

    def __init__(self, name, program, values, option='', setting='', scheduler='', apart=False,
                 kinds=('serial', 'qthread', 'openmp')):
        self.name, self.program, self.values = name, program, values
        self.option, self.setting, self.kinds, self.scheduler = option, setting, kinds, scheduler
        self.apart = apart      # two shepherds at least: somebody to steal from where all would share one queue

    def options(self, value):
        return [self.option, str(value)] if self.option else []

    def environment(self, value):
        return {self.setting: str(value)} if self.setting else {}


def native(scheduler):
    return {'kinds': ('qthread',), 'scheduler': scheduler}


PROGRAMS = [
    Program('fib', cutoffs=True, fine=True, papers='manual'),
    Program('nqueens', cutoffs=True, fine=True, papers='manual'),
    Program('floorplan', cutoffs=True, fine=True, papers='manual'),
    Program('health', cutoffs=True, fine=True, papers='manual'),
    Program('uts', cutoffs=True, fine=True),
    Program('sort', cutoffs=True, papers='manual'),
    Program('fft', cutoffs=True, papers='manual'),
    Program('strassen', cutoffs=True, papers='manual'),
    Program('sparselu', forms=('single', 'for')),
    Program('alignment', forms=('single', 'for')),
    Program('octree'),
    Program('prodcons'),
    Program('pos'),
    Program('loop'),
    Program('stream'),
]

SWEEPS = [
    Sweep('maxload', 'prodcons', [0, 16, 128, 1024, 8192, 65536], option='--maxload'),
    Sweep('batch', 'pos', [1, 4, 16, 64, 256, 1024], option='--batch'),
    Sweep('chunk', 'health', [1, 2, 4, 8, 16, 32], setting='QT_STEAL_CHUNK', apart=True, **native('mts')),
    *(Sweep('steal', program, ['one', 'chunk', 'half'], setting='QT_STEAL', apart=True, **native('ws'))
      for program in ('fib', 'nqueens', 'uts', 'health', 'strassen')),
    *(Sweep('victim', program, ['near', 'random'], setting='QT_VICTIM', apart=True, **native('ws'))
      for program in ('uts', 'health')),
    *(Sweep('ring', program, [16, 64, 256, 1024], setting='QT_RING', **native('xq')) for program in ('fib', 'health')),
    *(Sweep('queue', program, [4, 24, 256, 4096], setting='QT_QUEUE', **native('bq')) for program in ('fib', 'health')),
    *(Sweep(name, 'health', values, setting=setting, **native('na-ws')) for name, setting, values in (
        ('n-victim', 'QT_N_VICTIM', [1, 8, 24]), ('n-steal', 'QT_N_STEAL', [1, 32, 256]),
        ('t-interval', 'QT_T_INTERVAL', [1000, 10000, 100000]), ('p-local', 'QT_P_LOCAL', [0.03, 0.5, 1]))),
    *(Sweep('barrier', program, ['central', 'tree'], setting='QT_BARRIER', kinds=('openmp',))
      for program in ('loop', 'nqueens')),
    Sweep('bounded', 'prodcons', [0, 16, 128, 1024, 8192, 65536], option='--maxload', kinds=('openmp',),
          scheduler='bq'),
]

BY_NAME = {program.name: program for program in PROGRAMS}


def label(program, form='', cutoff='none'):
    text = f'{program} ({form})' if form else program
    return text if cutoff == 'none' else f'{text}, {cutoff}'
