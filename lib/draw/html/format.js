/* format.js - figures as text for people, as lib/base/quantity.c and the picture write them;
 * no line is broken between a number and its unit. */

const fixed = (x, digits) => x.toFixed(digits);

/* Three figures: "8.61", "22.5", "838". */
function figures(x) {
	const a = Math.abs(x);

	return a === 0 ? '0' : a < 10 ? fixed(x, 2) : a < 100 ? fixed(x, 1) : fixed(x, 0);
}

function scaled(x, step, units) {
	let i = 0;

	while (i + 1 < units.length && Math.abs(x) >= step) {
		x /= step;
		i++;
	}
	return figures(x) + '\u00a0' + units[i];
}

const bytesText = x => Number.isFinite(x) ? scaled(x, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']) : 'n/a';
const rateText = x => Number.isFinite(x) ? scaled(x, 1000, ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s']) : 'n/a';
const countText = x => !Number.isFinite(x) ? 'n/a' : Math.abs(x) < 10000 ? figures(x) : scaled(x, 1000, ['', 'k', 'M', 'G']);

function durationText(s) {
	if (!Number.isFinite(s))
		return 'n/a';
	if (s === 0)
		return '0\u00a0s';
	const a = Math.abs(s);

	return a >= 1 ? figures(s) + '\u00a0s' : a >= 1e-3 ? figures(s * 1e3) + '\u00a0ms'
		: a >= 1e-6 ? figures(s * 1e6) + '\u00a0µs' : figures(s * 1e9) + '\u00a0ns';
}

/* A moment, with as many digits as tell two moments that far apart from one another. */
function momentText(s, apart) {
	const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(apart))));

	return fixed(s, digits) + '\u00a0s';
}

/* A time of day, with as many digits as a step of so many seconds needs. */
function clockText(s, step) {
	const digits = step < 1 ? Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)) : 0;
	const scaled = Math.round(s * 10 ** digits), whole = Math.floor(scaled / 10 ** digits);
	const iso = new Date(whole * 1000).toISOString();

	if (step >= 86400)
		return iso.slice(5, 10);
	return iso.slice(11, step >= 60 ? 16 : 19) + (digits ? '.' + String(scaled - whole * 10 ** digits).padStart(digits, '0') : '');
}

/* A word for a shell: quoted where it must be. */
const shellWord = word => /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
