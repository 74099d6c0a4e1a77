"""Crawls in a plain loop: completeness, ends of all kinds, settings."""

import datetime
import gc
import logging
import os
import threading
import time

import pytest

import gossamer

pytestmark = pytest.mark.usefixtures("no_more_threads")


def test_a_loop_gets_every_page(site):
    pages = list(gossamer.crawl(site.url))
    assert len(pages) > 400
    assert site.compare(pages) == ""


def test_the_result_counts_the_pages(site):
    crawl = gossamer.crawl(site.url)
    assert crawl.result is None
    pages = list(crawl)
    assert crawl.ended
    assert crawl.result.reason == "finished"
    assert crawl.result.pages == len(pages)
    assert crawl.result.by_status[200] == sum(page.status == 200 for page in pages)
    assert crawl.stats().pages == len(pages)
    assert list(crawl) == []


def test_break_ends_the_crawl(large_site):
    for page in gossamer.crawl(large_site.url):
        assert page.url == large_site.url
        break


def test_an_exception_in_the_loop_ends_the_crawl(large_site):
    with pytest.raises(ZeroDivisionError):
        for _ in gossamer.crawl(large_site.url):
            raise ZeroDivisionError


def test_with_ends_the_crawl(large_site):
    with gossamer.crawl(large_site.url) as crawl:
        next(crawl)
    assert crawl.ended
    assert crawl.result is None
    with pytest.raises(StopIteration):
        next(crawl)
    with pytest.raises(RuntimeError, match="closed"):
        crawl.stats()


def test_stop_delivers_the_pages_in_flight(large_site):
    crawl = gossamer.crawl(large_site.url)
    count = 0
    for _ in crawl:
        count += 1
        if count == 10:
            crawl.stop()
    assert crawl.result.reason == "interrupted"
    assert 10 <= count < 1000


def test_pause_and_resume(large_site):
    crawl = gossamer.crawl(large_site.url, limit=200)
    next(crawl)
    crawl.pause()
    while not crawl.stats().paused:
        time.sleep(0.01)
    crawl.resume()
    assert len(list(crawl)) == 199
    assert crawl.result.reason == "page_limit"


def test_a_slow_loop_slows_the_crawl_down(large_site):
    with gossamer.crawl(large_site.url, concurrency=8) as crawl:
        next(crawl)
        time.sleep(1)
        # Fetched pages wait until they are taken.
        assert crawl.stats().pages <= 20


def test_dropped_crawls_leave_nothing_behind(large_site):
    descriptors = len(os.listdir("/proc/self/fd"))
    for count in range(200):
        crawl = gossamer.crawl(large_site.url, bodies=count % 2 == 0)
        for _ in range(count % 4):
            next(crawl)
        del crawl
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_a_crawl_in_a_cycle_is_collected(large_site):
    cycle = {}
    cycle["crawl"] = gossamer.crawl(large_site.url)
    cycle["self"] = cycle
    next(cycle["crawl"])
    del cycle
    gc.collect()


def test_two_crawls_at_once(site, large_site):
    first = gossamer.crawl(site.url)
    second = gossamer.crawl(large_site.url, limit=300)
    pages = []
    for _ in second:
        pages.append(next(first))
    assert second.result.pages == 300
    assert site.compare([*pages, *first]) == ""


def test_a_crawl_on_two_loops(site):
    pages = list(gossamer.crawl(site.url, threads=2))
    assert site.compare(pages) == ""


