#!/usr/bin/env python3
"""Runs the program as a user does, and compares what it says with what it said.

A case is a shell script NAME.sh, run with `sh -eu` in a scratch directory of its own, with the program
as `btviz`, `mktrace` (see mktrace.py) and `generate` (tests/bench) in the PATH and the recordings in
$TESTDATA. Beside it:

    NAME.out    what it prints; without the file: nothing
    NAME.err    what it says on standard error, likewise
    NAME.exit   its exit code; without the file: 0

`try COMMAND...` shows a command, all that it says and how it ends, for cases of several commands.

The scratch directory's path is shown as HERE. A line of .out or .err that holds `[...]` matches any text there. Exit code 77 skips the case, the
last line says why. Every case runs in the C locale and in de_DE.UTF-8 (decimal comma), where that can
be made. Not the place to test the library: for that there are unit/ and golden/.

    run.py --btviz build/tools/btviz [--update] [CASE.sh...]
"""
import argparse
import difflib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TIMEOUT = 120


def comma_locale(cache):
    """The environment of de_DE.UTF-8, made below cache if the system lacks it; or None."""
    name = "de_DE.UTF-8"
    if not os.path.isdir(os.path.join(cache, name)):
        if not shutil.which("localedef") or not os.path.exists("/usr/share/i18n/locales/de_DE"):
            return None
        os.makedirs(cache, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as scratch:
            made = os.path.join(scratch, name)
            if subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", "--no-archive", made],
                              capture_output=True).returncode > 1:
                return None
            try:
                os.rename(made, os.path.join(cache, name))
            except OSError:
                pass  # another case was faster
    return {"LC_ALL": name, "LOCPATH": cache}


def expected(case, suffix):
    try:
        with open(case[:-3] + suffix, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def matches(want, have):
    pattern = ".*?".join(re.escape(part) for part in want.split("[...]"))
    return re.fullmatch(pattern, have, re.DOTALL if "[...]" in want else 0) is not None


def differences(case, suffix, have):
    want = expected(case, suffix)
    if matches(want, have):
        return ""
    return "".join(difflib.unified_diff(
        want.splitlines(True), have.splitlines(True),
        os.path.basename(case[:-3]) + suffix, "what it said")) + "\n"


def update(case, suffix, have, plain):
    path = case[:-3] + suffix
    if have == plain:
        if os.path.exists(path):
            os.remove(path)
    elif not os.path.exists(path) or not matches(expected(case, suffix), have):
        with open(path, "w", encoding="utf-8") as file:
            file.write(have)


def run(case, args, locale):
    """Runs a case once. Returns (exit code, out, err)."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("LC_", "LANG", "BTVIZ", "COLUMNS", "NO_COLOR"))}
    environment.update(locale)
    # Scratch directories of users are not always called something tame.
    with tempfile.TemporaryDirectory(prefix="btviz cli ") as scratch:
        tools, home = os.path.join(scratch, "bin"), os.path.join(scratch, "here")
        os.mkdir(tools)
        os.mkdir(home)
        os.chmod(scratch, 0o755)
        for name, target in [("btviz", args.btviz), ("generate", args.generate),
                             ("mktrace", os.path.join(HERE, "mktrace.py")),
                             ("try", os.path.join(HERE, "try"))]:
            if target:
                os.symlink(os.path.abspath(target), os.path.join(tools, name))
        environment.update(PATH=f"{tools}:{environment['PATH']}", TERM="dumb", HOME=home,
                           TESTDATA=os.path.join(ROOT, "testdata"), TZ="UTC")
        result = subprocess.run(["sh", "-eu", case], cwd=home, env=environment, timeout=TIMEOUT,
                                stdin=subprocess.DEVNULL, capture_output=True)
    out, err = (text.decode("utf-8", "backslashreplace").replace(home, "HERE")
                for text in (result.stdout, result.stderr))
    return result.returncode, out, err


def check(case, args, locales):
    fault = ""
    for title, locale in locales:
        try:
            code, out, err = run(case, args, locale)
        except subprocess.TimeoutExpired:
            return f"{case}: still running after {TIMEOUT} s"
        if code == 77:
            print(f"{os.path.basename(case)}: skipped: {(out + err).strip().splitlines()[-1:]}")
            return 77
        if args.update and not fault:
            update(case, ".out", out, "")
            update(case, ".err", err, "")
            update(case, ".exit", f"{code}\n", "0\n")
        said = differences(case, ".out", out) + differences(case, ".err", err)
        want = int(expected(case, ".exit") or 0)
        if code != want:
            said += f"exit code {code} instead of {want}\n"
        if said:
            fault += f"{os.path.basename(case)} in the locale {title}:\n{said}"
    return fault


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--btviz", default=os.path.join(ROOT, "build", "tools", "btviz"))
    parser.add_argument("--generate", default=None)
    parser.add_argument("--cache", default=os.path.join(tempfile.gettempdir(), f"btviz-locale-{os.getuid()}"))
    parser.add_argument("--update", action="store_true", help="write what is said now beside the cases")
    parser.add_argument("--need-locale", action="store_true", help="only say whether there is a comma")
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    comma = comma_locale(args.cache)
    if args.need_locale:
        print("de_DE.UTF-8: " + ("there" if comma else "skipped: package locales is not installed"))
        return 0 if comma else 77
    locales = [("C", {"LC_ALL": "C"})] + ([("de_DE.UTF-8", comma)] if comma else [])
    results = [check(os.path.abspath(case), args, locales)
               for case in args.cases or sorted(glob.glob(os.path.join(HERE, "*.sh")))]
    faults = [fault for fault in results if fault and fault != 77]
    for fault in faults:
        print(fault)
    print(f"{len(results)} cases in {len(locales)} locales, {len(faults)} faults")
    if faults:
        return 1
    return 77 if results and all(result == 77 for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
