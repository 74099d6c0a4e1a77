"""Rules about the text of single files: lengths, characters, names."""

import re

import functions

LINE_COLUMNS_MAX = 100
FUNCTION_LINES_MAX = 70
FILE_LINES_MAX = 500
EXCEPTIONS = "tests/tidy/exceptions.txt"

CODE_SUFFIXES = (".cc", ".h", ".py", ".cmake", ".in", "CMakeLists.txt")


def code_files(tree):
    scripts = [file for file in tree.files if file.path in ("gossamer", ".ci/run")]
    return [file for file in tree.files if file.path.endswith(CODE_SUFFIXES)] + scripts


def line_length(tree):
    """No line is longer than 100 columns."""
    return [
        f"{file.path}:{number}: the line has {len(line)} columns, the most is {LINE_COLUMNS_MAX}"
        for file in code_files(tree)
        for number, line in enumerate(file.lines, 1)
        if len(line) > LINE_COLUMNS_MAX
    ]


def ascii_only(tree):
    """Source is ASCII; other characters are written as escapes."""
    return [
        f"{file.path}:{number}: not ASCII: {ascii(line.strip())}"
        for file in code_files(tree)
        for number, line in enumerate(file.lines, 1)
        if not line.isascii()
    ]


def layout(tree):
    """No tabs, no spaces at the end of a line, exactly one newline at the end of the file."""
    problems = []
    for file in code_files(tree):
        for number, line in enumerate(file.lines, 1):
            if line != line.rstrip():
                problems.append(f"{file.path}:{number}: spaces at the end of the line")
            if "\t" in line:
                problems.append(f"{file.path}:{number}: a tab")
        if file.text and not re.search(r"[^\n]\n\Z", file.text):
            problems.append(f"{file.path}: must end with exactly one newline")
    return problems


# Spelled apart, or this file would break its own rule.
LEFTOVER = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")


def leftovers(tree):
    """Nothing is left for later in the source."""
    return [
        f"{file.path}:{number}: {match[0]}: do it or drop it"
        for file in code_files(tree)
        for number, line in enumerate(file.lines, 1)
        if (match := LEFTOVER.search(line))
    ]


def measured_sizes(tree):
    """{"file path" or "function path name": (lines, the most)} for everything that has a bound."""
    sizes = {}
    for file in code_files(tree):
        sizes[f"file {file.path}"] = (len(file.lines), FILE_LINES_MAX)
    for file in tree.cpp_files:
        for function in functions.functions_of(file):
            key = f"function {file.path} {function.name}"
            largest = max(function.line_count, sizes.get(key, (0, 0))[0])
            sizes[key] = (largest, FUNCTION_LINES_MAX)
    return sizes


def sizes(tree):
    """Files have at most 500 lines, functions at most 70; the exceptions may only shrink."""
    measured = measured_sizes(tree)
    excepted, problems = {}, []
    for entry in tree.listing(EXCEPTIONS):
        key, _, number = entry.rpartition(" ")
        if not number.isdigit() or not re.match(r"file \S+$|function \S+ \S+$", key):
            problems.append(f"{EXCEPTIONS}: cannot read `{entry}`")
            continue
        excepted[key] = int(number)
    for key, listed in excepted.items():
        lines, most = measured.get(key, (0, 0))
        if lines <= most:
            problems.append(f"{EXCEPTIONS}: `{key}` needs no exception any more: drop the line")
        elif lines < listed:
            problems.append(f"{EXCEPTIONS}: `{key}` has only {lines} lines now: lower the number")
    for key, (lines, most) in measured.items():
        if lines > max(most, excepted.get(key, 0)):
            problems.append(f"{key}: {lines} lines, the most is {excepted.get(key, most)}")
    return problems


