"""Prints the main text of one page as Markdown: markdown.py URL"""

import sys

import gossamer

page = gossamer.get(sys.argv[1])
if not page.ok:
    sys.exit(f"{page.url}: {page.error_detail or page.status}")
print(page.markdown, end="")
