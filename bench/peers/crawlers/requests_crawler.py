"""A crawler on requests and threads: requests_crawler.py URL THREADS

Each thread has its own session, whose connections are kept alive, and takes URLs from a queue.
"""

import html
import queue
import re
import sys
import threading
from urllib.parse import urljoin, urlsplit

import requests

LINK = re.compile(
    rb"""<(?:a|area|frame|iframe)\s[^>]*?\b(?:href|src)\s*=\s*["']?([^\s"'<>]+)""", re.I
)


class Crawler:
    def __init__(self, root):
        self.host = urlsplit(root).netloc
        self.seen = {root}
        self.lock = threading.Lock()
        self.queue = queue.SimpleQueue()
        self.queue.put(root)
        self.open = 1  # URLs that are queued or being fetched
        self.is_done = threading.Event()

    def work(self):
        with requests.Session() as session:
            session.trust_env = False  # or it looks for proxies and passwords at every request
            while (url := self.queue.get()) is not None:
                try:
                    self.fetch(session, url)
                except (requests.RequestException, ValueError):
                    pass  # that page is missing; the thread continues
                with self.lock:
                    self.open -= 1
                    if self.open == 0:
                        self.is_done.set()

    def fetch(self, session, url):
        response = session.get(url, allow_redirects=False)
        if response.is_redirect:
            self.add(urljoin(url, response.headers.get("Location", "")))
        elif response.status_code == 200 and response.headers.get(
                "Content-Type", "").startswith("text/html"):
            references = {link.partition(b"#")[0] for link in LINK.findall(response.content)}
            for reference in references - {b""}:
                self.add(urljoin(url, html.unescape(reference.decode("utf-8", "replace"))))

    def add(self, url):
        url = url.partition("#")[0]
        if urlsplit(url).netloc != self.host:
            return
        with self.lock:
            if url in self.seen:
                return
            self.seen.add(url)
            self.open += 1
        self.queue.put(url)


def main():
    crawler, count = Crawler(sys.argv[1]), int(sys.argv[2])
    threads = [threading.Thread(target=crawler.work) for _ in range(count)]
    for thread in threads:
        thread.start()
    crawler.is_done.wait()
    for _ in threads:
        crawler.queue.put(None)
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
