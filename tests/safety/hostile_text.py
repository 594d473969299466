#!/usr/bin/env python3
"""Text that means harm, through every command: hostile_text.py BTVIZ

One recording is made whose process names, messages, metadata and file name, and one command line whose
labels and titles, try to get out of every kind of output. Each output is then read as what it is (a
terminal's text, JSON, CSV, SVG, HTML, PNG), and must hold what an innocent recording's holds: the same
elements, columns and members, in which the text is text."""
import csv
import html.parser
import io
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

BTVIZ = os.path.abspath(sys.argv[1])
# Names of processes have 16 bytes; messages, labels and the rest as many as they like.
HARM = {
    "clears the screen": b"\x1b[2J",
    "sets the title": b"\x1b]0;x\x07",
    "sends an 8-bit escape": b"\xc2\x9b31m\x9b1m",
    "turns the direction": "\u202e\u2066\u200f\u061c".encode(),
    "goes back": b"a\r\b\x7f\x0b\x0c",
    "is no UTF-8": b"\xff\xc3\xed\xa0\x80",
    "breaks the line": "a\nb\u2028\u0085".encode(),
    "is a script": b"<script>1",
    "ends the script": b"</script><i>",
    "is an element": b"<img src=x>",
    "ends an attribute": b"'\"><b>",
    "is an entity": b"&lt;&#60;&",
    "ends CDATA": b"]]>--><b>",
    "ends a string": b"\"},{\"x\":\"\\",
    "is a formula": b"=1+1",
    "is a plus formula": b"+1+1",
    "is a minus formula": b"-1+1",
    "is a name formula": b"@SUM(1)",
    "is a formula behind a tab": b"\t=1",
    "is a formula behind a blank": b" =1+1",
    "ends a field": b"a,\"b\";c",
}
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
faults = []


def check(what, holds, detail=""):
    if not holds:
        faults.append(what)
        print(f"NOT OK - {what}: {detail!r}"[:2000])


def record(time, action, category, pid, payload=b"", sector=0, length=4096, sequence=0):
    return struct.pack("<IIQQIIIIIHH", 0x65617407, sequence, int(time * 1e9), sector, length,
                       action | category << 16, pid, 8 << 20 | 16, 0, 0, len(payload)) + payload


def trace(texts):
    """Every text as the name of a process that writes, and in a message."""
    out = record(1, 1, 0x400, 0, struct.pack("<II", 1700000000, 0))
    sequence = 0
    for i, text in enumerate(texts):
        out += record(1, 0, 0x400, 100 + i, text[:16].ljust(16, b"\0"))
        out += record(1 + i, 2, 0x400, 100 + i, text * 3)
        for k, (action, category) in enumerate([(1, 0x12), (7, 0x42), (8, 0x82)]):
            sequence += 1
            out += record(1 + i + k / 10, action, category, 100 + i, sector=i * 64, sequence=sequence)
    return out


def run(command, *arguments, codes=(0,), out=""):
    words = [word.replace("FILE", out) for word in command.split()]
    result = subprocess.run([BTVIZ, *words, *arguments], capture_output=True, check=False)
    check(f"{command}: exit code {result.returncode}", result.returncode in codes, result.stderr)
    err = result.stderr.decode("utf-8", "backslashreplace")
    check(f"{command}: standard error is harmless", not CONTROL.search(err) and "\\x" not in err.replace("\\\\", ""), err)
    return result.stdout


def text_of(output, what):
    """Decodes, and says what no terminal may get."""
    try:
        text = output.decode("utf-8")
    except UnicodeDecodeError as error:
        check(f"{what}: valid UTF-8", False, str(error))
        return ""
    found = CONTROL.search(text)
    check(f"{what}: nothing that moves a cursor", not found, found and text[max(0, found.start() - 40):found.end() + 40])
    return text


