# bench/harness/publish.py -- puts a run's tables into the documents, between marks that stay.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A document says  <!-- bench: NAME -->  and, where the text goes on,  <!-- end -->;  what is between them is replaced.

import os
import re

from harness import papers, tables

MARK = re.compile(r'(<!-- bench: ([a-z0-9-]+) -->\n).*?(<!-- end -->)', re.DOTALL)
DOCUMENTS = ['bench/RESULTS.md', 'README.md']


def about(run):
    names = ['date', 'processor', 'layout', 'memory', 'system', 'source', 'command', 'rounds']
    names += [name for name in ('libgomp', 'libomp', 'libiomp5', 'libqomp') if name in run.about]
    return ''.join(f'- {name}: {run.about[name]}\n' for name in names if name in run.about)


def picture(name, text):
    def made(run, folder):
        return f'![{text}]({folder}/{name})\n' if os.path.exists(os.path.join(folder.path, name)) else 'No picture.\n'
    return made


class Folder(str):
    """The results as a document calls them; path is where they are."""

    def __new__(cls, path, document):
        it = super().__new__(cls, os.path.relpath(path, os.path.dirname(document)))
        it.path = path
        return it


def table(make):
    return lambda run, folder: make(run)


SECTIONS = {
    'about': table(about),
    'where': lambda run, folder: f'{run.about["date"][:10]}, {run.about["processor"]}, {run.most} workers; all figures '
                                 f'and pictures are in\n[{folder}]({folder}).\n',
    'brief': table(tables.brief),
    'speed': table(tables.speed),
    'cutoffs': table(lambda run: tables.speed(run, 'any')),
    'speedups': table(tables.speedups),
    'schedulers': table(tables.schedulers),
    'maxload': table(lambda run: tables.rates(run, *tables.SWEPT[0][:2], 'maxload')),
    'batch': table(lambda run: tables.rates(run, *tables.SWEPT[1][:2], 'batch')),
    'paper-speedup': table(papers.speedup),
    'paper-variability': table(papers.variability),
    'paper-stolen': table(papers.stolen),
    'paper-chunk': table(papers.chunk),
    'paper-steals': table(papers.steals),
    'paper-breakdown': table(papers.breakdown),
    'picture-speedup': picture('speedup.svg', 'speed-up of each program by workers'),
    'picture-ratio': picture('ratio.svg', "times as multiples of the best of libgomp, libomp and Intel's"),
    'picture-maxload': picture('maxload.svg', 'tasks a second against their size'),
    'picture-overhead': picture('overhead.svg', "what a task costs beyond its work"),
    'picture-batch': picture('batch.svg', 'hashes a second against hashes in a task'),
}


def fill(top, folder, run):
    for name in DOCUMENTS:
        path = os.path.join(top, name)
        with open(path) as file:
            before = file.read()

        def section(match):
            return match[1] + SECTIONS[match[2]](run, Folder(folder, path)) + match[3]
        after = MARK.sub(section, before)
        if after != before:
            with open(path, 'w') as file:
                file.write(after)
