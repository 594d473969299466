/* trace/health.h - what was met in reading, added up. */
#ifndef BTVI_TRACE_HEALTH_H
#define BTVI_TRACE_HEALTH_H

#include <btviz/trace.h>

#include "base/field.h"

/* All counts of a struct btviz_health but left_out_events, which is the summary's. */
extern const struct btvi_field btvi_health_fields[];

/* Adds what b met to a: other streams, or other parts of the same ones. */
void btvi_health_add(struct btviz_health *a, const struct btviz_health *b);

#endif
