#!/usr/bin/env python3
"""Measures pages in a headless Chromium: page.py PAGE.html... [--rounds N]

How long until a page is drawn (from its own clock), until the first paint, how long a frame of zooming
takes, and how much of each the page's thread works. Figures, never a test: others' work on the machine
counts in all but the last."""
import argparse
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "html"))

from browser import Browser, missing  # noqa: E402

FRAMES = 90
# In and out again around one place: from the whole run to a thousandth of it.
ZOOM = """const v = btviz.view, around = v.start + (v.end - v.start) * 0.37; let k = 0; const began = performance.now();
const step = () => { if (k++ >= FRAMES) { v.reset(); done((performance.now() - began) / FRAMES); return; }
    v.zoom(k % 30 < 15 ? 0.63 : 1 / 0.63, around); requestAnimationFrame(step); };
requestAnimationFrame(step);""".replace("FRAMES", str(FRAMES))


def work(browser):
    """Seconds that the page's thread has worked so far."""
    metrics = browser.post("/goog/cdp/execute", {"cmd": "Performance.getMetrics", "params": {}})["metrics"]
    return {m["name"]: m["value"] for m in metrics}["ThreadTime"]


def measure(browser, url, rounds):
    rows = []
    for _ in range(rounds):
        browser.open(url)
        browser.settle()
        paint = browser.js("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        browser.post("/goog/cdp/execute", {"cmd": "Performance.enable", "params": {"timeDomain": "threadTicks"}})
        loaded = work(browser)
        frame = browser.run(ZOOM)
        rows.append((browser.js("btviz.readyMs"), paint, frame, 1000 * (work(browser) - loaded) / FRAMES))
    middle = [statistics.median(column) for column in zip(*rows)]
    print(f"drawn after {middle[0]:.0f} ms, first paint {middle[1]:.0f} ms; zooming {middle[2]:.1f} ms a frame "
          f"({1000 / middle[2]:.0f} a second), of which the page's thread works {middle[3]:.1f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    if why := missing():
        sys.exit("page.py: " + why)
    with Browser(1280, 1400) as browser:
        for page in args.pages:
            print(f"{page}: {os.path.getsize(page) / 1e3:.0f} kB, ", end="", flush=True)
            measure(browser, "file://" + os.path.abspath(page), args.rounds)


if __name__ == "__main__":
    main()
