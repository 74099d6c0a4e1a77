"""Takes four fields out of pages with lxml and cssselect.

    read_with_lxml.py LIST

LIST names one file per line. Prints nanoseconds of processor time, without start and reading. The
fields are those of content_bench.cc.
"""

import sys
import time

import lxml.html
from lxml.cssselect import CSSSelector

TITLE, FIRST, LINKS, CODE = (CSSSelector(text) for text in
                             ("h1", "p", "li > a[href]", "pre.cpp"))


def read(page):
    tree = lxml.html.fromstring(page, parser=lxml.html.HTMLParser(encoding="utf-8"))
    fields = [" ".join(found.text_content().split()) for rule in (TITLE, FIRST)
              for found in rule(tree)[:1]]
    fields += [found.get("href") for found in LINKS(tree)]
    fields += [" ".join(found.text_content().split()) for found in CODE(tree)]
    return len(fields)


def main():
    with open(sys.argv[1], encoding="utf-8") as names:
        pages = []
        for name in names.read().splitlines():
            with open(name, "rb") as file:
                pages.append(file.read())
    begin = time.process_time_ns()
    found = sum(read(page) for page in pages if page.strip())
    print(time.process_time_ns() - begin, found)


main()
