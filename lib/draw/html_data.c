/* html_data.c - the tree of a page: runs with their labels, facts, findings, gaps and figures. The
 * courses are html_devices.c's. Computes no figures; says them in the words of the picture. */
#include "draw/html_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/compare.h>

#include "base/quantity.h"
#include "base/status.h"
#include "base/text.h"

enum {
	TEXT_SIZE = 1024,
	CELLS = 4096,        /* of a course: what a summary has */
	CELLS_ALL = 1 << 17, /* of all devices of all runs together, so that a page stays small */
	CELLS_MIN = 256,
};

json_t *btvi_html_string(const char *text)
{
	char safe[TEXT_SIZE];

	if (!text)
		return json_null();
	btvi_text_printable(text, strlen(text), safe, sizeof safe);
	return json_string(safe);
}

/* A sentence: the page breaks no line between a number and its unit. */
static json_t *sentence(const char *text)
{
	char tied[TEXT_SIZE];
	size_t n = 0;

	for (size_t i = 0; text[i] && n < sizeof tied - 3; i++)
		if (btvi_quantity_tied(text, i)) {
			memcpy(tied + n, "\xc2\xa0", 2);
			n += 2;
		} else {
			tied[n++] = text[i];
		}
	tied[n] = '\0';
	return btvi_html_string(tied);
}

json_t *btvi_html_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *findings_of(const struct btvi_run *run)
{
	json_t *list = json_array();

	for (size_t i = 0; i < btviz_findings_count(run->findings); i++) {
		const struct btviz_finding *f = btviz_findings_get(run->findings, i);
		json_t *evidence = json_object();

		for (size_t k = 0; k < f->evidence_count; k++)
			json_object_set_new(evidence, f->evidence[k].name,
				btvi_html_number(f->evidence[k].value));
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:o, s:o}", "name", f->name, "severity",
				btviz_severity_name(f->severity), "text", sentence(f->text),
				"evidence", evidence));
	}
	return list;
}

/* Words and letters of the kinds of gap. */
static json_t *gap_kinds(void)
{
	json_t *list = json_array();

	for (int kind = 0; kind < BTVIZ_GAP_KIND_COUNT; kind++)
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:s}", "name", btviz_gap_kind_name(kind), "letter",
				btvi_gaps_letter(kind), "word", btvi_gaps_word(kind)));
	return list;
}

static json_t *member_name_of(const struct btviz_figures *f, uint32_t member)
{
	for (size_t i = 0; member != 0 && i < f->device_count; i++)
		if (f->devices[i]->device == member)
			return btvi_html_string(f->devices[i]->name);
	return json_null();
}

/* All kept gaps of all devices: the page picks those of what it shows. */
static json_t *gaps_of(const struct btvi_run *run)
{
	const struct btviz_figures *f = run->figures;
	json_t *list = json_array();

	for (size_t i = 0; i < f->device_count; i++)
		for (size_t k = 0; k < f->devices[i]->gap_count; k++) {
			const struct btviz_gap *g = f->devices[i]->gaps[k];
			char text[TEXT_SIZE];

			btvi_gaps_describe(f, g, text, sizeof text);
			json_array_append_new(list,
				json_pack("{s:I, s:o, s:s, s:f, s:f, s:f, s:o}", "device",
					(json_int_t)i, "member", member_name_of(f, g->member),
					"kind", btviz_gap_kind_name(g->kind), "start_s", g->start_s,
					"end_s", g->end_s, "idle_s", g->idle_s, "text",
					sentence(text)));
		}
	return list;
}

static json_t *members_of(const struct btviz_figures *f)
{
	json_t *list = json_array();

	for (size_t a = 0; a < f->array_count; a++)
		for (size_t m = 0; m < f->arrays[a]->member_count; m++) {
			const struct btviz_member *member = f->arrays[a]->members[m];

			json_array_append_new(list,
				json_pack("{s:o, s:o, s:o}", "array",
					btvi_html_string(f->arrays[a]->name), "name",
					btvi_html_string(member->name), "share",
					btvi_html_number(member->bytes_share)));
		}
	return list;
}

static json_t *arrays_of(const struct btviz_figures *f)
{
	json_t *list = json_array();

	for (size_t a = 0; a < f->array_count; a++)
		json_array_append_new(list,
			json_pack("{s:o, s:i, s:o}", "name", btvi_html_string(f->arrays[a]->name),
				"members", (int)f->arrays[a]->member_count, "effective",
				btvi_html_number(f->arrays[a]->effective_members)));
	return list;
}

static json_t *messages_of(const struct btviz_figures *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->message_count; i++)
		json_array_append_new(list,
			json_pack("{s:o, s:o}", "time_s", btvi_html_number(f->messages[i]->time_s),
				"text", btvi_html_string(f->messages[i]->text)));
	return list;
}

/* The table's figures: as compare judges them. */
static json_t *metrics_of(const struct btviz_figures *f)
{
	json_t *metrics = json_array();

	for (int m = 0; m < BTVIZ_METRIC_COUNT; m++) {
		const struct btviz_metric_info *info = btviz_metric_info(m);

		json_array_append_new(metrics,
			json_pack("{s:s, s:s, s:s, s:b, s:o}", "name", info->name, "title",
				info->title, "unit", info->unit, "less", info->lower_is_better,
				"value", btvi_html_number(btviz_metric_value(m, f))));
	}
	return metrics;
}

