# qthread-gdb.gdb -- what a gdb without Python loads with the library: it says so in a line.
#
# Copyright (c) 2026 The libqthread authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The commands are in qthread-gdb.py, of which such a gdb says nothing.  Any other one does nothing here.
python pass
