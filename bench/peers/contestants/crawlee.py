"""Crawlee on Node.js, from npm.

Its HttpCrawler, which builds no tree of a page, with the same expression for links as the Python
crawlers; storage in memory only; full concurrency from the start instead of a slow ramp; no
sessions, no generated browser headers for each request, no retries, no log.
"""

from job import CRAWLERS, Contestant

AT_ONCE_MAX = 1000
FOLDER = CRAWLERS / "crawlee"


def command(job):
    at_once = min(job.at_once, AT_ONCE_MAX)
    return ["node", f"{job.packages}/crawler.mjs", job.url, str(at_once)]


CONTESTANT = Contestant(
    name="crawlee",
    command=command,
    version=("node", "-p", "'@crawlee/http '+require('{packages}/package.json')"
             ".dependencies['@crawlee/http']"),
    # npm installs what package.json here names into a folder of the build.
    npm=FOLDER,
    environment={"CRAWLEE_PERSIST_STORAGE": "false", "CRAWLEE_LOG_LEVEL": "OFF"},
)
