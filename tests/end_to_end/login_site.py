"""A site behind a login, for tests.

    login_site.py LOG PORT OTHER [EXPIRE]

serves on PORT of every address and writes a line of JSON about every request to LOG: method, path,
body and the fields that tell who asks. OTHER is the URL of another site that pages link to.

    /            links to everything below
    /login       a form: POST with a token, the user "me" and the password "hunter2"
    /p1 .. /p9   pages for those who are logged in; others are sent to /login
    /logout      ends the session; so does /leave, which only its text gives away
    /basic/      wants jan:hunter2 by Basic, and has two pages
    /digest/     wants the same by Digest (SHA-256), and has two pages
    /away        redirects to OTHER

After EXPIRE pages the session ends once.
"""

import base64
import hashlib
import http.server
import json
import re
import secrets
import sys
import threading

PASSWORD = "hunter2"
PAGES = 9
REALM = "there"


class State:
    lock = threading.Lock()
    tokens = set()
    sessions = set()
    nonces = {}
    pages_until_end = int(sys.argv[4]) if len(sys.argv) > 4 else 0


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def note(self, body):
        fields = ("Authorization", "Cookie", "X-Token", "Accept-Language")
        line = {"method": self.command, "path": self.path, "body": body}
        line.update({name: self.headers[name] for name in fields if name in self.headers})
        with State.lock, open(sys.argv[1], "a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def say(self, status, body="", *fields):
        text = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def session(self):
        found = re.search(r"session=(\w+)", self.headers.get("Cookie", ""))
        return found.group(1) if found else None

    def form(self, message=""):
        token = secrets.token_hex(8)
        State.tokens.add(token)
        self.say(200, f"<title>Login</title><p>{message}<form action='' method=post>"
                 f"<input type=hidden name=csrf value='{token}'><input name=user>"
                 "<input type=password name=password><button name=go value=1>In</button></form>",
                 ("Set-Cookie", f"pre={token}; Path=/login"))

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.note(body)
        given = dict(part.split("=", 1) for part in body.split("&") if "=" in part)
        token = given.get("csrf", "")
        if token not in State.tokens or f"pre={token}" not in self.headers.get("Cookie", ""):
            return self.say(403, "a forged form")
        State.tokens.discard(token)
        if given.get("user") != "me" or given.get("password") != PASSWORD:
            return self.form("wrong")
        session = secrets.token_hex(8)
        State.sessions.add(session)
        return self.say(303, "", ("Location", "/home"),
                        ("Set-Cookie", f"session={session}; Path=/; HttpOnly"))

    def do_GET(self):
        self.note("")
        path = self.path.split("?")[0]
        if path == "/robots.txt":
            return self.say(404)
        if path == "/login":
            return self.form()
        if path == "/away":
            return self.say(302, "", ("Location", sys.argv[3]))
        if path.startswith("/basic/"):
            return self.basic()
        if path.startswith("/digest/"):
            return self.digest()
        if path in ("/logout", "/leave"):
            State.sessions.discard(self.session())
            return self.say(200, "bye")
        page = re.fullmatch(r"/p([1-9])|/home", path)
        if page:
            return self.page(int(page.group(1) or 0))
        if path == "/":
            return self.say(200, "<a href=/home>home</a><a href=/basic/>b</a>"
                            f"<a href=/digest/>d</a><a href=/away>a</a>"
                            f"<a href='{sys.argv[3]}linked'>other</a>")
        return self.say(404, "no such page")

    def page(self, number):
        session = self.session()
        with State.lock:
            if State.pages_until_end > 0:
                State.pages_until_end -= 1
                if State.pages_until_end == 0:
                    State.sessions.discard(session)
        if session not in State.sessions:
            return self.say(302, "", ("Location", "/login?next=" + self.path))
        following = range(number + 1, min(number + 3, PAGES + 1))
        links = "".join(f"<a href=/p{n}>{n}</a>" for n in following)
        return self.say(200, f"<title>page {number}</title><a href=/logout>Bye</a>"
                        f"<a href=/leave>Log out</a>{links}")

    def basic(self):
        wanted = "Basic " + base64.b64encode(f"jan:{PASSWORD}".encode()).decode()
        if self.headers.get("Authorization") != wanted:
            return self.say(401, "", ("WWW-Authenticate", f'Basic realm="{REALM}"'))
        return self.say(200, "<title>basic</title><a href=/basic/2>2</a>")

    def digest(self):
        if not self.is_digest_right():
            nonce = secrets.token_hex(8)
            State.nonces[nonce] = 0
            return self.say(401, "", ("WWW-Authenticate",
                                      f'Digest realm="{REALM}", nonce="{nonce}", qop="auth", '
                                      "algorithm=SHA-256"))
        return self.say(200, "<title>digest</title><a href=/digest/2>2</a>")

    def is_digest_right(self):
        told = self.headers.get("Authorization", "")
        parts = dict(re.findall(r'(\w+)="?([^",]+)"?', told))
        nonce = parts.get("nonce")
        if not told.startswith("Digest ") or nonce not in State.nonces:
            return False
        count = int(parts.get("nc", "0"), 16)
        if count <= State.nonces[nonce] or parts.get("uri") != self.path:
            return False
        State.nonces[nonce] = count
        first = sha(f"jan:{REALM}:{PASSWORD}")
        second = sha(f"{self.command}:{self.path}")
        wanted = sha(f"{first}:{nonce}:{parts['nc']}:{parts['cnonce']}:auth:{second}")
        return parts.get("response") == wanted


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("0.0.0.0", int(sys.argv[2])), Site).serve_forever()
