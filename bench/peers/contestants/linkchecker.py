"""LinkChecker: checks every link of a site, and so crawls it.

Its limit of requests per second is lifted, which it heeds only because our nginx sends the field
LinkChecker along: elsewhere it pauses between two requests, and its speed would say nothing.
robots.txt is off, and nothing is told. 10 threads are its default: Python runs one of them at a
time, and more only wait for each other. Images, style sheets and scripts are not fetched.
"""

import pathlib

from job import Contestant

THREADS = 10

CONFIGURATION = """
[checking]
threads={threads}
maxrequestspersecond=1000000
robotstxt=0
recursionlevel=-1
[filtering]
checkextern=0
ignore=\\.(css|js|png|gif|jpg|svg|ico)([?#]|$)
[output]
log=none
status=0
warnings=0
verbose=0
"""


def command(job):
    file = pathlib.Path(job.folder, "linkcheckerrc")
    file.write_text(CONFIGURATION.format(threads=THREADS), encoding="ascii")
    return ["linkchecker", "--config", str(file), "--output", "none", job.url]


CONTESTANT = Contestant(
    name="LinkChecker",
    key="linkchecker",
    command=command,
    version=("linkchecker", "--version"),
    needs_nginx=True,
    # 1: broken links were found.
    well=(0, 1),
)
