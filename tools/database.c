/* database.c - tables and their rows. The one place that knows SQLite; without it, stubs that say
 * so. The file has a name for a moment only: SQLite opens by names, and nothing is to be left. */
#include "database.h"

#include "say.h"

#if BTVIZ_HAVE_SQLITE
#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

enum statement { ADD_IO, ADD_DEVICE, ADD_PROCESS, ADD_GAP, ADD_FINDING, STATEMENTS };

struct database {
	sqlite3 *db;
	sqlite3_stmt *statements[STATEMENTS];
	bool failed; /* and what SQLite says of it */
	int fd;      /* of the same file */
};

/* Times are nanoseconds since the first I/O event, null where the trace does not tell. */
static const char schema[] =
	"pragma journal_mode=off; pragma synchronous=off; pragma user_version=1;"
	"create table ios (id integer primary key, device text not null, pid integer, process text,"
	" op text not null, sector integer not null, bytes integer not null, error integer,"
	" cgroup integer, queue_ns integer, get_ns integer, merge_ns integer, insert_ns integer,"
	" issue_ns integer, complete_ns integer);"
	"create table devices (device text primary key, number text, role text,"
	" queued integer, queued_bytes integer, issued integer, issued_bytes integer,"
	" completed integer, completed_bytes integer, seeks integer);"
	"create table processes (pid integer, name text, reads integer, read_bytes integer,"
	" writes integer, write_bytes integer, seeks integer, latency_p50_s real,"
	" latency_p99_s real);"
	"create table gaps (device text not null, kind text not null, start_s real, end_s real,"
	" idle_s real, outstanding integer, before_process text, after_process text);"
	"create table findings (name text not null, severity text not null, text text not null);"
	"create view stages as select *,"
	" (complete_ns - queue_ns) / 1e6 as q2c_ms, (issue_ns - queue_ns) / 1e6 as q2d_ms,"
	" (complete_ns - issue_ns) / 1e6 as d2c_ms, (get_ns - queue_ns) / 1e6 as q2g_ms,"
	" (insert_ns - get_ns) / 1e6 as g2i_ms, (issue_ns - insert_ns) / 1e6 as i2d_ms,"
	" (merge_ns - queue_ns) / 1e6 as q2m_ms, (issue_ns - merge_ns) / 1e6 as m2d_ms from ios;"
	"create view slowest as select * from stages order by q2c_ms desc;"
	"begin;";

static const char *const inserts[STATEMENTS] = {
	[ADD_IO] = "insert into ios values (null,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
	[ADD_DEVICE] = "insert into devices values (?,?,?,?,?,?,?,?,?,?)",
	[ADD_PROCESS] = "insert into processes values (?,?,?,?,?,?,?,?,?)",
	[ADD_GAP] = "insert into gaps values (?,?,?,?,?,?,?,?)",
	[ADD_FINDING] = "insert into findings values (?,?,?)",
};

bool database_is_there(void)
{
	return true;
}

struct database *database_new(const char *path)
{
	const char *const slash = strrchr(path, '/');
	const size_t dir = slash ? (size_t)(slash - path) + 1 : 0;
	struct database *const d = calloc(1, sizeof *d);
	char *const name = malloc(dir + sizeof ".btviz-XXXXXX");

