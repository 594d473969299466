/* header.c - what stands above a run's panels: its label, its facts in one grey line, its first
 * findings in plain words. The findings are judge/'s. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/quantity.h"
#include "draw/page.h"

enum { FINDINGS_SHOWN = 2, LINES_MAX = 4 };

const struct btviz_member *btvi_page_next_member(
	const struct btviz_array *array, const struct btviz_member *m)
{
	const struct btviz_member *next = NULL;

	for (size_t i = 0; i < array->member_count; i++) {
		const struct btviz_member *x = array->members[i];

		if ((!m || x->device > m->device) && (!next || x->device < next->device))
			next = x;
	}
	return next;
}

static void append(char *out, size_t size, const char *text)
{
	const size_t n = strlen(out);

	if (n < size)
		snprintf(out + n, size - n, "%s", text);
}

/* "md0 (raid0: sdb sdc sdd sde)", or the devices' names. */
static void devices(const struct btviz_figures *f, char *out, size_t size)
{
	for (size_t t = 0; t < f->top_count; t++) {
		const struct btviz_device *d = f->devices[f->top[t]];

		append(out, size, t ? ", " : "");
		if (t == 6) {
			char more[48];

			snprintf(more, sizeof more, "%zu more", f->top_count - t);
			append(out, size, more);
			return;
		}
		append(out, size, d->name);
		for (size_t a = 0; a < f->array_count; a++) {
			const struct btviz_array *array = f->arrays[a];

			if (array->device != d->device)
				continue;
			append(out, size, " (");
			append(out, size, array->level ? array->level : "on");
			append(out, size, array->level ? ": " : " ");
			const struct btviz_member *m = NULL;

			for (int k = 0; k < 8; k++) {
				m = btvi_page_next_member(array, m);
				if (!m)
					break;
				append(out, size, k ? " " : "");
				append(out, size, m->name);
			}
			append(out, size, array->member_count > 8 ? " …)" : ")");
		}
	}
}

/* Decimal, as dd prints: "98.8 MB". */
static void amount(char *out, size_t size, uint64_t bytes, const char *what)
{
	static const struct {
		const char *unit;
		double size;
	} units[] = { { "TB", 1e12 }, { "GB", 1e9 }, { "MB", 1e6 }, { "kB", 1e3 }, { "bytes", 1 } };
	char number[BTVI_QUANTITY_SIZE], text[96];
	size_t u = 0;

	if (bytes == 0)
		return;
	while (u < 4 && (double)bytes < units[u].size)
		u++;
	const double x = (double)bytes / units[u].size;

	btvi_quantity_fixed(x, u == 4 ? 0 : x < 10 ? 2 : 1, number);
	snprintf(text, sizeof text, " · %s %s %s", number, units[u].unit, what);
	append(out, size, text);
}

void btvi_header_facts(const struct btvi_run *run, char *out, size_t size)
{
	const struct btviz_figures *f = run->figures;
	uint64_t read = 0, written = 0, discarded = 0;
	bool issue = false, queue = false;
	char number[BTVI_QUANTITY_SIZE], text[128];

	out[0] = '\0';
	devices(f, out, size);
	append(out, size, " · ");
	append(out, size,
		f->span_s > 0 ? btvi_quantity_duration(f->span_s, number) : "a single moment");
	for (size_t t = 0; t < f->top_count; t++) {
		const struct btviz_device *d = f->devices[f->top[t]];

		read += d->moved[BTVIZ_DIR_READ].bytes;
		written += d->moved[BTVIZ_DIR_WRITE].bytes;
		discarded += d->actions[BTVIZ_OP_DISCARD]
				       [d->basis == BTVIZ_BASIS_COMPLETE ? BTVIZ_COMPLETED
									 : BTVIZ_QUEUED]
					       .bytes;
		issue = issue || d->basis == BTVIZ_BASIS_ISSUE;
		queue = queue || d->basis == BTVIZ_BASIS_QUEUE;
	}
	amount(out, size, read, "read");
	amount(out, size, written, "written");
	amount(out, size, discarded, "discarded");
	/* What is counted is said where it is not what is completed. */
	if (queue)
		append(out, size, " (as queued)");
	else if (issue)
		append(out, size, " (as issued)");
	snprintf(text, sizeof text, " · %s event%s, ",
		btvi_quantity_count(f->health->events, number), f->health->events == 1 ? "" : "s");
	append(out, size, text);
	if (f->health->lost_events > 0)
		snprintf(text, sizeof text, "%s lost",
			btvi_quantity_count(f->health->lost_events, number));
	else if (f->suspected_loss > 0)
		snprintf(text, sizeof text, "loss suspected");
	else
		snprintf(text, sizeof text, "none lost");
	append(out, size, text);
	if (f->has_wall) {
		const time_t seconds = (time_t)f->wall_sec;
		struct tm tm;

		if (gmtime_r(&seconds, &tm)) {
			strftime(text, sizeof text, " · %Y-%m-%d %H:%M:%S UTC", &tm);
			append(out, size, text);
		}
	}
	if (f->kernel && f->kernel[0]) {
		snprintf(text, sizeof text, " · Linux %.60s", f->kernel);
		append(out, size, text);
	}
}

/* Text in lines of width; the last is shortened. Returns how many lines it took. */
static unsigned lines(struct btvi_page *p, const char *text, double x, double y, double width,
	double size, double line, uint32_t color, unsigned most, bool draw)
{
	unsigned count = 0;

	while (*text && count < most) {
		const char *next;
		const unsigned n = btvi_font_break(p->scene->font, text, size, false, width, &next);
		char part[512];

		snprintf(part, sizeof part, "%.*s", (int)(n < 511 ? n : 511), text);
		if (count + 1 == most)
			snprintf(part, sizeof part, "%.500s", text);
		if (draw)
			btvi_scene_text_fit(p->scene, x, y + (double)count * line, width,
				BTVI_START, size, false, color, part);
		count++;
		text = next;
	}
	return count;
}

double btvi_header(struct btvi_page *p, size_t index, double x, double y, double width, bool draw)
{
	const struct btvi_run *run = &p->runs[index];
	const double at = p->overlay ? x + 18 : x;
	double height = 20;
	char text[1024];

	if (draw) {
		if (p->overlay)
			btvi_scene_rect(p->scene, x, y + 5, 11, 11, run->color);
		btvi_scene_text_fit(p->scene, at, y + 16, width - (at - x), BTVI_START,
			p->overlay ? BTVI_TEXT_BODY : BTVI_TEXT_LABEL, true, BTVI_INK, run->label);
	}
	btvi_header_facts(run, text, sizeof text);
	height += 16 *
		lines(p, text, at, y + height + 12, width - (at - x), BTVI_TEXT_SMALL, 15,
			BTVI_INK_SOFT, p->overlay ? 1 : 2, draw);
	for (size_t i = 0; i < FINDINGS_SHOWN && i < btviz_findings_count(run->findings); i++) {
		const struct btviz_finding *f = btviz_findings_get(run->findings, i);
		const double top = height + 2;
		unsigned n;

		/* A second one that only remarks on something does not compete with the first. */
		if (i > 0 && (f->severity == BTVIZ_SEV_NOTE || p->overlay))
			break;
		n = lines(p, f->text, at + 10, y + top + 13, width - (at - x) - 10, BTVI_TEXT_BODY,
			16, BTVI_INK, LINES_MAX - (unsigned)i, draw);
		if (draw)
			btvi_scene_rect(p->scene, at, y + top + 1, 4, 16 * n - 1,
				btvi_palette_severity(f->severity));
		height = top + 16 * n + 2;
	}
	return height + 4;
}
