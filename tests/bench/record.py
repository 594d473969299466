#!/usr/bin/env python3
"""Measures what recording costs: share of one CPU, wake-ups a second, losses, at several rates of events.

A loop device over a file on a tmpfs, fio writing 4 KiB blocks at a fixed rate (a write is six events). Beside
btviz record, in the same round: `cat` of trace_pipe, one process a CPU, as people do by hand, and blktrace
where the kernel allows it. The order is shuffled each round; printed is the median of the rounds, with the
smallest and largest CPU share. CPU is user and system time of the recording process alone; for btviz, while
the program ran. As root, with tracefs mounted and no other tracer in use.

    tests/bench/record.py [--btviz build/tools/btviz] [--seconds 10] [--rounds 3] [--rates 10k,100k,max]
"""
import argparse
import fcntl
import glob
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRACING = "/sys/kernel/tracing"
EVENTS_A_WRITE = 6
TICK = os.sysconf("SC_CLK_TCK")


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def put(path, value):
    with open(path, "w", encoding="utf-8") as file:
        file.write(value)


def fio(device, rate, seconds):
    command = ["fio", "--name=x", f"--filename={device}", "--rw=randwrite", "--bs=4k", "--direct=1",
               "--ioengine=libaio", "--iodepth=32", "--size=256m", "--time_based", f"--runtime={seconds}",
               "--output=fio.json", "--output-format=json"]
    if rate:
        command += [f"--rate_iops={rate // EVENTS_A_WRITE}", "--rate_process=linear"]
    else:
        command += [f"--numjobs={os.cpu_count()}", "--group_reporting"]
    return command


def written():
    job = json.load(open("fio.json", encoding="utf-8"))["jobs"][0]
    return job["write"]["total_ios"] * EVENTS_A_WRITE, job["write"]["runtime"] / 1000


def btviz(args, device, rate):
    subprocess.run([args.btviz, "record", "--force", "-d", device, "-t", "run", "--", *fio(device, rate, args.seconds)],
                   check=True, stderr=subprocess.DEVNULL)
    run = json.load(open("run.btviz.json", encoding="utf-8"))
    return {"cpu": 100 * run["recorder"]["cpu_s"] / run["elapsed_s"],
            "wakes": run["recorder"]["wakeups"] / run["elapsed_s"], "lost": run["lost_events"]}


def used(pid):
    """CPU seconds and voluntary switches of a process."""
    fields = text(f"/proc/{pid}/stat").rpartition(")")[2].split()
    switches = int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", text(f"/proc/{pid}/status"), re.MULTILINE)[1])
    return (int(fields[11]) + int(fields[12])) / TICK, switches


def cat(args, device, rate):
    """The tracer set up by hand, with the buffer that it has by default, and a cat for each CPU."""
    enable = f"/sys/class/block/{os.path.basename(device)}/trace/enable"
    size = re.search(r"(\d+)\)?$", text(TRACING + "/buffer_size_kb").strip())[1]
    put(TRACING + "/buffer_size_kb", "32768")
    put(TRACING + "/current_tracer", "blk")
    put(TRACING + "/trace_options", "bin")
    put(TRACING + "/trace_options", "nocontext-info")
    readers = [subprocess.Popen(["cat", f"{TRACING}/per_cpu/cpu{i}/trace_pipe"], stdout=open(f"cat.{i}", "wb"))
               for i in range(os.cpu_count())]
    put(enable, "1")
    time.sleep(0.2)
    before = [used(r.pid) for r in readers]
    start = time.perf_counter()
    subprocess.run(fio(device, rate, args.seconds), check=True)
    took = time.perf_counter() - start
    put(enable, "0")
    time.sleep(0.2)
    after = [used(r.pid) for r in readers]
    lost = sum(int(re.search(r"overrun: (\d+)", text(path))[1]) for path in
               glob.glob(TRACING + "/per_cpu/cpu*/stats"))
    for r in readers:
        r.kill()
        r.wait()
    put(TRACING + "/trace_options", "context-info")
    put(TRACING + "/trace_options", "nobin")
    put(TRACING + "/current_tracer", "nop")
    put(TRACING + "/buffer_size_kb", size)
    return {"cpu": 100 * sum(a[0] - b[0] for a, b in zip(after, before)) / took,
            "wakes": sum(a[1] - b[1] for a, b in zip(after, before)) / took, "lost": lost}


