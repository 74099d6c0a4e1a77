#!/usr/bin/env python3
"""Makes the tables of src/page/html/encoding/*.inc from the data of the WHATWG Encoding Standard.

    tools/make_encoding_tables.py DIRECTORY

DIRECTORY holds the standard's encodings.json and indexes.json. The result is checked in; run this
again when the standard changes.
"""

import json
import pathlib
import sys

OUT = pathlib.Path(__file__).resolve().parent.parent / "src" / "html" / "encoding"
HEADER = "// Made by tools/make_encoding_tables.py from the WHATWG Encoding Standard's {}.\n"


def identifier(name):
    return name.lower().replace("-", "_")


def write(name, source, parts):
    (OUT / name).write_text(HEADER.format(source) + "\n" + "\n".join(parts))


def label_tables(sections):
    encodings = [encoding for section in sections for encoding in section["encodings"]]
    names = "".join(f'    "{encoding["name"]}",\n' for encoding in encodings)
    labels = sorted(
        (label, identifier(encoding["name"]))
        for encoding in encodings
        for label in encoding["labels"]
    )
    table = "".join(f'    {{"{label}", Encoding::{name}}},\n' for label, name in labels)
    return [
        f"constexpr std::array<std::string_view, {len(encodings)}> kNames = {{\n{names}}};\n",
        f"constexpr std::array<Label, {len(labels)}> kLabels = {{{{\n{table}}}}};\n",
    ]


def single_byte_tables(sections, indexes):
    (section,) = [s for s in sections if s["heading"] == "Legacy single-byte encodings"]
    parts = []
    for encoding in section["encodings"]:
        name = encoding["name"]
        # ISO-8859-8-I is ISO-8859-8; only the direction of its text differs.
        index = indexes["iso-8859-8" if name == "ISO-8859-8-I" else name.lower()]
        assert len(index) == 128
        values = ", ".join(str(code_point or 0) for code_point in index)
        parts.append(f"    // {name}\n{wrapped(values)}")
    body = "\n".join(parts)
    count = len(section["encodings"])
    return [f"constexpr std::array<SingleByteIndex, {count}> kIndexes = {{{{\n{body}\n}}}};\n"]


def wrapped(values):
    lines, line = [], "    {"
    for value in values.split(", "):
        if len(line) + len(value) + 2 > 100:
            lines.append(line.rstrip())
            line = "     "
        line += value + ", "
    lines.append(line.rstrip(", ") + "},")
    return "\n".join(lines)


def main():
    data = pathlib.Path(sys.argv[1])
    sections = json.loads((data / "encodings.json").read_text())
    indexes = json.loads((data / "indexes.json").read_text())
    write("labels.inc", "encodings.json", label_tables(sections))
    write("single_byte.inc", "indexes.json", single_byte_tables(sections, indexes))


if __name__ == "__main__":
    main()
