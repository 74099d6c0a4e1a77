"""Pages that misbehave in a browser.

    bad_site.py LOG PORT CANARY

/ links to /KIND/1 and so on, as many as /?pages=N says, of all kinds in turn. LOG gets a line about
every request. Port CANARY answers nobody; LOG gets a line "canary" when it is reached.
"""

import http.server
import socket
import sys
import threading
import urllib.parse

LOG, PORT, CANARY = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
LOCK = threading.Lock()
HUGE = 2 * 1024 * 1024 * 1024

# Each has a link in its HTML, which is found whatever its scripts do.
KINDS = {
    "good": "document.write('<a href=/made>made</a>')",
    "loop": "for (;;);",
    "late-loop": "setTimeout(() => { for (;;); }, 10)",
    "alerts": "for (;;) alert('again')",
    "memory": "const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()))",
    "buffers": "const all = []; for (;;) all.push(new Uint8Array(1e8).fill(7))",
    "parts": "for (let i = 0; i < 5000; ++i) fetch('/part?' + i)",
    "huge": "fetch('/huge').then((answer) => answer.text())",
    "away": "for (let i = 0; i < 20; ++i) fetch('/away?' + i, {mode: 'no-cors'})",
    "never": "fetch('/never'); fetch('/never?2')",
    "reload": "location.reload()",
    "leave": "setInterval(() => { location = '/elsewhere?' + Math.random() }, 10)",
    "windows": "setInterval(() => open('/window?' + Math.random()), 10)",
    "grow": "setInterval(() => document.body.append('x'.repeat(1e6)), 1)",
    "nodes": "for (let i = 0, e = document.body; i < 20000; ++i) "
             "e = e.appendChild(document.createElement('div'))",
    "routes": "for (let i = 0; i < 5000; ++i) history.pushState({}, '', '/route/' + i)",
    "workers": "for (let i = 0; i < 4; ++i) new Worker(URL.createObjectURL("
               "new Blob(['for (;;);'])))",
    "frames": "for (let i = 0; i < 200; ++i) document.body.append("
              "document.createElement('iframe'))",
    "prints": "setInterval(() => { print(); confirm('x'); prompt('y') }, 1)",
    "throws": "setInterval(() => { throw new Error('x'.repeat(1e6)) }, 1)",
}


def log(line):
    with LOCK, open(LOG, "a", encoding="utf-8") as file:
        file.write(line + "\n")


def links(count):
    names = list(KINDS)
    return "".join(f"<a href=/{names[i % len(names)]}/{i}>{i}</a>\n" for i in range(count))


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        log(f"GET {self.path}")
        url = urllib.parse.urlsplit(self.path)
        kind = url.path.split("/")[1]
        if url.path == "/":
            count = int(urllib.parse.parse_qs(url.query)["pages"][0])
            return self.answer("text/html", links(count))
        if kind in KINDS:
            return self.answer(
                "text/html", f"<a href=/found/{url.path.split('/')[2]}>found</a>"
                f"<script>{KINDS[kind]}</script>")
        if kind == "away":
            return self.answer("text/plain", "", 302)
        if kind == "huge":
            return self.answer_hugely()
        if kind == "never":
            self.connection.recv(1)  # until the client has enough
            return None
        return self.answer("text/plain", "a text")

    def answer(self, kind, body, status=200):
        data = body.encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", f"http://127.0.0.1:{CANARY}/redirected")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def answer_hugely(self):
        self.send_response(200)
        self.send_header("Content-Length", str(HUGE))
        self.end_headers()
        piece = bytes(1024 * 1024)
        try:
            for _ in range(HUGE // len(piece)):
                self.wfile.write(piece)
        except OSError:
            self.close_connection = True
            return
        log("huge was read whole")

    def log_message(self, *_):
        pass


def watch():
    """Logs each contact with the canary."""
    canary = socket.create_server(("0.0.0.0", CANARY))
    while True:
        log(f"canary {canary.accept()[1]}")


threading.Thread(target=watch, daemon=True).start()
http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Site).serve_forever()
