#!/usr/bin/env python3
"""Makes the fuzz targets' first inputs: small cut-outs of the recordings in testdata/real, and a few
texts. seeds.py BTVIZ TESTDATA OUT STAMP writes OUT/<target>/<name> and, at last, the file STAMP. BTVIZ
makes the saved summaries among them."""
import glob
import gzip
import io
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile

btviz, testdata, out, stamp = sys.argv[1:]
MARK = b"\n--stream--\n"
TARGETS = ["decode", "trace", "pages", "archive", "metadata", "samples", "table", "names", "saved", "draw"]
for target in TARGETS:
    os.makedirs(os.path.join(out, target), exist_ok=True)


def write(target, name, data):
    with open(os.path.join(out, target, name), "wb") as file:
        file.write(data)


def records(data):
    """The records of a stream, little- or big-endian, until something is none."""
    at = 0
    while at + 48 <= len(data):
        order = "little" if data[at + 1:at + 4] == b"tae" else "big"
        version = data[at if order == "little" else at + 3]
        size = 64 if version == 8 else 48
        pdu = int.from_bytes(data[at + size - 14 if version == 8 else at + 46:][:2], order)
        if at + size + pdu > len(data):
            break
        yield data[at:at + size + pdu]
        at += size + pdu


def members(path):
    with tarfile.open(path) as tar:
        for member in tar:
            if member.isfile() and member.size:
                yield os.path.basename(member.name), tar.extractfile(member).read(1 << 18)


def swap(record):
    """The same record as a machine of the other byte order would have written it."""
    version = record[0]
    widths = [4, 4, 8, 8, 4] + ([4, 8] if version == 8 else [4, 4]) + [4, 4, 2, 2]
    at, swapped = 0, b""
    for width in widths:
        swapped += record[at:at + width][::-1]
        at += width
    return swapped + record[at:]


def summary(pieces):
    """The saved summary of some streams, unpacked."""
    with tempfile.TemporaryDirectory() as scratch:
        for index, piece in enumerate(pieces):
            with open(os.path.join(scratch, f"sd{'abcdef'[index]}.blktrace.0"), "wb") as file:
                file.write(piece)
        saved = os.path.join(scratch, "saved")
        made = subprocess.run([btviz, "report", "-t", scratch, "--save", saved, "-o", os.devnull],
                              capture_output=True, text=True)
        if made.returncode != 0:
            sys.exit(f"{btviz}: {made.stderr}")
        with gzip.open(saved) as file:
            return file.read()


# What the target "draw" takes its options from: kinds, panels, sizes, ranges, runs.
DRAWN = [bytes([0, 0, 0, 120, 0, 0, 0, 0]), bytes([1, 255, 7, 200, 0, 0, 0, 0x44]),
         bytes([2, 0, 0, 90, 255, 0, 0, 0x80]), bytes([3, 0, 0, 0, 0, 0, 0, 0x44]),
         bytes([0xf1, 15, 4, 255, 0, 1, 0, 0x20]), bytes([8, 255, 0, 60, 0, 0, 0, 0x84])]
drawn = 0


def draw(name, data):
    """For the target "draw": the same with options, others each time."""
    global drawn
    write("draw", name, DRAWN[drawn % len(DRAWN)] + data)
    drawn += 1


