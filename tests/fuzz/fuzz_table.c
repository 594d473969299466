/* fuzz_table.c - a table of runs for compare, as CSV text, read and judged. */
#include <math.h>
#include <string.h>

#include <btviz/compare.h>

#include "fuzz.h"
#include "mutate.h"

static void check_judgement(const struct btviz_judgement *j)
{
	for (size_t i = 0; i < j->group_count; i++) {
		const struct btviz_group *const g = j->groups[i];

		require(g->label[0] != '\0' && g->known <= g->count && g->reason);
		require(g->base == SIZE_MAX || g->base < j->group_count);
		require(isnan(g->mean) || (g->min <= g->max && isfinite(g->mean)));
		require(isnan(g->p_worse) || (g->p_worse >= 0 && g->p_worse <= 1.0000001));
		require(btviz_verdict_name(g->verdict));
		for (const char *c = g->label; *c; c++)
			require((unsigned char)*c >= 0x20 && *c != 0x7f);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return mutate_text(data, size, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btviz_comparison_options o = BTVIZ_COMPARISON_OPTIONS_INIT;
	struct btviz_error err = { .status = BTVIZ_OK };
	const struct btviz_judgement *j;
	struct btviz_comparison *c;
	enum btviz_status status;

	o.lower_is_better = size & 1;
	require(btviz_comparison_new(&o, &c, NULL) == BTVIZ_OK);
	status = btviz_comparison_add_table(c, (const char *)data, size, &err);
	if (status == BTVIZ_OK)
		status = btviz_comparison_judge(c, &j, &err);
	if (status == BTVIZ_OK)
		check_judgement(j);
	else
		require(err.status == status && err.message[0] != '\0');
	btviz_comparison_free(c);
	return 0;
}
