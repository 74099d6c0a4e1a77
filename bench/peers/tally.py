"""Compares the requests of a crawl, from the server's log, with the reachable pages."""

import dataclasses
import json
from urllib.parse import unquote

# Fetched for the rules or by habit; these are not pages.
BY_THE_WAY = frozenset(("/robots.txt", "/favicon.ico", "/sitemap.xml"))


@dataclasses.dataclass(frozen=True)
class Tally:
    pages: int  # different URLs that are surely linked, answered with 200
    missing: int  # reachable, but not fetched
    extra: int  # fetched, but not reachable
    repeated: int  # GETs of URLs that were fetched before


def read_nginx_log(lines):
    """[(status, method, path)] of lines "200 GET /index.html"."""
    requests = []
    for line in lines:
        status, method, path = line.rstrip("\n").split(" ", 2)
        requests.append((int(status), method, path))
    return requests


def read_site_log(lines):
    """The same of the synthetic site's log, an object per line."""
    entries = map(json.loads, lines)
    return [(entry["status"], entry["method"], entry["target"]) for entry in entries]


def tally(requests, sure, possible):
    """requests: [(status, method, path)]; sure, possible: {path: status}. -> Tally

    A page that only some crawlers treat as linked may be fetched, but need not be. The escaping of
    a path makes no difference: %40 or @.
    """
    sure = {unquote(path): status for path, status in sure.items()}
    possible = {unquote(path): status for path, status in possible.items()}
    asked, pages, repeated = set(), set(), 0
    for status, method, path in requests:
        path = unquote(path)
        if path in BY_THE_WAY:
            continue
        if method == "GET":
            repeated += path in asked
        asked.add(path)
        if status == 200 and method == "GET" and sure.get(path) == 200:
            pages.add(path)
    return Tally(
        pages=len(pages),
        missing=len(sure.keys() - asked),
        extra=len(asked - possible.keys()),
        repeated=repeated,
    )
