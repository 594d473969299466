#!/usr/bin/env python3
"""Builds the stations from base/ to judge/ for a 32-bit and for a big-endian machine, without the foreign
libraries, runs them (under qemu) on recordings, and compares every line with the native build's.

    run.py ROOT native|i386|s390x...

A machine whose compiler or emulator is not there is skipped, and said to be; if all are, so is the test.
On Debian 12: gcc-12-multilib, gcc-12-s390x-linux-gnu, libc6-dev-s390x-cross, qemu-user-static."""
import difflib
import glob
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = sys.argv[1]
# The 387's registers are wider than a double; SSE's are not.
MACHINES = {
    "i386": (["gcc", "-m32", "-msse2", "-mfpmath=sse", "-idirafter", "/usr/include/x86_64-linux-gnu"],
             ["qemu-i386-static"]),
    "s390x": (["s390x-linux-gnu-gcc-12"], ["qemu-s390x-static"]),
}
RECORDINGS = ["raid0-bad", "io-errors", "v8-cgroup", "stream"]


def build(command, program):
    sources = [os.path.join(ROOT, "tests", "portable", "figures.c")]
    for station in ["base", "trace", "model", "measure", "judge"]:
        sources += sorted(glob.glob(os.path.join(ROOT, "lib", station, "*.c")))
    # Saved summaries need jansson and zlib.
    sources = [name for name in sources if not os.path.basename(name).startswith(("save", "load"))]
    return subprocess.run(
        [*command, "-std=c11", "-O2", "-static", "-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64",
         "-DBTVI_HAVE_ARCHIVE=0", '-DBTVIZ_VERSION="0"', "-Wall", "-Wextra", "-Werror", "-Wshadow",
         "-Wformat=2", f"-I{ROOT}/lib", f"-I{ROOT}/include", "-o", program, *sources, "-lm", "-lpthread"],
        capture_output=True, text=True)


def works(command, scratch):
    """Whether the compiler is there, with the libraries of its machine."""
    if not shutil.which(command[0]):
        return False
    source = os.path.join(scratch, "try.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <errno.h>\n#include <pthread.h>\n#include <math.h>\nint main(void) { return 0; }\n")
    return subprocess.run([*command, "-static", "-o", source + ".run", source, "-lm"],
                          capture_output=True).returncode == 0


def main():
    compared, faults = 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        for name in RECORDINGS:
            with tarfile.open(os.path.join(ROOT, "testdata", "real", f"{name}.tar.xz")) as archive:
                archive.extractall(os.path.join(scratch, name))
        native = os.path.join(scratch, "native")
        made = build(["gcc"], native)
        if made.returncode != 0:
            sys.exit(f"native: {made.stderr}")
        for machine, (compiler, emulator) in MACHINES.items():
            program = os.path.join(scratch, machine)
            if not works(compiler, scratch) or (emulator and not shutil.which(emulator[0])):
                print(f"{machine}: skipped: {' '.join(compiler + emulator)} is not installed")
                continue
            made = build(compiler, program)
            if made.returncode != 0:
                sys.exit(f"{machine}: {made.stderr}")
            for name in RECORDINGS:
                files = os.listdir(os.path.join(scratch, name))
                trace = name if len(files) > 1 else os.path.join(name, files[0])
                want, have = (subprocess.run([*words, trace], cwd=scratch, capture_output=True, text=True)
                              for words in ([native], [*emulator, program]))
                compared += 1
                if want.returncode != 0 or not want.stdout:
                    sys.exit(f"native, {name}: {want.stderr}")
                if have.stdout != want.stdout:
                    faults += 1
                    print("".join(difflib.unified_diff(
                        want.stdout.splitlines(True), have.stdout.splitlines(True), f"{name}, native",
                        f"{name}, {machine}", n=0))[:5000], have.stderr)
                else:
                    print(f"{machine}, {name}: {want.stdout.count(chr(10))} equal lines")
    print(f"{compared} comparisons, {faults} faults")
    return 1 if faults else 0 if compared else 77


sys.exit(main())
