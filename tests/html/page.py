#!/usr/bin/env python3
"""Drives pages in a headless Chromium: page.py BTVIZ LIBRARY TESTDATA MKTRACE OUTPUT-FOLDER

Expected values come from the library's own numbers (summary.py) and the recordings' truth. Screenshots
are left in the folder, to be looked at. Exit code 77: skipped, and why."""
import base64
import functools
import os
import re
import socket
import subprocess
import sys
import time

from browser import Browser, missing
from summary import Summary

BTVIZ, LIBRARY, TESTDATA, MKTRACE, FOLDER = sys.argv[1:6]
checks = []


def check(what, holds, detail=""):
    checks.append((what, bool(holds)))
    print(("ok" if holds else "NOT OK") + f" - {what}" + (f": {detail}" if detail and not holds else ""), flush=True)


def recording(name):
    return os.path.join(TESTDATA, "real", name + ".tar.xz")


@functools.cache
def page(name, *arguments):
    path = os.path.join(FOLDER, name + ".html")
    subprocess.run([BTVIZ, *arguments, "-o", path], check=True, stderr=subprocess.PIPE)
    return "file://" + path


def near(a, b, relative=1e-4):
    return abs(a - b) <= relative * max(abs(a), abs(b)) + 1e-12


def box(browser, panel, run=0):
    """A panel's place in the window: x, y, w, h."""
    return browser.js(f"""(() => {{ const c = btviz.charts[{run}], p = c.places.find(p => p.panel.id === '{panel}').rect;
        const b = c.over.getBoundingClientRect(); return [b.left + p.x, b.top + p.y, p.w, p.h]; }})()""")


def view(browser):
    return browser.js("[btviz.view.t0, btviz.view.t1]")


def readout(browser, run=0):
    lines = browser.js(f"[...btviz.charts[{run}].readout.children].map(e => e.textContent)")
    return lines[0], dict(zip(lines[1::2], lines[2::2]))


def amount(text):
    """'25.3 MB/s' as a number, and half of its last digit."""
    number, _, unit = text.partition("\u00a0")
    factor = {"k": 1e3, "M": 1e6, "G": 1e9, "ms": 1e-3, "µs": 1e-6, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9}.get(unit, 1)
    digits = len(number.partition(".")[2])
    return float(number) * factor, 0.5 * 10 ** -digits * factor


def test_whole(b):
    url = page("bad", "-t", recording("raid0-bad"))
    b.open(url)
    check("a typical page is under 1.5 MB", os.path.getsize(url[7:]) < 1.5e6)
    check("no console errors", not (log := b.console()), log)
    check("nothing but the page itself is asked for", (r := b.requests()) == [url], r)
    b.screenshot(os.path.join(FOLDER, "bad.png"))
    # From opening to length and culprit of the longest gap: no click at all, they are in the list.
    rows = b.js("[...document.querySelectorAll('.gaps ol button')].map(e => [...e.children].map(c => c.textContent))")
    longest = max(rows, key=lambda r: amount(r[2])[0])
    check("the longest gap is told with length and who resumed", longest[2] == "1.90\u00a0s" and "kworker" in longest[3], longest)
    check("messages are marked", b.js("btviz.charts[0].messageAt(btviz.page.runs[0].messages[0].at).text").startswith("stop"),
          b.js("btviz.page.runs[0].messages[0]"))
    check("seven gaps, as the recording's truth says", len(rows) == 7, rows)
    check("the first finding speaks of them", "seven gaps" in b.js("document.querySelector('.findings').textContent"))


def test_quantiles(b):
    """Latencies of stretches are those of all their I/Os, as report -x has them, and no averages of cells' quantiles."""
    for name in ("raid0-devstall-hw", "raid5-one-member-slow", "raid1-threads-4", "raid5-bad", "raid10-ext4-fsync"):
        summary = Summary(LIBRARY, recording(name))
        b.open(page("quantiles-" + name, "-t", recording(name)))
        coarse = b.js("btviz.page.runs[0].coarse")
        top, seen, wrong = b.js("btviz.charts[0].selection.roots[0].index"), 0, []
        random = __import__("random").Random(name)
        for _ in range(40):
            first, last = sorted(random.sample(range(coarse["count"] + 1), 2))
            got = b.js(f"btviz.quantiles(0, {first}, {last})")
            at = [coarse["start_s"] + i * coarse["width_s"] for i in (first, last)]
            for share, value in zip(("p50", "p99"), got):
                want = summary.average(top, share, "all", *at)
                seen += want == want
                if (value is None) != (want != want) or (value is not None and not near(value, want, 1e-3)):
                    wrong.append((share, at, value, want))
        check(f"quantiles of 40 stretches of {name} are the library's", not wrong and seen > 40, wrong[:5] or seen)


