"""Reads the SARIF file of `gossamer check`: a summary in Markdown on standard output, and commands
that mark lines of a pull request on standard error. The runner reads at most ten of them."""

import json
import pathlib
import sys
import urllib.parse

LEVELS = {"error": "error", "warning": "warning", "note": "notice"}
ROWS_MAX = 500  # a summary may have a megabyte


def escaped(text, of_property=False):
    """https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts"""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if of_property else text


def results_of(document):
    """[(level, message, file or URL, line)] of all places."""
    for result in document["runs"][0]["results"]:
        for location in result.get("locations", [{}]):
            physical = location.get("physicalLocation", {})
            place = physical.get("artifactLocation", {}).get("uri", "")
            yield (result.get("level", "warning"), result["message"]["text"],
                   place if "://" in place else urllib.parse.unquote(place),
                   physical.get("region", {}).get("startLine", 1))


def annotation(level, message, place, line):
    where = "" if "://" in place else f" file={escaped(place, True)},line={line}"
    return f"::{LEVELS.get(level, 'warning')}{where}::{escaped(message)}"


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def main(path):
    results = list(results_of(json.loads(pathlib.Path(path).read_text(encoding="utf-8"))))
    print(f"### Links: {len(results)} findings\n")
    if results:
        print("| Place | Line | Finding |\n|---|---|---|")
    for level, message, place, line in results[:ROWS_MAX]:
        print(f"| {cell(place)} | {line} | {cell(message)} |")
        print(annotation(level, message, place, line), file=sys.stderr)
    if len(results) > ROWS_MAX:
        print(f"\nand {len(results) - ROWS_MAX} more")


main(sys.argv[1])
