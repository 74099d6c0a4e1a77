"""Makes a root folder with few packages of this system: bare_root.py ROOT DEPENDS...

It has the essential packages, those of DEPENDS ("python3 (>= 3.11), libssl3") and all that these
depend on, also in its database of dpkg.
"""

import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys

FIELDS = ("binary:Package", "db:Status-Status", "Essential", "Pre-Depends", "Depends", "Provides")
LINKS = ("/bin", "/sbin", "/lib", "/lib64")  # to folders of the same name in /usr
TEXTS = ("/usr/share/doc/", "/usr/share/man/", "/usr/share/locale/")
DATABASE = pathlib.Path("/var/lib/dpkg")


def names_in(field):
    """Return the alternatives of each part of a field like Depends, without versions."""
    return [[re.sub(r"[ :(].*", "", name.strip()) for name in part.split("|")]
            for part in field.split(",") if part.strip()]


class Packages:
    """The installed packages of this system."""

    def __init__(self):
        layout = "\\t".join(f"${{{field}}}" for field in FIELDS) + "\\n"
        listed = subprocess.run(["dpkg-query", "-W", "-f", layout],
                                capture_output=True, text=True, check=True).stdout
        self.needs = {}  # by name with architecture, as dpkg -L wants it
        self.providers = {}
        self.essential = []
        virtual = []
        for line in listed.splitlines():
            package, status, essential, early, late, provides = line.split("\t")
            if status != "installed":
                continue
            self.needs[package] = f"{early},{late}"
            if essential == "yes":
                self.essential.append(package)
            self.providers.setdefault(package.partition(":")[0], package)
            virtual += [(each[0], package) for each in names_in(provides)]
        # A real package is better than another one that provides its name.
        for name, package in virtual:
            self.providers.setdefault(name, package)

    def closure(self, fields):
        """Return the packages that satisfy the fields, and the essential ones."""
        found = set()
        todo = [*fields, *(package.partition(":")[0] for package in self.essential)]
        while todo:
            for names in names_in(todo.pop()):
                package = next((self.providers[name] for name in names if name in self.providers),
                               None)
                if package is None:
                    sys.exit(f"not installed: {' | '.join(names)}")
                if package not in found:
                    found.add(package)
                    todo.append(self.needs[package])
        return sorted(found)


def copy_files(root, packages):
    for link in LINKS:
        (root / f"usr{link}").mkdir(parents=True)
        (root / link[1:]).symlink_to(f"usr{link}")
    listed = subprocess.run(["dpkg", "-L", *packages], capture_output=True, text=True, check=True)
    paths = [path for path in dict.fromkeys(listed.stdout.splitlines())
             if path.startswith("/") and path not in LINKS and not path.startswith(TEXTS)
             and os.path.lexists(path)]
    packed = subprocess.Popen(
        ["tar", "-C", "/", "--no-recursion", "--null", "-T", "-", "-cf", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    unpacked = subprocess.Popen(["tar", "-C", root, "-xf", "-"], stdin=packed.stdout)
    packed.stdin.write("".join(f".{path}\0" for path in paths).encode())
    packed.stdin.close()
    if packed.wait() or unpacked.wait():
        sys.exit("the packages cannot be copied")


def write_database(root, packages):
    database = root / DATABASE.relative_to("/")
    for folder in ("info", "updates", "triggers"):
        (database / folder).mkdir(parents=True, exist_ok=True)
    shutil.copy(DATABASE / "info/format", database / "info")
    for package in packages:
        for path in glob.glob(f"{DATABASE}/info/{package}.*"):
            shutil.copy(path, database / "info")
    heads = {f"Package: {package.partition(':')[0]}" for package in packages}
    entries = (DATABASE / "status").read_text(encoding="utf-8").split("\n\n")
    (database / "status").write_text(
        "".join(entry + "\n\n" for entry in entries if entry.partition("\n")[0] in heads),
        encoding="utf-8")


def main():
    root = pathlib.Path(sys.argv[1])
    packages = Packages().closure(sys.argv[2:])
    copy_files(root, packages)
    write_database(root, packages)
    for path in ("passwd", "group"):
        shutil.copy(f"/etc/{path}", root / "etc")
    for folder in ("tmp", "proc", "dev"):
        (root / folder).mkdir(exist_ok=True)
    print(len(packages))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    main()
