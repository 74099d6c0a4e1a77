"""LeakSanitizer, in the build with AddressSanitizer."""

import os
import re
import subprocess
import sys

import pytest

from conftest import IS_SANITIZED

pytestmark = pytest.mark.skipif(not IS_SANITIZED, reason="needs AddressSanitizer")

FOLDER = os.path.dirname(__file__)


def leaks_of(program, *arguments):
    """Return the leaks of a Python program, without those of Python itself."""
    done = subprocess.run(
        [sys.executable, "-B", "-c", program, *map(str, arguments)],
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1", "LSAN_OPTIONS": "exitcode=0"},
        cwd=FOLDER, stderr=subprocess.PIPE, text=True, timeout=600, check=True)
    leaks = re.findall(r"(?s)(?m:^)(?:Direct|Indirect) leak of .*?\n\n", done.stderr)
    # Python does not free everything at its end. Frame 1 has called malloc().
    return [leak for leak in leaks if not re.search(r"#1 [^\n]*\(/[^\n]*/python3", leak)]


def test_nothing_leaks(large_site, tmp_path):
    assert leaks_of(
        "import random, sys, gossamer, test_stress\n"
        "url, folder = sys.argv[1:]\n"
        "test_stress.leave_crawls(url, 60, random.Random(3))\n"
        "for page in gossamer.crawl(url, limit=20, job=folder, archive=True):\n"
        "    page.links, page.text, page.markdown, page.headers, page.json, page.select('a')\n"
        "assert gossamer.check(url, limit=20).pages\n"
        "assert gossamer.get(url).ok\n",
        large_site.url, tmp_path / "job") == []


def test_a_leak_is_found(small_site):
    leaks = leaks_of(
        "import ctypes, sys, gossamer\n"
        "page = gossamer.get(sys.argv[1])\n"
        "ctypes.pythonapi.Py_IncRef(ctypes.py_object(page))\n",
        small_site)
    # A frame has a name, or only its file if there is no symbolizer.
    assert any(re.search("make_page|_core.abi3.so", leak) for leak in leaks)
