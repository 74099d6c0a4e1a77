"""Crawls a site of two pages with the installed Python package: use_python.py PLACE"""

import asyncio
import http.server
import sys
import threading

import gossamer

PAGES = {"/": b"<title>One</title><a href=/two>two</a>", "/two": b"<title>Two</title>"}


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = PAGES.get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_):
        pass


async def titles_of(url):
    return [page.title async for page in gossamer.crawl(url)]


with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}/"
    assert gossamer.__file__.startswith(sys.argv[1]), gossamer.__file__
    assert [page.title for page in gossamer.crawl(root)] == ["One", "Two"]
    assert asyncio.run(titles_of(root)) == ["One", "Two"]
    assert gossamer.get(root).select_one("a").text == "two"
    assert gossamer.check(root).ok
    server.shutdown()
