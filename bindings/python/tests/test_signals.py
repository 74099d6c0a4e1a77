"""Ctrl-C and other signals."""

import _thread
import functools
import operator
import os
import random
import signal
import sys
import time

import pytest

import gossamer
from gossamer._signals import wait_readable
from programs import expect_interrupt, run, start

pytestmark = pytest.mark.usefixtures("no_more_threads")

IS_LONG = bool(os.environ.get("GOSSAMER_LONG"))

# Each of them waits for a page that does not come.
WAITING = {
    "loop":
        "print('waiting', flush=True)\n"
        "for page in gossamer.crawl(url, no_robots=True): pass\n",
    "event loop":
        "async def main():\n"
        "    async with gossamer.crawl(url, no_robots=True) as pages:\n"
        "        print('waiting', flush=True)\n"
        "        async for page in pages: pass\n"
        "asyncio.run(main())\n",
    "check":
        "print('waiting', flush=True)\n"
        "gossamer.check(url)\n",
    "check in an event loop":
        "async def main():\n"
        "    print('waiting', flush=True)\n"
        "    await gossamer.check_async(url)\n"
        "asyncio.run(main())\n",
    # The handler of a signal runs on the main thread, but any thread can receive the signal. Then
    # no system call of the main thread is interrupted. The same happens if it comes just before
    # the call.
    "loop with another thread":
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
        "def receive():\n"
        "    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])\n"
        "    print('waiting', flush=True)\n"
        "    time.sleep(3600)\n"
        "threading.Thread(target=receive, daemon=True).start()\n"
        "for page in gossamer.crawl(url, no_robots=True): pass\n",
}
BEGIN = """
import asyncio, os, signal, sys, threading, time, gossamer
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it in the background
url = sys.argv[1]
"""


@pytest.fixture
def alarm():
    """Let SIGALRM raise KeyboardInterrupt."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    yield signal.SIGALRM
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("_", range(3))  # the signal comes at different moments
@pytest.mark.parametrize("program", WAITING)
def test_control_c_interrupts_a_program_that_waits(small_site, program, _):
    process = start(BEGIN + WAITING[program], small_site + "/slow")
    assert process.stdout.readline() == "waiting\n"
    process.send_signal(signal.SIGINT)
    expect_interrupt(process)


def test_a_signal_whose_handler_returns_does_not_end_the_loop(small_site):
    code, out, err = run(
        "import signal, sys, gossamer\n"
        "crawl = gossamer.crawl(sys.argv[1], no_robots=True)\n"
        "def handle(*_):\n"
        "    print('handled')\n"
        "    crawl.stop() if seen else seen.append(signal.setitimer(signal.ITIMER_REAL, 0.1))\n"
        "seen = []\n"
        "signal.signal(signal.SIGALRM, handle)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.1)\n"
        "for page in crawl: pass\n"
        "print(crawl.ended)\n",
        small_site + "/slow?seconds=1")
    assert (code, out, err) == (0, "handled\nhandled\nTrue\n", "")


def test_signals_reach_an_event_loop_after_a_plain_loop(small_site):
    code, out, err = run(
        "import asyncio, signal, sys, gossamer\n"
        "async def main():\n"
        "    loop = asyncio.get_running_loop()\n"
        "    got = asyncio.Event()\n"
        "    loop.add_signal_handler(signal.SIGUSR1, got.set)\n"
        "    signal.raise_signal(signal.SIGUSR1)\n"
        "    await got.wait()\n"
        "    got.clear()\n"
        "    for page in gossamer.crawl(sys.argv[1]): print(page.status)\n"
        "    signal.raise_signal(signal.SIGUSR1)\n"
        "    await asyncio.wait_for(got.wait(), 30)\n"
        "asyncio.run(main())\n",
        small_site + "/b")
    assert (code, out, err) == (0, "200\n", "")


# A signal may come at any moment, but its handler runs only between two instructions of Python.
def test_a_signal_is_not_lost_while_a_crawl_is_dropped(small_site, alarm):
    crawls = [gossamer.crawl(small_site + "/b")]
    send = functools.partial(_thread.interrupt_main, alarm)
    with pytest.raises(KeyboardInterrupt):
        list(map(operator.call, [send, crawls.clear]))  # no instruction of Python is between them


def ends_after(calls, function):
    """Call the function. Raise KeyboardInterrupt when so many of its calls have returned.

    Return whether it had as many.
    """
    def count(_frame, event, _argument):
        nonlocal calls
        calls -= event in ("return", "c_return")
        if calls == 0:
            raise KeyboardInterrupt

    sys.setprofile(count)
    try:
        function()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


def test_the_wakeup_descriptor_is_restored_wherever_a_handler_raises():
    reader, writer = os.pipe2(os.O_NONBLOCK)
    os.write(writer, b"x")
    before = signal.set_wakeup_fd(writer)
    try:
        assert wait_readable(reader)  # makes the pipe, once
        calls = 1
        while ends_after(calls, lambda: wait_readable(reader)):
            assert signal.set_wakeup_fd(writer) == writer, calls
            calls += 1
        assert calls > 5
    finally:
        signal.set_wakeup_fd(before)
        os.close(reader)
        os.close(writer)


@pytest.mark.usefixtures("alarm")
def test_a_handler_may_raise_at_any_moment(large_site, small_site):
    chance = random.Random(11)
    longest = 0
    for _ in range(2000 if IS_LONG else 200):
        url = chance.choice([large_site.url, small_site + "/slow"])
        wait = chance.uniform(0.000001, 0.03)
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, wait)
            while time.monotonic() < begin + 30:
                with gossamer.crawl(url, no_robots=True, limit=20) as pages:
                    for _ in pages:
                        pass
        longest = max(longest, time.monotonic() - begin - wait)
        assert signal.set_wakeup_fd(-1) == -1
    assert longest < 5


# Each of them crawls again and again.
BUSY = {
    "loop":
        "while True:\n"
        "    with gossamer.crawl(url, limit=20) as pages:\n"
        "        for page in pages: pass\n",
    "no code of Python between pages":
        "while True: list(gossamer.crawl(url))\n",
    "dropped":
        "while True: next(gossamer.crawl(url, limit=20))\n",
    "event loop":
        "async def main():\n"
        "    while True:\n"
        "        async with gossamer.crawl(url, limit=20) as pages:\n"
        "            async for page in pages: pass\n"
        "asyncio.run(main())\n",
    "check":
        "while True: gossamer.check(url, limit=20)\n",
    "job":
        "for i in range(1_000_000):\n"
        "    for page in gossamer.crawl(url, limit=20, job=f'{sys.argv[3]}/{i}'): pass\n",
}
INTERRUPT = """
def interrupt():
    time.sleep(float(sys.argv[2]))
    print(time.monotonic(), flush=True)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
"""


@pytest.mark.parametrize("program", BUSY)
def test_control_c_ends_a_program_at_any_moment(large_site, tmp_path, program):
    chance = random.Random(program)
    for i in range(20 if IS_LONG else 2):
        process = start(BEGIN + INTERRUPT + BUSY[program], large_site.url,
                        str(chance.uniform(0, 0.5)), str(tmp_path / str(i)))
        sent = float(expect_interrupt(process))
        assert time.monotonic() - sent < 10