def shape(value):
    """What is left of JSON without its values and lengths of lists: names of members."""
    if isinstance(value, dict):
        return {name: shape(v) for name, v in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return None


def strings(value):
    if isinstance(value, dict):
        return [s for v in value.values() for s in strings(v)] + list(value)
    if isinstance(value, list):
        return [s for v in value for s in strings(v)]
    return [value] if isinstance(value, str) else []


def see_terminal(output, what):
    text_of(output, what)
    return None


def see_json(output, what):
    values = [json.loads(line) for line in output.splitlines()] if "jsonl" in what else [json.loads(output)]
    for s in strings(values):
        check(f"{what}: strings are printable", not CONTROL.search(s.replace("\n", "")) and "\n" not in s, s)
    return [json.dumps(shape(v), sort_keys=True) for v in values] if "jsonl" in what else None


def see_csv(output, what):
    text = text_of(output, what)
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    for row in rows:
        check(f"{what}: as many fields as the header has", len(row) == len(rows[0]), row)
        for field in row:
            number = re.fullmatch(r"-?[\d.]+([eE][-+]?\d+)?", field)
            check(f"{what}: no formula", number or not re.match(r"\s*[=+\-@]|[\t\r]", field), field)
    return None


def see_xml(output, what):
    """Elements and the names of their attributes, each once: positions depend on the text."""
    root = xml.fromstring(text_of(output, what))
    return sorted({(e.tag, tuple(sorted(e.keys()))) for e in root.iter()})


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.data, self.in_data = [], "", False

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self.in_data = tag == "script" and ("type", "application/json") in attrs

    def handle_endtag(self, tag):
        self.tags.append(("/" + tag,))
        self.in_data = False

    def handle_data(self, data):
        self.data += data if self.in_data else ""


def see_html(output, what):
    text = output.decode("utf-8")
    found = re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    check(f"{what}: no control characters", not found, found and text[found.start() - 60:found.end() + 60])
    page = Tags()
    page.feed(text)
    return page.tags


def see_png(output, what):
    at, texts = 8, []
    while at < len(output):
        size, kind = struct.unpack(">I4s", output[at:at + 8])
        if kind in (b"tEXt", b"iTXt", b"zTXt"):
            texts.append(output[at + 8:at + 8 + size])
        at += 12 + size
    for chunk in texts:
        check(f"{what}: what the file says is printable",
              not re.search(rb"[\x01-\x09\x0b-\x1f\x7f]|\xe2\x80[\xa8-\xae]", chunk), chunk)
    check(f"{what}: says something", texts)
    return None


def commands(folder, label):
    """Every output of text that there is: (command, arguments, how to read it). FILE is where -o goes."""
    t = ["-t", os.path.join(folder, "run")]
    named = [*t, "-l", label]
    compare = [f"a{label}:", t[1], f"b{label}:", t[1], "--all"]
    for form, see in [("text", see_terminal), ("json", see_json), ("csv", see_csv)]:
        yield f"report --all-processes --format {form}", named, see
        yield f"report --device-tables --interval 1 --format {form}", t, see
        yield f"compare --format {form}", compare, see
        yield f"compare --format {form} --table", [os.path.join(folder, "table.csv")], see
    yield "compare --format markdown", compare, see_terminal
    for form, see in [("text", see_terminal), ("csv", see_csv), ("jsonl", see_json)]:
        yield f"events --messages --format {form}", t, see
        yield f"ios --format {form}", t, see
    yield "show", named, see_terminal
    yield "show --ascii --width 40", named, see_terminal
    for kind, see in [("svg", see_xml), ("html", see_html), ("png", see_png)]:
        layout = "rows" if kind == "html" else "overlay"  # a page lays no run over another
        for more in ([], ["-P"], [*t, "-l", label, "--layout", layout]):
            yield f"-o FILE.{kind}", [*named, "-T", label, "--panels", "all", *more], see
        if kind != "html":
            yield f"compare -o FILE.{kind}", [*compare[:4], "-T", label], see
    for saved in ("report --format json", "show"):
        yield saved, ["-t", os.path.join(folder, "kept.json.gz")], see_json if "json" in saved else see_terminal


def outputs(folder, texts, label):
    """All commands on one recording; what they are made of, for a comparison."""
    with open(os.path.join(folder, "run.blktrace.0"), "wb") as file:
        file.write(trace(texts))
    loose = [t.decode("utf-8", "replace") for t in texts]
    with open(os.path.join(folder, "run.btviz.json"), "w", encoding="utf-8") as file:
        json.dump({"schema": "btviz.metadata/1", "command": " ".join(loose), "kernel": loose[1], "host": loose[2],
                   "devices": [{"device": "8:16", "name": label, "label": label, "level": label}]}, file)
    with open(os.path.join(folder, "table.csv"), "wb") as file:
        quoted = [b'"' + t.replace(b'"', b'""').replace(b"\n", b" ").replace(b"\r", b" ") + b'"' for t in texts]
        file.write(b"label,value,run\n" + b"".join(b"x%s,%d,%s\n" % (q[:0], i, q) for i, q in enumerate(quoted))
                   + b"".join(b"%s,%d,y\n" % (q, i) for i, q in enumerate(quoted)))
    run("report", "-t", os.path.join(folder, "run"), "--save", os.path.join(folder, "kept.json.gz"), "-l", label)
    seen = {}
    for i, (command, arguments, see) in enumerate(commands(folder, label)):
        path = os.path.join(folder, "out")
        out = run(command, *arguments, codes=(0, 1, 125) if command.startswith("compare") else (0,), out=path)
        if "FILE" in command:
            with open(f"{path}.{command.rpartition('.')[2]}", "rb") as file:
                out = file.read()
        options = [a for a in arguments if re.fullmatch("-[a-zA-Z]|--[a-z]+", a)]
        what = " ".join([command, *options])
        check(f"{what}: writes something", len(out) > 50, out)
        try:
            seen[f"{i}: {what}"] = see(out, what)
        except (ValueError, csv.Error, xml.ParseError) as error:
            check(f"{what}: can be read", False, f"{error}: {out[:300]!r}")
    return seen


def main():
    with tempfile.TemporaryDirectory() as scratch:
        results = []
        # All at once as label, title and folder's name; a formula, for which the beginning counts; --all: each.
        plain = [b"plain%d" % i for i in range(len(HARM))]
        innocent = os.path.join(scratch, "innocent")
        os.mkdir(innocent)
        results.append(outputs(innocent, plain, "plain label"))
        labels = [b"".join(HARM.values()).replace(b"\n", b""), *HARM.values()]
        for i, label in enumerate(labels if "--all" in sys.argv else labels[:1] + labels[14:15]):
            folder = os.path.join(scratch.encode(), b"%d " % i + label.replace(b"/", b"")[:100].replace(b",", b""))
            os.mkdir(folder)
            results.append(outputs(os.fsdecode(folder), list(HARM.values()), os.fsdecode(label)))
        for result in results[1:]:
            for what, seen in result.items():
                check(f"{what}: is built as that of innocent text", seen == results[0][what],
                      [x for x in seen or [] if x not in (results[0][what] or [])][:5])
        print(f"{len(results[0])} outputs of {len(results)} recordings, {len(faults)} faults")
    return 1 if faults or len(results[0]) < 30 else 0


sys.exit(main())
