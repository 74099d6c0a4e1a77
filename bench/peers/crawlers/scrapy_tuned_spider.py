"""Every page of one host, with as little of Scrapy as will do."""

import html
import re
from urllib.parse import urljoin

from scrapy import Request, Spider

LINK = re.compile(
    rb"""<(?:a|area|frame|iframe)\s[^>]*?\b(?:href|src)\s*=\s*["']?([^\s"'<>]+)""", re.I
)
DOWNLOADER = "scrapy.downloadermiddlewares"
SPIDER = "scrapy.spidermiddlewares"


class TunedSpider(Spider):
    name = "tuned"
    custom_settings = {
        "LOG_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "COOKIES_ENABLED": False,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "REFERER_ENABLED": False,
        "COMPRESSION_ENABLED": False,
        "DOWNLOAD_TIMEOUT": 60,
        "REACTOR_THREADPOOL_MAXSIZE": 1,
        "DOWNLOADER_MIDDLEWARES": {
            f"{DOWNLOADER}.robotstxt.RobotsTxtMiddleware": None,
            f"{DOWNLOADER}.httpauth.HttpAuthMiddleware": None,
            f"{DOWNLOADER}.httpproxy.HttpProxyMiddleware": None,
            f"{DOWNLOADER}.defaultheaders.DefaultHeadersMiddleware": None,
            f"{DOWNLOADER}.stats.DownloaderStats": None,
        },
        "SPIDER_MIDDLEWARES": {
            f"{SPIDER}.depth.DepthMiddleware": None,
            f"{SPIDER}.offsite.OffsiteMiddleware": None,
            f"{SPIDER}.referer.RefererMiddleware": None,
            f"{SPIDER}.urllength.UrlLengthMiddleware": None,
        },
        "EXTENSIONS": {
            "scrapy.extensions.logstats.LogStats": None,
            "scrapy.extensions.memusage.MemoryUsage": None,
        },
    }

    def __init__(self, root, **options):
        super().__init__(**options)
        self.start_urls = [root]
        self.site = "/".join(root.split("/")[:3]) + "/"
        self.seen = {root}

    def parse(self, response):
        if not response.headers.get("Content-Type", b"").startswith(b"text/html"):
            return
        references = {link.partition(b"#")[0] for link in LINK.findall(response.body)}
        for reference in references - {b""}:
            url = urljoin(response.url, html.unescape(reference.decode("utf-8", "replace")))
            if url.startswith(self.site) and url not in self.seen:
                self.seen.add(url)
                yield Request(url, dont_filter=True)
