"""Our Python package in a plain loop that reads the URL and the status of every page."""

from job import CRAWLERS, PYTHON, Contestant


def command(job):
    crawler = CRAWLERS / "gossamer_crawler.py"
    return [PYTHON, "-B", str(crawler), f"{job.build}/python", "for", job.url, str(job.at_once)]


CONTESTANT = Contestant(
    name="gossamer, `for` in Python",
    key="python_for",
    kind="ours",
    command=command,
    version=("{build}/gossamer", "--version"),
)
