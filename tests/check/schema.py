#!/usr/bin/env python3
"""Validates JSON documents against a schema of the subset of JSON Schema that ours uses.

    schema.py SCHEMA FILE...        (or '-' for standard input)
    schema.py SCHEMA --self-test    shows that the validator itself finds faults

Only Python's standard library: what the subset lacks is refused, not ignored."""
import json
import re
import sys

KNOWN = {"$schema", "title", "description", "$defs", "$ref", "type", "properties", "required",
         "additionalProperties", "items", "minItems", "enum", "const", "minimum", "maximum", "pattern"}
TYPES = {
    "object": lambda x: isinstance(x, dict),
    "array": lambda x: isinstance(x, list),
    "string": lambda x: isinstance(x, str),
    "boolean": lambda x: isinstance(x, bool),
    "integer": lambda x: isinstance(x, int) and not isinstance(x, bool),
    "number": lambda x: isinstance(x, (int, float)) and not isinstance(x, bool),
    "null": lambda x: x is None,
}


def faults(value, schema, root, path="$"):
    """Yields a line for each place where value does not fit."""
    unknown = set(schema) - KNOWN
    if unknown:
        raise SystemExit(f"schema.py: {path}: does not know {sorted(unknown)}")
    if "$ref" in schema:
        target = root
        for word in schema["$ref"].removeprefix("#/").split("/"):
            target = target[word]
        yield from faults(value, target, root, path)
    types = schema.get("type", list(TYPES))
    types = [types] if isinstance(types, str) else types
    if not any(TYPES[name](value) for name in types):
        yield f"{path}: {json.dumps(value)[:60]} is not {' or '.join(types)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r} is not {schema['const']!r}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < schema.get("minimum", value):
            yield f"{path}: {value} is below {schema['minimum']}"
        if value > schema.get("maximum", value):
            yield f"{path}: {value} is above {schema['maximum']}"
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f"{path}: {value!r} does not match {schema['pattern']}"
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                yield f"{path}: lacks {name}"
        for name, part in value.items():
            known = schema.get("properties", {})
            if name in known:
                yield from faults(part, known[name], root, f"{path}.{name}")
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from faults(part, schema["additionalProperties"], root, f"{path}.{name}")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{path}: has {len(value)} entries, not at least {schema['minItems']}"
        for i, part in enumerate(value):
            if "items" in schema:
                yield from faults(part, schema["items"], root, f"{path}[{i}]")


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def check(text, schema):
    try:
        document = json.loads(text, parse_constant=no_constant)
    except ValueError as error:
        return [str(error)]
    return list(faults(document, schema, schema))


def self_test(schema):
    """Documents that do not fit, and what must be said of them."""
    cases = [
        ('{"schema": "btviz.report/1", "generator": "x", "runs": []}', None),
        ('{"schema": "btviz.report/2", "generator": "x", "runs": []}', "is not 'btviz.report/1'"),
        ('{"schema": "btviz.report/1", "runs": []}', "lacks generator"),
        ('{"schema": "btviz.report/1", "generator": 1, "runs": []}', "is not string"),
        ('{"schema": "btviz.report/1", "generator": "x", "runs": [{"span_s": -1}]}', "below 0"),
        ('{"schema": "btviz.report/1", "generator": "x", "runs": [{"span_s": NaN}]}', "not JSON"),
    ]
    for text, want in cases:
        found = "\n".join(check(text, schema))
        if (want is None) != (found == "") or (want and want not in found):
            raise SystemExit(f"schema.py: of {text} it says {found!r}, not {want!r}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    if sys.argv[2:] == ["--self-test"]:
        self_test(schema)
        return 0
    bad = 0
    for name in sys.argv[2:]:
        if name == "-":
            text = sys.stdin.read()
        else:
            with open(name, encoding="utf-8") as file:
                text = file.read()
        for line in check(text, schema):
            print(f"{name}: {line}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
