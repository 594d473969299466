#!/usr/bin/env python3
"""Compiles each header alone, twice included: headers.py ROOT COMPILER STANDARD [public]

Public headers are also to be good C++; internal ones are C only."""
import glob
import os
import subprocess
import sys
import tempfile

root, compiler, standard = sys.argv[1], sys.argv[2].split(), sys.argv[3]
is_cxx = standard.startswith("c++")
headers = [(name, [os.path.join(root, "include")])
           for name in sorted(glob.glob("btviz/*.h", root_dir=os.path.join(root, "include")))]
if not is_cxx:
    headers += [(name, [os.path.join(root, "lib"), os.path.join(root, "include")])
                for name in sorted(glob.glob("*/*.h", root_dir=os.path.join(root, "lib")))
                if not name.startswith("draw/cairo_")]
flags = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", f"-std={standard}"]
failed = 0
with tempfile.TemporaryDirectory() as scratch:
    source = os.path.join(scratch, "one.cc" if is_cxx else "one.c")
    for name, folders in headers:
        with open(source, "w", encoding="utf-8") as file:
            file.write(f"#include <{name}>\n#include <{name}>\nint main(void) {{ return 0; }}\n")
        includes = [f"-I{folder}" for folder in folders]
        if len(folders) > 1:
            includes.append("-D_GNU_SOURCE")
        result = subprocess.run([*compiler, *flags, *includes, source], capture_output=True, text=True)
        if result.returncode != 0:
            failed += 1
            print(f"{name} does not compile alone as {standard}:\n{result.stderr}")
print(f"{len(headers)} headers, {failed} faults")
sys.exit(1 if failed or not headers else 0)
