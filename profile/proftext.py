"""The text that `llvm-profdata merge -text` writes: a head, then one paragraph per function.

    _ZN8gossamer3url5parseESt17basic_string_viewIcSt11char_traitsIcEE
    # Func Hash:
    784007058953177093
    # Num Counters:
    2
    # Counter Values:
    9000
    128
"""

import dataclasses

COUNTERS = "# Counter Values:"
HASH = "# Func Hash:"


@dataclasses.dataclass(frozen=True)
class Function:
    text: str  # its paragraph
    name: str
    hash: str  # of its branches: another one means that it has changed
    count: int  # of all that was counted in it


class NoProfile(ValueError):
    """This is not such a text."""


def function_of(paragraph):
    lines = paragraph.splitlines()
    try:
        digest = lines[lines.index(HASH) + 1]
        counters = lines[lines.index(COUNTERS) + 1:]
    except (ValueError, IndexError) as error:
        raise NoProfile(f"this is no function: {lines[0]}") from error
    count = 0
    for line in counters:
        if not line.isdigit():
            break  # what follows are targets of indirect calls, and sizes
        count += int(line)
    return Function(paragraph, lines[0], digest, count)


def read(text):
    """-> the head, and the functions in their order. Raises NoProfile."""
    paragraphs = [part for part in text.split("\n\n") if part.strip()]
    if not paragraphs:
        raise NoProfile("the profile is empty")
    first = paragraphs[0].splitlines()
    head = [line for index, line in enumerate(first)
            if line.startswith((":", "#")) and all(one.startswith((":", "#"))
                                                   for one in first[:index])]
    if ":ir" not in head:
        raise NoProfile("the profile is not one of -fprofile-generate")
    rest = "\n".join(first[len(head):])
    return "\n".join(head) + "\n", [function_of(part) for part in [rest, *paragraphs[1:]] if part]


def written(head, functions):
    """The inverse of read(). Functions are sorted by name, so that two profiles can be compared."""
    ordered = sorted(functions, key=lambda function: (function.name, function.hash))
    return head + "".join(function.text.strip("\n") + "\n\n" for function in ordered)


def hot(functions, share):
    """The fewest functions in which this share of everything was counted."""
    wanted = share * sum(function.count for function in functions)
    found, counted = [], 0
    for function in sorted(functions, key=lambda one: (-one.count, one.name)):
        if counted >= wanted or function.count == 0:
            break
        found.append(function)
        counted += function.count
    return found


def without(functions, names):
    """Leaves out functions, and what the compiler has split from them."""
    return [function for function in functions
            if not any(name in function.name for name in names)]


@dataclasses.dataclass(frozen=True)
class Comparison:
    functions: int  # in the profile
    same: int  # of these the program has as they were
    same_share: float  # of all that was counted


def compare(profile, program):
    """How much of a profile still fits the functions of a program."""
    there = {(function.name, function.hash) for function in program}
    same = [function for function in profile if (function.name, function.hash) in there]
    total = sum(function.count for function in profile)
    return Comparison(len(profile), len(same),
                      sum(function.count for function in same) / total if total else 0.0)