static json_t *run_of(const struct btvi_page *page, const struct btvi_owners *owners,
	const struct btvi_run *run, size_t cells, struct btvi_html_pieces *pieces)
{
	const struct btviz_figures *f = run->figures;
	char facts[TEXT_SIZE];
	json_t *tree;

	btvi_header_facts(run, facts, sizeof facts);
	tree = json_pack("{s:o, s:o, s:o, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "label",
		btvi_html_string(run->label), "facts", sentence(facts), "trace",
		btvi_html_string(run->trace), "shift_s", run->shift_s, "start_s",
		(double)(f->start_ns - f->origin_ns) * 1e-9, "span_s", f->span_s, "findings",
		findings_of(run), "gaps", gaps_of(run), "members", members_of(f), "arrays",
		arrays_of(f), "messages", messages_of(f), "metrics", metrics_of(f));
	if (tree) {
		json_t *devices = btvi_html_devices(page, owners, run, cells, pieces, tree);

		if (devices && json_object_set_new(tree, "devices", devices) == 0)
			return tree;
	}
	json_decref(tree);
	return NULL;
}

static json_t *panels_of(const struct btviz_plot_options *o)
{
	const uint32_t wanted = o->panels ? o->panels : btviz_panels_usual();
	json_t *list = json_array();

	for (size_t i = 0; i < BTVIZ_PANEL_COUNT; i++)
		if (btvi_panels[i]->prepare && (wanted & BTVIZ_PANEL_BIT(btvi_panels[i]->id)))
			json_array_append_new(list, json_string(btvi_panels[i]->name));
	return list;
}

/* Runs side by side, as far as there is room for them; 0: chosen by the page. */
static unsigned columns_of(const struct btviz_plot_options *o)
{
	return o->layout == BTVIZ_LAYOUT_ROWS ? 1 : o->columns;
}

static bool wants_stats(const struct btviz_plot_options *o)
{
	return o->panels == 0 || (o->panels & BTVIZ_PANEL_BIT(BTVIZ_PANEL_STATS));
}

/* What stands above the panels, in their order: of those that are not shown, too. */
static json_t *titles_of(const struct btvi_page *page)
{
	json_t *list = json_array();

	for (size_t i = 0; i < BTVIZ_PANEL_COUNT; i++)
		if (btvi_panels[i]->prepare)
			json_array_append_new(list,
				json_pack("[s, s]", btvi_panels[i]->name,
					btvi_panel_title(btvi_panels[i], page)));
	return list;
}

static json_t *colors_of(const struct btviz_plot_options *o)
{
	json_t *list = json_array();

	for (size_t i = 0; i < o->color_count && o->layout != BTVIZ_LAYOUT_OVERLAY; i++)
		json_array_append_new(list, json_integer((json_int_t)o->colors[i]));
	return list;
}

static json_t *processes_of(const struct btvi_owners *o)
{
	json_t *list = json_array();

	for (size_t i = 0; i < o->count + o->others; i++)
		json_array_append_new(list,
			json_pack("{s:o, s:I}", "name",
				btvi_html_string(i < o->count ? o->names[i] : "others"), "color",
				(json_int_t)(btvi_palette_process(
						     i < o->count ? i : BTVI_PROCESS_COLORS) >>
					8)));
	return list;
}

/* What 0 on the page's axis is by the clock. */
static json_t *wall_of(const struct btvi_page *page)
{
	int64_t sec;
	uint32_t nsec;

	if (!btvi_page_wall(page, &sec, &nsec))
		return json_null();
	return json_pack("[I, I]", (json_int_t)sec, (json_int_t)nsec);
}

enum btviz_status btvi_html_data(const struct btvi_page *page, struct btvi_html_pieces *pieces,
	json_t **ret_tree, struct btviz_error *err)
{
	const struct btviz_plot_options *o = page->options;
	struct btvi_owners owners = { 0 };
	size_t device_count = 1, cells = CELLS;
	json_t *runs = json_array(), *tree;

	if (o->by_process)
		btvi_owners_find(page, &owners);
	for (size_t i = 0; i < page->run_count; i++)
		device_count += page->runs[i].figures->device_count;
	while (cells > CELLS_MIN && cells * device_count > CELLS_ALL)
		cells /= 2;
	for (size_t i = 0; i < page->run_count; i++) {
		json_t *run = run_of(page, &owners, &page->runs[i], cells, pieces);

		if (!run || json_array_append_new(runs, run) != 0 || pieces->first.failed ||
			pieces->later.failed) {
			json_decref(runs);
			return btvi_fail_nomem(err);
		}
	}
	tree = json_pack(
		"{s:s, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:i, s:f, s:b, s:o, s:o, s:o, s:o, s:o}",
		"generator", "btviz " BTVIZ_VERSION, "title", btvi_html_string(o->title), "command",
		btvi_html_string(o->command), "no_reads", o->no_reads, "no_writes", o->no_writes,
		"panels", panels_of(o), "titles", titles_of(page), "gap_kinds", gap_kinds(),
		"columns", (int)columns_of(o), "rolling_s", (double)o->rolling_ns * 1e-9, "stats",
		(int)wants_stats(o), "colors", colors_of(o), "processes", processes_of(&owners),
		"wall", wall_of(page), "sectors",
		o->last_sector ? json_pack("[I, I]", (json_int_t)o->first_sector,
					 (json_int_t)o->last_sector)
			       : json_null(),
		"runs", runs);
	if (!tree)
		return btvi_fail_nomem(err);
	*ret_tree = tree;
	return BTVIZ_OK;
}
