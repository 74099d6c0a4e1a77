"""HTTrack: a mirror on tmpfs; it cannot do without files.

--priority=1: pages only. --disable-security-limits, --max-rate=0 and --connection-per-second lift
what it does to be kind. No robots.txt, no cache, no logs, no index, no retries.
"""

from job import Contestant

SOCKETS_MAX = 64


def command(job):
    return [
        "httrack", job.url, "--path", f"{job.folder}/mirror", "--quiet",
        "--disable-security-limits", "--max-rate=0", "--connection-per-second=10000",
        f"--sockets={min(job.at_once, SOCKETS_MAX)}", "--robots=0", "--priority=1", "--cache=0",
        "--do-not-log", "--index=0", "--retries=0", "--keep-alive", "--stay-on-same-address",
        "--depth=9999", "--verbose=0",
    ]


CONTESTANT = Contestant(
    name="HTTrack",
    key="httrack",
    command=command,
    version=("httrack", "--version"),
)
