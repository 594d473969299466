#!/usr/bin/env python3
"""Movies of recordings: movie.py BTVIZ TESTDATA OUTPUT-FOLDER

ffprobe tells length, frames and codec; frames are decoded again and looked at: gaps are still, work
moves. Exit code 77: skipped, and why."""
import json
import os
import shutil
import subprocess
import sys

BTVIZ, TESTDATA, FOLDER = (os.path.abspath(name) for name in sys.argv[1:4])
W, H = 640, 480
faults = []


def check(what, holds, detail=""):
    print(("ok" if holds else "NOT OK") + f" - {what}" + (f": {detail!r}" if detail != "" and not holds else ""), flush=True)
    if not holds:
        faults.append(what)


def recording(name):
    return os.path.join(TESTDATA, "real", name + ".tar.xz")


def btviz(*arguments, **more):
    return subprocess.run([BTVIZ, *arguments], capture_output=True, text=True, **more)


def probe(path):
    out = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                          "stream=codec_name,nb_read_frames,width,height,pix_fmt:format=duration", "-of", "json", path],
                         capture_output=True, text=True, check=True).stdout
    data = json.loads(out)
    return data["streams"][0], float(data["format"]["duration"])


def frames(path):
    """Decoded again, a byte of brightness a pixel."""
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"],
                         capture_output=True, check=True).stdout
    return [raw[i * W * H:(i + 1) * W * H] for i in range(len(raw) // (W * H))]


def moved(a, b, top, bottom):
    """Pixels of these rows that differ clearly."""
    x, y = a[top * W:bottom * W], b[top * W:bottom * W]
    return sum(abs(p - q) > 24 for p, q in zip(x, y))


if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
    print("skipped: ffmpeg is not installed (Debian: ffmpeg)")
    sys.exit(77)
shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(FOLDER)
os.chdir(FOLDER)

for name, suffix, codec, arguments, length, rate in (
        ("raid0-bad", "mp4", "h264", [], 4, 10),
        ("raid0-good", "webm", "vp9", ["-m", "spindle"], 2, 5),
        ("raid0-good", "ogv", "theora", ["-m", "rect"], 2, 5),
        ("raid1-threads-4", "gif", "gif", ["-m", "spindle"], 2, 5)):
    out = f"{name}.{suffix}"
    result = btviz("-t", recording(name), "-o", out, *arguments, "--movie-length", f"{length}s",
                   "--movie-frames", str(rate), "-F", f"{W}x{H}")
    check(f"{out} is made, without a word", result.returncode == 0 and not result.stderr, result.stderr)
    stream, duration = probe(out)
    check(f"{out}: {codec}, {length * rate} frames, {length} s, {W}x{H}",
          stream["codec_name"] == codec and int(stream["nb_read_frames"]) == length * rate and
          abs(duration - length) < 0.06 and (stream["width"], stream["height"]) == (W, H), (stream, duration))
check("nothing else is left", sorted(os.listdir(".")) ==
      ["raid0-bad.mp4", "raid0-good.ogv", "raid0-good.webm", "raid1-threads-4.gif"], os.listdir("."))

# raid0-bad as the recording's truth has it: the longest gap from 8.63 to 10.53 s of 13.29 s is frames
# 27 to 30 of 40; from 7.7 to 8.6 s there is work.
still = frames("raid0-bad.mp4")
subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", "raid0-bad.mp4", "-vf", "select=eq(n\\,30)", "-frames:v", "1", "gap.png"], check=True)
tiles = 116, 250
check("tiles move while there is work", moved(still[23], still[25], *tiles) > 100, moved(still[23], still[25], *tiles))
check("and do not light up in a gap", sum(p < q - 24 for p, q in zip(still[30][tiles[0] * W:tiles[1] * W], still[28][tiles[0] * W:tiles[1] * W])) < 20,
      sum(p < q - 24 for p, q in zip(still[30][tiles[0] * W:tiles[1] * W], still[28][tiles[0] * W:tiles[1] * W])))
check("the moment's line moves on", moved(still[28], still[30], 300, 400) > 50)

check("a movie is of one run", btviz("-t", recording("raid0-bad"), "-t", recording("raid0-good"), "-o", "x.mp4").returncode == 2)
check("-m wants a movie's suffix", btviz("-t", recording("raid0-bad"), "-m", "rect", "-o", "x.png").returncode == 2)
check("no such style", btviz("-t", recording("raid0-bad"), "-m", "cube").returncode == 2)
check("61 frames a second are too many", btviz("-t", recording("raid0-bad"), "-o", "x.mp4", "--movie-frames", "61").returncode == 2)
result = btviz("-t", recording("raid0-bad"), "-o", "x.mp4", env={**os.environ, "PATH": "/nowhere"})
check("without ffmpeg: said, before any work, exit 1", result.returncode == 1 and "needs ffmpeg" in result.stderr and
      "apt-get install ffmpeg" in result.stderr, (result.returncode, result.stderr))
os.mkdir("bin")
with open("bin/ffmpeg", "w", encoding="ascii") as file:
    file.write("#!/bin/sh\necho 'Unknown encoder' >&2\nexit 1\n")
os.chmod("bin/ffmpeg", 0o755)
with open("x.mp4", "w", encoding="ascii") as file:
    file.write("former")
result = btviz("-t", recording("raid0-bad"), "-o", "x.mp4", "--movie-length", "1s",
               env={**os.environ, "PATH": os.path.abspath("bin") + ":/usr/bin:/bin"})
check("ffmpeg's failure is ours, and says why", result.returncode == 1 and "Unknown encoder" in result.stderr, result.stderr)
check("and leaves what was there", open("x.mp4", encoding="ascii").read() == "former" and
      not [n for n in os.listdir(".") if n.endswith(".tmp")], os.listdir("."))
result = btviz("-t", recording("raid0-bad"), "-o", "-x:y.mp4", "--movie-length", "1s", "--movie-frames", "2", "-F", "640x480")
check("a name that looks like an option or a protocol", os.path.exists("-x:y.mp4"), result.stderr)
print(f"{len(faults)} faults")
sys.exit(1 if faults else 0)
