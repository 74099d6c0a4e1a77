"""What a contestant is, and what it is asked to do."""

import dataclasses
import importlib
import pathlib
from collections.abc import Callable

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CRAWLERS = HERE / "crawlers"
PYTHON = "/usr/bin/python3"  # Debian's, which Debian's packages are for


@dataclasses.dataclass(frozen=True)
class Job:
    """Fetch every page that can be reached from url, each once."""

    url: str
    at_once: int  # fetches that the server may be expected to bear
    folder: str  # empty, on tmpfs, for whatever has to be written
    build: str  # where Gossamer was built
    packages: str  # where npm installed this contestant
    paths: tuple = ()  # of the whole site, for those who do not look for them


@dataclasses.dataclass(frozen=True)
class Contestant:
    name: str  # for people
    command: Callable  # Job -> argv
    version: tuple  # argv that prints it; {build} and {packages} are filled in
    key: str = ""  # for the command line
    kind: str = "peer"  # or "ours", or "floor"
    well: tuple = (0,)  # exit codes of a crawl that went well
    needs_nginx: bool = False  # it shows nothing on other servers
    npm: pathlib.Path | None = None  # a folder with package.json
    environment: dict = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        if not self.key:
            object.__setattr__(self, "key", self.name)


# In the order of the tables.
MODULES = (
    "gossamer", "gossamer_records", "wget2", "aiohttp", "wget", "scrapy_tuned", "crawlee",
    "httrack", "scrapy_plain", "linkchecker", "wrk",
)
# Those of `./gossamer bench python`. Ours is the first, and the others are compared with it.
PYTHON_MODULES = (
    "python_for", "python_async_for", "gossamer", "aiohttp", "scrapy_tuned", "requests_threads",
)


def contestants(modules=MODULES):
    """All of them, by key."""
    loaded = [importlib.import_module(f"contestants.{name}").CONTESTANT for name in modules]
    return {contestant.key: contestant for contestant in loaded}
