"""The same in an event loop."""

from job import CRAWLERS, PYTHON, Contestant


def command(job):
    crawler = CRAWLERS / "gossamer_crawler.py"
    return [PYTHON, "-B", str(crawler), f"{job.build}/python", "async", job.url, str(job.at_once)]


CONTESTANT = Contestant(
    name="gossamer, `async for` in Python",
    key="python_async_for",
    kind="ours",
    command=command,
    version=("{build}/gossamer", "--version"),
)