def test_hover(b):
    summary = Summary(LIBRARY, recording("raid0-bad"))
    b.open(page("bad", "-t", recording("raid0-bad")))
    for zoom in ("", "#t=7.9:8.9", "#t=8.2:8.35"):
        b.js(f"(location.hash = '{zoom or '#'}')")
        b.settle()
        x, y, w, h = box(b, "tput")
        wrong, seen = [], 0
        for part in (0.02, 0.13, 0.29, 0.5, 0.61, 0.77, 0.93):
            b.point(("move", x + part * w, y + h / 2))
            _, lines = readout(b)
            t = b.js(f"btviz.charts[0].timeAt({round(x + part * w)} - btviz.charts[0].over.getBoundingClientRect().left)")
            v = b.js(f"btviz.valuesAt(0, {t})")
            want = {"writes": summary.average(0, "bytes", "write", v["t0"], v["t1"]),
                    "writes a second": summary.average(0, "ios", "write", v["t0"], v["t1"]),
                    "outstanding": summary.average(0, "outstanding", "all", v["t0"], v["t1"])}
            if not v["t0"] <= t < v["t1"]:
                wrong.append(("time", t, v["t0"], v["t1"]))
            for name, figure in want.items():
                shown, half = amount(lines[name])
                seen += figure > 0
                if abs(shown - figure) > half * 1.02 + 2e-5 * figure:
                    wrong.append((zoom, part, name, shown, figure))
            if v["p50"] is not None and zoom == "#t=8.2:8.35":
                wide = 4 * summary.resolution()
                at = (summary.origin + round((v["t0"] + v["t1"]) / 2 * 1e9)) // wide * wide - summary.origin
                for name in ("p50", "p99"):
                    figure = summary.average(0, name, "all", at / 1e9, (at + wide) / 1e9)
                    if not near(v[name], figure):
                        wrong.append((name, v[name], figure))
        check(f"hover reads the summary's values{' at ' + zoom if zoom else ''}", not wrong and seen > 5, wrong or seen)
    x, y, w, h = box(b, "io")
    b.point(("move", x + w / 2, y + h / 2))
    offset = readout(b)[1]["offset"]
    scale = b.js("btviz.charts[0].scales[0][0].max")
    check("hover reads the offset at the pointer",
          near(float(offset.split()[0]) * 1024 ** 2, scale / 2, 0.02), (offset, scale))
    x, y, w, h = box(b, "members")
    b.js("(location.hash = '#')")
    b.settle()
    b.point(("move", x + 0.63 * w, y + h / 2))
    check("over the members panel each is read", {"sdb", "sdc", "sdd", "sde"} <= set(readout(b)[1]), readout(b))


