"""Runs a program and measures it: time, CPU and memory with all its children."""

import contextlib
import ctypes
import dataclasses
import itertools
import os
import pathlib
import resource
import select
import signal
import subprocess
import time

CORES = sorted(os.sched_getaffinity(0))  # those that we were given, before anybody pinned us
CLIENT_CORE = CORES[0]
SERVER_CORE = CORES[1 % len(CORES)]
LOOK_SECONDS_MAX = 0.1  # between two looks at it
LOOKING_MAX = 0.02  # the share of its time that we look at it
THREADS_MAX = 64  # of a process are looked at: the first ones, of which one starts the others
PATIENCE = 4  # times as long as it may take are waited in all

PR_SET_PDEATHSIG = 1
prctl = ctypes.CDLL(None).prctl


@dataclasses.dataclass(frozen=True)
class Cost:
    wall_s: float
    cpu_s: float  # user and system, of it and its children
    memory_bytes: int  # the most that was seen
    exit_code: int | None  # None: it was cut off
    denied_s: float  # it could have run, but others had its core


def threads_of(process):
    """Folders of its first threads."""
    with os.scandir(f"/proc/{process}/task") as threads:
        return [thread.path for thread in itertools.islice(threads, THREADS_MAX)]


def processes_of(root):
    """A process and all its descendants."""
    found = [str(root)]
    for process in found:  # grows meanwhile
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            for thread in threads_of(process):
                found += pathlib.Path(thread, "children").read_text(encoding="ascii").split()
    return found


def cpu_seconds(process):
    """User and system time of a process, with threads that have ended."""
    text = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    user, system = text.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def denied_seconds(processes):
    """How long these processes could have run and others had their core.

    A thread that waits for its turn may also wait for another one of these.
    """
    total, threads = 0.0, []
    for process in processes:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            total += cpu_seconds(process)
            for thread in threads_of(process):
                text = pathlib.Path(thread, "schedstat").read_text(encoding="ascii")
                ran, waited, _ = text.split()
                threads.append((int(ran) / 1e9, int(waited) / 1e9))
    return max((waited - (total - ran) for ran, waited in threads), default=0.0)


def memory_bytes(processes):
    """The peaks of their resident sets, together."""
    return sum(peak_bytes(process) for process in processes)


def peak_bytes(process):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
        with open(f"/proc/{process}/status", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    return 0


def own_peak_kib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def start(command, core, **options):
    """A process in a group of its own on one core, which ends when we do."""
    parent = os.getpid()

    def prepare():
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # we ended before the line above
            os._exit(1)
        os.sched_setaffinity(0, {core})

    return subprocess.Popen(
        command, process_group=0, preexec_fn=prepare, stdin=subprocess.DEVNULL, **options
    )


def end_group(process):
    """Kills a process that was not waited for yet, with its children."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


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
        try:
            memory, denied, is_cut = watch(process, begin, seconds_max)
            wall = time.monotonic() - begin
        finally:
            end_group(process)  # also whom it left behind: its number is taken until it is reaped
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
    if usage.ru_maxrss > own_peak_kib():  # else it may be ours, which a fork hands on
        memory = max(memory, 1024 * usage.ru_maxrss)
    return Cost(wall, usage.ru_utime + usage.ru_stime, memory,
                None if is_cut else process.returncode, denied)


def watch(process, begin, seconds_max):
    """Looks at a process until it has ended or its time is up; then it is killed.

    -> the most memory in bytes, seconds in which others had its core, whether it was killed
    """
    memory, denied, is_cut = 0, 0.0, False
    descriptor = os.pidfd_open(process.pid)
    try:
        ended = select.poll()
        ended.register(descriptor, select.POLLIN)
        wall = looked_s = 0.0
        while not ended.poll(1000 * seconds_between(wall, looked_s)):
            wall = time.monotonic() - begin
            looked_s = -time.process_time()
            processes = processes_of(process.pid)
            memory = max(memory, memory_bytes(processes))
            denied = max(denied, denied_seconds(processes))
            is_cut = wall - denied > seconds_max or wall > PATIENCE * seconds_max
            if is_cut:
                end_group(process)
                ended.poll()
                break
            looked_s += time.process_time()
    finally:
        os.close(descriptor)
    return memory, denied, is_cut


def seconds_between(wall_s, looked_s):
    """How long to wait before the next look.

    What ends soon is looked at often, or its peak would be missed; but looking has a core that the
    server could use, and what has thousands of threads takes long to look at.
    """
    return max(min(LOOK_SECONDS_MAX, 0.002 + wall_s / 20), looked_s / LOOKING_MAX)
