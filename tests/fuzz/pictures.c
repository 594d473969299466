/* pictures.c - see pictures.h. PNG is read by libpng, SVG by a few lines that know nesting,
 * attributes and entities; of a page it is enough to count: its markup is always the same. */
#include "pictures.h"

#include <png.h>
#include <string.h>

#include "fuzz.h"

static void check_png(const unsigned char *bytes, size_t size)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	unsigned char *pixels;

	require(png_image_begin_read_from_memory(&image, bytes, size));
	image.format = PNG_FORMAT_RGBA;
	pixels = malloc(PNG_IMAGE_SIZE(image));
	require(pixels);
	require(png_image_finish_read(&image, NULL, pixels, 0, NULL));
	require(image.warning_or_error == 0);
	free(pixels);
}

/* Length of the UTF-8 character at p, 0 if it is none, or none that XML allows. */
static size_t character(const unsigned char *p, const unsigned char *end)
{
	static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const size_t n = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
	unsigned c = n == 1 ? *p : *p & (0x7fU >> n);

	if (n > (size_t)(end - p) || (*p >= 0x80 && *p < 0xc0) || *p >= 0xf8)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || c == 0xfffe ||
		c == 0xffff)
		return 0;
	return c >= 0x20 || c == '\n' || c == '\t' ? n : 0;
}

static void check_entity(const unsigned char *p, const unsigned char *end)
{
	static const char *const known[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&apos;" };
	bool found = false;

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		found = found ||
			((size_t)(end - p) >= strlen(known[i]) &&
				memcmp(p, known[i], strlen(known[i])) == 0);
	require(found);
}

/* A tag from its "<"; returns what follows its ">". Opening tags push their names, closing ones pop
 * them. */
static const unsigned char *take_tag(
	const unsigned char *p, const unsigned char *end, const unsigned char **open, size_t *depth)
{
	const unsigned char *const name = p[1] == '/' ? p + 2 : p + 1;
	const size_t length = strcspn((const char *)name, " \n/>");
	bool quoted = false;

	require(length > 0);
	for (p = name + length; p < end && (quoted || *p != '>'); p++) {
		require(*p != '<');
		quoted ^= *p == '"';
	}
	require(p < end);
	if (name[-1] == '/') {
		require(*depth > 0);
		(*depth)--;
		require(memcmp(open[*depth], name, length) == 0 &&
			strchr(" \n>", open[*depth][length]));
	} else if (name[0] != '?' && p[-1] != '/') {
		require(*depth < 32);
		open[(*depth)++] = name;
	}
	return p + 1;
}

static void check_svg(const unsigned char *bytes, size_t size)
{
	const unsigned char *open[32];
	const unsigned char *p, *const end = bytes + size;
	size_t depth = 0, roots = 0;

	for (p = bytes; p < end;) {
		const size_t n = character(p, end);

		require(n > 0);
		p += n;
	}
	for (p = bytes; p < end;) {
		require(depth > 0 || *p == '<' || *p == '\n');
		if (*p == '&')
			check_entity(p, end);
		if (*p != '<') {
			p++;
			continue;
		}
		roots += depth == 0 && p[1] != '?';
		p = take_tag(p, end, open, &depth);
	}
	require(depth == 0 && roots == 1);
}

static void check_html(const unsigned char *bytes, size_t size)
{
	static size_t of_the_first;
	size_t count = 0;

	for (size_t i = 0; i < size; i++) {
		count += bytes[i] == '<';
		require(bytes[i] >= 0x20 || bytes[i] == '\n' || bytes[i] == '\t');
	}
	if (of_the_first == 0)
		of_the_first = count;
	require(count > 0 && count == of_the_first);
}

void pictures_check(enum btviz_plot_kind kind, const unsigned char *bytes, size_t size)
{
	switch (kind) {
	case BTVIZ_PLOT_PNG:
		check_png(bytes, size);
		break;
	case BTVIZ_PLOT_SVG:
		check_svg(bytes, size);
		break;
	case BTVIZ_PLOT_PDF:
		require(size > 16 && memcmp(bytes, "%PDF-", 5) == 0);
		require(memcmp(bytes + size - 6, "%%EOF\n", 6) == 0);
		break;
	case BTVIZ_PLOT_HTML:
		check_html(bytes, size);
		break;
	}
}
