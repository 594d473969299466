/* fuzz_samples.c - NAME.samples.csv as text, and its columns spread over cells. */
#include <math.h>

#include <btviz/samples.h>

#include "fuzz.h"
#include "mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return mutate_text(data, size, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { CELLS = 13 };
	struct btviz_error err = { .status = BTVIZ_OK };
	struct btviz_samples *s;
	const enum btviz_status status = btviz_samples_parse((const char *)data, size, &s, &err);
	uint64_t first_ns, last_ns;
	size_t columns;

	if (status != BTVIZ_OK) {
		require(err.status == status && err.message[0] != '\0');
		return 0;
	}
	require(btviz_samples_row_count(s) <= size);
	btviz_samples_span(s, &first_ns, &last_ns);
	require(first_ns <= last_ns);
	columns = btviz_samples_column_count(s);
	for (size_t i = 0; i < columns && i < 16; i++) {
		struct btviz_samples_range range;
		double cells[CELLS];
		const ptrdiff_t column = (ptrdiff_t)i;

		require(btviz_samples_column_name(s, i));
		btviz_samples_resample(s, column, first_ns, last_ns, cells, CELLS);
		btviz_samples_resample(s, column, 0, UINT64_MAX, cells, CELLS);
		btviz_samples_resample(s, column, last_ns, first_ns, cells, CELLS);
		btviz_samples_range(s, column, first_ns, last_ns, &range);
		require(isnan(range.mean) || (range.min <= range.max));
	}
	require(!btviz_samples_column_name(s, columns));
	btviz_samples_close(s);
	return 0;
}
