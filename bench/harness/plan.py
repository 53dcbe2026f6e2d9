# bench/harness/plan.py -- what a run consists of: every piece of work with every runtime, and how often each is done.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A round goes through the whole plan once.  The runtimes of one piece of work stand next to each other, so that they
# take turns, and whatever else the machine does hits all of them.

import os

from harness.figures import Key
from harness.programs import PROGRAMS, SIZES, SWEEPS, Case
from harness.runtimes import OURS, SCHEDULERS, plain_environment
from harness.shares import MOST_SIZE

# What papers without cut-offs measure, of each of ours.
BARE = {'qthread': ('ws', 'xq', 'bq', 'na-rp', 'na-ws'), OURS: ('xq', 'bq', 'na-rp', 'na-ws')}
SELDOM = 3  # what the main table does not show is done in every third round


class Runner:
    """A runtime as a program meets it: which executable, and what has to be in the environment."""

    def __init__(self, kind, name, openmp=None):
        self.kind, self.name, self.openmp = kind, name, openmp

    @property
    def scheduled(self):
        """Whether it is ours and so has a choice of schedulers."""
        return self.name in (OURS, 'xomp', 'qthread')

    def environment(self, workers, scheduler):
        if self.openmp:
            return self.openmp.environment(workers, scheduler)
        env = plain_environment()
        if self.kind == 'xomp' and scheduler:
            env['QT_SCHEDULER'] = scheduler
        return env

    def options(self, workers, scheduler):
        if self.kind == 'serial':
            return ['--variant', 'serial']
        words = ['--workers', str(workers)]
        return words + (['--scheduler', scheduler] if self.kind == 'qthread' and scheduler else [])


class Item:
    """One process: work, runtime, scheduler, workers."""

    def __init__(self, case, runner, scheduler, workers, options=(), environment=None, sweep='', point='', every=1,
                 other=False, logged=False):
        self.case, self.runner, self.every = case, runner, every
        self.logged = logged  # under the event log, and so small
        self.other = other  # than the first scheduler: it may take very much longer
        self.extra_options, self.extra_environment = list(options), environment or {}
        self.key = Key(*case.key, sweep, str(point), runner.name, scheduler if runner.scheduled else '', workers)

    @property
    def group(self):
        """Those that take turns, with as many repetitions in a process."""
        return self.key._replace(runtime='', scheduler=''), self.other

    def command(self, build, size, reps):
        runner = self.runner
        if self.logged:
            size, reps = min(size, MOST_SIZE, key=SIZES.index), 1
        return [self.case.program.executable(build, runner.kind), '--csv', '--reps', str(reps), '--size', size,
                *runner.options(self.key.workers, self.key.scheduler), *self.case.options(), *self.extra_options]

    def environment(self):
        return {**self.runner.environment(self.key.workers, self.key.scheduler), **self.extra_environment}

    def __str__(self):
        k = self.key
        words = [self.case.name, f'{k.sweep} {k.point}' if k.sweep else '', k.runtime, k.scheduler,
                 '' if k.runtime == 'serial' else f'{k.workers} workers']
        return ', '.join(word for word in words if word)


