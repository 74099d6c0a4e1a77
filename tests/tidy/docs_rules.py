"""Rules about the pages of the documentation."""

import posixpath
import re

FENCE = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|\b(?:src|href)=\"([^\"]+)\"")


def pages(tree):
    return [
        file
        for file in tree.files
        if file.path.endswith(".md") and ("/" not in file.path or file.path.startswith("docs/"))
    ]


def prose(file):
    """The text without its code."""
    text = FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), file.text)
    return re.sub(r"`[^`\n]*`", lambda match: " " * len(match[0]), text)


def titles(tree):
    """Every page below docs/ has exactly one title."""
    problems = []
    for file in pages(tree):
        if not file.path.startswith("docs/"):
            continue
        count = len(re.findall(r"^# \S", prose(file), re.MULTILINE))
        if count != 1:
            problems.append(f"{file.path}: has {count} titles (`# ...`), must have one")
    return problems


def anchors(file):
    """The anchors that a page's headings make."""
    found = set()
    for match in re.finditer(r"^#{1,6} +(.+?)\s*#*$", FENCE.sub("", file.text), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = 0
        while (anchor if number == 0 else f"{anchor}-{number}") in found:
            number += 1
        found.add(anchor if number == 0 else f"{anchor}-{number}")
    return found


def links(tree):
    """Links inside the project have a target."""
    problems = []
    for file in pages(tree):
        text = prose(file)
        for match in LINK.finditer(text):
            target = match[1] or match[2]
            if re.match(r"[a-z][a-z0-9+.\-]*:|//", target):
                continue
            where = f"{file.path}:{file.line_of(match.start())}"
            path, _, anchor = target.partition("#")
            full = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), path))
            full = file.path if not path else full
            if not tree.exists(full):
                problems.append(f"{where}: there is no {full}")
            elif anchor and full in tree.by_path and full.endswith(".md"):
                if anchor not in anchors(tree.by_path[full]):
                    problems.append(f"{where}: {full} has no heading #{anchor}")
    return problems


DECISIONS = "docs/decisions/"
SOURCE_NAME = re.compile(r"`([a-z0-9_]+(?:/[a-z0-9_]+)+\.(?:h|cc|py|lua))`")


def named_files(tree):
    """The files that decisions name exist; a path may lack its first folders."""
    problems = []
    for file in pages(tree):
        if not file.path.startswith(DECISIONS):
            continue
        for match in SOURCE_NAME.finditer(file.text):
            is_known = any(f"/{one.path}".endswith(f"/{match[1]}") for one in tree.files)
            if not is_known and not tree.exists(match[1]):
                where = f"{file.path}:{file.line_of(match.start())}"
                problems.append(f"{where}: there is no {match[1]}")
    return problems


FIELDS = "src/crawl/record/record_fields.cc"
FIELD = re.compile(r'(?:>|computed)\(\s*"([a-z_.]+)",')


def record_fields(tree):
    """docs/crawl.md has every field of a record."""
    problems = []
    table = tree.by_path.get(FIELDS)
    described = tree.by_path["docs/crawl.md"].text if table else ""
    for match in FIELD.finditer(table.text if table else ""):
        name = match[1].split(".")[0]  # the object of "timings.total"
        if not re.search(rf"^\|.*`{name}`.*\|", described, re.MULTILINE):
            where = f"{table.path}:{table.line_of(match.start())}"
            problems.append(f"{where}: docs/crawl.md does not describe `{name}`")
    return problems
