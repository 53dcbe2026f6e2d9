/* io/proxies.h -- the OS threads that carry tasks through calls that block.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_IO_PROXIES_H
#define QTI_IO_PROXIES_H

#include <stdbool.h>

void qti_proxies_up(void);

/* Ends all of them.  False if some still carry tasks: these go on, and need all that the runtime has. */
bool qti_proxies_down(void);

/* Threads that there are; once nobody is absent (io/absent.h), at least so many. */
unsigned qti_proxies_threads(void);

/* True: the running task goes on on a proxy, until it calls qti_proxy_return.  False: it is where it was, because it
 * is on no worker, must not wait (QTI_TASK_SIMPLE), or because there is no memory or no thread to be had. */
bool qti_proxies_leave(void);

#endif
