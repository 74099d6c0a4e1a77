"""A crawler on asyncio and aiohttp, after the chapter that everybody learns it from."""

from job import CRAWLERS, PYTHON, Contestant

AT_ONCE_MAX = 1000  # its core is full with 300


def command(job):
    crawler = CRAWLERS / "aiohttp_crawler.py"
    return [PYTHON, "-B", str(crawler), job.url, str(min(job.at_once, AT_ONCE_MAX))]


CONTESTANT = Contestant(
    name="aiohttp",
    command=command,
    version=(PYTHON, "-c", "import aiohttp, uvloop; print(aiohttp.__version__)"),
)