def test_crawls_in_two_threads(site):
    counts = []

    def count_pages():
        counts.append(sum(1 for _ in gossamer.crawl(site.url)))

    threads = [threading.Thread(target=count_pages) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts[0] == counts[1] > 400


def test_two_threads_share_a_crawl(site):
    crawl = gossamer.crawl(site.url)
    pages = []
    threads = [threading.Thread(target=lambda: pages.extend(crawl)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert site.compare(pages) == ""


def test_a_job_is_resumed(site, tmp_path):
    seen = []
    while True:
        crawl = gossamer.crawl(site.url, job=tmp_path / "job")
        taken = [page for page, _ in zip(crawl, range(100))]
        seen += taken
        crawl.close()
        if len(taken) < 100:
            break
    # zip() takes one page more than it delivers, and a page counts as seen when it was taken.
    assert len({page.url for page in seen}) == len(seen) > 350


def test_an_archive_is_written(site, tmp_path):
    crawl = gossamer.crawl(site.url, job=tmp_path / "job", archive=True, limit=20)
    assert len(list(crawl)) == 20
    assert list((tmp_path / "job" / "archive").iterdir())


# --- settings


def test_settings_are_the_options(site):
    crawl = gossamer.crawl(
        [site.url], depth=1, delay=datetime.timedelta(milliseconds=1), exclude=["nothing"],
        user_agent="TestBot/1.0", header={"X-One": "1"}, no_robots=True, assets=False, limit=None)
    assert {page.depth for page in crawl} == {0, 1}


def test_every_setting_has_a_name():
    names = gossamer.setting_names()
    assert {"depth", "user_agent", "job", "max_time", "no_robots"} <= set(names)
    assert all(name.isidentifier() for name in names)


@pytest.mark.parametrize(("settings", "kind", "message"), [
    ({"dept": 2}, TypeError, "there is no setting dept; did you mean depth?"),
    ({"output": "x"}, TypeError, "output is an option of the command `gossamer crawl` only"),
    ({"depth": "many"}, ValueError, "depth: expected a number or inf, not 'many'"),
    ({"depth": [1, 2]}, ValueError, "depth has only one value"),
    ({"depth": True}, ValueError, "depth needs a value"),
    ({"assets": "yes"}, ValueError, "assets is either true or false"),
    ({"depth": object}, TypeError, "depth cannot be"),
    ({"depth": b"2"}, TypeError, "depth cannot be"),
    ({"include": "("}, ValueError, "missing"),
    ({"threads": 1000}, ValueError, "the number of threads must be from 1 to 256"),
])
def test_a_wrong_setting_raises(settings, kind, message):
    with pytest.raises(kind) as caught:
        gossamer.crawl("http://127.0.0.1:1/", **settings)
    assert message in str(caught.value)


def test_wrong_urls_raise():
    with pytest.raises(ValueError, match="no URL given"):
        gossamer.crawl([])
    with pytest.raises(ValueError, match="ftp"):
        gossamer.crawl("ftp://127.0.0.1/")
    with pytest.raises(TypeError, match="a URL must be a str"):
        gossamer.crawl([7])


def test_a_crawl_that_cannot_start_raises(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    crawl = gossamer.crawl("http://127.0.0.1:1/", job=tmp_path / "file")
    with caplog.at_level(logging.WARNING), pytest.raises(gossamer.CrawlError) as caught:
        next(crawl)
    assert caught.value.part == "job"
    assert "could not start" in caplog.text
    assert list(crawl) == []


def test_a_failure_may_have_bytes_that_are_not_utf_8(tmp_path):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.write_text("")
    with pytest.raises(gossamer.CrawlError, match="caf\ufffd") as caught:
        list(gossamer.crawl("http://127.0.0.1:1/", job=folder))
    assert caught.value.part == "job"
    with pytest.raises(ValueError, match="caf"):
        gossamer.crawl("http://127.0.0.1:1/", include=os.fsdecode(b"caf\xe9("))


def test_a_job_folder_may_have_any_name(small_site, tmp_path):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    assert len(list(gossamer.crawl(small_site + "/b", job=folder))) == 1
    assert list(folder.iterdir())


def test_a_failed_page_is_a_value(nobody):
    pages = list(gossamer.crawl(nobody, max_tries=1, max_outage=0))
    assert [page.error for page in pages] == ["refused"]
    assert pages[0].status == 0
    assert pages[0].timings == {}
    assert "refused" in repr(pages[0])


def test_a_crawl_is_shown_in_one_line(nobody):
    with_password = nobody.replace("://", "://me:secret@")
    pages = gossamer.crawl([with_password, nobody + "a"], max_tries=1, max_outage=0)
    assert repr(pages) == f"<Crawl {nobody} and 1 more: running>"
    pages.close()
    assert repr(pages) == f"<Crawl {nobody} and 1 more: ended>"


def test_the_module_shows_public_names_alone():
    assert dir(gossamer) == sorted([*gossamer.__all__, "__version__"])
