/* series.js - courses for the eye: devices added up, cells joined to what a pixel can show, the
 * rolling average. Nothing here draws. */

/* What a chart shows of its run: the devices that count, and sums over them, kept until the choice
 * of devices changes. */
class Selection {
	constructor(run, hidden) {
		this.run = run;
		this.hidden = hidden;
		this.roots = run.roots(hidden);
		this.rows = this.memberRows(hidden);
		this.sums = new Map();
		this.gaps = this.findGaps();
	}

	/* The devices that the members panel shows, in the picture's order. */
	memberRows(hidden) {
		const { run } = this;
		const arrays = run.arrays.filter(a => a.members > 1).map(a => a.name);
		let rows = run.members.filter(m => arrays.includes(m.array)).map(m => ({ name: m.name, share: m.share,
			device: run.devices.find(d => d.name === m.name), array: m.array }));
		const order = name => run.devices.findIndex(d => d.name === name);

		rows.sort((a, b) => order(a.array) - order(b.array) || order(a.name) - order(b.name));
		if (rows.length === 0 && run.devices.filter(d => d.top).length > 1)
			rows = run.devices.filter(d => d.top).map(d => ({ name: d.name, share: null, device: d }));
		return rows.filter(r => !hidden.has(r.name));
	}

	/* The roots' latency maps. */
	get heats() {
		const found = this.roots.filter(d => d.heat());

		if (found.length !== this.foundHeats?.length)
			this.foundHeats = found.map(d => ({ map: d.heat(), ...d.tree.heat }));
		return this.foundHeats;
	}

	/* A rate, summed over the roots. */
	sum(name) {
		if (!this.sums.has(name)) {
			const courses = this.roots.map(d => d.course(name)).filter(c => c);
			let sum = courses[0] ?? null;

			if (courses.length > 1) {
				sum = new Float64Array(courses[0].length);
				for (const c of courses)
					for (let i = 0; i < sum.length; i++)
						sum[i] += c[i];
			}
			this.sums.set(name, sum);
		}
		return this.sums.get(name);
	}

	/* An average (a size, a ratio), by each root's (or disk's) number of I/Os: { values, weights }. */
	average(name, weightNames, coarse, disks = false) {
		const key = 'average ' + name;

		if (this.sums.has(key))
			return this.sums.get(key);
		const n = coarse ? this.run.coarse.count : this.run.cells.count;
		const values = new Float64Array(n), weights = new Float64Array(n);
		let any = false;

		for (const d of disks ? this.run.devices.filter(x => x.requests && !this.hidden.has(x.name)) : this.roots) {
			const course = d.course(name), w = this.weights(d, weightNames, coarse);

			if (!course)
				continue;
			any = true;
			for (let i = 0; i < n; i++)
				if (!Number.isNaN(course[i])) {
					const weight = w[i] || 1e-9;

					values[i] += course[i] * weight;
					weights[i] += weight;
				}
		}
		for (let i = 0; i < n; i++)
			values[i] = weights[i] > 0 ? values[i] / weights[i] : NaN;
		this.sums.set(key, any ? { values, weights } : null);
		return this.sums.get(key);
	}

	weights(device, names, coarse) {
		const { run } = this;
		const out = new Float64Array(coarse ? run.coarse.count : run.cells.count);

		for (const name of names) {
			const course = device.course(name);

			for (let i = 0; course && i < course.length; i++)
				out[coarse ? Math.floor((i + run.lead) / run.ratio) : i] += course[i];
		}
		return out;
	}

	/* Gaps of the first root, in which the other roots rest too: the longest dozen are numbered. */
	findGaps() {
		const [first, ...others] = this.roots;

		if (!first)
			return [];
		const rest = g => others.every(d => ['ios_read', 'ios_write'].every(name => {
			const course = d.course(name), cells = this.run.cells;
			const end = Math.floor((g.end - cells.start) / cells.width);

			for (let i = Math.ceil((g.start - cells.start) / cells.width); course && i < end; i++)
				if (course[i] > 0)
					return false;
			return true;
		}));
		const gaps = this.run.gaps.filter(g => g.device === first.index && rest(g)).sort((a, b) => a.start - b.start);
		const longest = [...gaps].sort((a, b) => (b.end - b.start) - (a.end - a.start)).slice(0, 12);
		let number = 0;

		return gaps.map(g => ({ ...g, number: longest.includes(g) ? ++number : 0 }));
	}
}

/* Cells joined in powers of two until each is at least so many pixels wide; groups begin at
 * multiples, so that they stay the same while the view moves. */
