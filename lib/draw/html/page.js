/* page.js - puts the page together: charts, lists, toolbar, keys and pointer. Begins when the data is
 * unpacked. */

const byId = id => document.getElementById(id);
const colorNames = () => ['paper', 'ink', 'soft', 'grid', 'axis', 'row', 'read', 'write', 'discard', 'both', 'p99', 'heat',
	'alarm', 'mark', ...Object.keys(gapWords).flatMap(k => ['gap-' + k, `gap-${k}-text`])];

/* What is drawn for paper, in pixels: with it text is as large as a book's notes. */
const paperWidth = 900;

class Page {
	constructor(page) {
		this.page = page;
		const all = page.runs.flatMap(r => r.devices);

		page.has = {
			read: all.some(d => d.tree.courses.bytes_read), write: all.some(d => d.tree.courses.bytes_write),
			discard: all.some(d => d.tree.map?.discard),
		};
		this.hover = null;
		this.select = null;
		this.cancels = []; /* what ends a drag that is not to count, a chart each */
		this.frames = { count: 0, longest: 0 };
		this.view = new View(page, () => this.update());
		this.build();
		this.connect();
		this.view.fromFragment(location.hash);
		this.choose();
	}

	build() {
		const { runs, title, processes } = this.page;

		byId('title').textContent = title ?? (runs.length === 1 ? runs[0].label : runs.map(r => r.label).join(' · '));
		const host = byId('runs');

		this.setColumns(this.page.columns || 4);
		this.charts = runs.map(run => {
			const plot = element('div', { className: 'plot' });
			const box = element('section', { className: 'run', 'aria-label': run.label });
			const head = element('div');

			if (runs.length > 1 || title)
				head.append(element('h2', { text: run.label }));
			head.append(element('p', { className: 'facts', text: run.facts }));
			if (processes.length)
				head.append(element('ul', { className: 'processes', 'aria-label': 'Processes' }, ...processes.map(p =>
					element('li', {}, element('span', { className: 'swatch' }), p.name))));
			const gaps = element('div');

			box.append(head, findingsList(run, gap => this.lookAt(gap, run)), plot, gaps);
			host.append(box);
			const chart = new Chart(run, plot);

			chart.gapsBox = gaps;
			return chart;
		});
		fillMetrics(byId('metrics'), runs);
		fillMessages(byId('messages'), runs);
		byId('foot').textContent = this.page.generator + (this.page.command ? ' · ' + this.page.command : '');
		this.buildToggles();
		byId('toolbar').hidden = false;
		byId('numbers').hidden = !this.page.stats;
	}

	setColumns(most) {
		this.columns = Math.min(this.page.runs.length, most);
		byId('runs').style.setProperty('--columns', this.columns);
	}

	checkbox(host, text, isOn, set, className = '') {
		const box = element('input', { type: 'checkbox' }), label = element('label', { className }, box);

		if (operations.includes(className))
			label.append(element('span', { className: 'swatch ' + className }));
		label.className = className === 'child' ? 'child' : '';
		label.append(text);
		box.addEventListener('change', () => {
			set(box.checked);
			this.choose();
		});
		this.boxes.push(() => { box.checked = isOn(); });
		host.append(label);
	}

	buildToggles() {
		const { view, page } = this, toggle = (set, key) => on => on ? set.add(key) : set.delete(key);

		this.boxes = [];
		for (const op of operations)
			if (page.has[op])
				this.checkbox(byId('directions'), op === 'read' ? 'reads' : op === 'write' ? 'writes' : 'discards',
					() => view.show[op], on => { view.show[op] = on; }, op);
		for (const panel of allPanels.filter(p => p.available?.(page) ?? true))
			this.checkbox(byId('panels'), panel.title, () => view.panels.has(panel.id), on => toggle(view.panels, panel.id)(on));
		const seen = new Set();

		for (const device of page.runs.flatMap(r => r.devices))
			if (!seen.has(device.name)) {
				seen.add(device.name);
				this.checkbox(byId('devices'), device.name, () => !view.hidden.has(device.name),
					on => toggle(view.hidden, device.name)(!on), device.parents.length ? 'child' : '');
			}
	}

	/* Zooms to a gap, or to the whole run. */
	lookAt(gap) {
		if (gap)
			this.view.lookAround(gap.start, gap.end);
		else
			this.view.reset();
	}

