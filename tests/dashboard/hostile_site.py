#!/usr/bin/env python3
"""A small museum site with pages that attack the programs that show them.

hostile_site.py CANARY SECONDS: nothing may ever connect to the port CANARY; /slow takes SECONDS.
Prints its own port.
"""

import http.server
import sys
import time

ATTACK = (
    "<script>top.pwned=1</script><img src=x onerror=top.pwned=1>"
    "<svg onload=top.pwned=1><a href=javascript:top.pwned=1>"
)


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def pages(canary):
    head = "<!doctype html><html lang=en><link rel=stylesheet href=/style.css>"
    outside = f"http://127.0.0.1:{canary}"
    return {
        "/": f"{head}<title>Museum</title><h1>Museum</h1><p>Welcome to the halls.</p>"
             "<a href=/stone>Stone</a> <a href=/attack>Attack</a> <a href=/slow>Slow</a>"
             "<img src=/lost.png alt='A lost picture'>",
        "/stone": f"{head}<title>The Stone Age</title><p>Tools of flint from the river.</p>"
                  "<a href=/forgotten style='position:fixed;inset:0'>everywhere</a>",
        "/attack": f"{head}<title>{escaped(ATTACK)} flint</title><p>flint {escaped(ATTACK)}</p>"
                   f"<h1>It ran</h1>{ATTACK}<meta http-equiv=refresh content='0;{outside}/a'>"
                   f"<link rel=stylesheet href={outside}/b><link rel=preload as=image "
                   f"href={outside}/c><img src={outside}/d><iframe src={outside}/e></iframe>"
                   f"<form action={outside}/f><input autofocus onfocus=top.pwned=1></form>"
                   f"<script>fetch('{outside}/g');new WebSocket('ws://127.0.0.1:{canary}/h');"
                   f"top.location='{outside}/i'</script><style>@import '{outside}/j';"
                   f"body{{background:url({outside}/k)}}</style>"
                   "<script type=application/ld+json>{\"name\":\"</script>"
                   "<script>top.pwned=1</script>\"}</script>",
    }


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    pages = {}

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/slow":
            time.sleep(float(sys.argv[2]))
        kind, body = "text/html; charset=utf-8", self.pages.get(self.path)
        if self.path == "/style.css":
            kind, body = "text/css", "body { background: rgb(255, 238, 221) }"
        data = (body or "<title>Not found</title>").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


Site.pages = pages(sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
print(server.server_address[1], flush=True)
server.serve_forever()
