/* owners.c - which process has which colour. Draws nothing. */
#include "draw/owners.h"

#include <stdio.h>
#include <string.h>

static bool is_merged(const struct btviz_plot_options *o, const char *comm)
{
	for (size_t i = 0; i < o->merge_count; i++)
		if (strcmp(o->merge_names[i], "*") == 0 || strcmp(o->merge_names[i], comm) == 0)
			return comm[0] != '\0';
	return false;
}

size_t btvi_owner_of(const struct btvi_page *p, const struct btvi_owners *o,
	const struct btvi_run *run, uint32_t pid)
{
	const struct btviz_figures *f = run->figures;

	for (size_t i = 0; i < f->process_count; i++) {
		const char *comm = f->processes[i]->comm;

		if (f->processes[i]->pid != pid)
			continue;
		for (size_t k = 0; k < o->count; k++)
			if (is_merged(p->options, comm)
					? o->pids[k] == 0 && strcmp(o->names[k], comm) == 0
					: o->pids[k] == pid)
				return k;
		break;
	}
	return BTVI_PROCESS_COLORS;
}

void btvi_owners_find(const struct btvi_page *p, struct btvi_owners *o)
{
	*o = (struct btvi_owners){ 0 };
	for (size_t run = 0; run < p->run_count; run++) {
		const struct btviz_figures *f = p->runs[run].figures;

		for (size_t i = 0; i < f->process_count; i++) {
			const struct btviz_process *x = f->processes[i];
			size_t k = btvi_owner_of(p, o, &p->runs[run], x->pid);

			if (k < o->count || x->pid == 0)
				continue;
			if (o->count == BTVI_PROCESS_COLORS) {
				o->others = true;
				break;
			}
			k = o->count++;
			if (is_merged(p->options, x->comm)) {
				snprintf(o->names[k], sizeof o->names[k], "%s", x->comm);
			} else {
				o->pids[k] = x->pid;
				snprintf(o->names[k], sizeof o->names[k], "%.40s%s%u", x->comm,
					x->comm[0] ? " " : "pid ", x->pid);
			}
		}
	}
}
