"""Crawl web sites.

    import gossamer

    for page in gossamer.crawl("https://example.com/", depth=2):
        print(page.status, page.url, page.title)

The crawl runs on its own thread, which never takes the GIL. A slow loop slows it down. It ends when
you leave the loop. Manual: docs/python.md.
"""

from __future__ import annotations

import asyncio
import atexit
import dataclasses
import datetime
import http.client
import io
import json
import logging
import os
import select
import weakref
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Union

from . import _core

__all__ = [
    "Crawl", "CrawlError", "Element", "Page", "Result", "Stats", "crawl", "fetch", "get",
    "setting_names",
]
__version__: str = _core.version

Scalar = Union[str, int, float, datetime.timedelta, "os.PathLike[str]"]
Setting = Union[Scalar, bool, None, Iterable[Scalar], Mapping[str, str]]

_log = logging.getLogger("gossamer")
_log.addHandler(logging.NullHandler())


class CrawlError(Exception):
    """A crawl could not start, or failed as a whole. Failures of single pages are no exceptions.

    `part` names what failed: network, login, job, archive, cookies, control, crawl.
    """

    def __init__(self, part: str, message: str) -> None:
        super().__init__(message)
        self.part = part


@dataclasses.dataclass(frozen=True)
class Element:
    """An element that Page.select() found."""

    name: str
    text: str  # as a reader sees it
    attributes: dict[str, str]

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return the value of an attribute."""
        return self.attributes.get(name, default)


@dataclasses.dataclass(frozen=True)
class Stats:
    """The state of a crawl at one moment."""

    seconds: float
    pages: int
    pages_per_second: int
    wire_bytes: int
    in_flight: int
    waiting: int
    hosts: int
    errors: dict[str, int]
    paused: bool


@dataclasses.dataclass(frozen=True)
class Result:
    """How a crawl ended, and its counts."""

    reason: str  # finished, incomplete, page_limit, quota, time_limit, interrupted, ...
    seconds: float
    pages: int
    answered: int
    redirects: int
    failed: int
    retries: int
    duplicates: int
    bytes: int
    wire_bytes: int
    links_found: int
    links_new: int
    by_status: dict[int, int]
    by_type: dict[str, int]
    by_error: dict[str, int]
    skipped: dict[str, int]


class Page(_core.Page):
    """The result of one URL.

    What is computed from the body (text, markdown, links, select) is computed at every use, except
    for the tree of the page, which is kept for the next select().
    """

    __slots__ = ("_record", "_headers")
    _record: dict[str, Any]
    _headers: http.client.HTTPMessage

    @property
    def ok(self) -> bool:
        """Whether the status is 2xx and the body is complete."""
        return self.error is None and 200 <= self.status < 300

    @property
    def record(self) -> dict[str, Any]:
        """All that is known about the fetch, as `gossamer crawl` writes it."""
        if not hasattr(self, "_record"):
            self._record = json.loads(self.json)
        return self._record

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds of the fetch: dns, connect, tls, ttfb, total. Empty without an answer."""
        return self.record.get("timings") or {}

    @property
    def extracted(self) -> dict[str, Any]:
        """The fields of the setting `extract`."""
        return self.record.get("extracted") or {}

    @property
    def headers(self) -> http.client.HTTPMessage:
        """The header fields of the response; names in any case. get_all() has repeated ones."""
        if not hasattr(self, "_headers"):
            head = io.BytesIO(self.head)
            head.readline()  # the status line
            self._headers = http.client.parse_headers(head)
        return self._headers

    def select(self, selector: str) -> list[Element]:
        """Return the elements that match a CSS selector, in document order."""
        return [Element(*found) for found in self.find_all(selector)]

    def select_one(self, selector: str) -> Element | None:
        """Return the first element that matches, or None."""
        return next(iter(self.select(selector)), None)

    def __repr__(self) -> str:
        return f"<Page {self.error or self.status} {self.url}>"


def _write_log() -> None:
    for level, line in _core.take_log():
        _log.log(logging.ERROR if level == "error" else logging.WARNING, line.rstrip("\n"))


def _to_text(value: object, name: str) -> str:
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, datetime.timedelta):
        return f"{value // datetime.timedelta(milliseconds=1)}ms"
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    raise TypeError(f"{name} cannot be {value!r}")


