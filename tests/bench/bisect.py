#!/usr/bin/env python3
"""git bisect run over 48 commits with the recipe of btviz-compare(1), often: how often it names a wrong commit.

    bisect.py BTVIZ [--repeats 40] [--rate 0.3] [--boot 0.05] [--seed 1]

Each repeat makes a repository whose first bad commit is drawn, and "machines" whose runs are drawn: 280 MB/s with
2 % of noise, each after a reboot (a boot's own effect of --boot), and from the first bad commit on half of that in a
share --rate of runs. The script is the manual's: ten runs of the base, five of the revision, then one more at a time
for as long as the comparison asks for more (125), 40 at most."""
import argparse
import os
import random
import subprocess
import sys
import tempfile

COMMITS, BASE_RUNS, FIRST_RUNS, MOST_RUNS = 48, 10, 5, 40

TRY = """#!{python}
import random, subprocess, sys
number = int(open("number").read())
rng = random.Random("{seed} %d" % number)
base_rng = random.Random("{seed} base")
def run(rng, bad):
    value = 280 * (1 + rng.gauss(0, {boot}) + rng.gauss(0, 0.02))
    return value * (0.5 if bad and rng.random() < {rate} else 1)
base = [run(base_rng, False) for _ in range({base_runs})]
mine = [run(rng, number >= {first_bad}) for _ in range({most})]
for n in range({first}, {most} + 1):
    with open("../runs.csv", "w") as file:
        file.write("label,value\\n" + "".join("base,%.3f\\n" % x for x in base)
                   + "".join("this,%.3f\\n" % x for x in mine[:n]))
    code = subprocess.run(["{btviz}", "compare", "--bisect", "--sporadic-rate", "{rate_text}", "--miss", "0.1%",
                           "--table", "../runs.csv"], stdout=subprocess.DEVNULL).returncode
    if code != 125:
        break
with open("../log", "a") as file:
    file.write("%d %d %d\\n" % (number, n, code))
sys.exit(code)
"""


def git(folder, *words, **more):
    env = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", GIT_AUTHOR_NAME="t",
               GIT_AUTHOR_EMAIL="t@example.org", GIT_COMMITTER_NAME="t", GIT_COMMITTER_EMAIL="t@example.org",
               GIT_AUTHOR_DATE="2026-01-01T00:00:00Z", GIT_COMMITTER_DATE="2026-01-01T00:00:00Z")
    return subprocess.run(["git", *words], cwd=folder, env=env, capture_output=True, text=True, **more)


def make_repository(folder):
    os.mkdir(folder)
    git(folder, "init", "-q")
    for number in range(COMMITS + 1):
        with open(os.path.join(folder, "number"), "w") as file:
            file.write(str(number))
        git(folder, "add", "number")
        git(folder, "commit", "-q", "-m", str(number), check=True)


def bisect(args, folder, repeat):
    seed = f"{args.seed} {args.rate} {args.boot} {repeat}"
    first_bad = random.Random(seed).randint(1, COMMITS)
    above = os.path.dirname(folder)
    with open(os.path.join(above, "try"), "w") as file:
        file.write(TRY.format(python=sys.executable, seed=seed, boot=args.boot, rate=args.rate, base_runs=BASE_RUNS,
                              first_bad=first_bad, first=FIRST_RUNS, most=MOST_RUNS, btviz=os.path.abspath(args.btviz),
                              rate_text=f"{100 * args.rate:g}%"))
    os.chmod(os.path.join(above, "try"), 0o755)
    log = os.path.join(above, "log")
    open(log, "w").close()
    git(folder, "bisect", "start", "HEAD", f"HEAD~{COMMITS}")
    result = git(folder, "bisect", "run", "../try")
    named = git(folder, "show", "-s", "--format=%s", "refs/bisect/bad").stdout.strip() \
        if "is the first bad commit" in result.stdout else None
    git(folder, "bisect", "reset")
    steps = [line.split() for line in open(log)]
    return first_bad, None if named is None else int(named), steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("btviz")
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--rate", type=float, default=0.3)
    parser.add_argument("--boot", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    right = wrong = unnamed = runs = steps_all = 0
    with tempfile.TemporaryDirectory(prefix="btviz bisect ") as scratch:
        folder = os.path.join(scratch, "kernel")
        make_repository(folder)
        for repeat in range(args.repeats):
            first_bad, named, steps = bisect(args, folder, repeat)
            runs += sum(int(step[1]) for step in steps)
            steps_all += len(steps)
            if named is None:
                unnamed += 1
            elif named == first_bad:
                right += 1
            else:
                wrong += 1
                print(f"repeat {repeat}: first bad {first_bad}, named {named}: "
                      + ", ".join(f"{n} after {k} runs {c}" for n, k, c in steps))
    print(f"rate {args.rate:g}, boot effect {100 * args.boot:g} %: {right} right, {wrong} wrong, {unnamed} not named, "
          f"of {args.repeats}; {steps_all / args.repeats:.1f} revisions and {runs / args.repeats:.0f} runs a bisection")
    return 0


if __name__ == "__main__":
    sys.exit(main())
