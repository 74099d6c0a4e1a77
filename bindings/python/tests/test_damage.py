"""Crawls that resume in directories with a damaged file."""

import logging
import shutil

import pytest

import gossamer

pytestmark = pytest.mark.usefixtures("no_more_threads")


def flipped(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)


def cut(path):
    path.write_bytes(path.read_bytes()[:path.stat().st_size // 2])


def deleted(path):
    path.unlink()


def zeroed(path):
    path.write_bytes(bytes(path.stat().st_size))


@pytest.fixture(scope="module")
def job(small_site, tmp_path_factory):
    """A crawl that has finished."""
    folder = tmp_path_factory.mktemp("damage") / "job"
    assert list(gossamer.crawl(small_site + "/a", job=folder, archive=True))
    return folder


# The files that a seal covers. Without its seal a directory is like that of a killed crawl.
@pytest.mark.parametrize("damage", [flipped, cut, deleted, zeroed])
@pytest.mark.parametrize("name", [
    "job.toml", "seal", "tables/CURRENT", "tables/MANIFEST-*", "tables/*.sst", "archive/*.warc.gz"])
def test_damage_is_not_silent(small_site, job, tmp_path, caplog, name, damage):
    files = sorted(job.glob(name))
    assert files
    for number, file in enumerate(files):
        if name == "seal" and damage is deleted:
            continue
        copy = tmp_path / str(number)
        shutil.copytree(job, copy)
        damage(copy / file.relative_to(job))
        caplog.clear()
        said = ""
        with caplog.at_level(logging.WARNING):
            try:
                list(gossamer.crawl(small_site + "/a", job=copy, archive=True))
            except gossamer.CrawlError as error:
                assert error.part == "job"
                said = str(error)
        assert file.name in said + caplog.text, f"{damage.__name__} {file}"
