"""The sites that are crawled, each behind a server on its own core that logs every request."""

import contextlib
import dataclasses
import importlib.util
import json
import pathlib
import signal
import subprocess
from urllib.parse import urlsplit

import nginx
import server
import tally
import truth

HTTP = """
  log_format asked '$status $request_method $request_uri';
  access_log access.log asked buffer=256k;
  add_header LinkChecker on;  # or LinkChecker pauses between two requests, whatever it is told
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    root {folder};
  }}
"""


class Visit:
    """One crawl: its root and, after the server has ended, its requests."""

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

    def lacks(self):
        """What has to be installed before, or ""."""
        if not pathlib.Path(self.folder + self.start).exists():
            return self.package
        if not pathlib.Path(nginx.PROGRAM).exists():
            return "nginx"
        return "" if importlib.util.find_spec("lxml") else "lxml"

    def suits(self, contestant):
        del contestant
        return True

    def expected(self, work):
        version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", self.package],
                                 capture_output=True, text=True, check=False).stdout
        name = f"{self.package}_{version.replace(':', '-')}_{truth.digest()}.txt"
        return truth.reachable_paths(self.folder, self.start, work.kept / name)

    def read_all(self):
        """Nobody waits for the disk: not the first who comes either."""
        for file in pathlib.Path(self.folder).rglob("*"):
            if file.is_file():
                file.read_bytes()

    @contextlib.contextmanager
    def visit(self, work, folder):
        del work
        folder = pathlib.Path(folder)

        def command(port):
            return nginx.command(folder, HTTP.format(port=port, folder=self.folder))

        self.read_all()
        with server.serving(command, folder / "errors", signal.SIGTERM) as port:
            visit = Visit(f"http://127.0.0.1:{port}{self.start}")
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

    def lacks(self):
        return ""

    def suits(self, contestant):
        """Who only waits has no floor."""
        return not contestant.needs_nginx and not (self.delay and contestant.kind == "floor")

    def command(self, work, port):
        return [f"{work.build}/site_server", "--plain", "--pages", str(self.pages),
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
        log = pathlib.Path(folder, "requests.jsonl")

        def command(port):
            return [*self.command(work, port), "--log", str(log)]

        with server.serving(command, pathlib.Path(folder, "errors"), signal.SIGINT) as port:
            visit = Visit(f"http://127.0.0.1:{port}/")
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
