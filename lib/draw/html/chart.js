/* chart.js - one run's panels on a canvas, and above it the moving things (the moment that is read,
 * the stretch that is chosen), for which nothing is drawn again. Knows nothing of the page around. */

const margin = { left: 66, right: 40, lane: 18, heading: 17, gap: 3, axis: 36 };
const font = (size, bold) => `${bold ? '600 ' : ''}${size}px system-ui, "DejaVu Sans", "Noto Sans", sans-serif`;

/* What panels draw with. */
class Pen {
	constructor(ctx, ratio, colors, scratch) {
		Object.assign(this, { ctx, ratio, colors, scratch });
	}

	x(t) {
		return this.rect.x + (t - this.view.t0) / (this.view.t1 - this.view.t0) * this.rect.w;
	}

	y(scale, value) {
		return this.rect.y + this.rect.h * (1 - Math.min(1.02, Math.max(0, scale.place(value))));
	}

	widthOf(text, { size = 11, bold = false } = {}) {
		this.ctx.font = font(size, bold);
		return this.ctx.measureText(text).width;
	}

	/* Shortened with "…" to width, where that is given. */
	text(text, x, y, { align = 'left', size = 11, bold = false, color = this.colors.ink, width = Infinity } = {}) {
		const { ctx } = this;

		ctx.font = font(size, bold);
		ctx.textAlign = align;
		ctx.fillStyle = color;
		if (width < Infinity && ctx.measureText(text).width > width) {
			const letters = [...text];

			while (letters.length > 1 && ctx.measureText(letters.join('') + '…').width > width)
				letters.pop();
			text = letters.join('') + '…';
		}
		ctx.fillText(text, x, y);
	}

	axis(scale) {
		const { ctx, rect, colors } = this;

		for (const tick of scale.ticks) {
			const y = Math.round(this.y(scale, tick.at)) + 0.5;

			ctx.fillStyle = colors.grid;
			ctx.fillRect(rect.x, y - 0.5, rect.w, 1);
			this.text(tick.label, rect.x - 6, y + 3.5, { align: 'right', color: colors.soft });
		}
		ctx.fillStyle = colors.axis;
		ctx.fillRect(rect.x, Math.round(rect.y + rect.h) - 1, rect.w, 1);
	}
}

class Chart {
	constructor(run, host) {
		this.run = run;
		this.host = host;
		this.canvas = document.createElement('canvas');
		[this.over, this.moment, this.stretch, this.readout] = ['over', 'moment', 'stretch', 'readout'].map(className => {
			const e = document.createElement('div');

			e.className = className;
			return e;
		});
		this.moment.hidden = this.stretch.hidden = this.readout.hidden = true;
		this.over.append(this.stretch, this.moment);
		this.readout.setAttribute('aria-hidden', 'true');
		this.canvas.setAttribute('role', 'img');
		this.canvas.setAttribute('aria-label', `Panels of ${run.label} over time; the tables below have the numbers.`);
		this.scratch = new Map(); /* canvases that maps are painted on, by size */
		host.append(this.canvas, this.over, this.readout);
		this.width = 0;
	}

	choose(hidden) {
		this.selection = new Selection(this.run, hidden);
	}

	get plot() {
		return { x: margin.left, w: Math.max(50, this.width - margin.left - margin.right) };
	}

	/* Where each panel lies. heights: of the tallest run's, so that panels line up. width: on paper,
	 * else 0. */
	layout(panels, heights, width) {
		let y = margin.lane;

		this.width = width || this.host.clientWidth;
		this.places = panels.map((panel, i) => {
			const rect = { ...this.plot, y: y + margin.heading, h: heights[i] };

			y += margin.heading + heights[i] + margin.gap;
			return { panel, rect };
		});
		this.bottom = y;
		this.height = y + margin.axis;
		const ratio = width ? 2 : globalThis.devicePixelRatio || 1;

		const { canvas } = this, w = Math.round(this.width * ratio), h = Math.round(this.height * ratio);

		if (canvas.width !== w || canvas.height !== h) {
			canvas.width = w;
			canvas.height = h;
			canvas.style.height = this.height + 'px';
		}
		this.moment.style.height = this.stretch.style.height = this.bottom - margin.gap + 'px';
		this.ratio = ratio;
	}

	prepare(view, show) {
		this.view = view;
		this.data = this.places.map(({ panel }) => panel.prepare(this.selection, view, this.plot.w, show));
	}

