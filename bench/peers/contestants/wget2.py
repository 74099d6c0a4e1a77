"""Wget2: threads with a connection each.

On one core 16 threads do as well as 64 and better than 5, its default. --output-document=/dev/null
spares it the files: links are found in memory. --follow-tags with the attributes named, or it
follows every attribute of a tag.
"""

from job import Contestant

THREADS = 16
THREADS_MAX = 2000  # where answers are slow: 1,000 and 4,000 are slower


def command(job):
    threads = THREADS if job.at_once <= 64 else THREADS_MAX
    return [
        "wget2", "--no-config", "--no-proxy", "--quiet", "--recursive", "--level=inf",
        "--no-robots", "--tries=1", f"--max-threads={threads}",
        "--follow-tags=a/href,area/href,frame/src,iframe/src",
        "--output-document=/dev/null",
        job.url,
    ]


CONTESTANT = Contestant(
    name="wget2",
    command=command,
    version=("wget2", "--version"),
    well=(0, 8),
)
