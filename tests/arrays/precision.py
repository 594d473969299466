#!/usr/bin/env python3
"""Precision and recall of findings on made-up runs of arrays, whose truth is known.

    precision.py BTVIZ MKTRACE [--runs N] [--seed N] [--keep DIR]

Each run is an array of a random level, size and chunk, read and written by a simulated program, healthy or with one
fault, with or without lost records. A red line is right where the fault is its cause; a fault is found where its finding
is there. Prints a row for each fault; fails where fewer than 99 % of the red lines are right, or fewer than 95 % of the
faults are found."""
import argparse
import heapq
import json
import os
import random
import subprocess
import sys
import tempfile

MD0 = "9,0"
DISK = [f"8,{16 * i}" for i in range(1, 9)]
LONE = "8,240"  # a disk of its own, which tells how long the recording went on

# What has to be said of a fault, and what else may be red then.
FAULTS = {
    "healthy": (None, ()),
    "stopped": ("submission-gaps", ("submission-gaps",)),
    "two-programs": ("between-programs", ()),
    "member-stalls": ("device-stalls", ("device-stalls",)),
    "all-stall": ("device-stalls", ("device-stalls",)),
    "hang": ("io-outstanding-at-end", ("io-outstanding-at-end", "device-stalls")),
    "errors": ("errors", ("errors",)),
    "one-member": ("members-unused", ("members-unused",)),
    "slow-member": ("slow-member", ()),
    "rebuild": ("own-traffic", ()),
    "check": ("own-traffic", ()),
}


