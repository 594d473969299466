"""containers.py - files that mean harm before a record is read: archives that grow, reach out of
their place or have no end, and files beside a trace that are too large. Each row: what is made, what
btviz must say, with which exit code; for each, time and memory are bounded, and no file appears.

    containers.py BTVIZ
"""
import io
import lzma
import os
import re
import resource
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib

MEMORY_MB = 320
SECONDS = 120


def record(sequence, time_ns, action, device, sector):
    return struct.pack("<IIQQIIIIIHH", 0x65617407, sequence, time_ns, sector, 4096, action, 77,
                       device, 0, 0, 0)


def trace(device=8 << 20 | 16):
    """A queue, an issue and a completion."""
    return b"".join(record(i + 1, 1000 + i, action, device, 64) for i, action in
                    enumerate((0x00120001, 0x00420007, 0x00820008)))


def tar(members, mode="w"):
    """Members: (name, content or None for a header alone that claims to be sparse)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=tarfile.PAX_FORMAT) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def sparse():
    """A member of 8 TB that is all holes but for its last three records."""
    content, real = trace(), 8 << 40
    numbers = f"1\n{real - len(content)}\n{len(content)}\n".encode()
    numbers += bytes(-len(numbers) % 512)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("GNUSparseFile.0/sdb.blktrace.0")
        info.size = len(numbers) + len(content)
        info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0",
                            "GNU.sparse.name": "sdb.blktrace.0",
                            "GNU.sparse.realsize": str(real)}
        archive.addfile(info, io.BytesIO(numbers + content))
    return out.getvalue()


MIB = bytes([1]) * (1 << 20)  # of nothing: zeros would be an empty tar


def stream(compress, head=b"", mib=300, fill=MIB):
    """Packed piece by piece: what this program holds itself counts for those that it starts."""
    return b"".join([compress.compress(head)] + [compress.compress(fill) for _ in range(mib)] +
                    [compress.flush()])


def gz(**what):
    return stream(zlib.compressobj(9, zlib.DEFLATED, 31), **what)


def xz(**what):
    return stream(lzma.LZMACompressor(preset=1), **what)


def zipped(name):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open(name, "w") as member:
            for _ in range(300):
                member.write(MIB)
    return out.getvalue()


def tar_head(name, size):
    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf()


BOMB = r"unpacks to \d+ MB and more from \d+ kB: no trace is like that"
NO_TRACE = r"no block trace: given up, as none of its first \d+ MB begins a record"
WHOLE = r"^$"

# name of the file, its content, exit code, what is said (or "" and a name that the report shows)
CASES = [
    ("sdb.blktrace.0.gz", gz, 1, NO_TRACE),
    ("twice.gz", lambda: gz(head=gz(), mib=0), 1, NO_TRACE),
    ("sdb.xz", xz, 1, NO_TRACE),
    ("bomb.zip", lambda: zipped("sdb.blktrace.0"), 1, BOMB),
    ("bomb.tar.xz", lambda: xz(head=tar_head("sdb.blktrace.0", 300 << 20)), 1, BOMB),
    # below what may always be unpacked: only no trace
    ("nothing.gz", lambda: gz(mib=200), 1, "no block trace"),
    ("sparse.tar", sparse, 0, WHOLE),
    ("most.tar.gz", lambda: tar(((f"m{i}", b"") for i in range(65536)), "w:gz"), 1,
     "none of its 65536 members is one"),
    ("more.tar.gz", lambda: tar(((f"m{i}", b"") for i in range(65537)), "w:gz"), 1,
     "an archive of more than 65536 members"),
    ("nested.tar", lambda: tar([("inner.tar", tar([("sdb.blktrace.0", trace())]))]), 1,
     "no trace in the archive"),
    ("devices.tar", lambda: tar((f"d{i}.blktrace.0", trace(i + 1)) for i in range(1024)), 0, WHOLE),
    ("devices-more.tar", lambda: tar((f"d{i}.blktrace.0", trace(i + 1)) for i in range(1025)), 1,
     "streams of more than 1024 devices in one run"),
    ("up.tar", lambda: tar([("../../up.blktrace.0", trace())]), 0, WHOLE),
    ("root.tar", lambda: tar([("/tmp/root.blktrace.0", trace())]), 0, WHOLE),
    ("deep.tar", lambda: tar([("a/" * 5000 + "deep.blktrace.0", trace())]), 0, WHOLE),
    ("long.tar", lambda: tar([("n" * 60000 + ".blktrace.0", trace())]), 0, WHOLE),
    ("odd.tar", lambda: tar([("\x1b[2J\n.blktrace.0", trace())]), 0, WHOLE),
    # a saved summary's text may be 256 MiB, and no more
    ("saved.btviz.json", lambda: gz(head=b"{", mib=257, fill=b" " * (1 << 20)), 1,
     "larger than any saved summary"),
]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def run(btviz, args, cwd):
    """Exit code, standard output and error, and the most memory that it took in MB."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen([btviz] + args, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=err, preexec_fn=limit)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return (child.returncode, out.read(), err.read().decode("utf-8", "backslashreplace"),
                used.ru_maxrss // 1024)


def main():
    btviz = os.path.abspath(sys.argv[1])
    sanitized = b"__asan_init" in open(btviz, "rb").read()
    faults = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.makedirs(f"{scratch}/a/b/in")
        cwd = f"{scratch}/a/b/in"
        for name, make, code, said in CASES:
            with open(f"{cwd}/{name}", "wb") as file:
                file.write(make())
            got, out, err, memory = run(btviz, ["report", "-t", name], cwd)
            wrong = []
            if got != code:
                wrong.append(f"exit code {got} instead of {code}")
            if not re.search(said, err):
                wrong.append(f"it said {err[:300]!r}")
            if any(b < 32 and b != 10 for b in out + err.encode()):
                wrong.append("control characters")
            if memory > MEMORY_MB and not sanitized:
                wrong.append(f"{memory} MB")
            os.remove(f"{cwd}/{name}")
            left = [f for _, _, files in os.walk(scratch) for f in files]
            if left or os.path.exists("/tmp/root.blktrace.0"):
                wrong.append(f"files appeared: {left}")
            print(f"{name}: {memory} MB", *wrong, sep="; ")
            faults += bool(wrong)
        # a label of any length
        with open(f"{cwd}/t.blktrace.0", "wb") as file:
            file.write(trace())
        got, out, err, memory = run(btviz, ["report", "-t", "t", "-l", "x" * 100000], cwd)
        if got != 0 or len(out) > 20000:
            print(f"a label of 100,000 bytes: exit code {got}, {len(out)} bytes of report, {err[:300]}")
            faults += 1
    print(f"{len(CASES) + 1} cases, {faults} faults")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
