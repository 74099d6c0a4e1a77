"""The crawler of the chapter "A Web Crawler With asyncio Coroutines": crawler.py URL..."""

import asyncio
import sys

import gossamer


async def main(roots: list[str]) -> None:
    async with gossamer.crawl(roots, max_redirect=10, max_tries=4, concurrency=10) as pages:
        async for page in pages:
            outcome = page.error or page.redirects_to or f"{page.type}, {len(page.links)} links"
            print(page.status, page.url, outcome)
    if pages.result is not None:
        print(f"{pages.result.pages} URLs in {pages.result.seconds:.1f} s")

asyncio.run(main(sys.argv[1:]))