	if (!d || !name) {
		say("out of memory");
		free(name);
		free(d);
		return NULL;
	}
	snprintf(name, dir + sizeof ".btviz-XXXXXX", "%.*s.btviz-XXXXXX", (int)dir, path);
	d->fd = mkstemp(name);
	if (d->fd < 0) {
		say("cannot write beside %s: %s", path, strerror(errno));
	} else {
		d->failed = sqlite3_open(name, &d->db) != SQLITE_OK ||
			sqlite3_exec(d->db, schema, NULL, NULL, NULL) != SQLITE_OK;
		unlink(name);
		for (int i = 0; i < STATEMENTS && !d->failed; i++)
			d->failed = sqlite3_prepare_v2(d->db, inserts[i], -1, &d->statements[i],
					    NULL) != SQLITE_OK;
	}
	free(name);
	if (d->fd >= 0)
		return d;
	free(d);
	return NULL;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The row being filled: the next column is bound. */
struct row {
	sqlite3_stmt *s;
	int column;
};

static struct row row_new(struct database *d, enum statement which)
{
	return (struct row){ d->failed ? NULL : d->statements[which], 0 };
}

static void row_end(struct database *d, struct row *r)
{
	if (!r->s)
		return;
	d->failed = sqlite3_step(r->s) != SQLITE_DONE || sqlite3_reset(r->s) != SQLITE_OK;
}

static void put_integer(struct row *r, uint64_t n)
{
	if (r->s)
		sqlite3_bind_int64(r->s, ++r->column, (sqlite3_int64)n);
}

static void put_text(struct row *r, const char *text)
{
	if (!r->s)
		return;
	if (text && text[0] != '\0')
		sqlite3_bind_text(r->s, ++r->column, text, -1, SQLITE_TRANSIENT);
	else
		sqlite3_bind_null(r->s, ++r->column);
}

static void put_real(struct row *r, double x)
{
	if (!r->s)
		return;
	if (isfinite(x))
		sqlite3_bind_double(r->s, ++r->column, x);
	else
		sqlite3_bind_null(r->s, ++r->column);
}

static void put_time(struct row *r, uint64_t ns, uint64_t origin_ns)
{
	if (ns != BTVIZ_TIME_UNKNOWN)
		put_integer(r, ns - origin_ns);
	else if (r->s)
		sqlite3_bind_null(r->s, ++r->column);
}

void database_add_io(struct database *d, const struct btviz_io *io, const struct io_context *c)
{
	struct row r = row_new(d, ADD_IO);
	const uint64_t times[] = { io->queue_ns, io->get_ns, io->merge_ns, io->insert_ns,
		io->issue_ns, io->complete_ns };

	put_text(&r, c->device);
	put_integer(&r, io->pid);
	put_text(&r, c->process);
	put_text(&r, btviz_op_name(io->op));
	put_integer(&r, io->sector);
	put_integer(&r, io->bytes);
	if (io->complete_ns != BTVIZ_TIME_UNKNOWN)
		put_integer(&r, (uint64_t)(int64_t)io->error);
	else
		put_text(&r, NULL);
	if (io->cgroup_id != 0)
		put_integer(&r, io->cgroup_id);
	else
		put_text(&r, NULL);
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
		put_time(&r, times[i], c->origin_ns);
	row_end(d, &r);
}

static void add_station(struct row *r, const struct report_run *run, const struct btviz_device *d,
	enum btviz_station station, bool bytes)
{
	struct btviz_count sum = { 0, 0 };

	for (int op = 0; op < BTVIZ_OP_COUNT; op++) {
		sum.ios += d->actions[op][station].ios;
		sum.bytes += d->actions[op][station].bytes;
	}
	if (report_knows(run, d, station))
		put_integer(r, bytes ? sum.bytes : sum.ios);
	else
		put_text(r, NULL);
}

static void add_device(
	struct database *db, const struct report_run *run, const struct btviz_device *d)
{
	static const enum btviz_station stations[] = { BTVIZ_QUEUED, BTVIZ_ISSUED,
		BTVIZ_COMPLETED };
	struct row r = row_new(db, ADD_DEVICE);
	char number[32];

