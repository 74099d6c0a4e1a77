#!/usr/bin/env python3
"""./gossamer mutate [LAYER|FILE]... [--list] [--most N [--seed N]]: what do the unit tests notice?

Compiles all mutants of the files into the unit tests of their layer. Runs each test once to see
which mutants it reaches, and for each mutant the tests that reach it.
Prints killed, survived and the score; --list also prints every survivor.
"""

import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import mutants as generator  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build/mutate"
TREE = WORK / "tree"
BUILD = WORK / "build"
SKIPPED_FILE = WORK / "skipped.json"
SWITCH = TREE / "tools/mutate/switch.h"
COMPILE_TRIES = 12
# Of the processor, so that a busy machine changes no result; a test that waits for ever has more.
SECONDS_MIN = 3
SECONDS_FACTOR = 5
WAIT_MIN = 10
# A mutant is first run with the tests that are most specific to it, then with more and more.
TESTS_FIRST = 8
TESTS_THEN = 40
# For mutants of a sample that do not count: they alter nothing, or only the compiler runs them.
SPARE_SHARE = 0.3
SPARE_MIN = 5
FILTER_BYTES_MAX = 100_000
SKIPPED = 77
LAYERS = ["url", "wire", "robots", "html", "warc", "net", "http", "async", "store",
          "record", "scope", "frontier", "engine", "cluster", "node", "settings", "run"]


def folder_of(layer):
    """Returns the folder of a layer, which is in a wing of src/."""
    found = list((ROOT / "src").glob(f"*/{layer}/CMakeLists.txt"))
    if not found:
        sys.exit(f"gossamer mutate: there is no layer or file {layer}")
    return found[0].parent


def source_files(names):
    """Returns the files of layers and the files themselves, relative to the root, by layer."""
    by_layer = {}
    for name in names:
        path = ROOT / name if (ROOT / name).is_file() else folder_of(name)
        found = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in found:
            if file.suffix in (".cc", ".h") and not file.stem.endswith("_test"):
                relative = file.relative_to(ROOT)
                by_layer.setdefault(relative.parts[2], []).append(str(relative))
    return by_layer


def equivalent_changes():
    """Returns the changes that alter nothing: (file, change)."""
    listed = set()
    text = (pathlib.Path(__file__).parent / "equivalent.txt").read_text()
    for line in text.splitlines():
        if line and not line.startswith("#"):
            file, change, _reason = line.split("\t")
            listed.add((file, change))
    return listed


def programs_of(layer):
    """Returns the unit tests of a layer. Most have one program."""
    text = (folder_of(layer) / "CMakeLists.txt").read_text()
    return [f"{layer}_test", *re.findall(r"^ *gossamer_test\((\w+)", text, re.M)]


def write_if_changed(path, text):
    if path.exists() and path.read_bytes() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)


