"""A site with very many links: wide_site.py PORT LISTS LINKS.

/ links to LISTS pages, and each of these to LINKS URLs of its own and to those of another list.
"""

import http.server
import sys

LISTS = int(sys.argv[2])
LINKS = int(sys.argv[3])


def links(places):
    return "".join(f"<a href={place}>x</a>\n" for place in places)


def leaves(number):
    return (f"/leaf/{number * LINKS + i}" for i in range(LINKS))


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        status = 200
        body = ""
        if self.path == "/":
            body = links(f"/list/{i}" for i in range(LISTS))
        elif self.path.startswith("/list/"):
            number = int(self.path.removeprefix("/list/"))
            body = links(leaves(number)) + links(leaves(number * 7 % LISTS))
        elif self.path == "/robots.txt":
            status = 404
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Site).serve_forever()
