#!/usr/bin/env python3
"""Compares setup/packages.txt with the Debian packages that a build of the program has read.

    compare_packages.py ROOT TREE

ROOT is the folder of a Debian in which the program was built from TREE, a folder in it. Every
listed package must own a tool, a header or an archive that the build used, and the owner of each of
these must be listed or come with the compiler.
"""

import os
import pathlib
import re
import subprocess
import sys

TOOLS = ["clang++-19", "cmake", "ld.lld-19", "llvm-profdata-19", "ninja", "pkg-config"]
COMPILER = "clang-19"
RUN_TIME = {"ca-certificates"}  # the program reads it, the build does not


def listed_packages(text):
    """The packages that a list of setup/ names."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    return {line for line in lines if line}


def files_read(dependencies, commands):
    """The files below /usr that Ninja's log of dependencies and its commands name."""
    return set(re.findall(r"^ +(/usr/\S+)$", dependencies, re.M)) | set(
        re.findall(r"(?<=\s)/usr/\S+\.(?:a|so)(?=\s|$)", commands))


class Debian:
    def __init__(self, root):
        self.root = root

    def run(self, *command):
        return subprocess.run(
            ["chroot", self.root, "env", "LC_ALL=C", *command],
            stdout=subprocess.PIPE, text=True, check=False).stdout

    def owners(self, paths):
        """The packages that own these files."""
        owned = self.run("dpkg-query", "-S", *sorted(os.path.normpath(path) for path in paths))
        return {name.split(":")[0].strip()
                for line in owned.splitlines() for name in line.rsplit(": ", 1)[0].split(",")}

    def dependencies(self, package):
        fields = self.run("dpkg-query", "-W", "-f", "${Depends}", package)
        return {re.split(r"[ :(]", name.strip())[0] for name in re.split(r"[,|]", fields)}


def compare(listed, used, with_compiler):
    """Sentences about what is missing in the list, and what is there without need."""
    faults = [f"{name} is used and not listed" for name in sorted(used - listed - with_compiler)]
    return faults + [f"{name} is listed and not used"
                     for name in sorted(listed - used - RUN_TIME)]


def main(root, tree):
    debian = Debian(root)
    build = "/" + os.path.relpath(pathlib.Path(tree, "build/release"), root)
    files = files_read(debian.run("ninja", "-C", build, "-t", "deps"),
                       debian.run("ninja", "-C", build, "-t", "commands", "gossamer_program"))
    with_compiler = debian.dependencies(COMPILER)
    for package in list(with_compiler):
        with_compiler |= debian.dependencies(package)
    listed = listed_packages(pathlib.Path(tree, "setup/packages.txt").read_text(encoding="utf-8"))
    used = debian.owners(files | {f"/usr/bin/{tool}" for tool in TOOLS})
    faults = compare(listed, used, with_compiler)
    for fault in faults:
        print(f"setup/packages.txt: {fault}")
    print(f"{len(listed)} packages of setup/packages.txt compared: {len(files)} files read")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
