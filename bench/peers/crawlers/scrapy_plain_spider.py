"""Every page of one host, in Scrapy's usual way."""

from urllib.parse import urlsplit

from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class PlainSpider(CrawlSpider):
    name = "plain"
    rules = (Rule(LinkExtractor(tags=("a", "area", "frame", "iframe"), attrs=("href", "src")),
                  callback="parse_page", follow=True),)

    def __init__(self, root, **options):
        super().__init__(**options)
        self.start_urls = [root]
        self.allowed_domains = [urlsplit(root).hostname]

    def parse_page(self, response):
        pass