function grouping(cells, view, pixels, least) {
	const pixelsPerCell = pixels * cells.width / (view.t1 - view.t0);
	let size = 1;

	while (pixelsPerCell * size < least)
		size *= 2;
	const width = cells.width * size, all = Math.ceil(cells.count / size);
	const first = Math.min(all, Math.max(0, Math.floor((view.t0 - cells.start) / width)));
	const end = Math.max(first, Math.min(all, Math.ceil((view.t1 - cells.start) / width)));

	return { size, width, first, count: end - first, start: cells.start + first * width, cells };
}

/* Means over whole groups: beyond the run's end there was nothing. */
function groupMeans(course, g) {
	const out = new Float64Array(g.count);

	for (let k = 0; course && k < g.count; k++) {
		const from = (g.first + k) * g.size, to = Math.min(from + g.size, g.cells.count);
		let sum = 0;

		for (let i = from; i < to; i++)
			sum += course[i];
		out[k] = sum / g.size;
	}
	return out;
}

function groupAverages(average, g) {
	const out = new Float64Array(g.count).fill(NaN);

	for (let k = 0; average && k < g.count; k++) {
		const from = (g.first + k) * g.size, to = Math.min(from + g.size, g.cells.count);
		let sum = 0, weight = 0;

		for (let i = from; i < to; i++)
			if (average.weights[i] > 0) {
				sum += average.values[i] * average.weights[i];
				weight += average.weights[i];
			}
		if (weight > 0)
			out[k] = sum / weight;
	}
	return out;
}

/* Latencies below which shares of the I/Os lie, over the columns [from, to) of maps: from the counts in
 * the roots' latency maps, since quantiles of cells do not add up to those of a stretch. */
function latencyQuantiles(selection, from, to, shares) {
	const heats = selection.heats, low = Math.min(...heats.map(h => h.first)), high = Math.max(...heats.map(h => h.first + h.rows));
	const counts = new Float64Array(heats.length ? high - low : 0);
	let total = 0;

	for (const { map, first } of heats)
		for (let k = map.starts[from], end = map.starts[to]; k < end; k++) {
			counts[map.row[k] + first - low] += map.amount[k];
			total += map.amount[k];
		}
	return shares.map(share => {
		let below = 0;

		for (let row = 0; row < counts.length && total > 0; row++) {
			if (counts[row] > 0 && below + counts[row] >= share * total * (1 - 1e-12)) {
				const of = heats.find(h => low + row >= h.first && low + row < h.first + h.rows), at = low + row - of.first;
				const [a, b] = [of.edges[at], of.edges[at + 1]];

				return a + (b - a) * (share * total - below) / counts[row];
			}
			below += counts[row];
		}
		return NaN;
	});
}

/* Median and 99th percentile of each group of coarse cells: the library's own where a group is a cell of
 * one device. */
function groupQuantiles(selection, g) {
	const own = g.size === 1 && selection.roots.length === 1, out = { p50: new Float64Array(g.count), p99: new Float64Array(g.count) };

	for (let k = 0; k < g.count; k++) {
		const from = (g.first + k) * g.size, to = Math.min(from + g.size, g.cells.count);

		[out.p50[k], out.p99[k]] = own ? ['p50', 'p99'].map(name => selection.roots[0].course(name)?.[from] ?? NaN)
			: latencyQuantiles(selection, from, to, [0.5, 0.99]);
	}
	return out;
}

/* The centred rolling average over width seconds. It never crosses an edge of a gap. */
function smooth(values, g, width, gaps) {
	const half = Math.max(1, Math.round(width / g.width / 2));
	const segment = new Uint32Array(values.length), out = new Float64Array(values.length);
	const edges = [];

	for (const gap of gaps)
		if (gap.kind !== 'slow')
			edges.push(gap.kind === 'submit' ? Math.max(gap.start, gap.end - gap.idle_s) : gap.start, gap.end);
	edges.sort((a, b) => a - b);
	for (let i = 0, e = 0; i < values.length; i++) {
		const middle = g.start + (i + 0.5) * g.width;

		while (e < edges.length && edges[e] <= middle)
			e++;
		segment[i] = e;
	}
	for (let i = 0; i < values.length; i++) {
		let sum = 0, n = 0;

		for (let k = Math.max(0, i - half); k <= i + half && k < values.length; k++)
			if (segment[k] === segment[i]) {
				sum += values[k];
				n++;
			}
		out[i] = sum / n;
	}
	return out;
}
