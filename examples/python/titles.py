"""Prints the titles of a site: titles.py URL"""

import sys

import gossamer

for page in gossamer.crawl(sys.argv[1], bodies=False):
    print(page.status, page.url, page.title)