	draw(scales, show, page, colors) {
		const ctx = this.canvas.getContext('2d', { alpha: false }), pen = new Pen(ctx, this.ratio, colors, this.scratch);

		this.scales = scales;
		ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
		ctx.fillStyle = colors.paper;
		ctx.fillRect(0, 0, this.width, this.height);
		pen.view = this.view;
		this.drawGaps(pen);
		this.places.forEach(({ panel, rect }, i) => {
			const scale = scales[i], own = Array.isArray(scale);

			this.places[i].bands = own ? scale.map((_, b) => ioPanel.bandRect(rect, scale.length, b)) : [rect];
			pen.rect = rect;
			this.drawHeading(pen, panel, scale, show, page);
			if (rect.h === emptyHeight) {
				pen.text('none', rect.x, rect.y + 10, { color: colors.soft });
				return;
			}
			if (!own && panel !== membersPanel)
				pen.axis(scale);
			if (!this.data[i])
				return;
			ctx.save();
			if (!own && panel !== membersPanel) {
				ctx.beginPath();
				ctx.rect(rect.x, rect.y - 2, rect.w, rect.h + 3);
				ctx.clip();
			}
			panel.draw(pen, this.data[i], scale, this);
			ctx.restore();
		});
		this.drawEnd(pen);
		this.drawMarks(pen);
		this.drawTime(pen, page.wall);
	}

	drawHeading(pen, panel, scale, show, page) {
		const { rect, colors } = pen, y = rect.y - 5;
		let x = rect.x + rect.w;

		/* Of several scales each says its own. */
		const { unit } = Array.isArray(scale) && scale.length === 1 ? scale[0] : scale;
		const title = panel.title + (unit ? ` (${unit})` : '');
		const used = pen.widthOf(title, { bold: true });

		pen.text(title, rect.x, y, { bold: true });

		for (const [color, name] of panel.key(show, page).reverse()) {
			if (x - 80 < rect.x + used)
				break;
			pen.text(name, x, y, { align: 'right', color: colors.soft });
			x -= pen.widthOf(name) + 13;
			pen.ctx.fillStyle = colors[color] ?? colors.sampled(color);
			pen.ctx.fillRect(x, y - 8, 9, 9);
			x -= 12;
		}
		if (panel.note && x - 190 > rect.x + used)
			pen.text(panel.note(this.selection), x, y, { align: 'right', color: colors.soft });
	}

	/* Bands through all panels, in the lane above them number, length and kind as far as they fit. */
	drawGaps(pen) {
		const { ctx, colors } = pen, { t0, t1 } = this.view;
		let free = margin.left, done = 0;

		pen.rect = { ...this.plot, y: 0, h: this.bottom - margin.gap };
		const right = pen.rect.x + pen.rect.w, clip = x => Math.min(right, Math.max(pen.rect.x, x));

		for (const gap of this.selection.gaps) {
			const x0 = clip(pen.x(gap.start)), x1 = clip(pen.x(gap.end));

			if (gap.end <= t0 || gap.start >= t1 || (!gap.number && x1 <= done))
				continue;
			const idle = gap.kind === 'submit' ? clip(pen.x(Math.max(gap.start, gap.end - gap.idle_s))) : x0;

			/* The last requests still drain at the start of a gap in submission: lighter. */
			/* Those that have no number are there all the same, faintly. */
			const strength = gap.number ? 1 : 0.4;

			ctx.fillStyle = colors['gap-' + gap.kind];
			ctx.globalAlpha = 0.5 * strength;
			ctx.fillRect(x0, 0, idle - x0, pen.rect.h);
			ctx.globalAlpha = strength;
			ctx.fillRect(idle, 0, Math.max(x1 - idle, 0.7), pen.rect.h);
			ctx.globalAlpha = 1;
			if (!gap.number) {
				done = x1;
				continue;
			}
			hatch(ctx, { x: x0, y: 18, w: x1 - x0, h: pen.rect.h - 18 }, gapHatches[gap.kind], 12, colors[`gap-${gap.kind}-text`], 0.2);
			const length = durationText(gap.end - gap.start), name = gap.number + gapLetters[gap.kind];
			const candidates = [`${name}: ${length} ${gapWords[gap.kind]}`, `${name}: ${length}`, name, String(gap.number)];

			for (const text of candidates) {
				const w = pen.widthOf(text, { bold: true });
				const middle = Math.max(free + w / 2, Math.min((x0 + x1) / 2, right - w / 2));

				if ((w > x1 - x0 - 6 && !candidates.slice(2).includes(text)) || middle + w / 2 > right || middle - w / 2 > x1 + 4)
					continue;
				pen.text(text, middle, 13, { align: 'center', bold: true, color: colors[`gap-${gap.kind}-text`] });
				free = middle + w / 2 + 3;
				break;
			}
		}
	}