def test_zoom(b):
    b.open(page("bad", "-t", recording("raid0-bad")))
    whole = view(b)
    x, y, w, h = box(b, "tput")
    b.point(("move", x + 0.25 * w, y + h / 2), ("down",), ("move", x + 0.4 * w, y + h / 2), ("move", x + 0.5 * w, y + h / 2), ("up",))
    t0, t1 = view(b)
    span = whole[1] - whole[0]
    check("dragging zooms to what was dragged over", near(t0, 0.25 * span, 0.01) and near(t1, 0.5 * span, 0.01), (t0, t1))
    check("the address keeps the view", re.search(r"#t=3\.3\d*:6\.6\d*", b.js("location.hash")), b.js("location.hash"))
    kept = b.js("location.href")
    b.point(("move", x + 0.5 * w, y + h / 2), ("down",), ("move", x + 0.6 * w, y + h / 2), ("up",), shift=True)
    check("Shift and dragging moves", near(view(b)[0], t0 - 0.1 * (t1 - t0), 0.02), view(b))
    b.key("ArrowRight")
    check("the right arrow moves on", view(b)[0] > t0, view(b))
    b.key("+")
    check("+ zooms in", near(view(b)[1] - view(b)[0], (t1 - t0) / 1.6, 0.01), view(b))
    b.key("-")
    check("- zooms out", near(view(b)[1] - view(b)[0], t1 - t0, 0.01), view(b))
    b.key("0")
    check("0 shows the whole run", view(b) == whole, view(b))
    b.wheel(x + 0.5 * w, y + h / 2, -240)
    check("the wheel zooms at the pointer", near(sum(view(b)) / 2, span / 2, 0.02) and view(b)[1] - view(b)[0] < span / 2, view(b))
    b.click("#reset")
    check("the button shows the whole run", view(b) == whole)
    b.open(kept)
    check("the address brings the view back", near(view(b)[0], t0) and near(view(b)[1], t1), view(b))
    b.key("0")
    b.key("n")
    gap = b.js("btviz.charts[0].selection.gaps[0].start")
    check("n zooms to the next gap", view(b)[0] <= gap <= view(b)[1] < 4, view(b))
    b.js("(location.hash = '#t=8.3:8.31')")
    b.settle()
    limit = b.js("document.getElementById('limit').hidden ? '' : document.getElementById('limit').textContent")
    check("where the detail ends the page says so and offers the command",
          "detail ends at" in limit and re.search(r"btviz -t \S*raid0-bad.tar.xz -x 8\.3\d*:8\.31\d* -o \S+\.html", limit), limit)
    for _ in range(40):
        b.js("btviz.view.zoom(0.5)")
    check("zooming ends at two cells", near(view(b)[1] - view(b)[0], b.js("2 * btviz.page.runs[0].cells.width"), 1e-6), view(b))
    b.js("btviz.view.look(NaN, 3)")
    b.js("(location.hash = '#t=zz:1&off=%E0%A4%A&hide=nothing&no=this')")
    b.settle()
    check("a bad address does no harm", view(b) == whole and not b.console(), view(b))


def test_clicks(b):
    b.open(page("bad", "-t", recording("raid0-bad")))
    b.click(".gaps ol li:nth-child(6) button")
    t0, t1 = view(b)
    check("a click on a gap zooms to it", t0 < 8.63 and t1 > 10.5 and t1 - t0 < 4, (t0, t1))
    b.screenshot(os.path.join(FOLDER, "gap.png"))
    b.click("#reset")
    b.click(".findings button")
    check("a click on the finding zooms to its longest gap", near(view(b)[0], t0) and near(view(b)[1], t1), view(b))
    b.click("#reset")
    heights = b.js("btviz.charts[0].height")
    b.click(".menu:nth-of-type(1) summary")
    b.click("#panels label:nth-child(8) input")
    check("a panel can be switched off", b.js("btviz.charts[0].height") < heights and "hide=seek" in b.js("location.hash"))
    b.click("#panels label:nth-child(5) input")
    b.wait("location.hash.includes('add=depth')")
    check("and another on", b.js("btviz.charts[0].places.some(p => p.panel.id === 'depth')"))
    b.key("Escape")
    b.open(page("mixed", "-t", recording("raid1-threads-4")))
    names = b.js("[...document.querySelectorAll('#devices label')].map(e => e.textContent)")
    roots = "btviz.charts[0].selection.roots.map(d => d.name)"
    check("the array stands for its members", b.js(roots) == [names[0]], b.js(roots))
    b.click(".menu:nth-of-type(2) summary")
    b.click("#devices label:nth-child(1) input")
    check("without it they stand for themselves", b.js(roots) == names[1:], b.js(roots))
    b.screenshot(os.path.join(FOLDER, "members.png"))
    b.open(page("mixed2", "-t", recording("raid5-rmw")))
    b.click("#directions label:nth-child(1) input")
    check("reads can be switched off", "no=read" in b.js("location.hash") and not b.js("btviz.view.show.read"))
    b.click("#table summary")
    rows = b.js("document.querySelectorAll('#view-table tbody tr').length")
    check("the table has the numbers in view", 10 < rows <= 80, rows)
    check("no console errors", not (log := b.console()), log)
    b.screenshot(os.path.join(FOLDER, "table.png"))


