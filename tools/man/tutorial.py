#!/usr/bin/env python3
"""btviz-tutorial.md as a man page: tutorial.py INPUT OUTPUT VERSION DATE

Knows what the tutorial uses: one title, sections (##), paragraphs, and commands (four spaces)."""
import sys


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


def main():
    source, target, version, date = sys.argv[1:]
    lines = open(source, encoding="utf-8").read().splitlines()
    out = [f'.TH BTVIZ\\-TUTORIAL 7 {date} "btviz {version}" "Miscellaneous"', ".SH NAME"]
    in_code = False
    for line in lines:
        code = line.startswith("    ")
        if code != in_code and (code or line):
            out.append(".PP\n.RS 4\n.EX" if code else ".EE\n.RE\n.PP")
            in_code = code
        if line.startswith("# "):
            out.append("btviz\\-tutorial \\- " + roff(line[2:].lower()))
            out.append(".SH DESCRIPTION")
        elif line.startswith("## "):
            out.append(".SH " + roff(line[3:].upper()))
        elif code:
            out.append(roff(line[4:]))
        elif line:
            out.append(roff(line))
        elif not in_code and not out[-1].startswith(".SH"):
            out.append(".PP")
    if in_code:
        out.append(".EE\n.RE")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
