#!/usr/bin/env python3
"""Builds README's library example as a stranger would: against an installed tree, with pkg-config and
all warnings, as C11 and as C++17; and runs it on a recording.

    example.py ROOT BUILD MESON COMPILER-WORD... [-- SANITIZER-FLAG...]
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

root, build, meson = sys.argv[1:4]
words = sys.argv[4:]
split = words.index("--") if "--" in words else len(words)
compiler, sanitize = words[:split], words[split + 1:]
TRACE = os.path.join(root, "testdata", "real", "raid0-bad.tar.xz")


def run(command, **more):
    result = subprocess.run(command, capture_output=True, text=True, **more)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def main():
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        examples = re.findall(r"^```c\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL)
    if not examples:
        sys.exit("README.md has no C example")
    with tempfile.TemporaryDirectory() as scratch:
        tree = os.path.join(scratch, "tree")
        run([meson, "install", "-C", build, "--no-rebuild", "--destdir", tree])
        pc = glob.glob(os.path.join(tree, "**", "btviz.pc"), recursive=True)
        library = glob.glob(os.path.join(tree, "**", "libbtviz.so.0"), recursive=True)
        if not pc or not library:
            sys.exit("btviz.pc or libbtviz.so.0 is not installed")
        environment = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=tree,
                           PKG_CONFIG_PATH=os.path.dirname(pc[0]),
                           LD_LIBRARY_PATH=os.path.dirname(library[0]))
        flags = run(["pkg-config", "--cflags", "--libs", "btviz"], env=environment).split()
        kinds = [("c", compiler, "c11")]
        if shutil.which("g++"):
            kinds.append(("cc", ["g++"], "c++17"))
        for number, text in enumerate(examples, 1):
            for suffix, command, standard in kinds:
                source = os.path.join(scratch, f"example{number}.{suffix}")
                program = f"{source}.run"
                with open(source, "w", encoding="utf-8") as file:
                    file.write(text)
                run([*command, f"-std={standard}", "-Wall", "-Wextra", "-Werror", *sanitize, "-o",
                     program, source, *flags], env=environment)
                out = run([program, TRACE], env=environment)
                if not out.strip():
                    sys.exit(f"example {number} as {standard} printed nothing")
                print(f"--- example {number} as {standard}\n{out}")


main()