	/* The maps of members are there, too: drawn where they are shown. */
	async loadLater() {
		await this.page.loadLater();
		if (this.charts.some(c => c.selection.roots.some(d => !d.top)))
			this.update();
	}

	/* What is shown has changed. */
	choose() {
		for (const chart of this.charts) {
			const key = [...this.view.hidden].sort().join();

			if (chart.chosen === key)
				continue;
			chart.chosen = key;
			chart.choose(this.view.hidden);
			chart.gapsBox.replaceChildren(gapsList(chart.selection, gap => this.lookAt(gap)));
		}
		this.boxes.forEach(set => set());
		if (this.view.theme)
			document.documentElement.dataset.theme = this.view.theme;
		else
			delete document.documentElement.dataset.theme;
		byId('theme').textContent = { '': 'Auto', light: 'Light', dark: 'Dark' }[this.view.theme];
		this.colors = null;
		this.update();
	}

	/* Draws with the next frame. */
	update() {
		this.stale = true;
		this.request();
	}

	request() {
		if (!this.requested) {
			this.requested = true;
			requestAnimationFrame(() => {
				this.requested = false;
				if (this.stale)
					this.draw();
				this.drawOver();
			});
		}
	}

	readColors() {
		const style = getComputedStyle(document.documentElement);

		this.colors = Object.fromEntries(colorNames().map(name => [name, style.getPropertyValue('--' + name).trim()]));
		['read', 'write', 'discard'].forEach((name, i) => {
			if (this.page.colors[i] !== undefined)
				this.colors[name] = hexColor(this.page.colors[i]);
		});
		/* The picture's colours, the dark ones lighter on a dark page. */
		const dark = lightness(channelsOf(this.colors.paper)) < 0.5;
		const seen = color => {
			const channels = channelsOf(hexColor(color));

			return dark && lightness(channels) < 0.4 ? hexColor(channels.reduce((all, c) => all << 8 | Math.round(c + (255 - c) * 0.5), 0)) : hexColor(color);
		};

		this.colors.sampled = seen;
		this.colors.processes = this.page.processes.map(p => seen(p.color));
		document.querySelectorAll('.processes .swatch').forEach((e, i) => {
			e.style.background = this.colors.processes[i % this.page.processes.length];
		});
	}

	draw() {
		const began = performance.now(), { view, charts } = this;

		this.stale = false;
		if (!this.colors)
			this.readColors();
		const panels = allPanels.filter(p => view.panels.has(p.id) && (p.available?.(this.page) ?? true) &&
			(p !== membersPanel || charts.some(c => c.selection.rows.length > 0)));

		for (const chart of charts)
			chart.layout(panels, panels.map(p => Math.max(...charts.map(c => p.height(c.selection)))),
				this.printing ? paperWidth / this.columns : 0);
		for (const chart of charts)
			chart.prepare(view, view.show);
		const scales = panels.map((panel, i) => panel.scale(charts.map(c => c.data[i]), this.page));

		for (const chart of charts)
			chart.draw(scales, view.show, this.page, this.colors);
		this.showRange();
		if (byId('table').open)
			byId('view-table').replaceChildren(...viewTable(charts, view, this.page));
		this.frames.count++;
		this.frames.longest = Math.max(this.frames.longest, performance.now() - began);
		clearTimeout(this.keeping);
		this.keeping = setTimeout(() => this.keep(), 150);
	}

	/* Puts the view into the address. */
	keep() {
		const fragment = this.view.toFragment();

		clearTimeout(this.keeping);
		if (fragment === (location.hash || '#'))
			return;
		this.kept = fragment;
		try {
			history.replaceState(null, '', fragment);
		} catch {
			location.replace(fragment);
		}
	}

	/* Which stretch, and whether the data has no finer detail. */
	showRange() {
		const { view, page } = this, span = view.t1 - view.t0, run = page.runs[0];
		const pixels = this.charts[0].plot.w / (span / run.cells.width), limit = byId('limit');

		byId('range').textContent = view.whole ? `whole run, ${durationText(span)}`
			: `${momentText(view.t0, span / 100)} – ${momentText(view.t1, span / 100)} (${durationText(span)})`;
		limit.hidden = pixels < 6;
		if (limit.hidden)
			return;
		const digits = Math.max(0, Math.ceil(-Math.log10(span / 100)));
		const range = `${fixed(Math.max(0, view.t0 - run.shift_s), digits)}:${fixed(Math.max(0, view.t1 - run.shift_s), digits)}`;
		const traces = page.runs.map(r => '-t ' + (r.trace ? shellWord(r.trace) : 'NAME')).join(' ');

		limit.replaceChildren(`This file's detail ends at ${durationText(run.cells.width)}. For more of this stretch: `,
			element('code', { text: `btviz ${traces} -x ${range} -o ${range.replace(':', '-')}.html` }));
	}