def blktrace(args, device, rate):
    done = subprocess.run([args.btviz, "record", "--force", "--backend", "blktrace", "-d", device, "-t", "run", "--",
                           *fio(device, rate, args.seconds)], stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        return None
    run = json.load(open("run.btviz.json", encoding="utf-8"))
    return {"cpu": 100 * run["recorder"]["cpu_s"] / run["elapsed_s"], "wakes": None, "lost": run["lost_events"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--btviz", default=os.path.join(ROOT, "build", "tools", "btviz"))
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rates", default="10k,100k,max")
    args = parser.parse_args()
    args.btviz = os.path.abspath(args.btviz)
    if os.geteuid() != 0 or not os.access(TRACING + "/current_tracer", os.W_OK) or not shutil.which("fio"):
        sys.exit("record.py: needs root, tracefs and fio")
    lock = open("/tmp/btviz-record-test.lock", "w", encoding="utf-8")
    fcntl.flock(lock, fcntl.LOCK_EX)  # the tests' lock, see tests/record/common.sh
    if text(TRACING + "/current_tracer").strip() != "nop":
        sys.exit("record.py: another tracer is in use")
    rates = [0 if r == "max" else int(float(r.rstrip("k")) * 1000) for r in args.rates.split(",")]
    subjects = {"btviz record": btviz, "cat trace_pipe": cat, "blktrace": blktrace}
    results = {}
    scratch = tempfile.mkdtemp()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3g", "tmpfs", scratch], check=True)
    os.chdir(scratch)
    with open("disk", "wb") as disk:
        disk.truncate(256 << 20)
    device = subprocess.run(["losetup", "-f", "--show", "disk"], check=True, capture_output=True,
                            text=True).stdout.strip()
    try:
        for _ in range(args.rounds):
            work = [(name, rate) for name in subjects for rate in rates]
            random.shuffle(work)
            for name, rate in work:
                figures = subjects[name](args, device, rate)
                if figures:
                    events, seconds = written()
                    figures["rate"] = events / seconds
                    figures["share"] = figures["lost"] / events if events else 0
                    results.setdefault((name, rate), []).append(figures)
                for path in glob.glob("run.*") + glob.glob("cat.*"):
                    os.unlink(path)
    finally:
        subprocess.run(["losetup", "-d", device], check=False)
        os.chdir("/")
        subprocess.run(["umount", scratch], check=False)
        os.rmdir(scratch)
    print(f"Linux {os.uname().release}, {os.cpu_count()} CPUs, {args.seconds} s a run, median of {args.rounds}")
    print("| recorder | asked events/s | made events/s | % of one CPU (least, most) | wake-ups/s | lost |")
    print("|---|---|---|---|---|---|")
    for rate in rates:
        for name in subjects:
            rows = results.get((name, rate))
            if not rows:
                print(f"| {name} | {rate or 'max'} | refused by this kernel | | | |")
                continue
            middle = {k: statistics.median(r[k] for r in rows) for k in ("cpu", "rate", "lost", "share")}
            wakes = "" if rows[0]["wakes"] is None else f"{statistics.median(r['wakes'] for r in rows):.0f}"
            print(f"| {name} | {rate or 'max'} | {middle['rate']:,.0f} | {middle['cpu']:.2f} "
                  f"({min(r['cpu'] for r in rows):.2f}, {max(r['cpu'] for r in rows):.2f}) | {wakes} | "
                  f"{middle['lost']:,.0f} ({100 * middle['share']:.1f} %) |")


main()
