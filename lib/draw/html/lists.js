/* lists.js - what is words and tables: findings, gaps, numbers, messages. All text from traces goes
 * into the page as text, never as markup. */

function element(tag, { text, className, ...attributes } = {}, ...children) {
	const e = document.createElement(tag);

	if (text !== undefined)
		e.textContent = text;
	if (className)
		e.className = className;
	for (const [name, value] of Object.entries(attributes))
		e.setAttribute(name, value);
	e.append(...children);
	return e;
}

/* The gap that a finding is about: that of its device whose length it names. */
function gapOf(run, finding) {
	const kind = { 'submission-gaps': 'submit', 'queue-gaps': 'queue', 'device-gaps': 'device', 'slow-phase': 'slow' }[finding.name];
	const { longest } = finding.evidence;

	if (!(longest > 0))
		return null;
	const off = g => Math.abs(g.end - g.start - longest) + (kind && g.kind !== kind ? 1e-6 * longest : 0);
	const best = run.gaps.reduce((a, b) => !a || off(b) < off(a) ? b : a, null);

	return best && off(best) < 0.02 * longest ? best : null;
}

function findingsList(run, lookAt) {
	const list = element('ol', { className: 'findings', 'aria-label': 'Findings' });

	for (const finding of run.findings) {
		const gap = gapOf(run, finding);
		const button = element('button', { text: finding.text, className: finding.severity + (gap ? '' : ' plain') });

		if (gap) {
			button.title = 'Zoom to the longest';
			button.addEventListener('click', () => lookAt(gap));
		} else {
			button.title = finding.name;
			button.addEventListener('click', () => lookAt(null));
		}
		list.append(element('li', {}, button));
	}
	return list;
}

function gapButton(gap, lookAt) {
	const button = element('button', { className: gap.kind, title: 'Zoom to it', 'data-start': gap.start },
		element('span', { className: 'number', text: gap.number ? gap.number + gapLetters[gap.kind] : '·' }),
		element('span', { className: 'start', text: fixed(gap.start_s, 2) + ' s' }),
		element('span', { className: 'length', text: durationText(gap.end - gap.start) }),
		element('span', { text: gap.text }));

	button.addEventListener('click', () => lookAt(gap));
	return element('li', {}, button);
}

function gapsList(selection, lookAt) {
	const { gaps, roots } = selection, numbered = gaps.filter(g => g.number), others = gaps.filter(g => !g.number);
	const box = element('div', { className: 'gaps' });
	const total = gaps.reduce((s, g) => s + g.end - g.start, 0);

	if (gaps.length === 0) {
		box.append(element('p', { text: roots.length ? `${roots[0].name}: ${roots[0].tree.no_gaps || 'no gap'}` : 'no device chosen' }));
		return box;
	}
	box.append(element('p', { text: `gaps of ${roots[0].name}: ${gaps.length}, ${durationText(total)} in all` +
		(others.length ? `; the longest ${numbered.length}:` : '') }));
	box.append(element('ol', { 'aria-label': 'Gaps' }, ...numbered.map(g => gapButton(g, lookAt))));
	if (others.length)
		box.append(element('details', {}, element('summary', { text: `${others.length} shorter ones` }),
			element('ol', {}, ...others.map(g => gapButton(g, lookAt)))));
	return box;
}

function metricText(metric) {
	const v = metric.value;

	if (v === null)
		return 'n/a';
	if (metric.unit === 's')
		return durationText(v);
	if (metric.unit === 'ms')
		return durationText(v / 1000);
	return v >= 1000 ? fixed(v, 0) : figures(v);
}

/* A row a run; of several the better value bold, where they differ by a percent at least. */
function fillMetrics(table, runs) {
	const metrics = runs[0].metrics;
	const used = metrics.map((_, m) => runs.some(r => r.metrics[m].value !== null));
	const best = metrics.map((metric, m) => {
		const values = runs.map(r => r.metrics[m].value).filter(v => v !== null);
		const high = Math.max(...values), low = Math.min(...values);

		return values.length > 1 && high - low > 0.01 * Math.abs(high) ? (metric.less ? low : high) : null;
	});

	table.append(element('caption', { text: 'Whole runs', hidden: '' }));
	table.append(element('thead', {}, element('tr', {}, element('th', { text: 'run', scope: 'col' }),
		...metrics.filter((_, m) => used[m]).map(m => element('th', { scope: 'col', text: m.title + (m.unit && !['s', 'ms'].includes(m.unit) ? `, ${m.unit}` : '') })))));
	table.append(element('tbody', {}, ...runs.map(run => element('tr', {}, element('td', { text: run.label }),
		...run.metrics.map((metric, m) => ({ metric, m })).filter(({ m }) => used[m])
			.map(({ metric, m }) => element('td', { text: metricText(metric), className: metric.value !== null && metric.value === best[m] ? 'best' : '' }))))));
}

/* The view in at most 40 rows a run. */
function viewTable(charts, view, { runs, has }) {
	const columns = [['from', v => fixed(Math.max(v.t0, view.start), 4)], ['to', v => fixed(v.t1, 4)]];
	const rates = { read: 'reads MB/s', write: 'writes MB/s', discard: 'discards MB/s' };

	for (const op of operations)
		if (has[op] && view.show[op])
			columns.push([rates[op], v => figures(v[op] / 1e6)]);
	columns.push(['I/Os a second', v => figures(v.ios_read + v.ios_write)], ['seeks a second', v => figures(v.seeks)],
		['outstanding', v => v.outstanding === null ? 'n/a' : figures(v.outstanding)],
		['latency median', v => durationText(v.p50)], ['99th percentile', v => durationText(v.p99)]);
	const sampled = new Set(runs.flatMap(r => Object.values(r.samples).flat()).map(s => s.name));

	for (const name of sampled)
		columns.push([name, (v, run) => {
			const of = Object.values(run.samples).flat().find(s => s.name === name);

			return of ? countText(sampledMean(run, of, v.t0, v.t1)) : 'n/a';
		}]);
	return charts.map(({ selection, run }) => {
		const g = grouping(run.cells, view, 40, 1);
		const rows = Array.from({ length: g.count }, (_, k) => valuesOf(selection, g, k));

		return element('table', {}, element('caption', { text: `${run.label}, ${selection.roots.map(d => d.name).join(' + ') || 'no device'}` }),
			element('thead', {}, element('tr', {}, ...columns.map(([name]) => element('th', { scope: 'col', text: name })))),
			element('tbody', {}, ...rows.map(v => element('tr', {}, ...columns.map(([, text]) => element('td', { text: text(v, run) }))))));
	});
}

function fillMessages(details, runs) {
	const all = runs.flatMap(run => run.messages.map(m => ({ ...m, run })));

	if (all.length === 0)
		return;
	details.hidden = false;
	details.querySelector('summary').textContent = `${all.length} messages in the trace`;
	details.querySelector('table').append(element('tbody', {}, ...all.map(m => element('tr', {},
		element('td', { text: fixed(m.time_s, 6) + ' s' }), element('td', { text: runs.length > 1 ? m.run.label : '' }),
		element('td', { text: m.text, className: 'text' })))));
}
