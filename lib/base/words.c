/* words.c - the names of what is enumerated, as they stand in reports. */
#include <btviz/event.h>
#include <btviz/finding.h>
#include <btviz/summary.h>

/* The name of a value, or "?" for one that is not known. */
#define WORD(names, value) \
	((size_t)(value) < sizeof(names) / sizeof *(names) ? (names)[(size_t)(value)] : "?")

const char *btviz_op_name(enum btviz_op op)
{
	static const char *const names[BTVIZ_OP_COUNT] = {
		[BTVIZ_OP_READ] = "read",
		[BTVIZ_OP_WRITE] = "write",
		[BTVIZ_OP_DISCARD] = "discard",
		[BTVIZ_OP_ZEROES] = "zeroes",
		[BTVIZ_OP_FLUSH] = "flush",
		[BTVIZ_OP_ZONE] = "zone",
		[BTVIZ_OP_PC] = "passthrough",
	};

	return WORD(names, op);
}

const char *btviz_action_letter(unsigned event)
{
	static const char *const letters[] = { "?", "Q", "M", "F", "G", "S", "R", "D", "C", "P",
		"U", "UT", "I", "X", "B", "A", "abort", "m", "ZP", "ZU" };

	return WORD(letters, event);
}

const char *btviz_station_name(enum btviz_station station)
{
	static const char *const names[BTVIZ_STATION_COUNT] = {
		[BTVIZ_QUEUED] = "queued",
		[BTVIZ_MERGED] = "merged",
		[BTVIZ_ISSUED] = "issued",
		[BTVIZ_REQUEUED] = "requeued",
		[BTVIZ_COMPLETED] = "completed",
	};

	return WORD(names, station);
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

	return WORD(names, interval);
}

const char *btviz_direction_name(enum btviz_direction direction)
{
	static const char *const names[BTVIZ_DIR_COUNT] = {
		[BTVIZ_DIR_READ] = "read",
		[BTVIZ_DIR_WRITE] = "write",
		[BTVIZ_DIR_OTHER] = "other",
		[BTVIZ_DIR_ALL] = "all",
	};

	return WORD(names, direction);
}

const char *btviz_gap_kind_name(enum btviz_gap_kind kind)
{
	static const char *const names[BTVIZ_GAP_KIND_COUNT] = {
		[BTVIZ_GAP_SUBMIT] = "submit",
		[BTVIZ_GAP_QUEUE] = "queue",
		[BTVIZ_GAP_DEVICE] = "device",
		[BTVIZ_GAP_SLOW] = "slow",
	};

	return WORD(names, kind);
}

const char *btviz_basis_name(enum btviz_basis basis)
{
	static const char *const names[] = {
		[BTVIZ_BASIS_NONE] = "",
		[BTVIZ_BASIS_QUEUE] = "queue",
		[BTVIZ_BASIS_ISSUE] = "issue",
		[BTVIZ_BASIS_COMPLETE] = "complete",
	};

	return WORD(names, basis);
}

const char *btviz_role_name(enum btviz_role role)
{
	static const char *const names[] = {
		[BTVIZ_ROLE_DISK] = "disk",
		[BTVIZ_ROLE_PARTITION] = "partition",
		[BTVIZ_ROLE_MEMBER] = "member",
		[BTVIZ_ROLE_ARRAY] = "array",
	};

	return WORD(names, role);
}

const char *btviz_severity_name(enum btviz_severity severity)
{
	static const char *const names[] = {
		[BTVIZ_SEV_NOTE] = "note",
		[BTVIZ_SEV_WARNING] = "warning",
		[BTVIZ_SEV_BAD] = "bad",
	};

	return WORD(names, severity);
}
