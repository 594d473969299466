/* view.js - what is looked at: the stretch of time, what is shown and what is not. Keeps it in the
 * address's fragment: #t=3.2:3.6&hide=size&off=sdb&no=read&theme=dark. */

class View {
	constructor(page, changed) {
		this.page = page;
		this.changed = changed;
		this.start = Math.min(...page.runs.map(r => r.start));
		this.end = Math.max(...page.runs.map(r => r.end));
		if (!(this.end > this.start))
			this.end = this.start + Math.max(page.runs[0].cells.width, 1e-6);
		/* Two cells are the closest look there is. */
		this.least = 2 * Math.min(...page.runs.map(r => r.cells.width));
		this.least = Math.min(this.least, this.end - this.start);
		this.names = new Set(page.runs.flatMap(r => r.devices.map(d => d.name)));
		this.clear();
	}

	clear() {
		this.t0 = this.start;
		this.t1 = this.end;
		this.panels = new Set(this.page.panels);
		this.hidden = new Set();
		this.show = { read: !this.page.no_reads, write: !this.page.no_writes, discard: !this.page.no_writes };
		this.theme = '';
	}

	get whole() {
		return this.t0 <= this.start && this.t1 >= this.end;
	}

	/* The nearest possible stretch to the one asked for. */
	look(t0, t1) {
		if (!Number.isFinite(t0) || !Number.isFinite(t1))
			return;
		[t0, t1] = [Math.min(t0, t1), Math.max(t0, t1)];
		let span = Math.min(this.end - this.start, Math.max(this.least, t1 - t0));

		t0 = Math.min(Math.max(this.start, t0 - Math.max(0, span - (t1 - t0)) / 2), this.end - span);
		[this.t0, this.t1] = [t0, t0 + span];
		this.changed();
	}

	zoom(factor, around = (this.t0 + this.t1) / 2) {
		this.look(around - (around - this.t0) * factor, around + (this.t1 - around) * factor);
	}

	pan(share) {
		const span = this.t1 - this.t0, t0 = Math.min(Math.max(this.start, this.t0 + span * share), this.end - span);

		this.look(t0, t0 + span);
	}

	reset() {
		this.look(this.start, this.end);
	}

	/* A stretch with some of what is around it. */
	lookAround(start, end) {
		const around = Math.max((end - start) * 0.35, this.least);

		this.look(start - around, end + around);
	}

	toFragment() {
		const parts = [], add = (key, list) => list.length && parts.push(key + '=' + list.map(encodeURIComponent).join(','));

		if (!this.whole)
			parts.push(`t=${+this.t0.toPrecision(12)}:${+this.t1.toPrecision(12)}`);
		add('hide', allPanels.map(p => p.id).filter(id => this.page.panels.includes(id) && !this.panels.has(id)));
		add('add', allPanels.map(p => p.id).filter(id => !this.page.panels.includes(id) && this.panels.has(id)));
		add('off', [...this.hidden]);
		add('no', operations.filter(op => !this.show[op] && this.page.has[op]));
		if (this.theme)
			parts.push('theme=' + this.theme);
		return parts.length ? '#' + parts.join('&') : '#';
	}

	fromFragment(fragment) {
		this.clear();
		for (const part of fragment.replace(/^#/, '').split('&')) {
			const [key, value = ''] = part.split('=');
			let list;

			try {
				list = value.split(',').map(decodeURIComponent);
			} catch {
				continue;
			}
			if (key === 't') {
				const [t0, t1] = value.split(':').map(Number);

				if (t1 > t0)
					[this.t0, this.t1] = [t0, t1];
			} else if (key === 'hide') {
				list.forEach(id => this.panels.delete(id));
			} else if (key === 'add') {
				list.filter(id => allPanels.some(p => p.id === id)).forEach(id => this.panels.add(id));
			} else if (key === 'off') {
				list.filter(name => this.names.has(name)).forEach(name => this.hidden.add(name));
			} else if (key === 'no') {
				list.filter(op => operations.includes(op)).forEach(op => { this.show[op] = false; });
			} else if (key === 'theme' && (value === 'light' || value === 'dark')) {
				this.theme = value;
			}
		}
		this.look(this.t0, this.t1);
	}
}
