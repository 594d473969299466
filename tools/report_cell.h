/* report_cell.h - figures for the tables of the text report: short, in the unit of the column's
 * heading, "n/a" where there is none. Returned by value, so that one printf can hold several. */
#ifndef BTVIZ_TOOLS_REPORT_CELL_H
#define BTVIZ_TOOLS_REPORT_CELL_H

#include <stdbool.h>
#include <stdint.h>

struct cell {
	char text[40];
};

struct cell cell_na(void);
struct cell cell_count(uint64_t n, bool known); /* digits, from 10 million on "12.3M" */
struct cell cell_number(double x);              /* about four digits: 0.0123, 1.234, 12.34, 1234 */
struct cell cell_short(double x);               /* one digit behind the point below 1000 */
struct cell cell_whole(double x);
struct cell cell_depth(double x); /* 0.21, 12.5, 1234 */
struct cell cell_ms(double seconds);
struct cell cell_mb(double bytes);              /* MB, 10^6 */
struct cell cell_mib(double bytes, bool known); /* MiB, 2^20 */
struct cell cell_kib(double bytes);
struct cell cell_percent(double share);
struct cell cell_time(double seconds); /* three digits behind the point */

#endif
