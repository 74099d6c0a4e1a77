"""The types of the package and of the examples."""

import ast
import builtins
import inspect
import pathlib
import re
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


def stub_of_page():
    """Return the attributes of _core.Page in the stub, with their types."""
    stub = ast.parse((pathlib.Path(gossamer.__file__).parent / "_core.pyi").read_text())
    page, = (node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == "Page")
    return {one.name: ast.unparse(one.returns) for one in page.body if one.decorator_list}


def test_the_stub_has_every_field_of_the_table():
    attributes = {name for name, value in vars(gossamer._core.Page).items()
                  if inspect.isgetsetdescriptor(value)}
    assert set(stub_of_page()) == attributes


def test_the_stub_has_the_types_of_the_values(small_site):
    pages = [gossamer.get(small_site + "/a", metadata=True), gossamer.get(small_site + "/none")]
    for page in pages:
        for name, annotation in stub_of_page().items():
            types = eval(re.sub(r"\[.*\]", "", annotation), {"builtins": builtins})
            assert isinstance(getattr(gossamer._core.Page, name).__get__(page), types), name
