/* source.c - the lanes and inputs of a run, as a structure. Finding them is find.c's business. */
#include "trace/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/status.h"
#include "trace/names.h"

enum {
	DEVICE_NAME_SIZE = 256,
};

struct btvi_sources *btvi_sources_new(void)
{
	struct btvi_sources *const s = calloc(1, sizeof *s);

	if (s)
		s->spool_fd = -1;
	return s;
}

void btvi_sources_free(struct btvi_sources *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->lane_count; i++) {
		struct btvi_lane *const lane = &s->lanes[i];

		for (size_t j = 0; j < lane->input_count; j++) {
			if (lane->inputs[j].kind == BTVI_INPUT_PIPE &&
				lane->inputs[j].fd > STDERR_FILENO)
				close(lane->inputs[j].fd);
			free(lane->inputs[j].path);
		}
		free(lane->inputs);
		free(lane->base);
		free(lane->device);
	}
	free(s->lanes);
	if (s->spool_fd >= 0)
		close(s->spool_fd);
	free(s);
}

struct btvi_lane *btvi_sources_lane(
	struct btvi_sources *s, const char *base, size_t base_size, const char *run)
{
	char device[DEVICE_NAME_SIZE];
	struct btvi_lane *lane;

	for (size_t i = s->lane_count; i-- > 0;) {
		lane = &s->lanes[i];
		if (strncmp(lane->base, base, base_size) == 0 && lane->base[base_size] == '\0')
			return lane;
	}
	if (s->lane_count == s->lane_capacity) {
		const size_t capacity = s->lane_capacity ? s->lane_capacity * 2 : 8;
		struct btvi_lane *const grown = realloc(s->lanes, capacity * sizeof *grown);

		if (!grown)
			return NULL;
		s->lanes = grown;
		s->lane_capacity = capacity;
	}
	lane = &s->lanes[s->lane_count];
	memset(lane, 0, sizeof *lane);
	lane->base = strndup(base, base_size);
	if (!lane->base)
		return NULL;
	btvi_name_device(lane->base, run, device, sizeof device);
	lane->device = strdup(device);
	if (!lane->device) {
		free(lane->base);
		return NULL;
	}
	s->lane_count++;
	return lane;
}

bool btvi_sources_add(
	struct btvi_sources *s, struct btvi_lane *lane, const struct btvi_input *input)
{
	/* room is made in powers of two: then, and only then, the array is full */
	if ((lane->input_count & (lane->input_count - 1)) == 0) {
		const size_t capacity = lane->input_count ? lane->input_count * 2 : 1;
		struct btvi_input *const grown = realloc(lane->inputs, capacity * sizeof *grown);

		if (!grown)
			return false;
		lane->inputs = grown;
	}
	lane->inputs[lane->input_count] = *input;
	lane->inputs[lane->input_count].path = strdup(input->path);
	if (!lane->inputs[lane->input_count].path)
		return false;
	lane->input_count++;
	s->input_count++;
	return true;
}

enum btviz_status btvi_sources_callback(const char *name,
	ptrdiff_t (*read)(void *data, void *buffer, size_t size), void *data,
	struct btvi_sources **ret_sources, struct btviz_error *err)
{
	struct btvi_sources *const s = btvi_sources_new();
	struct btvi_input input = { .kind = BTVI_INPUT_CALLBACK,
		.path = (char *)name,
		.fd = -1,
		.read = read,
		.read_data = data };
	struct btvi_lane *const lane = s ? btvi_sources_lane(s, name, strlen(name), NULL) : NULL;

	if (!lane || !btvi_sources_add(s, lane, &input)) {
		btvi_sources_free(s);
		return btvi_fail_nomem(err);
	}
	*ret_sources = s;
	return BTVIZ_OK;
}

uint64_t btvi_sources_lane_bytes(const struct btvi_sources *s, size_t lane)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < s->lanes[lane].input_count; i++)
		bytes += s->lanes[lane].inputs[i].size;
	return bytes;
}
