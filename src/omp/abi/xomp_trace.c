/* omp/abi/xomp_trace.c -- see omp/abi/xomp_trace.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The file is xomp-regions.PID in the working directory, a line for each event:
 *
 *	SECONDS begin|end FILE:LINE
 *
 * It is opened for each of them anew, so there is nothing that threads would have to share, or a child of fork(2)
 * to forget.
 *
 * Anyone can guess the name, and the directory may be one where others write (base/outfile.h).
 */
#include "omp/abi/xomp_trace.h"

#include "base/ascii.h"
#include "base/env.h"
#include "base/environ.h"
#include "base/outfile.h"
#include "omp/env/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 512 };

int env_region_instr_val;

__attribute__((constructor)) static void read_setting(void)
{
	static const char name[] = "XOMP_REGION_INSTR=";

	/* Most environments have nothing that begins so, and need not the page with the name. */
	for (char **e = qti_environ(); *e; e++)
		if (**e == 'X' && strncmp(*e, name, sizeof(name) - 1) == 0 && qti_env_trusted() &&
			atoi(*e + sizeof(name) - 1) != 0)
			env_region_instr_val = 1;
}

double xomp_time_stamp(void)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

void qomp_trace_write(const char *event, const char *file, int line)
{
	char name[64], seconds[32], text[LINE_MAX_BYTES];

	snprintf(name, sizeof(name), "xomp-regions.%ld", (long)getpid());
	qti_ascii_decimal(seconds, sizeof(seconds), xomp_time_stamp(), 6);
	int length = snprintf(text, sizeof(text), "%s %s %.400s:%d\n", seconds, event, file ? file : "?", line);
	int fd = qti_outfile_open(name, O_WRONLY | O_APPEND);
	if (fd < 0 || write(fd, text, (size_t)length) != length) {
		qomp_warn("cannot write %s: %s", name, strerror(errno));
		store_rlx(&env_region_instr_val, 0);
	}
	if (fd >= 0)
		close(fd);
}
