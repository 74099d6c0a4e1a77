"""Draws search queries from the indexes of three manuals, and prints them.

    draw_entries.py > index_entries.tsv

Each line has a query, a tab, and the only page that the entry leads to. Entries of one word are
left out, and so are entries that lead to several pages. The queries of a manual are a random sample
with a fixed seed, drawn before the ranking was worked on. Do not draw again: it would invite to
choose.
"""

import html.parser
import random
import re

SEED = 20261119
# The name below which the pages are indexed, the page with the index, how many entries are drawn.
MANUALS = [
    ("exim", "/usr/share/doc/exim4-doc-html/spec_html/ch-concept_index.html", 34),
    ("octave", "/usr/share/doc/octave/octave.html/Concept-Index.html", 33),
    ("zsh", "/usr/share/doc/zsh-common/html/Concept-Index.html", 33),
]


class Entries(html.parser.HTMLParser):
    """Collects the pages of each entry. DocBook nests lists of terms; Texinfo has links whose
    fragment names the entry."""

    def __init__(self):
        super().__init__()
        self.pages = {}
        self.terms = []  # the term of each open list
        self.text = None  # of the element whose text is an entry
        self.target = None

    def add(self, entry, target):
        page = target.partition("#")[0]
        self.pages.setdefault(" ".join(query_of(entry)), set()).add(page)

    def handle_starttag(self, tag, attributes):
        target = dict(attributes).get("href", "")
        if tag == "dl":
            self.terms.append("")
        elif tag == "dt":
            self.text = ""
        elif tag == "a" and "#index-" in target:
            self.text = ""
            self.target = target
        elif tag == "a" and self.terms and self.text is None and "#" in target:
            self.add(" ".join(self.terms), target)

    def handle_endtag(self, tag):
        if tag == "dl" and self.terms:
            self.terms.pop()
        elif tag == "dt" and self.terms and self.text is not None:
            self.terms[-1] = self.text
            self.text = None
        elif tag == "a" and self.target:
            self.add(self.text, self.target)
            self.text = self.target = None

    def handle_data(self, data):
        if self.text is not None:
            self.text += data


def query_of(entry):
    """The words of an entry, without the signs that mean something in a query."""
    return re.findall(r"\w+(?:-\w+)*", entry)


def main():
    chance = random.Random(SEED)
    for name, index, count in MANUALS:
        entries = Entries()
        with open(index, encoding="utf-8") as file:
            entries.feed(file.read())
        unique = sorted((entry, *pages) for entry, pages in entries.pages.items()
                        if len(pages) == 1 and len(entry.split()) > 1)
        for entry, page in sorted(chance.sample(unique, count)):
            print(f"{entry}\t{name}/{page}")


main()
