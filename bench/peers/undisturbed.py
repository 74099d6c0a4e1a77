"""In real time, servers and clients come before all other programs."""

import contextlib
import os
import pathlib

# The share of each second that the kernel lets real-time programs have, in microseconds; -1: all
# of it. 950000 is usual, and stops them for 50 ms in each second. Since Linux 6.12 other programs
# that starve get some of these milliseconds all the same; the figures tell what others had.
LIMIT = pathlib.Path("/proc/sys/kernel/sched_rt_runtime_us")


class NotAllowed(RuntimeError):
    """Real time is for root."""


@contextlib.contextmanager
def undisturbed(say, limit=LIMIT):
    """What is started meanwhile runs in real time. Raises NotAllowed.

    In the end the limit is what it was before.
    """
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))  # children inherit it
    except PermissionError as error:
        raise NotAllowed("--undisturbed needs root, or CAP_SYS_NICE") from error
    try:
        with lifted(say, limit):
            yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


@contextlib.contextmanager
def lifted(say, limit):
    """No limit meanwhile, if we may change it."""
    before = None
    try:
        try:
            before = limit.read_text(encoding="ascii")
            limit.write_text("-1\n", encoding="ascii")
        except OSError as error:
            before = None
            say(f"warning: other programs have a part of each second: {error}")
        yield
    finally:
        if before is not None:
            limit.write_text(before, encoding="ascii")
