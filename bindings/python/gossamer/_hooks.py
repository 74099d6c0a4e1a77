"""Functions of the user that a crawl calls."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from . import _core


@dataclasses.dataclass
class Request:
    """A request before it is sent. Change `headers` to change its header fields."""

    url: str
    method: str
    headers: dict[str, str]


WantsUrl = Callable[[str], Any]
OnRequest = Callable[[Request], Any]


class Hooks:
    """The hooks of a crawl. They run on the thread that takes its pages, many together."""

    def __init__(self, wants_url: WantsUrl | None, on_request: OnRequest | None) -> None:
        for name, hook in (("wants_url", wants_url), ("on_request", on_request)):
            if hook is not None and not callable(hook):
                raise TypeError(f"{name} must be callable, not {hook!r}")
        self.wants_url = wants_url
        self.on_request = on_request

    def answer(self, stream: _core.Stream) -> None:
        """Call the hooks for everything that waits for them."""
        while (questions := stream.questions()) is not None:
            batch, urls, requests = questions
            wanted = [bool(self.wants_url(url)) for url in urls] if self.wants_url else []
            stream.answer(batch, wanted, [self._edit(*request) for request in requests])

    def _edit(self, url: str, method: str, fields: _core.Fields) -> _core.Fields:
        request = Request(url, method, dict(fields))
        if self.on_request is not None:
            self.on_request(request)
        # Names have no case, and a field is sent once: the last one.
        fields_by_name = {str(name).lower(): (str(name), str(value))
                          for name, value in request.headers.items()}
        return list(fields_by_name.values())
