"""Fetches ten pages more in every run: ten_pages.py URL FOLDER"""

import sys

import gossamer

with gossamer.crawl(sys.argv[1], job=sys.argv[2], bodies=False) as pages:
    for count, page in enumerate(pages, 1):
        print(page.url)
        if count == 10:
            break
