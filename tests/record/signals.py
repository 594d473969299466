#!/usr/bin/env python3
"""Signals at every moment of a recording's start: signals.py BTVIZ DEVICE TRACING_ON

Sends each signal after a delay that grows by steps, from before the recorder catches signals until long
after the program runs: from outside, and as a terminal sends them, to the whole group. The program takes
the default action, so that everything must be over at once, with the signal told; nothing may go on."""
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time

BTVIZ, DEVICE, ENABLE = sys.argv[1:4]
STEPS, STEP_S, LIMIT_S = 60, 0.002, 4.0
faults = tries = 0


def record(name, **more):
    return [BTVIZ, "record", "-d", DEVICE, "-t", name, "--no-samples", "--", "sleep", "9"], {
        "stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE, **more}


def check(what, child, want):
    global faults, tries
    tries += 1
    start = time.monotonic()
    try:
        child.wait(LIMIT_S)
    except subprocess.TimeoutExpired:
        faults += 1
        print(f"FAILED: {what}: lost", flush=True)
        subprocess.run(["pkill", "-KILL", "-P", str(child.pid), "-x", "sleep"], check=False)
        child.wait()
        return
    said = child.stderr.read() if child.stderr else b""
    if child.returncode not in want:
        faults += 1
        print(f"FAILED: {what}: ends with {child.returncode}, not one of {want}: {said!r}", flush=True)
    with open(ENABLE, encoding="ascii") as file:
        if file.read().strip() != "0":
            faults += 1
            print(f"FAILED: {what}: tracing is on", flush=True)
    if time.monotonic() - start > LIMIT_S:
        faults += 1


def at_terminal(name):
    """The recorder as a terminal's foreground job."""
    pid, fd = pty.fork()
    if pid == 0:
        for sig in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(sig, signal.SIG_DFL)
        os.execv(BTVIZ, record(name)[0])
    return pid, fd


def terminal_ends(pid, fd):
    """The exit status, or None where it goes on."""
    os.set_blocking(fd, False)
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        try:
            os.read(fd, 65536)
        except OSError:
            pass
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    subprocess.run(["pkill", "-KILL", "-P", str(pid), "-x", "sleep"], check=False)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    signals = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
    for i in range(STEPS):
        sig = signals[i % len(signals)]
        command, more = record(f"s{i}")
        reset = lambda: [signal.signal(s, signal.SIG_DFL) for s in signals]  # noqa: E731
        child = subprocess.Popen(command, preexec_fn=reset, **more)
        time.sleep(i * STEP_S)
        child.send_signal(sig)
        check(f"{sig.name} after {1000 * i * STEP_S:.0f} ms", child, (-sig, 128 + sig))
    for i in range(STEPS):
        sig, key = ((signal.SIGINT, b"\x03"), (signal.SIGQUIT, b"\x1c"))[i % 2]
        pid, fd = at_terminal(f"t{i}")
        time.sleep(0.005 + i * STEP_S)
        os.write(fd, key)
        code = terminal_ends(pid, fd)
        tries += 1
        os.close(fd)
        if code not in (-sig, 128 + sig, 130):
            faults += 1
            print(f"FAILED: {sig.name} of the terminal after {5 + 1000 * i * STEP_S:.0f} ms: {code}", flush=True)
    os.chdir("/")
print(f"{tries} signals, {faults} lost or told wrongly")
sys.exit(faults > 0)
