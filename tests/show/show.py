#!/usr/bin/env python3
"""Runs shown in a terminal: show.py BTVIZ TESTDATA MKTRACE

Lines fit the width, ASCII is ASCII, colours come and go as the terminal and NO_COLOR want it, hostile
text is harmless, and what is shown agrees with the recordings' truth."""
import os
import pty
import re
import subprocess
import sys
import tempfile
import unicodedata

BTVIZ, TESTDATA, MKTRACE = sys.argv[1:4]
faults = []


def check(what, holds, detail=""):
    print(("ok" if holds else "NOT OK") + f" - {what}" + (f": {detail!r}" if detail and not holds else ""))
    if not holds:
        faults.append(what)


def recording(name):
    return os.path.join(TESTDATA, "real", name + ".tar.xz")


def show(*arguments, **environment):
    result = subprocess.run([BTVIZ, "show", *arguments], capture_output=True, check=True,
                            env={**os.environ, **environment})
    return result.stdout.decode("utf-8")


def width(line):
    return sum(0 if unicodedata.combining(c) or unicodedata.category(c) in ("Cf", "Me", "Mn") else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def on_terminal(*arguments, columns=60, **environment):
    """What the command writes to a terminal of so many columns."""
    import fcntl
    import struct
    import termios
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    child = subprocess.Popen([BTVIZ, *arguments], stdout=slave, stderr=subprocess.PIPE,
                             env={**os.environ, "TERM": "xterm-256color", **environment})
    os.close(slave)
    out = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        out += piece
    child.wait()
    os.close(master)
    return out.decode("utf-8").replace("\r\n", "\n")


os.environ["LC_ALL"] = "C.UTF-8"
bad, good = recording("raid0-bad"), recording("raid0-good")
for columns in (30, 31, 40, 41, 59, 60, 80, 133, 400):
    for more in ([], ["--ascii"]):
        text = show("-t", bad, "-t", good, "--width", str(columns), *more)
        wide = [line for line in text.splitlines() if width(line) > columns]
        check(f"no line is wider than {columns} columns{' in ASCII' if more else ''}", not wide, wide)
        check("no escapes, no blanks at a line's end",
              "\x1b" not in text and not re.search(r" $", text, re.MULTILINE), text)
        if more:
            check("ASCII is ASCII", text.isascii(), [c for c in text if not c.isascii()])

for locale, is_ascii in (("C", True), ("POSIX", True), ("de_DE.ISO-8859-1", True), ("C.UTF-8", False), ("en_US.utf8", False)):
    os.environ["LC_ALL"] = locale
    check(f"the locale {locale} gets {'ASCII' if is_ascii else 'blocks'}", show("-t", bad).isascii() == is_ascii)
os.environ["LC_ALL"] = "C.UTF-8"
text = show("-t", bad)
check("the seven gaps of the recording are listed", len(re.findall(r"^ +\dS +[\d.]+ s +\S+ m?s  no submissions", text, re.M)) == 7, text)
check("the longest with its length and who resumed", "1.90 s  no submissions, idle 1.76 s; kworker" in text, text)
check("members with their shares", len(re.findall(r"^ +sd[bcde] .* 25 %$", text, re.M)) == 4, text)
lane = re.search(r"^   gaps (.*)$", text, re.M)[1]
share = sum(c != " " for c in lane) / 66
check("the lane is as long as the gaps together", 0.6 < share < 0.75, (lane, share))
rows = [line[8:] for line in text.splitlines() if re.match(r"^( {4,7}\d*| {8})[ ▁▂▃▄▅▆▇█]+$", line)]
check("nothing is drawn in the middle of the longest gap", all(len(r) <= 48 or r[48] == " " for r in rows) and len(rows) == 4, rows)

text = show("-t", recording("raid0-onedisk"))
check("one disk of four stands out", "effective 1.0 of 4" in text, text)
reads = show("-t", recording("raid1-threads-4"))
check("reads have a course of their own", "reads, MB/s" in reads and "writes," not in reads, reads)
check("-W leaves reads out", "reads, MB/s" not in show("-t", recording("mask-issue-complete"), "-W"))

text = show("-t", bad, "-R")
rows = re.findall(r"^ +sd[bcde] +(.*)$", text, re.M)
check("-R has no writes in the members, and says so", rows == ["none"] * 4 and not re.search("[░▒▓█]", text), text)
check("nor in the throughput", re.search(r"^ +reads: none$", text, re.M) and "writes, " not in text, text)
text = show("-t", bad, "-W", "--width", "80")
check("-W has all of a run of writes", len(re.findall(r"^ +sd[bcde] .*[░▒▓█]", text, re.M)) == 4 and
      not re.search(r"sd[bcde] +none|s: none", text), text)
fsync, read, written = (show("-t", recording("raid10-ext4-fsync"), *o) for o in ([], ["-R"], ["-W"]))
painted = [sum(map(len, re.findall("[░▒▓█]", "".join(re.findall(r"^ +sd[bcde] .*$", t, re.M))))) for t in (fsync, read, written)]
check("members have the I/O of the kind asked for", 0 < painted[1] < painted[2] <= painted[0], painted)
check("shares are of all I/O, and are left out", " %" in fsync and "effective" in fsync and
      not any(re.search(r"^ +sd[bcde] .* %$|effective", t, re.M) for t in (read, written)), read)
check("a member without I/O says so", len(re.findall(r"^ +sd[bcde] +none\b", show("-t", recording("raid0-onedisk")), re.M)) == 3)
check("discards alone are neither", "reads and writes: none" in show("-t", recording("raid10-discard"), "-x", "3.64:3.7"))

text = on_terminal("show", "-t", bad, columns=60)
check("colours on a terminal", "\x1b[0;38;5;166m" in text)
plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
check("in its width", max(map(width, plain.splitlines())) <= 60 and "\x1b" not in plain, plain)
check("none with NO_COLOR", "\x1b" not in on_terminal("show", "-t", bad, NO_COLOR="1"))
check("none on a dumb terminal", "\x1b" not in on_terminal("show", "-t", bad, TERM="dumb"))
check("--color=always in a pipe", "\x1b[" in show("-t", bad, "--color", "always"))
check("every line ends without a colour", all(line.count("\x1b[0m") >= 1 or "\x1b" not in line for line in text.splitlines()))
check("-o - on a terminal shows", "gaps" in on_terminal("-t", bad, "-o", "-"))
with tempfile.TemporaryDirectory() as scratch:
    picture = os.path.join(scratch, "a.png")
    check("a terminal is told which picture was written", on_terminal("-t", bad, "-o", picture).strip() == picture)
    check("a pipe is not", subprocess.run([BTVIZ, "-t", bad, "-o", picture], capture_output=True).stdout == b"")
check("a narrow terminal gets 30 columns", max(map(width, re.sub(r"\x1b\[[0-9;]*m", "", on_terminal("show", "-t", bad, columns=20)).splitlines())) == 30)

with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, "x")
    script = "name 100 \x1b[2J\u202e中文\nwall 1700000000\n" + "\n".join(
        f"Q W {i * 8}+8 @{1 + i * 0.01 + (i > 50) * 5:.2f} p100\nD W {i * 8}+8\nC W {i * 8}+8" for i in range(100))
    subprocess.run([sys.executable, MKTRACE, trace + ".blktrace.0"], input=script.encode(), check=True)
    evil = "\x1b]0;title\x07 日本語のラベル 🙂 عربى \x9b31m" + "字" * 80
    for columns in (30, 40, 80):
        text = show("-t", trace, "-l", evil, "--width", str(columns), "--gap-threshold", "1s")
        check(f"hostile text is harmless at {columns} columns",
              not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text), text)
        check("and fits", max(map(width, text.splitlines())) <= columns, text)
    check("in ASCII, too", show("-t", trace, "-l", evil, "--ascii", "--gap-threshold", "1s").isascii())
    one = os.path.join(folder, "one")
    subprocess.run([sys.executable, MKTRACE, one + ".blktrace.0"], input=b"Q R 8+8", check=True)
    check("a trace of one event", "one" in show("-t", one))

result = subprocess.run([BTVIZ, "show"], capture_output=True, text=True)
check("no trace: usage", result.returncode == 2 and "no trace given" in result.stderr, result.stderr)
print(f"{len(faults)} faults")
sys.exit(1 if faults else 0)
