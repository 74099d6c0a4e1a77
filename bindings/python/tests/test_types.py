"""The types of the package and of the examples."""

import pathlib
import subprocess
import sys

import pytest

import gossamer

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples/python"


def test_mypy_accepts_the_package_and_the_examples(tmp_path):
    pytest.importorskip("mypy")
    package = pathlib.Path(gossamer.__file__).parent
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary",
         "--cache-dir", tmp_path, package, *sorted(EXAMPLES.glob("*.py"))],
        capture_output=True, text=True, check=False,
        env={"MYPYPATH": str(package.parent), "PATH": "/usr/bin:/bin"})
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0
