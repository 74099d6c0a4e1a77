"""A site of five pages, some of which change between two crawls: changing_site.py PORT.

GET /advance changes them; GET /log returns the log of requests.
"""

import http.server
import json
import sys

PAGES = {
    0: {"/": "index <a href=/same>s</a> <a href=/changes>c</a> <a href=/goes>g</a>",
        "/same": "the same", "/changes": "before", "/goes": "here"},
    1: {"/": "index <a href=/same>s</a> <a href=/changes>c</a> <a href=/comes>n</a>",
        "/same": "the same", "/changes": "after", "/comes": "new"},
}
state = {"edition": 0}
log = []


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", fields=()):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/advance":
            state["edition"] = 1
            log.clear()
            return self.answer(200)
        if self.path == "/log":
            return self.answer(200, json.dumps(log).encode())
        text = PAGES[state["edition"]].get(self.path)
        if text is None:
            log.append([self.path, 404])
            return self.answer(404)
        tag = f'"{hash(text)}"'
        if self.headers.get("If-None-Match") == tag:
            log.append([self.path, 304])
            self.send_response(304)
            self.send_header("ETag", tag)
            self.end_headers()
            return None
        log.append([self.path, 200])
        return self.answer(200, text.encode(), [("ETag", tag)])

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
