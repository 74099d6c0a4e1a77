"""A repository for apt, as plain files: one folder with packages and their index.

    deb [signed-by=/etc/apt/keyrings/gossamer.asc] https://.../apt ./
"""

import email.utils
import gzip
import hashlib
import shutil
import subprocess


def entry_of(package):
    """The paragraph of a package in the index."""
    fields = subprocess.run(["dpkg-deb", "-f", package], capture_output=True, text=True,
                            check=True).stdout.rstrip("\n")
    content = package.read_bytes()
    return (f"{fields}\nFilename: ./{package.name}\nSize: {len(content)}\n"
            f"SHA256: {hashlib.sha256(content).hexdigest()}\n")


def release_text(folder, names, architectures, when):
    lines = ["Origin: Gossamer", "Label: Gossamer", "Suite: stable",
             f"Architectures: {' '.join(sorted(architectures))}",
             f"Date: {email.utils.formatdate(when, usegmt=True)}", "SHA256:"]
    for name in names:
        content = (folder / name).read_bytes()
        lines.append(f" {hashlib.sha256(content).hexdigest()} {len(content)} {name}")
    return "\n".join(lines) + "\n"


def sign(key, file, into, *how):
    subprocess.run(["gpg", "--batch", "--yes", "--local-user", key, *how, "--output", into, file],
                   check=True)


def make(packages, folder, when, key):
    """Make the repository. Without a key it is not signed; apt then needs [trusted=yes]."""
    folder.mkdir()
    for package in packages:
        shutil.copy(package, folder)
    index = "\n".join(entry_of(folder / package.name) for package in packages).encode()
    (folder / "Packages").write_bytes(index)
    (folder / "Packages.gz").write_bytes(gzip.compress(index, mtime=0))
    architectures = {line.split(": ")[1] for line in index.decode().splitlines()
                     if line.startswith("Architecture: ")}
    release = folder / "Release"
    release.write_text(release_text(folder, ["Packages", "Packages.gz"], architectures, when),
                       encoding="utf-8")
    if key:
        sign(key, release, folder / "InRelease", "--clear-sign")
        sign(key, release, folder / "Release.gpg", "--detach-sign", "--armor")
        exported = subprocess.run(["gpg", "--batch", "--armor", "--export", key],
                                  capture_output=True, check=True).stdout
        (folder / "gossamer.asc").write_bytes(exported)
