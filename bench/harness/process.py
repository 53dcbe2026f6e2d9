# bench/harness/process.py -- one process at a time, with an end.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

import os
import resource
import signal
import subprocess
import sys
import time

OURS_RT = 11    # above what is started, so that it can end what hangs
CHILDS_RT = 10


class Ended:
    """How a process ended: word is empty, 'HUNG' or 'FAILED', message says why."""

    def __init__(self, word, message, out='', wall=0.0, cpu=0.0, err=''):
        self.word, self.message, self.out, self.wall, self.cpu, self.err = word, message, out, wall, cpu, err


def last_line(text, before=''):
    lines = text.strip().splitlines()
    return before + lines[-1] if lines else ''


def output(*command):
    """What a command prints; empty if there is none of that name."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    except OSError:
        return ''


def end_on_signals():
    """Rather than leaving a process behind."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def take_real_time():
    """Raises this process above those it will start with realtime; raises PermissionError without the right to."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(OURS_RT))


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command, env, limit, realtime=False):
    """Runs it in a process group of its own, which is killed after limit seconds."""
    # Who is interrupted between the child's start and the answer that it has started would not know whom to end.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})

    def prepare():
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.setpgid(0, 0)
        if realtime:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(CHILDS_RT))

    start, cpu = time.monotonic(), children_cpu()
    try:
        child = subprocess.Popen(command, env=env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, preexec_fn=prepare)
    except OSError as error:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return Ended('FAILED', error.strerror)
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        out, err = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        return Ended('HUNG', f'no end after {limit:g} s')
    finally:
        if child.returncode is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
    wall = time.monotonic() - start
    if child.returncode < 0:
        return Ended('FAILED', signal.Signals(-child.returncode).name + last_line(err, ', after: '))
    if child.returncode > 0:
        return Ended('FAILED', last_line(err) or f'status {child.returncode}')
    return Ended('', '', out, wall, children_cpu() - cpu, err)
