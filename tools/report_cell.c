/* report_cell.c - figures for tables. Knows units, not what they measure. The program never sets a
 * locale, so printf's decimal sign is a point. */
#include "report_cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct cell cell_na(void)
{
	return (struct cell){ "n/a" };
}

static struct cell fixed(double x, int decimals)
{
	struct cell c;

	if (!isfinite(x))
		return cell_na();
	snprintf(c.text, sizeof c.text, "%.*f", decimals, fabs(x) < 1e15 ? x : copysign(1e15, x));
	return c;
}

struct cell cell_count(uint64_t n, bool known)
{
	struct cell c;

	if (!known)
		return cell_na();
	if (n < 10000000)
		snprintf(c.text, sizeof c.text, "%" PRIu64, n);
	else if (n < 10000000000)
		snprintf(c.text, sizeof c.text, "%.1fM", (double)n / 1e6);
	else
		snprintf(c.text, sizeof c.text, "%.1fG", (double)n / 1e9);
	return c;
}

struct cell cell_number(double x)
{
	const double size = fabs(x);

	return fixed(x,
		size < 0.99995           ? 4
			: size < 9.9995  ? 3
			: size < 99.995  ? 2
			: size < 9999.95 ? 1
					 : 0);
}

struct cell cell_short(double x)
{
	return fixed(x, fabs(x) < 999.95 ? 1 : 0);
}

struct cell cell_whole(double x)
{
	return fixed(x, 0);
}

struct cell cell_depth(double x)
{
	const double size = fabs(x);

	return fixed(x, size < 9.995 ? 2 : size < 999.95 ? 1 : 0);
}

struct cell cell_ms(double seconds)
{
	return cell_number(seconds * 1e3);
}

struct cell cell_mb(double bytes)
{
	const double size = fabs(bytes);

	return fixed(bytes / 1e6, size < 99.995e6 ? 2 : size < 999999.95e6 ? 1 : 0);
}

struct cell cell_mib(double bytes, bool known)
{
	return known ? fixed(bytes / 1048576, fabs(bytes) < 9999.95 * 1048576 ? 1 : 0) : cell_na();
}

struct cell cell_kib(double bytes)
{
	return cell_short(bytes / 1024);
}

struct cell cell_percent(double share)
{
	struct cell c = fixed(share * 100, 0);

	if (isfinite(share))
		snprintf(c.text, sizeof c.text, "%.0f%%", share * 100);
	return c;
}

struct cell cell_time(double seconds)
{
	return fixed(seconds, 3);
}
