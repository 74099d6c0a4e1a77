"""A site of whole and of broken bodies: body_site.py PORT.

/video and /table are longer than the default of --max-size; /table is chunked.
"""

import http.server
import sys

LONG = 80 * 1024 * 1024
STEP = bytes(range(256)) * 1024
LINKS = "video table cut chunks gzip page.html"
PAGE = "".join(f"<a href=/{link}>{link}</a>" for link in LINKS.split())


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def begin(self, kind, fields):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()

    def send_long(self, is_chunked):
        for _ in range(LONG // len(STEP)):
            if is_chunked:
                self.wfile.write(b"%x\r\n" % len(STEP))
            self.wfile.write(STEP)
            if is_chunked:
                self.wfile.write(b"\r\n")
        if is_chunked:
            self.wfile.write(b"0\r\n\r\n")

    def do_GET(self):
        if self.path == "/":
            self.begin("text/html", {"Content-Length": len(PAGE)})
            self.wfile.write(PAGE.encode())
        elif self.path == "/videos":
            links = "".join(f"<a href=/video?{i}>{i}</a>" for i in range(4)).encode()
            self.begin("text/html", {"Content-Length": len(links)})
            self.wfile.write(links)
        elif self.path.startswith("/video"):
            self.begin("video/mp4", {"Content-Length": LONG})
            self.send_long(is_chunked=False)
        elif self.path == "/table":
            self.begin("text/csv", {"Transfer-Encoding": "chunked"})
            self.send_long(is_chunked=True)
        elif self.path == "/cut":
            self.begin("application/pdf", {"Content-Length": 1000})
            self.wfile.write(b"only twenty bytes...")
            self.close_connection = True
        elif self.path == "/chunks":
            self.begin("text/plain", {"Transfer-Encoding": "chunked"})
            self.wfile.write(b"5\r\nhello\r\nthis is not a size\r\n")
            self.close_connection = True
        elif self.path == "/gzip":
            self.begin("text/plain", {"Content-Encoding": "gzip", "Content-Length": 20})
            self.wfile.write(b"\x1f\x8b\x08" + b"\0" * 7 + b"not deflate"[:10])
        elif self.path == "/page.html":
            self.begin("text/html", {"Content-Length": 1000})
            self.wfile.write(b"<p>a page that is cut <a href=/video>v</a>")
            self.close_connection = True
        else:
            self.begin("text/plain", {"Content-Length": 0})

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
