"""Crawl web sites.

    import gossamer

    for page in gossamer.crawl("https://example.com/", depth=2):
        print(page.status, page.url, page.title)

The crawl runs on its own thread, which never takes the GIL. A slow loop slows it down. It ends when
you leave the loop. Manual: docs/python.md.
"""

# Releases of mypy before 1.7 know Unpack only if this is set.
# mypy: enable-incomplete-feature=Unpack

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Unpack

from . import _core
from ._check import CheckResult, Finding, Place, run_check, run_check_async
from ._crawl import Crawl, CrawlError, Result, Stats
from ._hooks import OnRequest, Request, WantsUrl
from ._page import Element, Link, Page
from ._setting_types import CheckSettings, CrawlSettings
from ._settings import to_list

__all__ = [
    "CheckResult", "CheckSettings", "Crawl", "CrawlError", "CrawlSettings", "Element", "Finding",
    "Link", "OnRequest", "Page", "Place", "Request", "Result", "Stats", "WantsUrl", "check",
    "check_async", "crawl", "fetch", "get", "setting_names",
]
__version__: str = _core.version


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def crawl(urls: str | Iterable[str] = (), *, bodies: bool = True,
          wants_url: WantsUrl | None = None, on_request: OnRequest | None = None,
          **settings: Unpack[CrawlSettings]) -> Crawl:
    """Start a crawl of the pages that can be reached from the URLs.

    The settings are the options of `gossamer crawl`, with underscores: depth=2, delay="500ms",
    include=["/docs/"], user_agent="MyBot/1.0", no_robots=True, job="folder". setting_names() lists
    them. An unknown one raises TypeError, a wrong value ValueError.

    With bodies=False pages have no body, which saves time and memory.

    wants_url(url) is called once for each new URL in scope, except for roots; if it returns False,
    the URL is skipped. on_request(request) may change request.headers before a page is fetched.
    Both are called on the thread that takes the pages. What they raise ends the crawl.
    """
    return Crawl(to_list(urls, "a URL"), bodies, settings, wants_url, on_request)


def check(sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
          **settings: Unpack[CheckSettings]) -> CheckResult:
    """Find broken links, on sites and in files, and wait for the result.

    The sources are URLs, files and folders. The settings are the options of `gossamer check`, with
    underscores: no_external=True, fragments="all", seo=True. In an event loop use check_async().
    """
    return run_check(sources, settings)


async def check_async(sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
                      **settings: Unpack[CheckSettings]) -> CheckResult:
    """Do what check() does, without blocking the event loop."""
    return await run_check_async(sources, settings)


def setting_names(function: str = "crawl") -> list[str]:
    """Return the names of all settings of crawl() or check()."""
    names = {"crawl": _core.setting_names, "check": _core.check_setting_names}
    if function not in names:
        raise ValueError(f"there are settings of crawl and check, not of {function}")
    return names[function]()


# One page: redirects are followed anywhere, and a failure is not repeated.
_ONE_PAGE: CrawlSettings = {
    "scope": "any", "depth": 0, "no_robots": True, "delay": 0, "max_tries": 1, "max_outage": 0,
}


def _no_page(pages: Crawl, url: str) -> CrawlError:
    skipped = pages.result.skipped if pages.result is not None else {}
    return CrawlError("crawl", f"{url} was not fetched: {', '.join(skipped) or 'no answer'}")


def get(url: str, **settings: Unpack[CrawlSettings]) -> Page:
    """Fetch one page, without robots.txt, and follow its redirects.

    The settings are those of crawl(). If there is no answer, page.error says why.
    """
    last = None
    with Crawl([url], True, {**_ONE_PAGE, **settings}) as pages:
        for last in pages:
            pass
        if last is None:
            raise _no_page(pages, url)
    return last


async def fetch(url: str, **settings: Unpack[CrawlSettings]) -> Page:
    """Do what get() does, without blocking the event loop."""
    last = None
    async with Crawl([url], True, {**_ONE_PAGE, **settings}) as pages:
        async for last in pages:
            pass
        if last is None:
            raise _no_page(pages, url)
    return last
