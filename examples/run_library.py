#!/usr/bin/env python3
"""Runs the programs of docs/library.md against a small site on loopback.

    run_library.py PROGRAM...
"""

import http.server
import os
import subprocess
import sys
import tempfile
import threading
import unittest

# A ring of 30 pages. One links to a PDF, one has a broken link.
PAGES = {f"/page/{n}": [f"/page/{(n + 1) % 30}", f"/page/{(7 * n) % 30}"] for n in range(30)}
PAGES["/"] = ["/page/0", "/page/5", "/about?x=1"]
PAGES["/about?x=1"] = ["/"]
PAGES["/page/7"] += ["/paper.pdf"]
PAGES["/page/9"] += ["/missing"]
PDF = b"%PDF-1.4 a paper"


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        status, kind, body = 200, "text/html", b""
        if self.path == "/paper.pdf":
            kind, body = "application/pdf", PDF
        elif self.path in PAGES:
            links = "".join(f'<p><a href="{link}">link</a>' for link in PAGES[self.path])
            body = f"<title>Page {self.path}</title>{links}".encode()
        else:
            status = 404
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a crawl that is left early closes its connections


class LibraryTest(unittest.TestCase):
    programs = {}

    def setUp(self):
        self.server = Server(("127.0.0.1", 0), Site)
        self.addCleanup(self.server.server_close)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.shutdown)
        self.root = f"http://127.0.0.1:{self.server.server_port}"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_program(self, name, *arguments, exit_code=0):
        done = subprocess.run(
            [self.programs[name], self.root + "/", *arguments],
            capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, exit_code, done.stderr)
        return done.stdout.splitlines()

    def urls_of_pages(self):
        return {self.root + path for path in PAGES}

    def test_titles(self):
        lines = self.run_program("titles")
        self.assertEqual(len(lines), len(PAGES) + 2)
        self.assertIn(f"200 {self.root}/page/3 Page /page/3", lines)
        self.assertIn(f"404 {self.root}/missing ", lines)

    def test_broken_links(self):
        lines = self.run_program("broken_links", exit_code=1)
        self.assertEqual(lines, [f"{self.root}/missing: 404 (on {self.root}/page/9)"])

    def test_save_pdfs(self):
        lines = self.run_program("save_pdfs", self.folder)
        self.assertEqual(lines, [f"{self.folder}/1.pdf {self.root}/paper.pdf"])
        with open(f"{self.folder}/1.pdf", "rb") as file:
            self.assertEqual(file.read(), PDF)

    def test_url_filter(self):
        lines = self.run_program("url_filter")
        self.assertIn(f"{self.root}/page/3", lines)
        self.assertNotIn(f"{self.root}/about?x=1", lines)

    def test_resume(self):
        seen = []
        for _ in range(10):
            lines = self.run_program("resume", f"{self.folder}/crawl")
            self.assertLessEqual(len(lines), 10)
            seen += lines
            if len(lines) < 10:
                break
        self.assertEqual(len(seen), len(set(seen)), "a page came twice")
        self.assertLessEqual(self.urls_of_pages(), set(seen))

    def test_archive(self):
        lines = self.run_program("archive", f"{self.folder}/site")
        self.assertEqual(lines, [f"{len(PAGES) + 2} pages"])
        self.assertLessEqual({"site-00001.warc.gz", "site.cdxj", "site.wacz"},
                             set(os.listdir(self.folder)))

    def test_two_sites(self):
        lines = self.run_program("two_sites", self.root + "/page/3")
        # No page of the ring links to the start page.
        counts = dict(line.split() for line in lines)
        self.assertEqual(counts[self.root + "/"], str(len(PAGES) + 1))
        self.assertEqual(counts[self.root + "/page/3"], str(len(PAGES) - 1))

    def test_progress(self):
        self.assertEqual(self.run_program("progress"), [])  # fewer than a hundred pages

    def test_first_hit(self):
        lines = self.run_program("first_hit", "Page /page/11")
        self.assertEqual(lines, [f"{self.root}/page/11"])
        self.run_program("first_hit", "no page has this", exit_code=1)

    def test_custom_sink(self):
        lines = self.run_program("custom_sink")
        self.assertRegex(lines[0], r"^\d+ bytes, \d+ URLs skipped$")

    def test_every_program_has_a_test(self):
        for name in self.programs:
            self.assertTrue(hasattr(self, "test_" + name), name)


if __name__ == "__main__":
    LibraryTest.programs = {os.path.basename(path): path for path in sys.argv[1:]}
    unittest.main(argv=sys.argv[:1])
