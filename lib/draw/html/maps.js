/* maps.js - the panels that are clouds of cells: the seek map and the latency map. Same form as those
 * in panels.js. */

const bandMax = 8, bandName = 16;
const operations = ['read', 'write', 'discard'];

/* "#rrggbb" as pixels of an ImageData seen as 32-bit words, one a shade. */
function tintsOf(color, alphaOf) {
	const [red, green, blue] = channelsOf(color);

	return Uint32Array.from({ length: 256 }, (_, s) => Math.round(255 * alphaOf(s)) << 24 | blue << 16 | green << 8 | red);
}

/* The mean of two pixels, channel by channel. */
const between = (a, b) => (((a >>> 1) & 0x7f7f7f7f) + ((b >>> 1) & 0x7f7f7f7f)) >>> 0;

/* Something to paint on, kept from frame to frame. */
function scratchOf(known, w, h) {
	const key = `${w}x${h}`;

	if (!known.has(key)) {
		if (known.size > 8)
			known.clear();
		const canvas = document.createElement('canvas');

		canvas.width = w;
		canvas.height = h;
		canvas.image = new ImageData(w, h);
		known.set(key, canvas);
	}
	return known.get(key);
}

/* Draws cells of maps into a rectangle. layers: [{ map, color }], or colors of map.owner; y0(row), y1(row) in 0..1 from the
 * bottom; a cell of which anything is in view is never smaller than least pixels. */
function drawCells(pen, view, coarse, layers, rowEdges, least, alphaOf) {
	const { ctx, rect, ratio } = pen;
	const w = Math.round(rect.w * ratio), h = Math.round(rect.h * ratio);

	if (w < 1 || h < 1)
		return;
	const scratch = scratchOf(pen.scratch, w, h);
	const pixels = new Uint32Array(scratch.image.data.buffer).fill(0);
	let used0 = h, used1 = 0;
	const perSecond = w / (view.t1 - view.t0), small = Math.ceil(least * ratio);

	layers.forEach(({ map, color, colors = [color] }, layer) => {
		const first = Math.max(0, Math.floor((view.t0 - coarse.start) / coarse.width));
		const end = Math.min(coarse.count, Math.ceil((view.t1 - coarse.start) / coarse.width));
		const tints = colors.map(c => tintsOf(c, alphaOf));
		const tops = new Int32Array(map.rows), bottoms = new Int32Array(map.rows);

		for (let row = 0; row < map.rows; row++) {
			const [low, high] = rowEdges(row);

			if (high <= 0 || low >= 1)
				continue; /* top and bottom are 0: nothing is drawn */
			bottoms[row] = Math.min(h, Math.max(small, Math.round(h - low * h)));
			tops[row] = Math.max(0, Math.min(Math.round(h - high * h), bottoms[row] - small));
		}
		for (let column = first; column < end; column++) {
			const left = (coarse.start + column * coarse.width - view.t0) * perSecond;
			const x0 = Math.max(0, Math.min(Math.round(left), w - small));
			const x1 = Math.min(w, Math.max(Math.round(left + coarse.width * perSecond), x0 + small));

			for (let k = map.starts[column]; k < map.starts[column + 1]; k++) {
				const tint = tints[map.owner ? map.owner[k] : 0][map.shade[k]], y0 = tops[map.row[k]], y1 = bottoms[map.row[k]];

				used0 = Math.min(used0, y0);
				used1 = Math.max(used1, y1);
				for (let y = y0; y < y1; y++)
					for (let i = y * w + x0, to = y * w + x1; i < to; i++) {
						const old = pixels[i];

						/* Of one kind the denser cell wins (opacity is the upper byte);
						 * two kinds mix. */
						if (layer === 0 || (old & 0xffffff) === (tint & 0xffffff) || old === 0) {
							if (tint > old)
								pixels[i] = tint;
						} else {
							pixels[i] = between(old, tint);
						}
					}
			}
		}
	});
	if (used1 <= used0)
		return;
	const rows = used1 - used0;

	scratch.getContext('2d').putImageData(scratch.image, 0, 0, 0, used0, w, rows);
	ctx.drawImage(scratch, 0, used0, w, rows, rect.x, rect.y + used0 / h * rect.h, rect.w, rows / h * rect.h);
}

