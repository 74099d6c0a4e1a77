"""Where the source tree is, and its version."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def version_of_project():
    text = (ROOT / "src/ground/base/version.h").read_text(encoding="utf-8")
    return re.search(r'kVersion = "([^"]+)"', text)[1]
