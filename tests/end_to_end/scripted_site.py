"""A site whose links only scripts make, and a page that tries to leave.

    scripted_site.py LOG PORT CANARY

LOG gets a line about every request: its method and path. Port CANARY of TCP and UDP answers nobody;
LOG gets a line "canary" when it is reached.
"""

import http.server
import socket
import sys
import threading

LOG, PORT, CANARY = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
LOCK = threading.Lock()

APP = """<!DOCTYPE html><html><head><title>App</title></head><body><div id=app></div>
<script src=/app.js></script></body></html>"""
APP_SCRIPT = """
class Card extends HTMLElement {
  connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<a href=/shadow>s</a>'; }
}
customElements.define('x-card', Card);
fetch('/list.json').then((answer) => answer.json()).then((names) => {
  for (const name of names) {
    const link = document.createElement('a');
    link.href = name;
    link.textContent = 'to ' + name;
    document.getElementById('app').append(link);
  }
  document.body.append(document.createElement('x-card'));
  const shown = document.createElement('p');
  shown.textContent = 'cookies: ' + document.cookie;
  document.body.append(shown);
});
"""
# Everything that could carry a packet to another server.
HOSTILE = """<!DOCTYPE html><html><head><title>Hostile</title>
<link rel=dns-prefetch href=//canary.example><link rel=preconnect href=HTTP>
<link rel=prefetch href=HTTP/prefetch><link rel=preload as=script href=HTTP/preload>
<link rel=stylesheet href=HTTP/style><link rel=manifest href=HTTP/manifest></head>
<body><img src=HTTP/image><iframe src=HTTP/frame></iframe><video src=HTTP/video></video>
<form action=HTTP/form target=away method=post><input name=a value=b></form>
<a id=ping href=#x ping=HTTP/ping>x</a>
<script>
const attempt = (what) => { try { const done = what(); done?.catch?.(() => {}); } catch {} };
attempt(() => new WebSocket('WS/socket'));
attempt(() => new WebTransport('https://127.0.0.1:CANARY/transport'));
attempt(() => new EventSource('HTTP/events'));
attempt(() => navigator.sendBeacon('HTTP/beacon', 'x'));
attempt(() => fetch('HTTP/fetch'));
attempt(() => fetch('HTTP/plain', {mode: 'no-cors'}));
attempt(() => fetch('http://127.0.0.2:CANARY/other', {mode: 'no-cors'}));
attempt(() => fetch('/away', {mode: 'no-cors'}));
attempt(() => window.open('HTTP/window'));
attempt(() => document.forms[0].submit());
attempt(() => document.getElementById('ping').click());
attempt(() => new Worker('/worker.js'));
attempt(() => new SharedWorker('/worker.js'));
attempt(() => navigator.serviceWorker.register('/worker.js'));
attempt(() => {
  const peer = new RTCPeerConnection({iceServers: [
    {urls: 'stun:127.0.0.1:CANARY'},
    {urls: 'turn:127.0.0.1:CANARY?transport=tcp', username: 'u', credential: 'c'}]});
  peer.createDataChannel('x');
  return peer.createOffer().then((offer) => peer.setLocalDescription(offer));
});
setTimeout(() => {
  const link = document.createElement('a');
  link.href = '/done';
  document.body.append(link);
}, 3000);
setInterval(() => attempt(() => fetch('/poll')), 100);
</script></body></html>"""
WORKER = """
const attempt = (what) => { try { const done = what(); done?.catch?.(() => {}); } catch {} };
attempt(() => new WebSocket('WS/worker-socket'));
attempt(() => fetch('HTTP/worker-fetch', {mode: 'no-cors'}));
onconnect = () => attempt(() => fetch('HTTP/shared-fetch', {mode: 'no-cors'}));
"""
PAGES = {
    "/app": APP, "/hostile": HOSTILE,
    "/busy": "<script>setInterval(() => fetch('/poll'), 50)</script><p>never ready</p>",
    "/loop": "<a href=/before>b</a><script>for (;;);</script><a href=/behind>b</a>",
    "/late-loop": "<a href=/before>b</a><script>setTimeout(() => { for (;;); }, 10)</script>",
    "/reach": "<p id=p></p><script>fetch('http://localhost:CANARY/', {mode: 'no-cors'});"
              "fetch('/poll')</script>",
    "/later": "<p id=p></p><script>setTimeout(() => {"
              "document.body.innerHTML = '<a id=late href=/came-late>x</a>' }, 4000)</script>",
    "/scroll": "<style>p { height: 3000px }</style><p>x</p><script>"
               "addEventListener('scroll', () => {"
               "document.body.innerHTML = '<a href=/came-by-scroll>x</a>' })</script>",
    "/dialogs": "<script>alert(1); confirm(2); prompt(3);"
                "document.write('<a href=/after-dialogs>d</a>')</script>",
    "/leave": "<a href=/here>h</a><script>location.href = '/there'</script>",
}
PARTS = {
    "/app.js": ("text/javascript", APP_SCRIPT), "/worker.js": ("text/javascript", WORKER),
    "/list.json": ("application/json", '["/one", "/two"]'),
    "/poll": ("text/plain", "x"), "/text": ("text/plain", "only text"),
}


def log(line):
    with LOCK, open(LOG, "a", encoding="utf-8") as file:
        file.write(line + "\n")


def at_canary(text):
    return (text.replace("HTTP", f"http://127.0.0.1:{CANARY}")
            .replace("WS", f"ws://127.0.0.1:{CANARY}").replace("CANARY", str(CANARY)))


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        log(f"{self.command} {self.path} {self.headers.get('Cookie', '-')}")
        kind, body = PARTS.get(self.path, ("text/html; charset=utf-8", PAGES.get(self.path)))
        if self.path == "/away":
            return self.answer(302, "text/plain", "", f"http://127.0.0.1:{CANARY}/redirected")
        if body is None:
            return self.answer(404, "text/plain", "not here")
        return self.answer(200, kind, at_canary(body))

    do_POST = do_GET

    def answer(self, status, kind, body, location=None):
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if self.path == "/app":
            self.send_header("Set-Cookie", "seen=yes; Path=/")
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def watch(kind, name):
    """Logs each contact with the canary."""
    canary = socket.socket(socket.AF_INET, kind)
    canary.bind(("0.0.0.0", CANARY))
    if kind == socket.SOCK_STREAM:
        canary.listen()
    while True:
        contact = canary.accept() if kind == socket.SOCK_STREAM else canary.recvfrom(2048)
        log(f"canary {name} {contact[1]}")


for each in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    threading.Thread(target=watch, args=(each, each.name), daemon=True).start()
http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Site).serve_forever()
