"""The benchmark's command line, and the order in which everything runs."""

import argparse
import contextlib
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile

import documents
import entry
import figures
import job
import measure
import server
import tables
import tally
import undisturbed
from sites import SITES

TMPFS = "/dev/shm"
OUTPUT_MAX = 300  # characters of what a program said that ended badly


@dataclasses.dataclass(frozen=True)
class Work:
    """Where things are."""

    build: str  # Gossamer
    kept: pathlib.Path  # what is worth keeping between two runs


def parse(arguments):
    parser = argparse.ArgumentParser(prog="gossamer bench peers",
                                     description="Gossamer against other crawlers.")
    parser.add_argument("--site", metavar="KEYS", help="only these: postgresql,slow")
    parser.add_argument("--peer", metavar="KEYS", help="only these, and ours: wget2,scrapy")
    parser.add_argument("--python", action="store_true",
                        help="our Python package against crawlers in Python")
    parser.add_argument("--list", action="store_true", help="show sites and contestants")
    parser.add_argument("--json", action="store_true", help="one object per figure and line")
    parser.add_argument("--quick", action="store_true", help="one turn of 5 seconds at most each")
    parser.add_argument("--seconds", type=float, default=15,
                        help="for each contestant on each site, then it is cut off [%(default)s]")
    parser.add_argument("--turns", type=int, default=5, help="at most [%(default)s]")
    parser.add_argument("--undisturbed", action="store_true",
                        help="in real time, so that other programs wait meanwhile; needs root")
    parser.add_argument("--build", default=str(job.ROOT / "build" / "release"),
                        help="where Gossamer was built [%(default)s]")
    parser.add_argument("--write", action="store_true",
                        help="write docs/benchmarks.md and plots; other sites stay as they are")
    options = parser.parse_args(arguments)
    if not options.seconds > 0 or options.turns < 1:
        parser.error("--seconds and --turns are more than 0")
    if options.write and (options.peer or options.quick or options.python):
        parser.error("--write is for all contestants and whole turns:"
                     " not with --peer, --quick or --python")
    if options.quick:
        options.seconds, options.turns = 5, 1
    options.sites = chosen(parser, options.site, SITES)
    everybody = job.contestants(job.PYTHON_MODULES if options.python else job.MODULES)
    options.contestants = chosen(parser, options.peer, everybody)
    if options.peer:
        ours = [one for one in everybody.values() if one.kind != "peer"]
        options.contestants = ours + [one for one in options.contestants if one.kind == "peer"]
    return options


def chosen(parser, keys, known):
    """The values of these keys, all if none are named."""
    if not keys:
        return list(known.values())
    for key in keys.split(","):
        if key not in known:
            parser.error(f"there is no {key}; there are: {', '.join(known)}")
    return [known[key] for key in keys.split(",")]


def say(text):
    print(text, file=sys.stderr, flush=True)


def crawl(contestant, site, expected, work, packages, seconds):
    """One run. -> figures.Run"""
    sure, possible = expected
    with tempfile.TemporaryDirectory(dir=TMPFS, prefix="gossamer-peers-") as folder:
        folder = pathlib.Path(folder)
        for name in ("server", "client"):
            (folder / name).mkdir()
        with site.visit(work, folder / "server") as visit:
            task = job.Job(url=visit.url, at_once=site.at_once, folder=str(folder / "client"),
                           build=work.build, packages=packages, paths=tuple(sure))
            cost = measure.run(contestant.command(task), seconds, contestant.environment,
                               folder / "output")
        output = (folder / "output").read_text(encoding="utf-8", errors="replace")
        counts = tally.tally(visit.requests, sure, possible)
    is_floor = contestant.kind == "floor"
    return figures.Run(
        pages=sum(status == 200 for status, _, _ in visit.requests) if is_floor else counts.pages,
        wall_s=cost.wall_s, cpu_s=cost.cpu_s, memory_bytes=cost.memory_bytes,
        missing=0 if is_floor else counts.missing, extra=0 if is_floor else counts.extra,
        repeated=0 if is_floor else counts.repeated,
        is_cut=cost.exit_code is None, denied_s=cost.denied_s,
        problem=problem_of(cost.exit_code, contestant.well, output))


def problem_of(exit_code, well, output):
    """How a program ended badly and what it said last, in one line, or ""."""
    if exit_code is None or exit_code in well:
        return ""
    how = f"signal {-exit_code}" if exit_code < 0 else f"exit code {exit_code}"
    words = " ".join(output.split())[-OUTPUT_MAX:]
    return f"{how}: {words}" if words else how


def measure_site(site, entries, work, options):
    """Figures of all contestants on a site, in their order."""
    say(f"{site.title}: what can be reached...")
    expected = site.expected(work)
    entries = [one for one in entries if site.suits(one.contestant)]
    total = sum(status == 200 for status in expected[0].values())
    runs = {one.contestant.key: [] for one in entries}
    with undisturbed.undisturbed(say) if options.undisturbed else contextlib.nullcontext():
        for one in options.turns * entries:
            done = runs[one.contestant.key]
            left = figures.seconds_left(options.seconds, done)
            if left <= 0:
                continue
            run = crawl(one.contestant, site, expected, work, one.packages, left)
            done.append(run)
            say(tables.progress(site.key, one.contestant.name, total, run))
    return [figures.figure_of(one.contestant.name, one.contestant.kind, total,
                              runs[one.contestant.key])
            for one in entries]


def list_all(options):
    for site in options.sites:
        print(f"site  {site.key:<18} {site.title}")
    for contestant in options.contestants:
        print(f"{contestant.kind:<5} {contestant.key:<18} {contestant.name}")
    return 0


def entries_of(options, work):
    """Those of the contestants that can take part."""
    entries = []
    for contestant in options.contestants:
        try:
            entries.append(entry.enter(contestant, work, say))
        except entry.NotThere as error:
            say(f"{contestant.name}: skipped: {error}")
    return entries


def measure_all(options, work, entries):
    """Measures site after site and shows each. -> whether all went well

    A site that fails does not keep the others from being measured.
    """
    is_well = True
    versions = {one.contestant.name: one.version for one in entries}
    text = tables.json_lines if options.json else tables.for_people
    for site in options.sites:
        lacking = site.lacks()
        if lacking:
            say(f"{site.title}: skipped: {lacking} is not installed")
            continue
        try:
            measured = measure_site(site, entries, work, options)
        except (server.ServerFailed, OSError, subprocess.SubprocessError) as error:
            say(f"{site.title}: failed: {error}")
            is_well = False
            continue
        print(text(site, measured), flush=True)
        if options.write:
            documents.keep(work, site, measured, versions)
    if options.write:
        documents.write(work, SITES, say)
    return is_well


def main(arguments):
    options = parse(arguments)
    if options.list:
        return list_all(options)
    if not pathlib.Path(options.build, "gossamer").exists():
        say(f"there is no program gossamer in {options.build}")
        return 1
    work = Work(build=options.build, kept=job.ROOT / "build" / "peers")
    work.kept.mkdir(parents=True, exist_ok=True)
    if measure.CLIENT_CORE == measure.SERVER_CORE:
        say("warning: server and client share the only core")
    entries = entries_of(options, work)
    os.sched_setaffinity(0, {measure.SERVER_CORE})  # nobody but the client is on its core
    try:
        return 0 if measure_all(options, work, entries) else 1
    except undisturbed.NotAllowed as error:
        say(error)
        return 1
