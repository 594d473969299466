/* finding_memory.c - rules about memory in submission gaps, where the recorder sampled it:
 * writeback-empty, direct-reclaim. They explain a gap; whether there are gaps finding_gap.c tells.
 */
#include <math.h>

#include "judge/finding.h"

/* Fewer pages than this under writeback outside of the gaps (1 MiB) are no writeback to speak of.
 */
static const double writeback_least = 256;

/* In the gaps, a tenth of it or less is "empty": the gap's beginning, while it drains, counts too.
 */
static const double writeback_left_most = 0.1;

/* Pages scanned by submitters themselves: 4 MiB a second are felt, if there are more than outside.
 */
static const double reclaim_least = 1024;
static const double reclaim_times_least = 2;

void btvi_findings_memory(const struct btviz_figures *f, struct btviz_findings *list)
{
	const struct btviz_memory *const m = f->memory;
	char in[BTVI_QUANTITY_SIZE], outside[BTVI_QUANTITY_SIZE];

	if (m->writeback_outside >= writeback_least &&
		m->writeback_in_gaps <= writeback_left_most * m->writeback_outside) {
		struct btvi_finding_draft draft = { .name = "writeback-empty",
			.severity = BTVIZ_SEV_WARNING };

		btvi_finding_evidence(&draft, "in_gaps", m->writeback_in_gaps, "pages");
		btvi_finding_evidence(&draft, "outside", m->writeback_outside, "pages");
		btvi_finding_add(list, &draft,
			"While nothing was submitted, %s pages were under writeback, otherwise %s: no "
			"dirty pages were handed to the disks.",
			btvi_quantity_count((uint64_t)round(m->writeback_in_gaps), in),
			btvi_quantity_count((uint64_t)round(m->writeback_outside), outside));
	}
	if (m->reclaim_in_gaps >= reclaim_least &&
		!(m->reclaim_in_gaps < reclaim_times_least * m->reclaim_outside)) {
		struct btvi_finding_draft draft = { .name = "direct-reclaim",
			.severity = BTVIZ_SEV_WARNING };

		btvi_finding_evidence(&draft, "in_gaps", m->reclaim_in_gaps, "pages/s");
		btvi_finding_evidence(&draft, "outside", m->reclaim_outside, "pages/s");
		btvi_finding_add(list, &draft,
			"While nothing was submitted, processes searched %s pages a second for free "
			"memory themselves (direct reclaim), otherwise %s.",
			btvi_quantity_count((uint64_t)round(m->reclaim_in_gaps), in),
			isnan(m->reclaim_outside)
				? "it is not known how many"
				: btvi_quantity_count(
					  (uint64_t)round(m->reclaim_outside), outside));
	}
}
