"""Rules that ask the compiler: every header compiles alone, every program in the docs compiles.

A text that has compiled once is not compiled again: the cache remembers a hash of the compiler, the
flags and all files of ours that the text includes.
"""

import concurrent.futures
import functools
import hashlib
import os
import pathlib
import re
import shlex
import subprocess

import docs_rules
import tree as tree_module


# Reading these takes most of the time of a check, so they are read once. A header that names one of
# them without including it is found by include_rules.
COMMON_HEADERS = """
    algorithm array atomic bit charconv chrono coroutine cstdint cstdio cstring deque exception
    expected filesystem functional map memory mutex optional set source_location span string
    string_view thread unordered_map unordered_set utility variant vector fmt/format.h
""".split()


class Compiler:
    """Checks the syntax of single texts of the tree in `root`, or of users of the headers in
    `include_folders`. What all trees have in common is in cache_folder: passes, which depend on the
    texts alone, and the precompiled header."""

    def __init__(self, command, cache_folder, root=tree_module.ROOT, include_folders=()):
        self.plain_command = list(command)
        wings = sorted(path for path in pathlib.Path(root, "src").glob("*/") if path.is_dir())
        roots = [f"-I{folder}" for folder in include_folders or [*wings, root]]
        self.command = [*command, *roots, "-fsyntax-only", "-x", "c++"]
        self.cache_folder = pathlib.Path(cache_folder)
        self.cache_folder.mkdir(parents=True, exist_ok=True)
        version = subprocess.run(
            [command[0], "--version"], check=True, capture_output=True, text=True
        )
        self.identity = shlex.join(self.plain_command) + version.stdout
        self.identity += "installed" if include_folders else ""

    def precompile_common_headers(self):
        """Precompiles COMMON_HEADERS for all further checks."""
        text = "".join(f"#include <{header}>\n" for header in COMMON_HEADERS)
        key = hashlib.sha256((self.identity + text).encode()).hexdigest()
        precompiled = self.cache_folder / f"{key}.pch"
        if not precompiled.exists():
            unfinished = precompiled.with_suffix(f".{os.getpid()}")
            command = [*self.plain_command, "-x", "c++-header", "-o", str(unfinished), "-"]
            subprocess.run(command, input=text, check=True, text=True)
            unfinished.rename(precompiled)
        self.command += ["-include-pch", str(precompiled)]
        self.identity += key

    def errors_of(self, text, includes_hash):
        """None if the text compiles, else the first lines of the compiler's output."""
        key = hashlib.sha256((self.identity + includes_hash + text).encode()).hexdigest()
        passed = self.cache_folder / key
        if passed.exists():
            return None
        done = subprocess.run([*self.command, "-"], input=text, capture_output=True, text=True)
        if done.returncode == 0:
            passed.touch()
            return None
        return "\n".join(done.stderr.splitlines()[:6])

    def failures(self, texts):
        """texts: (name, text, includes_hash). Returns "name: the compiler's output"."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = pool.map(lambda each: (each[0], self.errors_of(each[1], each[2])), texts)
            return [f"{name}: {errors}" for name, errors in answers if errors is not None]


INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)


@functools.cache
def included_by(file):
    """What a file includes, also in comments, and its hash. Reading the tokens would take longer
    than all else."""
    return INCLUDE.findall(file.text), hashlib.sha256(file.text.encode()).digest()


def includes_hash(tree, paths):
    """A hash of our own files that these include, directly or not."""
    seen, waiting = set(), list(paths)
    while waiting:
        path = waiting.pop()
        if path in seen or path not in tree.by_path:
            continue
        seen.add(path)
        for included in included_by(tree.by_path[path])[0]:
            waiting.append(tree.by_include.get(included, included))
    digest = hashlib.sha256()
    for path in sorted(seen):
        digest.update(path.encode() + b"\0" + included_by(tree.by_path[path])[1])
    return digest.hexdigest()


def first_headers(tree):
    """The headers with which a source begins. The preset `debug` compiles these alone. To do so
    here would take minutes, and include_rules finds what they lack."""
    sources = (file for file in tree.cpp_files if not file.is_header)
    return {source.includes[0][1] for source in sources if source.includes}


def only_includes(header):
    """Then it compiles if all that it includes does."""
    return not header.statements.strip()


def self_contained_headers(tree, compiler):
    """Every header compiles when it is the first of ours that a file includes."""
    compiler.precompile_common_headers()
    first, texts = first_headers(tree), []
    for file in tree.library_files:
        if file.is_header and file.include_path not in first and not only_includes(file):
            text = f'#include "{file.include_path}"\n'
            texts.append((file.path, text, includes_hash(tree, [file.path])))
    return compiler.failures(texts)


CPP_BLOCK = re.compile(r"^```cpp[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def documented_programs(tree):
    """(page, line, text) of every ```cpp block that must compile: all of the README, and those of
    the manuals that have a main()."""
    return [
        (file.path, file.line_of(m.start()) + 1, m[1])
        for file in docs_rules.pages(tree)
        for m in CPP_BLOCK.finditer(file.text)
        if file.path == "README.md" or "int main(" in m[1]
    ]


def documented_examples(tree, compiler):
    """Every program of the README and the manuals compiles unchanged."""
    texts = []
    for path, line, program in documented_programs(tree):
        block = tree_module.SourceFile("example.cc", program)
        included = [tree.by_include.get(path, path) for _, path, _ in block.includes]
        texts.append((f"{path}:{line}", program, includes_hash(tree, included)))
    return compiler.failures(texts)
