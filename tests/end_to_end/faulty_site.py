"""Sites with known faults, for tests of `gossamer check`: faulty_site.py LOG SITE OTHER TLS CERT.

Serves the site on port SITE, another one that it links to on port OTHER, and one with TLS on port
TLS (certificate and key in the file CERT; "-": none, and nobody listens there). Every request is a
line of LOG: port, method, path.
"""

import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOG, SITE, OTHER, TLS, CERT = sys.argv[1], *(int(port) for port in sys.argv[2:5]), sys.argv[5]
ELSEWHERE = f"http://127.0.0.1:{OTHER}"
NOBODY = f"http://127.0.0.1:{TLS}"  # without a certificate

INDEX = f"""<!doctype html><title>Faulty</title>
<link rel=stylesheet href=/style.css>
<p><a href="/fine">Fine</a> <a href="/missing">The missing page</a>
<a href="/moved">Moved</a> <a href="/for-now">For now</a>
<a href="/fine#here">Here</a> <a href="/fine#gone">Gone place</a> <a href="#own">own</a>
<a id=own href="#not-own">Not own</a>
<img src="/no.png"> <img src="/yes.png">
<a href="{ELSEWHERE}/ok">Ok elsewhere</a>
<a href="{ELSEWHERE}/gone">Gone elsewhere</a>
<a href="{ELSEWHERE}/no-head">No head</a>
<a href="{ELSEWHERE}/private/x">Robots</a>
<a href="{ELSEWHERE}/teapot">Teapot</a>
<a href="{ELSEWHERE}/chain">Chain to nothing</a>
<a href="{ELSEWHERE}/ok#unread">Place elsewhere</a>
<a href="{NOBODY}/">Nobody</a>
<a href="mailto:a@b.example">m</a> <a href="tel:1">t</a> <a href="javascript:void(0)">j</a>
<a href="irc://chat.example/">Irc</a> <a href="htp://typo.example/">Typo</a>
<a href="/excluded/x">Excluded</a> <a href="/loop">Loop</a>
<a href="/hostile">Hostile</a> <a href="http://[">No URL</a>
"""

HOSTILE = (
    "<a href='/missing-2?a=%3Cb%3E&amp;c=\"|`'>\x1b[31mred</a>\n"
    "<a href=/missing-3>&lt;script&gt;alert(1)&lt;/script&gt; | `x` ]]&gt; \u202ertl</a>\n"
)

HTML = "text/html; charset=utf-8"
PAGES = {
    (SITE, "/"): (200, HTML, INDEX),
    (SITE, "/fine"): (200, HTML, "<p id=here>\n\n  <a href=/missing>again</a>\n"),
    (SITE, "/hostile"): (200, HTML, HOSTILE),
    (SITE, "/style.css"): (200, "text/css", "\na { background: url(/no-bg.png) }\n"),
    (SITE, "/yes.png"): (200, "image/png", "x"),
    (SITE, "/moved"): (301, "", "/fine"),
    (SITE, "/for-now"): (302, "", "/fine"),
    (SITE, "/loop"): (302, "", "/loop-2"),
    (SITE, "/loop-2"): (302, "", "/loop"),
    (OTHER, "/robots.txt"): (200, "text/plain", "User-agent: *\nDisallow: /private/\n"),
    (OTHER, "/ok"): (200, HTML, "<p id=read><a href=/never-asked-for>x</a>"),
    (OTHER, "/no-head"): (200, HTML, "only for GET"),
    (OTHER, "/members"): (403, HTML, "no programs"),
    (OTHER, "/busy"): (429, HTML, "later"),
    (OTHER, "/teapot"): (418, HTML, "short and stout"),
    (OTHER, "/chain"): (301, "", "/gone"),
    (OTHER, "/i.png"): (200, "image/png", "x"),
    (TLS, "/"): (
        200,
        HTML,
        f"<p>\n<img src={ELSEWHERE}/i.png>\n<a href={ELSEWHERE}/ok>Insecure</a>\n",
    ),
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        port = self.server.server_address[1]
        with LOCK, open(LOG, "a") as log:
            log.write(f"{port} {self.command} {self.path}\n")
        status, kind, text = PAGES.get((port, self.path), (404, HTML, "not here"))
        if self.command == "HEAD" and self.path == "/no-head":
            status, text = 405, ""
        is_moved = status in (301, 302)
        body = b"" if is_moved else text.encode()
        self.send_response(status)
        if is_moved:
            self.send_header("Location", text)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


LOCK = threading.Lock()
servers = [ThreadingHTTPServer(("127.0.0.1", port), Handler) for port in (SITE, OTHER)]
if CERT != "-":
    secure = ThreadingHTTPServer(("127.0.0.1", TLS), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERT)
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    servers.append(secure)
for server in servers[1:]:
    threading.Thread(target=server.serve_forever, daemon=True).start()
servers[0].serve_forever()
