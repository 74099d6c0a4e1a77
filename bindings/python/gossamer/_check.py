"""Checks for broken links."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _core
from ._crawl import CrawlError
from ._log import write_log
from ._settings import to_list, to_words
from ._signals import wait_readable


@dataclasses.dataclass(frozen=True)
class Place:
    """The position of a link."""

    page: str  # a URL, or the path of a file
    line: int
    column: int
    text: str


@dataclasses.dataclass(frozen=True)
class Finding:
    """One URL, and everything of one kind about it."""

    kind: str  # broken, fragment, text, redirect, insecure, mixed, blocked, unchecked, seo
    url: str
    cause: str  # a short word: "404", "timeout", "no_file"
    detail: str
    leads_to: str | None  # the target of a redirect
    links: int  # the number of links to it
    places: list[Place]  # the first of them


@dataclasses.dataclass(frozen=True, repr=False)
class CheckResult:
    """The result of a check."""

    sources: list[str]
    pages: int
    links: int
    urls: int
    from_cache: int
    seconds: float
    sources_unchecked: int  # for example a site that cannot be reached
    ended_early: str | None  # None: all links were checked
    counts: dict[str, int]
    findings: list[Finding]

    def __repr__(self) -> str:
        return (f"<CheckResult links: {self.links}, pages: {self.pages}, "
                f"broken: {len(self.broken)}, warnings: {len(self.warnings)}>")

    @property
    def broken(self) -> list[Finding]:
        """Links whose target, or the named place in it, does not exist."""
        return [finding for finding in self.findings
                if finding.kind in ("broken", "fragment", "text")]

    @property
    def warnings(self) -> list[Finding]:
        """Links that work and should be changed, and with seo=True faults of pages."""
        return [finding for finding in self.findings
                if finding.kind not in ("broken", "fragment", "text", "blocked", "unchecked")]

    @property
    def unchecked(self) -> list[Finding]:
        """Links that were not checked, with the cause."""
        return [finding for finding in self.findings if finding.kind == "unchecked"]

    @property
    def ok(self) -> bool:
        """Whether all links were checked, as far as the settings say, and none is broken."""
        return self.ended_early is None and not self.sources_unchecked and not self.broken


def _finding_of(found: dict[str, Any]) -> Finding:
    places = [Place(**place) for place in found.pop("places")]
    return Finding(places=places, **found)


_Sources = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def _start(sources: _Sources, settings: Mapping[str, object]) -> _core.Check:
    if isinstance(sources, (str, os.PathLike)):
        sources = [sources]
    words = to_list([os.fspath(source) if isinstance(source, os.PathLike) else source
                     for source in sources], "a source")
    return _core.Check(words, to_words(settings))


def _result_of(check: _core.Check) -> CheckResult:
    """Return the result of a check that has ended."""
    text, more, has_included_page = check.result()
    if isinstance(more, str):
        raise CrawlError(text, more)
    if not has_included_page:
        raise CrawlError("check", "no page of the site matches include")
    value = json.loads(text)
    del value["schema"]
    value["sources_unchecked"] = more
    value["ended_early"] = value["ended_early"] or None
    value["findings"] = [_finding_of(found) for found in value["findings"]]
    return CheckResult(**value)


def run_check(sources: _Sources, settings: Mapping[str, object]) -> CheckResult:
    """Check the sources and wait for the result."""
    check = _start(sources, settings)
    try:
        wait_until_end(check)
        return _result_of(check)
    finally:
        check.close()
        write_log()


async def run_check_async(sources: _Sources, settings: Mapping[str, object]) -> CheckResult:
    """Do the same without blocking the event loop. A cancelled task ends the check."""
    import asyncio  # slow to load

    loop = asyncio.get_running_loop()
    check = _start(sources, settings)
    ended = asyncio.Event()
    loop.add_reader(check.fileno(), ended.set)
    try:
        await ended.wait()
        return _result_of(check)
    finally:
        loop.remove_reader(check.fileno())
        await loop.run_in_executor(None, check.close)
        write_log()


def wait_until_end(check: _core.Check) -> None:
    """Wait for the end. A signal may come before it, and its handler may return."""
    while not wait_readable(check.fileno()):
        pass