	drawOver() {
		for (const chart of this.charts)
			chart.drawOver(this.hover?.t ?? null, this.select);
		this.showReadouts();
	}

	showReadouts() {
		for (const chart of this.charts) {
			const { readout } = chart, t = this.hover?.t;
			const values = t === undefined || this.select ? null : valuesAt(chart.selection, this.view, chart.plot.w, t);

			readout.hidden = !values;
			if (!values)
				continue;
			const own = this.hover.chart === chart, place = own ? chart.placeAt(this.hover.y) : null;
			const [[head], ...lines] = readoutLines(chart.selection, values, place, t, this.view.show, this.page);
			const message = chart.messageAt(t);

			if (message)
				lines.push(['message', [...message.text].slice(0, 60).join('')]);

			readout.replaceChildren(element('b', { text: head }),
				...lines.flatMap(([name, text]) => [element('span', { text: name }), element('span', { text })]));
			const x = chart.plot.x + (t - this.view.t0) / (this.view.t1 - this.view.t0) * chart.plot.w;
			const left = x + 14 + readout.offsetWidth > chart.width;

			readout.style.left = Math.max(0, left ? x - 14 - readout.offsetWidth : x + 14) + 'px';
			readout.style.top = Math.min(Math.max(0, chart.height - readout.offsetHeight), Math.max(0, this.hover.y - 20)) + 'px';
		}
	}

	/* Zooms to the next gap behind the middle of the view, or the one before. */
	stepGap(direction) {
		const gaps = this.charts.flatMap(c => c.selection.gaps).filter(g => g.number)
			.sort((a, b) => a.start - b.start);
		const middle = (this.view.t0 + this.view.t1) / 2, of = g => (g.start + g.end) / 2, near = (this.view.t1 - this.view.t0) * 1e-6;
		const whole = this.view.whole;
		const next = direction > 0 ? gaps.find(g => whole || of(g) > middle + near) : gaps.findLast(g => whole || of(g) < middle - near);

		if (next)
			this.lookAt(next);
	}

