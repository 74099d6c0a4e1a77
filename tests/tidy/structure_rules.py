"""Rules about includes between layers, and about the files that the build lists."""

import collections
import re

LAYERS = "src/layers.txt"
PUBLIC_FOLDER = "gossamer"  # re-exports for users of the library; may include every layer
KERNEL_FILES = "tests/tidy/kernel_files.txt"

LAYER_LINE = re.compile(r"([a-z_]+)/([a-z_]+):((?: [a-z_]+)*)(?:  .*)?")


def read_layers(tree):
    """({layer: layers it may include}, {layer: wing}, problems)"""
    layers, wings, problems = {}, {}, []
    for line in tree.by_path[LAYERS].lines:
        if not line or line.startswith("#"):
            continue
        match = LAYER_LINE.fullmatch(line)
        if not match:
            problems.append(f"{LAYERS}: cannot read `{line}`")
            continue
        wing, layer, uses = match[1], match[2], match[3].split()
        for used in uses:
            if used not in layers:
                problems.append(f"{LAYERS}: {layer} names {used}, which is not above it")
        layers[layer] = set(uses)
        wings[layer] = wing
    return layers, wings, problems


def layers(tree):
    """Every #include of ours names an existing file of a layer that layers.txt allows."""
    allowed, wings, problems = read_layers(tree)
    for file in tree.below("src"):
        if not file.is_cpp or file.layer is None:
            continue
        if wings.get(file.layer) != file.wing and file.layer != PUBLIC_FOLDER:
            problems.append(f"{file.path}: {LAYERS} has no layer {file.wing}/{file.layer}")
            continue
        for line, path, is_quoted in file.includes:
            if not is_quoted:
                continue
            where, layer = f"{file.path}:{line}", path.partition("/")[0]
            if layer == "tests" and path in tree.by_path:
                if not file.is_test:
                    problems.append(f"{where}: the product must not include its tests")
            elif path not in tree.by_include:
                problems.append(f"{where}: there is no {path}; the include roots are the wings")
            elif file.is_test or file.layer in (layer, PUBLIC_FOLDER):
                continue
            elif layer not in allowed[file.layer]:
                problems.append(f"{where}: {file.layer} must not include {layer} (see {LAYERS})")
    return problems


def layers_used(tree):
    """Each layer includes all layers on its line of layers.txt, and not only in tests."""
    allowed, _, _ = read_layers(tree)
    used = {
        (file.layer, path.partition("/")[0])
        for file in tree.below("src")
        if file.is_cpp and file.layer is not None and not file.is_test
        for _, path, is_quoted in file.includes
        if is_quoted
    }
    return [
        f"{LAYERS}: {layer} names {named} but does not include it: drop the name"
        for layer, names in allowed.items()
        for named in sorted(names)
        if (layer, named) not in used
    ]


def circles(needs):
    """The circles of a graph {name: names it needs}, as texts; of several in a knot, one."""
    found, done = [], set()

    def walk(name, way):
        if name in way:
            found.append(" -> ".join(way[way.index(name) :] + [name]))
        elif name not in done:
            for needed in sorted(needs.get(name, ())):
                walk(needed, way + [name])
            done.add(name)

    for name in sorted(needs):
        walk(name, [])
    return found


def wings_are_acyclic(tree):
    """No two wings need each other."""
    allowed, wings, _ = read_layers(tree)
    needs = collections.defaultdict(set)
    for layer, uses in allowed.items():
        needs[wings[layer]] |= {wings[used] for used in uses if used in wings} - {wings[layer]}
    return [f"{LAYERS}: wings need each other: {circle}" for circle in circles(needs)]


def folders_are_acyclic(tree):
    """Inside a layer, no two folders include each other; those of tests may."""
    needs = collections.defaultdict(set)
    for file in tree.below("src"):
        if not file.is_cpp or file.layer is None or file.is_test:
            continue
        here = file.include_path.rpartition("/")[0]
        for _, path, is_quoted in file.includes:
            there = path.rpartition("/")[0]
            if is_quoted and there.split("/")[0] == file.layer and there != here:
                needs[here].add(there)
    return [f"src: folders include each other: {circle}" for circle in circles(needs)]


BANNED_IN_HEADERS = {
    "iostream": "<iosfwd>, or print in src/faces/cli",
    "regex": "a hand-written scanner",
    "filesystem": "std::string paths, the rest in the .cc file",
    "future": "async::Task",
    "thread": "the .cc file, behind a pimpl",
    "ranges": "<algorithm>",
}
CHRONO_HEADER = "src/ground/base/time.h"


def header_includes(tree):
    """Headers stay cheap to include."""
    problems = []
    for file in tree.library_files:
        if not file.is_header:
            continue
        for line, path, is_quoted in file.includes:
            if not is_quoted and path in BANNED_IN_HEADERS:
                problems.append(
                    f"{file.path}:{line}: <{path}> in a header: use {BANNED_IN_HEADERS[path]}"
                )
            elif path == "chrono" and file.path != CHRONO_HEADER:
                problems.append(f'{file.path}:{line}: <chrono> comes through "base/time.h"')
    return problems


KERNEL_HEADER = re.compile(
    r"liburing\.h|linux/.*|sys/(?:epoll|socket|eventfd|signalfd|timerfd|uio|un)\.h"
    r"|netinet/.*|arpa/.*|netdb\.h"
)


def kernel_headers(tree):
    """Only the drivers, and the files of a short list, talk to the kernel."""
    listed = tree.listing(KERNEL_FILES)
    problems, used = [], set()
    for file in tree.below("src"):
        if not file.is_cpp or file.path.endswith("_test.cc"):
            continue
        for line, path, _ in file.includes:
            if not KERNEL_HEADER.fullmatch(path):
                continue
            if file.path in listed:
                used.add(file.path)
            elif not re.fullmatch(r"src/ground/async/drivers/\w+_driver\.cc", file.path):
                problems.append(
                    f"{file.path}:{line}: <{path}> belongs in a driver (or see {KERNEL_FILES})"
                )
    for path in listed:
        if path not in used:
            problems.append(f"{KERNEL_FILES}: {path} includes no kernel header: drop the line")
    return problems


def sources_listed(tree):
    """Every .cc file of a library is in its folder's CMakeLists.txt, so that it is built."""
    problems = []
    for file in tree.library_files:
        if not file.path.endswith(".cc"):
            continue
        folder, _, name = file.path.rpartition("/")
        while folder != "src" and f"{folder}/CMakeLists.txt" not in tree.by_path:
            folder, _, parent = folder.rpartition("/")
            name = f"{parent}/{name}"
        text = tree.by_path[f"{folder}/CMakeLists.txt"].text
        text = re.sub(r"#.*", "", text)
        if not re.search(rf"(?<![\w/.]){re.escape(name)}(?![\w.])", text):
            problems.append(f"{file.path}: {folder}/CMakeLists.txt does not list {name}")
    return problems
