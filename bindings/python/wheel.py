"""Packs the Python package as a wheel, with the standard library alone.

    wheel.py FOLDER INTO

FOLDER has the built package `gossamer`. The wheel works with every Python from 3.11 on, but only on
machines with the libraries that the module was linked with.
"""

import base64
import hashlib
import pathlib
import re
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = (".py", ".pyi", ".typed", ".so")
# The same files give the same wheel.
TIME = (1980, 1, 1, 0, 0, 0)


def version_of_project():
    text = (ROOT / "src/base/version.h").read_text(encoding="utf-8")
    return re.search(r'kVersion = "([^"]+)"', text)[1]


def platform_tag():
    return re.sub(r"[-.]", "_", sysconfig.get_platform())  # linux_x86_64


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
    version, tag = version_of_project(), f"cp311-abi3-{platform_tag()}"
    about = f"gossamer-{version}.dist-info"
    contents = {f"gossamer/{path.name}": path.read_bytes()
                for path in sorted((folder / "gossamer").iterdir()) if path.suffix in KINDS}
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
