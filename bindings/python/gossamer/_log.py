"""Lines of the crawls for the logger `gossamer`."""

import logging

from . import _core

_log = logging.getLogger("gossamer")
_log.addHandler(logging.NullHandler())


def write_log() -> None:
    """Write the lines that wait. The threads of crawls never take the GIL to do it."""
    for level, line in _core.take_log():
        _log.log(logging.ERROR if level == "error" else logging.WARNING, line.rstrip("\n"))