def texts(b):
    """What is written on the canvases: run, text, left, top, right, bottom, after the view is drawn again."""
    b.js("""(() => { globalThis.texts = [];
        const p = CanvasRenderingContext2D.prototype, old = globalThis.fillText ??= p.fillText;
        p.fillText = function (text, x, y) {
            const m = this.measureText(text), run = btviz.charts.findIndex(c => c.canvas === this.canvas);
            globalThis.texts.push([run, text, x - m.actualBoundingBoxLeft, y - m.actualBoundingBoxAscent,
                x + m.actualBoundingBoxRight, y + m.actualBoundingBoxDescent]);
            old.call(this, text, x, y);
        };
        btviz.view.look(btviz.view.t0, btviz.view.t1); })()""")
    b.settle()
    return b.js("globalThis.texts")


def crowded(written):
    """Those of one canvas that lie over one another."""
    return [(a[1], c[1]) for i, a in enumerate(written) for c in written[:i] if a[0] == c[0] and
            a[2] < c[4] and c[2] < a[4] and a[3] < c[5] and c[3] < a[5]]


# Cells of the io panel in view which have anything, and those among them where nothing is painted:
# every colour of I/O, however it is mixed, is dark in one channel; gaps, grid and paper are in none.
PAINTED = """(() => { const c = btviz.charts[0], i = c.places.findIndex(p => p.panel.id === 'io'), g = c.run.coarse, { t0, t1 } = c.view;
    const image = c.canvas.getContext('2d').getImageData(0, 0, c.canvas.width, c.canvas.height), lost = []; let all = 0;
    c.data[i].bands.forEach(({ map, layers }, band) => { const rect = c.places[i].bands[band], scale = c.scales[i][band];
        for (const layer of layers)
            for (let column = 0; column < g.count; column++)
                for (let k = layer.map.starts[column]; k < layer.map.starts[column + 1]; k++) {
                    const from = Math.max(t0, g.start + column * g.width), to = Math.min(t1, g.start + (column + 1) * g.width);
                    const low = Math.max(0, scale.place((map.first + layer.map.row[k] * map.sectors) * 512));
                    const high = Math.min(1, scale.place((map.first + (layer.map.row[k] + 1) * map.sectors) * 512));
                    if (from >= to || low >= high)
                        continue;
                    const x = Math.min(rect.x + rect.w - 1, rect.x + ((from + to) / 2 - t0) / (t1 - t0) * rect.w + 1);
                    const y = Math.max(rect.y, rect.y + (1 - (low + high) / 2) * rect.h - 1);
                    const at = 4 * (Math.floor(y * c.ratio) * image.width + Math.floor(x * c.ratio));
                    all++;
                    if (Math.min(image.data[at], image.data[at + 1], image.data[at + 2]) > 145)
                        lost.push([band, layer.op, column, layer.map.row[k]]);
                } });
    return [all, lost.length, lost.slice(0, 5)]; })()"""


def test_devices(b):
    """Every cell of the io panel is seen, also at its rims; several devices have names and scales apart."""
    for name, tells in (("raid10-discard", 500), ("v8-discard", 300), ("partition", 1000)):
        b.open(page(name, "-t", recording(name)))
        cells, lost, which = b.js(PAINTED)
        check(f"all I/O of {name} is painted", cells > tells and lost == 0, (cells, lost, which))
        written = texts(b)
        check(f"no text of {name} over another", not crowded(written), crowded(written))
        rects = b.js("btviz.charts[0].places.find(p => p.panel.id === 'io').bands.map(r => [r.x, r.y, r.x + r.w, r.y + r.h])")
        over = [t[1] for t in written for r in rects if t[2] < r[2] and r[0] < t[4] and t[3] < r[3] and r[1] < t[5]]
        check(f"no text of {name} over the data", not over, over)
        b.screenshot(os.path.join(FOLDER, name + ".png"))
    for end in range(1, 9):
        b.js(f"btviz.view.look(1 + {end} * 0.7 * btviz.page.runs[0].coarse.width, 2.5 + {end} * 0.13 * btviz.page.runs[0].coarse.width)")
        b.settle()
        cells, lost, which = b.js(PAINTED)
        check(f"also at the rims of a stretch ({end})", cells > 200 and lost == 0, (cells, lost, which))
    titles = [t[1] for t in texts(b)]
    offered = b.js("[...document.querySelectorAll('#panels label')].map(e => e.textContent)")
    name = "devices, throughput as shade"
    check("without an array devices are no members", name in titles and name in offered and "members" not in str(titles + offered), offered)
    heads = b.js("document.getElementById('metrics').textContent")
    check("nor have they effective members", "gap time" in heads and "effective" not in heads, heads)
    b.open(page("bad", "-t", recording("raid0-bad")))
    check("those of an array are", "members, throughput as shade" in [t[1] for t in texts(b)])
    b.open(page("lvm", "-t", recording("lvm-on-raid0")))
    heads = b.js("[...document.querySelectorAll('#metrics th')].map(e => e.textContent)")
    row = dict(zip(heads, b.js("[...document.querySelectorAll('#metrics td')].map(e => e.textContent)")))
    note = next(t[1] for t in texts(b) if t[1].startswith("effective"))
    check("of a volume on an array those of the array count", near(float(row["effective members"]), float(note.split()[2]), 0.02), (row, note))
    b.open(page("many", *(a for n in ("partition", "v8-discard", "raid10-discard") for a in ("-t", recording(n)))))
    written = texts(b)
    check("nor where runs stand side by side", not crowded(written), crowded(written))
    b.screenshot(os.path.join(FOLDER, "many.png"))


