"""Scrapy as its tutorial has it: a CrawlSpider with a LinkExtractor, all settings at their default.

Only the log is off. 16 concurrent requests, 8 per site.
"""

from job import CRAWLERS, PYTHON, Contestant


def command(job):
    spider = CRAWLERS / "scrapy_plain_spider.py"
    return [PYTHON, "-B", "-m", "scrapy", "runspider", "--nolog", "-a", f"root={job.url}",
            str(spider)]


CONTESTANT = Contestant(
    name="Scrapy",
    key="scrapy",
    command=command,
    version=(PYTHON, "-m", "scrapy", "version"),
)
