/* carry.c - the decoder's unread bytes as one sequence, wherever a piece was cut. See carry.h. */
#include "trace/carry.h"

#include <stdlib.h>

size_t btvi_carried(const struct btviz_decoder *d)
{
	return d->carry_end - d->carry_at;
}

bool btvi_is_all(const struct btviz_decoder *d)
{
	return d->ended && !d->nomem;
}

size_t btvi_available(const struct btviz_decoder *d)
{
	return btvi_carried(d) + (size_t)(d->end - d->pos);
}

uint64_t btvi_offset(const struct btviz_decoder *d)
{
	return d->fed - btvi_available(d);
}

void btvi_uncarry(struct btviz_decoder *d)
{
	const size_t n = btvi_carried(d);

	if (n == 0 || (size_t)(d->pos - d->start) < n)
		return;
	d->pos -= n;
	d->carry_at = d->carry_end = 0;
}

const unsigned char *btvi_want(struct btviz_decoder *d, size_t n)
{
	size_t more;

	btvi_uncarry(d);
	if (btvi_carried(d) == 0) {
		if ((size_t)(d->end - d->pos) >= n)
			return d->pos;
		d->carry_at = d->carry_end = 0;
	}
	if (btvi_carried(d) < n) {
		if (d->carry_at + n > d->carry_capacity && d->carry_at > 0) {
			memmove(d->carry, d->carry + d->carry_at, btvi_carried(d));
			d->carry_end -= d->carry_at;
			d->carry_at = 0;
		}
		if (n > d->carry_capacity) {
			/* n is bounded: the largest record, and a few ordinary ones behind it */
			const size_t capacity = n < 256 ? 256 : 2 * n;
			unsigned char *const grown = realloc(d->carry, capacity);

			if (!grown) {
				d->nomem = true;
				return NULL;
			}
			d->carry = grown;
			d->carry_capacity = capacity;
		}
		more = n - btvi_carried(d);
		if (more > (size_t)(d->end - d->pos))
			more = (size_t)(d->end - d->pos);
		if (more > 0)
			memcpy(d->carry + d->carry_end, d->pos, more);
		d->carry_end += more;
		d->pos += more;
		if (btvi_carried(d) < n)
			return NULL;
	}
	return d->carry + d->carry_at;
}

void btvi_use(struct btviz_decoder *d, size_t n)
{
	if (btvi_carried(d) > 0) {
		const size_t from_carry = n < btvi_carried(d) ? n : btvi_carried(d);

		d->carry_at += from_carry;
		n -= from_carry;
	}
	d->pos += n;
}

int btvi_magic_at(const unsigned char *p, bool *ret_big)
{
	if ((btvi_le32(p) & BTVI_WIRE_MAGIC_MASK) == BTVI_WIRE_MAGIC) {
		*ret_big = false;
		return p[0];
	}
	if ((btvi_be32(p) & BTVI_WIRE_MAGIC_MASK) == BTVI_WIRE_MAGIC) {
		*ret_big = true;
		return p[3];
	}
	return -1;
}

static bool is_record_magic(const unsigned char *p)
{
	bool big;
	const int version = btvi_magic_at(p, &big);

	return version == 7 || version == 8;
}

enum btvi_next btvi_next_at(struct btviz_decoder *d, size_t n)
{
	const unsigned char *const p = btvi_want(d, n + 4);

	if (p)
		return is_record_magic(p + n) ? BTVI_NEXT_RECORD : BTVI_NEXT_OTHER;
	if (!btvi_is_all(d))
		return BTVI_NEXT_UNKNOWN;
	if (btvi_available(d) == n)
		return BTVI_NEXT_END;
	return btvi_available(d) < n ? BTVI_NEXT_BEYOND : BTVI_NEXT_OTHER;
}

bool btvi_begins_well(enum btvi_next next)
{
	return next == BTVI_NEXT_RECORD || next == BTVI_NEXT_END;
}
