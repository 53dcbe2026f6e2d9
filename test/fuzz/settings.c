/* test/fuzz/settings.c -- the input is the value of each QT_ variable.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/env.h"
#include "base/setting_text.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), name[64], shown[24];
	struct qti_env env;
	const struct qti_setting_desc *table = qti_settings;
	const unsigned n = QTI_NSETTINGS;

	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "QT_%s", table[i].name);
		setenv(name, text, 1);
	}
	qti_env_read(&env);
	for (unsigned i = 0; i < n; i++) {
		qti_env_good((enum qti_setting)i);
		qti_setting_show(&env, (enum qti_setting)i, shown, sizeof(shown));
	}
	qti_level_parse(text);
	free(text);
	return 0;
}
