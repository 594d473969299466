/* field.c - merging and clearing structs by their tables. */
#include "base/field.h"

#include <string.h>

#include "base/histogram.h"

uint64_t btvi_field_get(const struct btvi_field *f, const void *object, unsigned i)
{
	const char *const at = (const char *)object + f->offset;
	uint64_t u64;
	uint32_t u32;
	bool flag;

	switch (f->kind) {
	case BTVI_FIELD_U64:
		memcpy(&u64, at + i * sizeof u64, sizeof u64);
		return u64;
	case BTVI_FIELD_U32:
		memcpy(&u32, at + i * sizeof u32, sizeof u32);
		return u32;
	case BTVI_FIELD_FLAG:
		memcpy(&flag, at + i * sizeof flag, sizeof flag);
		return flag;
	case BTVI_FIELD_TEXT:
	case BTVI_FIELD_HISTOGRAM:
		break;
	}
	return 0;
}

void btvi_field_set(const struct btvi_field *f, void *object, unsigned i, uint64_t value)
{
	char *const at = (char *)object + f->offset;
	const uint32_t u32 = (uint32_t)value;
	const bool flag = value != 0;

	switch (f->kind) {
	case BTVI_FIELD_U64:
		memcpy(at + i * sizeof value, &value, sizeof value);
		break;
	case BTVI_FIELD_U32:
		memcpy(at + i * sizeof u32, &u32, sizeof u32);
		break;
	case BTVI_FIELD_FLAG:
		memcpy(at + i * sizeof flag, &flag, sizeof flag);
		break;
	case BTVI_FIELD_TEXT:
	case BTVI_FIELD_HISTOGRAM:
		break;
	}
}

static uint64_t merged(enum btvi_merging merging, uint64_t a, uint64_t b)
{
	switch (merging) {
	case BTVI_MERGE_BY_HAND:
		break;
	case BTVI_MERGE_ADD:
		return a + b;
	case BTVI_MERGE_ADD_CAPPED:
		return btvi_capped_add(a, b);
	case BTVI_MERGE_LARGEST:
		return a > b ? a : b;
	case BTVI_MERGE_OR:
		return a | b;
	}
	return a;
}

enum btviz_status btvi_fields_merge(const struct btvi_field *table, unsigned group, unsigned coarse,
	void *into, const void *part)
{
	for (const struct btvi_field *f = table; f->name; f++) {
		if (f->group != group || f->merging == BTVI_MERGE_BY_HAND)
			continue;
		for (unsigned i = 0; i < f->count; i++)
			if (f->kind != BTVI_FIELD_HISTOGRAM)
				btvi_field_set(f, into, i,
					merged(f->merging, btvi_field_get(f, into, i),
						btvi_field_get(f, part, i)));
			else if (!btvi_histogram_merge(btvi_field_histogram(f, into, i), coarse,
					 *btvi_field_histogram(f, part, i)))
				return BTVIZ_ERR_NOMEM;
	}
	return BTVIZ_OK;
}

static void free_histograms(const struct btvi_field *f, void *object)
{
	for (unsigned i = 0; i < f->count && f->kind == BTVI_FIELD_HISTOGRAM; i++) {
		btvi_histogram_free(*btvi_field_histogram(f, object, i));
		*btvi_field_histogram(f, object, i) = NULL;
	}
}

void btvi_fields_clear(const struct btvi_field *table, unsigned group, void *object)
{
	for (const struct btvi_field *f = table; f->name; f++) {
		if (f->group != group)
			continue;
		free_histograms(f, object);
		for (unsigned i = 0; i < f->count; i++)
			btvi_field_set(f, object, i, 0);
	}
}

void btvi_fields_coarsen(const struct btvi_field *table, void *object, unsigned coarse)
{
	for (const struct btvi_field *f = table; f->name; f++)
		for (unsigned i = 0; i < f->count && f->kind == BTVI_FIELD_HISTOGRAM; i++)
			btvi_histogram_coarsen(*btvi_field_histogram(f, object, i), coarse);
}

void btvi_fields_show(const struct btvi_field *table, const void *kept, void *shown)
{
	for (const struct btvi_field *f = table; f->name; f++)
		if (f->kind == BTVI_FIELD_U64 && f->count == 1 &&
			f->figure.type == BTVIZ_FIGURE_INTEGER) {
			const uint64_t number = btvi_field_get(f, kept, 0);

			memcpy((char *)shown + f->figure.offset, &number, sizeof number);
		}
}

const struct btviz_figure *btvi_fields_next(
	const struct btvi_field *table, const struct btviz_figure *previous)
{
	const struct btvi_field *f = table;

	if (previous)
		f = (const struct btvi_field *)(const void *)((const char *)previous -
			    offsetof(struct btvi_field, figure)) +
			1;
	for (; f->name; f++)
		if (f->figure.name)
			return &f->figure;
	return NULL;
}

void btvi_fields_free(const struct btvi_field *table, void *object)
{
	for (const struct btvi_field *f = table; f->name; f++)
		free_histograms(f, object);
}

size_t btvi_fields_count(const struct btvi_field *table, enum btvi_field_kind kind)
{
	size_t n = 0;

	for (const struct btvi_field *f = table; f->name; f++)
		n += f->kind == kind ? f->count : 0;
	return n;
}