def test_side_by_side(b):
    url = page("both", "-t", recording("raid0-good"), "-t", recording("raid0-bad"), "-l", "good", "-l", "bad")
    b.open(url)
    check("two runs stand side by side", b.js("""btviz.charts.length === 2 && Math.abs(btviz.charts[0].host.getBoundingClientRect().top
        - btviz.charts[1].host.getBoundingClientRect().top) < 1"""))
    x, y, w, h = box(b, "tput", 1)
    b.point(("move", x + 0.2 * w, y + h / 2), ("down",), ("move", x + 0.3 * w, y + h / 2), ("move", x + 0.4 * w, y + h / 2), ("up",))
    check("their time axes are linked", b.js("btviz.charts.every(c => c.view.t0 === btviz.view.t0 && btviz.view.t0 > 2)"))
    b.point(("move", x + 0.5 * w, y + h / 2))
    check("both are read at the same moment", b.js("btviz.charts.every(c => !c.readout.hidden)"))
    check("panels have one scale", b.js("btviz.charts[0].scales === btviz.charts[1].scales"))
    best = b.js("[...document.querySelectorAll('#metrics td.best')].map(e => e.textContent)")
    check("the better values are bold", "22.5" in best, best)
    b.click("#reset")
    written = texts(b)
    ends = [t for t in written if "ends after" in t[1]]
    spans = b.js("btviz.page.runs.map(r => r.span_s)")
    check("the shorter run's end is marked", spans[0] < spans[1] and [e[0] for e in ends] == [0] and
          near(amount(ends[0][1].removeprefix("ends after "))[0], spans[0], 0.01), (ends, spans))
    check("where it is", near(ends[0][2], b.js(f"btviz.charts[0].plot.x + btviz.charts[0].plot.w * {spans[0] / spans[1]}"), 0.03), ends)
    check("over no other text", not crowded(written), crowded(written))
    b.js("btviz.view.look(0, 5)")
    b.settle()
    check("not where the end is out of view", not any("ends after" in t[1] for t in texts(b)))
    b.click("#reset")
    b.screenshot(os.path.join(FOLDER, "both.png"))
    b.post("/window/rect", {"width": 600, "height": 1400})
    b.settle()
    check("a narrow window has them below one another", b.js("""btviz.charts[1].host.getBoundingClientRect().top
        > btviz.charts[0].host.getBoundingClientRect().bottom"""))
    b.screenshot(os.path.join(FOLDER, "narrow.png"))
    b.post("/window/rect", {"width": 1280, "height": 1400})
    check("no console errors", not (log := b.console()), log)


