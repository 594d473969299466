/* fuzz_draw.c - any run as any picture: a saved summary (the input has a brace after its options)
 * or streams, drawn small with all that can be asked for, as PNG, SVG, PDF or a page. What comes
 * out must be whole, and no text of the input may be markup in it.
 *
 * An input is 8 bytes of options, then what the targets "saved" or "trace" take. */
#include <string.h>

#include <btviz/plot.h>

#include "fuzz.h"
#include "measure/saved.h"
#include "mutate.h"
#include "pictures.h"
#include "streams.h"
#include "trace/trace.h"

enum { RUNS_MAX = 3, TEXT_SIZE = 96 };

static bool is_saved(const uint8_t *data, size_t size)
{
	return size > FUZZ_TRACE_HEAD && data[FUZZ_TRACE_HEAD] == '{';
}

static struct btviz_summary *load(const uint8_t *data, size_t size)
{
	struct btviz_summary *s = NULL;
	char path[FUZZ_PATH_SIZE];
	const int fd = fuzz_file(data, size, path);

	btvi_saved_load(path, NULL, NULL, &s, NULL);
	close(fd);
	return s;
}

static struct btviz_summary *summarise(const uint8_t *data, size_t size, bool owners)
{
	struct btviz_summary_options so = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct streams in = streams_divide(data, size, size);
	struct btvi_sources *const sources = streams_sources(&in);
	const struct btviz_event *ev;
	struct btviz_summary *s;
	struct btviz_trace *t;

	so.map_columns = 64;
	so.map_rows = 32;
	so.map_owners = owners;
	require(btviz_summary_new(&so, &s, NULL) == BTVIZ_OK);
	if (btvi_trace_open_lane(sources, BTVI_ALL_LANES, NULL, &t, NULL) == BTVIZ_OK) {
		while (btviz_trace_next(t, &ev, NULL) == BTVIZ_OK)
			require(btviz_summary_add(s, ev, NULL) == BTVIZ_OK);
		btviz_summary_add_health(s, btviz_trace_health(t));
		btviz_trace_close(t);
	}
	btvi_sources_free(sources);
	return s;
}

/* What the first 8 bytes ask for. Small, and mostly with boxes for text: what costs time then is
 * ours. */
static void choose(const uint8_t *o, struct btviz_plot_options *p, enum btviz_plot_kind *ret_kind)
{
	static const char *const names[] = { "*", "dd" };

	*ret_kind = (enum btviz_plot_kind)(o[0] & 3);
	p->layout = (enum btviz_layout)((o[0] >> 2 & 3) % 3);
	p->boxes_for_text = (o[0] & 0xf0) != 0xf0;
	p->panels = (o[1] | (uint32_t)o[2] << 8) & (BTVIZ_PANEL_BIT(BTVIZ_PANEL_COUNT) - 1);
	p->width_px = 160 + 2.0 * o[3];
	p->height_px = o[4] & 1 ? 100 + 4.0 * o[4] : 0;
	p->dpi = o[5] & 1 ? 10 + 9.0 * o[5] : 0;
	p->align = o[5] & 2 ? BTVIZ_ALIGN_WALL : BTVIZ_ALIGN_START;
	p->clock = o[5] & 4 ? BTVIZ_CLOCK_WALL : BTVIZ_CLOCK_RELATIVE;
	p->columns = o[5] >> 3 & 3;
	p->start_ns = (o[6] & 7) == 7 ? (uint64_t)o[6] << 18 : 0;
	p->end_ns = (o[6] & 7) >= 6 ? p->start_ns + (1ULL << (o[6] >> 2)) : 0;
	p->last_sector = (o[6] & 8) ? 1ULL << (o[6] >> 2) : 0;
	p->rolling_ns = o[6] == 0 ? 1 : 0;
	p->no_reads = (o[7] & 3) == 1;
	p->no_writes = (o[7] & 3) == 2;
	p->by_process = o[7] & 4;
	p->merge_names = names;
	p->merge_count = o[7] >> 3 & 3 ? (o[7] >> 3 & 3) - 1U : 0;
}

/* Each run may be any of these again: what matters is that there are several. */
static void draw(struct btviz_summary *s, const uint8_t *o, const char *text)
{
	struct btviz_plot_options p = BTVIZ_PLOT_OPTIONS_INIT;
	struct btviz_run runs[RUNS_MAX] = { { .summary = s, .trace = text },
		{ .summary = s, .label = text }, { .summary = s, .label = "" } };
	struct btviz_error err = { .status = BTVIZ_OK };
	unsigned char *bytes = NULL;
	enum btviz_plot_kind kind;
	size_t size = 0;
	enum btviz_status status;

	choose(o, &p, &kind);
	p.title = o[7] & 32 ? text : NULL;
	p.command = text;
	status = btviz_plot_write_buffer(
		runs, 1 + (o[7] >> 6) % RUNS_MAX, &p, kind, &bytes, &size, &err);
	if (status == BTVIZ_OK)
		pictures_check(kind, bytes, size);
	else
		require(err.status == status && err.message[0] != '\0' && !bytes);
	free(bytes);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	if (size <= FUZZ_TRACE_HEAD || seed % 16 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	if (seed % 16 == 1)
		return LLVMFuzzerMutate(data, FUZZ_TRACE_HEAD, FUZZ_TRACE_HEAD), size;
	return FUZZ_TRACE_HEAD +
		(is_saved(data, size) ? mutate_text : mutate_records)(data + FUZZ_TRACE_HEAD,
			size - FUZZ_TRACE_HEAD, max_size - FUZZ_TRACE_HEAD, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btviz_summary *s;
	char text[TEXT_SIZE];
	size_t n;

	if (size < FUZZ_TRACE_HEAD)
		return 0;
	n = size - FUZZ_TRACE_HEAD < sizeof text ? size - FUZZ_TRACE_HEAD : sizeof text - 1;
	memcpy(text, data + size - n, n);
	text[n] = '\0';
	s = is_saved(data, size)
		? load(data + FUZZ_TRACE_HEAD, size - FUZZ_TRACE_HEAD)
		: summarise(data + FUZZ_TRACE_HEAD, size - FUZZ_TRACE_HEAD, data[7] & 4);
	if (s)
		draw(s, data, text);
	btviz_summary_free(s);
	return 0;
}
