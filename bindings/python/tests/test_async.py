"""Crawls in an event loop."""

import asyncio
import select
import threading
import time

import pytest

import gossamer
from programs import PATIENCE

pytestmark = pytest.mark.usefixtures("no_more_threads")


def test_async_for_gets_every_page(site):
    async def main():
        return [page async for page in gossamer.crawl(site.url)]

    for _ in range(2):  # asyncio.run() twice
        assert site.compare(asyncio.run(main())) == ""


def test_async_with_ends_the_crawl(large_site):
    async def main():
        async with gossamer.crawl(large_site.url) as pages:
            async for page in pages:
                assert page.status == 200
                break
        assert pages.ended

    asyncio.run(main())


def test_a_crawl_made_before_the_loop(site):
    crawl = gossamer.crawl(site.url)

    async def main():
        return [page async for page in crawl]

    assert site.compare(asyncio.run(main())) == ""


def test_a_cancelled_task_can_be_repeated(small_site):
    async def main():
        async with gossamer.crawl(small_site + "/slow", no_robots=True) as pages:
            for _ in range(3):
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(pages.__anext__(), 0.05)

    asyncio.run(main())


def test_tasks_share_a_crawl(site):
    async def take(crawl):
        return [page async for page in crawl]

    async def main():
        crawl = gossamer.crawl(site.url)
        parts = await asyncio.gather(*(take(crawl) for _ in range(3)))
        return [page for part in parts for page in part]

    assert site.compare(asyncio.run(main())) == ""


def test_other_tasks_run_between_ready_pages(large_site):
    async def main():
        turns = 0

        async def count():
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counter = asyncio.ensure_future(count())
        crawl = gossamer.crawl(large_site.url, limit=500)
        async for _ in crawl:
            pass
        counter.cancel()
        assert turns >= 500 // 64

    asyncio.run(main())


def test_anext_of_the_crawl_and_of_its_iterator(small_site):
    async def main():
        async with gossamer.crawl(small_site) as pages:
            first = await anext(pages)
            iterator = aiter(pages)
            second = await asyncio.wait_for(anext(iterator), 10)
            rest = [page async for page in iterator]
            with pytest.raises(StopAsyncIteration):
                await anext(iterator)
            return [first, second, *rest]

    urls = [page.url for page in asyncio.run(main())]
    assert sorted(urls) == sorted(page.url for page in gossamer.crawl(small_site))


def test_a_page_is_awaited_once(large_site):
    async def main():
        async with gossamer.crawl(large_site.url) as pages:
            page = anext(aiter(pages))
            assert (await page).status == 200
            with pytest.raises(RuntimeError):
                await page

    asyncio.run(main())


def test_the_next_page_can_be_a_task(small_site):
    async def main():
        found = []
        iterator = aiter(gossamer.crawl(small_site))
        while True:
            try:
                found.append(await asyncio.create_task(anext(iterator)))
            except StopAsyncIteration:
                return found

    assert len(asyncio.run(main())) == len(list(gossamer.crawl(small_site)))


def test_a_task_that_is_cancelled_before_it_runs_loses_no_page(small_site):
    async def main():
        found = 0
        iterator = aiter(gossamer.crawl(small_site))
        while True:
            anext(iterator).close()  # as for a task that never ran
            dropped = asyncio.create_task(anext(iterator))
            dropped.cancel()
            with pytest.raises(asyncio.CancelledError):
                await dropped
            try:
                await anext(iterator)
            except StopAsyncIteration:
                return found
            found += 1

    assert asyncio.run(main()) == len(list(gossamer.crawl(small_site)))


def test_two_crawls_in_one_loop(site, large_site):
    async def count(url, **settings):
        return len([page async for page in gossamer.crawl(url, **settings)])

    async def main():
        return await asyncio.gather(count(site.url), count(large_site.url, limit=100))

    first, second = asyncio.run(main())
    assert (first > 400, second) == (True, 100)