def cut_out(path):
    name = os.path.basename(path)[:-len(".tar.xz")]
    streams = [(member, data) for member, data in members(path)
               if ".blktrace." in member or data[1:4] == b"tae"]
    if not streams:
        return
    pieces = []
    for index, (member, data) in enumerate(streams):
        first = list(records(data))
        if index < 4:
            pieces.append(b"".join(first[:16]))
        if index < 2:
            write("decode", f"{name}-{index}", b"".join(first[:12]))
            write("decode", f"{name}-{index}-middle", b"".join(first[len(first) // 2:][:8]))
    write("trace", name, bytes(7) + b"\1" + MARK.join(pieces))
    draw(name, MARK.join(piece[:1500] for piece in pieces[:3]))
    write("trace", f"{name}-one", bytes([16, 8, 1, 4, 0, 0, 0, 33]) + pieces[0])
    write("decode", f"{name}-big", b"".join(map(swap, records(pieces[0]))))
    if name in ("raid0-bad", "raid5-rmw", "v8-errors", "cgroup-ids", "raid10-discard", "bfq-messages"):
        saved = summary([piece[:1200] for piece in pieces[:2]])
        write("saved", name, saved)
        draw(f"{name}-saved", saved)
    if name in ("partition", "v8-errors"):
        blob = io.BytesIO()
        with tarfile.open(fileobj=blob, mode="w") as tar:
            for member, data in streams[:3]:
                info = tarfile.TarInfo(member)
                info.size = min(len(data), 480)
                tar.addfile(info, io.BytesIO(data[:480]))
        write("archive", f"{name}.tar", blob.getvalue())
        write("archive", f"{name}.tar.xz", lzma.compress(blob.getvalue()))
        write("archive", f"{name}.xz", lzma.compress(streams[0][1][:480]))


for path in sorted(glob.glob(os.path.join(testdata, "real", "*.tar.xz"))):
    cut_out(path)
for path in sorted(glob.glob(os.path.join(testdata, "real", "tracefs", "*.tar.xz"))):
    name = os.path.basename(path)[:-len(".tar.xz")]
    for index, (member, data) in enumerate(sorted(members(path))[:3]):
        write("pages", f"{name}-{index}", data[:8192] if "raw" in name else data[:1200])

small = open(os.path.join(out, "decode", sorted(os.listdir(os.path.join(out, "decode")))[0]), "rb").read()
write("archive", "one.gz", gzip.compress(small, mtime=0))
blob = io.BytesIO()
with zipfile.ZipFile(blob, "w", zipfile.ZIP_DEFLATED) as packed:
    packed.writestr("sdb.blktrace.0", small)
    packed.writestr("../../md0.blktrace.1", small)
write("archive", "two.zip", blob.getvalue())
write("metadata", "run", b"""{"schema":"btviz.metadata/1","kernel":"6.1.0","command":["dd","if=/dev/zero"],
"exit_status":0,"backend":"tracefs","start_ns":1,"end_ns":2,"lost_events":0,"devices":[
{"device":"9:0","name":"md0","level":"raid0","chunk_bytes":65536,"size_bytes":1,"members":["8:16","8:32"]},
{"device":"8:16","name":"sdb","label":"a","traced":true}]}""")
write("metadata", "deep", b"[" * 100 + b"]" * 100)
write("samples", "two", b"time_ns,nr_dirty,pgscan_direct,cpu_user,cpu0_user\n1000,5,1,0.25,0.25\n2000,6,3,0.5,0.5\n")
write("samples", "odd", b"time_ns,a,a\r\n1,nan,inf\n0,1,2\n18446744073709551615,1e308,-1e308\n")
write("saved", "bare", b'{"schema":"btviz.summary/2","options":{}}')
whole = open(os.path.join(testdata, "hostile", "saved", "whole.json"), "rb").read()
for index in range(len(DRAWN)):
    draw(f"whole-{index}", whole)
write("table", "plain", b"label,value\ngood,100\ngood,101\ngood,99\nbad,70\nbad,71\n")
write("table", "sweep", b"# runs\nvalue,label\n1,a@1\n2,a@2\n1.5,b@1\n0.1,b@2\n")
write("table", "quoted", b'label,value\n"a ""b"", c",1e3\nd,\n')
for index, text in enumerate([b"\x001.5s", b"\x010.5:2m", b"\x021k:3T", b"\x031200x800", b"\x0442", b"\x05csv",
                              b"\0run..dev.cciss_c0d0.blktrace.12.gz", b"\0a\x1b[31m\xc3\xa9\xe2\x80\xae\xff"]):
    write("names", str(index), text)
open(stamp, "w").close()
