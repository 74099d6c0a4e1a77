"""Signals, forks, and the end of the interpreter."""

import pathlib
import signal
import subprocess
import sys

import pytest

import gossamer

pytestmark = pytest.mark.usefixtures("no_more_threads")


def run(program, *arguments, interrupt_after=None):
    """Run a Python program; send it SIGINT when it has printed this line."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if interrupt_after is not None:
        while process.stdout.readline().strip() != interrupt_after:
            pass
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize("_", range(5))  # the signal comes at different moments
def test_control_c_interrupts_a_waiting_loop(small_site, _):
    code, _, err = run(
        "import sys, gossamer\n"
        "print('waiting', flush=True)\n"
        "for page in gossamer.crawl(sys.argv[1], no_robots=True): pass\n",
        small_site + "/slow", interrupt_after="waiting")
    assert code == -signal.SIGINT
    assert "KeyboardInterrupt" in err


def test_control_c_interrupts_an_event_loop(small_site):
    code, _, err = run(
        "import asyncio, sys, gossamer\n"
        "async def main():\n"
        "    async with gossamer.crawl(sys.argv[1], no_robots=True) as pages:\n"
        "        print('waiting', flush=True)\n"
        "        async for page in pages: pass\n"
        "asyncio.run(main())\n",
        small_site + "/slow", interrupt_after="waiting")
    assert code == -signal.SIGINT
    assert "KeyboardInterrupt" in err


def test_exit_in_the_middle_of_a_crawl(large_site):
    code, out, err = run(
        "import sys, gossamer\n"
        "crawl = gossamer.crawl(sys.argv[1])\n"
        "print(next(crawl).status)\n"
        "cycle = [crawl]; cycle.append(cycle)\n",
        large_site.url)
    assert (code, out, err) == (0, "200\n", "")


@pytest.mark.parametrize("program", [
    # A daemon thread takes pages.
    "def take():\n"
    "    for page in crawl: pass\n"
    "threading.Thread(target=take, daemon=True).start()\n"
    "time.sleep(0.05)\n",
    # A task waits.
    "loop = asyncio.new_event_loop()\n"
    "task = loop.create_task(crawl.__anext__())\n"
    "loop.run_until_complete(asyncio.sleep(0))\n"
    "task.cancel()\n"
    "loop.run_until_complete(asyncio.sleep(0))\n",
    # Pages outlive the crawl and the module.
    "pages = [next(crawl) for _ in range(5)]\n"
    "sys.pages = pages\n",
    # An exception leaves the loop.
    "for page in crawl: sys.exit(0)\n",
])
def test_exit_in_the_middle_of_other_things(large_site, program):
    code, out, err = run(
        "import asyncio, sys, threading, time, gossamer\n"
        "crawl = gossamer.crawl(sys.argv[1], wants_url=lambda url: True)\n" + program,
        large_site.url)
    assert (code, out, err) == (0, "", "")


def test_a_forked_child_must_not_use_the_crawl(large_site):
    code, out, err = run(
        "import os, sys, gossamer\n"
        "crawl = gossamer.crawl(sys.argv[1])\n"
        "next(crawl)\n"
        "for _ in range(20):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        for use in (crawl.take, crawl.stats, crawl.stop, crawl.fileno):\n"
        "            try: use()\n"
        "            except RuntimeError as error: assert 'os.fork()' in str(error)\n"
        "            else: os._exit(1)\n"
        "        del crawl, use\n"
        "        own = gossamer.crawl(sys.argv[1], limit=3)\n"
        "        sys.exit(0 if len(list(own)) == 3 else 2)\n"
        "    assert os.waitpid(child, 0)[1] == 0\n"
        "    next(crawl)\n",
        large_site.url)
    assert (code, out, err) == (0, "", "")


def test_the_module_needs_no_site_of_ours():
    # What a user sees who imports it with nothing else.
    code, out, _ = run("import gossamer; print(gossamer.__version__)")
    assert code == 0
    assert out.strip().count(".") == 2
    assert pathlib.Path(gossamer.__file__).with_name("py.typed").exists()


def test_a_plain_loop_does_not_load_what_is_slow_to_load():
    code, out, _ = run("import sys, gossamer\n"
                       "list(gossamer.crawl('http://127.0.0.1:1/'))\n"
                       "print(sorted({'asyncio', 'email.parser', 'http.client'} & {*sys.modules}))")
    assert (code, out.strip()) == (0, "[]")


# The handler of a signal runs on the main thread, but any thread can receive the signal. Then no
# system call of the main thread is interrupted. The same happens if it comes just before the call.
def test_control_c_that_another_thread_receives_interrupts_a_waiting_loop(small_site):
    code, _, err = run(
        "import signal, sys, threading, time, gossamer\n"
        "def receive():\n"
        "    time.sleep(0.3)\n"
        "    signal.pthread_kill(threading.get_ident(), signal.SIGINT)\n"
        "    time.sleep(3600)\n"
        "threading.Thread(target=receive, daemon=True).start()\n"
        "for page in gossamer.crawl(sys.argv[1], no_robots=True): pass\n",
        small_site + "/slow")
    assert code == -signal.SIGINT
    assert "KeyboardInterrupt" in err


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


# A child starts while the threads of its parent hold the lock of the log.
def test_a_forked_child_can_log():
    code, out, err = run(
        "import os, threading, gossamer\n"
        "def fail_to_start():\n"
        "    try: list(gossamer.crawl('http://127.0.0.1:1/', control='/dev/null/socket'))\n"
        "    except gossamer.CrawlError: pass\n"
        "def fail_for_ever():\n"
        "    while True: fail_to_start()\n"
        "for _ in range(4): threading.Thread(target=fail_for_ever, daemon=True).start()\n"
        "for _ in range(200):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        fail_to_start()\n"
        "        os._exit(0)\n"
        "    assert os.waitpid(child, 0)[1] == 0\n"
        "os._exit(0)\n")
    assert (code, out, err) == (0, "", "")


def test_a_forked_child_cannot_use_the_storage_of_its_parent(small_site, tmp_path):
    code, out, err = run(
        "import os, sys, gossamer\n"
        "url, folder = sys.argv[1:]\n"
        "assert len(list(gossamer.crawl(url, job=folder + '/parent'))) == 1\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try: gossamer.crawl(url, job=folder + '/child')\n"
        "    except RuntimeError as error: assert 'os.fork()' in str(error)\n"
        "    else: os._exit(1)\n"
        "    sys.exit(0 if len(list(gossamer.crawl(url))) == 1 else 2)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "assert len(list(gossamer.crawl(url, job=folder + '/again'))) == 1\n",
        small_site + "/b", tmp_path)
    assert (code, out, err) == (0, "", "")


def test_a_forked_child_can_use_storage_first(small_site, tmp_path):
    code, out, err = run(
        "import os, sys, gossamer\n"
        "url, folder = sys.argv[1:]\n"
        "assert len(list(gossamer.crawl(url))) == 1\n"
        "child = os.fork()\n"
        "if child == 0: sys.exit(len(list(gossamer.crawl(url, job=folder + '/child'))) - 1)\n"
        "assert os.waitpid(child, 0)[1] == 0\n",
        small_site + "/b", tmp_path)
    assert (code, out, err) == (0, "", "")