def _to_words(name: str, value: Setting) -> bool | list[str]:
    """Return a setting as the module reads it."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Mapping):
        sign = ": " if name.endswith("header") else "="
        return [f"{key}{sign}{text}" for key, text in value.items()]
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike)):
        return [_to_text(item, name) for item in value]
    return [_to_text(value, name)]


_YIELD_AFTER = 64  # pages, so that other tasks of the loop run when pages are always ready
_POLL_MILLISECONDS = 500
_live: weakref.WeakSet[Crawl] = weakref.WeakSet()


class Crawl:
    """A crawl that runs: an iterator and an asynchronous iterator over its pages.

    Leaving `with` or `async with` ends it, and so does dropping the last reference.
    """

    def __init__(self, urls: list[str], bodies: bool, settings: Mapping[str, Setting]) -> None:
        words = {name: _to_words(name, value) for name, value in settings.items()
                 if value is not None}
        self._stream = _core.Stream(urls, words, bodies, Page)
        self._failure_is_raised = False
        self._taken_at_once = 0
        self._waiters: list[asyncio.Future[None]] = []
        _live.add(self)

    # --- for

    def __iter__(self) -> Iterator[Page]:
        return self

    def __next__(self) -> Page:
        while True:
            page = self.take()
            if page is not None:
                return page
            if not self._stream.is_open:
                raise StopIteration
            poll = select.poll()
            poll.register(self._stream.fileno(), select.POLLIN)
            # Ctrl-C interrupts it, unless it comes in the moment before.
            poll.poll(_POLL_MILLISECONDS)

    def __enter__(self) -> Crawl:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    # --- async for

    def __aiter__(self) -> Crawl:
        return self

    async def __anext__(self) -> Page:
        if self._taken_at_once >= _YIELD_AFTER:
            self._taken_at_once = 0
            await asyncio.sleep(0)
        while True:
            page = self.take()
            if page is not None:
                self._taken_at_once += 1
                return page
            if not self._stream.is_open:
                raise StopAsyncIteration
            self._taken_at_once = 0
            await self._wait()

    async def _wait(self) -> None:
        """Wait for a page or the end. Several tasks of one loop may do so."""
        loop = asyncio.get_running_loop()
        if self._waiters and self._waiters[0].get_loop() is not loop:
            raise RuntimeError("tasks of two event loops cannot share a crawl")
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiters.append(waiter)
        if len(self._waiters) == 1:
            loop.add_reader(self._stream.fileno(), self._wake, loop)
        try:
            await waiter
        finally:
            if waiter in self._waiters:  # it was cancelled
                self._waiters.remove(waiter)
                if not self._waiters:
                    loop.remove_reader(self._stream.fileno())

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.remove_reader(self._stream.fileno())
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def __aenter__(self) -> Crawl:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self.close)

    # --- for other loops

    def fileno(self) -> int:
        """Return a descriptor that is readable when take() may have something new."""
        return self._stream.fileno()

    def take(self) -> Page | None:
        """Return a page if one is ready, without waiting."""
        page = self._stream.take()
        if page is None:
            _write_log()
            if not self._stream.is_open:
                self._raise_failure()
        return page  # type: ignore[return-value]  # the stream makes objects of our class

    def _raise_failure(self) -> None:
        end = self._stream.end
        if end is not None and end[1] and not self._failure_is_raised:
            self._failure_is_raised = True
            raise CrawlError(end[1], end[2])

    # --- control

    @property
    def ended(self) -> bool:
        """Whether there are no more pages."""
        return not self._stream.is_open

    def stop(self) -> None:
        """Start no more fetches. Pages in flight still come."""
        self._stream.stop()

    def pause(self) -> None:
        """Send no requests until resume()."""
        self._stream.pause()

    def resume(self) -> None:
        """Continue after pause()."""
        self._stream.resume()

    def close(self) -> None:
        """End the crawl now and wait for its thread. Pages that were not taken are dropped."""
        self._stream.close()
        _write_log()

    def stats(self) -> Stats:
        """Return the present counts; after the end, the last ones."""
        now = self._stream.progress()
        if now is not None:
            return Stats(**now)
        end = self.result
        if end is None:
            raise RuntimeError("this crawl was closed before its end")
        return Stats(seconds=end.seconds, pages=end.pages, pages_per_second=0,
                     wire_bytes=end.wire_bytes, in_flight=0, waiting=0, hosts=0,
                     errors=end.by_error, paused=False)

    @property
    def result(self) -> Result | None:
        """How the crawl ended. None until all pages were taken."""
        end = self._stream.end
        return None if end is None else Result(reason=end[0], seconds=end[3], **end[4])


@atexit.register
def _close_all() -> None:
    for crawl_object in list(_live):
        crawl_object.close()


def _to_urls(urls: str | Iterable[str]) -> list[str]:
    listed = [urls] if isinstance(urls, str) else list(urls)
    for url in listed:
        if not isinstance(url, str):
            raise TypeError(f"a URL must be a str, not {url!r}")
    return listed


def crawl(urls: str | Iterable[str] = (), *, bodies: bool = True, **settings: Setting) -> Crawl:
    """Start a crawl of the pages that can be reached from the URLs.

    The settings are the options of `gossamer crawl`, with underscores: depth=2, delay="500ms",
    include=["/docs/"], user_agent="MyBot/1.0", no_robots=True, job="folder". setting_names() lists
    them. An unknown one raises TypeError, a wrong value ValueError.

    With bodies=False pages have no body, which saves time and memory.
    """
    return Crawl(_to_urls(urls), bodies, settings)


def setting_names() -> list[str]:
    """Return the names of all settings of crawl()."""
    return _core.setting_names()


# One page: redirects are followed anywhere, and a failure is not repeated.
_ONE_PAGE: dict[str, Setting] = {
    "scope": "any", "depth": 0, "no_robots": True, "delay": 0, "max_tries": 1, "max_outage": 0,
}


def _no_page(pages: Crawl, url: str) -> CrawlError:
    skipped = pages.result.skipped if pages.result is not None else {}
    return CrawlError("crawl", f"{url} was not fetched: {', '.join(skipped) or 'no answer'}")


def get(url: str, **settings: Setting) -> Page:
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


async def fetch(url: str, **settings: Setting) -> Page:
    """Do what get() does, without blocking the event loop."""
    last = None
    async with Crawl([url], True, {**_ONE_PAGE, **settings}) as pages:
        async for last in pages:
            pass
        if last is None:
            raise _no_page(pages, url)
    return last
