#!/usr/bin/env python3
"""Builds README's library example and those of tests/examples as a stranger would: against an installed
tree, with pkg-config and all warnings, as C11 and as C++17; and runs them on recordings.

    example.py ROOT BUILD MESON COMPILER SANITIZERS

SANITIZERS is meson's b_sanitize: strangers' programs then need the same."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

root, build, meson, compiler, sanitizers = sys.argv[1:6]
REAL = os.path.join(root, "testdata", "real")
BAD = os.path.join(REAL, "raid0-bad.tar.xz")
# Name: arguments, recording on standard input, what must be in the output. The figures are those of
# blkparse and of the recorder: 24,539 bios of 4 KiB on md0; 10,500 events in the stream.
EXAMPLES = {
    "README": ([BAD], None, r"^sdd: p99 \d+\.\d+ ms$"),
    "live.c": ([], "stream.tar.xz", r"^10500 events, 0 bytes skipped$"),
    "buffer.c": ([BAD], None, r"^\d{5,} bytes of PNG$"),
    "numbers.py": ([BAD], None, r"^md0: 49078 events, 0 bytes read, 100511744 written$"),
}


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
    if not pc or not library:
        sys.exit("btviz.pc or libbtviz.so.0 is not installed")
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
        for name, (args, stdin, want) in EXAMPLES.items():
            data = b""
            if stdin:
                with tarfile.open(os.path.join(REAL, stdin)) as archive:
                    member = next(m for m in archive if m.isfile() and m.size > 0)
                    data = archive.extractfile(member).read()
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
                if not re.search(want, out, re.MULTILINE):
                    sys.exit(f"{name} as {standard}: no line like {want}")


main()
