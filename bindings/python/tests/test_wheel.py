"""The wheel installs and works without a network."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import gossamer

WHEEL = pathlib.Path(__file__).parents[1] / "wheel.py"
BUILT = pathlib.Path(gossamer.__file__).parents[1]


def make_wheel(into):
    if shutil.which("patchelf") is None:
        pytest.skip("patchelf is not installed")
    done = subprocess.run([sys.executable, "-B", WHEEL, BUILT, into],
                          capture_output=True, text=True, check=True)
    return pathlib.Path(done.stdout.strip())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return make_wheel(tmp_path_factory.mktemp("wheel"))


def test_a_wheel_is_installed_with_pip(tmp_path, small_site, wheel):
    pytest.importorskip("ensurepip")
    assert wheel.name.startswith(f"gossamer-{gossamer.__version__}-cp311-abi3-manylinux_2_")
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], env=alone, check=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", wheel],
                   env=alone, check=True)
    done = subprocess.run(
        [python, "-c", "import sys, gossamer; print(gossamer.__file__);"
                       "print(gossamer.get(sys.argv[1]).title)", small_site + "/b"],
        env=alone, capture_output=True, text=True, check=True)
    path, title = done.stdout.split()
    assert path.startswith(str(tmp_path / "venv"))
    assert title == "B"
    check = subprocess.run([python, "-m", "pip", "check"], env=alone, capture_output=True,
                           text=True, check=True)
    assert "No broken requirements" in check.stdout


def test_the_same_package_gives_the_same_wheel(tmp_path, wheel):
    assert make_wheel(tmp_path).read_bytes() == wheel.read_bytes()
