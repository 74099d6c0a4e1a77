"""A crawler on requests and a pool of threads."""

from job import CRAWLERS, PYTHON, Contestant

AT_ONCE = 16  # more threads only wait for the GIL


def command(job):
    crawler = CRAWLERS / "requests_crawler.py"
    return [PYTHON, "-B", str(crawler), job.url, str(min(job.at_once, AT_ONCE))]


CONTESTANT = Contestant(
    name="requests, threads",
    key="requests_threads",
    command=command,
    version=(PYTHON, "-c", "import requests; print(requests.__version__)"),
)
