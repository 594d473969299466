"""What the tests of real recordings share: running the report, and finding recordings with what is
known of them, in testdata/real (NAME.tar.xz beside NAME.blkparse.txt) or in a directory of
directories (NAME/expected-blkparse.txt beside its streams)."""
import json
import os
import subprocess


def report(btviz, trace, *options):
    """The only run of btviz report --format json."""
    command = [btviz, "report", "-t", trace, "--format", "json", *options]
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {result.returncode}\n{result.stderr}")
    return json.loads(result.stdout)["runs"][0]


def known(directory, what):
    """Yields (name, trace, path of the file WHAT about it)."""
    for entry in sorted(os.listdir(directory)):
        path = os.path.join(directory, entry)
        if entry.endswith("." + what):
            name = entry.removesuffix("." + what)
            yield name, os.path.join(directory, name + ".tar.xz"), path
        elif os.path.isdir(path):
            for other in (what, "expected-" + what):
                if os.path.exists(os.path.join(path, other)):
                    yield entry, path, os.path.join(path, other)


def finish(checked, faults):
    """Prints what was found and ends the test."""
    for fault in faults:
        print(fault)
    print(f"{checked} checks, {len(faults)} faults")
    raise SystemExit(1 if faults or not checked else 0)