def write_tree(changed):
    """Copies the project, with `changed` instead of some of its files."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, check=True, capture_output=True)
    wanted = set()
    for name in listed.stdout.decode().split("\0"):
        source = ROOT / name
        if not name or not source.is_file():
            continue
        wanted.add(name)
        text = changed[name].encode() if name in changed else source.read_bytes()
        write_if_changed(TREE / name, text)
        os.chmod(TREE / name, source.stat().st_mode)
    for folder, _, files in os.walk(TREE / "src"):
        for file in files:
            path = pathlib.Path(folder) / file
            if str(path.relative_to(TREE)) not in wanted:
                path.unlink()


def build(targets):
    """Returns the output of the compiler if it fails, else nothing."""
    # Always: a folder of an earlier version may have other options.
    subprocess.run(
        ["cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja", "-DCMAKE_C_COMPILER=clang-19",
         "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_BUILD_TYPE=Debug",
         "-DGOSSAMER_LINK_TIME=OFF",
         f"-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g0 -w -ferror-limit=0 "
         f"-D_GLIBCXX_ASSERTIONS -include {SWITCH}"],
        check=True, stdout=subprocess.DEVNULL)
    made = subprocess.run(["ninja", "-C", BUILD, "-k", "0", "-j", str(os.cpu_count()), *targets],
                          capture_output=True, text=True)
    return None if made.returncode == 0 else made.stdout + made.stderr


def key_of(mutant):
    return mutant.file, mutant.line, mutant.change


def fingerprint_of(file):
    return hashlib.sha256((ROOT / file).read_bytes()).hexdigest()


def read_skipped():
    """Returns the mutants that did not compile in an earlier run: (file, line, change).

    Those of files that have changed since are not among them.
    """
    if not SKIPPED_FILE.exists():
        return set()
    stored = json.loads(SKIPPED_FILE.read_text())
    if not isinstance(stored, dict):
        return set()  # an earlier version wrote it
    return {(file, line, change) for file, entry in stored.items()
            if (ROOT / file).is_file() and entry["sha256"] == fingerprint_of(file)
            for line, change in entry["mutants"]}


def write_skipped(skipped):
    stored = {}
    for file, line, change in sorted(skipped):
        entry = stored.setdefault(file, {"sha256": fingerprint_of(file), "mutants": []})
        entry["mutants"].append([line, change])
    SKIPPED_FILE.write_text(json.dumps(stored, indent=0))


def mutate_files(files, left_out):
    """Returns the files with their mutants, and the mutants."""
    changed, every = {}, []
    for name in files:
        source = (ROOT / name).read_text()
        changed[name], made = generator.mutate(name, source, len(every) + 1, left_out)
        every += made
    return changed, every


def compile_mutants(layer, files, most, seed):
    """Compiles as many mutants as compile, or enough for a sample. Returns them."""
    skipped = read_skipped()
    for _ in range(COMPILE_TRIES):
        changed, every = mutate_files(files, skipped)
        if most:
            drawn = sample_of(every, most + SPARE_MIN + math.ceil(most * SPARE_SHARE), seed)
            rest = {key_of(one) for one in every} - {key_of(one) for one in drawn}
            changed, every = mutate_files(files, skipped | rest)
        write_tree(changed)
        output = build(programs_of(layer))
        if output is None:
            count = sum(one[0] in files for one in skipped)
            print(f"{layer}: {count} mutants do not compile and are left out", flush=True)
            return every
        places = set(re.findall(r"(src/[\w/]+\.(?:cc|h)):(\d+):\d+: (?:error|note)", output))
        lines = {(file, int(line)) for file, line in places}
        wrong = {key_of(one) for one in every
                 if any((one.file, one.line + more) in lines for more in range(4))}
        if not wrong:
            sys.exit(output[-4000:] + f"\ngossamer mutate: the tests of {layer} do not compile")
        skipped |= wrong
        write_skipped(skipped)
    sys.exit(f"gossamer mutate: the mutants of {layer} do not compile")


@dataclass
class Test:
    program: pathlib.Path
    name: str
    seconds: float = 0  # on the processor
    reached: frozenset = frozenset()
    waited: float = 0  # on the clock


def run_program(program, number, seconds, wait, reached=None, tests=()):
    """Returns whether the tests of a program pass, and their seconds on the processor.

    A test that takes more than `seconds` on the processor or `wait` on the clock fails.
    """
    limit = math.ceil(seconds)
    environment = dict(os.environ, GOSSAMER_MUTANT=str(number), GTEST_BRIEF="1")
    environment.setdefault("GOSSAMER_TESTDATA", str(ROOT.parent / "shared/testdata"))
    if reached:
        environment["GOSSAMER_MUTANTS_REACHED"] = reached
    else:
        environment["GTEST_FAIL_FAST"] = "1"
    filters = ":".join(test.name for test in tests)
    if filters and len(filters) < FILTER_BYTES_MAX:
        environment["GTEST_FILTER"] = filters
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        environment["TMPDIR"] = folder
        started = subprocess.Popen(
            [program], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Not in the child before it starts: other threads of this process may hold locks. Until it
        # is reaped, the number belongs to no other process.
        resource.prlimit(started.pid, resource.RLIMIT_CPU, (limit, limit + 1))
        waiting = threading.Timer(wait, os.kill, (started.pid, signal.SIGKILL))
        waiting.start()
        os.waitid(os.P_PID, started.pid, os.WEXITED | os.WNOWAIT)
        waiting.cancel()
        waiting.join()
        _, status, usage = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
    return started.returncode in (0, SKIPPED), usage.ru_utime + usage.ru_stime


def names_of_tests(listing):
    """Reads what --gtest_list_tests prints."""
    names, suite = [], ""
    for line in listing.splitlines():
        word = line.split("#")[0].rstrip()
        if word.startswith("  "):
            names.append(suite + word.strip())
        elif word.endswith("."):
            suite = word
    return [name for name in names if "DISABLED_" not in name]


def tests_of(layer):
    """Returns the tests of the layer, with the mutants that each runs."""
    tests = []
    for name in programs_of(layer):
        program = BUILD / folder_of(layer).relative_to(ROOT) / name
        if not run_program(program, 0, 600, 600)[0]:
            sys.exit(f"gossamer mutate: a test of {layer} fails without a mutant")
        listed = subprocess.run([program, "--gtest_list_tests"], check=True, capture_output=True,
                                text=True)
        tests += [Test(program, test) for test in names_of_tests(listed.stdout)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(measure, tests))
    return tests


def measure(test):
    with tempfile.NamedTemporaryFile(dir=WORK) as file:
        begin = time.monotonic()
        has_passed, test.seconds = run_program(test.program, 0, 600, 600, file.name, [test])
        test.waited = time.monotonic() - begin
        if not has_passed:
            sys.exit(f"gossamer mutate: {test.name} fails alone, without a mutant")
        test.reached = frozenset(
            number for number, byte in enumerate(file.read()) if byte != 0)


def is_noticed(mutant, tests):
    """Returns whether a test fails. Only tests that run the mutant can, the specific ones first."""
    able = sorted((test for test in tests if mutant.number in test.reached),
                  key=lambda test: len(test.reached) * (0.05 + test.seconds))
    for some in (able[:TESTS_FIRST], able[TESTS_FIRST:TESTS_THEN], able[TESTS_THEN:]):
        for program in dict.fromkeys(test.program for test in some):
            chosen = [test for test in some if test.program == program]
            seconds = SECONDS_MIN + SECONDS_FACTOR * sum(test.seconds for test in chosen)
            wait = WAIT_MIN + SECONDS_FACTOR * sum(test.waited for test in chosen)
            if not run_program(program, mutant.number, seconds, wait, tests=chosen)[0]:
                return True
    return False


def sample_of(tested, most, seed):
    """Returns at most `most` mutants, in their order. Another seed draws others."""
    def lot(one):
        return hashlib.sha256(f"{seed} {one.file} {one.line} {one.change}".encode()).digest()
    drawn = sorted(tested, key=lot)[:most]
    return sorted(drawn, key=lambda one: one.number)


def survivors_of(layer, files, most, seed):
    """Returns all tested mutants of the layer and those that the tests do not notice."""
    every = compile_mutants(layer, files, most, seed)
    listed = equivalent_changes()
    tests = tests_of(layer)
    reached = frozenset().union(*(test.reached for test in tests))
    # The compiler has run the rest of the constexpr code: a switch changes nothing there.
    tested = [one for one in every if (one.file, one.change) not in listed
              and (one.number in reached or not one.is_constexpr)]
    if most and len(tested) > most:
        tested = sample_of(tested, most, seed)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        noticed = list(pool.map(lambda one: is_noticed(one, tests), tested))
    alive = [one for one, is_killed in zip(tested, noticed) if not is_killed]
    return tested, alive, reached


def main():
    parser = argparse.ArgumentParser(prog="gossamer mutate", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="LAYER|FILE", default=LAYERS)
    parser.add_argument("--list", action="store_true", help="print every survivor")
    parser.add_argument("--most", type=int, default=0, help="test at most N mutants of a layer")
    parser.add_argument("--seed", type=int, default=1, help="draw another sample")
    arguments = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    for layer, files in source_files(arguments.names).items():
        tested, alive, reached = survivors_of(layer, files, arguments.most, arguments.seed)
        if arguments.list:
            for one in alive:
                note = "" if one.number in reached else "  (no test runs it)"
                print(f"{one.file}:{one.line}: {one.change}{note}")
        killed = len(tested) - len(alive)
        share = 100 * killed / len(tested) if tested else 100
        print(f"{layer}: {killed} killed, {len(alive)} survived of {len(tested)}: {share:.1f}%",
              flush=True)


if __name__ == "__main__":
    main()