const ioPanel = {
	id: 'io',
	height: selection => 240 + 60 * Math.min(4, Math.max(0, Math.min(bandMax, selection.roots.length) - 1)),
	prepare(selection, view, pixels, show) {
		const bands = selection.roots.slice(0, bandMax).map(device => {
			const map = device.tree.map;

			return { device, map, layers: operations.filter(op => show[op] && map).map(op => ({ op, map: device.map(op) })).filter(l => l.map) };
		});

		return { bands, hidden: selection.roots.length - bands.length };
	},
	/* Here a list: one scale a band. */
	scale(all, page) {
		const count = Math.max(...all.map(d => d.bands.length), 0);

		return Array.from({ length: count }, (_, i) => {
			let low = Infinity, high = 0;

			for (const { bands } of all) {
				const map = bands[i]?.map;

				if (map) {
					low = Math.min(low, map.first * 512);
					high = Math.max(high, (map.first + map.rows * map.sectors) * 512);
				}
			}
			if (page.sectors)
				[low, high] = [page.sectors[0] * 512, (page.sectors[1] + 1) * 512];
			else if (!(low < high))
				[low, high] = [0, 1];
			else if (low < (high - low) / 8)
				low = 0; /* near enough: an axis that begins at 0 is read faster */
			return Scale.offset(low, high, count === 1 ? 6 : count === 2 ? 4 : 3);
		});
	},
	/* Of several each has its name above it. */
	bandRect(rect, count, i) {
		/* Whole pixels: what lies between two is painted pale at its rims. */
		const name = count > 1 ? bandName : 0, h = Math.floor(rect.h / count) - name;

		return { x: rect.x, y: rect.y + i * (h + name) + name, w: rect.w, h };
	},
	draw(pen, { bands, hidden }, scales, chart) {
		const whole = pen.rect;

		scales.forEach((scale, i) => {
			pen.rect = ioPanel.bandRect(whole, scales.length, i);
			pen.axis(scale);
			const band = bands[i];

			if (!band)
				return;
			const bottom = row => scale.place((band.map.first + row * band.map.sectors) * 512);

			drawCells(pen, chart.view, chart.run.coarse,
				band.layers.map(l => ({ map: l.map, color: pen.colors[l.op], colors: l.map.owner ? pen.colors.processes : undefined })),
				row => [bottom(row), bottom(row + 1)], 2.2, s => 0.55 + 0.45 * s / 255);
			if (scales.length === 1)
				return;
			const y = pen.rect.y - 4, name = `${band.device.name} (${scale.unit})`, used = pen.widthOf(name, { bold: true }) + 12;

			pen.text(name, whole.x, y, { bold: true, color: pen.colors.soft, width: whole.w });
			if (hidden > 0 && i === 0)
				pen.text(`${hidden} more devices not drawn: choose under "Devices"`, whole.x + whole.w, y,
					{ align: 'right', bold: true, color: pen.colors.alarm, width: whole.w - used });
		});
		pen.rect = whole;
	},
	/* Of processes the key stands above the panels: it is long. */
	key: (show, page) => page.processes.length ? [] : operations.filter(op => show[op] && page.has[op]).map(op => [op, op + 's']),
};

const latencyPanel = {
	id: 'latency',
	height: () => 116,
	prepare(selection, view, pixels) {
		const { coarse } = selection.run, g = grouping(coarse, view, pixels, 6), { heats } = selection;
		let min = Infinity, max = 0;

		for (const heat of heats) {
			min = Math.min(min, heat.edges[0]);
			max = Math.max(max, heat.edges[heat.rows]);
		}
		return { g, heats, min, max, ...groupQuantiles(selection, g) };
	},
	scale(all) {
		const max = maximum(all.map(d => d.max));

		return max > 0 ? Scale.latency(Math.min(...all.map(d => d.min)), max) : Scale.latency(1e-3, 1);
	},
	draw(pen, { g, heats, p50, p99 }, scale, chart) {
		for (const heat of heats) {
			const edge = row => scale.place(heat.edges[row]);

			drawCells(pen, chart.view, chart.run.coarse, [{ map: heat.map, color: pen.colors.heat }],
				row => [edge(row), edge(row + 1)], 2.6, s => 0.12 + 0.55 * s / 255);
		}
		line(pen, g, p99, scale, pen.colors.p99);
		line(pen, g, p50, scale, pen.colors.ink);
	},
	key: () => [['ink', 'median'], ['p99', '99th percentile']],
};

const allPanels = [ioPanel, membersPanel, throughputPanel, latencyPanel, seekPanel, iopsPanel, depthPanel, sizePanel, mergePanel,
	sampledPanel('vm', false), sampledPanel('cpu', true)];

/* Gives the panels their titles and puts them in order: both are the picture's. */
function arrangePanels(titles) {
	const order = titles.map(([id]) => id);

	for (const panel of allPanels)
		panel.title = titles.find(([id]) => id === panel.id)[1];
	allPanels.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}
