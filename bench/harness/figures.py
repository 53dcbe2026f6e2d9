# bench/harness/figures.py -- what was measured: samples by what they are samples of, arithmetic, and the file of them.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

import csv
import statistics
from collections import namedtuple

PEERS = ['libgomp', 'libomp', 'libiomp5']  # the best of them is what ours are held to
OURS = ['libqomp', 'xomp', 'qthread']
RUNTIMES = ['serial', *PEERS, 'tbb', *OURS]  # in the order of tables
EQUAL = 1.05  # a program may take this share of the best peer's time,
FINE = 0.5    # or this one, where tasks are tiny
TICK = 1e-6   # programs print no less

# sweep and point: what was varied, beyond the size, and which value this is; both empty in plain runs.
Key = namedtuple('Key', 'program form cutoff sweep point runtime scheduler workers')
COUNTS = ['tasks', 'steals', 'failed_steals', 'stolen', 'in_place', 'self', 'local', 'remote', 'static_pushes', 'at_once',
          'requests', 'handled', 'served', 'vain', 'full', 'given_local', 'given_remote']
COLUMNS = [*Key._fields, 'size', 'library', 'shepherds', 'status', 'reps', 'median_s', 'min_s', 'max_s', 'stddev_s',
           'spread_percent', 'units', 'unit', 'ns_per_unit', *COUNTS, 'cpu_share', 'ratio_libgomp', 'ratio_best',
           'shares', 'samples']


class Malformed(Exception):
    """A program's output is not what the harness reads."""


class Sample:
    """What one process of a program says of itself."""

    NEEDED = ['program', 'library', 'shepherds', 'workers', 'units', 'unit', 'samples', *COUNTS]

    def __init__(self, text):
        rows = list(csv.reader(text.splitlines()))
        if len(rows) != 2 or len(rows[0]) != len(rows[1]):
            raise Malformed(f'its output is not a header and one line of as many values: {text.strip()[:100]!r}')
        values = dict(zip(*rows))
        missing = [name for name in self.NEEDED if name not in values]
        if missing:
            raise Malformed('its output lacks ' + ', '.join(missing))
        try:
            self.seconds = [float(word) for word in values['samples'].split(';')]
            self.units = float(values['units'])
            self.workers = int(values['workers'] or 0)
            self.counts = {name: float(values[name]) for name in COUNTS if values[name]}
        except ValueError as error:
            raise Malformed(f'its output has no number where one belongs: {error}') from None
        self.shares = {}
        self.unit, self.library, self.shepherds = values['unit'], values['library'], values['shepherds']