class Run:
    def __init__(self, rng, fault):
        self.rng, self.fault = rng, fault
        levels = ["raid0", "raid1", "raid10", "raid5"]
        if fault == "one-member":
            levels = ["raid0"]
        elif fault in ("rebuild", "check"):
            levels = ["raid1"]
        self.level = rng.choice(levels)
        self.members = {"raid0": rng.randint(2, 6), "raid1": rng.randint(2, 3), "raid10": rng.choice([4, 6]),
                        "raid5": rng.randint(3, 6)}[self.level]
        self.chunk = rng.choice([128, 256, 1024])
        self.depth = rng.choice([4, 8, 16])
        self.span = rng.uniform(6, 12)
        self.service = rng.uniform(0.002, 0.006)
        self.victim = rng.randrange(self.members)
        self.begin, self.length = self.span * rng.uniform(0.3, 0.5), self.span * rng.uniform(0.15, 0.25)
        self.lines = []
        self.free = [0.0] * self.members
        self.stuck = []
        self.sequential = rng.random() < 0.5
        self.place = 0

    def emit(self, time, text, device, pid=200):
        self.lines.append((time, len(self.lines), f"{text} @{time:.6f} d{device} p{pid}"))

    # Where a chunk's piece lies: [(member, sector)] of a write, one of them for a read.
    def locate(self, sector, write):
        number, inside = divmod(sector, self.chunk)
        n = self.members
        if self.level == "raid0":
            places = [(number % n, number // n * self.chunk + inside)]
        elif self.level == "raid1":
            places = [(m, sector) for m in range(n)]
        elif self.level == "raid10":
            places = [((2 * number + j) % n, (2 * number + j) // n * self.chunk + inside) for j in range(2)]
        else:
            row, data = divmod(number, n - 1)
            parity = n - 1 - row % n
            places = [((parity + 1 + data) % n, row * self.chunk + inside)]
            if write:
                places.append((parity, places[0][1]))
        return places if write else [self.rng.choice(places)] if self.level != "raid5" else places[:1]

    def serve(self, member, time):
        if self.fault in ("member-stalls", "all-stall", "hang"):
            stops = self.fault == "all-stall" or member == self.victim
            start = max(time, self.free[member])
            if stops and start >= self.begin:
                if self.fault == "hang":
                    return None, start
                if start < self.begin + self.length:  # it has the request, and does not answer
                    self.free[member] = self.begin + self.length + self.service
                    return self.free[member], start + 0.00005
        factor = 6 if self.fault == "slow-member" and member == self.victim else 1
        begin = max(time, self.free[member]) + 0.00005
        self.free[member] = begin + self.service * factor * self.rng.uniform(0.7, 1.3)
        return self.free[member], begin

    def next_sector(self, sectors, time):
        if self.fault == "one-member" and time > 0.15:  # before, all were used
            self.place += self.chunk * self.members
            return self.place + self.chunk * self.victim
        if self.sequential and self.fault != "one-member":
            self.place += sectors
            return self.place
        return self.rng.randrange(1, 1 << 21) * 16

    def io(self, time, pid):
        write = self.rng.random() < 0.7
        rw = "W" if write else "R"
        sectors = 16
        sector = self.next_sector(sectors, time)
        self.emit(time, f"Q {rw} {sector}+{sectors}", MD0, pid)
        end, error = time, ""
        for k, (member, to) in enumerate(self.locate(sector, write)):
            to += 2048
            at = time + 0.00001 * (k + 1)
            source = 0 if self.level == "raid5" and k == 1 else sector
            device = DISK[member]
            self.emit(at, f"A {rw} {to}+{sectors} <- {MD0} {source}", device, pid)
            for step, letter in enumerate("QGI"):
                self.emit(at + 0.000002 * (step + 1), f"{letter} {rw} {to}+{sectors}", device, pid)
            done, begin = self.serve(member, at + 0.00001)
            if done is None:
                if member not in self.stuck:
                    self.stuck.append(member)
                    self.emit(begin, f"D {rw} {to}+{sectors}", device, pid)
                return None
            self.emit(begin, f"D {rw} {to}+{sectors}", device, pid)
            failed = self.fault == "errors" and member == self.victim and self.rng.random() < 0.05
            error = " e-5" if failed else error
            self.emit(done, f"C {rw} {to}+{sectors}{' e-5' if failed else ''}", device, 0)
            end = max(end, done)
        self.emit(end + 0.00001, f"C {rw} {sector}+{sectors}{error}", MD0, 0)
        return end + 0.00002

    def user(self, start, end, pid):
        slots = [(start + 0.0001 * i, i) for i in range(self.depth)]
        while slots:
            time, i = heapq.heappop(slots)
            time += 0.0001 * self.rng.random()
            if self.fault == "stopped" and self.begin <= time < self.begin + self.length:
                time = self.begin + self.length + 0.0001 * i
            if time >= end:
                continue
            done = self.io(time, pid)
            if done is not None:
                heapq.heappush(slots, (done, i))

    # A mirror's own work: no remaps, by md's thread.
    def own(self, start, end):
        time, place = start, 4096
        while time < end:
            step = self.service + 0.0005
            for member in range(self.members):
                target = self.fault == "rebuild" and member == self.victim
                if self.fault == "rebuild" and not target and member != (self.victim + 1) % self.members:
                    continue
                rw, at = ("W", time + step / 2) if target else ("R", time)
                for k, letter in enumerate("QGID"):
                    self.emit(at + 0.000002 * k, f"{letter} {rw} {place}+1024", DISK[member], 300)
                self.emit(at + step / 2 - 0.0001, f"C {rw} {place}+1024", DISK[member], 0)
            place += 1024
            time += step

    def text(self, loss):
        head = ["name 200 fio", "name 201 dd", f"name 300 md0_{'resync'}", "name 250 cron"]
        if self.fault == "two-programs":
            self.user(0.1, self.begin, 200)
            self.user(self.begin + self.length, self.span, 201)
        elif self.fault in ("rebuild", "check"):
            self.user(0.1, self.begin / 4, 200)
            self.own(self.begin, self.span)
        else:
            self.user(0.1, self.span, 200)
        time = 0.05
        while self.fault == "hang" and time < self.span + 2:
            for k, letter in enumerate("QGIDC"):
                self.emit(time + 0.001 * k, f"{letter} R {int(time * 1000) * 64}+8", LONE, 250)
            time += 0.1
        lines = [line for _, _, line in sorted(self.lines)]
        if loss:
            lines = [line for line in lines if self.rng.random() > 0.02]
        return "\n".join(head + lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("btviz")
    parser.add_argument("mktrace")
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    rows = {}
    reds = right = wanted = found = wrong_level = 0
    with tempfile.TemporaryDirectory(dir=options.keep) as scratch:
        for i in range(options.runs):
            rng = random.Random(options.seed * 1000003 + i)
            fault, loss = list(FAULTS)[i % len(FAULTS)], rng.random() < 0.3
            run = Run(rng, fault)
            path = os.path.join(options.keep or scratch, f"run{i}.blktrace.0")
            subprocess.run([sys.executable, options.mktrace, path], input=run.text(loss).encode(), check=True)
            report = json.loads(subprocess.run([options.btviz, "report", "-t", path, "--format", "json"],
                                               check=True, capture_output=True).stdout)["runs"][0]
            must, may = FAULTS[fault]
            names = [f["name"] for f in report["findings"]]
            red = [f for f in report["findings"] if f["severity"] == "bad"]
            row = rows.setdefault((fault, loss), [0, 0, 0, 0])
            row[0] += 1
            if must:
                wanted += 1
                found += must in names
                row[1] += must in names
            for f in red:
                ok = f["name"] in may and not loss
                reds += 1
                right += ok
                row[2] += 1
                row[3] += ok
                if not ok:
                    print(f"run {i} {fault}{' with loss' if loss else ''}: wrongly red: {f['text']}")
            if must and must not in names:
                print(f"run {i} {fault}{' with loss' if loss else ''} {run.level} of {run.members}: lacks {must}: {names}")
            for array in report["arrays"]:
                if array["level"] and array["level"] != run.level:
                    wrong_level += 1
                    print(f"run {i}: {run.level} is told as {array['level']}")
            if not options.keep:
                os.unlink(path)
    print(f"{'fault':14}{'loss':>6}{'runs':>6}{'found':>7}{'red':>6}{'right':>7}")
    for (fault, loss), (n, hits, red, ok) in sorted(rows.items()):
        print(f"{fault:14}{'yes' if loss else 'no':>6}{n:6}{hits if FAULTS[fault][0] else '-':>7}{red:6}{ok:7}")
    print(f"red lines right: {right} of {reds}; faults found: {found} of {wanted}; wrong levels: {wrong_level}")
    sys.exit(right < 0.99 * reds or found < 0.95 * wanted or wrong_level > 0)


main()