def test_looks(b):
    b.open(page("bad", "-t", recording("raid0-bad")))
    paper = "getComputedStyle(document.body).backgroundColor"
    corner = "[...btviz.charts[0].canvas.getContext('2d').getImageData(2, 200, 1, 1).data].slice(0, 3).join()"
    check("light where the system is", b.js(corner) == "255,255,255", b.js(corner))
    b.emulate(prefers_color_scheme="dark")
    check("dark where the system is", b.js(corner) == "23,24,26" and b.js(paper) == "rgb(23, 24, 26)", b.js(corner))
    b.screenshot(os.path.join(FOLDER, "dark.png"))
    b.emulate(prefers_color_scheme="light")
    b.click("#theme")
    check("dark when asked to", b.js(corner) == "23,24,26" and "theme=dark" in b.js("location.hash"), b.js(corner))
    b.js("dispatchEvent(new Event('beforeprint'))")
    check("printed on white", b.js(corner) == "255,255,255", b.js(corner))
    b.js("dispatchEvent(new Event('afterprint'))")
    check("dark again after it", b.js(corner) == "23,24,26", b.js(corner))
    paper = base64.b64decode(b.post("/print", {"background": False}))
    with open(os.path.join(FOLDER, "paper.pdf"), "wb") as file:
        file.write(paper)
    sheets = max(int(n) for n in re.findall(rb"/Count (\d+)", paper))
    check("a run with its panels, gaps and figures is one sheet of paper", sheets == 1, sheets)
    check("every control has a name", b.js("""[...document.querySelectorAll('button, input, summary')].every(e =>
        (e.getAttribute('aria-label') || e.textContent || e.labels?.[0]?.textContent || '').trim())"""))


def test_beside(b):
    """What was recorded beside the I/O, whose it was and when by the clock."""
    trace = os.path.join(FOLDER, "beside")
    script = "\n".join(["name 100 fio", "name 101 dd", "wall 1700000000",
                        *(f"Q W {i * 8}+8 @{5 + i * 0.02:.2f} p{100 + i % 2}\nD W {i * 8}+8\nC W {i * 8}+8" for i in range(200))])
    subprocess.run([sys.executable, MKTRACE, trace + ".blktrace.0"], input=script.encode(), check=True)
    start = Summary(LIBRARY, trace).origin
    with open(trace + ".samples.csv", "w", encoding="ascii") as file:
        file.write("time_ns,nr_dirty,nr_writeback,cpu_user,cpu_system\n")
        for i in range(60):
            file.write(f"{start + i * 100_000_000},{1000 if i < 20 else 3000},{10 * i},{i * 0.05:.2f},{i * 0.025:.4f}\n")
    b.open(page("beside", "-t", trace, "-P", "--clock", "wall"))
    check("no console errors", not (log := b.console()), log)
    names = b.js("[...document.querySelectorAll('.processes li')].map(e => e.textContent)")
    check("the processes are told", sorted(n.split()[0] for n in names) == ["dd", "fio"], names)
    count = b.js("new Set(btviz.page.runs[0].devices[0].map('write').owner).size")
    check("each cell is some process's", count == 2, count)
    x, y, w, h = box(b, "vm")
    b.point(("move", x + 0.15 * w, y + h / 2))
    lines = readout(b)[1]
    check("memory is read", lines.get("dirty") == "1000" or amount(lines.get("dirty", "0"))[0] == 1000, lines)
    check("the clock is read", lines["clock, UTC"].startswith("22:13:2"), lines)
    x, y, w, h = box(b, "cpu")
    b.point(("move", x + 0.6 * w, y + h / 2))
    lines = readout(b)[1]
    check("CPUs are read", near(amount(lines["user"])[0], 0.5, 0.02) and near(amount(lines["system"])[0], 0.25, 0.02), lines)
    b.click("#table summary")
    heads = b.js("[...document.querySelectorAll('#view-table th')].map(e => e.textContent)")
    check("the table has them, too", {"dirty", "user"} <= set(heads), heads)
    b.screenshot(os.path.join(FOLDER, "beside.png"))
    b.open(page("bad", "-t", recording("raid0-bad")))
    offered = b.js("[...document.querySelectorAll('#panels label')].map(e => e.textContent)")
    check("what was not sampled is not offered", "CPUs busy" not in offered and "offset" in offered, offered)


