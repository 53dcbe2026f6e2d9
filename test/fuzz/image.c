/* test/fuzz/image.c -- the input is a program that qtrun is to run: tools/qtrun_image.c.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "fuzz.h"
#include "tools/qtrun_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct qtrun_image image, other;
	char path[256];

	fuzz_write("program", data, size);
	fuzz_path(path, sizeof(path), "program");
	qtrun_image_read(path, &image);
	if (strlen(image.interpreter) >= sizeof(image.interpreter) || strlen(image.argument) >= sizeof(image.argument))
		abort();
	qtrun_image_machine(&image);
	qtrun_image_same_machine(&image, &other);
	other = image;
	return 0;
}
