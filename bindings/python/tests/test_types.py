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


MISTAKES = """
import gossamer
gossamer.crawl("http://a.example/", depth=2, include=["/a"], header={"A": "b"}, archive=True)
gossamer.crawl("http://a.example/", dept=2)
gossamer.get("http://a.example/", no_robots="no")
gossamer.check(["a"], no_externl=True)
"""


def test_mypy_finds_wrong_settings(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(MISTAKES)
    package = pathlib.Path(gossamer.__file__).parent
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, program],
        capture_output=True, text=True, check=False,
        env={"MYPYPATH": str(package.parent), "PATH": "/usr/bin:/bin"})
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    for error, place in zip(errors, (":4:", ":5:", ":6:"), strict=True):
        assert place in error, done.stdout
    assert "did you mean \"depth\"?" in errors[0]


def type_of_setting(function, name):
    """Return the type by what the table of options says about wrong values."""
    def answer(value):
        with pytest.raises((TypeError, ValueError)) as raised:
            function("http://127.0.0.1:1/", **{name: value, "no_such_setting": True})
        return str(raised.value)

    if "either true or false" in answer("x"):
        return "Flag"
    if "only one value" not in answer(["x", "y"]):
        return "Values"
    return "Value" if "needs a value" in answer(True) else "Choice"


@pytest.mark.parametrize(("function", "settings"), [
    ("crawl", gossamer.CrawlSettings), ("check", gossamer.CheckSettings)])
def test_every_setting_has_its_type(function, settings):
    names = gossamer.setting_names(function)
    assert {name: type_of_setting(getattr(gossamer, function), name) for name in names} == {
        name: annotation.__forward_arg__ for name, annotation in settings.__annotations__.items()}


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
