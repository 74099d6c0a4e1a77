"""Waits that a signal always ends."""

from __future__ import annotations

import functools
import os
import select
import signal
import threading

_wake_by = functools.partial(signal.set_wakeup_fd, warn_on_full_buffer=False)
# A pipe of this process: Python writes to it when a signal has come. None: not made yet.
_pipe: tuple[int, int] | None = None


def _forget_pipe() -> None:
    global _pipe
    _pipe = None  # it is the parent's


os.register_at_fork(after_in_child=_forget_pipe)


def _open_pipe() -> tuple[int, int]:
    global _pipe
    if _pipe is None:
        made = os.pipe()
        for end in made:
            os.set_blocking(end, False)
        _pipe = made
    return _pipe


def wait_readable(descriptor: int) -> bool:
    """Wait until the descriptor is readable, or a signal has come. Return whether it is readable.

    Python runs the handlers of signals on the main thread, between its own instructions. A signal
    that comes in the moment before the system call, or to another thread, does not interrupt the
    wait. So the main thread waits for the pipe, too.
    """
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    if threading.current_thread() is not threading.main_thread():
        return bool(poll.poll())
    reader, writer = _open_pipe()
    poll.register(reader, select.POLLIN)
    before: list[int] = []
    ready = None
    try:
        # A handler may raise as soon as a call has returned, before its result is stored. So the
        # call that changes the descriptor also stores the one before.
        before.extend(map(_wake_by, (writer,)))
        ready = [found for found, _ in poll.poll()]
    finally:
        if before:
            signal.set_wakeup_fd(before[0])
            if ready is None or reader in ready:
                _pass_on(reader, before[0])
    return descriptor in ready


def _pass_on(reader: int, to: int) -> None:
    """Empty the pipe. An event loop that waited for signals before still gets them."""
    try:
        numbers = os.read(reader, 512)
        if to != -1:
            os.write(to, numbers)
    except BlockingIOError:
        pass  # no signal has come
