#!/usr/bin/env python3
"""Which URLs of a folder that nginx serves can be reached from its first page.

    reachable.py FOLDER SITE START [--mime-types FILE]

Walks the files on disk, not the server: prints a line "STATUS URL" for every URL of SITE
("http://127.0.0.1:8080") to which links lead from START ("/index.html"), sorted. HTML is read by
html.parser and references are resolved by urllib.parse, so that nothing is shared with the crawler
whose set of pages this is held against.

What counts as a link: a and area (href), frame and iframe (src), img (longdesc), link (href) unless
it is there for machines (style sheets, icons, preloads, ...), meta refresh, and the address that
meta og:url and the like give. Links marked nofollow do not count.
"""

import argparse
import os
import re
import sys
from html.parser import HTMLParser
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit, urlunsplit

# Words of <link rel> that are for machines.
FOR_MACHINES = frozenset(
    "stylesheet icon apple-touch-icon apple-touch-icon-precomposed mask-icon fluid-icon image_src"
    " modulepreload preload prefetch prerender preconnect dns-prefetch manifest pingback edituri"
    " wlwmanifest".split()
)
# With these it is a page, unless it is a style sheet.
FOR_READERS = frozenset(["canonical"])
NOT_FOLLOWED = frozenset(["nofollow", "ugc", "sponsored"])
META_ADDRESSES = frozenset(["og:url", "twitter:url", "twitter:player"])
REFRESH = re.compile(r"""\s*[\d.]+\s*[;,]?\s*(?:url\s*=\s*)?(['"]?)(.*?)\1\s*$""", re.I | re.S)


class Links(HTMLParser):
    """The links of one page, unresolved."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found = []
        self.base = None
        self.is_followed = True

    def handle_starttag(self, tag, attrs):
        values = {}
        for name, value in attrs:
            values.setdefault(name, value or "")  # the first of its name counts
        words = frozenset(values.get("rel", "").lower().split())
        if tag in ("a", "area"):
            if not words & NOT_FOLLOWED:
                self.add(values.get("href"))
        elif tag in ("frame", "iframe"):
            self.add(values.get("src"))
        elif tag == "img":
            self.add(values.get("longdesc"))
        elif tag == "base" and self.base is None:
            self.base = values.get("href")
        elif tag == "link":
            self.link(words, values.get("href"))
        elif tag == "meta":
            self.meta(values)

    def link(self, words, href):
        is_for_readers = words & FOR_READERS and "stylesheet" not in words
        if is_for_readers or not words & FOR_MACHINES:
            if not words & NOT_FOLLOWED:
                self.add(href)

    def meta(self, values):
        content = values.get("content", "")
        if values.get("http-equiv", "").strip().lower() == "refresh":
            match = REFRESH.match(content)
            if match and match.group(2):
                self.add(match.group(2))
            return
        names = {values.get(key, "").strip().lower() for key in ("property", "name", "itemprop")}
        if names & META_ADDRESSES and content:
            self.add(content)
        if "robots" in names and {"nofollow", "none"} & set(re.split(r"[,\s]+", content.lower())):
            self.is_followed = False

    def add(self, address):
        if address is not None:
            self.found.append(address)


def resolve(base, reference):
    """An absolute http(s) URL without fragment, or None."""
    reference = reference.strip("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c \t\n\r")
    reference = re.sub(r"[\t\n\r]", "", reference)
    try:
        parts = urlsplit(urljoin(base, reference.replace("\\", "/")))
    except ValueError:
        return None
    if parts.scheme not in ("http", "https"):
        return None
    path = quote(parts.path or "/", safe="%/:@!$&'()*+,;=-._~[]|")
    query = quote(parts.query, safe="%/:@!$&()*+,;=-._~[]|?{}^`\\")
    return urlunsplit((parts.scheme, parts.netloc.lower(), path, query, ""))


class Server:
    """What nginx answers to a GET, told from the files."""

    def __init__(self, folder, mime_types):
        self.folder = os.path.realpath(folder)
        self.types = mime_types

    def answer(self, url):
        """Status, file to read links from (or None), where a redirect leads (or None)."""
        parts = urlsplit(url)
        path = re.sub(rb"/+", b"/", unquote_to_bytes(parts.path))
        file = os.fsencode(self.folder) + path
        if os.path.isdir(file):
            if not path.endswith(b"/"):
                query = "?" + parts.query if parts.query else ""
                to = quote(path + b"/", safe="/:@!$&'()*+,;=-._~[]|")
                return 301, None, f"{parts.scheme}://{parts.netloc}{to}{query}"
            file += b"index.html"
            if not os.path.isfile(file):
                return 403, None, None
        if not os.path.isfile(file):
            return 404, None, None
        extension = os.path.splitext(os.fsdecode(file))[1][1:].lower()
        is_html = self.types.get(extension) in ("text/html", "application/xhtml+xml")
        return 200, file if is_html else None, None


def read_mime_types(path):
    """The types block of an nginx configuration, by extension."""
    types = {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            words = line.split("#")[0].strip().rstrip(";").split()
            if len(words) > 1 and "/" in words[0]:
                types.update((extension, words[0]) for extension in words[1:])
    return types


def links_of(url, file):
    page = Links()
    with open(file, encoding="utf-8", errors="replace") as stream:
        page.feed(stream.read())
    page.close()
    base = resolve(url, page.base) if page.base else None
    for reference in page.found if page.is_followed else []:
        yield resolve(base or url, reference)


def reachable(server, site, start):
    """Every URL and its status, from the start on."""
    statuses = {}
    waiting = [site + start]
    while waiting:
        url = waiting.pop()
        if url in statuses:
            continue
        statuses[url], file, redirect = server.answer(url)
        if redirect:
            waiting.append(redirect)
        if file:
            found = {link for link in links_of(url, file) if link is not None}
            waiting += [link for link in found if link.startswith(site + "/")]
    return statuses


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder")
    parser.add_argument("site")
    parser.add_argument("start")
    parser.add_argument("--mime-types", default="/etc/nginx/mime.types")
    arguments = parser.parse_args()
    server = Server(arguments.folder, read_mime_types(arguments.mime_types))
    statuses = reachable(server, arguments.site, arguments.start)
    for url in sorted(statuses):
        print(statuses[url], url)
    return 0


if __name__ == "__main__":
    sys.exit(main())
