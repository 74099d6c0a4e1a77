#!/usr/bin/env python3
"""Runs one stage of the tour against a small site on loopback and holds its output against what
docs/tour.md says it prints.

    run_stage.py STAGE PROGRAM
"""

import http.server
import re
import subprocess
import sys
import threading

# A site of 12 pages: a ring with chords, so every page is reached on several ways. /missing is
# linked and not there.
PAGES = {
    f"/page/{n}": [f"/page/{(n + 1) % 10}", f"/page/{(3 * n) % 10}"] for n in range(10)
}
PAGES["/"] = ["/page/0", "/page/5", "/about"]
PAGES["/about"] = ["/", "/missing"]


class Site(http.server.BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):
        Site.asked.append(self.path)
        links = PAGES.get(self.path)
        body = "".join(f'<p><a href="{link}">{link}</a></p>\n' for link in links or [])
        self.send_response(200 if links else 404, "OK" if links else "Not Found")
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<html><body>{body}</body></html>".encode())

    def log_message(self, *_):
        pass


ALICE_AND_BOB = "".join(
    f"{name}, turn {turn}: first half\n{name}, turn {turn}: second half\n"
    for turn in (1, 2, 3)
    for name in ("alice", "bob")
)

# stage -> [(arguments after the port, regular expression for the whole output, exit code)]
EXPECTED = {
    "01_threads": [
        (["/", "/about", "/page/3"], r"/: 3 links\n/about: 2 links\n/page/3: 2 links\n", 0)
    ],
    "02_busy_loop": [(["/about"], r"/about: 2 links\nasked the kernel .*\n", 0)],
    "03_callbacks": [
        (
            [],
            r"/missing failed; the stack knows only this:\n"
            r"  in Fetcher::follow_links\n  in Fetcher::read_response\n"
            r"  in run_loop\n  in main\n13 pages\n",
            0,
        )
    ],
    "04_bare_coroutines": [(["/"], r"/: 3 links\n", 0)],
    "05_fetch": [
        (["/"], r"/: 3 links\n", 0),
        (
            ["/missing"],
            r"/missing failed; the stack is all there:\n"
            r"  #0 examples/05_fetch.cc:\d+ in .*count_links.*\n"
            r"  #1 examples/05_fetch.cc:\d+ in .*report.*\n"
            r"  spawned at examples/05_fetch.cc:\d+ in int main.*\n/missing: 0 links\n",
            0,
        ),
    ],
    "06_delegation": [(["/about"], r"/about: 2 links\n", 0)],
    "07_worker_queue": [([], r"13 pages, 1 failed\n", 0)],
    "08_generator": [(None, r"2\n8\n128\n32768\n", 0)],
    "09_shared_list": [(None, re.escape(ALICE_AND_BOB), 0)],
    "10_chess": [(None, r"one by one: 12 h 0 s\nround the tables: 1 h 55 s\n", 0)],
}


def main():
    stage, program = sys.argv[1:]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    failed = 0
    for arguments, pattern, code in EXPECTED[stage]:
        Site.asked.clear()
        command = [program]
        if arguments is not None:
            command += [str(server.server_port), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=200)
        if done.returncode != code or not re.fullmatch(pattern, done.stdout):
            failed += 1
            print(f"{stage} {arguments}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        if len(Site.asked) != len(set(Site.asked)):
            failed += 1
            print(f"{stage} fetched a page twice: {sorted(Site.asked)}")
    server.shutdown()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
