"""Gossamer as it is shipped, everything at its default but for the output.

On the own machine there are no pauses, 64 fetches at once and robots.txt is asked for; links are
extracted, resolved, deduplicated, recorded and counted. Records are made of every page; only the
URLs of them are written, to nowhere: the peers write none either.
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
