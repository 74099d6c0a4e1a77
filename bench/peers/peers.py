"""The benchmark's command line, and the order in which everything runs."""

import argparse
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import documents
import figures
import job
import measure
import tally
import tables
from sites import SITES

TMPFS = "/dev/shm"


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
    if options.quick:
        options.seconds, options.turns = 5, 1
    options.sites = chosen(parser, options.site, SITES)
    everybody = job.contestants()
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


def install(contestant, work):
    """npm's packages of a contestant, in a folder of the build. Returns it."""
    if contestant.npm is None:
        return ""
    folder = work.kept / contestant.key
    wanted = (contestant.npm / "package.json").read_bytes()
    stamp = folder / "installed.json"
    if not stamp.exists() or stamp.read_bytes() != wanted:
        say(f"installing {contestant.name} with npm...")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(contestant.npm, folder)
        subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund",
                        "--no-package-lock", "--loglevel=error"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stamp.write_bytes(wanted)
    shutil.copytree(contestant.npm, folder, dirs_exist_ok=True)
    return str(folder)


def version_of(contestant, work, packages):
    """The first line that it prints about itself with a digit in it."""
    command = [word.format(build=work.build, packages=packages) for word in contestant.version]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=30, check=False)
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return None
    return tables.version_in(done.stdout)


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
        problem = ""
        if cost.exit_code is not None and cost.exit_code not in contestant.well:
            output = (folder / "output").read_text(encoding="utf-8", errors="replace")
            problem = f"exit code {cost.exit_code}: {output.strip()[-300:]}"
        counts = tally.tally(visit.requests, sure, possible)
    is_floor = contestant.kind == "floor"
    return figures.Run(
        pages=sum(status == 200 for status, _, _ in visit.requests) if is_floor else counts.pages,
        wall_s=cost.wall_s, cpu_s=cost.cpu_s, memory_bytes=cost.memory_bytes,
        missing=0 if is_floor else counts.missing, extra=0 if is_floor else counts.extra,
        is_cut=cost.exit_code is None, denied_s=cost.denied_s, problem=problem)


def measure_site(site, contestants, work, options):
    """Figures of all contestants on a site, in their order."""
    say(f"{site.title}: what can be reached...")
    expected = site.expected(work)
    contestants = [(contestant, packages) for contestant, packages in contestants
                   if site.suits(contestant)]
    total = sum(status == 200 for status in expected[0].values())
    runs = {contestant.key: [] for contestant, _ in contestants}
    for _ in range(options.turns):
        for contestant, packages in contestants:
            done = runs[contestant.key]
            left = figures.seconds_left(options.seconds, done)
            if left <= 0:
                continue
            run = crawl(contestant, site, expected, work, packages, left)
            done.append(run)
            say(tables.progress(site.key, contestant.name, total, run))
    return [figures.figure_of(contestant.name, contestant.kind, total, runs[contestant.key])
            for contestant, _ in contestants]


def list_all(options):
    for site in options.sites:
        print(f"site  {site.key:<18} {site.title}")
    for contestant in options.contestants:
        print(f"{contestant.kind:<5} {contestant.key:<18} {contestant.name}")
    return 0


def main(arguments):
    options = parse(arguments)
    if options.list:
        return list_all(options)
    if options.undisturbed:  # inherited by servers and clients
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    work = Work(build=options.build, kept=job.ROOT / "build" / "peers")
    work.kept.mkdir(parents=True, exist_ok=True)
    contestants, versions = [], {}
    for contestant in options.contestants:
        packages = install(contestant, work)
        version = version_of(contestant, work, packages)
        if version is None:
            say(f"{contestant.name}: skipped, it is not installed")
            continue
        contestants.append((contestant, packages))
        versions[contestant.name] = version
    for site in options.sites:
        if not site.is_there():
            say(f"{site.title}: skipped, it is not installed")
            continue
        measured = measure_site(site, contestants, work, options)
        text = tables.json_lines if options.json else tables.for_people
        print(text(site, measured), flush=True)
        if options.write:
            documents.keep(work, site, measured, versions)
    if options.write:
        documents.write(work, SITES)
    return 0
