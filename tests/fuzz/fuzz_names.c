/* fuzz_names.c - names and the values of options: text that a user or a file system brings. The
 * first byte chooses an option's value to be parsed, the rest is its text. */
#include <math.h>
#include <string.h>

#include <btviz/plot.h>
#include <btviz/trace.h>

#include "../../tools/options.h"
#include "../../tools/say.h"
#include "base/text.h"
#include "fuzz.h"
#include "trace/names.h"

/* What the program would print. */
void say(const char *format, ...)
{
	(void)format;
}

int say_usage(const char *command, const char *format, ...)
{
	(void)command;
	(void)format;
	return 2;
}

static void parse_value(uint8_t which, const char *text)
{
	static const char *const words[] = { "text", "json", "csv", NULL };
	static const struct option_spec specs[] = {
		{ "value", 'v', "VALUE", "any", .words = words }, OPTION_TABLE_END
	};
	char *const argv[] = { (char *)"btviz", (char *)"-v", (char *)text, NULL };
	struct option_parser p;
	double w, h;
	uint64_t a, b;
	int i;

	options_init(&p, NULL, specs, 3, (char **)argv);
	require(options_next(&p) == 'v' && strcmp(p.value, text) == 0);
	switch (which % 6) {
	case 0:
		(void)value_duration(&p, &a);
		break;
	case 1:
		require(!value_time_range(&p, &a, &b) || b == 0 || a < b);
		break;
	case 2:
		require(!value_byte_range(&p, &a, &b) || b == 0 || a < b);
		break;
	case 3:
		if (value_size(&p, 100, 20000, &w, &h))
			require(w >= 100 && w <= 20000 && h >= 100 && h <= 20000);
		break;
	case 4:
		if (value_count(&p, 3, 300, &a))
			require(a >= 3 && a <= 300);
		break;
	default:
		if (value_word(&p, &i))
			require(i >= 0 && i < 3);
	}
	options_done(&p);
}

static void parse_names(const char *text)
{
	struct btvi_cpu_name name;
	char out[64];

	if (btvi_cpu_name_parse(text, &name))
		require(name.base_size > 0 && name.base_size < strlen(text) && name.cpu >= 0);
	require(btvi_name_without_blktrace(text) <= strlen(text));
	btvi_name_device(text, NULL, out, sizeof out);
	require(strlen(out) < sizeof out);
	btvi_name_device(text, "run", out, 5);
	require(strlen(out) < 5);
}

static void print(const char *text, size_t size)
{
	char out[48];

	for (size_t room = 1; room <= sizeof out; room++) {
		const size_t n = btvi_text_printable(text, size, out, room);

		require(n < room && strlen(out) == n);
		for (size_t i = 0; i < n; i++)
			require((unsigned char)out[i] >= 0x20 && out[i] != 0x7f);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[512];
	struct btviz_trace *t;
	size_t n;

	if (size < 1)
		return 0;
	n = size - 1 < sizeof text - 1 ? size - 1 : sizeof text - 1;
	memcpy(text, data + 1, n);
	text[n] = '\0';
	parse_value(data[0], text);
	parse_names(text);
	print(text, n);
	/* As the name of a trace: it stands for nothing in a directory that does not exist. */
	if (text[0] != '-' && text[0] != '/' && !strstr(text, "..") && !strchr(text, ',')) {
		const struct btviz_trace_options o = { sizeof o, "/nonexistent", 0 };
		struct btviz_error err = { .status = BTVIZ_OK };

		require(btviz_trace_open(text, &o, &t, &err) < 0 && err.message[0] != '\0');
	}
	return 0;
}
