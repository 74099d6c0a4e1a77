#!/usr/bin/env python3
"""Makes the tables of src/html/encoding_*.inc from the data of the WHATWG Encoding Standard.

    tools/make_encoding_tables.py DIRECTORY

DIRECTORY holds the standard's encodings.json and indexes.json. The result is checked in; run this
again when the standard changes.
"""

import json
import pathlib
import sys

OUT = pathlib.Path(__file__).resolve().parent.parent / "src" / "html"
HEADER = "// Made by tools/make_encoding_tables.py from the WHATWG Encoding Standard's {}.\n"


def identifier(name):
    return name.lower().replace("-", "_")


def rows(values, columns=100):
    """The values as lines of an initialiser, two spaces in."""
    line, lines = " ", []
    for value in values:
        text = f" {value},"
        if len(line) + len(text) > columns:
            lines.append(line)
            line = " "
        line += text
    lines.append(line)
    return "\n".join(lines)


def array(kind, name, values):
    count = len(values)
    return f"constexpr std::array<{kind}, {count}> {name} = {{\n{rows(values)}\n}};\n"


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


def multi_byte_tables(indexes):
    parts = []
    for name in ("gb18030", "jis0208", "jis0212", "euc-kr", "iso-2022-jp-katakana"):
        values = [code_point or 0 for code_point in indexes[name]]
        assert max(values) <= 0xFFFF
        constant = "k" + name.title().replace("-", "")
        parts.append(array("std::uint16_t", constant, values))
    big5 = [code_point or 0 for code_point in indexes["big5"]]
    assert all(code_point <= 0xFFFF or code_point >> 16 == 2 for code_point in big5)
    parts.append("// The low 16 bits; the rest is in kBig5Plane2, a bit for each pointer.\n"
                 + array("std::uint16_t", "kBig5", [code_point & 0xFFFF for code_point in big5]))
    bits = [0] * ((len(big5) + 31) // 32)
    for pointer, code_point in enumerate(big5):
        bits[pointer // 32] |= (code_point >> 16 == 2) << (pointer % 32)
    parts.append(array("std::uint32_t", "kBig5Plane2", bits))
    ranges = [f"{{{pointer}, {code_point}}}" for pointer, code_point in indexes["gb18030-ranges"]]
    parts.append(f"constexpr std::array<Gb18030Range, {len(ranges)}> kGb18030Ranges = {{{{\n"
                 f"{rows(ranges)}\n}}}};\n")
    return parts


def main():
    data = pathlib.Path(sys.argv[1])
    sections = json.loads((data / "encodings.json").read_text())
    indexes = json.loads((data / "indexes.json").read_text())
    write("encoding_labels.inc", "encodings.json", label_tables(sections))
    write("encoding_single_byte.inc", "indexes.json", single_byte_tables(sections, indexes))
    write("encoding_indexes.inc", "indexes.json", multi_byte_tables(indexes))


if __name__ == "__main__":
    main()
