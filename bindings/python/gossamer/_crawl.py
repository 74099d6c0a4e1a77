"""Crawls that run: iterators over their pages."""

from __future__ import annotations

import atexit
import dataclasses
import re
import weakref
from collections.abc import AsyncIterator, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, cast

from . import _core
from ._hooks import Hooks, OnRequest, WantsUrl
from ._log import write_log
from ._page import Page
from ._settings import to_words
from ._signals import wait_readable

if TYPE_CHECKING:
    import asyncio  # slow to load; programs that use it have loaded it

_PAGES_PER_TURN = 64  # of an event loop, then other tasks run; as in page_iterator.cc


class CrawlError(Exception):
    """A crawl could not start, or failed as a whole. Failures of single pages are no exceptions.

    `part` names what failed: network, login, job, archive, cookies, control, crawl.
    """

    def __init__(self, part: str, message: str) -> None:
        super().__init__(message)
        self.part = part


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
    connections: int  # open, also idle ones
    streams: int  # requests in flight over HTTP/2
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
    truncated: int  # of the answered: bodies that lack a part
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


def _without_password(url: str) -> str:
    return re.sub(r"^((?:[a-z]+:)?[/\\]*)[^/\\?#]*@", r"\1", url, flags=re.IGNORECASE)


# Not a WeakSet: its callbacks are Python code, in which the handler of Ctrl-C could raise. Python
# ignores what callbacks raise, so the signal would be lost.
_live: set[weakref.ref[Crawl]] = set()


class Crawl:
    """A crawl that runs: an iterator and an asynchronous iterator over its pages.

    Leaving `with` or `async with` ends it, and so does dropping the last reference.
    """

    def __init__(self, urls: list[str], bodies: bool, settings: Mapping[str, object],
                 wants_url: WantsUrl | None = None, on_request: OnRequest | None = None) -> None:
        self._urls = urls
        has_hooks = wants_url is not None or on_request is not None
        self._hooks = Hooks(wants_url, on_request) if has_hooks else None
        self._stream = _core.Stream(urls, to_words(settings), bodies, Page,
                                    wants_url is not None, on_request is not None)
        self._failure_is_raised = False
        self._taken = 0  # by __anext__()
        self._waiters: list[asyncio.Future[None]] = []
        _live.add(weakref.ref(self, _live.discard))

    def __repr__(self) -> str:
        more = f" and {len(self._urls) - 1} more" if len(self._urls) > 1 else ""
        state = "ended" if self.ended else "running"
        first = _without_password(self._urls[0]) if self._urls else "of stored roots"
        return f"<Crawl {first}{more}: {state}>"

    # --- for

    def __iter__(self) -> Iterator[Page]:
        if self._hooks is not None:
            return self  # they are called before each page
        return cast("Iterator[Page]", _core.PageIterator(self._stream, self))

    def __next__(self) -> Page:
        while True:
            page = self.take()
            if page is not None:
                return page
            if not self._stream.is_open:
                raise StopIteration
            wait_readable(self._stream.fileno())

    def __enter__(self) -> Crawl:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    # --- async for

    def __aiter__(self) -> AsyncIterator[Page]:
        if self._hooks is not None:
            return self
        return cast("AsyncIterator[Page]", _core.PageIterator(self._stream, self))

    async def __anext__(self) -> Page:
        self._taken += 1
        return await self._next_async(self._taken % _PAGES_PER_TURN == 0)

    async def _next_async(self, yields_first: bool) -> Page:
        """Return the next page. Other tasks of the loop may run first."""
        import asyncio

        if yields_first:
            await asyncio.sleep(0)
        while True:
            page = self.take()
            if page is not None:
                return page
            if not self._stream.is_open:
                raise StopAsyncIteration
            await self._wait()

    async def _wait(self) -> None:
        """Wait for a page or the end. Several tasks of one loop may do so."""
        import asyncio

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
        import asyncio

        await asyncio.get_running_loop().run_in_executor(None, self.close)

    # --- for other loops

    def fileno(self) -> int:
        """Return a descriptor that is readable when take() may have something new."""
        return self._stream.fileno()

    def take(self) -> Page | None:
        """Return a page if one is ready, without waiting."""
        if self._hooks is not None:
            self._call_hooks(self._hooks)
        page = self._stream.take()
        if page is None:
            write_log()
            if not self._stream.is_open:
                self._raise_failure()
        return page  # type: ignore[return-value]  # the stream makes objects of our class

    def _call_hooks(self, hooks: Hooks) -> None:
        try:
            hooks.answer(self._stream)
        except (StopIteration, StopAsyncIteration) as error:
            self.close()
            # It would end the loop as if the crawl were complete.
            raise RuntimeError(f"a hook raised {type(error).__name__}") from error
        except BaseException:
            self.close()
            raise

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
        write_log()

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
                     connections=0, streams=0, errors=end.by_error, paused=False)

    @property
    def result(self) -> Result | None:
        """How the crawl ended. None until all pages were taken."""
        end = self._stream.end
        return None if end is None else Result(reason=end[0], seconds=end[3], **end[4])


@atexit.register
def _close_all() -> None:
    for reference in list(_live):
        live = reference()
        if live is not None:
            live.close()
