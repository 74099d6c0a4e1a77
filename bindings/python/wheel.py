"""Packs the Python package as a wheel that needs only Python and libc.

    wheel.py FOLDER INTO

FOLDER has the built package `gossamer`. The wheel works with every Python from 3.11 on. The
libraries that the module was linked with are inside, under names of their own: another module of
the same process may load other versions of them. Needs patchelf.
"""

import base64
import hashlib
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/release"))
import third_party  # noqa: E402  # its folder is known only now
from project import ROOT, version_of_project  # noqa: E402

KINDS = (".py", ".pyi", ".typed", ".so")
# The same files give the same wheel.
TIME = (1980, 1, 1, 0, 0, 0)

# What every Linux with the C library of GNU and a Python has (https://peps.python.org/pep-0600/).
OUTSIDE = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s))\.so\.\d+")


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def libraries_of(module):
    """{name: path} of all libraries that the module loads and that go into the wheel."""
    shown = output_of("ldd", module)
    if "not found" in shown:
        sys.exit(f"a library of {module} is missing:\n{shown}")
    loaded = dict(re.findall(r"^\s*(\S+) => (/\S+)", shown, re.M))
    return {name: pathlib.Path(path) for name, path in loaded.items()
            if not OUTSIDE.fullmatch(name)}


def own_name(name, path):
    """libssl-1a2b3c4d.so.3: who loads this name gets this very library."""
    stem, _, version = name.partition(".so")
    return f"{stem}-{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}.so{version}"


def load_from(folder, renamed, file):
    # One change at a time: patchelf mixes up the texts of several.
    output_of("patchelf", *renamed, file)
    output_of("patchelf", "--set-rpath", folder, file)


def bundle(module, into):
    """Copy the libraries into a folder, and let the module and each other find them there."""
    libraries = libraries_of(module)
    packages = third_party.packages_with(path.resolve() for path in libraries.values())
    names = {name: own_name(name, path) for name, path in libraries.items()}
    renamed = [word for old, new in names.items() for word in ("--replace-needed", old, new)]
    into.mkdir()
    (into / "LICENSES").write_text(third_party.licences(packages), encoding="utf-8")
    for name, path in libraries.items():
        copy = into / names[name]
        shutil.copy(path.resolve(), copy)
        output_of("patchelf", "--set-soname", names[name], copy)
        load_from("$ORIGIN", renamed, copy)
    load_from(f"$ORIGIN/{into.name}", renamed, module)


def platform_tag(files):
    """manylinux_2_35_x86_64: the newest version of the C library that any of the files needs."""
    shown = output_of("llvm-readelf-19", "--version-info", *files)
    minor = max(int(number) for number in re.findall(r"Name: GLIBC_2\.(\d+)", shown))
    return f"manylinux_2_{minor}_{platform.machine()}"


def texts_of(version, tag):
    """{name: text} of what describes the wheel."""
    return {
        "METADATA": "Metadata-Version: 2.1\n"
                    "Name: gossamer\n"
                    f"Version: {version}\n"
                    "Summary: A fast and polite web crawler\n"
                    "License: MIT\n"
                    "Requires-Python: >=3.11\n",
        "WHEEL": "Wheel-Version: 1.0\n"
                 f"Generator: gossamer {version}\n"
                 "Root-Is-Purelib: false\n"
                 f"Tag: {tag}\n",
    }


def line_of_record(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def make_wheel(folder, into):
    """Write the wheel and return its path."""
    with tempfile.TemporaryDirectory() as scratch:
        package = pathlib.Path(scratch) / "gossamer"
        package.mkdir()
        for path in (folder / "gossamer").iterdir():
            if path.suffix in KINDS:
                shutil.copy(path, package)
        modules = list(package.glob("*.so"))
        for module in modules:
            bundle(module, package / "libs")
        files = sorted(path for path in package.rglob("*") if path.is_file())
        tag = f"cp311-abi3-{platform_tag([path for path in files if '.so' in path.name])}"
        contents = {str(path.relative_to(scratch)): path.read_bytes() for path in files}
    return pack(contents, tag, into)


def pack(contents, tag, into):
    """Write a wheel with these files: {name: bytes}."""
    version = version_of_project()
    about = f"gossamer-{version}.dist-info"
    contents[f"{about}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    for name, text in texts_of(version, tag).items():
        contents[f"{about}/{name}"] = text.encode()
    record = "".join(line_of_record(name, content) for name, content in contents.items())
    contents[f"{about}/RECORD"] = (record + f"{about}/RECORD,,\n").encode()
    into.mkdir(parents=True, exist_ok=True)
    path = into / f"gossamer-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return path


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    print(make_wheel(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
