/* outputs.c - looks at the place where a recording will be written. */
#include "record/outputs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <btviz/event.h>

#include "base/status.h"
#include "base/text.h"
#include "base/control.h"
#include "beside/metadata.h"

enum { MOUNTINFO_BYTES = 4 << 20 };

/* Splits NAME into its directory and what is behind. */
static void split(const char *name, char *dir, const char **ret_base)
{
	const char *slash = strrchr(name, '/');

	*ret_base = slash ? slash + 1 : name;
	if (!slash)
		snprintf(dir, PATH_MAX, ".");
	else
		snprintf(dir, PATH_MAX, "%.*s", slash == name ? 1 : (int)(slash - name), name);
}

/* The device part of "BASE.device.blktrace.N", or false. */
static bool device_part(
	const char *entry, const char *base, const char **ret_part, size_t *ret_size)
{
	static const char mark[] = ".blktrace.";
	const size_t n = strlen(base);
	const char *part = entry + n + 1, *end = NULL;

	if (strncmp(entry, base, n) != 0 || entry[n] != '.')
		return false;
	for (const char *p = part; (p = strstr(p, mark)); p++)
		end = p;
	if (!end || !end[sizeof mark - 1] ||
		strspn(end + sizeof mark - 1, "0123456789") != strlen(end + sizeof mark - 1))
		return false;
	*ret_part = part;
	*ret_size = (size_t)(end - part);
	return true;
}

/* Whether a device's name, with '_' for '/', is the text. */
static bool names(const char *name, const char *text, size_t size)
{
	if (strlen(name) != size)
		return false;
	for (size_t i = 0; i < size; i++)
		if ((name[i] == '/' ? '_' : name[i]) != text[i])
			return false;
	return true;
}

static enum btviz_status exists(const char *name, const char *suffix, struct btviz_error *err)
{
	return btvi_fail(err, BTVIZ_ERR_BUSY,
		"there is a recording already: %s%s (choose another name, or replace it: --force)",
		name, suffix);
}

enum btviz_status btvi_outputs_check(const char *name, bool replace, struct btviz_error *err)
{
	static const char *const suffixes[] = { ".btviz.json", ".samples.csv" };
	enum btviz_status status = BTVIZ_OK;
	char dir_name[PATH_MAX], path[PATH_MAX];
	const char *base;
	struct stat st;
	DIR *dir;

	split(name, dir_name, &base);
	if (access(dir_name, W_OK | X_OK) != 0)
		return btvi_fail_errno(err, errno, "cannot create %s", name);
	for (size_t i = 0; i < 2 && !replace; i++) {
		snprintf(path, sizeof path, "%s%s", name, suffixes[i]);
		if (lstat(path, &st) == 0)
			return exists(name, suffixes[i], err);
	}
	dir = replace ? NULL : opendir(dir_name);
	for (const struct dirent *e; dir && status == BTVIZ_OK && (e = readdir(dir));) {
		const char *part;
		size_t size;

		if (device_part(e->d_name, base, &part, &size))
			status = exists(name, e->d_name + strlen(base), err);
	}
	if (dir)
		closedir(dir);
	return status;
}

void btvi_outputs_clear(
	const char *name, const struct btvi_devices *devices, char *stranger, size_t stranger_size)
{
	char dir_name[PATH_MAX], path[PATH_MAX];
	struct btviz_metadata *old = NULL;
	const char *base;
	DIR *dir;

	stranger[0] = '\0';
	split(name, dir_name, &base);
	snprintf(path, sizeof path, "%s.btviz.json", name);
	if (btvi_metadata_load(path, &old, NULL) != BTVIZ_OK)
		old = NULL;
	dir = opendir(dir_name);
	for (const struct dirent *e; dir && (e = readdir(dir));) {
		const char *part;
		size_t size;
		bool ours = false;

		if (!device_part(e->d_name, base, &part, &size))
			continue;
		for (size_t i = 0; i < devices->count && !ours; i++)
			ours = names(devices->list[i].name, part, size);
		for (size_t i = 0; old && i < btviz_metadata_device_count(old) && !ours; i++)
			ours = names(btviz_metadata_device(old, i)->name, part, size);
		if (ours)
			unlinkat(dirfd(dir), e->d_name, 0);
		else
			btvi_text_printable(e->d_name, strlen(e->d_name), stranger, stranger_size);
	}
	if (dir)
		closedir(dir);
	btviz_metadata_close(old);
}

/* The block device of a file system that has no number of its own (btrfs): from the mount's source.
 */
static bool source_of(unsigned major_number, unsigned minor_number, uint32_t *ret_device)
{
	char *text = btvi_control_text("/proc/self/mountinfo", "", MOUNTINFO_BYTES, NULL);
	char want[32], source[PATH_MAX];
	struct stat st;
	bool found = false;

	snprintf(want, sizeof want, " %u:%u ", major_number, minor_number);
	for (char *line = text; line && *line && !found;) {
		char *end = strchr(line, '\n');
		const char *dash;

		if (end)
			*end = '\0';
		dash = strstr(line, " - ");
		if (strstr(line, want) && dash && sscanf(dash, " - %*s %4095s", source) == 1 &&
			stat(source, &st) == 0 && S_ISBLK(st.st_mode)) {
			*ret_device = BTVIZ_DEVICE(major(st.st_rdev), minor(st.st_rdev));
			found = true;
		}
		line = end ? end + 1 : NULL;
	}
	free(text);
	return found;
}

bool btvi_outputs_are_traced(const char *name, const char *sys, const struct btvi_devices *devices)
{
	char dir[PATH_MAX];
	const char *base;
	struct stat st;
	uint32_t device;

	split(name, dir, &base);
	if (stat(dir, &st) != 0)
		return false;
	device = BTVIZ_DEVICE(major(st.st_dev), minor(st.st_dev));
	if (major(st.st_dev) == 0 && !source_of(major(st.st_dev), minor(st.st_dev), &device))
		return false;
	return btvi_devices_touch(devices, sys, device);
}
