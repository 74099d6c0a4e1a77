"""Runs every command that README.md and the manuals show, against a small site on loopback.

    shown_commands.py PROGRAM SOURCE_FOLDER [PAGE...]

The commands of a page run in their order, in one folder, by bash. The names of its examples become
the address of the site. A command must succeed and print every line that the page shows below it;
"..." stands for others.
"""

import http.server
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

# Pages about commands that only developers run.
NOT_FOR_USERS = {"benchmarks.md", "performance.md", "site.md", "tour.md"}
# What cannot run here, and why.
NOT_HERE = {
    "docker ": "needs a container engine",
    "linkchecker": "compares with another program",
    "127.0.0.1:18811": "compares with another program",
    "./gossamer package": "the install tests run it",
    "./gossamer test": "this is a test",
    "socks5://": "needs a proxy",
    "--resolve": "needs an address that is not on loopback",
    "| source": "needs fish",
    "| slurp": "needs elvish",
    "man -l": "needs man",
    "fetch --render": "needs a browser; the render tests run it",
    "fetch --screenshot": "the same", "fetch --pdf": "the same",
    "apt install chromium": "installs it",
    "socat": "needs socat",
    "gossamer serve": "runs until it is stopped; the serve tests run it",
    "9100": "needs this port; the control tests run it",
    "museum/control &": "runs until it is stopped; the serve tests run it",
    "redis://": "needs servers; the cluster tests run it",
    "redis-cli": "needs servers; the cluster tests run it",
    "cluster export": "needs the directories of nodes; the cluster tests run it",
    "--login-url": "the login tests run it",
}
SECONDS_MAX = 300
PAGE = "<title>A page</title><h1>A page</h1><a href=/docs/>docs</a> <a href=/docs/a.html>a</a>" \
       " <a href=/old/>old</a>"
FILES = {
    "urls.txt": "https://example.com/\nhttps://example.com/docs/\n",
    "sitemap.xml": "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
                   "<url><loc>https://example.com/docs/</loc></url></urlset>",
    "page.html": "<title>T</title><a href=x>x</a>",
    "product.html": "<h1>Kettle</h1><p class=price>19.90</p><img src=kettle.png>"
                    "<a class=next href=/page2>next</a>",
    "list.html": "<div class=card><a href=kettle><h3>Kettle</h3></a><p class=price>19.90</p></div>"
                 "<div class=card><a href=pot><h3>Pot</h3></a></div>",
    "article.html": "<html lang=en><title>Kettles</title>"
                    "<meta name=description content='A test of kettles'>"
                    "<link rel=canonical href=/kettles><meta name=author content='Ann Bee'>"
                    "<meta property=og:title content=Kettles>"
                    "<script type=application/ld+json>{\"@type\": \"Article\", "
                    "\"datePublished\": \"2026-05-04\"}</script>"
                    "<nav><a href=/>Home</a></nav><article><h1>Kettles</h1>"
                    "<p>The kettle boils a litre of water in <b>two minutes</b>, which is fast. "
                    "It is quiet, light and cheap, and <a href=/tests>we like it</a>.</article>"
                    "<div id=comments><p>Me, too</div>",
    "fields.toml": "[extract]\nname = 'h1'\nprice = '.price'\npictures = ['img@src']\n"
                   "next = 'a.next@href'\n",
    "robots.txt": "User-agent: *\nDisallow: /private\n",
    "form.txt": "name=value",
    "README.md": "[docs](docs/a.md)\n",
    "docs/a.md": "# A\n",
    ".netrc": "machine example.com login me password secret\n",
}


class Site(http.server.BaseHTTPRequestHandler):
    """Answers with the same page for every path; /slow hangs until the test ends."""

    protocol_version = "HTTP/1.1"
    slow = threading.Event()

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/slow":
            Site.slow.wait(SECONDS_MAX)
        is_there = self.path != "/robots.txt"
        body = PAGE.encode() if is_there else b""
        self.send_response(200 if is_there else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if self.command != "HEAD" else b"")

    do_HEAD = do_GET

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


