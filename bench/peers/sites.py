"""The sites that are crawled, each behind a server on its own core that logs every request."""

import contextlib
import dataclasses
import json
import pathlib
import signal
import socket
import subprocess
import time
from urllib.parse import urlsplit

import measure
import tally
import truth

START_SECONDS_MAX = 60

NGINX = """
daemon off;
master_process off;
pid nginx.pid;
error_log stderr crit;
events {{ worker_connections 8192; }}
http {{
  include /etc/nginx/mime.types;
  log_format asked '$status $request_method $request_uri';
  access_log access.log asked buffer=256k;
  sendfile on;
  keepalive_requests 1000000000;
  add_header LinkChecker on;  # or LinkChecker pauses between two requests, whatever it is told
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    root {folder};
  }}
}}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until_it_accepts(process, port):
    begin = time.monotonic()
    while time.monotonic() - begin < START_SECONDS_MAX and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.01)
    raise RuntimeError("the server did not start")


@contextlib.contextmanager
def serving(command, port, how_to_end, **options):
    """Runs a server meanwhile."""
    process = measure.start(command, measure.SERVER_CORE, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, **options)
    try:
        wait_until_it_accepts(process, port)
        yield
    finally:
        process.send_signal(how_to_end)
        try:
            process.wait(START_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            measure.end_group(process)
            process.wait()


class Visit:
    """One crawl: where it begins and, once the server has ended, what was asked for."""

    def __init__(self, url):
        self.url = url
        self.requests = []


@dataclasses.dataclass(frozen=True)
class Documentation:
    """A Debian documentation package behind nginx, one worker."""

    key: str
    package: str
    folder: str
    start: str
    at_once: int = 64

    @property
    def title(self):
        return self.package

    def is_there(self):
        return pathlib.Path(self.folder + self.start).exists()

    def suits(self, contestant):
        del contestant
        return True

    def expected(self, work):
        version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", self.package],
                                 capture_output=True, text=True, check=False).stdout
        return truth.reachable_paths(self.folder, self.start,
                                     work.kept / f"{self.package}_{version.replace(':', '-')}.txt")

    @contextlib.contextmanager
    def visit(self, work, folder):
        del work
        port = free_port()
        folder = pathlib.Path(folder)
        (folder / "nginx.conf").write_text(NGINX.format(port=port, folder=self.folder),
                                           encoding="utf-8")
        visit = Visit(f"http://127.0.0.1:{port}{self.start}")
        command = ["/usr/sbin/nginx", "-p", str(folder), "-c", "nginx.conf", "-e", "stderr"]
        with serving(command, port, signal.SIGTERM):
            yield visit
        with open(folder / "access.log", encoding="utf-8", errors="replace") as lines:
            visit.requests = tally.read_nginx_log(lines)


@dataclasses.dataclass(frozen=True)
class Synthetic:
    """The site that nobody wrote: pages of 10 KB and 36 links; with a delay before every answer."""

    key: str
    title: str
    pages: int
    at_once: int = 64
    delay: str = ""

    def is_there(self):
        return True

    def suits(self, contestant):
        """Who only waits has no floor."""
        return not contestant.needs_nginx and not (self.delay and contestant.kind == "floor")

    def command(self, work, port):
        return [f"{work.build}/gossamer", "serve-site", "--plain", "--pages", str(self.pages),
                "--port", str(port), "--cache", "1G", "--warm",
                *(["--delay", self.delay] if self.delay else [])]

    def expected(self, work):
        lines = subprocess.run([*self.command(work, 80), "--truth"], capture_output=True,
                               text=True, check=True).stdout.splitlines()
        sure, possible = {}, {}
        for entry in map(json.loads, lines):
            parts = urlsplit(entry["url"])
            path = parts.path + ("?" + parts.query if parts.query else "")
            possible[path] = entry["status"]
            if entry["must_fetch"]:
                sure[path] = entry["status"]
        return sure, possible

    @contextlib.contextmanager
    def visit(self, work, folder):
        port = free_port()
        log = pathlib.Path(folder, "requests.jsonl")
        visit = Visit(f"http://127.0.0.1:{port}/")
        with serving([*self.command(work, port), "--log", str(log)], port, signal.SIGINT):
            yield visit
        with open(log, encoding="utf-8") as lines:
            visit.requests = tally.read_site_log(lines)


SITES = {
    site.key: site
    for site in (
        Documentation("postgresql", "postgresql-doc-15", "/usr/share/doc/postgresql-doc-15/html",
                      "/index.html"),
        Documentation("cppreference", "cppreference-doc-en-html",
                      "/usr/share/cppreference/doc/html", "/en/index.html"),
        Documentation("python", "python3.11-doc", "/usr/share/doc/python3.11/html", "/index.html"),
        Documentation("javadoc", "openjdk-17-doc", "/usr/share/doc/openjdk-17-doc/api",
                      "/index.html"),
        Synthetic("synthetic", "synthetic site", pages=10_000),
        Synthetic("slow", "synthetic site, 200 ms an answer", pages=60_000, at_once=5_000,
                  delay="200ms"),
    )
}
