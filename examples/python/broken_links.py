"""Lists broken links and the pages that have them: broken_links.py URL"""

import sys

import gossamer

broken = 0
for page in gossamer.crawl(sys.argv[1], bodies=False):
    if page.status >= 400 or page.error:
        print(f"{page.url}: {page.error or page.status} (on {page.found_on or 'the start'})")
        broken += 1
sys.exit(1 if broken else 0)