class Figure:
    """All samples of one thing; status is empty, 'HUNG' or 'FAILED'."""

    def __init__(self, key, size):
        self.key, self.size = key, size
        self.seconds = []
        self.status = self.library = self.shepherds = self.unit = ''
        self.units = 0.0
        self.counts = {}      # of one repetition, the mean
        self.cpu_share = None  # processor time over wall time and workers, of the processes as a whole
        self.processes = 0
        self.shares = {}      # percent of all workers' time, where there was an event log

    def add(self, sample, cpu_share):
        self.seconds += sample.seconds
        self.library, self.shepherds, self.unit, self.units = (
            sample.library, sample.shepherds, sample.unit, sample.units)
        for name, value in sample.counts.items():
            self.counts[name] = self.mean(self.counts.get(name, 0.0), value)
        for name, value in sample.shares.items():
            self.shares[name] = self.mean(self.shares.get(name, 0.0), value)
        self.cpu_share = self.mean(self.cpu_share or 0.0, cpu_share)
        self.processes += 1

    def mean(self, before, value):
        return (before * self.processes + value) / (self.processes + 1)

    @property
    def good(self):
        return bool(self.seconds) and not self.status

    @property
    def median(self):
        return statistics.median(self.seconds)

    @property
    def stddev(self):
        return statistics.stdev(self.seconds) if len(self.seconds) > 1 else 0.0

    @property
    def spread(self):
        """Percent of the median between the least and the largest."""
        return 100 * (max(self.seconds) - min(self.seconds)) / max(self.median, TICK)

    @property
    def variability(self):
        """The standard deviation in percent of the best, which is how the papers put it."""
        return 100 * self.stddev / max(min(self.seconds), TICK)

    @property
    def rate(self):
        return self.units / max(self.median, TICK)

    def row(self, figures):
        """Its line of the file."""
        row = {**self.key._asdict(), 'size': self.size, 'library': self.library, 'shepherds': self.shepherds,
               'status': self.status, 'reps': len(self.seconds), 'unit': self.unit}
        if not self.good:
            return row
        for name, peer in (('ratio_libgomp', 'libgomp'), ('ratio_best', None)):
            ratio = figures.ratio(self.key, peer)
            row[name] = '' if ratio is None else f'{ratio:.3f}'
        row.update(median_s=f'{self.median:.6f}', min_s=f'{min(self.seconds):.6f}', max_s=f'{max(self.seconds):.6f}',
                   stddev_s=f'{self.stddev:.6f}', spread_percent=f'{self.spread:.1f}', units=f'{self.units:.0f}',
                   ns_per_unit=f'{1e9 / self.rate:.2f}' if self.units else '', cpu_share=f'{self.cpu_share:.3f}',
                   shares=';'.join(f'{name}={value:.2f}' for name, value in self.shares.items()),
                   samples=';'.join(f'{s:.6f}' for s in self.seconds))
        row.update({name: f'{value:.0f}' for name, value in self.counts.items()})
        return row

    @classmethod
    def from_row(cls, row):
        key = Key(**{name: row[name] for name in Key._fields})
        figure = cls(key._replace(workers=int(key.workers)), row['size'])
        figure.status, figure.library, figure.shepherds, figure.unit = (
            row[name] for name in ('status', 'library', 'shepherds', 'unit'))
        figure.seconds = [float(word) for word in row['samples'].split(';') if word]
        figure.units = float(row['units'] or 0)
        figure.counts = {name: float(row[name]) for name in COUNTS if row.get(name)}
        figure.cpu_share = float(row['cpu_share']) if row['cpu_share'] else None
        pairs = (word.split('=') for word in (row.get('shares') or '').split(';') if word)
        figure.shares = {name: float(value) for name, value in pairs}
        return figure


class Figures:
    """All of a run."""

    def __init__(self):
        self.all = {}

    def get(self, key):
        """The figure of that key if it is there and good."""
        figure = self.all.get(key)
        return figure if figure and figure.good else None

    def at(self, key, size):
        """The figure of that key, made if there is none."""
        return self.all.setdefault(key, Figure(key, size))

    def select(self, **fields):
        """Those whose keys have these values."""
        return [f for k, f in self.all.items() if all(getattr(k, name) == value for name, value in fields.items())]

    def best_peer(self, key):
        """The fastest other runtime with as many workers on the same work."""
        found = [self.get(key._replace(runtime=peer, scheduler='')) for peer in PEERS]
        return min((f for f in found if f), key=lambda f: f.median, default=None)

    def ratio(self, key, peer=None):
        """Its time to that of one peer, or of the best; None if either is not there."""
        mine = self.get(key)
        other = self.get(key._replace(runtime=peer, scheduler='')) if peer else self.best_peer(key)
        return mine.median / max(other.median, TICK) if mine and other else None

    def serial(self, key):
        """The serial twin of the same work; the tasks' cut-off makes no other."""
        return self.get(key._replace(runtime='serial', scheduler='', workers=1, cutoff='none'))

    def speedup(self, key):
        mine, serial = self.get(key), self.serial(key)
        return serial.median / max(mine.median, TICK) if mine and serial else None

    def wrong(self):
        return [f for f in self.all.values() if f.status]

    def write(self, path):
        with open(path, 'w', newline='') as file:
            out = csv.DictWriter(file, COLUMNS, lineterminator='\n')
            out.writeheader()
            for figure in self.all.values():
                out.writerow(figure.row(self))

    @classmethod
    def read(cls, path):
        figures = cls()
        with open(path, newline='') as file:
            for row in csv.DictReader(file):
                figure = Figure.from_row(row)
                figures.all[figure.key] = figure
        return figures


def target(program_is_fine):
    """The share of the best peer's time that ours may take."""
    return FINE if program_is_fine else EQUAL
