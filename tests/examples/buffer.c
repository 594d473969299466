/* buffer.c - an example: draws a trace into memory, as a web service or a test would. */
#include <stdio.h>
#include <stdlib.h>

#include <btviz/btviz.h>

int main(int argc, char **argv)
{
	struct btviz_plot_options options = BTVIZ_PLOT_OPTIONS_INIT;
	struct btviz_run run = BTVIZ_RUN_INIT;
	struct btviz_error err;
	unsigned char *png = NULL;
	size_t size = 0;

	if (argc != 2)
		return 2;
	run.label = "an example";
	options.width_px = 900;
	if (btviz_summary_read(argv[1], NULL, NULL, &run.summary, &err) < 0 ||
		btviz_plot_write_buffer(&run, 1, &options, BTVIZ_PLOT_PNG, &png, &size, &err) < 0) {
		fprintf(stderr, "%s: %s\n", argv[1], err.message);
		btviz_summary_free(run.summary);
		return 1;
	}
	/* Whatever takes bytes takes these; a PNG begins with its size. */
	printf("%zu bytes of PNG, %u pixels wide\n", size,
		(unsigned)png[18] << 8 | (unsigned)png[19]);
	free(png);
	btviz_summary_free(run.summary);
	return 0;
}
