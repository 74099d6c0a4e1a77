"""The programs of docs/python.md."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import gossamer

ROOT = pathlib.Path(__file__).parents[3]
EXAMPLES = ROOT / "examples/python"


def run(name, *arguments, code=0):
    done = subprocess.run([sys.executable, "-B", EXAMPLES / f"{name}.py", *map(str, arguments)],
                          capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, ""), done.stderr
    return done.stdout.splitlines()


def test_titles(small_site):
    assert sorted(run("titles", small_site)) == [
        f"200 {small_site}/ Home", f"200 {small_site}/a Caf\u00e9", f"200 {small_site}/b B"]


def test_broken_links(small_site):
    assert run("broken_links", small_site) == []
    assert run("broken_links", small_site + "/missing", code=1) == [
        f"{small_site}/missing: 404 (on the start)"]


def test_save_pdfs(small_site, tmp_path):
    assert run("save_pdfs", small_site + "/paper", tmp_path / "new") == [
        f"1.pdf {small_site}/paper"]
    assert (tmp_path / "new/1.pdf").read_bytes() == b"%PDF"


def test_crawler(small_site):
    *lines, last = run("crawler", small_site, small_site + "/from")
    assert f"200 {small_site}/ text/html, 2 links" in lines
    assert f"302 {small_site}/from {small_site}/to" in lines
    assert last.startswith(f"{len(lines)} URLs in ")


def test_the_crawler_has_fifteen_lines():
    text = (EXAMPLES / "crawler.py").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines()[1:] if line.strip()]
    assert len(lines) <= 15


def test_first_hit(small_site):
    assert run("first_hit", small_site, "spiders") == [small_site + "/a"]
    assert run("first_hit", small_site, "no page has this", code=1) == []


def test_ten_pages(site, tmp_path):
    first = run("ten_pages", site.url, tmp_path / "job")
    second = run("ten_pages", site.url, tmp_path / "job")
    assert len(first) == len(second) == 10
    assert not set(first) & set(second)


def test_two_sites(small_site):
    assert run("two_sites", small_site, small_site + "/b") == [
        f"{small_site} 3", f"{small_site}/b 1"]


def test_headings(small_site):
    lines = [json.loads(line) for line in run("headings", small_site)]
    assert lines == [{"url": small_site + "/a", "headings": ["Webs"]}]


def test_markdown(small_site):
    assert run("markdown", small_site + "/a")[0] == "# Webs"


def test_every_example_has_a_test_and_a_line_in_the_manual():
    manual = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    for path in EXAMPLES.glob("*.py"):
        assert f"test_{path.stem}" in globals()
        assert f"examples/python/{path.name}" in manual


@pytest.mark.skipif(not os.environ.get("GOSSAMER_LONG"), reason="takes long")
def test_the_types_are_right(tmp_path):
    mypy = shutil.which("mypy")
    if mypy is None:
        pytest.skip("mypy is not installed")
    package = pathlib.Path(gossamer.__file__).parent
    cache = tmp_path / "cache"
    for path in [package, *EXAMPLES.glob("*.py")]:
        done = subprocess.run([mypy, "--strict", "--cache-dir", cache, path],
                              env={**os.environ, "MYPYPATH": str(package.parent)},
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
