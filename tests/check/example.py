#!/usr/bin/env python3
"""Builds README's library example and those of tests/examples as a stranger would: against an installed
tree, with pkg-config and all warnings, as C11 and as C++17; runs them on recordings, and compares their
figures with the recordings' own, counted here without the library. Also that the tree has all that it should.

    example.py ROOT BUILD MESON COMPILER SANITIZERS

SANITIZERS is meson's b_sanitize: strangers' programs then need the same."""
import collections
import glob
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile

root, build, meson, compiler, sanitizers = sys.argv[1:6]
REAL = os.path.join(root, "testdata", "real")
INSTALLED = """
bin/btviz include/btviz/{btviz,catalogue,compare,contrast,event,finding,io,metadata,movie,output,plot,record,samples,show,status,summary,text,trace}.h
lib/libbtviz.so lib/libbtviz.so.0 lib/libbtviz.so.0.2.0 lib/pkgconfig/btviz.pc
share/bash-completion/completions/btviz share/zsh/site-functions/_btviz
share/fish/vendor_completions.d/btviz.fish share/btviz/btviz-report-1.schema.json
share/man/man1/{btviz,btviz-compare,btviz-events,btviz-ios,btviz-record,btviz-report,btviz-show}.1
share/man/man3/libbtviz.3 share/man/man5/btviz-trace.5 share/man/man7/btviz-tutorial.7"""


# ---- the recordings' own figures ----

def records(data):
    """time, event, categories, sector, bytes of each I/O event of a version 7 stream."""
    at = 0
    while at + 48 <= len(data):
        _, _, time, sector, size, action, _, _, _, _, payload = struct.unpack_from("<IIQQIIIIIHH", data, at)
        if not action >> 16 & 0x400:
            yield time, action & 0xff, action >> 16, sector, size
        at += 48 + payload


def streams(name):
    """Device and bytes of each stream of a recording."""
    with tarfile.open(os.path.join(REAL, name)) as archive:
        for member in archive:
            if member.isfile() and member.size > 0:
                device = re.match(r"(?:.*/)?(\w+)\.blktrace\.\d+$", member.name)
                yield device[1] if device else member.name, archive.extractfile(member).read()


def p99_ms(name):
    """Of each disk: the 99th percentile of the times from D to C of the same first sector."""
    lanes, answer = collections.defaultdict(list), {}
    for device, data in streams(name):
        lanes[device] += records(data)
    for device, events in lanes.items():
        issued, times = {}, []
        for time, event, _, sector, _ in sorted(events):
            if event == 7:
                issued[sector] = time
            elif event == 8 and sector in issued:
                times.append(time - issued.pop(sector))
        if times:
            answer[device] = sorted(times)[math.ceil(0.99 * len(times)) - 1] / 1e6
    return answer


# ---- what each example must say ----

def says_p99(out, recording):
    have = dict(re.findall(r"^(\w+): p99 (\d+\.\d+) ms$", out, re.MULTILINE))
    want = p99_ms(recording)
    # The library's quantiles are within 1 %, and lie between two requests where these are few.
    return len(want) > 1 and all(abs(float(have[d]) / ms - 1) < 0.015 for d, ms in want.items()), want


def says_mb(out, recording):
    (_, data), = list(streams(recording))
    want = [sum(e[4] for e in records(data) if e[1] == 8 and e[4] and bool(e[2] & 2) == writes and not e[2] & 0x2000)
            for writes in (False, True)]
    lines = re.findall(r"^\d+ s: (\d+\.\d) MB read, (\d+\.\d) MB written$", out, re.MULTILINE)
    have = [sum(float(line[i]) for line in lines) * 1e6 for i in range(2)]
    return (sum(want) > 1e6 and all(abs(h - w) <= 0.05e6 * (len(lines) + 1) for h, w in zip(have, want))
            and f"{len(list(records(data)))} events, 0 bytes skipped" in out), want


def matches(pattern):
    return lambda out, _: (re.search(pattern, out, re.MULTILINE), pattern)


