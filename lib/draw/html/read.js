/* read.js - what is true at a moment of a run, or over a stretch: for the readout at the pointer and
 * for the table. The values are those of the cells that are drawn there. */

/* Words and letters of the kinds of gap: the page's data has the picture's. */
const gapWords = {}, gapLetters = {};

function nameGaps(kinds) {
	for (const { name, letter, word } of kinds)
		[gapWords[name], gapLetters[name]] = [word, letter];
}

/* Figures of the group of cells k of g (a grouping of the run's fine cells). */
function valuesOf(selection, g, k) {
	const one = { ...g, first: g.first + k, count: 1, start: g.start + k * g.width };
	const mean = name => { const c = selection.sum(name); return c ? groupMeans(c, one)[0] : 0; };
	const { run } = selection;
	const values = { t0: one.start, t1: one.start + g.width, read: mean('bytes_read'), write: mean('bytes_write'),
		discard: mean('bytes_other'), ios_read: mean('ios_read'), ios_write: mean('ios_write'),
		seeks: mean('seeks_read') + mean('seeks_write'), outstanding: selection.sum('outstanding') ? mean('outstanding') : null };
	/* Latencies have wider cells: those that the stretch lies in. */
	const middle = one.start + g.width / 2;
	const size = Math.max(1, g.size / run.ratio);
	const at = Math.min(Math.ceil(run.coarse.count / size) - 1,
		Math.max(0, Math.floor((middle - run.coarse.start) / (run.coarse.width * size))));
	const latency = groupQuantiles(selection, { size, first: at, count: 1, cells: run.coarse });

	[values.p50, values.p99] = [latency.p50[0], latency.p99[0]];
	return values;
}

function valuesAt(selection, view, pixels, t) {
	const g = grouping(selection.run.cells, view, pixels, leastGroup);
	const k = Math.floor((t - g.start) / g.width);

	return k >= 0 && k < g.count ? valuesOf(selection, g, k) : null;
}

/* Lines of the readout, [name, text], the first being the headline. */
function readoutLines(selection, values, place, t, show, { has, wall }) {
	const width = values.t1 - values.t0;
	const lines = [[`${momentText(Math.max(values.t0, selection.run.start), width / 2)} – ${momentText(values.t1, width / 2)}`]];
	const gap = selection.gaps.find(g => t >= g.start && t < g.end);

	if (place?.panel === ioPanel && Number.isFinite(place.value)) {
		const device = selection.roots[place.band];

		lines.push(['offset', (selection.roots.length > 1 && device ? device.name + ' ' : '') + bytesText(place.value)]);
	}
	if (wall)
		lines.push(['clock, UTC', clockText(wall + t, width / 2)]);
	if (place?.panel.lines)
		lines.push(...place.panel.lines(selection.run, values.t0, values.t1));
	if (place?.panel === latencyPanel && Number.isFinite(place.value))
		lines.push(['at the pointer', durationText(place.value)]);
	if (place?.panel === membersPanel)
		for (const row of selection.rows.slice(0, 12))
			if (row.device) {
				const cells = selection.run.cells;
				const g = { size: Math.round(width / cells.width), first: 0, count: 1, cells };

				g.first = Math.round((values.t0 - cells.start) / width);
				const sum = ['bytes_read', 'bytes_write'].reduce((s, n) => s + (row.device.course(n) ? groupMeans(row.device.course(n), g)[0] : 0), 0);

				lines.push([row.name, rateText(sum)]);
			}
	for (const op of operations)
		if (show[op] && has[op])
			lines.push([{ read: 'reads', write: 'writes', discard: 'discards' }[op], rateText(values[op])]);
	if (show.read && has.read)
		lines.push(['reads a second', countText(values.ios_read)]);
	if (show.write && has.write)
		lines.push(['writes a second', countText(values.ios_write)]);
	lines.push(['seeks a second', countText(values.seeks)]);
	if (values.outstanding !== null)
		lines.push(['outstanding', figures(values.outstanding)]);
	if (Number.isFinite(values.p50))
		lines.push(['latency, median', durationText(values.p50)], ['99th percentile', durationText(values.p99)]);
	if (gap)
		lines.push([gap.number ? 'gap ' + gap.number + gapLetters[gap.kind] : 'gap', `${durationText(gap.end - gap.start)}, ${gapWords[gap.kind]}`]);
	return lines;
}