	connect() {
		const { view } = this, click = (id, action) => byId(id).addEventListener('click', action);

		click('zoom-in', () => view.zoom(1 / 1.6));
		click('zoom-out', () => view.zoom(1.6));
		click('pan-left', () => view.pan(-0.25));
		click('pan-right', () => view.pan(0.25));
		click('reset', () => view.reset());
		click('help-button', () => this.toggleHelp());
		click('theme', () => {
			view.theme = { '': 'dark', dark: 'light', light: '' }[view.theme];
			this.choose();
		});
		byId('table').addEventListener('toggle', () => this.update());
		addEventListener('keydown', e => this.key(e));
		addEventListener('hashchange', () => {
			if (location.hash !== this.kept) {
				view.fromFragment(location.hash);
				this.choose();
			}
		});
		addEventListener('beforeprint', () => this.print(true));
		addEventListener('afterprint', () => this.print(false));
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
			this.colors = null;
			this.update();
		});
		new ResizeObserver(() => {
			if (this.charts.some(chart => chart.width !== chart.host.clientWidth))
				this.update();
		}).observe(byId('runs'));
		document.addEventListener('pointerdown', e => {
			for (const menu of document.querySelectorAll('.menu[open]'))
				if (!menu.contains(e.target))
					menu.open = false;
		});
		for (const chart of this.charts)
			this.connectPointer(chart);
	}

	connectPointer(chart) {
		const { view } = this, { over } = chart;
		let from = null, panned = null;
		const at = e => {
			const box = over.getBoundingClientRect();

			return { x: e.clientX - box.left, y: e.clientY - box.top };
		};

		over.addEventListener('pointermove', e => {
			const { x, y } = at(e);

			if (panned) {
				const span = panned.t1 - panned.t0, moved = (panned.x - x) / chart.plot.w * span;
				const t0 = Math.min(Math.max(view.start, panned.t0 + moved), view.end - span);

				view.look(t0, t0 + span);
			}
			this.hover = { t: chart.timeAt(x), x, y, chart };
			this.select = from !== null && Math.abs(x - from.x) > 3 ? [from.t, this.hover.t] : null;
			this.request();
		});
		over.addEventListener('pointerleave', () => {
			this.hover = null;
			this.request();
		});
		over.addEventListener('pointerdown', e => {
			const { x } = at(e);

			if (e.button > 1)
				return;
			e.preventDefault();
			over.setPointerCapture(e.pointerId);
			if (e.shiftKey || e.button === 1)
				panned = { x, t0: view.t0, t1: view.t1 };
			else
				from = { x, t: chart.timeAt(x) };
		});
		over.addEventListener('pointerup', () => {
			const { select } = this;

			from = panned = this.select = null;
			if (select)
				view.look(...select);
			this.request();
		});
		const cancel = () => {
			from = panned = this.select = null;
			this.request();
		};

		over.addEventListener('pointercancel', cancel);
		this.cancels.push(cancel);
		over.addEventListener('dblclick', () => view.reset());
		over.addEventListener('wheel', e => {
			const along = e.shiftKey && !e.deltaX ? e.deltaY : e.deltaX;

			if (Math.abs(along) > Math.abs(e.shiftKey ? 0 : e.deltaY)) {
				view.pan(Math.sign(along) * 0.1);
			} else if (e.deltaY > 0 && view.whole) {
				return; /* nothing left to zoom out of: the page scrolls */
			} else {
				view.zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 240))), chart.timeAt(at(e).x));
			}
			e.preventDefault();
		}, { passive: false });
	}

	toggleHelp() {
		byId('help').hidden = !byId('help').hidden;
		byId('help-button').setAttribute('aria-expanded', String(!byId('help').hidden));
	}

	key(e) {
		const { view } = this;
		const actions = {
			'+': () => view.zoom(1 / 1.6), '=': () => view.zoom(1 / 1.6), '-': () => view.zoom(1.6),
			'ArrowLeft': () => view.pan(-0.25), 'ArrowRight': () => view.pan(0.25),
			'0': () => view.reset(), 'Home': () => view.reset(),
			'n': () => this.stepGap(1), 'p': () => this.stepGap(-1),
			't': () => {
				byId('table').open = !byId('table').open;
				if (byId('table').open)
					byId('table').scrollIntoView();
			},
			'?': () => this.toggleHelp(),
			'Escape': () => {
				byId('help').hidden = true;
				this.cancels.forEach(cancel => cancel());
			},
		};

		if (e.ctrlKey || e.metaKey || e.altKey || !actions[e.key])
			return;
		actions[e.key]();
		e.preventDefault();
	}

	/* Paper is white, and narrow: two runs side by side at most. */
	print(on) {
		const root = document.documentElement;

		this.printing = on;
		this.setColumns(on ? 2 : this.page.columns || 4);
		if (on)
			root.dataset.theme = 'light';
		else if (this.view.theme)
			root.dataset.theme = this.view.theme;
		else
			delete root.dataset.theme;
		this.colors = null;
		this.draw();
	}
}

async function begin() {
	const trouble = byId('trouble');

	try {
		if (!globalThis.DecompressionStream)
			throw new Error('it needs a browser of 2023 or later (Chromium 103, Firefox 113, Safari 16.4)');
		const data = await loadPage();

		arrangePanels(data.titles);
		nameGaps(data.gap_kinds);
		const page = new Page(data);

		/* For a script in the console: the runs, the view, what the pointer reads. */
		globalThis.btviz = { page: page.page, view: page.view, charts: page.charts, frames: page.frames, keep: () => page.keep(),
			quantiles: (run, from, to) => latencyQuantiles(page.charts[run].selection, from, to, [0.5, 0.99]),
			valuesAt: (run, t) => valuesAt(page.charts[run].selection, page.view, page.charts[run].plot.w, t) };
		page.draw();
		globalThis.btviz.readyMs = performance.now();
		setTimeout(() => page.loadLater());
	} catch (error) {
		trouble.textContent = 'This page cannot be shown: ' + error.message;
		trouble.hidden = false;
		throw error;
	}
}

begin();
