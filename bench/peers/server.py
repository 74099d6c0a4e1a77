"""Starts a server on the core of servers, and ends it."""

import contextlib
import http.client
import pathlib
import socket
import subprocess
import time

import measure

START_SECONDS_MAX = 60
END_SECONDS_MAX = 60  # it may have a log to write
TRIES = 3
WORDS_MAX = 300  # characters of what it said
ASKED_FOR = "/robots.txt"  # no page, and nobody's crawl is judged by it


class ServerFailed(RuntimeError):
    """It did not start, with what it said about that."""


@contextlib.contextmanager
def reserved_port():
    """A port that is given to nobody else meanwhile.

    A server that sets SO_REUSEADDR, as all do, can listen there all the same: we do not.
    """
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


def answers(process, port):
    """Waits until a server answers. False if it ended, or took too long.

    That it listens is not enough: it may have pages to make before it looks who is there.
    """
    end = time.monotonic() + START_SECONDS_MAX
    while (left := end - time.monotonic()) > 0 and process.poll() is None:
        with (contextlib.suppress(OSError, http.client.HTTPException),
              contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, left)) as asking):
            asking.request("GET", ASKED_FOR)
            asking.getresponse().read()
            return process.poll() is None  # otherwise another process listens there
        time.sleep(0.01)
    return False


def started(command_at, output):
    """A server and its port. command_at: port -> argv; its errors go to the file output."""
    for _ in range(TRIES):
        with reserved_port() as port, open(output, "wb") as errors:
            process = measure.start(command_at(port), measure.SERVER_CORE,
                                    stdout=subprocess.DEVNULL, stderr=errors)
            is_there = False
            try:
                is_there = answers(process, port)
            finally:
                if not is_there:
                    kill(process)
            if is_there:
                return process, port
    words = pathlib.Path(output).read_text(encoding="utf-8", errors="replace").strip()
    raise ServerFailed(f"the server did not start: {words[-WORDS_MAX:] or 'it said nothing'}")


def kill(process):
    if process.poll() is None:
        measure.end_group(process)
        process.wait()


@contextlib.contextmanager
def serving(command_at, output, how_to_end):
    """Runs a server meanwhile, on a port that is yielded. Raises ServerFailed.

    In the end it is asked to leave, by a signal, so that its log is whole.
    """
    process, port = started(command_at, output)
    try:
        yield port
        process.send_signal(how_to_end)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_SECONDS_MAX)
    finally:
        kill(process)
