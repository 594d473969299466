#!/usr/bin/env python3
"""Static analysis of the library and the program: gcc's -fanalyzer and clang-tidy (.clang-tidy has the
list of checks), on as many cores as there are. Any report is a fault: mend it, or say beside the line
why it is wrong (NOLINT with the check's name for clang-tidy, a pragma for gcc).

    analyse.py BUILD [FILE...]

BUILD is a build directory of meson's, for its compile_commands.json. A tool that is missing is said to
be, and what it would have found not looked for; if both are, the check is skipped (exit code 77)."""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys


def commands(build):
    """The files of lib/ and tools/ with their compilers' arguments, the longest first."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        for entry in json.load(file):
            path = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
            name = os.path.relpath(path, os.path.dirname(os.path.abspath(build)))
            if name.startswith(("lib/", "tools/")):
                yield name, entry["directory"], shlex.split(entry["command"])


def gcc(name, directory, words):
    """The compiler's own arguments without those that name what it writes."""
    words = words[next(i for i, word in enumerate(words) if word.startswith("-")):]
    kept = [word for i, word in enumerate(words)
            if word not in ("-MD", "-c", "-MQ", "-MF", "-o", "-g") and words[i - 1] not in ("-MQ", "-MF", "-o")]
    return subprocess.run(["/usr/bin/gcc", *kept, "-w", "-fanalyzer", "-Werror", "-fdiagnostics-color=never",
                           "-fanalyzer-verbosity=1", "-c", "-o", "/dev/null"],
                          cwd=directory, capture_output=True, text=True)


def clang_tidy(name, directory, words):
    return subprocess.run(["clang-tidy", "-p", directory, "--quiet", os.path.join(directory, words[-1])],
                          cwd=directory, capture_output=True, text=True)


def main():
    build, *names = sys.argv[1:]
    tools = {"gcc": gcc, "clang-tidy": clang_tidy}
    for tool in list(tools):
        if not shutil.which(tool):
            print(f"skipped: {tool} is not installed")
            del tools[tool]
    if not tools:
        return 77
    work = [(tool, *entry) for entry in commands(build) if not names or entry[0] in names for tool in tools]
    faults = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        ran = pool.map(lambda w: tools[w[0]](*w[1:]), work)
        for (tool, name, *_), result in zip(work, ran):
            if result.returncode or "warning:" in result.stdout + result.stderr:
                faults += 1
                print(f"--- {tool}: {name}\n{result.stdout}{result.stderr}")
    print(f"{len(work)} files and tools, {faults} with reports")
    return 1 if faults or not work else 0


sys.exit(main())
