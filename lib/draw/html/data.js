/* data.js - the page's data: its JSON and its packed arrays (lib/draw/html_arrays.h) as runs and
 * devices. All times here are on the page's axis: a run's own seconds plus its shift. */

function fromBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	return Uint8Array.from(atob(text), c => c.charCodeAt(0));
}

async function inflate(id) {
	const packed = fromBase64(byId(id).textContent);
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Three planes of bytes, the upper ones of IEEE singles. */
function unpackFloats(bytes, ref) {
	const out = new Float32Array(ref.n), bits = new Uint32Array(out.buffer), n = ref.n;

	for (let i = 0, at = ref.at; i < n; i++, at++)
		bits[i] = bytes[at] << 8 | bytes[at + n] << 16 | bytes[at + 2 * n] << 24;
	return out;
}

/* The cells of a map that have something, column by column: most have nothing. owners: whose they
 * are, where the page is coloured by process. */
function unpackShades(bytes, ref, columns, owners) {
	const cells = bytes.subarray(ref.at, ref.at + ref.n), rows = ref.n / columns;
	const starts = new Uint32Array(columns + 1);

	for (let i = 0, column = 0; i < ref.n; i++) {
		if (cells[i])
			starts[column + 1]++;
		if (++column === columns)
			column = 0;
	}
	for (let column = 0; column < columns; column++)
		starts[column + 1] += starts[column];
	const next = starts.slice(), row = new Uint16Array(starts[columns]), shade = new Uint8Array(starts[columns]);
	const owner = owners && new Uint8Array(starts[columns]);

	for (let y = 0, i = 0; y < rows; y++)
		for (let column = 0; column < columns; column++, i++)
			if (cells[i]) {
				const k = next[column]++;

				row[k] = y;
				shade[k] = cells[i];
				if (owner)
					owner[k] = bytes[owners.at + i] - 1;
			}
	return { columns, rows, starts, row, shade, owner };
}

/* The same of cells that are numbers of I/Os: amount has those, shade their place up to the largest. */
function unpackCounts(bytes, ref, columns) {
	const counts = unpackFloats(bytes, ref), shades = new Uint8Array(counts.length);
	let max = 2;

	for (const n of counts)
		max = Math.max(max, n);
	for (let i = 0; i < counts.length; i++)
		shades[i] = counts[i] > 0 ? Math.round(1 + 254 * Math.log(Math.max(counts[i], 1)) / Math.log(max)) : 0;
	const map = unpackShades(shades, { at: 0, n: shades.length }, columns);

	map.amount = new Float32Array(map.row.length);
	for (let column = 0; column < columns; column++)
		for (let k = map.starts[column]; k < map.starts[column + 1]; k++)
			map.amount[k] = counts[map.row[k] * columns + column];
	return map;
}

class Device {
	constructor(tree, index, run, pieces) {
		Object.assign(this, { name: tree.name, role: tree.role, basis: tree.basis, top: tree.top,
			requests: tree.requests, parents: tree.parents, index, run });
		this.tree = tree;
		this.pieces = pieces;
		this.unpacked = new Map();
	}

	/* A course in the run's cells, null where it is nothing but 0. */
	course(name) {
		return this.once(name, this.tree.courses[name], ref => unpackFloats(this.pieces.first, ref));
	}

	/* Where its maps are; null: not unpacked yet. */
	get maps() {
		return this.top ? this.pieces.first : this.pieces.later;
	}

	map(op) {
		return this.maps && this.once('map ' + op, this.tree.map?.[op],
			ref => unpackShades(this.maps, ref, this.run.coarse.count, this.tree.map[op + '_owners']));
	}

	heat() {
		return this.maps && this.once('heat', this.tree.heat?.ios,
			ref => unpackCounts(this.maps, ref, this.run.coarse.count));
	}

	once(key, ref, unpack) {
		if (!this.unpacked.has(key))
			this.unpacked.set(key, ref ? unpack(ref) : null);
		return this.unpacked.get(key);
	}
}

class Run {
	constructor(tree, index, pieces) {
		Object.assign(this, tree);
		this.index = index;
		this.start = tree.start_s + tree.shift_s;
		this.end = this.start + tree.span_s;
		for (const cells of [this.cells, this.coarse]) {
			cells.start = cells.start_s + tree.shift_s;
			cells.width = cells.width_s;
		}
		/* A course's cells per cell of maps, and how many the first of those lacks. */
		this.ratio = Math.round(this.coarse.width / this.cells.width);
		this.lead = Math.round((this.cells.start - this.coarse.start) / this.cells.width);
		this.devices = tree.devices.map((d, i) => new Device(d, i, this, pieces));
		this.messages = tree.messages.map(m => ({ ...m, at: m.time_s + tree.shift_s }));
		for (const sampled of Object.values(tree.samples).flat())
			sampled.values = sampled.course ? unpackFloats(pieces.first, sampled.course) : new Float32Array(this.coarse.count);
		this.gaps = tree.gaps.map(g => ({ ...g, start: g.start_s + tree.shift_s, end: g.end_s + tree.shift_s }));
	}

	/* A partition, or a volume on one array, has nothing to balance. */
	get largestArray() {
		return this.arrays.filter(a => a.members > 1).sort((a, b) => b.members - a.members)[0];
	}

	/* Among the devices that are shown, those which no other shown one stands above: what is
	 * added up, so that nothing counts twice. */
	roots(hidden) {
		const shown = this.devices.filter(d => !hidden.has(d.name));
		const under = d => d.parents.some(p => shown.includes(this.devices[p]) || under(this.devices[p]));

		return shown.filter(d => !under(d));
	}
}

async function loadPage() {
	const tree = JSON.parse(document.getElementById('data').textContent);
	const pieces = { first: await inflate('arrays'), later: null };

	/* loadLater(): what the first view does not need. */
	/* wall: the time of day of 0 on the page's axis, where that is to be shown. */
	return { ...tree, wall: tree.wall ? tree.wall[0] + tree.wall[1] * 1e-9 : null, runs: tree.runs.map((run, i) => new Run(run, i, pieces)),
		loadLater: async () => { pieces.later ??= await inflate('later'); } };
}
