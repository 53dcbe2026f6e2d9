/* base/setting_text.h -- a setting's value as text: read, and shown.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_BASE_SETTING_TEXT_H
#define QTI_BASE_SETTING_TEXT_H

#include "base/settings.h"

/* The field of d is that number from here on; a text's is NULL. */
void qti_setting_store(struct qti_env *env, const struct qti_setting_desc *d, uint64_t value);

/* NULL if the text is a value, which is stored; else what is wrong with it, and nothing is. */
const char *qti_setting_read(struct qti_env *env, const struct qti_setting_desc *d, const char *text);

/* The same of settings of one kind, which are not stored: yes or no; which word it is, 0: none. */
const char *qti_setting_parse_bool(const char *text, bool *value);
unsigned qti_setting_parse_choice(const struct qti_setting_desc *d, const char *text);

/* The value of one setting as text, as one would write it in the environment. */
void qti_setting_show(const struct qti_env *env, enum qti_setting which, char *text, size_t size);

/* The default of one setting, in words or as text; what is allowed, as the error message says it. */
void qti_setting_default(enum qti_setting which, char *text, size_t size);
void qti_setting_allowed(enum qti_setting which, char *text, size_t size);

/* A copy fit for one line of a message; text may be value. */
void qti_setting_printable(const char *value, char *text, size_t size);

#endif
