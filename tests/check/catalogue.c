/* catalogue.c - prints the library's list of figures for catalogue.py, a line a figure. */
#include <stdio.h>

#include <btviz/btviz.h>

int main(void)
{
	static const char *const subjects[] = {
		[BTVIZ_SUBJECT_HEALTH] = "health",
		[BTVIZ_SUBJECT_DEVICE] = "device",
		[BTVIZ_SUBJECT_ARRAY] = "array",
		[BTVIZ_SUBJECT_MEMBER] = "member",
		[BTVIZ_SUBJECT_PROCESS] = "process",
		[BTVIZ_SUBJECT_CGROUP] = "cgroup",
	};
	static const char *const types[] = {
		[BTVIZ_FIGURE_OTHER] = "other",
		[BTVIZ_FIGURE_INTEGER] = "integer",
		[BTVIZ_FIGURE_IDENTITY] = "identity",
		[BTVIZ_FIGURE_PID] = "pid",
		[BTVIZ_FIGURE_DEVICE] = "device",
		[BTVIZ_FIGURE_REAL] = "real",
		[BTVIZ_FIGURE_FLAG] = "flag",
		[BTVIZ_FIGURE_TEXT] = "text",
		[BTVIZ_FIGURE_COUNT] = "count",
		[BTVIZ_FIGURE_DISTRIBUTION] = "distribution",
	};

	for (unsigned s = 0; s < sizeof subjects / sizeof *subjects; s++)
		for (const struct btviz_figure *f = NULL;
			(f = btviz_figure_next((enum btviz_subject)s, f));)
			printf("%s\t%s\t%s\t%s\t%u\t%s\t%s\n", subjects[s], f->name, types[f->type],
				f->unit, f->directions, f->measure ? f->measure : "", f->since);
	return 0;
}