def test_close_wakes_a_waiting_task(small_site):
    async def main():
        crawl = gossamer.crawl(small_site + "/slow", no_robots=True)
        task = asyncio.ensure_future(crawl.__anext__())
        await asyncio.sleep(0.05)
        await asyncio.get_running_loop().run_in_executor(None, crawl.close)
        with pytest.raises(StopAsyncIteration):
            await task

    asyncio.run(main())


def test_fetch(small_site):
    async def main():
        pages = await asyncio.gather(
            gossamer.fetch(small_site + "/from"), gossamer.fetch(small_site + "/a"))
        return [page.title for page in pages]

    assert asyncio.run(main()) == ["B", "Caf\u00e9"]


def test_other_loops_wait_for_the_descriptor(site):
    crawl = gossamer.crawl(site.url)
    pages = []
    while not crawl.ended:
        select.select([crawl], [], [], 10)
        while (page := crawl.take()) is not None:
            pages.append(page)
    assert site.compare(pages) == ""


def test_a_task_that_stops_does_not_hold_up_the_others(site):
    async def main():
        crawl = gossamer.crawl(site.url)

        async def take_some():
            for _ in range(20):
                await crawl.__anext__()
                time.sleep(0.005)  # meanwhile several pages come
            await asyncio.sleep(3600)

        async def take_all():
            return [page async for page in crawl]

        idle = asyncio.ensure_future(take_some())
        lists = await asyncio.wait_for(asyncio.gather(take_all(), take_all()), PATIENCE)
        idle.cancel()
        return sum(len(pages) for pages in lists)

    assert asyncio.run(main()) > 300


def test_plain_loops_work_inside_an_event_loop(site, small_site):
    """A cell of a notebook runs in a loop that already runs."""
    async def cell():
        pages = list(gossamer.crawl(site.url))
        assert gossamer.get(small_site + "/b").title == "B"
        return pages

    assert site.compare(asyncio.run(cell())) == ""


def test_cells_of_a_notebook_share_a_crawl(site):
    loop = asyncio.new_event_loop()  # of the notebook; each cell is a task
    crawl = gossamer.crawl(site.url)
    pages = []

    async def first_cell():
        async for page in crawl:
            pages.append(page)
            if len(pages) == 10:
                break

    async def second_cell():
        pages.extend([page async for page in crawl])

    try:
        loop.run_until_complete(first_cell())
        loop.run_until_complete(second_cell())
    finally:
        loop.close()
    assert site.compare(pages) == ""


@pytest.fixture
def uv_loop():
    """Another event loop than that of asyncio."""
    loop = pytest.importorskip("uvloop").new_event_loop()
    yield loop
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


def test_uvloop(site, uv_loop):
    async def main():
        async with gossamer.crawl(site.url) as pages:
            return [page async for page in pages]

    assert site.compare(uv_loop.run_until_complete(main())) == ""


def test_tasks_of_uvloop_share_a_crawl(site, uv_loop):
    async def take(crawl):
        return [page async for page in crawl]

    async def main():
        crawl = gossamer.crawl(site.url, wants_url=lambda url: True)
        parts = await asyncio.gather(*(take(crawl) for _ in range(3)))
        return [page for part in parts for page in part]

    assert site.compare(uv_loop.run_until_complete(main())) == ""


def test_a_cancelled_task_of_uvloop_can_be_repeated(small_site, uv_loop):
    async def main():
        async with gossamer.crawl(small_site + "/slow", no_robots=True) as pages:
            for _ in range(3):
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(pages.__anext__(), 0.05)
        assert pages.ended
        return await gossamer.fetch(small_site + "/a")

    assert uv_loop.run_until_complete(main()).title == "Caf\u00e9"


def test_loops_in_two_threads(site):
    results = []

    async def main():
        return [page async for page in gossamer.crawl(site.url)]

    threads = [threading.Thread(target=lambda: results.append(asyncio.run(main())))
               for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [site.compare(pages) for pages in results] == ["", ""]
