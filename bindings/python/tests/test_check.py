"""Link checks."""

import asyncio
import time

import pytest

import gossamer
from gossamer import _core

pytestmark = pytest.mark.usefixtures("no_more_threads")


def test_a_site_is_checked(small_site):
    result = gossamer.check(small_site + "/links")
    assert not result.ok
    assert result.ended_early is None
    assert result.pages >= 2
    finding, = [found for found in result.broken if found.kind == "broken"]
    assert finding.url == small_site + "/missing"
    assert finding.cause == "404"
    place = finding.places[0]
    assert (place.page, place.line, place.text) == (small_site + "/links", 2, "missing")
    assert {found.url for found in result.broken if found.kind == "fragment"} == {
        small_site + "/a#nowhere", small_site + "/b#x"}
    assert [found.leads_to for found in result.warnings] == [small_site + "/b"]
    assert result.counts["broken"] == 1
    assert repr(result) == (f"<CheckResult links: {result.links}, pages: {result.pages}, "
                            "broken: 3, warnings: 1>")


def test_files_are_checked(tmp_path):
    (tmp_path / "a.md").write_text("[b](b.md)\n[c](c.md)\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("# B\n", encoding="utf-8")
    result = gossamer.check(tmp_path)
    assert [found.places[0].line for found in result.broken] == [2]
    assert gossamer.check([tmp_path / "b.md"]).ok


def test_settings_are_the_options(small_site):
    assert {"no_external", "fragments", "cache"} <= set(gossamer.setting_names("check"))
    assert gossamer.check(small_site + "/links", exclude="missing", fragments="none").ok
    with pytest.raises(TypeError, match="there is no setting depht; did you mean depth"):
        gossamer.check(small_site, depht=1)
    with pytest.raises(TypeError, match="option of the command `gossamer check` only"):
        gossamer.check(small_site, format="json")
    with pytest.raises(ValueError, match="fragments"):
        gossamer.check(small_site, fragments="some")
    with pytest.raises(ValueError, match="nothing to check"):
        gossamer.check([])
    with pytest.raises(ValueError, match="does not exist"):
        gossamer.check("./nowhere.md")
    with pytest.raises(TypeError, match="a source must be a str"):
        gossamer.check([7])
    with pytest.raises(gossamer.CrawlError, match="no page of the site matches"):
        gossamer.check(small_site + "/links", include="nothing")


# C functions set SystemError if an argument has another type, or crash.
def test_wrong_types_are_type_errors():
    class NotAPage:
        pass

    for wrong in (1, None, "text", ("a",), {"a": 1}):
        with pytest.raises(TypeError):
            _core.Check(wrong, {})
        with pytest.raises(TypeError):
            _core.Stream(wrong, {}, True, _core.Page, False, False)
    for wrong in (1, None, "text", [], {"delay": 1}, {"delay": [1]}, {1: ["a"]}):
        with pytest.raises(TypeError):
            _core.Check(["http://a.example/"], wrong)
        with pytest.raises(TypeError):
            _core.Stream(["http://a.example/"], wrong, True, _core.Page, False, False)
    for wrong in (1, None, int, NotAPage, object()):
        with pytest.raises(TypeError):
            _core.Stream(["http://a.example/"], {}, True, wrong, False, False)
        with pytest.raises(TypeError):
            _core.PageIterator(wrong, None)
    with pytest.raises(TypeError):
        _core.Check(1, 2)


def test_a_site_that_cannot_be_reached_is_not_ok(nobody):
    result = gossamer.check(nobody, max_tries=1, max_outage=0)
    assert [found.cause for found in result.broken] == ["refused"]
    assert not result.ok


def test_a_cache_is_kept(small_site, tmp_path):
    (tmp_path / "a.md").write_text(f"[b]({small_site}/b)", encoding="utf-8")
    cache = tmp_path / "cache"
    assert gossamer.check(tmp_path / "a.md", cache=cache, allow_private=True).from_cache == 0
    assert "/b" in cache.read_text(encoding="utf-8")
    assert gossamer.check(tmp_path / "a.md", cache=cache, allow_private=True).from_cache == 1


def test_a_check_in_an_event_loop(small_site):
    async def main():
        return await gossamer.check_async(small_site + "/b")

    assert asyncio.run(main()).ok


def test_a_cancelled_task_ends_a_check(small_site):
    async def main():
        await asyncio.wait_for(gossamer.check_async(small_site + "/slow"), timeout=0.2)

    with pytest.raises(TimeoutError):
        asyncio.run(main())


def test_a_check_of_files_can_be_left(tmp_path):
    text = "".join(f"[{i}]({i}.md#a)\n" for i in range(100))
    for i in range(2000):
        (tmp_path / f"{i}.md").write_text(text, encoding="utf-8")

    async def main():
        check = asyncio.ensure_future(gossamer.check_async(tmp_path))
        await asyncio.sleep(0)  # it begins
        check.cancel()
        await check

    begin = time.process_time()
    gossamer.check(tmp_path)
    whole = time.process_time() - begin
    begin = time.process_time()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    assert time.process_time() - begin < whole / 2
