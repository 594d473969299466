/* palette.c - the colours. */
#include "draw/palette.h"

#include <math.h>

uint32_t btvi_rgba_alpha(uint32_t color, double alpha)
{
	return (color & 0xffffff00U) | (uint32_t)lround(255 * fmin(fmax(alpha, 0), 1));
}

uint32_t btvi_palette_gap(enum btviz_gap_kind kind)
{
	switch (kind) {
	case BTVIZ_GAP_SUBMIT:
		return 0xf5d76ea0U;
	case BTVIZ_GAP_QUEUE:
		return 0xcc79a760U;
	case BTVIZ_GAP_DEVICE:
		return 0x8c8c8c58U;
	case BTVIZ_GAP_SLOW:
	case BTVIZ_GAP_KIND_COUNT:
		break;
	}
	return 0x56b4e938U;
}

uint32_t btvi_palette_gap_text(enum btviz_gap_kind kind)
{
	switch (kind) {
	case BTVIZ_GAP_SUBMIT:
		return 0x5f4700ffU;
	case BTVIZ_GAP_QUEUE:
		return 0x702a52ffU;
	case BTVIZ_GAP_DEVICE:
		return 0x333333ffU;
	case BTVIZ_GAP_SLOW:
	case BTVIZ_GAP_KIND_COUNT:
		break;
	}
	return 0x164a69ffU;
}

uint32_t btvi_palette_severity(enum btviz_severity severity)
{
	switch (severity) {
	case BTVIZ_SEV_BAD:
		return BTVI_ALARM;
	case BTVIZ_SEV_WARNING:
		return 0xe69f00ffU;
	case BTVIZ_SEV_NOTE:
		break;
	}
	return 0x8c8c8cffU;
}

uint32_t btvi_palette_nth(size_t i)
{
	static const uint32_t colors[BTVI_PALETTE_COUNT] = {
		0x0072b2ffU,
		0xd55e00ffU,
		0x009e73ffU,
		0xcc79a7ffU,
		0xe69f00ffU,
		0x56b4e9ffU,
		0x4b2e83ffU,
		0x8c6d1fffU,
		0x7fb800ffU,
		0x202020ffU,
	};

	return i < BTVI_PALETTE_COUNT ? colors[i] : 0xa8a8a8ffU;
}

uint32_t btvi_palette_process(size_t i)
{
	static const uint32_t colors[BTVI_PROCESS_COLORS] = {
		0x4b2e83ffU,
		0xe69f00ffU,
		0x56b4e9ffU,
		0xb8336affU,
		0x7fb800ffU,
		0x6b4a12ffU,
		0xf49ac1ffU,
		0x202020ffU,
	};

	return i < BTVI_PROCESS_COLORS ? colors[i] : 0xa8a8a8ffU;
}
