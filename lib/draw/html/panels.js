/* panels.js - the panels that are courses and rows. Each panel is an object with
 *   id, height(selection); its title comes with the page's data (arrangePanels)
 *   prepare(selection, view, pixels, show)  what one run shows in the view; null: nothing
 *   scale(prepared of all runs)             the common y scale
 *   draw(pen, data, scale, chart)           into pen.rect
 *   key(show, page)                         what its colours mean, for the right of its title
 *   available(page)                         whether the page has anything for it, if not always
 * The seek map and the latency map are in maps.js. */

const leastGroup = 2.5; /* pixels: narrower cells are joined */
const emptyHeight = 14; /* of a panel that says "none" */
/* Kinds of gap are told apart without colour, too. */
const gapHatches = { queue: 'rising', device: 'falling', slow: 'level' };

/* Fills a rectangle with thin lines so many pixels apart. */
function hatch(ctx, rect, kind, spacing, color, alpha) {
	if (!kind || !(rect.w > 0) || !(rect.h > 0))
		return;
	ctx.save();
	ctx.beginPath();
	ctx.rect(rect.x, rect.y, rect.w, rect.h);
	ctx.clip();
	ctx.beginPath();
	if (kind === 'level')
		for (let y = rect.y + spacing; y < rect.y + rect.h; y += spacing) {
			ctx.moveTo(rect.x, y);
			ctx.lineTo(rect.x + rect.w, y);
		}
	else
		for (let x = rect.x - Math.ceil(rect.h / spacing) * spacing; x < rect.x + rect.w; x += spacing) {
			ctx.moveTo(x, kind === 'rising' ? rect.y + rect.h : rect.y);
			ctx.lineTo(x + rect.h, kind === 'rising' ? rect.y : rect.y + rect.h);
		}
	ctx.strokeStyle = color;
	ctx.globalAlpha = alpha;
	ctx.lineWidth = 1;
	ctx.stroke();
	ctx.restore();
}

const maximum = values => { let m = 0; for (const v of values) if (v > m) m = v; return m; };
const smoothWidth = (view, g) => view.page.rolling_s || Math.max((view.t1 - view.t0) / 40, 3 * g.width);

function line(pen, g, values, scale, color, { width = 1.5, dash = [] } = {}) {
	const { ctx } = pen;
	let open = false;

	ctx.beginPath();
	for (let i = 0; i < values.length; i++) {
		if (!Number.isFinite(values[i])) {
			open = false;
			continue;
		}
		const x = pen.x(g.start + (i + 0.5) * g.width), y = pen.y(scale, values[i]);

		if (open)
			ctx.lineTo(x, y);
		else if (!Number.isFinite(values[i + 1] ?? NaN))
			ctx.rect(x - 0.5, y - 0.5, 1, 1); /* alone: a dot */
		else
			ctx.moveTo(x, y);
		open = true;
	}
	ctx.strokeStyle = color;
	ctx.lineWidth = width;
	ctx.setLineDash(dash);
	ctx.stroke();
	ctx.setLineDash([]);
}

function steps(pen, g, values, scale, color, alpha = 0.25) {
	const { ctx, rect } = pen, bottom = rect.y + rect.h;

	ctx.beginPath();
	ctx.moveTo(pen.x(g.start), bottom);
	for (let i = 0; i < values.length; i++) {
		const y = Number.isFinite(values[i]) ? pen.y(scale, values[i]) : bottom;

		ctx.lineTo(pen.x(g.start + i * g.width), y);
		ctx.lineTo(pen.x(g.start + (i + 1) * g.width), y);
	}
	ctx.lineTo(pen.x(g.start + values.length * g.width), bottom);
	ctx.globalAlpha = alpha;
	ctx.fillStyle = color;
	ctx.fill();
	ctx.globalAlpha = 1;
}

/* Rates: the values as a light area, over it their rolling average as a line. */
function ratePanel(id, courses, scaleOf) {
	return {
		id,
		height: selection => courses.some(([name]) => selection.sum(name)) ? 92 : emptyHeight,
		prepare(selection, view, pixels, show) {
			const g = grouping(selection.run.cells, view, pixels, leastGroup), lines = [];

			/* Discards only where there is nothing else: they are faster than any disk. */
			for (const [name, what] of courses)
				if (show[what] && (what !== 'discard' || lines.length === 0)) {
					const course = selection.sum(name);

					if (course)
						lines.push({ what, values: groupMeans(course, g) });
				}
			return { g, lines, max: maximum(lines.map(l => maximum(l.values))) };
		},
		scale: all => scaleOf(maximum(all.map(d => d.max)), 4),
		draw(pen, { g, lines }, scale, chart) {
			for (const l of lines)
				steps(pen, g, l.values, scale, pen.colors[l.what]);
			for (const l of lines)
				line(pen, g, smooth(l.values, g, smoothWidth(chart.view, g), chart.selection.gaps), scale, pen.colors[l.what]);
		},
		key: () => [],
	};
}

