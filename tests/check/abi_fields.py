#!/usr/bin/env python3
"""Whether the fields and enumerators of one library are in another at the same place, of the same type:

    abi_fields.py OLD.abi NEW.abi HEADERS        (what abidw writes; the old library's include/btviz)

abidiff's suppressions let structs grow at their end; with them it does not see what else changes there."""
import glob
import os
import re
import sys
import xml.etree.ElementTree as xml


class Library:
    def __init__(self, path):
        self.types = {}
        self.structs = {}
        self.enums = {}
        for element in xml.parse(path).getroot().iter():
            if "id" in element.attrib:
                self.types.setdefault(element.get("id"), element)
            name = element.get("name", "")
            if element.tag in ("class-decl", "union-decl") and name.startswith("btviz_") and len(element):
                self.structs[name] = element
            elif element.tag == "enum-decl" and element.findall("enumerator"):
                self.enums.update((e.get("name"), e.get("value")) for e in element.findall("enumerator"))

    def spell(self, type_id):
        """A type as text: the same text is the same type. Structs by name are looked at on their own."""
        t = self.types.get(type_id)
        if t is None or t.tag == "function-type":
            return "?" if t is None else self.function(t)
        if t.tag == "pointer-type-def":
            return self.spell(t.get("type-id")) + "*"
        if t.tag == "qualified-type-def":
            return self.spell(t.get("type-id")) + "".join(f" {q}" for q in ("const", "volatile") if t.get(q))
        if t.tag == "array-type-def":
            return self.spell(t.get("type-id")) + "".join(f"[{s.get('length')}]" for s in t.findall("subrange"))
        if t.tag in ("class-decl", "union-decl") and (t.get("is-anonymous") or "anonymous" in t.get("name")):
            return "{" + " ".join(f"{n}@{o}:{s}" for n, (o, s) in self.fields(t).items()) + "}"
        return f"{t.tag} {t.get('name')}"

    def function(self, t):
        return "f(" + ",".join(self.spell(p.get("type-id")) for p in t) + ")"

    def fields(self, struct):
        return {m.find("var-decl").get("name"): (m.get("layout-offset-in-bits"),
                                                 self.spell(m.find("var-decl").get("type-id")))
                for m in struct.findall("data-member")}


def main():
    old, new = Library(sys.argv[1]), Library(sys.argv[2])
    public = set()
    for path in glob.glob(os.path.join(sys.argv[3], "*.h")):
        with open(path, encoding="utf-8") as file:
            public.update(re.findall(r"^struct (btviz_\w+) \{", file.read(), re.MULTILINE))
    faults = []
    count = 0
    for name, struct in sorted((n, s) for n, s in old.structs.items() if n in public):
        there = new.fields(new.structs[name]) if name in new.structs else {}
        for field, was in old.fields(struct).items():
            count += 1
            if there.get(field) != was:
                faults.append(f"{name}.{field}: was {was[1]} at bit {was[0]}, "
                              + ("is {1} at bit {0}".format(*there[field]) if field in there else "is gone"))
    for name, value in sorted(old.enums.items()):
        count += 1
        if not name.endswith("_COUNT") and new.enums.get(name) != value:
            faults.append(f"{name}: was {value}, is {new.enums.get(name, 'gone')}")
    print("\n".join(faults + [f"{count} fields and values, {len(faults)} faults"]))
    return 1 if faults or count < 300 else 0


sys.exit(main())
