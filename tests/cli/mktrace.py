#!/usr/bin/env python3
"""Writes a small trace from text on standard input: mktrace [--be] [--v8] [--cgroup ID] FILE

One record a line: `ACTION RWBS SECTOR+SECTORS [@SECONDS] [cCPU] [pPID] [dMAJOR,MINOR] [eERRNO] [sSEQ]`,
`name PID COMM`, `wall SECONDS`, `message TEXT`, `zeros BYTES`, `raw HEX`. What is left out is the same
as before, times go on by 1 ms, sequences by 1. `A W 100+8 <- 9,0 50` for remaps, `X W 0+8 / 8` for
splits, `U N 0+0 = 3` for unplugs. FILE - is standard output."""
import re
import struct
import sys

EVENTS = {name: number for number, name in enumerate(
    "Q M F G S R D C P U UT I X B A abort drv ZP ZU".split(), 1)}
CATEGORY = {"Q": 4, "M": 4, "F": 4, "G": 4, "S": 4, "P": 4, "U": 4, "UT": 4, "I": 4, "A": 4, "abort": 4,
            "R": 5, "D": 6, "C": 7}
RWBS = {"R": 0, "W": 1, "F": 2, "S": 3, "A": 11, "M": 12, "D": 13, "N": 0}
NOTIFY, FUA, PC = 1 << 26, 1 << 31, 1 << 25

options = [word for word in sys.argv[1:-1] if word.startswith("--")]
order = ">" if "--be" in options else "<"
v8 = "--v8" in options
cgroup = int(sys.argv[sys.argv.index("--cgroup") + 1]) if "--cgroup" in options else None
state = {"time": 1.0, "cpu": 0, "pid": 100, "device": "8,16", "sequence": {}}


def device_number(text):
    major, minor = text.split(",")
    return int(major) << 20 | int(minor)


def record(action, sector=0, sectors=0, payload=b"", pid=None, error=0, sequence=0, bytes_=None):
    if cgroup is not None:
        action |= 0x100
        payload = struct.pack(order + "Q", cgroup) + payload
    bytes_ = sectors * 512 if bytes_ is None else bytes_
    pid = state["pid"] if pid is None else pid
    head = struct.pack(order + "IIQQI", 0x65617400 | (8 if v8 else 7), sequence,
                       round(state["time"] * 1e9), sector, bytes_)
    middle = (struct.pack(order + "IQ", pid, action) if v8 else struct.pack(order + "II", action, pid))
    tail = struct.pack(order + "IIHH", device_number(state["device"]), state["cpu"], error & 0xffff,
                       len(payload))
    return head + middle + tail + (bytes(12) if v8 else b"") + payload


def io(words, line):
    letter, rwbs, place = words[:3]
    fields = {word[0]: word[1:] for word in words[3:] if re.fullmatch(r"[@cpdes][\d.,-]+", word)}
    state["time"] = float(fields["@"]) if "@" in fields else state["time"] + 0.001
    state["cpu"] = int(fields.get("c", state["cpu"]))
    state["pid"] = int(fields.get("p", state["pid"]))
    state["device"] = fields.get("d", state["device"])
    key = state["device"], state["cpu"]
    sequence = int(fields.get("s", state["sequence"].get(key, 0) + 1))
    state["sequence"][key] = sequence
    action = EVENTS.get(letter) or int(letter)
    if letter in CATEGORY:
        action |= 1 << 16 + CATEGORY[letter]
    if rwbs.startswith("F"):
        action |= 1 << 18
        rwbs = rwbs[1:]
    if "F" in rwbs:
        action |= FUA
        rwbs = rwbs.replace("F", "")
    if rwbs.endswith("P"):
        action |= PC
        rwbs = rwbs[:-1]
    for flag in rwbs or "N":
        action |= 1 << 16 + RWBS[flag]
    if "D" in rwbs:
        action = action & ~(1 << 16) | 1 << 17
    payload = b""
    if "<-" in line:
        device, sector = line.split("<-")[1].split()[:2]
        payload = struct.pack(">IIQ", device_number(device), device_number(state["device"]), int(sector))
    elif re.search(r" [/=] \d", line):
        payload = struct.pack(">Q", int(re.search(r" [/=] (\d+)", line)[1]))
    sector, sectors = place.split("+")
    return record(action, int(sector), int(sectors), payload, error=int(fields.get("e", 0)),
                  sequence=sequence)


def main():
    out = sys.stdout.buffer if sys.argv[-1] == "-" else open(sys.argv[-1], "wb")
    for line in sys.stdin:
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "name":
            out.write(record(NOTIFY, pid=int(words[1]), payload=" ".join(words[2:]).encode()[:16].ljust(16, b"\0")))
        elif words[0] == "wall":
            out.write(record(NOTIFY | 1, pid=0, payload=struct.pack(order + "II", int(words[1]), 0)))
        elif words[0] == "message":
            out.write(record(NOTIFY | 2, pid=0, payload=line.strip()[8:].encode()))
        elif words[0] == "zeros":
            out.write(bytes(int(words[1])))
        elif words[0] == "raw":
            out.write(bytes.fromhex("".join(words[1:])))
        else:
            out.write(io(words, line))


main()
