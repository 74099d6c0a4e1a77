"""Runs a program and measures it: time, CPU and memory with all its children."""

import contextlib
import dataclasses
import os
import pathlib
import select
import signal
import subprocess
import time

CLIENT_CORE = 0
SERVER_CORE = 1
SAMPLE_SECONDS_MAX = 0.1
PATIENCE = 4  # times as long as it may take are waited in all


@dataclasses.dataclass(frozen=True)
class Cost:
    wall_s: float
    cpu_s: float  # user and system, of it and its children
    memory_bytes: int  # the most that was seen
    exit_code: int | None  # None: it was cut off
    denied_s: float  # it could have run, but others had its core


def processes_of(root):
    """A process and all its descendants."""
    found = [str(root)]
    for process in found:  # grows meanwhile
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            for thread in os.scandir(f"/proc/{process}/task"):
                found += pathlib.Path(thread.path, "children").read_text(encoding="ascii").split()
    return found


def cpu_seconds(process):
    """User and system time of a process, with threads that have ended."""
    text = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    user, system = text.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def denied_seconds(root):
    """How long a process with its descendants could have run and others had its core.

    A thread that waits for its turn may also wait for another one of these.
    """
    total, threads = 0.0, []
    for process in processes_of(root):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            total += cpu_seconds(process)
            for thread in os.scandir(f"/proc/{process}/task"):
                text = pathlib.Path(thread.path, "schedstat").read_text(encoding="ascii")
                ran, waited, _ = text.split()
                threads.append((int(ran) / 1e9, int(waited) / 1e9))
    return max((waited - (total - ran) for ran, waited in threads), default=0.0)


def memory_bytes(root):
    """The peaks of the resident sets of a process and its descendants, together."""
    return sum(peak_bytes(process) for process in processes_of(root))


def peak_bytes(process):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
        with open(f"/proc/{process}/status", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    return 0


def start(command, core, **options):
    """A process in a group of its own on one core."""
    def prepare():
        os.sched_setaffinity(0, {core % os.cpu_count()})

    return subprocess.Popen(
        command, process_group=0, preexec_fn=prepare, stdin=subprocess.DEVNULL, **options
    )


def end_group(process, how=signal.SIGKILL):
    try:
        os.killpg(process.pid, how)
    except ProcessLookupError:
        pass


def run(command, seconds_max, environment=None, output=None):
    """Runs the command on the core of clients; kills it when its time is up. -> Cost

    Time in which others have the core does not count, or a busy machine would cut off everybody;
    but there is an end to that, too.
    """
    with contextlib.ExitStack() as stack:
        target = stack.enter_context(open(output, "wb")) if output else subprocess.DEVNULL
        begin = time.monotonic()
        process = start(command, CLIENT_CORE, env={**os.environ, **(environment or {})},
                        stdout=target, stderr=target)
        stack.callback(end_group, process)  # also whom it left behind
        descriptor = os.pidfd_open(process.pid)
        stack.callback(os.close, descriptor)
        ended = select.poll()
        ended.register(descriptor, select.POLLIN)
        return watch(process, ended, begin, seconds_max)


def watch(process, ended, begin, seconds_max):
    """Waits until the process has ended, or its time is up. -> Cost

    ended: a poll object that wakes when it has.
    """
    memory, denied, is_cut = 0, 0.0, False
    while True:
        memory = max(memory, memory_bytes(process.pid))
        denied = max(denied, denied_seconds(process.pid))
        done, status, usage = os.wait4(process.pid, os.WNOHANG)
        wall = time.monotonic() - begin
        if done:
            break
        is_cut = is_cut or wall - denied > seconds_max or wall > PATIENCE * seconds_max
        if is_cut:
            end_group(process)
        ended.poll(1000 * min(SAMPLE_SECONDS_MAX, 0.002 + wall / 20))
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(wall, usage.ru_utime + usage.ru_stime, memory,
                None if is_cut else process.returncode, denied)
