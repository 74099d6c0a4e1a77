#!/usr/bin/env python3
"""./gossamer mutate [LAYER|FILE]... [--list] [--most N]: how many mutants do the unit tests notice?

Compiles all mutants of the files into the unit tests of their layer and runs these once for each.
Prints killed, survived and the score; --list also prints every survivor.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import mutants as generator  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build/mutate"
TREE = WORK / "tree"
BUILD = WORK / "build"
SWITCH = TREE / "tools/mutate/switch.h"
COMPILE_TRIES = 12
SECONDS_MIN = 5
LAYERS = ["url", "wire", "robots", "html", "warc", "net", "http", "async", "store", "crawl"]


def source_files(names):
    """Returns the files of layers and the files themselves, relative to the root, by layer."""
    by_layer = {}
    for name in names:
        path = ROOT / name if (ROOT / name).is_file() else ROOT / "src" / name
        found = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in found:
            if file.suffix in (".cc", ".h") and not file.stem.endswith("_test"):
                relative = file.relative_to(ROOT)
                by_layer.setdefault(relative.parts[1], []).append(str(relative))
        if not found:
            sys.exit(f"gossamer mutate: there is no layer or file {name}")
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
    text = (ROOT / "src" / layer / "CMakeLists.txt").read_text()
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
    if not (BUILD / "build.ninja").exists():
        subprocess.run(
            ["cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja", "-DCMAKE_C_COMPILER=clang-19",
             "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_BUILD_TYPE=Debug",
             "-DGOSSAMER_LINK_TIME=OFF",
             f"-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g0 -w -ferror-limit=0 -include {SWITCH}"],
            check=True, stdout=subprocess.DEVNULL)
    made = subprocess.run(["ninja", "-C", BUILD, "-k", "0", *targets],
                          capture_output=True, text=True)
    return None if made.returncode == 0 else made.stdout + made.stderr


def compile_mutants(layer, files):
    """Compiles as many mutants as compile. Returns them."""
    skipped = set()
    for _ in range(COMPILE_TRIES):
        changed, every = {}, []
        for name in files:
            source = (ROOT / name).read_text()
            changed[name], made = generator.mutate(name, source, len(every) + 1, skipped)
            every += made
        write_tree(changed)
        output = build(programs_of(layer))
        if output is None:
            return every
        places = set(re.findall(r"(src/[\w/]+\.(?:cc|h)):(\d+):\d+: (?:error|note)", output))
        lines = {(file, int(line)) for file, line in places}
        wrong = {(one.file, one.line, one.change) for one in every
                 if any((one.file, one.line + more) in lines for more in range(4))}
        if not wrong:
            sys.exit(output[-4000:] + f"\ngossamer mutate: the tests of {layer} do not compile")
        skipped |= wrong
    sys.exit(f"gossamer mutate: the mutants of {layer} do not compile")


def run_tests(programs, number, seconds, reached=None):
    """Returns whether all tests pass. A test that does not end fails."""
    return all(run_program(program, number, seconds, reached) for program in programs)


def run_program(program, number, seconds, reached):
    environment = dict(os.environ, GOSSAMER_MUTANT=str(number))
    environment.setdefault("GOSSAMER_TESTDATA", str(ROOT.parent / "shared/testdata"))
    if reached:
        environment["GOSSAMER_MUTANTS_REACHED"] = reached
    else:
        environment["GTEST_FAIL_FAST"] = "1"
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        environment["TMPDIR"] = folder
        try:
            done = subprocess.run([program, "--gtest_brief=1"], cwd=folder, env=environment,
                                  timeout=seconds, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0


def survivors_of(layer, files, most):
    """Returns all tested mutants of the layer and those that the tests do not notice."""
    every = compile_mutants(layer, files)
    programs = [BUILD / "src" / layer / name for name in programs_of(layer)]
    listed = equivalent_changes()
    with tempfile.NamedTemporaryFile(dir=WORK) as file:
        begun = time.monotonic()
        if not run_tests(programs, 0, 600, file.name):
            sys.exit(f"gossamer mutate: a test of {layer} fails without a mutant")
        seconds = SECONDS_MIN + 5 * (time.monotonic() - begun)
        reached = {int(line) for line in open(file.name)}
    # The compiler has run the rest of the constexpr code: a switch changes nothing there.
    tested = [one for one in every if (one.file, one.change) not in listed
              and (one.number in reached or not one.is_constexpr)]
    if most and len(tested) > most:
        tested = tested[:: -(-len(tested) // most)]
    alive = [one for one in tested if one.number not in reached]
    to_run = [one for one in tested if one.number in reached]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = pool.map(lambda one: run_tests(programs, one.number, seconds), to_run)
        alive += [one for one, is_alive in zip(to_run, passed) if is_alive]
    return tested, sorted(alive, key=lambda one: (one.file, one.line)), reached


def main():
    parser = argparse.ArgumentParser(prog="gossamer mutate", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="LAYER|FILE", default=LAYERS)
    parser.add_argument("--list", action="store_true", help="print every survivor")
    parser.add_argument("--most", type=int, default=0, help="test at most N mutants of a layer")
    arguments = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    for layer, files in source_files(arguments.names).items():
        tested, alive, reached = survivors_of(layer, files, arguments.most)
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
