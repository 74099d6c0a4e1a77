"""A site of bodies that all end together: heavy_site.py PORT COUNT BYTES.

/ KIND links to COUNT pages of that kind with BYTES each: /text, /plain (without links), /tags,
/links, /styles, /packed (gzip) and /dense (gzip, of blanks). The last piece of a body is sent when
the others are there, or a few seconds later.

/hosts and /rules link to COUNT hosts, and are a proxy for them: each has a robots.txt of BYTES, of
comments or of rules.
"""

import gzip
import http.server
import sys
import threading
import urllib.parse

COUNT = int(sys.argv[2])
BYTES = int(sys.argv[3])
PATIENCE = 3
TAIL = 100

SENTENCE = "Nobody wakes the fox before evening, so it sleeps in the warm sun, and dreams of dogs. "
UNITS = {
    "text": f"<p>{SENTENCE * 8}<a href=/leaf>leaf</a></p>\n",
    "plain": f"<p>{SENTENCE * 8}</p>\n",
    "tags": "<b>x</b><i>y</i>",
    "links": f"<a href=/leaf/{'x' * 1800}>leaf</a>\n",
    "styles": "a{color:red}" * 80 + "b{background:url(/leaf.png)}\n",
}
TYPES = {"styles": "text/css"}


def repeated(unit):
    return (unit * (BYTES // len(unit) + 1)).encode()


BODIES = {kind: repeated(unit) for kind, unit in UNITS.items()}
RULES = b"User-agent: *\nDisallow: /secret\n" + b"# a line without rules\n" * (BYTES // 23)
MANY_RULES = b"User-agent: *\nDisallow: /secret\n" + b"".join(
    b"Disallow: /a/path/of/this/site/%d\n" % i for i in range(BYTES // 34)
)
PACKED = {"packed": gzip.compress(BODIES["text"], 1), "dense": gzip.compress(b" " * BYTES, 9)}
TOGETHER = threading.Barrier(COUNT)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def begin(self, kind, size, coding=None):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", size)
        if coding:
            self.send_header("Content-Encoding", coding)
        self.end_headers()

    def send_list(self, kind):
        link = "<a href=/{0}/{1}>x</a>"
        if kind == "styles":
            link = "<link rel=stylesheet href=/{0}/{1}>"
        if kind in ("hosts", "rules"):
            host = f"http://{kind}{{1}}.example/"
            link = f"<a href={host}>x</a><a href={host}secret>x</a><a href={host}2>x</a>\n"
        page = "".join(link.format(kind, i) for i in range(COUNT)).encode()
        self.begin("text/html", len(page))
        self.wfile.write(page)

    def send_heavy(self, body):
        self.wfile.write(memoryview(body)[:-TAIL])
        try:
            TOGETHER.wait(PATIENCE)
        except threading.BrokenBarrierError:
            pass
        self.wfile.write(body[-TAIL:])

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path  # a proxy gets the whole URL
        kind, *rest = path[1:].split("/")
        body = PACKED.get(kind) or BODIES.get(kind)
        if path == "/robots.txt" and self.headers["Host"].endswith(".example"):
            rules = MANY_RULES if self.headers["Host"].startswith("rules") else RULES
            self.begin("text/plain", len(rules))
            self.send_heavy(rules)
        elif kind in ("hosts", "rules") or (body and not rest):
            self.send_list(kind)
        elif body is None:
            self.begin("text/plain", 0)
        else:
            self.begin(TYPES.get(kind, "text/html"), len(body), "gzip" if kind in PACKED else None)
            self.send_heavy(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
