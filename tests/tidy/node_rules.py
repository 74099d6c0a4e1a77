"""Rules about the npm packages of tests: they are pinned, and run on the Node.js of Debian 12."""

import json
import re

NODE_VERSION = (18, 20, 4)  # Debian 12
DEPENDENCY_FIELDS = ("dependencies", "overrides")

COMPARATOR = re.compile(r"(>=|<=|>|<|=|\^|~)?\s*v?(\d+|[*xX])((?:\.(?:\d+|[*xX]))*)\s*")


def comparators(alternative):
    """[(operator, numbers)] of a range without `||`, or None if it cannot be read."""
    found, offset = [], 0
    text = alternative.strip()
    while offset < len(text):
        match = COMPARATOR.match(text, offset)
        if not match:
            return None
        words = (match[2] + match[3]).split(".")
        known = [word.isdigit() for word in words] + [False]
        found.append((match[1] or "=", tuple(map(int, words[: known.index(False)]))))
        offset = match.end()
    return found


def holds(operator, numbers, version):
    """Whether a version satisfies one comparator. Numbers that are missing may be any."""
    start = version[: len(numbers)]
    if operator == ">=":
        return start >= numbers
    if operator == ">":
        return start > numbers
    if operator == "<=":
        return start <= numbers
    if operator == "<":
        return start < numbers
    if operator == "^":
        return start >= numbers and version[:1] == numbers[:1]
    if operator == "~":
        return start >= numbers and start[:2] == numbers[:2]
    return start == numbers


def admits(wanted, version):
    """Whether a range of npm contains a version, or None if the range cannot be read."""
    alternatives = [comparators(each) for each in wanted.split("||")]
    if None in alternatives:
        return None
    return any(all(holds(*each, version) for each in every) for every in alternatives)


def package_files(tree):
    return [file for file in tree.below("tests") if file.path.endswith("/package.json")]


def locked(tree, package_file):
    """The lock beside a package.json, or None."""
    lock = tree.by_path.get(package_file.path.removesuffix(".json") + "-lock.json")
    return json.loads(lock.text) if lock else None


def pinned_packages(tree):
    """Every package.json names exact versions and has a lock that was made from it."""
    problems = []
    for file in package_files(tree):
        package, lock = json.loads(file.text), locked(tree, file)
        for field in DEPENDENCY_FIELDS:
            for name, version in package.get(field, {}).items():
                if not re.fullmatch(r"\d+\.\d+\.\d+", version):
                    problems.append(f"{file.path}: {name} {version}: name one version")
        root = lock["packages"][""] if lock else {}
        if root.get("dependencies", {}) != package.get("dependencies", {}):
            problems.append(
                f"{file.path}: its package-lock.json is missing or older: "
                "run npm install --package-lock-only"
            )
    return problems


def node_version(tree):
    """Every npm package of the tests runs on the Node.js of Debian 12."""
    problems = []
    for file in package_files(tree):
        lock = locked(tree, file)
        for place, package in lock["packages"].items() if lock else ():
            wanted = package.get("engines", {}).get("node", "*")
            if not admits(wanted, NODE_VERSION):
                problems.append(
                    f"{file.path}: {place.rpartition('node_modules/')[2]} {package['version']} "
                    f"requires Node {wanted}; Debian 12 has {'.'.join(map(str, NODE_VERSION))}"
                )
    return problems
