"""Python functions that a crawl calls."""

import asyncio
import gc
import threading
import weakref

import pytest

import gossamer

pytestmark = pytest.mark.usefixtures("no_more_threads")


def test_wants_url_decides_about_every_new_url_once(small_site):
    asked = []

    def wants(url):
        asked.append(url)
        return not url.endswith("/b")

    crawl = gossamer.crawl(small_site + "/", wants_url=wants)
    assert {page.url for page in crawl} == {small_site + "/", small_site + "/a"}
    assert sorted(asked) == [small_site + "/a", small_site + "/b"]
    assert crawl.result.skipped == {"filtered": 1}


def test_wants_url_decides_about_redirects(small_site):
    pages = list(gossamer.crawl([small_site + "/b", small_site + "/from"],
                                wants_url=lambda url: False))
    # A root that has moved is still a root.
    assert len(pages) == 3


def test_a_filter_that_wants_everything_changes_nothing(site):
    pages = list(gossamer.crawl(site.url, wants_url=lambda url: True,
                                on_request=lambda request: None))
    assert site.compare(pages) == ""


def test_hooks_of_a_crawl_on_two_loops(site):
    pages = list(gossamer.crawl(site.url, threads=2, wants_url=lambda url: True,
                                on_request=lambda request: None))
    assert site.compare(pages) == ""


def test_on_request_changes_headers(small_site):
    def sign(request):
        assert request.method == "GET"
        request.headers["X-Echo"] = request.url.rpartition("/")[2]

    page, = gossamer.crawl(small_site + "/echo", on_request=sign)
    assert page.text == "echo"


def test_of_header_fields_with_equal_names_the_last_is_sent(small_site):
    def sign(request):
        request.headers["X-Echo"] = "first"
        request.headers["x-echo"] = "last"

    page, = gossamer.crawl(small_site + "/echo", on_request=sign)
    assert page.text == "last"


@pytest.mark.parametrize("error", [StopIteration, StopAsyncIteration])
def test_the_end_of_an_iterator_in_a_hook_does_not_end_the_loop_silently(small_site, error):
    def fail(_):
        raise error

    async def crawl_async():
        return [page async for page in gossamer.crawl(small_site + "/", wants_url=fail)]

    with pytest.raises(RuntimeError, match=f"a hook raised {error.__name__}"):
        list(gossamer.crawl(small_site + "/", wants_url=fail))
    with pytest.raises(RuntimeError, match=f"a hook raised {error.__name__}"):
        asyncio.run(crawl_async())


def test_hooks_run_on_the_thread_that_takes_the_pages(small_site):
    threads = set()
    crawl = gossamer.crawl(small_site + "/", wants_url=lambda url: threads.add(
        threading.get_ident()) or True)
    list(crawl)
    assert threads == {threading.get_ident()}


@pytest.mark.parametrize("hook", ["wants_url", "on_request"])
def test_an_exception_in_a_hook_ends_the_crawl(large_site, hook):
    calls = 0

    def fail(_):
        nonlocal calls
        calls += 1
        if calls == 20:
            raise ZeroDivisionError("in a hook")
        return True

    crawl = gossamer.crawl(large_site.url, **{hook: fail})
    with pytest.raises(ZeroDivisionError, match="in a hook"):
        for _ in crawl:
            pass
    assert crawl.ended
    assert list(crawl) == []
    assert calls == 20


def test_an_exception_in_a_hook_reaches_async_for(large_site):
    async def main():
        async with gossamer.crawl(large_site.url, wants_url=lambda url: 1 / 0) as pages:
            with pytest.raises(ZeroDivisionError):
                async for _ in pages:
                    pass

    asyncio.run(main())


def test_async_for_calls_hooks(site):
    async def main():
        return [page async for page in gossamer.crawl(site.url, wants_url=lambda url: True)]

    assert site.compare(asyncio.run(main())) == ""


def test_a_hook_may_stop_the_crawl(large_site):
    def stop(_):
        crawl.stop()
        return True

    crawl = gossamer.crawl(large_site.url, wants_url=stop)
    assert len(list(crawl)) < 1000
    assert crawl.result.reason == "interrupted"


def test_a_hook_may_close_the_crawl(large_site):
    def close(_):
        crawl.close()
        return True

    crawl = gossamer.crawl(large_site.url, wants_url=close)
    assert len(list(crawl)) < 1000


@pytest.mark.parametrize("fields", [{"X\nY": "1"}, {"X": "1\r\nY: 2"}, {"Host": "b.example"}])
def test_a_wrong_header_of_a_hook_raises(small_site, fields):
    crawl = gossamer.crawl(small_site + "/b",
                           on_request=lambda request: request.headers.update(fields))
    with pytest.raises(ValueError):
        list(crawl)


def test_a_hook_must_be_callable():
    with pytest.raises(TypeError, match="wants_url must be callable"):
        gossamer.crawl("http://127.0.0.1:1/", wants_url="/docs/")


def test_a_crawl_that_its_hook_refers_to_is_collected(large_site):
    class Filter:
        def __call__(self, url):
            return self.crawl is not None

    wants = Filter()
    wants.crawl = gossamer.crawl(large_site.url, wants_url=wants)
    next(wants.crawl)
    gone = weakref.ref(wants.crawl)
    del wants
    gc.collect()
    assert gone() is None


def test_hooks_are_called_for_many_urls_at_once(large_site):
    batches = []
    crawl = gossamer.crawl(large_site.url, limit=300, wants_url=lambda url: True)
    answer = crawl._hooks.answer

    def count(stream):
        before = len(asked)
        answer(stream)
        if len(asked) > before:
            batches.append(len(asked) - before)

    asked = []
    crawl._hooks.wants_url = lambda url: asked.append(url) or True
    crawl._hooks.answer = count
    assert len(list(crawl)) == 300
    assert sum(batches) / len(batches) > 2, "one batch for the links of a page, at least"
