/* device_loss.c - takes back what was added up of I/Os that turned out to be lost, and puts it back
 * where one ends after all. All of it is linear in what is open, or kept by how many were: so it is
 * as if they had not been there from their beginning on. */
#include "base/limits.h"
#include "measure/device.h"

static void take(uint64_t *sum, uint64_t ns, bool found)
{
	if (found)
		*sum = btvi_capped_add(*sum, ns);
	else
		*sum -= ns < *sum ? ns : *sum;
}

static void take_outstanding(struct btvi_device *d, uint64_t from_ns, uint64_t to_ns, bool found)
{
	const uint64_t *col;
	uint64_t most = d->pair.outstanding;

	take(&d->outstanding_ns, to_ns - from_ns, found);
	btvi_series_take(&d->series, BTVI_COL_OUTSTANDING_NS, from_ns, to_ns, found);
	btvi_series_take(&d->series, BTVI_COL_OUTSTANDING_MAX, from_ns, to_ns, found);
	col = d->series.columns[BTVI_COL_OUTSTANDING_MAX];
	for (uint32_t i = 0; col && i < btvi_ruler_used(&d->series.time); i++)
		most = col[i] > most ? col[i] : most;
	d->outstanding_max = (uint32_t)most;
}

static void take_in_flight(struct btvi_device *d, uint64_t from_ns, uint64_t to_ns, bool found)
{
	uint64_t busy_ns;

	take(&d->in_flight_ns, to_ns - from_ns, found);
	btvi_series_take(&d->series, BTVI_COL_IN_FLIGHT_NS, from_ns, to_ns, found);
	busy_ns = btvi_series_take_busy(&d->series, from_ns, to_ns, found);
	take(&d->busy_ns, busy_ns, found);
	if (from_ns <= d->in_flight_max_ns && d->in_flight_max > 0)
		d->in_flight_max += found ? 1U : -1U;
}

static void count_lost(struct btvi_device *d, const struct btvi_loss *loss)
{
	if (loss->why == BTVI_WHY_FOUND) {
		d->lost -= d->lost > 0;
		return;
	}
	if (d->lost++ == 0 || loss->since_ns < d->lost_first_ns)
		d->lost_first_ns = loss->since_ns;
	if (loss->since_ns > d->lost_last_ns)
		d->lost_last_ns = loss->since_ns;
}

static enum btviz_status take_one(
	struct btvi_device *d, const struct btvi_loss *loss, uint64_t now_ns)
{
	const bool found = loss->why == BTVI_WHY_FOUND;
	const bool outstanding = !loss->request;
	const bool in_flight = loss->request || !d->pair.request_based;
	const uint64_t from_ns = loss->since_ns > d->first_ns ? loss->since_ns : d->first_ns;
	const uint64_t to_ns = now_ns < d->state_ns ? now_ns : d->state_ns;

	if (d->events > 0 && from_ns < to_ns) {
		if (outstanding)
			take_outstanding(d, from_ns, to_ns, found);
		if (in_flight)
			take_in_flight(d, from_ns, to_ns, found);
	}
	/* Where there is no Q the requests are the I/Os. */
	if ((outstanding || !d->queued) && loss->why != BTVI_WHY_OVER)
		count_lost(d, loss);
	return btvi_gaps_lose(&d->gaps, loss->since_ns, now_ns, outstanding, in_flight, found);
}

enum btviz_status btvi_device_take_back(struct btvi_device *d, uint64_t now_ns)
{
	enum btviz_status status = BTVIZ_OK;

	for (unsigned i = 0; i < d->pair.loss_count && status == BTVIZ_OK; i++)
		status = take_one(d, &d->pair.losses[i], now_ns);
	d->pair.loss_count = 0;
	return status;
}

enum btviz_status btvi_device_sweep(struct btvi_device *d)
{
	enum btviz_status status = BTVIZ_OK;
	uint32_t at = 0;

	while (status == BTVIZ_OK && btvi_pair_sweep(&d->pair, &at))
		status = btvi_device_take_back(d, d->last_ns);
	return status;
}
