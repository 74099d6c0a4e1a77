"""Sites for the tests: the synthetic site with its known truth, and a small one of ours."""

import http.server
import os
import socket
import subprocess
import threading
import time

import pytest

from programs import PATIENCE

SITE_SERVER = os.environ["GOSSAMER_SITE_SERVER"]
IS_SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
# The server has its own sanitizer, if any.
OWN = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


class Site:
    """A synthetic site on loopback, and how many requests it got."""

    def __init__(self, *options):
        self.options = ["--seed", "7", *options]
        self.process = subprocess.Popen(
            [SITE_SERVER, *self.options], stdout=subprocess.PIPE, text=True, env=OWN)
        self.url = self.process.stdout.readline().split()[1]
        self.port = self.url.split(":")[2].rstrip("/")

    def compare(self, pages):
        """Return what `site_server --compare` says about a crawl; empty: it is correct."""
        done = subprocess.run(
            [SITE_SERVER, *self.options, "--port", self.port, "--compare", "-"],
            input="".join(page.json + "\n" for page in pages),
            capture_output=True, text=True, check=False, env=OWN)
        return done.stdout + done.stderr if done.returncode else ""

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="session")
def site():
    """400 pages with a bit of everything."""
    made = Site()
    yield made
    made.close()


@pytest.fixture(scope="session")
def large_site():
    """Pages enough for crawls that are left early."""
    made = Site("--plain", "--pages", "20000")
    yield made
    made.close()


ARTICLE = "<p>" + "A long paragraph about spiders, webs, and threads. " * 8
PAGES = {
    "/": "<title>Home</title><a href=a>a</a> <a href='/b#x'>b</a> <a href=a>again</a>",
    "/a": f"<title>Caf\u00e9</title><nav><a href=/>home</a></nav>"
          f"<article><h1 class='big one' id=top>Webs</h1>{ARTICLE}{ARTICLE}</article>",
    "/b": "<title>B</title>",
    "/slow": "<title>Slow</title>",
    "/large": f"<article>{(ARTICLE + '<a href=/a>a</a>') * 2000}</article>",
    "/links": "<a href=/a>a</a>\n<a href=/missing>missing</a> <a href='/a#top'>top</a>"
              "<a href='/a#nowhere'>nowhere</a> <a href=/to>to</a>",
}


class SmallSite(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        status, fields = 200, [("Content-Type", "text/html; charset=iso-8859-1")]
        body = PAGES.get(self.path, "").encode("iso-8859-1")
        if self.path.startswith("/slow"):
            if self.path.endswith("?seconds=1"):
                self.connection.settimeout(1)
            self.connection.recv(1)  # until the client has enough of it
            return
        if self.path == "/echo":
            body = (self.headers["X-Echo"] or "").encode()
        elif self.path == "/fields":
            fields += [(f"X-{i}", "x" * 700) for i in range(300)] + [("X-Long", "x" * 70_000)]
        elif self.path == "/data":
            fields, body = [("Content-Type", "application/octet-stream")], bytes(range(256))
        elif self.path == "/paper":
            fields, body = [("Content-Type", "application/pdf")], b"%PDF"
        elif self.path == "/from":
            status, fields = 302, [("Location", "/to")]
        elif self.path == "/to":
            status, fields = 301, [("Location", "/b")]
        elif self.path not in PAGES and self.path != "/fields":
            status = 404
        self.send_response(status)
        for name, value in [*fields, ("X-Two", "1"), ("X-Two", "2")]:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # a crawl that is left early closes its connections


@pytest.fixture(scope="session")
def small_site():
    """A few pages that the tests know by heart; its URL, without the last slash."""
    server = Server(("127.0.0.1", 0), SmallSite)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def nobody():
    """A URL where no server listens."""
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{reserved.getsockname()[1]}/"


def count_threads():
    """Return how many threads this process has, also those that Python does not know.

    Those of RocksDB belong to the process.
    """
    count = 0
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/comm", encoding="utf-8") as file:
                count += not file.read().startswith("rocksdb")
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has ended
    return count


@pytest.fixture
def no_more_threads(site, large_site, small_site):
    """Fail if the test leaves a thread behind."""
    before = count_threads()
    yield
    end = time.monotonic() + PATIENCE
    while count_threads() > before and time.monotonic() < end:
        time.sleep(0.01)  # threads of the small site's server
    assert count_threads() <= before