# Program: recording, whether it comes on standard input, what it must say. 24,539 bios of 4 KiB on md0 are
# blkparse's count.
EXAMPLES = [
    ("README", "raid0-bad.tar.xz", False, says_p99),
    ("README", "raid1-threads-16.tar.xz", False, says_p99),
    ("live.c", "stream.tar.xz", True, says_mb),
    ("buffer.c", "raid0-bad.tar.xz", False, matches(r"^\d{5,} bytes of PNG, 900 pixels wide$")),
    ("numbers.py", "raid0-bad.tar.xz", False, matches(r"^md0: 49078 events, 0 bytes read, 100511744 written$")),
]


def run(command, **more):
    result = subprocess.run(command, capture_output=True, **more)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {result.returncode}\n"
                 f"{result.stdout.decode()}{result.stderr.decode()}")
    return result.stdout.decode()


def install(tree):
    """Installs into tree; returns the environment in which it is found."""
    run([meson, "install", "-C", build, "--no-rebuild", "--destdir", tree])
    pc = glob.glob(os.path.join(tree, "**", "btviz.pc"), recursive=True)
    library = glob.glob(os.path.join(tree, "**", "libbtviz.so.0"), recursive=True)
    prefix = os.path.dirname(glob.glob(os.path.join(tree, "**", "bin", "btviz"), recursive=True)[0])[:-4]
    # Debian has its libraries in lib/x86_64-linux-gnu.
    have = {re.sub(r"^lib/[^/]+-linux-gnu[^/]*/", "lib/", os.path.relpath(os.path.join(folder, file), prefix))
            for folder, _, files in os.walk(tree) for file in files}
    want = set()
    for word in INSTALLED.split():
        before, braces, rest = word.partition("{")
        names, _, after = rest.partition("}")
        want |= {before + name + after for name in names.split(",")} if braces else {word}
    if have != want:
        sys.exit(f"not installed: {sorted(want - have)}; installed, but not expected: {sorted(have - want)}")
    return dict(os.environ, PKG_CONFIG_SYSROOT_DIR=tree, PKG_CONFIG_PATH=os.path.dirname(pc[0]),
                LD_LIBRARY_PATH=os.path.dirname(library[0]))


def programs(name, text, scratch, environment):
    """Compiles text; yields (standard, command)."""
    flags = run(["pkg-config", "--cflags", "--libs", "btviz"], env=environment).split()
    kinds = [("c11", "c", compiler.split())]
    if shutil.which("g++"):
        kinds.append(("c++17", "cc", ["clang++" if "clang" in compiler else "g++"]))
    for standard, suffix, words in kinds:
        source = os.path.join(scratch, f"{name}.{suffix}")
        program = f"{source}.run"
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        sanitize = [] if sanitizers == "none" else [f"-fsanitize={sanitizers}"]
        run([*words, f"-std={standard}", "-Wall", "-Wextra", "-Werror", *sanitize, "-o", program, source,
             *flags], env=environment)
        yield standard, [program]


def main():
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        texts = {"README": re.search(r"^```c\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL)[1]}
    for path in sorted(glob.glob(os.path.join(root, "tests", "examples", "*.c"))):
        with open(path, encoding="utf-8") as file:
            texts[os.path.basename(path)] = file.read()
    with tempfile.TemporaryDirectory() as scratch:
        environment = install(os.path.join(scratch, "tree"))
        for name, recording, piped, says in EXAMPLES:
            data = next(streams(recording))[1] if piped else b""
            args = [] if piped else [os.path.join(REAL, recording)]
            if name.endswith(".py"):
                if sanitizers != "none":
                    print(f"{name}: skipped: python is not built with {sanitizers}")
                    continue
                found = [("python", [sys.executable, os.path.join(root, "tests", "examples", name)])]
            else:
                found = programs(name, texts[name], scratch, environment)
            for standard, command in found:
                out = run([*command, *args], env=environment, input=data, cwd=scratch)
                print(f"--- {name} as {standard}\n{out}")
                right, want = says(out, recording)
                if not right:
                    sys.exit(f"{name} as {standard} on {recording}: should say {want}")


main()
