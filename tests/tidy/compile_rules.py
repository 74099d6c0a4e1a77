"""Rules that ask the compiler: every header compiles alone, every example in the README compiles.

A text that has compiled once is not compiled again: the cache remembers a hash of the compiler, the
flags and all files of ours that the text includes.
"""

import concurrent.futures
import hashlib
import os
import pathlib
import re
import shlex
import subprocess

import tree as tree_module


class Compiler:
    """Checks the syntax of single texts. Passes are remembered in cache_folder."""

    def __init__(self, command, cache_folder, root=tree_module.ROOT):
        self.command = [*command, "-fsyntax-only", "-x", "c++", f"-I{root}/src"]
        self.cache_folder = pathlib.Path(cache_folder)
        self.cache_folder.mkdir(parents=True, exist_ok=True)
        version = subprocess.run(
            [command[0], "--version"], check=True, capture_output=True, text=True
        )
        self.identity = shlex.join(self.command) + version.stdout

    def errors_of(self, text, includes_hash):
        """None if the text compiles, else the first lines that the compiler says."""
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
        """texts: (name, text, includes_hash). Gives "name: what the compiler says"."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = pool.map(lambda each: (each[0], self.errors_of(each[1], each[2])), texts)
            return [f"{name}: {errors}" for name, errors in answers if errors is not None]


def includes_hash(tree, paths):
    """A hash of the files of ours that these include, directly or not."""
    seen, waiting = set(), list(paths)
    while waiting:
        path = waiting.pop()
        if path in seen or path not in tree.by_path:
            continue
        seen.add(path)
        waiting += [f"src/{included}" for _, included, _ in tree.by_path[path].includes]
    digest = hashlib.sha256()
    for path in sorted(seen):
        digest.update(path.encode() + b"\0" + tree.by_path[path].text.encode() + b"\0")
    return digest.hexdigest()


def is_first_in_its_source(tree, header):
    """Does header.cc begin with this header? Then the preset `debug` compiles it alone; to do so
    here would take minutes, and what it lacks, include_rules tells."""
    source = tree.by_path.get(header.path.removesuffix(".h") + ".cc")
    if source is None or not source.includes:
        return False
    return f"src/{source.includes[0][1]}" == header.path


def self_contained_headers(tree, compiler):
    """Every header compiles when it is the first thing that a file includes."""
    texts = []
    for file in tree.below("src"):
        if file.is_header and not is_first_in_its_source(tree, file):
            text = f'#include "{file.path.removeprefix("src/")}"\n'
            texts.append((file.path, text, includes_hash(tree, [file.path])))
    return compiler.failures(texts)


CPP_BLOCK = re.compile(r"^```cpp[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def readme_programs(tree):
    """(line, text) of every ```cpp block of the README: each is a whole program."""
    readme = tree.by_path["README.md"]
    return [(readme.line_of(m.start()) + 1, m[1]) for m in CPP_BLOCK.finditer(readme.text)]


def readme_examples(tree, compiler):
    """Every C++ block of the README compiles as it stands."""
    texts = []
    for line, program in readme_programs(tree):
        block = tree_module.SourceFile("README.cc", program)
        included = [f"src/{path}" for _, path, _ in block.includes]
        texts.append((f"README.md:{line}", program, includes_hash(tree, included)))
    return compiler.failures(texts)
