"""Gossamer with its defaults, except for the output and, on the slow site, --concurrency.

On this machine there are no pauses, and robots.txt is fetched. The default is 64 concurrent
fetches; the slow site gets 5,000, as do peers that support more there. Links are extracted,
resolved, deduplicated, recorded and counted. Every page gets a record; only the URLs are written,
to /dev/null: the peers write none either.
"""

from job import Contestant


def command(job):
    return [
        f"{job.build}/gossamer", "crawl", "--no-config", "--no-proxy", "--quiet",
        "--concurrency", str(job.at_once),
        "--format", "urls", "--output", "/dev/null",
        job.url,
    ]


CONTESTANT = Contestant(
    name="gossamer",
    kind="ours",
    command=command,
    version=("{build}/gossamer", "--version"),
    # 8: a page that is linked is not there.
    well=(0, 8),
)