def test_hostile(b):
    trace = os.path.join(FOLDER, "hostile")
    script = "\n".join(["name 100 </script><b>x", "name 101 \"'><img src=q", "wall 1700000000",
                        *(f"Q W {i * 8}+8 @{1 + i * 0.01:.2f} p{100 + i % 2}\nD W {i * 8}+8\nC W {i * 8}+8" for i in range(50)),
                        "message </script><script>globalThis.bad=1</script>",
                        "message <!-- \u2028 \u202e \x07 ]]> &amp; 中文 العربية 🙂",
                        *(f"Q W {i * 8}+8 @{9 + i * 0.01:.2f} p101\nD W {i * 8}+8\nC W {i * 8}+8" for i in range(50))])
    subprocess.run([sys.executable, MKTRACE, trace + ".blktrace.0"], input=script.encode(), check=True)
    evil = "</title></script><script>globalThis.bad=1</script><!--'\"&\u2028 日本 عربى 🙂"
    url = page("hostile", "-t", trace, "-l", evil, "-T", evil, "--gap-threshold", "200ms")
    b.open(url)
    check("hostile text runs nothing", b.js("globalThis.bad === undefined"))
    check("and makes no element", b.js("document.querySelectorAll('script').length === 4 && document.images.length === 0"))
    check("it is shown as it is", b.js("document.getElementById('title').textContent") == evil.replace("\u2028", "?") or
          b.js("document.getElementById('title').textContent") == evil, b.js("document.getElementById('title').textContent"))
    check("in the window's title too", b.js("document.title").startswith("</title></script><script>"), b.js("document.title"))
    text = b.js("document.getElementById('messages').textContent")
    check("messages in any script", "中文 العربية 🙂" in text and "</script>" in text, text)
    check("names of processes in the gaps", "'><img src=q resumed" in b.js("document.querySelector('.gaps').textContent"),
          b.js("document.querySelector('.gaps').textContent"))
    check("no console errors", not (log := b.console()), log)
    b.screenshot(os.path.join(FOLDER, "hostile.png"))
    with open(url[7:], encoding="utf-8") as file:
        html = file.read()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    check("the policy allows no other script", "default-src 'none'" in policy and "unsafe" not in policy, policy)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        address = "http://127.0.0.1:%d/" % server.getsockname()[1]
        b.run(f"""const s = document.createElement('script'); s.textContent = 'globalThis.bad = 2'; document.body.append(s);
            const i = new Image(); i.src = '{address}x.png'; fetch('{address}').catch(() => 0); setTimeout(done, 300);""")
        try:
            server.accept()[0].close()
            reached = True
        except TimeoutError:
            reached = False
    check("the policy holds: no other script runs, nobody is reached", b.js("globalThis.bad === undefined") and not reached)


def test_edges(b):
    for name, script in (("one", "Q W 8+8\nD W 8+8\nC W 8+8"), ("single", "Q R 8+8"),
                         ("discard", "Q D 0+4096\nD D 0+4096\nC D 0+4096")):
        trace = os.path.join(FOLDER, "edge-" + name)
        subprocess.run([sys.executable, MKTRACE, trace + ".blktrace.0"], input=script.encode(), check=True)
        b.open(page("edge-" + name, "-t", trace))
        check(f"a trace of almost nothing is shown ({name})",
              b.js("document.getElementById('trouble').hidden") and not (log := b.console()), name)
    b.open(page("discards", "-t", recording("raid10-discard")))
    tput = "btviz.charts[0].scales[btviz.charts[0].places.findIndex(p => p.panel.id === 'tput')].max"
    moved = b.js(tput)
    check("throughput is what was read and written", 1e8 < moved < 1e9, moved)
    b.click("#directions label:nth-child(1) input")
    b.click("#directions label:nth-child(2) input")
    check("without both it is what was discarded", b.js(tput) > 1e10, b.js(tput))
    b.open(page("window", "-t", recording("raid0-bad"), "-x", "3:5"))
    check("a window is shown in its own seconds", near(view(b)[0], 3, 0.01) and near(view(b)[1], 5, 0.05), view(b))


def main():
    if os.environ.get("SANITIZE", "none") != "none":
        print("skipped: this Python cannot load a library under sanitizers, whose figures the page's are compared with")
        sys.exit(77)
    why = missing()
    if why:
        print("skipped:", why)
        sys.exit(77)
    os.makedirs(FOLDER, exist_ok=True)
    only = sys.argv[6:]
    with Browser(1280, 1400) as browser:
        for name, test in list(globals().items()):
            if name.startswith("test_") and (not only or name[5:] in only):
                start = time.monotonic()
                print(f"# {name[5:]}", flush=True)
                browser.emulate(prefers_color_scheme="light")
                try:
                    test(browser)
                except (RuntimeError, KeyError, IndexError, TypeError) as error:
                    check(f"{name[5:]} runs to its end", False, repr(error))
                print(f"# {time.monotonic() - start:.1f} s", flush=True)
    bad = [what for what, holds in checks if not holds]
    print(f"{len(checks) - len(bad)} of {len(checks)} hold")
    sys.exit(1 if bad else 0)


main()
