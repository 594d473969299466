/* catalogue.c - the list of all figures. Those of devices and of health are rows of the tables that
 * they are added up by; the others, which are made when figures are asked for, are listed here. */
#include <btviz/catalogue.h>
#include <btviz/summary.h>

#include "measure/fields.h"
#include "trace/health.h"

/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses): members and types are no expressions. */
#define IN(type, member, in_json, in_csv, way, in, what) \
	{ in_json, in_csv, way, in, BTVIZ_FIGURE_##what, offsetof(type, member), 0, "0.1" }
#define OTHER(in_json)	   { .name = in_json, .unit = "", .since = "0.1" }
#define END		   { .name = NULL }
#define ARRAY(member, ...) IN(struct btviz_array, member, __VA_ARGS__)
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct btviz_figure array_figures[] = {
	ARRAY(name, "name", NULL, NULL, "", TEXT),
	OTHER("members"),
	ARRAY(effective_members, "effective_members", "array.effective_members", NULL, "", REAL),
	ARRAY(skew, "skew", "array.skew", NULL, "", REAL),
	ARRAY(level, "level", NULL, NULL, "", TEXT),
	ARRAY(layout, "layout", NULL, NULL, "", TEXT),
	ARRAY(chunk_bytes, "chunk_bytes", NULL, NULL, "bytes", IDENTITY),
	ARRAY(inferred, "inferred", NULL, NULL, "", FLAG),
	ARRAY(read_amplification, "read_amplification", "array.amplification", "read", "", REAL),
	ARRAY(write_amplification, "write_amplification", "array.amplification", "write", "", REAL),
	ARRAY(rmw_read_bytes, "rmw_read_bytes", "array.rmw_read", NULL, "bytes", INTEGER),
	ARRAY(own_bytes, "own_bytes", "array.own", NULL, "bytes", INTEGER),
	ARRAY(rmw_messages, "rmw_messages", NULL, NULL, "", INTEGER),
	ARRAY(rcw_messages, "rcw_messages", NULL, NULL, "", INTEGER),
	ARRAY(above_s, "above_s", "array.above", NULL, "s", REAL),
	ARRAY(in_members_s, "in_members_s", "array.in_members", NULL, "s", REAL),
	ARRAY(slowest_member, "slowest_member", NULL, NULL, "", DEVICE),
	ARRAY(slowest_ratio, "slowest_ratio", NULL, NULL, "", REAL),
	END
};

#define MEMBER(member, ...) IN(struct btviz_member, member, __VA_ARGS__)

static const struct btviz_figure member_figures[] = {
	MEMBER(name, "name", NULL, NULL, "", TEXT),
	MEMBER(traced, "traced", NULL, NULL, "", FLAG),
	MEMBER(bytes_share, "bytes_share", "member.bytes_share", NULL, "", REAL),
	MEMBER(read, "read", NULL, "read", "", COUNT),
	MEMBER(write, "write", NULL, "write", "", COUNT),
	MEMBER(remapped, "remapped", NULL, NULL, "", COUNT),
	MEMBER(own, "own", NULL, NULL, "", COUNT),
	MEMBER(latency_avg_s, "latency_avg_s", NULL, NULL, "s", REAL),
	MEMBER(utilisation, "utilisation", NULL, NULL, "", REAL),
	MEMBER(seeks_per_s, "seeks_per_s", NULL, NULL, "1/s", REAL),
	END
};

#define PROCESS(member, ...) IN(struct btviz_process, member, __VA_ARGS__)

static const struct btviz_figure process_figures[] = {
	PROCESS(pid, "pid", NULL, NULL, "", PID),
	PROCESS(comm, "comm", NULL, NULL, "", TEXT),
	PROCESS(read, "read", "process", "read", "", COUNT),
	PROCESS(write, "write", "process", "write", "", COUNT),
	PROCESS(other, "other", "process", "other", "", COUNT),
	PROCESS(latency, "latency", "process.latency", NULL, "s", DISTRIBUTION),
	PROCESS(seeks, "seeks", "process.seeks", NULL, "", INTEGER),
	PROCESS(cgroup_id, "cgroup_id", NULL, NULL, "", IDENTITY),
	END
};

#define CGROUP(member, ...) IN(struct btviz_cgroup, member, __VA_ARGS__)

static const struct btviz_figure cgroup_figures[] = {
	CGROUP(id, "id", NULL, NULL, "", INTEGER),
	CGROUP(read, "read", NULL, "read", "", COUNT),
	CGROUP(write, "write", NULL, "write", "", COUNT),
	CGROUP(other, "other", NULL, "other", "", COUNT),
	CGROUP(latency, "latency", NULL, NULL, "s", DISTRIBUTION),
	END
};
/* clang-format on */

static const struct btviz_figure *next_of(
	const struct btviz_figure *first, const struct btviz_figure *previous)
{
	const struct btviz_figure *const next = previous ? previous + 1 : first;

	return next->name ? next : NULL;
}

const struct btviz_figure *btviz_figure_next(
	enum btviz_subject subject, const struct btviz_figure *previous)
{
	switch (subject) {
	case BTVIZ_SUBJECT_HEALTH:
		return btvi_fields_next(btvi_health_fields, previous);
	case BTVIZ_SUBJECT_DEVICE:
		return btvi_fields_next(btvi_device_fields, previous);
	case BTVIZ_SUBJECT_ARRAY:
		return next_of(array_figures, previous);
	case BTVIZ_SUBJECT_MEMBER:
		return next_of(member_figures, previous);
	case BTVIZ_SUBJECT_PROCESS:
		return next_of(process_figures, previous);
	case BTVIZ_SUBJECT_CGROUP:
		return next_of(cgroup_figures, previous);
	}
	return NULL;
}