# (what, what to write in its place)
BANNED_CODE = [
    (r"\bstd::function\s*<", "std::move_only_function or a template"),
    (r"\bstd::w?c?regex\b|\bstd::regex_\w+", "a hand-written scanner; RE2 for what users type"),
    (r"\bstd::endl\b", "'\\n'"),
    (r"\busing\s+namespace\s+std\s*;", "the names themselves"),
    (r"\b(?:std::)?(?:s?rand)\s*\(", "base/random.h: seeded, so that a run can be repeated"),
    (r"\b(?:std::)?(?:strcpy|strcat|sprintf|vsprintf|atoi|atol|strtok)\s*\(",
     "std::string, fmt or std::from_chars"),
    (r"\bstd::(?:this_thread::)?sleep_(?:for|until)\b", "the clock that was handed in"),
    (r"\bstd::(?:bind|auto_ptr)\b", "a lambda, a unique_ptr"),
    (r"\bNULL\b", "nullptr"),
    (r"\bassert\s*\(", "CHECK, which stays on in release"),
]
BANNED_CODE_OUTSIDE_TESTS = [
    (r"\.detach\s*\(\s*\)", "a Scope, which joins what it started"),
]
BANNED_IN_LAYERS_OUTSIDE_TESTS = [
    (r"\bfmt::print\s*\(|\bstd::(?:printf|puts|putchar|cout)\b|\bstdout\b",
     "print_out and print_err of terminal/standard_output.h, which lose nothing"),
]
# Finds all of these in one pass. Few files have any, and some may have what they have.
SUSPECT_CODE = re.compile(
    "|".join(
        f"(?:{'|'.join(pattern for pattern, _ in banned)})"
        for banned in (BANNED_CODE + BANNED_IN_LAYERS_OUTSIDE_TESTS, BANNED_CODE_OUTSIDE_TESTS)
    )
)
BANNED_TYPE = re.compile(
    r"\b(?:class|struct|union|enum|using|concept)\s+(?:class\s+|struct\s+)?(?:\[\[.*?\]\]\s*)?"
    r"(\w*(?:Manager|Helper|Handler|Info|Utils?|Misc))\b"
)
BANNED_STEM = re.compile(
    r"(?:^|_)(?:managers?|helpers?|handlers?|infos?|utils?|utilities|common|misc)(?:_|$)"
)


def banned_code_of(file):
    banned = list(BANNED_CODE) if file.layer else []  # examples show what others do, too
    if not file.is_test:
        banned += BANNED_CODE_OUTSIDE_TESTS
    if file.layer and not file.is_test:
        banned += BANNED_IN_LAYERS_OUTSIDE_TESTS
    return banned


def banned_names(tree):
    """Names that say nothing, and library calls for which we have something better."""
    problems = []
    for file in tree.cpp_files:
        banned = banned_code_of(file) if SUSPECT_CODE.search(file.statements) else []
        for pattern, instead in banned:
            for match in re.finditer(pattern, file.statements):
                problems.append(
                    f"{file.path}:{file.line_of(match.start())}: "
                    f"{match[0].rstrip('( ')}: use {instead}"
                )
        for match in BANNED_TYPE.finditer(file.statements):
            problems.append(
                f"{file.path}:{file.line_of(match.start())}: "
                f"{match[1]}: use a noun of the domain (frontier, record, exchange)"
            )
    return problems


# Folders whose tests wait for other processes, by the clock of the machine.
REAL_TIME_FOLDERS = ("tests/end_to_end/", "tests/dashboard/", "tests/redis_model/", "tests/replay/")
FIXED_PATIENCE = re.compile(
    r"\b(?:now\(\)\s*\+|with_(?:timeout|deadline)\()\s*(\d[\d.']*(?:ms|s|min|h)\b)"
)


def fixed_patience(tree):
    """Tests with other processes do not assume how fast the machine is."""
    return [
        f"{file.path}:{file.line_of(match.start())}: {match[1]} may be too short: wait for an "
        "event, at most for support::kPatience"
        for file in tree.cpp_files
        if file.path.startswith(REAL_TIME_FOLDERS)
        for match in FIXED_PATIENCE.finditer(file.statements)
    ]


# The command line itself, and programs of others.
FLAG_FILES = (
    "src/faces/cli/",
    "src/ground/options/",
    "src/net/render/browser_words.cc",
)
FLAG = re.compile(r"(?<![\w`-])--[a-z][a-z-]*")
COMMAND = re.compile(r"`[^`\n]* [^`\n]*`|<!--.*?-->|\(--x:")


def flags(tree):
    """Only the command line names flags: other code names settings, `max-size` for --max-size."""
    problems = []
    for file in tree.below("src"):
        if not file.is_cpp or file.is_test or file.path.startswith(FLAG_FILES):
            continue
        for number, line in enumerate(file.words.split("\n"), 1):
            for flag in FLAG.findall(COMMAND.sub("", line)):
                problems.append(f"{file.path}:{number}: {flag}: write `{flag[2:]}`")
    return problems


def banned_paths(tree):
    """No file and no folder is called util, common, helpers or the like."""
    problems = []
    for file in tree.cpp_files:
        *folders, name = file.path.split("/")
        for part in [*folders, name.partition(".")[0].removesuffix("_test")]:
            if BANNED_STEM.search(part):
                problems.append(f"{file.path}: `{part}` says nothing: name it after what it holds")
    return problems


FILE_NAME = re.compile(r"[a-z0-9_]+\.(?:cc|h)")


def file_names(tree):
    """C++ files are named in snake_case and end in .cc or .h; headers begin with #pragma once."""
    problems = []
    for file in tree.cpp_files:
        if not FILE_NAME.fullmatch(file.path.rpartition("/")[2]):
            problems.append(f"{file.path}: file names are snake_case.cc or snake_case.h")
        first = file.uncommented.split()[:2]
        if file.is_header and first != ["#pragma", "once"]:
            problems.append(f"{file.path}: a header begins with #pragma once")
    return problems
