#!/usr/bin/env python3
"""Puts the page together at build time: build.py OUTPUT.c build.py page.html style.css SCRIPT.js...

Style and scripts go into page.html at {{style}} and {{script}}, their hashes into its
Content-Security-Policy; then it is cut at the places that are filled in when a page is written, and
becomes arrays of bytes in C."""
import base64
import hashlib
import re
import sys

PLACES = {"title": "BTVI_HTML_TITLE", "data": "BTVI_HTML_DATA", "arrays": "BTVI_HTML_ARRAYS",
          "later": "BTVI_HTML_LATER"}


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def ascii_only(text, escape):
    """A page of ASCII takes a browser half the memory and less time to decode."""
    return "".join(c if ord(c) < 128 else escape(c) for c in text)


def js_escape(c):
    units = c.encode("utf-16-be").hex()
    return "".join("\\u" + units[i:i + 4] for i in range(0, len(units), 4))


def hashed(text):
    """A source for the policy: scripts and styles run only as they were built."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return "'sha256-" + base64.b64encode(digest).decode("ascii") + "'"


def main(output, _, page, style, *scripts):
    css = ascii_only("\n" + read(style), lambda c: f"\\{ord(c):06x}")
    js = "\n'use strict';\n(() => {\n" + "\n".join(read(s) for s in scripts) + "\n})();\n"
    js = ascii_only(js, js_escape)
    for what, text in (("script", js), ("style", css)):
        if "</" + what in text.lower() or "<!--" in text:
            sys.exit(f"build.py: the {what} would end its own element")
    html = ascii_only(read(page), lambda c: f"&#{ord(c)};")
    for name, text in (("style-hash", hashed(css)), ("script-hash", hashed(js)), ("style", css),
                       ("script", js)):
        if html.count("{{" + name + "}}") != 1:
            sys.exit(f"build.py: {page} must have {{{{{name}}}}} once")
        html = html.replace("{{" + name + "}}", text)
    pieces = re.split(r"\{\{(" + "|".join(PLACES) + r")\}\}", html)
    texts, places = pieces[0::2], [PLACES[p] for p in pieces[1::2]] + ["BTVI_HTML_END"]
    for name, place in PLACES.items():
        if places.count(place) != 1:
            sys.exit(f"build.py: {page} must have {{{{{name}}}}} once")

    out = ["/* Made by build.py. */", '#include "draw/html_parts.h"', ""]
    for i, text in enumerate(texts):
        data = text.encode("utf-8")
        out.append(f"static const unsigned char text_{i}[] = {{")
        for at in range(0, len(data), 20):
            out.append("\t" + ", ".join(str(b) for b in data[at:at + 20]) + ",")
        out.append("};")
    out.append("const struct btvi_html_part btvi_html_parts[] = {")
    for i, place in enumerate(places):
        out.append(f"\t{{ text_{i}, sizeof text_{i}, {place} }},")
    out.append("};")
    out.append("const size_t btvi_html_part_count = sizeof btvi_html_parts / "
               "sizeof btvi_html_parts[0];")
    with open(output, "w", encoding="ascii") as f:
        f.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
