#!/usr/bin/env python3
"""Checks that the report's schema is the library's list of figures: each figure of the list is there with
its type, and nothing is there that the list lacks.

    catalogue.py LIST SCHEMA              check; LIST is the program made of catalogue.c
    catalogue.py LIST SCHEMA --update     write what is missing or other, and drop what is gone

What stands beside a figure's type (a description, a maximum), and what the list calls "other", is
written in the schema by hand."""
import json
import subprocess
import sys

WIDTH = 110
OPTIONAL = {"device": {"intervals"}, "health": {"left_out_events", "packing", "wrong_times"}}
UNITS = {"s": "seconds", "bytes": "bytes", "sectors": "sectors"}
BESIDES = {"description", "maximum"}


def expected(kind, unit, directions):
    """The schema of a value; None: by hand."""
    none = {"integer": ["integer", "null"], "number": ["number", "null"], "string": ["string", "null"]}
    return {
        "other": None,
        "integer": {"type": "integer", "minimum": 0},
        "identity": {"type": none["integer"], "minimum": 0},
        "pid": {"type": none["integer"], "minimum": 0},
        "device": {"type": none["string"]},
        "real": {"type": none["number"], "minimum": 0},
        "flag": {"type": "boolean"},
        "text": {"type": none["string"]},
        "count": {"$ref": "#/$defs/count"},
        "distribution": {"$ref": f"#/$defs/{UNITS.get(unit)}{'_by_direction' if directions else ''}"},
    }[kind]


def resolve(root, node):
    while "$ref" in node:
        target = root
        for word in node["$ref"].removeprefix("#/").split("/"):
            target = target[word]
        node = target
    return node


def text_of(value, depth=0, room=0):
    """As the file is laid out: on one line what fits, else a member a line; plain lists are filled."""
    one = json.dumps(value, ensure_ascii=False)
    if len(one) + depth + room <= WIDTH or not isinstance(value, (dict, list)):
        return one
    pad = " " * (depth + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(k)}: {text_of(v, depth + 1, len(json.dumps(k)) + 3)}"
                 for k, v in value.items()]
        return "{\n" + ",\n".join(pad + p for p in parts) + "\n" + " " * depth + "}"
    if any(isinstance(v, (dict, list)) for v in value):
        return "[\n" + ",\n".join(pad + text_of(v, depth + 1) for v in value) + "\n" + " " * depth + "]"
    lines, line = [], ""
    for i, v in enumerate(value):
        word = json.dumps(v) + ("," if i + 1 < len(value) else "")
        if line and len(pad) + len(line) + 1 + len(word) > 100:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return "[\n" + "\n".join(pad + text for text in lines + [line]) + "\n" + " " * depth + "]"


def main():
    listed, path, *update = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    rows = [line.split("\t") for line in
            subprocess.run([listed], capture_output=True, text=True, check=True).stdout.splitlines()]
    run = schema["properties"]["runs"]["items"]["properties"]
    subjects = {"health": run["health"], **{name: schema["$defs"][name] for name in
                                            ("device", "array", "member", "process", "cgroup")}}
    faults, names = [], set()
    # the members that the objects of each subject have, by the list
    wanted = {}
    for subject, name, kind, unit, directions, measure, _ in rows:
        if (subject, name) in names:
            faults.append(f"{subject}: {name} is listed twice")
        names.add((subject, name))
        node, walked = subjects[subject], ()
        *outer, leaf = name.split(".")
        for word in outer:
            wanted.setdefault((subject, walked), {})[word] = None
            properties = resolve(schema, node)["properties"]
            if word not in properties:
                faults.append(f"{subject}: {name} is not in the schema")
                properties[word] = {"type": "object", "properties": {}, "required": []}
            node, walked = properties[word], walked + (word,)
        wanted.setdefault((subject, walked), {})[leaf] = None
        properties, want = resolve(schema, node)["properties"], expected(kind, unit, int(directions))
        if leaf not in properties:
            faults.append(f"{subject}: {name} is not in the schema")
            if want:
                properties[leaf] = want
        elif want and {k: v for k, v in properties[leaf].items() if k not in BESIDES} != want:
            faults.append(f"{subject}: {name} is {properties[leaf]}, not {want}")
            properties[leaf] = want | {k: v for k, v in properties[leaf].items() if k in BESIDES}
    for (subject, walked), members in wanted.items():
        node = subjects[subject]
        for word in walked:
            node = resolve(schema, node)["properties"][word]
        node = resolve(schema, node)
        faults += [f"{subject}: {'.'.join(walked + (gone,))} is in the schema alone"
                   for gone in node["properties"] if gone not in members]
        required = [name for name in members if name not in OPTIONAL.get(subject, ())]
        if node["required"] != required:
            faults.append(f"{subject}: {'.'.join(walked)}: required are {required}")
        node["properties"] = {name: node["properties"][name] for name in members if name in node["properties"]}
        node["required"] = required
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text_of(schema) + "\n")
        return 0
    print("\n".join(faults) or f"{len(rows)} figures")
    return 1 if faults or not rows else 0


sys.exit(main())
