# bench/harness/machine.py -- where and how a run was made, as lines of "name: value" that are kept beside its figures.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

import datetime
import os
import platform
import re
import shlex
import sys

from harness import process, runtimes as openmp


def first_line(path, default=''):
    try:
        with open(path) as file:
            return file.readline().strip()
    except OSError:
        return default


def lscpu():
    pairs = (line.partition(':') for line in process.output('env', 'LC_ALL=C', 'lscpu').splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def memory():
    match = re.match(r'MemTotal:\s+(\d+) kB', first_line('/proc/meminfo'))
    return f'{int(match[1]) / (1 << 20):.1f} GiB' if match else 'unknown'


def processor(cpu):
    return cpu.get('Model name', platform.machine())


def layout(cpu):
    allowed = len(os.sched_getaffinity(0))
    counts = [cpu.get(name, '?') for name in ('Socket(s)', 'Core(s) per socket', 'Thread(s) per core', 'NUMA node(s)')]
    return '{} CPUs: {} sockets of {} cores of {} threads, {} NUMA nodes'.format(allowed, *counts)


def caches(cpu):
    there = [f'{name} {cpu[name]}' for name in ('L1d cache', 'L2 cache', 'L3 cache') if name in cpu]
    return ', '.join(there) or 'unknown'


def surroundings(cpu):
    governor = first_line('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor', 'not to be seen')
    virtual = cpu.get('Hypervisor vendor')
    return f'governor {governor}, ' + (f'a virtual machine ({virtual})' if virtual else 'no hypervisor')


def commit(source):
    """Which source tree this is."""
    revision = process.output('git', '-C', source, 'rev-parse', '--short=12', 'HEAD').strip()
    changed = process.output('git', '-C', source, 'status', '--porcelain', '--untracked-files=no').strip()
    return revision + (' with changes' if changed else '') if revision else 'a release'


def shown(path, build):
    """A library's file without the names of somebody's directories."""
    inside = os.path.relpath(path, os.path.realpath(build))
    if not inside.startswith('..'):
        return inside
    return path if re.match(r'/(usr|lib|lib64|opt)/', path) else os.path.basename(path)


def describe(args, runners, source):
    """Name and value of everything that a reader of the figures might ask for; before the first process runs."""
    cpu, now = lscpu(), datetime.datetime.now(datetime.timezone.utc)
    lines = [
        ('date', now.strftime('%Y-%m-%d %H:%M UTC')),
        ('command', shlex.join([os.path.relpath(sys.argv[0]), *sys.argv[1:]])),
        ('source', commit(source)),
        ('processor', processor(cpu)),
        ('layout', layout(cpu)),
        ('caches', caches(cpu)),
        ('memory', memory()),
        ('system', f'{platform.system()} {platform.release()}, {surroundings(cpu)}'),
        ('load', f'{os.getloadavg()[0]:.2f} at the start'),
        ('environment', ' '.join(openmp.settings()) or 'no settings of runtimes; OpenMP threads are bound'),
        ('size', args.size),
        ('workers', ', '.join(map(str, args.workers))),
        ('schedulers', ', '.join(args.schedulers)),
    ]
    for runner in runners:
        if runner.openmp:
            lines.append((runner.name, f'{shown(runner.openmp.path, args.build)} {runner.openmp.version()}'.rstrip()))
    return lines


def write(path, lines):
    with open(path, 'w') as file:
        file.writelines(f'{name}: {value}\n' for name, value in lines)


def read(path):
    with open(path) as file:
        return dict(line.rstrip('\n').split(': ', 1) for line in file)
