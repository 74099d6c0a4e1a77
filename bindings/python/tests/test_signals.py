"""Ctrl-C and other signals."""

import signal

import pytest

from programs import expect_interrupt, run, start

pytestmark = pytest.mark.usefixtures("no_more_threads")

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
    # The handler of a signal runs on the main thread, but any thread can receive the signal. Then no
    # system call of the main thread is interrupted. The same happens if it comes just before the
    # call.
    "loop with another thread":
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
        "def receive():\n"
        "    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])\n"
        "    print('waiting', flush=True)\n"
        "    time.sleep(3600)\n"
        "threading.Thread(target=receive, daemon=True).start()\n"
        "for page in gossamer.crawl(url, no_robots=True): pass\n",
}
BEGIN = "import asyncio, os, signal, sys, threading, time, gossamer\nurl = sys.argv[1]\n"


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