const throughputPanel = ratePanel('tput',
	[['bytes_read', 'read'], ['bytes_write', 'write'], ['bytes_other', 'discard']], Scale.rate);
const iopsPanel = ratePanel('iops', [['ios_read', 'read'], ['ios_write', 'write']], Scale.count);
const seekPanel = ratePanel('seek', [['seeks_read', 'read'], ['seeks_write', 'write']], Scale.count);

const depthPanel = {
	id: 'depth',
	height: () => 92,
	prepare(selection, view, pixels) {
		const g = grouping(selection.run.cells, view, pixels, leastGroup);
		const outstanding = selection.sum('outstanding'), inFlight = selection.roots.some(d => d.requests) && selection.sum('in_flight');
		const data = { g, outstanding: outstanding && groupMeans(outstanding, g), inFlight: inFlight && groupMeans(inFlight, g) };

		return { ...data, max: Math.max(maximum(data.outstanding || []), maximum(data.inFlight || [])) };
	},
	scale: all => Scale.count(maximum(all.map(d => d.max)), 4),
	draw(pen, { g, outstanding, inFlight }, scale) {
		if (outstanding) {
			steps(pen, g, outstanding, scale, pen.colors.both);
			line(pen, g, outstanding, scale, pen.colors.both, { width: 1.2 });
		}
		if (inFlight)
			line(pen, g, inFlight, scale, pen.colors.p99, { width: 1.2 });
	},
	key: () => [['both', 'queued'], ['p99', 'at the disks']],
};

/* Averages by direction, as lines. disks: of the devices below, not of those that are added up. */
function averagePanel(id, { scale, disks = false, available = () => true }) {
	return {
		id, available,
		height: () => 80,
		prepare(selection, view, pixels, show) {
			const g = grouping(selection.run.cells, view, pixels, leastGroup), lines = [];
			let min = Infinity, max = 0;

			for (const what of ['read', 'write'].filter(w => show[w])) {
				const values = groupAverages(selection.average(`${id}_${what}`, ['ios_' + what], false, disks), g);

				for (const v of values)
					if (v > 0) {
						min = Math.min(min, v);
						max = Math.max(max, v);
					}
				lines.push({ what, values: values.map(v => v > 0 ? v : NaN) });
			}
			return { g, lines, min, max };
		},
		scale: all => scale(Math.min(...all.map(d => d.min)), maximum(all.map(d => d.max))),
		draw(pen, { g, lines }, scale) {
			for (const l of lines)
				line(pen, g, l.values, scale, pen.colors[l.what]);
		},
		key: () => [],
	};
}

const sizePanel = averagePanel('size', { scale: (min, max) => max > 0 ? Scale.size(min, max, 4) : Scale.size(4096, 8192, 2) });
const mergePanel = averagePanel('merge', { scale: (min, max) => Scale.count(max, 4), disks: true,
	available: page => page.runs.some(run => run.devices.some(d => d.course('merge_read') || d.course('merge_write'))) });

/* The mean of what was sampled between two moments; NaN where nothing was. */
function sampledMean(run, { values }, t0, t1) {
	const { start, width, count } = run.coarse;
	const from = Math.max(0, Math.floor((t0 - start) / width + 1e-6)), to = Math.min(count, Math.max(from + 1, Math.ceil((t1 - start) / width - 1e-6)));
	let sum = 0, n = 0;

	for (let i = from; i < to; i++)
		if (Number.isFinite(values[i])) {
			sum += values[i];
			n++;
		}
	return n ? sum / n : NaN;
}

/* What the recorder sampled beside the trace. Shares of the CPUs' time are stacked. */
function sampledPanel(id, stacked) {
	const of = run => run.samples[id] ?? [];

	return {
		id,
		height: () => 80,
		available: page => page.runs.some(run => of(run).length > 0),
		prepare(selection, view, pixels) {
			const { run } = selection, g = grouping(run.coarse, view, pixels, leastGroup);
			const lines = of(run).map(sampled => ({ ...sampled, values: Float64Array.from({ length: g.count },
				(_, k) => sampledMean(run, sampled, g.start + k * g.width, g.start + (k + 1) * g.width)) }));

			for (let i = 1; stacked && i < lines.length; i++)
				lines[i].values = lines[i].values.map((v, k) => v + lines[i - 1].values[k]);
			return { g, lines, max: maximum(lines.map(l => maximum(l.values))) };
		},
		scale: all => Scale.count(maximum(all.map(d => d.max)), 4),
		draw(pen, { g, lines }, scale) {
			/* The highest first, so that each lower one covers its part of it. */
			for (const l of stacked ? [...lines].reverse() : lines) {
				steps(pen, g, l.values, scale, pen.colors.sampled(l.color), stacked ? 1 : 0.2);
				if (!stacked)
					line(pen, g, l.values, scale, pen.colors.sampled(l.color));
			}
		},
		lines: (run, t0, t1) => of(run).map(sampled => [sampled.name, countText(sampledMean(run, sampled, t0, t1))]),
		key: (show, page) => (page.runs.map(of).find(list => list.length > 0) ?? []).map(s => [s.color, s.name]),
	};
}

