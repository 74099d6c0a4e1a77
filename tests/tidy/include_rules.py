"""Rules about what a file includes: all that it names, itself or through headers of ours.

The compiler does not tell, as most builds compile files together and behind a precompiled header.
So this reads the text: names of the standard library by the list standard_names.txt, and names of
ours that one header alone declares. What it cannot tell for sure it lets pass; the preset `debug`,
which compiles every file alone, shows the rest.
"""

import collections
import functools
import posixpath
import re

from tree import blank

STANDARD_NAMES = "tests/tidy/standard_names.txt"

STANDARD_USE = re.compile(r"\bstd::(\w+)")
# A declaration at the beginning of a line is in a namespace; indented ones are in classes.
TYPE = re.compile(
    r"^(?:(?:class|struct|enum|enum class)(?: \[\[\w+\]\])?|using) ([A-Z]\w+)\b(?!::)", re.MULTILINE
)
CONSTANT = re.compile(r"^(?:inline |extern )?const(?:expr)? [^;={(\n]*?\b(k[A-Z]\w*)", re.MULTILINE)
FUNCTION = re.compile(r"^[A-Za-z][\w:<>,&*\[\] ]*[ &*]([a-z]\w*_\w+)\(", re.MULTILINE)
# Types and constants of types and functions, parameters of templates.
INNER = re.compile(
    r"^[ \t]+(?:class|struct|enum|enum class|using) ([A-Z]\w+)"
    r"|^[ \t].*?\bconst(?:expr)? .*?(\bk[A-Z]\w*)"
    r"|\b(?:class|typename)(?:\.\.\.)? ([A-Z]\w*)(?=[,>])|\bauto ([a-z]\w*) =",
    re.MULTILINE,
)
INNER_WORD = re.compile("class|struct|enum|using|const|typename|auto")  # every INNER has one
MEMBER_FUNCTION = re.compile(
    r"^[ \t]+[A-Za-z][\w:<>,&*\[\] ]*[ &*]([a-z]\w*_\w+)\(", re.MULTILINE
)
# Names that need no declaration: of friends and of tests.
FREE = re.compile(r"\bfriend (?:class|struct) \w+;|^(?:TEST|TEST_F|TEST_P)\(\w+", re.MULTILINE)
USE = re.compile(r"(?<![\w.:>])(?:\w+::)?([A-Z]\w+|k[A-Z]\w+|[a-z]\w*_\w+(?=\())\b")


def standard_homes(tree):
    """The headers that declare each name of the standard library: name -> set of headers."""
    homes = collections.defaultdict(set)
    for line in tree.listing(STANDARD_NAMES):
        header, names = line.split(":")
        for name in names.split():
            homes[name].add(header)
    return homes


class Reach:
    """The includes of each file, directly or through our own files."""

    def __init__(self, tree):
        self.tree = tree
        self.direct = {file.path: set(self.included_by(file)) for file in tree.cpp_files}

    def included_by(self, file):
        """Paths of ours and names of headers of others."""
        for _, included, _ in file.includes:
            yield self.file_of(file, included) or included

    def file_of(self, file, included):
        """The file of ours that an #include means, or None."""
        if included in self.tree.by_include:
            return self.tree.by_include[included]
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), included))
        return beside if beside in self.tree.by_path else None

    @functools.cache
    def of(self, path):
        """Paths of ours and names of headers of others."""
        reached, waiting = {path}, [path]
        while waiting:
            more = self.direct.get(waiting.pop(), set()) - reached
            reached |= more
            waiting += more
        return reached


def standard_names_are_included(tree):
    """A file that uses a name of the standard library includes a header that declares it."""
    homes, reach, problems = standard_homes(tree), Reach(tree), []
    for file in tree.cpp_files:
        missed = {}
        for match in STANDARD_USE.finditer(file.statements):
            name = match[1]
            if name in homes and name not in missed and not homes[name] & reach.of(file.path):
                missed[name] = file.line_of(match.start())
        for name, line in missed.items():
            wanted = " or ".join(f"<{home}>" for home in sorted(homes[name]))
            problems.append(f"{file.path}:{line}: std::{name} without {wanted}")
    return problems


def declared_in(file):
    names = set()
    for pattern in (TYPE, CONSTANT, FUNCTION):
        names.update(pattern.findall(file.statements))
    return names


def inner_names(file):
    lines = [line for line in file.statements.split("\n") if INNER_WORD.search(line)]
    return {name for names in INNER.findall("\n".join(lines)) for name in names}


def sole_homes(tree):
    """Names that exactly one header declares: name -> path."""
    homes, elsewhere = collections.defaultdict(set), set()
    for file in tree.cpp_files:
        names = declared_in(file)
        elsewhere.update(inner_names(file))
        elsewhere.update(MEMBER_FUNCTION.findall(file.statements))
        for name in names:
            homes[name].add(file.path)
    return {
        name: next(iter(paths))
        for name, paths in homes.items()
        if len(paths) == 1 and next(iter(paths)).endswith(".h") and name not in elsewhere
    }


def own_names_are_included(tree):
    """A file that uses a name that one of our headers declares includes that header."""
    homes, reach, problems = sole_homes(tree), Reach(tree), []
    for file in tree.cpp_files:
        missed = {}
        for match in USE.finditer(FREE.sub(lambda m: blank(m[0]), file.statements)):
            name = match[1]
            if name in homes and name not in missed and homes[name] not in reach.of(file.path):
                missed[name] = file.line_of(match.start())
        problems += [
            f"{file.path}:{line}: {name} without {homes[name]}" for name, line in missed.items()
        ]
    return problems
