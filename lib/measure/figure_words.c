/* figure_words.c - the names of what figures are enumerated by, as they stand in reports. */
#include <btviz/summary.h>

#include "base/words.h"

const char *btviz_station_name(enum btviz_station station)
{
	static const char *const names[BTVIZ_STATION_COUNT] = {
		[BTVIZ_QUEUED] = "queued",
		[BTVIZ_MERGED] = "merged",
		[BTVIZ_ISSUED] = "issued",
		[BTVIZ_REQUEUED] = "requeued",
		[BTVIZ_COMPLETED] = "completed",
	};

	return BTVI_WORD(names, station);
}

const char *btviz_interval_name(enum btviz_interval interval)
{
	static const char *const names[BTVIZ_INTERVAL_COUNT] = {
		[BTVIZ_Q2Q] = "q2q",
		[BTVIZ_Q2G] = "q2g",
		[BTVIZ_G2I] = "g2i",
		[BTVIZ_Q2M] = "q2m",
		[BTVIZ_I2D] = "i2d",
		[BTVIZ_M2D] = "m2d",
		[BTVIZ_D2C] = "d2c",
		[BTVIZ_Q2C] = "q2c",
		[BTVIZ_Q2D] = "q2d",
	};

	return BTVI_WORD(names, interval);
}

const char *btviz_direction_name(enum btviz_direction direction)
{
	static const char *const names[BTVIZ_DIR_COUNT] = {
		[BTVIZ_DIR_READ] = "read",
		[BTVIZ_DIR_WRITE] = "write",
		[BTVIZ_DIR_OTHER] = "other",
		[BTVIZ_DIR_ALL] = "all",
	};

	return BTVI_WORD(names, direction);
}

const char *btviz_gap_kind_name(enum btviz_gap_kind kind)
{
	static const char *const names[BTVIZ_GAP_KIND_COUNT] = {
		[BTVIZ_GAP_SUBMIT] = "submit",
		[BTVIZ_GAP_QUEUE] = "queue",
		[BTVIZ_GAP_DEVICE] = "device",
		[BTVIZ_GAP_SLOW] = "slow",
	};

	return BTVI_WORD(names, kind);
}

const char *btviz_basis_name(enum btviz_basis basis)
{
	static const char *const names[] = {
		[BTVIZ_BASIS_NONE] = "",
		[BTVIZ_BASIS_QUEUE] = "queue",
		[BTVIZ_BASIS_ISSUE] = "issue",
		[BTVIZ_BASIS_COMPLETE] = "complete",
	};

	return BTVI_WORD(names, basis);
}

const char *btviz_role_name(enum btviz_role role)
{
	static const char *const names[] = {
		[BTVIZ_ROLE_DISK] = "disk",
		[BTVIZ_ROLE_PARTITION] = "partition",
		[BTVIZ_ROLE_MEMBER] = "member",
		[BTVIZ_ROLE_ARRAY] = "array",
	};

	return BTVI_WORD(names, role);
}
