"""Crawls several sites in one event loop and counts their pages: two_sites.py URL..."""

import asyncio
import sys

import gossamer


async def count(url: str) -> int:
    return len([page async for page in gossamer.crawl(url, bodies=False) if page.ok])


async def main() -> None:
    counts = await asyncio.gather(*map(count, sys.argv[1:]))
    for url, number in zip(sys.argv[1:], counts):
        print(url, number)

asyncio.run(main())
