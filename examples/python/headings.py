"""Writes the headings of a site as JSON lines: headings.py URL"""

import json
import sys

import gossamer

for page in gossamer.crawl(sys.argv[1], content_type="text/html"):
    headings = [heading.text for heading in page.select("h1, h2")]
    if headings:
        print(json.dumps({"url": page.url, "headings": headings}))
