/* figures_people.c - processes, cgroups and messages of a run. */
#include <math.h>
#include <stdlib.h>

#include "measure/figures.h"

static uint64_t bytes_of(const struct btvi_actor *a)
{
	return a->count[0].bytes + a->count[1].bytes + a->count[2].bytes;
}

static int compare_actors(const void *pa, const void *pb)
{
	const struct btvi_actor *a = pa, *b = pb;
	const uint64_t x = bytes_of(a), y = bytes_of(b);

	if (x != y)
		return x > y ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

/* Adds up the actors of the top devices: what passes through an array must not count twice. */
static bool collect(const struct btvi_figures *f, struct btvi_actors *all, bool cgroups)
{
	for (size_t i = 0; i < f->pub.top_count; i++) {
		const struct btvi_device *d = f->sources[f->pub.top[i]];

		if (d->processes.coarse > all->coarse) /* the cgroups' are the same */
			all->coarse = d->processes.coarse;
	}
	for (size_t i = 0; i < f->pub.top_count; i++) {
		const struct btvi_device *d = f->sources[f->pub.top[i]];

		if (btvi_actors_merge(all, cgroups ? &d->cgroups : &d->processes,
			    BTVI_ACTOR_ELSEWHERE) != BTVIZ_OK)
			return false;
	}
	if (all->count > 0)
		qsort(all->items, all->count, sizeof *all->items, compare_actors);
	return true;
}

static struct btviz_distribution latency_of(const struct btvi_actor *a)
{
	return btvi_distribution((const struct btvi_histogram *const[]){ a->latency }, 1, 1e-9);
}

static void processes(struct btvi_figures *f, const struct btviz_summary *s)
{
	struct btvi_actors all = { 0 };
	const struct btviz_process **list;
	struct btviz_process *out;

	if (!collect(f, &all, false)) {
		f->arena.failed = 1;
	} else if ((out = btvi_arena_alloc(&f->arena, all.count, sizeof *out))) {
		for (uint32_t i = 0; i < all.count; i++) {
			const struct btvi_actor *a = &all.items[i];

			/* Whoever only completed or only sought has queued nothing. */
			if (a->count[0].ios + a->count[1].ios + a->count[2].ios == 0)
				continue;

			struct btviz_process *p = &out[f->pub.process_count++];

			p->pid = a->key == BTVI_ACTOR_OTHERS ? 0 : (uint32_t)a->key;
			p->comm = btvi_arena_text(&f->arena,
				a->key == BTVI_ACTOR_OTHERS
					? "others"
					: btvi_names_get(&s->names, p->pid, UINT64_MAX));
			p->read = a->count[0];
			p->write = a->count[1];
			p->other = a->count[2];
			p->seeks = a->seeks;
			p->first_s = btvi_figures_s(f, a->first_ns);
			p->last_s = btvi_figures_s(f, a->last_ns);
			p->latency = latency_of(a);
			p->cgroup_id = a->cgroup_id == UINT64_MAX ? 0 : a->cgroup_id;
		}
		list = btvi_arena_alloc(&f->arena, f->pub.process_count, sizeof *list);
		BTVI_LIST_OF(list, out, f->pub.process_count);
		f->pub.processes = list;
	}
	btvi_actors_done(&all);
}

static void cgroups(struct btvi_figures *f)
{
	struct btvi_actors all = { 0 };
	const struct btviz_cgroup **list;
	struct btviz_cgroup *out;

	if (!collect(f, &all, true)) {
		f->arena.failed = 1;
	} else if ((out = btvi_arena_alloc(&f->arena, all.count, sizeof *out))) {
		for (uint32_t i = 0; i < all.count; i++) {
			const struct btvi_actor *a = &all.items[i];

			out[i].id = a->key;
			out[i].read = a->count[0];
			out[i].write = a->count[1];
			out[i].other = a->count[2];
			out[i].latency = latency_of(a);
		}
		list = btvi_arena_alloc(&f->arena, all.count, sizeof *list);
		BTVI_LIST_OF(list, out, all.count);
		f->pub.cgroups = list;
		f->pub.cgroup_count = all.count;
	}
	btvi_actors_done(&all);
}

void btvi_figures_people(struct btvi_figures *f, const struct btviz_summary *s)
{
	const struct btviz_message **list;
	struct btviz_message *out;

	processes(f, s);
	cgroups(f);
	out = btvi_arena_alloc(&f->arena, s->message_count, sizeof *out);
	if (!out)
		return;
	for (size_t i = 0; i < s->message_count; i++) {
		out[i].time_ns = s->messages[i].time_ns;
		out[i].time_s = btvi_figures_s(f, out[i].time_ns);
		out[i].device = s->messages[i].device;
		out[i].text = btvi_arena_text(&f->arena, s->messages[i].text);
	}
	list = btvi_arena_alloc(&f->arena, s->message_count, sizeof *list);
	BTVI_LIST_OF(list, out, s->message_count);
	f->pub.messages = list;
	f->pub.message_count = s->message_count;
	f->pub.messages_total = s->messages_total;
}
