"""Finds a page with a text, and stops there: first_hit.py URL TEXT"""

import sys

import gossamer

for page in gossamer.crawl(sys.argv[1]):
    if sys.argv[2] in page.main_text:
        print(page.url)
        break
else:
    sys.exit(1)
