"""Forks, and the end of the interpreter."""

import pathlib

import pytest

import gossamer
from conftest import IS_SANITIZED
from programs import run

pytestmark = pytest.mark.usefixtures("no_more_threads")
# Its allocator has locks that a child never gets if a thread of the parent had them.
not_sanitized = pytest.mark.skipif(IS_SANITIZED, reason="AddressSanitizer cannot fork with threads")


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


@not_sanitized
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


# A child starts while the threads of its parent hold the lock of the log.
@not_sanitized
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
