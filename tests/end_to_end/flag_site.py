"""A small site on which every flag of every command makes a difference.

    flag_site.py LOG PORT TLS_PORT MUTUAL_PORT CERTIFICATE KEY

The first folder of a path names the run that asks, so that runs do not disturb each other; the rest
is the page. LOG gets a line of JSON about every request: path and fields, how many requests of its
run are being answered ("busy"), and whether it came less than SOON after the one before ("soon").
"""

import gzip
import http.server
import json
import pathlib
import re
import ssl
import sys
import threading
import time

LOCK = threading.Lock()
SEEN = {}
BUSY = {}  # how many requests of a run are being answered
LAST = {}  # when the last request of a run came
LOOKS = {}  # how often the state of a shared crawl was read
SOON = 0.7  # seconds
LIBRARY = pathlib.Path(__file__).parents[2] / "src/run/cluster/function_library.h"
LAYOUT = re.search(r'kLayoutVersion = "(\d+)"', LIBRARY.read_text(encoding="utf-8"))[1].encode()
HTML = "text/html; charset=utf-8"

PAGES = {
    "": "<title>Root</title><a href=a.html>a</a><a href=d1.html>d</a><a href=private/p.html>p</a>"
        "<a rel=nofollow href=nf.html>n</a><a href=file.zip>z</a><img src=pic.png>"
        "<a href='a.html?x=1'>x</a><a href='a.html?x=2'>x</a><a href=#gone>g</a>"
        "<a href=" + "l" * 300 + ".html>l</a><a href=http://127.0.0.1:1/>e</a>",
    "small": "<title>Small</title><a href=a.html>a</a><a href=b.html>b</a>",
    "a.html": "<title>A</title><p id=here>a", "b.html": "<title>B</title>b",
    "d1.html": "<a href=d2.html>d</a>", "d2.html": "<a href=d3.html>d</a>", "d3.html": "deep",
    "private/p.html": "private", "nf.html": "<a href=beyond.html>b</a>", "beyond.html": "beyond",
    "only.html": "by sitemap alone", "wide": "<a href=slow.1>1</a><a href=slow.2>2</a>",
    "twins": "<a href=twin1.html>1</a><a href=twin2.html>2</a>",
    "twin1.html": "the same " * 20, "twin2.html": "the same " * 20,
    "scripted": "<script>open('/%s/a.html')</script>",
    "alike": "<a href=alike1.html>1</a><a href=alike2.html>2</a>",
    "alike1.html": "<p>" + " ".join(map(str, range(99))),
    "alike2.html": "<p>" + " ".join(map(str, range(98))),
    "trap": "<a href=t/a/b/a/b/a/b/a/b/a/b/end.html>t</a>",
    "order": "<a href=o1.html>1</a><a href=o2.html>2</a>",
    "o1.html": "1", "o2.html": "<a href=o3.html>3</a>", "o3.html": "3",
    "out": "<a href=out/leave.html>Log out</a><a href=a.html>a</a>", "out/leave.html": "bye",
    "broken": "<a href=missing.html>m</a>", "moved": "<a href=hop301>m</a>",
    "fragment": "<a href=a.html#nowhere>f</a>",
    "host": "<a href=http://127.0.0.2:%s/%s/a.html>other</a>",
    "form": "<form method=post action=enter><input name=user>"
            "<input type=password name=word></form>",
    "utf": "<a href='\u00e4.html'>\u00e4</a>",
}


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_one_request(self):
        if self.rfile.peek(1)[:1] == b"*":
            return self.answer_as_redis()
        if self.rfile.peek(4)[:4] == b"PRI ":  # the first words of HTTP/2
            self.close_connection = True
            return None
        return super().handle_one_request()

    def answer_as_redis(self):
        """Answers one command of RESP, enough of them for `gossamer cluster`."""
        words = []
        for _ in range(int(self.rfile.readline()[1:])):
            words.append(self.rfile.read(int(self.rfile.readline()[1:]) + 2)[:-2])
        info = b"redis_version:7.0.15\r\nused_memory:1\r\naof_enabled:1\r\n"
        answers = {
            b"CLUSTER": b"-ERR This instance has cluster support disabled\r\n",
            b"INFO": b"$%d\r\n%s\r\n" % (len(info), info),
            b"TIME": b"*2\r\n$1\r\n1\r\n$1\r\n0\r\n",
            b"HMGET": self.fields_of(words) if words[0] == b"HMGET" else b"",
            b"SCAN": b"*2\r\n$1\r\n0\r\n*0\r\n",
            b"FCALL": b":1\r\n",
            b"HGET": b":0\r\n",
            b"ZCARD": b":0\r\n",
            b"LLEN": b":0\r\n",
            b"UNLINK": b":0\r\n",
        }
        self.wfile.write(answers.get(words[0], b"*0\r\n"))
        self.close_connection = False

    def fields_of(self, words):
        """The state of a shared crawl: it runs. The second look at one named "ends..." ends it."""
        fields = {b"v": LAYOUT, b"s": b"s", b"r": b"0", b"c": b"run", b"b": b"1", b"i": b"1"}
        if words[1].startswith(b"G{ends"):
            LOOKS[words[1]] = LOOKS.get(words[1], 0) + 1
            fields[b"e"] = b"done" if LOOKS[words[1]] > 1 else None
        values = [None if words[1][:1] == b"C" and name != b"v" else fields.get(name)
                  for name in words[2:]]
        parts = [b"$-1\r\n" if value is None else b"$%d\r\n%s\r\n" % (len(value), value)
                 for value in values]
        return b"*%d\r\n" % len(parts) + b"".join(parts)

    def log_message(self, *_):
        pass

    def say(self, status, body=b"", kind=HTML, *fields):
        body = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def run_and_page(self):
        path = re.sub(r"^http://[^/]+", "", self.path).split("?")[0]
        run, _, page = path.lstrip("/").partition("/")
        return run, page

    def note(self, body):
        run = self.run_and_page()[0]
        with LOCK, open(sys.argv[1], "a", encoding="utf-8") as log:
            now = time.monotonic()
            line = {"method": self.command, "path": self.path, "body": body,
                    "busy": BUSY.get(run, 0), "soon": now - LAST.get(run, 0) < SOON,
                    "fields": dict(self.headers.items())}
            LAST[run] = now
            log.write(json.dumps(line) + "\n")

    def do_HEAD(self):
        self.do_GET()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.note(body)
        if self.path.endswith("/enter"):
            good = "word=hunter2" in body
            return self.say(200 if good else 403, "welcome", HTML,
                            ("Set-Cookie", "session=1; Path=/"))
        return self.say(200, f"{self.command} {body}")

    do_PUT = do_POST

    def do_GET(self):
        run, _ = self.run_and_page()
        with LOCK:
            BUSY[run] = BUSY.get(run, 0) + 1
        try:
            self.answer()
        finally:
            with LOCK:
                BUSY[run] -= 1

    def answer(self):
        self.note("")
        run, page = self.run_and_page()
        if run == "robots.txt":
            return self.say(200, "User-agent: *\nDisallow: /*/private/\n", "text/plain")
        if run == "sitemap.xml":
            root = f"http://{self.headers['Host']}/map"
            return self.say(200, f"<urlset><url><loc>{root}/only.html</loc></url>"
                            f"<url><loc>{root}/broken</loc></url></urlset>", "application/xml")
        special = getattr(self, "page_" + page.split(".")[0].split("/")[0], None)
        if special:
            return special(run)
        if page == "host":
            return self.say(200, PAGES[page] % (self.server.server_port, run))
        if page == "scripted":
            return self.say(200, PAGES[page] % run)
        if page in PAGES:
            return self.say(200, PAGES[page])
        if page.endswith("end.html"):
            return self.say(200, "trapped")
        return self.say(404, "no such page")

    def page_pic(self, _):
        self.say(200, b"png", "image/png")

    def page_file(self, _):
        self.say(200, b"zip", "application/zip")

    def page_slow(self, _):
        time.sleep(0.7)
        self.say(200, "slow")

    def page_ad(self, _):
        self.say(200, f"<p>text</p><!-- {time.monotonic_ns()} -->")

    def page_hang(self, _):
        threading.Event().wait()

    def page_drip(self, _):
        self.send_response(200)
        self.send_header("Content-Length", "10")
        self.end_headers()
        self.wfile.write(b"x")
        self.wfile.flush()
        time.sleep(0.7)
        self.wfile.write(b"x" * 9)

    def page_big(self, _):
        self.say(200, "<a href=a.html>a</a>" + "x" * 300_000)

    def page_hop(self, _):
        number = int(re.search(r"hop\.(\d)", self.path)[1])
        self.say(302, "", HTML, ("Location", f"hop.{number - 1}" if number > 1 else "a.html"))

    def page_hop301(self, _):
        self.say(301, "", HTML, ("Location", "a.html"))

    def page_away(self, run):
        place = f"http://127.0.0.2:{self.server.server_port}/{run}/a.html"
        self.say(302, "", HTML, ("Location", place))

    def page_later(self, run):
        with LOCK:
            SEEN[run] = SEEN.get(run, 0) + 1
        if SEEN[run] == 1:
            return self.say(503, "", HTML, ("Retry-After", "2"))
        return self.say(200, "at last")

    def page_flaky(self, run):
        with LOCK:
            SEEN[run] = SEEN.get(run, 0) + 1
        if SEEN[run] == 1:
            self.close_connection = True
            return None
        return self.say(200, "at last")

    def page_cookie(self, _):
        self.say(200, "<a href=a.html>a</a>", HTML, ("Set-Cookie", "id=7; Path=/; Max-Age=1000"))

    def page_basic(self, _):
        if self.headers.get("Authorization") == "Basic amFuOmh1bnRlcjI=":
            return self.say(200, "let in")
        return self.say(401, "", HTML, ("WWW-Authenticate", 'Basic realm="r"'))

    def page_gz(self, _):
        body = b"packed"
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            return self.say(200, gzip.compress(body), HTML, ("Content-Encoding", "gzip"))
        return self.say(200, body)


def serve(port, context=None):
    server = http.server.ThreadingHTTPServer(("0.0.0.0", port), Site)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def context(is_mutual, alpn=None):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(sys.argv[5], sys.argv[6])
    if is_mutual:
        made.verify_mode = ssl.CERT_REQUIRED
        made.load_verify_locations(sys.argv[5])
    if alpn:
        made.set_alpn_protocols([alpn])
    return made


if __name__ == "__main__":
    serve(int(sys.argv[3]), context(False))
    serve(int(sys.argv[4]), context(True))
    # It chooses HTTP/2 where that is offered, and does not speak it.
    serve(int(sys.argv[7]), context(False, "h2"))
    serve(int(sys.argv[2]))
    threading.Event().wait()
