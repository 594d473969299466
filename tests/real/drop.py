#!/usr/bin/env python3
"""One lost record changes nothing: damages whole recordings, and looks whether the report stays.

    drop.py BTVIZ DIRECTORY [NAME...] [--trials 200] [--seed 1] [--how drop,double,time,loss] [--verbose]

From every recording without loss, and with 4,000 records at least, one random record is taken out (Q, D, C, A, X by turns), or written
twice, or its time set wrong, TRIALS times each. The list of gaps (kind, edges within 1 ms), the
findings' names and the totals (within one I/O, depth and utilisation within 1 %) must be those of the
whole recording in 99.5 % of the trials; only the loss itself is said beside. loss takes 0.1 % and 1 %
of all records out: then no red finding may come up that the whole recording does not have, and the
loss must be said. The same seed damages the same records."""
import argparse
import glob
import json
import lzma
import os
import random
import shutil
import struct
import subprocess
import tarfile
import tempfile

HEADS = {7: (48, "<I", 28, 46), 8: (64, "<Q", 32, 50)}  # size, action, its place, the payload's size
ACTIONS = {"Q": 1, "D": 7, "C": 8, "A": 15, "X": 13}
SAYS_LOSS = {"suspected-loss", "lost-events", "damaged-trace"}
LEAST = 0.995
# In less, one I/O is more than 1 % of the depth, and 0.1 % of the records are fewer than four.
RECORDS_MIN = 4000


