/* maps.js - the panels that are clouds of cells: the seek map and the latency map. Same form as those
 * in panels.js. */

const bandMax = 8;
const operations = ['read', 'write', 'discard'];

/* "#rrggbb" as a pixel of an ImageData seen as 32-bit words, opacity 0..255. */
function pixelOf(color, alpha) {
	return (alpha << 24 | parseInt(color.slice(5, 7), 16) << 16 | parseInt(color.slice(3, 5), 16) << 8 |
		parseInt(color.slice(1, 3), 16)) >>> 0;
}

/* The mean of two pixels, channel by channel. */
const between = (a, b) => (((a >>> 1) & 0x7f7f7f7f) + ((b >>> 1) & 0x7f7f7f7f)) >>> 0;

/* Draws cells of maps into a rectangle. layers: [{ map, color }]; y0(row), y1(row) in 0..1 from the
 * bottom; a cell is never smaller than least pixels. */
function drawCells(pen, view, coarse, layers, rowEdges, least, alphaOf) {
	const { ctx, rect, ratio } = pen;
	const w = Math.round(rect.w * ratio), h = Math.round(rect.h * ratio);

	if (w < 1 || h < 1)
		return;
	const { scratch } = pen;

	/* One piece of memory for all maps of a size. */
	if (scratch.width !== w || scratch.height !== h || !scratch.image) {
		scratch.width = w;
		scratch.height = h;
		scratch.image = new ImageData(w, h);
	}
	const pixels = new Uint32Array(scratch.image.data.buffer).fill(0);
	const perSecond = w / (view.t1 - view.t0), small = Math.ceil(least * ratio);

	layers.forEach(({ map, color }) => {
		const first = Math.max(0, Math.floor((view.t0 - coarse.start) / coarse.width));
		const end = Math.min(coarse.count, Math.ceil((view.t1 - coarse.start) / coarse.width));
		const tints = Array.from({ length: 256 }, (_, s) => pixelOf(color, Math.round(255 * alphaOf(s))));

		for (let column = first; column < end; column++) {
			const left = (coarse.start + column * coarse.width - view.t0) * perSecond;
			const x0 = Math.max(0, Math.round(left));
			const x1 = Math.min(w, Math.max(Math.round(left + coarse.width * perSecond), Math.round(left) + small));

			for (let k = map.starts[column]; k < map.starts[column + 1]; k++) {
				const [low, high] = rowEdges(map.row[k]);
				const bottom = Math.round(h - low * h);
				const y1 = Math.min(h, bottom), y0 = Math.max(0, Math.min(Math.round(h - high * h), bottom - small));
				const tint = tints[map.shade[k]];

				for (let y = y0; y < y1; y++)
					for (let i = y * w + x0, to = y * w + x1; i < to; i++) {
						const old = pixels[i];

						/* Of one kind the denser cell wins; two kinds mix. */
						pixels[i] = old === 0 ? tint
							: (old & 0xffffff) === (tint & 0xffffff) ? Math.max(old >>> 24, tint >>> 24) << 24 | tint & 0xffffff
							: between(old, tint);
					}
			}
		}
	});
	scratch.getContext('2d').putImageData(scratch.image, 0, 0);
	ctx.drawImage(scratch, rect.x, rect.y, rect.w, rect.h);
}

const ioPanel = {
	id: 'io', title: 'offset',
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
	bandRect(rect, count, i) {
		const gap = count > 1 ? 4 : 0, h = (rect.h - gap * (count - 1)) / count;

		return { x: rect.x, y: rect.y + i * (h + gap), w: rect.w, h };
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
				band.layers.map(l => ({ map: l.map, color: pen.colors[l.op] })),
				row => [bottom(row), bottom(row + 1)], 2.2, s => 0.55 + 0.45 * s / 255);
			if (scales.length > 1)
				pen.text(`${band.device.name} (${scale.unit})`, pen.rect.x + 4, pen.rect.y + 12, { bold: true, color: pen.colors.soft });
		});
		if (hidden > 0)
			pen.text(`${hidden} more devices not drawn: choose under "Devices"`, whole.x + 4, whole.y + whole.h - 4, { bold: true, color: pen.colors.alarm });
		pen.rect = whole;
	},
	titleOf: scales => scales.length === 1 ? `offset (${scales[0].unit})` : 'offset',
	key: (show, page) => operations.filter(op => show[op] && page.has[op]).map(op => [op, op + 's']),
};

const latencyPanel = {
	id: 'latency', title: 'latency',
	height: () => 116,
	prepare(selection, view, pixels) {
		const { coarse } = selection.run, g = grouping(coarse, view, pixels, 6), weights = ['ios_read', 'ios_write'];
		const heats = selection.roots.filter(d => d.heat()).map(d => ({ map: d.heat(), ...d.tree.heat }));
		let min = Infinity, max = 0;

		for (const heat of heats) {
			min = Math.min(min, 10 ** (heat.low / heat.per_decade));
			max = Math.max(max, 10 ** ((heat.low + heat.rows) / heat.per_decade));
		}
		return { g, heats, min, max, p50: groupAverages(selection.average('p50', weights, true), g),
			p99: groupAverages(selection.average('p99', weights, true), g) };
	},
	scale(all) {
		const max = maximum(all.map(d => d.max));

		return max > 0 ? Scale.latency(Math.min(...all.map(d => d.min)), max) : Scale.latency(1e-3, 1);
	},
	draw(pen, { g, heats, p50, p99 }, scale, chart) {
		for (const heat of heats) {
			const edge = row => scale.place(10 ** ((heat.low + row) / heat.per_decade));

			drawCells(pen, chart.view, chart.run.coarse, [{ map: heat.map, color: pen.colors.heat }],
				row => [edge(row), edge(row + 1)], 2.6, s => 0.12 + 0.55 * s / 255);
		}
		line(pen, g, p99, scale, pen.colors.p99);
		line(pen, g, p50, scale, pen.colors.ink);
	},
	key: () => [['ink', 'median'], ['p99', '99th percentile']],
};

const allPanels = [ioPanel, membersPanel, throughputPanel, latencyPanel, seekPanel, iopsPanel, depthPanel, sizePanel];
