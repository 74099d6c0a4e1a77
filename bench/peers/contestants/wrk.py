"""wrk: the floor. It requests every URL of the site repeatedly and reads no content.

The requests are prepared before the run, so that the next one costs almost nothing.
"""

import pathlib

from job import Contestant

SECONDS = 2
SCRIPT = """
local requests = {{}}
local at = 0
function init(args)
  for path in io.lines("{folder}/paths") do requests[#requests + 1] = wrk.format("GET", path) end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
"""


def command(job):
    folder = pathlib.Path(job.folder)
    (folder / "paths").write_text("".join(path + "\n" for path in job.paths), encoding="utf-8")
    script = folder / "script.lua"
    script.write_text(SCRIPT.format(folder=job.folder), encoding="utf-8")
    site = "/".join(job.url.split("/")[:3])
    return ["wrk", "-t1", f"-c{job.at_once}", f"-d{SECONDS}s", "-s", str(script), site]


CONTESTANT = Contestant(
    name="wrk",
    kind="floor",
    command=command,
    version=("wrk", "--version"),
)