class Stream:
    """The raw file of one CPU of one device, and where its records are."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.bytes = f.read()
        self.name = os.path.basename(path)
        self.records = []  # place, size, action
        at = 0
        while at + 48 <= len(self.bytes):
            magic, = struct.unpack_from("<I", self.bytes, at)
            if magic >> 8 != 0x656174 or magic & 0xff not in HEADS:
                raise SystemExit(f"{path}: no record at {at}")
            head, form, action_at, size_at = HEADS[magic & 0xff]
            size = head + struct.unpack_from("<H", self.bytes, at + size_at)[0]
            action, = struct.unpack_from(form, self.bytes, at + action_at)
            note = action >> 16 & 0x400
            self.records.append((at, size, 0 if note else action & 0xff))
            at += size

    def without(self, indices):
        gone = sorted(indices)
        parts, at = [], 0
        for i in gone:
            place, size, _ = self.records[i]
            parts.append(self.bytes[at:place])
            at = place + size
        return b"".join(parts) + self.bytes[at:]

    def doubled(self, i):
        place, size, _ = self.records[i]
        return self.bytes[:place + size] + self.bytes[place:]

    def mistimed(self, i, by_ns):
        place, _, _ = self.records[i]
        time, = struct.unpack_from("<Q", self.bytes, place + 8)
        return self.bytes[:place + 8] + struct.pack("<Q", max(0, time + by_ns)) + self.bytes[place + 16:]


class Report:
    """What has to stay."""

    def __init__(self, btviz, trace):
        result = subprocess.run([btviz, "report", "--format", "json", "-t", trace], capture_output=True,
                                text=True, stdin=subprocess.DEVNULL)
        if result.returncode != 0:
            raise SystemExit(f"{trace}: exit code {result.returncode}\n{result.stderr}")
        run = json.loads(result.stdout)["runs"][0]
        self.findings = {f["name"]: f for f in run["findings"]}
        self.red = {name for name, f in self.findings.items() if f["severity"] == "bad"}
        self.lost = run["health"]["suspected_loss"] + run["health"]["lost_events"]
        self.gaps = [(d["name"], g["kind"], g["start_s"], g["end_s"]) for d in run["devices"] for g in d["gaps"]]
        self.totals = {}
        for d in run["devices"]:
            for way in ("read", "write"):
                rate = d["throughput"][way]
                self.totals[d["name"], way] = rate["ios_per_s"] and rate["ios_per_s"] * run["span_s"]
            self.totals[d["name"], "busy"] = d["utilisation"]
            self.totals[d["name"], "depth"] = d["depth"]["outstanding"]["avg"]

    def same_gaps(self, other):
        return len(self.gaps) == len(other.gaps) and all(
            a[:2] == b[:2] and abs(a[2] - b[2]) <= 0.001 and abs(a[3] - b[3]) <= 0.001
            for a, b in zip(self.gaps, other.gaps))

    def differences(self, damaged):
        """In what the report of a damaged copy differs, but for saying the loss."""
        out = []
        if not self.same_gaps(damaged):
            out.append(f"gaps {sorted(set(self.gaps) ^ set(damaged.gaps))[:4]}")
        names = set(damaged.findings) - SAYS_LOSS ^ set(self.findings) - SAYS_LOSS
        names.discard("nothing-remarkable")
        if names:
            out.append(f"findings {sorted(names)}")
        for what, value in self.totals.items():
            other = damaged.totals.get(what)
            if value is None or other is None:
                wrong = value is not other
            elif what[1] in ("busy", "depth"):
                wrong = abs(other - value) > 0.01 * max(1, value)
            else:
                wrong = abs(other - value) > 1.01
            if wrong:
                out.append(f"{' '.join(what)} {value} -> {other}")
        return out


def unpack(trace, to):
    if os.path.isdir(trace):
        for path in glob.glob(os.path.join(trace, "*.blktrace.*")):
            shutil.copy(path, to)
    else:
        with lzma.open(trace) as f, tarfile.open(fileobj=f) as tar:
            for member in tar:
                if member.isfile():
                    with open(os.path.join(to, os.path.basename(member.name)), "wb") as out:
                        out.write(tar.extractfile(member).read())


class Recording:
    def __init__(self, btviz, name, trace, scratch):
        self.btviz, self.name, self.at = btviz, name, os.path.join(scratch, name)
        os.mkdir(self.at)
        unpack(trace, self.at)
        paths = sorted(glob.glob(os.path.join(self.at, "*.blktrace.*")))
        self.streams = [Stream(path) for path in paths if os.path.getsize(path) > 0]
        self.whole = Report(btviz, self.at)
        self.by_action = {letter: [(s, i) for s in self.streams for i, r in enumerate(s.records) if r[2] == number]
                          for letter, number in ACTIONS.items()}

    def damaged(self, changes):
        """The report with the bytes of some streams changed."""
        try:
            for stream, data in changes:
                with open(os.path.join(self.at, stream.name), "wb") as f:
                    f.write(data)
            return Report(self.btviz, self.at)
        finally:
            for stream, _ in changes:
                with open(os.path.join(self.at, stream.name), "wb") as f:
                    f.write(stream.bytes)

    def one(self, how, trial, rng):
        """One record damaged: what differs, and which record it was."""
        letters = [letter for letter in ACTIONS if self.by_action[letter]]
        letter = letters[trial % len(letters)]
        stream, i = rng.choice(self.by_action[letter])
        if how == "drop":
            data = stream.without([i])
        elif how == "double":
            data = stream.doubled(i)
        else:
            data = stream.mistimed(i, rng.choice((-1, 1)) * rng.choice((10 ** 9, 3600 * 10 ** 9, 864 * 10 ** 12)))
        return self.whole.differences(self.damaged([(stream, data)])), f"{letter} {i} of {stream.name}"

    def many(self, share, rng):
        """So many records lost at random."""
        changes = [(s, s.without([i for i in range(len(s.records)) if rng.random() < share])) for s in self.streams]
        report = self.damaged(changes)
        out = []
        if report.red - self.whole.red:
            out.append(f"red {sorted(report.red - self.whole.red)}")
        if report.lost == 0:
            out.append("the loss is not said")
        return out, f"{share:.1%} of all records"


def trials_of(recording, how, count, rng):
    for trial in range(count):
        if how == "loss":
            yield recording.many((0.001, 0.01)[trial % 2], rng)
        else:
            yield recording.one(how, trial, rng)


def has_streams(path):
    """Whether a recording has a file a CPU, and is no single stream of all."""
    if os.path.isdir(path):
        return bool(glob.glob(os.path.join(path, "*.blktrace.*")))
    if not path.endswith(".tar.xz"):
        return False
    with tarfile.open(path) as tar:
        return any(".blktrace." in name for name in tar.getnames())


def recordings(directory, names):
    for entry in sorted(os.listdir(directory)):
        path = os.path.join(directory, entry)
        name = entry.removesuffix(".tar.xz")
        if (not names or name in names) and has_streams(path):
            yield name, path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("btviz")
    parser.add_argument("directory")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--how", default="drop,double,time,loss")
    parser.add_argument("--least", type=float, default=LEAST)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    failed = False
    totals = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, trace in recordings(args.directory, args.names):
            recording = Recording(args.btviz, name, trace, scratch)
            if recording.whole.lost > 0 or sum(len(s.records) for s in recording.streams) < RECORDS_MIN:
                shutil.rmtree(recording.at)
                continue
            for how in args.how.split(","):
                rng = random.Random(f"{args.seed} {name} {how}")
                bad = 0
                for differences, which in trials_of(recording, how, args.trials, rng):
                    if differences:
                        bad += 1
                        if args.verbose:
                            print(f"{name}: {how} {which}: {'; '.join(differences)[:400]}")
                done, wrong = totals.get(how, (0, 0))
                totals[how] = done + args.trials, wrong + bad
                print(f"{name}: {how}: {args.trials - bad} of {args.trials} the same", flush=True)
            shutil.rmtree(recording.at)
    for how, (done, wrong) in totals.items():
        share = 1 - wrong / done
        failed |= share < args.least
        print(f"{how}: {done - wrong} of {done} the same, {share:.2%}")
    raise SystemExit(1 if failed or not totals else 0)


if __name__ == "__main__":
    main()
