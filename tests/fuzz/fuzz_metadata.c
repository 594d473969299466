/* fuzz_metadata.c - NAME.btviz.json as text. All text handed out is printable, all numbers sane. */
#include <string.h>

#include <btviz/metadata.h>

#include "fuzz.h"
#include "mutate.h"

static void check_text(const char *text)
{
	require(text);
	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		require(*c >= 0x20 && *c != 0x7f);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return mutate_text(data, size, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btviz_error err = { .status = BTVIZ_OK };
	const struct btviz_metadata_run *run;
	struct btviz_metadata *m;
	const enum btviz_status status = btviz_metadata_parse((const char *)data, size, &m, &err);
	size_t n;

	if (status != BTVIZ_OK) {
		require(err.status == status && err.message[0] != '\0');
		check_text(err.message);
		return 0;
	}
	run = btviz_metadata_run(m);
	check_text(run->command);
	check_text(run->kernel);
	check_text(run->host);
	check_text(run->backend);
	check_text(run->wall_start);
	n = btviz_metadata_device_count(m);
	for (size_t i = 0; i < n; i++) {
		const struct btviz_metadata_device *const d = btviz_metadata_device(m, i);

		require(d && btviz_metadata_find(m, d->device));
		check_text(d->name);
		check_text(d->label);
		check_text(d->level);
		require(d->member_count == 0 || d->members);
	}
	require(!btviz_metadata_device(m, n));
	btviz_metadata_close(m);
	return 0;
}
