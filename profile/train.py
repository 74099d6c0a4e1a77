#!/usr/bin/python3 -B
"""Makes the profile by which the release build is optimised, or tells whether it is stale."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import proftext
import training_site

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROFILE = ROOT / "profile" / "gossamer.proftext"
PROFDATA = "llvm-profdata-19"
TMPFS = "/dev/shm"
CRAWL_SECONDS_MAX = 600
WELL = (0, 8)  # 8: a page that is linked is not there
SHARE_KEPT = 0.9999  # of all that was counted: the rest is a long tail of what ran a few times
# Client::send(RequestSource&): fetches wait in it by the hundred thousand. With a profile more is
# inlined into it, and the locals of that make its frame 64 bytes larger (`bench crawl --filter
# wait`).
LEFT_OUT = ("_ZN8gossamer4http6Client4sendERNS0_13RequestSourceE",)
SAME_SHARE_MIN = 0.75  # of all that was counted; below, it is time to train again


class Failed(RuntimeError):
    """There is no profile, and why."""


def say(text):
    print(f"train: {text}", file=sys.stderr, flush=True)


def run(program, arguments, counts):
    """Runs the program, whose counts go into a folder. Raises Failed."""
    environment = {**os.environ, "LLVM_PROFILE_FILE": str(counts / "%p.profraw")}
    done = subprocess.run([program, *arguments], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace", timeout=CRAWL_SECONDS_MAX, check=False)
    if done.returncode not in WELL:
        raise Failed(f"{arguments[0]} ended with {done.returncode}: {done.stderr.strip()[-300:]}")


def crawls(site, folder):
    """(what, arguments) of every crawl: what most people do most often, and some of the rest."""
    few = ("sqlite", "glib")
    records = ["--output", f"{folder}/records.jsonl"]
    yield "io_uring", ["--loop", "io_uring", *records, *site.urls("plain")]
    yield "epoll", ["--loop", "epoll", *records, *site.urls("plain")]
    yield "compressed", [*records, *site.urls("compressed")]
    yield "TLS", ["--insecure", *records, *site.urls("secure", few)]
    yield "URLs alone", ["--format", "urls", "--output", "/dev/null", *site.urls("plain", few)]
    yield "contents", ["--content", "markdown", "--metadata", "--similar", *records,
                       *site.urls("plain", few)]
    yield "a job", ["--job", f"{folder}/job", *site.urls("compressed", few)]
    yield "an archive", ["--warc-file", f"{folder}/archive", *records,
                         *site.urls("compressed", few)]


def merged(counts):
    """The functions that were counted. -> head, functions"""
    files = sorted(str(file) for file in counts.glob("*.profraw"))
    if not files:
        raise Failed("the program wrote no counts: was it built with the preset train?")
    text = counts / "all.proftext"
    subprocess.run([PROFDATA, "merge", "-text", "-o", text, *files], check=True)
    return proftext.read(text.read_text(encoding="ascii"))


def train(program):
    """Crawls, and writes the profile."""
    if missing := training_site.lacking():
        raise Failed(f"not there: {', '.join(missing)}; see setup/packages-train.txt")
    with tempfile.TemporaryDirectory(dir=TMPFS, prefix="gossamer-train-") as work:
        work = pathlib.Path(work)
        for name in ("server", "client", "counts"):
            (work / name).mkdir()
        with training_site.serving(work / "server") as site:
            for what, arguments in crawls(site, work / "client"):
                begin = time.monotonic()
                run(program, ["crawl", "--no-config", "--no-proxy", "--quiet", *arguments],
                    work / "counts")
                say(f"crawled: {what}, {time.monotonic() - begin:.0f} s")
        head, functions = merged(work / "counts")
    for name in LEFT_OUT:
        if not any(name in function.name for function in functions):
            raise Failed(f"{name} is to be left out, but the program does not have it")
    kept = proftext.without(proftext.hot(functions, SHARE_KEPT), LEFT_OUT)
    PROFILE.write_text(proftext.written(head, kept), encoding="ascii")
    say(f"{len(kept)} of {len(functions)} functions, {PROFILE.stat().st_size // 1024} KiB: "
        f"{PROFILE.relative_to(ROOT)}")
    return 0


def check(program):
    """Tells how much of the profile still fits the program. Fails if that is too little."""
    with tempfile.TemporaryDirectory(dir=TMPFS, prefix="gossamer-train-") as work:
        run(program, ["--version"], pathlib.Path(work))  # every function, with counts of nothing
        _, there = merged(pathlib.Path(work))
    _, profile = proftext.read(PROFILE.read_text(encoding="ascii"))
    found = proftext.compare(profile, there)
    say(f"{found.same} of {found.functions} functions of the profile are as they were, with "
        f"{100 * found.same_share:.1f} % of its counts")
    if found.same_share < SAME_SHARE_MIN:
        say("that is little: train again")
        return 1
    return 0


def main(arguments):
    parser = argparse.ArgumentParser(prog="gossamer train", description=__doc__)
    parser.add_argument("--check", action="store_true",
                        help="only tell how much of the profile still fits the program")
    parser.add_argument("--program", default=str(ROOT / "build" / "train" / "gossamer"),
                        help="one that counts [%(default)s]")
    options = parser.parse_args(arguments)
    try:
        return check(options.program) if options.check else train(options.program)
    except (Failed, proftext.NoProfile, training_site.server.ServerFailed, OSError,
            subprocess.SubprocessError) as error:
        say(error)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
