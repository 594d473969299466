#!/usr/bin/env python3
"""Writes the build's bill of materials as SPDX 2.3 (JSON): sbom.py OUTPUT VERSION NAME=VERSION...

What btviz is, and the libraries that it was built against with the versions that the build found. Equal for
equal builds: the time is SOURCE_DATE_EPOCH, or 0 where that is not set."""
import datetime
import json
import os
import sys

# Library: its licence as SPDX names it, and what btviz uses it for.
KNOWN = {
    "cairo": ("LGPL-2.1-only OR MPL-1.1", "draws pictures"),
    "libpng": ("libpng-2.0", "writes PNG"),
    "jansson": ("MIT", "reads and writes JSON"),
    "zlib": ("Zlib", "compresses saved summaries"),
    "libarchive": ("BSD-2-Clause", "reads compressed traces and archives"),
    "sqlite3": ("blessing", "writes databases of I/Os"),
    "libzstd": ("BSD-3-Clause OR GPL-2.0-only", "reads compressed records of perf"),
}


def package(name, version, licence, comment):
    return {
        "SPDXID": f"SPDXRef-{name}",
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "comment": comment,
    }


def main():
    output, version, *libraries = sys.argv[1:]
    when = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), datetime.timezone.utc)
    packages = [package("btviz", version, "MIT", "decodes, analyses and draws block traces")]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-btviz")]
    for library in libraries:
        name, found = library.split("=")
        packages.append(package(name, found, *KNOWN[name]))
        relations.append(("SPDXRef-btviz", "DYNAMIC_LINK", f"SPDXRef-{name}"))
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"btviz-{version}",
        "documentNamespace": f"https://example.org/btviz/spdx/btviz-{version}",
        "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: btviz-sbom"]},
        "packages": packages,
        "relationships": [dict(zip(("spdxElementId", "relationshipType", "relatedSpdxElement"), r))
                          for r in relations],
    }
    with open(output, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
