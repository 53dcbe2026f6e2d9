# bench/harness/measure.py -- going through a plan, round by round, until the rounds or the time are used up.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

import os
import sys
import tempfile
import time
from itertools import groupby

from harness import machine, process, shares
from harness.figures import Malformed, Sample

MOST_REPS = 10


class Progress:
    """A line that says where we are: rewritten on a terminal, else one a minute."""

    def __init__(self, to=sys.stderr):
        self.to, self.start, self.last = to, time.monotonic(), time.monotonic()

    def show(self, turn, done, count, text):
        spent = int(time.monotonic() - self.start)
        line = f'round {turn + 1}: {done}/{count}, {spent // 60}:{spent % 60:02}  {text}'
        if self.to.isatty():
            print(f'\r{line[:100]:<100}', end='', file=self.to, flush=True)
        elif time.monotonic() - self.last >= 60:
            self.last = time.monotonic()
            print(line, file=self.to, flush=True)

    def note(self, text):
        if self.to.isatty():
            print('\r' + ' ' * 100, end='\r', file=self.to)
        print(text, file=self.to, flush=True)

    def clear(self):
        if self.to.isatty():
            print('\r' + ' ' * 100, end='\r', file=self.to, flush=True)


class Measurement:
    def __init__(self, items, figures, args, progress):
        self.items, self.figures, self.args, self.progress = items, figures, args, progress
        self.walls = {}   # key -> seconds that its last process took
        self.slowest = {}  # group -> seconds of a repetition
        self.deadline = time.monotonic() + 60 * args.minutes
        self.interrupted = False

    def rounds(self):
        """As many as asked for, or as fit into the time; the first is whole unless the user has had enough."""
        turn = 0
        try:
            while turn == 0 or self.wants(turn):
                self.round(turn)
                turn += 1
        except KeyboardInterrupt:
            self.interrupted = True
            self.progress.note(f'run: interrupted in round {turn + 1}, what was measured is kept')
        self.progress.clear()
        return turn

    def wants(self, turn):
        if self.args.rounds:
            return turn < self.args.rounds
        due = self.due(turn)
        return bool(due) and self.in_time(sum(self.walls.get(item.key, 0) for item in due))

    def in_time(self, seconds=0.0):
        return bool(self.args.rounds) or time.monotonic() + seconds < self.deadline

    def due(self, turn):
        return [item for item in self.items if turn % item.every == 0 and not self.figure(item).status]

    def round(self, turn):
        due = self.due(turn)
        done = 0
        for group, members in groupby(due, lambda item: item.group):
            members = turned(list(members), turn)
            first = group not in self.slowest
            for item in members:
                self.progress.show(turn, done, len(due), str(item))
                self.measure(item, 1 if first else self.reps(group))
                done += 1
            if first and self.reps(group) > 1 and self.in_time():
                for item in members:
                    self.measure(item, self.reps(group))

    def figure(self, item):
        return self.figures.at(item.key, self.args.size)

    def reps(self, group):
        """As many as fit into a process's time by the slowest runtime: the same number for all of them."""
        slowest = self.slowest.get(group)
        return max(1, min(MOST_REPS, int(self.args.seconds / slowest))) if slowest else 1

    def measure(self, item, reps):
        if self.figure(item).status:
            return
        with tempfile.TemporaryDirectory() as folder:
            self.run(item, reps, os.path.join(folder, 'log') if item.logged else '')

    def run(self, item, reps, log):
        command = item.command(self.args.build, self.args.size, reps)
        env = {**item.environment(), **(shares.environment(log) if log else {})}
        ended = process.run(command, env, self.args.limit, self.args.rt)
        figure = self.figure(item)
        self.walls[item.key] = ended.wall
        if not ended.word:
            try:
                sample = Sample(ended.out)
                sample.shares = shares.of(log) if log else {}
                self.accept(item, figure, sample, ended)
                return
            except (Malformed, shares.NoLog) as error:
                ended.word, ended.message = 'FAILED', str(error)
        figure.status = ended.word
        self.progress.note(f'run: {item}: {ended.word}: {ended.message}')

    def accept(self, item, figure, sample, ended):
        check(item, sample)
        if sample.library.startswith('/'):
            sample.library = machine.shown(os.path.realpath(sample.library), self.args.build)
        figure.add(sample, ended.cpu / (ended.wall * item.key.workers))
        self.slowest[item.group] = max(self.slowest.get(item.group, 0), max(sample.seconds))


def turned(members, turn):
    """In their order, but another one comes first in every round."""
    first = turn % len(members)
    return members[first:] + members[:first]


def check(item, sample):
    """A figure of another runtime, or of fewer workers, would be worse than none."""
    openmp = item.runner.openmp
    if openmp and os.path.realpath(sample.library) != openmp.path:
        raise Malformed(f'it ran on {sample.library}, not on {openmp.path}')
    if item.runner.kind != 'serial' and sample.workers != item.key.workers:
        raise Malformed(f'it ran {sample.workers} workers')
