# bench/harness/shares.py -- what workers' time went to, from a run's event log (QT_TRACE), read as qtprof reads it.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause

import importlib.machinery
import importlib.util
import os
import sys

QTPROF = os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', '..', 'src', 'tools', 'qtprof')
LOG_BYTES = '64M'  # for each worker: uts of size quick needs a third
MOST_SIZE = 'quick'  # a larger problem would take Python minutes to read

# The states of Adnan and Sato's Table 2, from those of qtprof; "log" is what the record itself takes.
PARTS = {
    'busy': ('busy',), 'steal': ('steal',), 'idle': ('idle', 'wait'), 'switch': ('switch', 'run'),
    'stack': ('create', 'stack'), 'log': ('log',),
}


class NoLog(Exception):
    """There is none, or it is not whole."""


def qtprof():
    loader = importlib.machinery.SourceFileLoader('qtprof', QTPROF)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('qtprof', loader))
    sys.modules.setdefault('qtprof', module)
    loader.exec_module(module)
    return module


def environment(path):
    return {'QT_TRACE': path, 'QT_TRACE_SIZE': LOG_BYTES}


def of(path):
    """Percent of all workers' time by part."""
    if not os.path.exists(path):
        raise NoLog('it has written no event log')
    tool = qtprof()
    log = tool.Log(path)
    if any(log.full) or any(log.lost) or log.short or not log.closed:
        raise NoLog('its event log is not whole')
    story = tool.Story(log)
    states = {state: sum(worker[state] for worker in story.time) for state in tool.STATES}
    total = sum(states.values())
    return {part: 100 * sum(states[state] for state in found) / total for part, found in PARTS.items()}
