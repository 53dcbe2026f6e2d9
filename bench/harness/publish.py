# bench/harness/publish.py -- puts a run's tables into the documents, between marks that stay.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A document says  <!-- bench: NAME -->  and, where the text goes on,  <!-- end -->;  what is between them is replaced.

import os
import re
import shutil

from harness import papers, picture, tables

MARK = re.compile(r'(<!-- bench: ([a-z0-9-]+) -->\n).*?(<!-- end -->)', re.DOTALL)
DOCUMENTS = ['bench/RESULTS.md', 'README.md']
PICTURE = os.path.join('bench', picture.NAME)  # both show it


def about(run):
    names = ['date', 'processor', 'layout', 'memory', 'system', 'source', 'command', 'rounds']
    names += [name for name in ('libgomp', 'libomp', 'libiomp5', 'libqomp') if name in run.about]
    return ''.join(f'- {name}: {run.about[name]}\n' for name in names if name in run.about)


SECTIONS = {
    'about': about,
    'where': lambda run: f'{run.about["date"][:10]}, {run.about["processor"]}, {run.most} workers.\n',
    'brief': tables.brief,
    'speed': tables.speed,
    'cutoffs': lambda run: tables.speed(run, 'any'),
    'speedups': tables.speedups,
    'schedulers': tables.schedulers,
    'maxload': lambda run: tables.rates(run, *tables.SWEPT[0][:2], 'maxload'),
    'batch': lambda run: tables.rates(run, *tables.SWEPT[1][:2], 'batch'),
    'paper-speedup': papers.speedup,
    'paper-variability': papers.variability,
    'paper-stolen': papers.stolen,
    'paper-chunk': papers.chunk,
    'paper-steals': papers.steals,
    **{name: table for name, _, table in papers.BESIDE},
}


def fill(top, folder, run):
    """The tables, and the picture if the run has one: one without peers has none, and leaves that which is there."""
    if os.path.exists(os.path.join(folder, picture.NAME)):
        shutil.copyfile(os.path.join(folder, picture.NAME), os.path.join(top, PICTURE))
    for name in DOCUMENTS:
        path = os.path.join(top, name)
        with open(path) as file:
            before = file.read()
        after = MARK.sub(lambda match: match[1] + SECTIONS[match[2]](run) + match[3], before)
        if after != before:
            with open(path, 'w') as file:
                file.write(after)
