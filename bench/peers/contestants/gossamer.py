"""Gossamer as it is shipped, but for the output and, where answers are slow, for --concurrency.

On the own machine there are no pauses, and robots.txt is asked for; 64 fetches at once are the
default, and the slow site has 5,000: peers that can have more there than elsewhere, too.
Links are extracted, resolved, deduplicated, recorded and counted. Records are made of every page;
only the URLs of them are written, to nowhere: the peers write none either.
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
