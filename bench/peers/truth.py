"""Which URLs of a documentation package can be reached, told from its files.

The walk is that of tests/end_to_end/reachable.py, which shares nothing with the crawler; here
libxml2 reads the pages, since there are 300 MB of them.
"""

import functools
import hashlib
import pathlib
import sys
from urllib.parse import urljoin

from job import ROOT

sys.path.insert(0, str(ROOT / "tests" / "end_to_end"))
import reachable  # noqa: E402  pylint: disable=wrong-import-position

TAGS = ("a", "area", "base", "frame", "iframe", "img", "link", "meta")
# What every contestant takes for a link to a page; the others of reachable.py are up to each.
SURE_TAGS = frozenset(("a", "area", "frame", "iframe"))


def links_of(file):
    """The references of a page, unresolved: (sure ones, others, base)."""
    from lxml import etree  # here, since it is needed only for reading pages

    sure, others = reachable.Links(), reachable.Links()
    tree = etree.parse(file, etree.HTMLParser(encoding="utf-8", huge_tree=True))
    for element in tree.iter(*TAGS):
        page = sure if element.tag in SURE_TAGS else others
        page.handle_starttag(element.tag, element.attrib.items())
    if not others.is_followed:
        return set(), set(), None
    return set(sure.found), set(others.found), others.base


@functools.lru_cache(maxsize=1 << 20)
def resolve_in(folder, reference):
    """A reference with a path depends only on the folder of the page."""
    return reachable.resolve(folder, reference)


def resolve(url, reference):
    reference = reference.partition("#")[0]
    if not reference or reference.startswith("?"):
        return reachable.resolve(url, reference) if reference else url
    return resolve_in(url.rpartition("/")[0] + "/", reference)


def walk(folder, start):
    """({path: status} of all that links lead to from the path start, {path: sure links})."""
    site = "http://site"
    server = reachable.Server(folder, reachable.read_mime_types("/etc/nginx/mime.types"))
    statuses, sure_links, waiting = {}, {}, [site + start]
    while waiting:
        url = waiting.pop()
        if url in statuses:
            continue
        statuses[url], file, redirect = server.answer(url)
        sure, others, base = links_of(file) if file else (set(), set(), None)
        origin = urljoin(url, base) if base else url
        sure = {resolve(origin, reference) for reference in sure} | {redirect}
        others = {resolve(origin, reference) for reference in others}
        sure_links[url] = sure
        waiting += [link for link in sure | others if link and link.startswith(site + "/")]
    return (
        {url[len(site):]: status for url, status in statuses.items()},
        {url[len(site):]: {link[len(site):] for link in links if link and link.startswith(site)}
         for url, links in sure_links.items()},
    )


def closure(start, links):
    """All that links lead to from the start."""
    seen, waiting = set(), [start]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += links.get(path, ())
    return seen


def digest():
    """Of the scripts that tell what can be reached: another one may tell something else."""
    content = b"".join(pathlib.Path(file).read_bytes() for file in (__file__, reachable.__file__))
    return hashlib.sha256(content).hexdigest()[:12]


def reachable_paths(folder, start, cache):
    """({path: status} of what links of SURE_TAGS lead to, the same for all links); kept in cache"""
    cache = pathlib.Path(cache)
    if not cache.exists():
        possible, links = walk(folder, start)
        sure = closure(start, links)
        lines = [f"{'sure' if path in sure else 'possible'} {status} {path}\n"
                 for path, status in sorted(possible.items())]
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_text("".join(lines), encoding="utf-8")
    sure, possible = {}, {}
    for line in cache.read_text(encoding="utf-8").splitlines():
        word, status, path = line.split(" ", 2)
        possible[path] = int(status)
        if word == "sure":
            sure[path] = int(status)
    return sure, possible
