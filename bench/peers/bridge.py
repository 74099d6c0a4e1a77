"""CPU that the thread of Python takes for one page: bridge.py BUILD [PAGES]

The synthetic site is crawled in a plain loop and in an event loop, without bodies. What the thread
uses is the price of the bridge: wake-ups, objects, and the loop itself, which reads two members.
"""

import asyncio
import os
import subprocess
import sys
import time

BUILD = sys.argv[1]
PAGES = sys.argv[2] if len(sys.argv) > 2 else "20000"
TARGET_US = 2.0

sys.path.insert(0, BUILD + "/python")

import gossamer  # noqa: E402  # found in the build folder


class Waits:
    """Counts how often the thread slept."""

    def __init__(self):
        self.count = self.now()

    @staticmethod
    def now():
        with open(f"/proc/self/task/{os.getpid()}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("voluntary_ctxt_switches"):
                    return int(line.split()[1])
        return 0

    def since(self):
        return self.now() - self.count


def crawl(url):
    return gossamer.crawl(url, bodies=False)


def in_a_loop(url):
    return sum(page.status == 200 for page in crawl(url) if page.url)


async def count(url):
    found = 0
    async with crawl(url) as pages:
        async for page in pages:
            found += page.status == 200 and bool(page.url)
    return found


def in_an_event_loop(url):
    return asyncio.run(count(url))


def measure(name, function, url):
    waits, before, all_before = Waits(), time.thread_time(), time.process_time()
    pages = function(url)
    bridge = (time.thread_time() - before) * 1e6 / pages
    both = (time.process_time() - all_before) * 1e6 / pages
    verdict = "met" if bridge <= TARGET_US else "MISSED"
    print(f"{name:<10} {bridge:6.2f} us of Python's thread per page"
          f" (target {TARGET_US}, {verdict}),"
          f" {both:.0f} us of all threads, {pages / max(1, waits.since()):.1f} pages per wait")


def main():
    with subprocess.Popen([BUILD + "/site_server", "--plain", "--pages", PAGES],
                          stdout=subprocess.PIPE, text=True) as server:
        try:
            url = server.stdout.readline().split()[1]
            for name, function in (("for", in_a_loop), ("async for", in_an_event_loop)):
                measure(name, function, url)
        finally:
            server.terminate()
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
