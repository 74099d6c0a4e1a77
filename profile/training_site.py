"""The site that is crawled for a profile: documentation packages that no benchmark is about.

One nginx serves it three times: plainly, compressed, and over TLS.
"""

import contextlib
import dataclasses
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench" / "peers"))

import nginx  # noqa: E402: found in bench/peers, as is the next
import server  # noqa: E402

# Of different makers of pages; see setup/packages-train.txt.
PARTS = {
    "sqlite": ("/usr/share/doc/sqlite3", "index.html"),
    "django": ("/usr/share/doc/python-django-doc/html", "index.html"),
    "glib": ("/usr/share/gtk-doc/html", "glib/index.html"),
    "git": ("/usr/share/doc/git-doc", "git.html"),
    "xerces": ("/usr/share/doc/libxerces-c-doc/html", "index.html"),
    "htsjdk": ("/usr/share/doc/libhtsjdk-java/api", "index.html"),
}

HTTP = """
  access_log off;
  root pages;
  server {{ listen 127.0.0.1:{plain} backlog=4096; }}
  server {{ listen 127.0.0.1:{compressed} backlog=4096; gzip on; gzip_comp_level 1; }}
  server {{
    listen 127.0.0.1:{secure} ssl backlog=4096;
    ssl_certificate server.pem;
    ssl_certificate_key server.key;
  }}
"""


@dataclasses.dataclass(frozen=True)
class Site:
    plain: int  # ports
    compressed: int
    secure: int

    def urls(self, way, parts=tuple(PARTS)):
        """Where to begin a crawl of these parts."""
        scheme = "https" if way == "secure" else "http"
        return [f"{scheme}://127.0.0.1:{getattr(self, way)}/{part}/{PARTS[part][1]}"
                for part in parts]


def lacking():
    """Folders that are not there."""
    return [folder for folder, start in PARTS.values()
            if not pathlib.Path(folder, start).exists()]


def certify(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=site",
                    "-keyout", folder / "server.key", "-out", folder / "server.pem"],
                   check=True, capture_output=True)


@contextlib.contextmanager
def serving(folder):
    """Serves the site meanwhile, from an empty folder. Yields a Site; raises ServerFailed."""
    (folder / "pages").mkdir()
    for name, (target, _) in PARTS.items():
        (folder / "pages" / name).symlink_to(target)
    certify(folder)
    with server.reserved_port() as compressed, server.reserved_port() as secure:
        def command(port):
            return nginx.command(
                folder, HTTP.format(plain=port, compressed=compressed, secure=secure))

        with server.serving(command, folder / "errors", signal.SIGTERM) as plain:
            yield Site(plain, compressed, secure)