def blocks(text):
    """The commands of console blocks, each with what is shown below it."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        block = block.replace("\\\n", " ")
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield re.sub(r"\s+#\s.*", "", command).strip(), output.strip()


def local(text, port):
    """Examples of the manuals become the local site."""
    site = f"http://127.0.0.1:{port}"
    text = re.sub(r"https?://[a-z]+\.example(\.com)?(?=[/ \n<]|$)", site, text)
    text = text.replace("https://example.com", site)
    text = re.sub(r"(?<![\w./@-])example\.com(?![\w.])", f"127.0.0.1:{port}", text)
    return text.replace("localhost:8080", f"127.0.0.1:{port}")


def without_chance(text):
    """Ports and speeds differ from run to run. `ls` prints one name per line in a pipe."""
    text = re.sub(r"127\.0\.0\.1:\d+", "HOST", text)
    text = re.sub(r"in [\d.]+ m?s \([\d,.]+/s\)", "in TIME", text)
    return " ".join(text.split())


def wait_for_socket(path):
    until = time.monotonic() + SECONDS_MAX
    while time.monotonic() < until:
        with socket.socket(socket.AF_UNIX) as client:
            if client.connect_ex(str(path)) == 0:
                return
        time.sleep(0.05)


class Page:
    """One manual, its folder, and the site."""

    def __init__(self, path, program, port):
        self.path = path
        self.port = port
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gossamer_shown_"))
        self.background = []
        (self.folder / "bin").mkdir()
        (self.folder / "docs").mkdir()
        for name in ["bin/gossamer", "gossamer"]:
            (self.folder / name).symlink_to(program)
        for name, content in FILES.items():
            (self.folder / name).write_text(local(content, port), encoding="utf-8")
        self.environment = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "LANG": "C.UTF-8",
                            "HOME": str(self.folder)}

    def start(self, command):
        return subprocess.Popen(["bash", "-c", command], cwd=self.folder, env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, start_new_session=True)

    def run(self, command, output):
        """What is wrong with it; nothing: it works as shown."""
        control = self.folder / "control"
        shell = re.sub(r"\bURL(\.\.\.)?(?=\s|$)", "https://example.com/", command)
        shell = local(shell, self.port).replace("/tmp/crawl", str(control))
        if "--control" in command:
            self.background.append(self.start(shell.replace("-o ", "--no-robots -o ")
                                              .replace(f":{self.port}/", f":{self.port}/slow")))
            wait_for_socket(control)
            return None
        if shell == "gossamer crawl":  # the file that `gossamer init` has written names no site
            file = self.folder / "gossamer.toml"
            url = f'url = ["http://127.0.0.1:{self.port}/"]'
            file.write_text(file.read_text().replace("[crawl]", "[crawl]\n" + url))
        process = self.start(shell)
        try:
            printed = process.communicate(timeout=SECONDS_MAX)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "does not end"
        if process.returncode != 0:
            return f"exit code {process.returncode}\n{printed}"
        missing = [line for line in output.splitlines()
                   if line != "..." and
                   without_chance(local(line, self.port)) not in without_chance(printed)]
        return f"does not print {missing}, but\n{printed[-2000:]}" if missing else None

    def problems(self):
        runs = 0
        for command, output in blocks(self.path.read_text(encoding="utf-8")):
            if any(part in command for part in NOT_HERE):
                continue
            runs += 1
            problem = self.run(command, output)
            if problem:
                yield f"{self.path.name}: $ {command}\n{problem}"
        if runs == 0 and "$ " in self.path.read_text(encoding="utf-8"):
            print(f"{self.path.name}: no command runs here")

    def close(self):
        for process in self.background:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def main():
    program, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    pages = [source / "README.md", *sorted((source / "docs").glob("*.md"))]
    pages = [page for page in pages if page.name not in NOT_FOR_USERS and
             (len(sys.argv) == 3 or page.name in sys.argv[3:])]
    server = Server(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    problems = []
    for path in pages:
        page = Page(path, program, server.server_port)
        problems.extend(page.problems())
        page.close()
        subprocess.run(["rm", "-rf", page.folder], check=True)
    Site.slow.set()
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
