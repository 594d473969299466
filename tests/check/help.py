#!/usr/bin/env python3
"""Checks that --help, the man pages and the shell completions name the same options and commands.

    help.py ROOT BTVIZ [--update]

With --update the completions and btviz.1's table are written anew. --help is printed from the tables that are parsed, so it is the reference. It goes to standard output,
is at most 80 columns wide, and ends with exit code 0."""
import os
import re
import subprocess
import sys

root, btviz = sys.argv[1:3]
MAN = os.path.join(root, "tools", "man")
COMPLETION = os.path.join(root, "tools", "completion")
faults = []


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        faults.append(f"{os.path.relpath(path, root)}: is missing")
        return ""


def help_of(command):
    words = [btviz] + ([command] if command else []) + ["--help"]
    result = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    name = " ".join(["btviz"] + words[1:])
    if result.returncode != 0 or result.stderr:
        faults.append(f"{name}: exit code {result.returncode}, says {result.stderr!r}")
    for line in result.stdout.splitlines():
        if len(line) > 80:
            faults.append(f"{name}: wider than 80 columns: {line}")
    return result.stdout


def options_of_help(text):
    """Options are listed at the start of a line, with a letter or without."""
    return set(re.findall(r"^  (?:-\S, |    )(--[a-z][a-z0-9-]*)", text, re.MULTILINE)), \
        set(re.findall(r"^  (-\S), --", text, re.MULTILINE))


def options_of_man(text):
    """Options are in the tags of .TP paragraphs of the section OPTIONS."""
    text = text.partition("\n.SH OPTIONS\n")[2].partition("\n.SH ")[0]
    text = re.sub(r"\\f.|\\&", "", text.replace("\\-", "-"))
    tags = re.findall(r"^\.TP.*\n((?:\.[A-Z]+ .*-.*|-.*)(?:\n\.TQ\n.*)*)", text, re.MULTILINE)
    words = " ".join(tags)
    return set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", words)), \
        set(re.findall(r"(?<![\w-])-[A-Za-z](?![\w-])", words))


def compare(what, have, want, command):
    for name in sorted(want - have):
        faults.append(f"{what}: lacks {name}, which btviz {command} --help has".replace("  ", " "))
    for name in sorted(have - want):
        faults.append(f"{what}: has {name}, which btviz {command} --help lacks".replace("  ", " "))


def completed(*words):
    """What bash's completion proposes for the last of the words."""
    script = f'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _btviz; printf "%s\\n" "${{COMPREPLY[@]}}"'
    result = subprocess.run(["bash", "-c", script, "bash", os.path.join(COMPLETION, "btviz.bash"), "btviz", *words],
                            capture_output=True, text=True)
    return result.stdout.split()


def matrix(page):
    """The table of all options in btviz.1 is what `btviz help options` prints."""
    begin, end = '.\\" btviz help options\n.nf\n', ".fi\n"
    table = subprocess.run([btviz, "help", "options"], capture_output=True, text=True).stdout
    want = "".join(line.replace("-", "\\-") + "\n" for line in table.splitlines())
    text = read(page)
    before, found, rest = text.partition(begin)
    if not found:
        faults.append("tools/man/btviz.1: has no table of all options")
    elif "--update" in sys.argv:
        with open(page, "w", encoding="utf-8") as file:
            file.write(before + begin + want + end + rest.partition(end)[2])
    elif rest.partition(end)[0] != want:
        faults.append("tools/man/btviz.1: its table of all options is not what `btviz help options` prints: "
                      "help.py ROOT BTVIZ --update")


main_help = help_of("")
commands = re.findall(r"^  ([a-z]+) ", main_help.split("\nCommands", 1)[-1], re.MULTILINE) \
    if "\nCommands" in main_help else []
for command in [""] + commands:
    long_options, letters = options_of_help(help_of(command) if command else main_help)
    page = os.path.join(MAN, f"btviz-{command}.1" if command else "btviz.1")
    man_long, man_letters = options_of_man(read(page))
    name = os.path.relpath(page, root)
    compare(name, man_long, long_options, command)
    compare(name, man_letters, letters, command)
matrix(os.path.join(MAN, "btviz.1"))
made = subprocess.run([sys.executable, os.path.join(COMPLETION, "make.py"), btviz, COMPLETION] +
                      ([] if "--update" in sys.argv else ["--check"]), capture_output=True, text=True)
faults += made.stdout.splitlines() + made.stderr.splitlines()
for words, want in [(("repo",), ["report"]), (("report", "--format", "js"), ["json", "jsonl"]),
                    (("-O", "lat"), ["latency"]), (("events", "--action", "Q,U"), ["Q,U", "Q,UT"]),
                    (("compare", "-m", "latency_p9"), ["latency_p99_ms"]), (("show", "--asc"), ["--ascii"]),
                    (("help", "ev"), ["events"])]:
    if completed(*words) != want:
        faults.append(f"bash completes {' '.join(words)} to {completed(*words)}, not to {want}")
for shell, name in [("bash", "btviz.bash"), ("zsh", "_btviz"), ("fish", "btviz.fish")]:
    try:
        said = subprocess.run([shell, "-n", os.path.join(COMPLETION, name)], capture_output=True, text=True).stderr
    except FileNotFoundError:
        continue
    if said:
        faults.append(f"tools/completion/{name}: {said}")
for name in sorted(os.listdir(MAN)):
    # Pages are formatted without a complaint of groff, where there is one.
    try:
        said = subprocess.run(["groff", "-ww", "-man", "-Tutf8", os.path.join(MAN, name)],
                              capture_output=True, text=True).stderr
    except FileNotFoundError:
        break
    if said and name.rsplit(".", 1)[-1].isdigit():
        faults.append(f"tools/man/{name}: groff says {said}")
for fault in faults:
    print(fault)
print(f"{len(commands) + 1} commands, {len(faults)} faults")
sys.exit(1 if faults else 0)
