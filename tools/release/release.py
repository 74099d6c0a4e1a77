#!/usr/bin/env python3
"""Puts everything that a release publishes into one folder.

    release.py PACKAGES WHEEL BUILD INTO [--key KEY] [--url URL]

PACKAGES is what `./gossamer package` made, WHEEL is the wheel, BUILD the build folder of both. KEY
is a key of gpg, which signs the repository and the checksums; without it they are not signed. URL
is where the folder will be published; the variable GOSSAMER_URL says it, too.
"""

import argparse
import hashlib
import os
import pathlib
import re
import shutil
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import apt_repository
import container_image
import third_party
from project import ROOT, version_of_project


def time_of_release():
    """The time that all files bear: the same source gives the same files."""
    return int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


def notes_of(version):
    """The section of a version in the changelog; before it is released, that of the next one."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## \[([^]]+)\].*?\n(.*?)(?=^## |\Z)", text, re.M | re.S))
    return f"# Gossamer {version}\n{sections.get(version, sections.get('Unreleased', ''))}"


def unpack_texts(archive, into):
    """Copy the manual pages and completions out of the archive."""
    with tarfile.open(archive) as packed:
        for member in packed.getmembers():
            place = re.search(r"/share/((?:man|bash-completion|zsh|fish|elvish)/.*)$", member.name)
            if not place or not member.isfile():
                continue
            path = into / place[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(packed.extractfile(member).read())


def write_checksums(folder, key):
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
             for path in sorted(folder.rglob("*")) if path.is_file()]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")
    if key:
        apt_repository.sign(key, folder / "SHA256SUMS", folder / "SHA256SUMS.asc", "--detach-sign",
                            "--armor")


def only(paths, what):
    paths = sorted(paths)
    if not paths:
        sys.exit(f"there is no {what}; ./gossamer release makes everything that is needed")
    return paths[-1]


def make_release(packages, wheel, build, into, key, url):
    version, when = version_of_project(), time_of_release()
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    archive = only(packages.glob("gossamer-*-linux-*.tar.gz"), "archive")
    for path in [archive, only([wheel], "wheel")]:
        shutil.copy(path, into)
    apt_repository.make(sorted(packages.glob("*.deb")), into / "apt", when, key)
    container_image.make(archive, into / f"gossamer-{version}-image.tar", version, when)
    third_party.write_bill(build, into / f"gossamer-{version}.cdx.json", version, when)
    unpack_texts(archive, into / "texts")
    installer = (ROOT / "setup/install.sh").read_text(encoding="utf-8")
    (into / "install.sh").write_text(
        installer.replace("@URL@", url).replace("@VERSION@", version), encoding="utf-8")
    (into / "NOTES.md").write_text(notes_of(version), encoding="utf-8")
    write_checksums(into, key)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for name in ("packages", "wheel", "build", "into"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--key")
    parser.add_argument("--url", default=os.environ.get("GOSSAMER_URL", ""))
    options = parser.parse_args()
    make_release(options.packages, options.wheel, options.build, options.into, options.key,
                 options.url)
    for path in sorted(options.into.iterdir()):
        print(path)


if __name__ == "__main__":
    main()
