/* panels.c - the table of panels, in the order in which they stand in a picture and in a page. What
 * else names or lists panels (-O, --panels, the page, which are usual) takes it from the rows. */
#include <btviz/plot.h>

#include "draw/page.h"

const struct btvi_panel *const btvi_panels[BTVIZ_PANEL_COUNT] = {
	&btvi_panel_io,
	&btvi_panel_members,
	&btvi_panel_tput,
	&btvi_panel_latency,
	&btvi_panel_depth,
	&btvi_panel_size,
	&btvi_panel_merge,
	&btvi_panel_seek,
	&btvi_panel_iops,
	&btvi_panel_vm,
	&btvi_panel_cpu,
	&btvi_panel_stats,
};

const char *btviz_panel_name(enum btviz_panel id)
{
	for (size_t i = 0; i < BTVIZ_PANEL_COUNT; i++)
		if (btvi_panels[i]->id == id)
			return btvi_panels[i]->name;
	return NULL;
}

uint32_t btviz_panels_usual(void)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < BTVIZ_PANEL_COUNT; i++)
		if (btvi_panels[i]->usual)
			bits |= BTVIZ_PANEL_BIT(btvi_panels[i]->id);
	return bits;
}

static bool has_members(const struct btvi_page *p)
{
	for (size_t run = 0; run < p->run_count; run++) {
		const struct btviz_figures *const f = p->runs[run].figures;

		for (size_t a = 0; a < f->array_count; a++)
			if (f->arrays[a]->member_count > 1)
				return true;
	}
	return false;
}

const char *btvi_panel_title(const struct btvi_panel *panel, const struct btvi_page *p)
{
	return panel->title_without_array && !has_members(p) ? panel->title_without_array
							     : panel->title;
}
