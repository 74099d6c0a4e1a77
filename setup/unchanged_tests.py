#!/usr/bin/env python3
"""Which tests have passed with the very same programs and files, so that they need not run again:

  unchanged_tests.py BUILD list [KIND...]       prints the names of those of these kinds
  unchanged_tests.py BUILD store RESULTS.xml    stores which ones passed (ctest --output-junit)

What changes between `list` and `store` counts as changed.

Tests of the kinds unit, conformance and sim depend on their program, on the folder tests and on the
test data. All others depend on every file of the tree and on everything that was built. Besides,
each depends on its command, on the variables GOSSAMER_*, and on the installed packages.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM_IS_ALL = {"unit", "conformance", "sim"}


def state(path):
    """What changes when a file changes; the same for two files that are missing."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def files_below(folder, skipped=()):
    """The states of all files below a folder."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in skipped)
        found += [(os.path.join(place, name), state(pathlib.Path(place, name)))
                  for name in sorted(names) if not name.endswith(".pyc")]
    return found


def built_files(build):
    """What the build made, from the log of ninja: the last entry of an output counts."""
    lines = (build / ".ninja_log").read_text(encoding="utf-8").splitlines()[1:]
    entries = [line.split("\t") for line in lines]
    return sorted({entry[3]: entry[2:] for entry in entries}.values())


def digest(*parts):
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def keys(build):
    """The labels of each test, and its key, which changes with everything that it depends on."""
    described = subprocess.run(
        ["ctest", "--test-dir", build, "--show-only=json-v1"],
        check=True, capture_output=True, text=True,
    )
    data = pathlib.Path(os.environ.get("GOSSAMER_TESTDATA", ROOT.parent / "shared/testdata"))
    variables = {name: value for name, value in os.environ.items() if name.startswith("GOSSAMER_")}
    machine = digest(state(pathlib.Path("/var/lib/dpkg/status")), os.uname().release, variables)
    tests_and_data = digest(files_below(ROOT / "tests", ["__pycache__"]), files_below(data))
    everything = digest(
        files_below(ROOT, ["build", ".git", "__pycache__", "node_modules"]), files_below(data),
        built_files(build))
    labels, found = {}, {}
    for test in json.loads(described.stdout)["tests"]:
        if "command" not in test:  # it was not built: other kinds of tests are to run
            continue
        properties = {entry["name"]: entry["value"] for entry in test["properties"]}
        name = test["name"]
        labels[name] = set(properties.get("LABELS", []))
        if PROGRAM_IS_ALL & labels[name]:
            inputs = [state(pathlib.Path(test["command"][0])), tests_and_data]
        else:
            inputs = [everything]
        found[name] = digest(machine, test["command"], properties, inputs)
    return labels, found


def results_of(path):
    """For each test that was to run: whether it passed, and was not skipped."""
    cases = xml.etree.ElementTree.parse(path).getroot().iter("testcase")
    return {case.get("name"): case.get("status") == "run" for case in cases}


def load(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def main(build, verb, *words):
    build = pathlib.Path(build)
    before = build / "test_keys.json"
    stored = build / "passed_tests.json"
    passed = load(stored)
    if verb == "list":
        labels, now = keys(build)
        before.write_text(json.dumps(now), encoding="utf-8")
        for name, key in now.items():
            if passed.get(name) == key and (not words or labels[name] & set(words)):
                print(name)
    else:
        now = load(before)
        for name, has_passed in results_of(*words).items():
            passed.pop(name, None)
            if has_passed and name in now:
                passed[name] = now[name]
        stored.write_text(json.dumps(passed), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