/* A thin row a member, its throughput as shade: that only one disk of four is in use is seen at once.
 * Where no run has an array, a row a device. */
const membersPanel = {
	id: 'members',
	height: selection => Math.max(1, selection.rows.length) * (selection.rows.length <= 8 ? 18 : selection.rows.length <= 24 ? 14 : 8),
	prepare(selection, view, pixels, show) {
		if (selection.rows.length === 0)
			return null;
		const g = grouping(selection.run.cells, view, pixels, leastGroup);
		const rows = selection.rows.map(row => {
			const of = what => show[what] && row.device?.course('bytes_' + what);

			return { ...row, read: groupMeans(of('read'), g), write: groupMeans(of('write'), g) };
		});
		let max = 0;

		for (const row of rows)
			for (let i = 0; i < g.count; i++)
				max = Math.max(max, row.read[i] + row.write[i]);
		return { g, rows, max };
	},
	scale: all => new Scale(0, maximum(all.map(d => d?.max ?? 0)) || 1),
	draw(pen, { g, rows }, scale, chart) {
		const { ctx, rect, colors, ratio } = pen, h = rect.h / rows.length;
		const w = Math.max(1, Math.round(rect.w * ratio)), scratch = scratchOf(pen.scratch, w, rows.length);
		const pixels = new Uint32Array(scratch.image.data.buffer).fill(0), read = channelsOf(colors.read), write = channelsOf(colors.write);
		const edge = Array.from({ length: g.count + 1 }, (_, i) => Math.min(w, Math.max(0, Math.round((pen.x(g.start + i * g.width) - rect.x) * ratio))));
		const from = i => Math.min(edge[i], w - 1); /* the last cell may be less than a pixel, and is seen */
		let lastLabel = -Infinity;

		rows.forEach((row, r) => {
			const y = rect.y + r * h + 1;

			ctx.fillStyle = colors.row;
			ctx.fillRect(rect.x, y, rect.w, Math.max(h - 2, 1));
			for (let i = 0; i < g.count; i++) {
				const v = row.read[i] + row.write[i], share = row.read[i] / v;

				if (!(v > 0))
					continue;
				/* The square root: a trickle is seen, full speed still stands out. */
				const alpha = 0.12 + 0.88 * Math.sqrt(Math.min(1, v / scale.max));
				const [red, green, blue] = read.map((c, k) => Math.round(c * share + write[k] * (1 - share)));

				pixels.fill(Math.round(255 * alpha) << 24 | blue << 16 | green << 8 | red, r * w + from(i), r * w + Math.max(edge[i + 1], from(i) + 1));
			}
			if (y + h / 2 - lastLabel < 11)
				return;
			lastLabel = y + h / 2;
			pen.text(row.name, rect.x - 6, y + h / 2 + 3, { align: 'right', color: colors.soft, width: rect.x - 8 });
			if (row.share !== null)
				pen.text(fixed(100 * row.share, 0) + ' %', rect.x + rect.w + 4, y + h / 2 + 3, { color: colors.soft });
		});
		scratch.getContext('2d').putImageData(scratch.image, 0, 0);
		ctx.imageSmoothingEnabled = false;
		rows.forEach((_, r) => ctx.drawImage(scratch, 0, r, w, 1, rect.x, rect.y + r * h + 1, rect.w, Math.max(h - 2, 1)));
		/* Where a member held up the run its row is hatched. */
		const clip = x => Math.min(rect.x + rect.w, Math.max(rect.x, x));

		for (const gap of chart.selection.gaps.filter(x => x.number && x.member))
			rows.forEach((row, r) => {
				const x0 = clip(pen.x(gap.start)), x1 = clip(pen.x(gap.end));

				if (row.name === gap.member && x1 > x0)
					hatch(ctx, { x: x0, y: rect.y + r * h + 1, w: Math.max(x1 - x0, 2), h: Math.max(h - 2, 1) }, 'rising', 5, colors.alarm, 1);
			});
	},
	note(selection) {
		const array = selection.run.largestArray;

		return array && array.effective !== null && selection.rows.some(r => r.share !== null)
			? `effective members ${fixed(array.effective, 1)} of ${array.members}` : '';
	},
	key: () => [],
};

const hexColor = color => '#' + color.toString(16).padStart(6, '0');
const lightness = channels => Math.max(...channels) / 510 + Math.min(...channels) / 510;
const knownChannels = new Map();

/* "#rrggbb" as three numbers. */
function channelsOf(color) {
	if (!knownChannels.has(color))
		knownChannels.set(color, [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16)));
	return knownChannels.get(color);
}
