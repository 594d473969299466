#!/usr/bin/env python3
"""Every way in which btviz writes, and everything that can be in its way: output.py BTVIZ

A file is there whole or not at all, a former one stays if anything fails, nothing else is left behind;
what goes wrong is said, but not that nobody reads any more."""
import ctypes
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time

BTVIZ = os.path.abspath(sys.argv[1])
MKTRACE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli", "mktrace.py")
COMPARE = ["compare", "a:", "t", "t", "b:", "t", "t"]
# What is written into a file: its name's end, and the command before the file's name.
FILES = {
    "png": (".png", ["-t", "t", "-o"]),
    "svg": (".svg", ["-t", "t", "-o"]),
    "pdf": (".pdf", ["-t", "t", "-o"]),
    "html": (".html", ["-t", "t", "-o"]),
    "report text": (".txt", ["report", "-t", "t", "-o"]),
    "report csv": (".csv", ["report", "-t", "t", "--format", "csv", "-o"]),
    "report json": (".json", ["report", "-t", "t", "--format", "json", "-o"]),
    "events csv": (".csv", ["events", "-t", "t", "-o"]),
    "ios jsonl": (".jsonl", ["ios", "-t", "t", "-o"]),
    "compare json": (".json", [*COMPARE, "-o"]),
    "saved": (".gz", ["report", "-t", "t", "--save"]),
    "compare png": (".png", [*COMPARE, "-o"]),
    "compare svg": (".svg", [*COMPARE, "-o"]),
}
# What goes to standard output.
STREAMS = {
    "png": ["-t", "t", "-o", "-"],
    **{f"report {f}": ["report", "-t", "t", "--device-tables", "--format", f] for f in ("text", "csv", "json")},
    **{f"events {f}": ["events", "-t", "t", "--format", f] for f in ("text", "csv", "jsonl")},
    **{f"compare {f}": [*COMPARE, "--format", f] for f in ("text", "csv", "json", "markdown")},
    **{f"ios {f}": ["ios", "-t", "t", "--format", f] for f in ("text", "csv", "jsonl", "fio")},
    "show": ["show", "-t", "t"],
}
# What ends a program, but for SIGKILL, which a file system without nameless files does not survive.
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGXFSZ, signal.SIGSEGV)
checks = faults = 0


def check(what, holds, detail=""):
    global checks, faults
    checks += 1
    if not holds:
        faults += 1
        print(f"NOT OK - {what}: {detail!r}"[:1500], flush=True)


def run(arguments, **more):
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.run([BTVIZ, *arguments], check=False, timeout=300, **more)


def fine(code):
    return code in (0, 125)  # compare cannot tell: it has written all the same


def read(path):
    """A file's bytes, but for the date that a PDF carries."""
    with open(path, "rb") as file:
        return re.sub(rb"/CreationDate \([^)]*\)", b"", file.read())


class Place:
    """A directory of its own with the trace's link in it; afterwards nothing but `left` may be there."""

    def __init__(self, what, *left):
        self.what, self.left = what, left

    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory()
        os.chmod(self.scratch.name, 0o755)
        os.chdir(self.scratch.name)
        os.symlink(TRACE, "t.blktrace.0")
        return self

    def __exit__(self, *_):
        there = sorted(os.listdir("."))
        check(f"{self.what}: nothing else is left", there == sorted(["t.blktrace.0", *self.left]), there)
        os.chdir("/")
        self.scratch.cleanup()