class Plan:
    def __init__(self, args, runners):
        self.args, self.runners = args, runners
        self.most = max(args.workers)

    def programs(self):
        return [p for p in PROGRAMS if (not self.args.only or p.name in self.args.only) and self.kinds(p)]

    def kinds(self, program):
        """Of the runners those for which the program has been built."""
        return [r for r in self.runners if program.built(self.args.build, r.kind)]

    def items(self):
        found = []
        for program in self.programs():
            for case in program.cases(self.args.cutoffs):
                found += self.of_case(case)
        for sweep in SWEEPS:
            if 'all' in self.args.sweeps or sweep.name in self.args.sweeps:
                found += self.of_sweep(sweep)
        if 'bare' in self.args.sweeps or 'all' in self.args.sweeps:
            found += self.of_bare()
        if 'steals' in self.args.sweeps or 'all' in self.args.sweeps:
            found += self.of_steals()
        if 'log' in self.args.sweeps or 'all' in self.args.sweeps:
            found += self.of_logs()
        return found

    def papers_cutoff(self, program):
        """Without it, round robin over small tasks can take a minute, or all memory."""
        return program.papers if program.papers in self.args.cutoffs else 'none'

    def of_case(self, case):
        """Cut-offs and other schedulers are looked at with all workers only."""
        plain = case.cutoff == 'none'
        found = []
        for workers in self.args.workers if plain else [self.most]:
            every = 1 if plain and workers == self.most else SELDOM
            found += [Item(case, runner, self.args.schedulers[0], workers, every=every)
                      for runner in self.kinds(case.program) if runner.kind != 'serial' and case.suits(runner.kind)]
        if plain:
            found += [Item(case, runner, '', 1) for runner in self.kinds(case.program) if runner.kind == 'serial']
        if case.cutoff == self.papers_cutoff(case.program):
            found += self.of_other_schedulers(case)
        return found

    def of_other_schedulers(self, case):
        return [Item(case, runner, scheduler, self.most, every=SELDOM, other=True)
                for scheduler in self.args.schedulers[1:] for runner in self.kinds(case.program)
                if runner.scheduled and runner.kind != 'xomp']

    def of_bare(self):
        """Some papers have no cut-offs: their schedulers on programs that otherwise run with other papers' ones."""
        for program in self.programs():
            if self.papers_cutoff(program) == 'none':
                continue
            for runner in self.kinds(program):
                for scheduler in BARE.get(runner.name, ()):
                    if scheduler in self.args.schedulers[1:]:
                        yield Item(Case(program), runner, scheduler, self.most, sweep='bare', every=SELDOM, other=True)

    def of_sweep(self, sweep):
        """A scheduler or a setting is our own; of one that the library does not have there are no points."""
        own = sweep.setting or sweep.scheduler
        if sweep.scheduler and sweep.scheduler not in SCHEDULERS:
            return
        for program in self.programs():
            if program.name != sweep.program:
                continue
            for value in sweep.values:
                for runner in self.kinds(program):
                    if runner.kind in sweep.kinds and (runner.scheduled or not own):
                        yield self.of_point(sweep, Case(program), runner, value)

    def of_point(self, sweep, case, runner, value):
        scheduler = sweep.scheduler or self.args.schedulers[0]
        workers = 1 if runner.kind == 'serial' else self.most
        environment = sweep.environment(value)
        if sweep.apart:
            environment.update(self.two_shepherds())
        return Item(case, runner, scheduler, workers, sweep.options(value), environment, sweep.name, value, SELDOM)

    def two_shepherds(self):
        """So that there is somebody to steal from where all workers would share one queue."""
        return {'QT_NUM_SHEPHERDS': '2', 'QT_NUM_WORKERS_PER_SHEPHERD': str(max(self.most // 2, 1))}

    def of_steals(self):
        """Who moves how many tasks: mts against ws."""
        for program in self.programs():
            for case in program.cases([self.papers_cutoff(program)]):
                for runner in self.kinds(program):
                    if runner.kind != 'qthread' or self.most < 2:
                        continue
                    for scheduler, shape in (('mts', self.two_shepherds()), ('ws', {})):
                        yield Item(case, runner, scheduler, self.most, (), shape, 'steals', '', SELDOM)

    def of_logs(self):
        """What time goes to, by the event log: the unbalanced tree of the paper that tells."""
        for program in self.programs():
            if program.name != 'uts':
                continue
            for runner in self.kinds(program):
                if runner.scheduled and runner.kind != 'xomp':
                    for scheduler in self.args.schedulers if runner.kind == 'qthread' else self.args.schedulers[:1]:
                        yield self.of_log(program, runner, scheduler)
                if runner.kind == 'qthread' and self.most > 1:
                    for steal in ('one', 'chunk', 'half'):
                        yield self.of_log(program, runner, 'ws', steal, {'QT_STEAL': steal, **self.two_shepherds()})

    def of_log(self, program, runner, scheduler, point='', environment=None):
        return Item(Case(program), runner, scheduler, self.most, (), environment, 'log', point, SELDOM, logged=True)


def default_workers():
    """1, powers of two, and all CPUs that this process may use; each number where there are only four."""
    cpus = len(os.sched_getaffinity(0))
    if cpus <= 4:
        return list(range(1, cpus + 1))
    return sorted({cpus, *(1 << i for i in range(cpus.bit_length()) if 1 << i < cpus)})
