"""Pages, and what is taken from them on request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from . import _core

if TYPE_CHECKING:
    import http.client


class Element(_core.Element):
    """An element that Page.select() or Element.select() found.

    Selectors are CSS, or XPath after "xpath:". Equal elements are the same place of one page. An
    element keeps its page in memory.
    """

    __slots__ = ()

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    def __contains__(self, name: object) -> bool:
        return name in self.attributes

    __iter__ = None  # or Python would call __getitem__(0)

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return the value of an attribute."""
        return self.attributes.get(name, default)

    def select(self, selector: str) -> list[Element]:
        """Return the elements in this one that match, in document order."""
        return self.find_all(selector)

    def select_one(self, selector: str) -> Element | None:
        """Return the first element in this one that matches, or None."""
        return next(iter(self.select(selector)), None)

    def __repr__(self) -> str:
        return f"<Element {self.name} {self.text[:40]!r}>"


class Link(str):
    """The absolute URL of a link, and what the page says about it."""

    __slots__ = ("kind", "text", "rel")
    kind: str  # page, image, script, style, ...: docs/crawl.md
    text: str  # of the anchor
    rel: str  # as written

    def __new__(cls, url: str, kind: str = "page", text: str = "", rel: str = "") -> Link:
        link = super().__new__(cls, url)
        link.kind, link.text, link.rel = kind, text, rel
        return link


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
    def extracted(self) -> dict[str, Any]:
        """The fields of the setting `extract`; empty with the setting `items`."""
        found = self.record.get("extracted")
        return found if isinstance(found, dict) else {}

    @property
    def items(self) -> list[dict[str, Any]]:
        """The fields of each match of the setting `items`."""
        found = self.record.get("extracted")
        return found if isinstance(found, list) else []

    @property
    def links(self) -> list[Link]:
        """The pages that it links to, each once."""
        first: dict[str, Link] = {}
        for link in self.all_links:
            if link.kind == "page":
                first.setdefault(link, link)
        return list(first.values())

    @property
    def all_links(self) -> list[Link]:
        """All links, also to images, scripts and so on, in their order and with repetitions."""
        return [Link(*row) for row in self.link_rows]

    @property
    def headers(self) -> http.client.HTTPMessage:
        """The header fields of the response; names in any case. get_all() has repeated ones."""
        if not hasattr(self, "_headers"):
            import email.parser  # slow to load
            import http.client

            # http.client.parse_headers() would raise for many or long fields.
            _status, _, fields = self.head.decode("iso-8859-1").partition("\n")
            parser = email.parser.Parser(_class=http.client.HTTPMessage)
            self._headers = cast(http.client.HTTPMessage, parser.parsestr(fields, headersonly=True))
        return self._headers

    def select(self, selector: str) -> list[Element]:
        """Return the elements that match, in document order. CSS, or XPath after "xpath:"."""
        return self.find_all(selector, Element)

    def select_one(self, selector: str) -> Element | None:
        """Return the first element that matches, or None."""
        return next(iter(self.select(selector)), None)

    def __repr__(self) -> str:
        return f"<Page {self.error or self.status} {self.url}>"