def into_files():
    for name, (suffix, command) in FILES.items():
        out = "out" + suffix
        with Place(f"{name}, new", out):
            result = run([*command, out], umask=0o027)
            check(f"{name}, new: written", fine(result.returncode), result.stderr)
            check(f"{name}, new: follows the umask", stat.S_IMODE(os.stat(out).st_mode) == 0o640, os.stat(out).st_mode)
            whole = read(out)
        with Place(f"{name}, former", out):
            with open(out, "w") as file:
                file.write("former" * 100000)
            os.chmod(out, 0o604)
            check(f"{name}, former: replaced", fine(run([*command, out]).returncode) and read(out) == whole)
            check(f"{name}, former: keeps its mode", stat.S_IMODE(os.stat(out).st_mode) == 0o604)
        with Place(f"{name}, link", "far", out, "dangling" + suffix):
            os.mkdir("far")
            with open("far/target", "w") as file:
                file.write("former")
            os.symlink("far/target", out)
            os.symlink("nowhere/at/all", "dangling" + suffix)
            check(f"{name}, link: written", fine(run([*command, out]).returncode))
            check(f"{name}, link: stays, its target is replaced", os.path.islink(out) and read("far/target") == whole)
            check(f"{name}, link: nothing beside the target", os.listdir("far") == ["target"], os.listdir("far"))
            result = run([*command, "dangling" + suffix])
            check(f"{name}, dangling link: fails, says so", result.returncode in (1, 125) and
                  b"leads nowhere" in result.stderr, (result.returncode, result.stderr))
            check(f"{name}, dangling link: stays", os.path.islink("dangling" + suffix))
        with Place(f"{name}, special bits", out):
            with open(out, "w") as file:
                file.write("former")
            os.chmod(out, 0o7751)
            check(f"{name}, special bits: written", fine(run([*command, out]).returncode))
            check(f"{name}, special bits: are not kept", stat.S_IMODE(os.stat(out).st_mode) == 0o751, oct(os.stat(out).st_mode))
        if os.getuid() == 0:
            beside_another_user(name, command, out, whole)
        with Place(f"{name}, pipe", out):
            os.mkfifo(out)
            got = []
            reader = threading.Thread(target=lambda: got.append(read(out)))
            reader.start()
            result = run([*command, out])
            reader.join(60)
            check(f"{name}, pipe: gets all", fine(result.returncode) and got == [whole], result.stderr)
            check(f"{name}, pipe: stays one", stat.S_ISFIFO(os.stat(out).st_mode))
        with Place(f"{name}, full disk", out):
            with open(out, "w") as file:
                file.write("former")
            result = run([*command, out], preexec_fn=small_files)
            check(f"{name}, full disk: fails", result.returncode == (125 if "compare" in name else 1), result.returncode)
            check(f"{name}, full disk: says so", out.encode() in result.stderr and b"File too large" in result.stderr,
                  result.stderr)
            check(f"{name}, full disk: the former file stays", read(out) == b"former")
        with Place(f"{name}, ended by the limit of a file's size", out):
            with open(out, "w") as file:
                file.write("former")
            result = run([*command, out], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
            check(f"{name}, the limit of a file's size: ends it", result.returncode == -signal.SIGXFSZ,
                  result.returncode)
            check(f"{name}, the limit of a file's size: the former file stays", read(out) == b"former")
        with Place(f"{name}, no such directory"):
            result = run([*command, "no/" + out])
            check(f"{name}, no such directory: fails, says so", result.returncode in (1, 125) and
                  b"no/" in result.stderr and b"No such file" in result.stderr, (result.returncode, result.stderr))
        with Place(f"{name}, read-only directory", "closed"):
            os.mkdir("closed", 0o555)
            result = run([*command, "closed/" + out], preexec_fn=obey_modes)
            check(f"{name}, read-only directory: fails, says so", result.returncode in (1, 125) and
                  b"ermission denied" in result.stderr, (result.returncode, result.stderr))
        with Place(f"{name}, two writers", out):
            for _ in range(3):
                two = [subprocess.Popen([BTVIZ, *command, out], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                       for _ in range(2)]
                for child in two:
                    err = child.communicate()[1]
                    check(f"{name}, two writers: both are fine", fine(child.returncode), err)
                check(f"{name}, two writers: one whole file", read(out) == whole)
        with Place(f"{name}, ended", out):
            with open(out, "w") as file:
                file.write("former")
            for i in range(2 * len(ENDING)):
                child = subprocess.Popen([BTVIZ, *command, out], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                time.sleep(0.002 + 0.01 * i)
                child.send_signal(ENDING[i % len(ENDING)])
                child.communicate()
                check(f"{name}, ended: the former file or a whole one", read(out) in (b"former", whole))


def beside_another_user(name, command, out, whole):
    """Root writes where another user lives, and where anyone may write: the two must not be made one."""
    other = 65534
    with Place(f"{name}, another user's file", out):
        with open(out, "w") as file:
            file.write("former")
        os.chown(out, other, other)
        os.chmod(out, 0o4777)
        check(f"{name}, another user's file: written", fine(run([*command, out]).returncode) and read(out) == whole)
        now = os.stat(out)
        check(f"{name}, another user's file: stays the user's, without special bits",
              (now.st_uid, now.st_gid, stat.S_IMODE(now.st_mode)) == (other, other, 0o777), now)
    with Place(f"{name}, sticky directory", "sticky", "victim"):
        os.mkdir("sticky")
        os.chmod("sticky", 0o1777)
        with open("victim", "w") as file:
            file.write("precious")
        for planted in ("link", "file", "far"):
            path = os.path.join("sticky", planted + out)
            if planted == "file":
                with open(path, "w") as file:
                    file.write("planted")
            else:
                os.symlink("../victim", path)
            os.chown(path, other, other, follow_symlinks=False)
        os.symlink("sticky/far" + out, out)
        for planted in ("sticky/link" + out, "sticky/file" + out, out):
            result = run([*command, planted])
            check(f"{name}, another user's {planted}: refused, says why", result.returncode in (1, 125) and
                  b"another user's" in result.stderr, (result.returncode, result.stderr))
        check(f"{name}, sticky directory: nothing was followed", read("victim") == b"precious")
        check(f"{name}, sticky directory: nothing was replaced", read("sticky/file" + out) == b"planted")
        os.symlink("../victim", "sticky/own" + out)
        check(f"{name}, sticky directory: one's own link is followed",
              fine(run([*command, "sticky/own" + out]).returncode) and len(read("victim")) > len(whole) / 2)
        os.unlink(out)


def small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def obey_modes():
    """Lets what is run next write only where modes allow it, root or not. It goes on reading everywhere: the
    program may lie in a home that is closed to others."""
    PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
    if os.getuid() == 0 and ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) != 0:
        raise OSError("cannot give up writing everywhere")


def into_streams():
    for name, command in STREAMS.items():
        with Place(f"{name} to standard output"):
            result = run(command)
            check(f"{name}: written", fine(result.returncode) and len(result.stdout) > 100, result.stderr)
            whole = result.stdout
            with open("/dev/full", "wb") as full:
                result = run(command, stdout=full)
            check(f"{name} on a full disk: fails", not result.returncode == 0, result.returncode)
            check(f"{name} on a full disk: says so once",
                  result.stderr.count(b"cannot write") == 1 and result.stderr.count(b"\n") == 1, result.stderr)
            # A reader that goes away: nothing is said, and a shell's pipeline goes on.
            r, w = os.pipe()
            os.close(r)
            result = run(command, stdout=w)
            os.close(w)
            check(f"{name} without a reader: is quiet", result.stderr == b"", result.stderr)
            check(f"{name} without a reader: ends by SIGPIPE or as if done",
                  result.returncode in (0, 125, -signal.SIGPIPE), result.returncode)
            result = run(command, preexec_fn=lambda: os.close(1))
            check(f"{name} without standard output: fails or writes nowhere", result.returncode >= 0, result.returncode)
        if command[0] == "report":
            with Place(f"{name} to /dev/stdout", "out"):
                check(f"{name}: -o /dev/stdout is standard output", run([*command, "-o", "/dev/stdout"]).stdout == whole)
                with open("out", "wb") as out:
                    run([*command, "-o", "/dev/stdout"], stdout=out)
                check(f"{name}: -o /dev/stdout into a file", read("out") == whole)


def main():
    global TRACE
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        TRACE = os.path.join(scratch, "t.blktrace.0")
        lines = "name 100 dd\nwall 1700000000\n" + "".join(
            f"Q W {i * 8}+8 @{1 + i * 0.01:.3f}\nD W {i * 8}+8 @{1.002 + i * 0.01:.3f}\nC W {i * 8}+8 @{1.004 + i * 0.01:.3f}\n"
            for i in range(500))
        subprocess.run([sys.executable, MKTRACE, TRACE], input=lines.encode(), check=True)
        into_files()
        into_streams()
    print(f"{len(FILES)} kinds of files, {len(STREAMS)} streams, {checks} checks, {faults} faults")
    return 1 if faults or checks < 400 else 0


sys.exit(main())
