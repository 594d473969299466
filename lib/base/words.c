/* words.c - the names of operations and actions, as they stand in reports. */
#include "base/words.h"

#include <btviz/event.h>

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

	return BTVI_WORD(names, op);
}

const char *btviz_action_letter(unsigned event)
{
	static const char *const letters[] = { "?", "Q", "M", "F", "G", "S", "R", "D", "C", "P",
		"U", "UT", "I", "X", "B", "A", "abort", "m", "ZP", "ZU" };

	return BTVI_WORD(letters, event);
}
