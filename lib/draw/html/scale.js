/* scale.js - the scale of one side of a panel: its range, round ticks and their labels. */

const roundSteps = [1, 2, 5, 10];

function roundStep(range, most) {
	const least = range / most, power = 10 ** Math.floor(Math.log10(least));

	return power * roundSteps.find(s => s * power >= least * (1 - 1e-9));
}

/* Labels of one axis are told apart: as many digits as its step needs. */
function linearTicks(min, max, most, unit = 1) {
	const step = roundStep((max - min) / unit, most), ticks = [];
	const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

	for (let i = Math.ceil(min / unit / step - 1e-9); i * step <= max / unit * (1 + 1e-9) + 1e-12; i++)
		ticks.push({ at: i * step * unit, label: fixed(i * step, digits) });
	return ticks;
}

class Scale {
	constructor(min, max, log = false) {
		if (!(max > min))
			max = min + (Math.abs(min) || 1);
		Object.assign(this, { min, max, log, ticks: [], unit: '' });
	}

	/* 0 at min, 1 at max. */
	place(v) {
		return this.log ? Math.log(v / this.min) / Math.log(this.max / this.min) : (v - this.min) / (this.max - this.min);
	}

	value(place) {
		return this.log ? this.min * (this.max / this.min) ** place : this.min + place * (this.max - this.min);
	}

	static rate(max, most) {
		return Scale.upTo(max, most, [[1, 'B/s'], [1e3, 'kB/s'], [1e6, 'MB/s'], [1e9, 'GB/s']]);
	}

	static count(max, most) {
		return Scale.upTo(max, most, [[1, ''], [1e3, 'thousand'], [1e6, 'million']].filter(u => u[0] === 1 || max >= u[0] * 10));
	}

	static upTo(max, most, units) {
		max = max > 0 ? max : 1;
		const [size, name] = units.findLast(u => max >= u[0]) ?? units[0];
		const step = roundStep(max / size, most) * size;
		const scale = new Scale(0, Math.ceil(max / step - 1e-9) * step);

		scale.ticks = linearTicks(0, scale.max, most, size);
		scale.unit = name;
		return scale;
	}

	static offset(min, max, most) {
		const units = [[1, 'B'], [1024, 'KiB'], [2 ** 20, 'MiB'], [2 ** 30, 'GiB'], [2 ** 40, 'TiB'], [2 ** 50, 'PiB']];
		const [size, name] = units.findLast(u => (max - min) >= 4 * u[0]) ?? units[0];
		const scale = new Scale(min, max);

		scale.ticks = linearTicks(min, max, most, size);
		scale.unit = name;
		return scale;
	}

	/* Decades, and 2 and 5 between them where there are few. */
	static latency(min, max) {
		min = 10 ** Math.floor(Math.log10(min) + 1e-9);
		max = 10 ** Math.ceil(Math.log10(max) - 1e-9);
		const scale = new Scale(min, max > min ? max : min * 10, true);
		const steps = Math.log10(scale.max / scale.min) < 1.5 ? [1, 2, 5] : [1];

		for (let e = Math.round(Math.log10(scale.min)); 10 ** e <= scale.max * 1.001; e++)
			for (const s of steps)
				if (s * 10 ** e <= scale.max * 1.001)
					scale.ticks.push({ at: s * 10 ** e, label: Scale.shortDuration(s, e) });
		return scale;
	}

	static shortDuration(s, e) {
		const third = Math.min(0, Math.max(-9, Math.floor(e / 3) * 3));

		return s * Math.round(10 ** (e - third)) + ' ' + { 0: 's', '-3': 'ms', '-6': 'µs', '-9': 'ns' }[third];
	}

	/* Powers of two, of which at most so many are labelled. */
	static size(min, max, most) {
		const low = Math.floor(Math.log2(min)), high = Math.max(low + 1, Math.ceil(Math.log2(max)));
		const scale = new Scale(2 ** low, 2 ** high, true), step = Math.ceil((high - low) / most);

		for (let e = low; e <= high; e += step)
			scale.ticks.push({ at: 2 ** e, label: scaled(2 ** e, 1024, ['B', 'KiB', 'MiB', 'GiB']).replace(/\.?0+\u00a0/, '\u00a0') });
		return scale;
	}

	/* Times of day. Nobody reads 20 or 50 seconds past as round, but 15 and 30. */
	static clock(t0, t1, most, wall) {
		const scale = new Scale(t0, t1), least = (t1 - t0) / most;
		const step = least <= 0.5 ? roundStep(t1 - t0, most) : [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200].find(s => s >= least)
			?? 86400 * roundStep(Math.max(1, least / 86400), 1);

		for (let i = Math.ceil((wall + t0) / step - 1e-9); i * step <= wall + t1; i++)
			scale.ticks.push({ at: i * step - wall, label: clockText(i * step, step) });
		scale.unit = 'time (UTC)';
		return scale;
	}

	static time(t0, t1, most) {
		const scale = new Scale(t0, t1);
		const span = t1 - t0, [size, name] = span >= 2 ? [1, 's'] : span >= 2e-3 ? [1e-3, 'ms'] : [1e-6, 'µs'];

		if (size === 1) {
			scale.ticks = linearTicks(t0, t1, most);
			scale.unit = 'time (s)';
			return scale;
		}
		/* A narrow view far from 0: distances from a round moment, which the unit names. */
		const base = Math.floor(t0 * 10) / 10;

		if (t0 < span * 20) {
			scale.ticks = linearTicks(t0, t1, most, size);
			scale.unit = `time (${name})`;
		} else {
			scale.ticks = linearTicks(t0 - base, t1 - base, most, size).map(t => ({ at: t.at + base, label: t.label }));
			scale.unit = `${name} from ${fixed(base, 1)} s`;
		}
		return scale;
	}
}
