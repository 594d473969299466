/* measure/fields.h - the tables of all that is added up: what is in each struct, how two parts of a
 * run merge it, what of it a saved summary keeps. A counter is a row there; HACKING.md says what
 * else it takes to show it. */
#ifndef BTVI_MEASURE_FIELDS_H
#define BTVI_MEASURE_FIELDS_H

#include "base/field.h"

/* Groups of a device's members: what there is without any I/O event, too; and what throughput and
 * places are counted from, which may change to a better action: what the lesser one counted is then
 * forgotten. */
enum btvi_device_group { BTVI_GROUP_EVENTS, BTVI_GROUP_NOTES, BTVI_GROUP_BASIS, BTVI_GROUP_PLACE };

extern const struct btvi_field btvi_device_fields[], btvi_actor_fields[], btvi_source_fields[],
	btvi_gaps_fields[], btvi_pause_list_fields[], btvi_pause_fields[];

extern const struct btvi_field btvi_summary_fields[], btvi_summary_options_fields[],
	btvi_name_fields[], btvi_message_fields[], btvi_array_facts_fields[];

#endif
