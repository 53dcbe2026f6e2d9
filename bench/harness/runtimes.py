# bench/harness/runtimes.py -- finding OpenMP runtimes and having a program run on one of them.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A runtime is chosen by the dynamic linker alone: it finds the library as libgomp.so.1, or as what clang's programs ask
# for, and nothing stands behind it, so that a function it lacks is an error here rather than another runtime's.

import glob
import os
import re
import site
import sys
import sysconfig

from harness import process

OURS = 'libqomp'
SCHEDULERS = ['q', 'l', 'cq', 'ws', 'mts', 'xq', 'bq', 'na-rp', 'na-ws']


def intel_places():
    """Where pip install intel-openmp and Intel's own installer put it."""
    roots = [sysconfig.get_paths()['data'], sys.prefix, site.getuserbase(), '/usr/local']
    return [*dict.fromkeys(os.path.join(root, 'lib/libiomp5.so') for root in roots),
            '/opt/intel/oneapi/compiler/*/lib/libiomp5.so', '/opt/intel/lib/intel64/libiomp5.so']


SONAMES = ['libgomp.so.1', 'libomp.so.5', 'libomp.so']

# Where each runtime that has a name is looked for, the preferred place first.
PLACES = {
    OURS: ['src/.libs/libqomp.so', '.libs/libqomp.so'],
    'libgomp': ['/usr/lib/*/libgomp.so.1', '/usr/lib64/libgomp.so.1', '/lib/*/libgomp.so.1'],
    'libomp': ['/usr/lib/llvm-*/lib/libomp.so.5', '/usr/lib/*/libomp.so.5', '/usr/lib*/libomp.so'],
    'libiomp5': intel_places(),
}


class Runtime:
    def __init__(self, name, path, folder, settings=None):
        self.name = name
        self.settings = settings or {}
        self.path = os.path.realpath(path)
        self.folder = os.path.join(folder, name)
        os.mkdir(self.folder)
        for soname in SONAMES:
            os.symlink(self.path, os.path.join(self.folder, soname))

    def environment(self, threads, scheduler, bound=True):
        """bound: threads stay on their CPUs, unless the user's environment says otherwise."""
        env = plain_environment()
        folders = [self.folder, os.path.dirname(self.path), env.get('LD_LIBRARY_PATH')]
        env['LD_LIBRARY_PATH'] = ':'.join(filter(None, folders))
        env['OMP_NUM_THREADS'] = str(threads)
        env['OMP_DYNAMIC'] = 'false'
        if bound:
            env.setdefault('OMP_PROC_BIND', 'true')
        if scheduler:
            env['QT_SCHEDULER'] = scheduler
        return {**env, **self.settings}

    def version(self):
        return version(self.path)


def plain_environment():
    env = dict(os.environ)
    env.pop('LD_PRELOAD', None)
    return env


def version(path):
    """The package that a file is from, if anybody knows: Debian's, or else pip's, by what lies around it."""
    owner = process.output('dpkg-query', '-S', path).rpartition(': ')[0]
    if owner:
        return process.output('dpkg-query', '-W', '-f', '${Package} ${Version}', owner)
    root = os.path.dirname(os.path.dirname(path))
    for pattern in ('', '..', '../..', 'lib/python*/site-packages', 'lib/python*/dist-packages'):
        found = glob.glob(os.path.join(root, pattern, 'intel_openmp-*.dist-info'))
        if found:
            return 'intel-openmp ' + os.path.basename(newest(found))[len('intel_openmp-'):-len('.dist-info')]
    return ''


def settings():
    """What the environment says to runtimes, as words."""
    pattern = r'(OMP|GOMP|KMP|QT|QTHREAD)_'
    return [f'{name}={value}' for name, value in sorted(os.environ.items()) if re.match(pattern, name)]


def newest(paths):
    """Of llvm-9 and llvm-19 the latter."""
    return max(paths, key=lambda path: [int(n) for n in re.findall(r'\d+', path)])


def is_genuine(name, path):
    """Debian has LLVM's runtime under the name of Intel's as well."""
    return name != 'libiomp5' or not os.path.basename(os.path.realpath(path)).startswith('libomp')


def locate(name, build, intel=None):
    places = PLACES[name]
    if name == 'libiomp5' and intel:
        places = [os.path.join(glob.escape(intel), '**', 'libiomp5.so')]
    for place in places:
        found = glob.glob(os.path.join(glob.escape(build), place), recursive=True)
        found = [path for path in found if is_genuine(name, path)]
        if found:
            return newest(found)
    return None


def add_options(add):
    """Those of every harness, to an argument parser's add_argument."""
    add('--build', default='.', help='the build tree (default: here)')
    add('--runtimes', metavar='LIST', help='NAME or NAME=FILE, commas between (default: all that are there)')
    add('--with-intel', metavar='DIR', help="where to look for Intel's libiomp5.so")


def choose(wishes, args, folder):
    """The runtimes wished for, as NAME or NAME=FILE; those not wished for by name (wishes is None) may be missing."""
    runtimes = []
    for wish in PLACES if wishes is None else wishes:
        name, _, path = wish.partition('=')
        if not path and name not in PLACES:
            sys.exit(f'run: --runtimes {wish}: give its file, {name}=FILE, or one of {", ".join(PLACES)}')
        if any(runtime.name == name for runtime in runtimes):
            sys.exit(f'run: --runtimes: {name} is there twice')
        path = path or locate(name, args.build, args.with_intel)
        if path and os.path.exists(path):
            runtimes.append(Runtime(name, path, folder))
        elif wishes is not None or (name == 'libiomp5' and args.with_intel):
            sys.exit(f'run: {wish}: {path + " is not there" if path else "not found"}')
        else:
            print(f'note: no {name} here' + (', it is not built' if name == OURS else ''), file=sys.stderr)
    return runtimes


def varied(wish, args, folder):
    """Ours, once for each value of a setting: NAME=VALUE,VALUE..."""
    name, _, values = wish.partition('=')
    path = locate(OURS, args.build)
    if not path or not re.fullmatch(r'[A-Z_]+', name) or not all(re.fullmatch(r'[\w.-]+', v) for v in values.split(',')):
        sys.exit(f'run: --vary {wish}: give NAME=VALUE,VALUE, and a build that has {OURS}')
    return [Runtime(value, path, folder, {name: value}) for value in dict.fromkeys(values.split(','))]


def add_real_time(add):
    """To the same, for harnesses of one process at a time: two of that priority would not take turns."""
    add('--rt', action='store_true', help='real-time priority, for machines that others use, too; needs the right to')


def real_time(args):
    """Does what --rt asks for."""
    if args.rt:
        try:
            process.take_real_time()
        except PermissionError:
            sys.exit('run: --rt: no right to real-time priority')
