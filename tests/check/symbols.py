#!/usr/bin/env python3
"""Checks that three lists of public functions are one: what the headers declare (BTVIZ_EXPORT), what
lib/btviz.map names, and what the built library exports; and that libbtviz(3) names them all. Also that the library keeps its manners: it
calls nothing that prints, exits, reads the environment, sets the locale or installs handlers.

    symbols.py ROOT LIBRARY.so          check
    symbols.py ROOT --update            write the headers' list into the map's newest node
"""
import glob
import os
import re
import subprocess
import sys

root = sys.argv[1]
map_path = os.path.join(root, "lib", "btviz.map")
BAD_MANNERS = re.compile(r"^_*(v?printf(_chk)?|puts|putchar|perror|stdout|stderr|exit|getenv|"
                         r"secure_getenv|setlocale|uselocale|signal|sigaction|syslog|system|popen|"
                         r"strtok|localtime|gmtime)$")
ALLOWED_IN = {
    # The guardian of a recording is a child process with handlers and an end of its own; a child that
    # could not become the traced program ends too.
    "record": {"_exit", "signal", "sigaction"},
}


def declared():
    names = set()
    for path in glob.glob(os.path.join(root, "include", "btviz", "*.h")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for prototype in re.findall(r"\n\n(?:static inline|BTVIZ_EXPORT)\b[^;(]*?(\w+)\(", text):
            sys.exit(f"{path}: no comment stands above {prototype}()")
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
        text = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
        for prototype in re.findall(r"\bBTVIZ_EXPORT\b([^;]*);", text):
            names.add(re.search(r"\b(btviz_\w+)\s*\(", prototype)[1])
        for prototype in re.findall(r"^\w[^;{}()]*\b(btviz_\w+)\s*\([^;{}]*\)\s*;", text, re.MULTILINE):
            if prototype not in names:
                sys.exit(f"{path}: {prototype}() is declared without BTVIZ_EXPORT")
    return names


def mapped():
    with open(map_path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/|#[^\n]*", " ", file.read(), flags=re.DOTALL)
    return set(re.findall(r"\b(btviz_[\w*]+);", text))


def exported(library):
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True,
                         text=True).stdout
    return {line.split()[2].split("@")[0] for line in out.splitlines() if line.split()[1] in "TDBRVW"}


def manners(folder):
    """Undefined symbols of the library's object files, by station."""
    faults = []
    objects = sorted(glob.glob(os.path.join(folder, "lib*.a.p", "*.o")))
    out = subprocess.run(["nm", "-A", "-u", *objects], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        name, file = line.split()[-1].split("@")[0], os.path.basename(line.rsplit(":", 1)[0])
        if BAD_MANNERS.match(name) and name not in ALLOWED_IN.get(file.split("_")[0], set()):
            faults.append(f"{file.rsplit('.', 1)[0]}: the library must not call {name}()")
    return faults


def update(names):
    with open(map_path, encoding="utf-8") as file:
        text = file.read()
    end = text.rindex("local:") if "local:" in text else text.rindex("}")
    start = text.rindex("global:", 0, end) + len("global:")
    older = set(re.findall(r"\b(btviz_[\w*]+);", text[:start]))
    body = "".join(f"\t{name};\n" for name in sorted(names - older))
    with open(map_path, "w", encoding="utf-8") as file:
        file.write(text[:start] + "\n" + body + text[end:])


def main():
    names = declared()
    if sys.argv[2] == "--update":
        update(names)
        return 0
    faults = []
    for have, what in [(mapped(), "lib/btviz.map names"), (exported(sys.argv[2]), "the library exports")]:
        faults += [f"{name}: declared in a header, but not what {what}" for name in sorted(names - have)]
        faults += [f"{name}: {what} it, but no header declares it" for name in sorted(have - names)]
    with open(os.path.join(root, "tools", "man", "libbtviz.3"), encoding="utf-8") as file:
        page = set(re.findall(r"\bbtviz_\w+", file.read()))
    faults += [f"{name}: libbtviz(3) does not name it" for name in sorted(names - page)]
    faults += manners(os.path.dirname(sys.argv[2]))
    for fault in faults:
        print(fault)
    print(f"{len(names)} functions, {len(faults)} faults"
          + (" (tests/check/symbols.py . --update writes the map)" if faults else ""))
    return 1 if faults or not names else 0


sys.exit(main())
