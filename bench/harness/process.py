# bench/harness/process.py -- processes, one at a time or several at once, with an end.
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


def start(command, env, mask, realtime):
    """Starts it in a process group of its own, with the signal mask."""
    def prepare():
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.setpgid(0, 0)
        if realtime:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(CHILDS_RT))

    return subprocess.Popen(command, env=env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, preexec_fn=prepare)


def end_of(child, last, limit):
    """How it ended, or that it did not before last, limit seconds after its start."""
    try:
        out, err = child.communicate(timeout=max(last - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        return Ended('HUNG', f'no end after {limit:g} s')
    if child.returncode < 0:
        return Ended('FAILED', signal.Signals(-child.returncode).name + last_line(err, ', after: '))
    if child.returncode > 0:
        return Ended('FAILED', last_line(err) or f'status {child.returncode}')
    return Ended('', '', out, err=err)


def kill(children):
    for child in children:
        os.killpg(child.pid, signal.SIGKILL)
    for child in children:
        child.communicate()


def run_together(jobs, limit, realtime=False, beside=()):
    """Runs pairs of command and environment at once, and beside them some that are killed when all of these have ended,
    or after limit seconds, or when we are interrupted.  Says how each of the jobs ended."""
    # Who is interrupted between a child's start and the answer that it has started would not know whom to end.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    last, children = time.monotonic() + limit, []
    try:
        try:
            for command, env in [*beside, *jobs]:
                children.append(start(command, env, mask, realtime))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return [end_of(child, last, limit) for child in children[len(beside):]]
    except OSError as error:
        return [Ended('FAILED', error.strerror) for _ in jobs]
    finally:
        kill([child for child in children if child.returncode is None])


def run(command, env, limit, realtime=False):
    """The same of one alone, with the time it took; no other child of ours may end meanwhile."""
    began, cpu = time.monotonic(), children_cpu()
    ended, = run_together([(command, env)], limit, realtime)
    ended.wall, ended.cpu = time.monotonic() - began, children_cpu() - cpu
    return ended
