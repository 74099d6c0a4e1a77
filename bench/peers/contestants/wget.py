"""GNU Wget: one connection, kept alive; it cannot do more.

--follow-tags: pages only, no pictures and style sheets. --delete-after: pages are written to tmpfs,
read for links and removed; recursion needs them as files. robots=off saves it the parsing of
nofollow. No configuration file, no log.
"""

from job import Contestant


def command(job):
    return [
        "wget", "--no-config", "--no-proxy", "--quiet", "--recursive", "--level=inf",
        "--execute=robots=off", "--tries=1", "--no-hsts",
        "--follow-tags=a,area,frame,iframe",
        "--delete-after", f"--directory-prefix={job.folder}",
        job.url,
    ]


CONTESTANT = Contestant(
    name="wget",
    command=command,
    version=("wget", "--version"),
    # 8: a page that is linked is not there.
    well=(0, 8),
)
