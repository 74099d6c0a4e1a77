"""Saves the PDF files of a site: save_pdfs.py URL FOLDER"""

import pathlib
import sys

import gossamer

folder = pathlib.Path(sys.argv[2])
folder.mkdir(exist_ok=True)
count = 0
for page in gossamer.crawl(sys.argv[1]):
    if page.type == "application/pdf" and page.ok:
        count += 1
        (folder / f"{count}.pdf").write_bytes(page.body)
        print(f"{count}.pdf {page.url}")