	/* Where a run ends before the longest: a dotted line, so that "short" is told from "still". */
	drawEnd(pen) {
		const { ctx, colors } = pen, { run } = this;

		pen.rect = { ...this.plot, y: 0, h: this.bottom - margin.gap };
		const x = Math.round(pen.x(run.end)) + 0.5, right = pen.rect.x + pen.rect.w, text = `ends after ${durationText(run.span_s)}`;

		if (run.end <= this.view.t0 || x > right - 10)
			return;
		ctx.beginPath();
		ctx.moveTo(x, 0);
		ctx.lineTo(x, pen.rect.h);
		ctx.strokeStyle = colors.soft;
		ctx.lineWidth = 1;
		ctx.setLineDash([2, 2]);
		ctx.stroke();
		ctx.setLineDash([]);
		if (pen.widthOf(text) < right - x - 6)
			pen.text(text, x + 5, 13, { color: colors.soft });
	}

	/* Where text was written into the trace: at the foot of the lowest panel, one a pixel. */
	drawMarks(pen) {
		let last = -Infinity;

		pen.rect = { ...this.plot, y: 0, h: 0 };
		pen.ctx.fillStyle = pen.colors.mark;
		for (const { at } of this.run.messages) {
			const x = Math.round(pen.x(at));

			if (x !== last && at >= this.view.t0 && at <= this.view.t1)
				pen.ctx.fillRect(x, this.bottom - margin.gap - 9, 1, 9);
			last = x;
		}
	}

	/* The message nearest to a moment, not farther than a few pixels. */
	messageAt(t) {
		const near = 4 / this.plot.w * (this.view.t1 - this.view.t0);

		return this.run.messages.reduce((best, m) => Math.abs(m.at - t) < (best ? Math.abs(best.at - t) : near) ? m : best, null);
	}

	drawTime(pen, wall) {
		const { ctx, colors } = pen, { t0, t1 } = this.view, rect = { ...this.plot, y: 0, h: 0 };
		const scale = wall ? Scale.clock(t0, t1, Math.max(2, Math.floor(rect.w / 80)), wall) : Scale.time(t0, t1, Math.max(2, Math.floor(rect.w / 64)));

		pen.rect = rect;
		for (const tick of scale.ticks) {
			const x = pen.x(tick.at);

			ctx.fillStyle = colors.axis;
			ctx.fillRect(Math.round(x), this.bottom - margin.gap, 1, 4);
			pen.text(tick.label, x, this.bottom + 13, { align: 'center', color: colors.soft });
		}
		pen.text(scale.unit, rect.x + rect.w / 2, this.bottom + 29, { align: 'center', color: colors.soft });
	}

	timeAt(x) {
		const { x: left, w } = this.plot;

		return this.view.t0 + (Math.min(left + w, Math.max(left, x)) - left) / w * (this.view.t1 - this.view.t0);
	}

	/* The panel at y and where in its scale. */
	placeAt(y) {
		const i = this.places.findIndex(({ rect }) => y >= rect.y && y <= rect.y + rect.h);

		if (i < 0)
			return null;
		const { panel, bands } = this.places[i], scales = [this.scales[i]].flat();
		const band = bands.findIndex(rect => y >= rect.y && y <= rect.y + rect.h), rect = bands[band];

		/* Between two bands there is no value. */
		return { panel, band, value: scales[band]?.value(1 - (y - rect.y) / rect.h) };
	}

	/* The moving things: the moment that is read, the stretch that is being chosen. */
	drawOver(hover, select) {
		const { x, w } = this.plot, { t0, t1 } = this.view;
		const place = t => x + (Math.min(t1, Math.max(t0, t)) - t0) / (t1 - t0) * w;

		this.stretch.hidden = !select;
		if (select) {
			const [a, b] = select.map(place);

			this.stretch.style.left = Math.min(a, b) + 'px';
			this.stretch.style.width = Math.abs(b - a) + 'px';
		}
		this.moment.hidden = !(hover !== null && hover >= t0 && hover <= t1);
		if (!this.moment.hidden)
			this.moment.style.transform = `translateX(${Math.round(place(hover))}px)`;
	}
}