	snprintf(number, sizeof number, "%u,%u", BTVIZ_MAJOR(d->device), BTVIZ_MINOR(d->device));
	put_text(&r, d->name);
	put_text(&r, number);
	put_text(&r, btviz_role_name(d->role));
	for (size_t i = 0; i < sizeof stations / sizeof stations[0]; i++) {
		add_station(&r, run, d, stations[i], false);
		add_station(&r, run, d, stations[i], true);
	}
	put_integer(&r, d->seeks);
	row_end(db, &r);
	for (size_t i = 0; i < d->gap_count; i++) {
		const struct btviz_gap *const g = d->gaps[i];

		r = row_new(db, ADD_GAP);
		put_text(&r, d->name);
		put_text(&r, btviz_gap_kind_name(g->kind));
		put_real(&r, g->start_s);
		put_real(&r, g->end_s);
		put_real(&r, g->idle_s);
		put_integer(&r, g->outstanding);
		put_text(&r, g->before_comm);
		put_text(&r, g->after_comm);
		row_end(db, &r);
	}
}

void database_add_run(
	struct database *db, const struct btviz_figures *f, const struct btviz_findings *findings)
{
	const struct report_run run = { .f = f };

	for (size_t i = 0; i < f->device_count; i++)
		add_device(db, &run, f->devices[i]);
	for (size_t i = 0; i < f->process_count; i++) {
		const struct btviz_process *const p = f->processes[i];
		struct row r = row_new(db, ADD_PROCESS);

		put_integer(&r, p->pid);
		put_text(&r, p->comm);
		put_integer(&r, p->read.ios);
		put_integer(&r, p->read.bytes);
		put_integer(&r, p->write.ios);
		put_integer(&r, p->write.bytes);
		put_integer(&r, p->seeks);
		put_real(&r, p->latency.p50);
		put_real(&r, p->latency.p99);
		row_end(db, &r);
	}
	for (size_t i = 0; i < btviz_findings_count(findings); i++) {
		const struct btviz_finding *const finding = btviz_findings_get(findings, i);
		struct row r = row_new(db, ADD_FINDING);

		put_text(&r, finding->name);
		put_text(&r, btviz_severity_name(finding->severity));
		put_text(&r, finding->text);
		row_end(db, &r);
	}
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool copy(int from, int to)
{
	char buffer[65536];
	ssize_t got = lseek(from, 0, SEEK_SET) == 0 ? 1 : -1;

	while (got > 0) {
		got = read(from, buffer, sizeof buffer);
		for (ssize_t at = 0, n; at < got; at += n) {
			n = write(to, buffer + at, (size_t)(got - at));
			if (n < 0 && errno == EINTR)
				n = 0;
			if (n < 0)
				return false;
		}
		if (got < 0 && errno == EINTR)
			got = 1;
	}
	return got == 0;
}

bool database_write(struct database *d, int fd)
{
	static const char ending[] = "create index ios_by_time on ios (queue_ns);"
				     "create index ios_by_place on ios (device, sector); commit";

	if (d->failed || sqlite3_exec(d->db, ending, NULL, NULL, NULL) != SQLITE_OK) {
		say("the database could not be written: %s",
			d->db ? sqlite3_errmsg(d->db) : "out of memory");
		return false;
	}
	if (!copy(d->fd, fd)) {
		say("the database could not be written: %s", strerror(errno));
		return false;
	}
	return true;
}

void database_free(struct database *d)
{
	if (!d)
		return;
	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(d->statements[i]);
	sqlite3_close(d->db);
	close(d->fd);
	free(d);
}

#else

bool database_is_there(void)
{
	say("this btviz was built without SQLite (libsqlite3)");
	return false;
}

struct database *database_new(const char *path)
{
	(void)path;
	database_is_there();
	return NULL;
}

void database_add_io(struct database *d, const struct btviz_io *io, const struct io_context *c)
{
	(void)d;
	(void)io;
	(void)c;
}

void database_add_run(
	struct database *d, const struct btviz_figures *f, const struct btviz_findings *findings)
{
	(void)d;
	(void)f;
	(void)findings;
}

bool database_write(struct database *d, int fd)
{
	(void)d;
	(void)fd;
	return false;
}

void database_free(struct database *d)
{
	(void)d;
}

#endif
