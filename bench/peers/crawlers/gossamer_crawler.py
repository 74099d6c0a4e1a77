"""Gossamer from Python: gossamer_crawler.py FOLDER for|async URL TASKS

FOLDER has the built package. Bodies are not touched, and every URL and status is read.
"""

import asyncio
import sys

sys.path.insert(0, sys.argv[1])

import gossamer  # noqa: E402  # found in the folder


def crawl():
    return gossamer.crawl(sys.argv[3], bodies=False, no_proxy=True, concurrency=int(sys.argv[4]))


def count_in_a_loop():
    return sum(page.status == 200 for page in crawl() if page.url)


async def count_in_an_event_loop():
    found = 0
    async with crawl() as pages:
        async for page in pages:
            found += page.status == 200 and bool(page.url)
    return found


if __name__ == "__main__":
    if sys.argv[2] == "async":
        print(asyncio.run(count_in_an_event_loop()))
    else:
        print(count_in_a_loop())
