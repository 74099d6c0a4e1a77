"""Scrapy with the settings of an expert.

No middleware that this crawl does not need; one compiled expression in place of the LinkExtractor,
which builds a tree of every page. 16 concurrent requests keep its core busy, and 64 cost a tenth
more CPU; asyncio with uvloop costs as much as Twisted's own reactor.
"""

from job import CRAWLERS, PYTHON, Contestant

AT_ONCE = 16
AT_ONCE_MAX = 1000  # where answers are slow; its core is full with 300


def command(job):
    spider = CRAWLERS / "scrapy_tuned_spider.py"
    at_once = AT_ONCE if job.at_once <= 64 else AT_ONCE_MAX
    return [PYTHON, "-B", "-m", "scrapy", "runspider", "--nolog", "-a", f"root={job.url}",
            "-s", f"CONCURRENT_REQUESTS={at_once}",
            "-s", f"CONCURRENT_REQUESTS_PER_DOMAIN={at_once}",
            str(spider)]


CONTESTANT = Contestant(
    name="Scrapy, tuned",
    key="scrapy_tuned",
    command=command,
    version=(PYTHON, "-m", "scrapy", "version"),
)
