"""Makes mutants of C++ source: small changes that a good test suite notices.

All mutants of a file are compiled together. Each changed place reads a switch:

    if (a < b) {
    if ((is(1) ? bool(!(a < b)) : is(2) ? bool(a <= b) : bool(a < b))) {

It reads formatted code, not C++: an operator has spaces around it, and a statement has its line.
"""

import re
from dataclasses import dataclass, field

SWITCH = "::gossamer_mutants::is"

OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
             "&&": "||", "||": "&&"}
OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||<|>)(?= |\n)")
NUMBER = re.compile(r"(?<![\w.'])(\d+)(?![\w.'])")
CONDITION = re.compile(r"\b(if|while) \(")
CONSTEXPR = re.compile(r"\b(?:constexpr|consteval)\b(?! \()")
RETURN = re.compile(r"\b(return|co_return) ")
# Begins like a call or an assignment, not like a declaration.
STATEMENT = re.compile(
    r"^ +(?!return|co_|case|default|using|static_assert|D?CHECK|break|continue|goto|delete"
    r"|throw|else|if|for|while|do|switch|public|private|protected|friend|typedef|template)"
    r"(?:\+\+|--)?\*?[A-Za-z_][\w:.\->\[\]]*(?: [-+*/|&^%]?= |\(|\+\+|--|\.).*;$"
)
DECLARATION = re.compile(r"(?<![=!<>+\-*/|&^%])=(?![=])")


@dataclass
class Mutant:
    file: str
    line: int
    change: str  # "a < b -> a <= b", the key of the list of equivalent ones
    number: int = 0
    is_constexpr: bool = False  # the compiler may have run it, without a switch


@dataclass
class Place:
    """A region of a file and its variants. `text` makes the replacement from the numbers."""

    begin: int
    end: int
    kind: str  # condition, value, statement
    variants: list = field(default_factory=list)  # (text, change)


def code_mask(source):
    """Returns the source, in equal length, without comments, strings and preprocessor lines."""
    out = []
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\''
        r"|^[ ]*#(?:\\\n|[^\n])*",
        re.S | re.M,
    )
    at = 0
    for found in pattern.finditer(source):
        out.append(source[at : found.start()])
        out.append(re.sub(r"[^\n]", "_" if found[0][0] in "\"'R" else " ", found[0]))
        at = found.end()
    out.append(source[at:])
    return "".join(out)


def closing(mask, at):
    """Returns the position of the bracket that closes the one at `at`, or -1."""
    depth = 0
    for i in range(at, len(mask)):
        if mask[i] in "([{":
            depth += 1
        elif mask[i] in ")]}":
            depth -= 1
            if depth == 0:
                return i
    return -1


def at_top(mask):
    """Returns the text with everything inside brackets as blanks."""
    depth, out = 0, []
    for c in mask:
        if c in ")]}":
            depth -= 1
        out.append(c if depth == 0 else " ")
        if c in "([{":
            depth += 1
    return "".join(out)


def constexpr_regions(mask):
    """Returns the bodies of functions and values that the compiler may compute: (begin, end)."""
    regions = []
    for found in CONSTEXPR.finditer(mask):
        opened = mask.find("{", found.end())
        ended = at_top(mask[found.end() : opened]).find(";") if opened >= 0 else 0
        if opened >= 0 and ended < 0:
            regions.append((opened, closing(mask, opened)))
    return regions


def one_line(text):
    return re.sub(r"\s+", " ", text).strip()


def variants_of(source, mask):
    """Returns the variants of an expression: other operators and other numbers."""
    found = []
    for operator in OPERATOR.finditer(mask):
        found.append((operator.start(), operator.end(), OPERATORS[operator[1]]))
    for number in NUMBER.finditer(mask):
        found.append((number.start(), number.end(), str(int(number[1]) + 1)))
    original = one_line(source)
    variants = []
    for begin, end, new in found:
        changed = one_line(source[:begin] + new + source[end:])
        variants.append((changed, f"{original} -> {changed}"))
    return variants


def condition_places(source, mask):
    for found in CONDITION.finditer(mask):
        begin = found.end()
        end = closing(mask, begin - 1)
        if end < 0 or "//" in source[begin:end]:
            continue
        inside = at_top(mask[begin:end])
        begin += inside.rfind(";") + 1
        if DECLARATION.search(at_top(mask[begin:end])) or not mask[begin:end].strip():
            continue
        text = one_line(source[begin:end])
        if text == "true":
            continue  # an endless loop has no other end
        place = Place(begin, end, "condition", [(f"!({text})", f"{text} -> !({text})")])
        place.variants += variants_of(source[begin:end], mask[begin:end])
        yield place


def return_places(source, mask):
    for found in RETURN.finditer(mask):
        begin = found.end()
        depth = 0
        end = begin
        while end < len(mask) and not (mask[end] == ";" and depth == 0):
            depth += (mask[end] in "([{") - (mask[end] in ")]}")
            end += 1
        if mask[begin] == "{" or "//" in source[begin:end]:
            continue
        text = source[begin:end]
        if text in ("true", "false"):
            other = "false" if text == "true" else "true"
            yield Place(begin, end, "value", [(other, f"return {text} -> return {other}")])
            continue
        variants = variants_of(text, mask[begin:end])
        if "{" in mask[begin:end] or not OPERATOR.search(at_top(mask[begin:end])):
            continue
        yield Place(begin, end, "value", [(new, "return " + change) for new, change in variants])


def statement_places(source, mask):
    at = 0
    for line in mask.splitlines(keepends=True):
        begin, at = at, at + len(line)
        if not STATEMENT.match(line.rstrip("\n")):
            continue
        if line.rstrip().endswith(("= default;", "= delete;")):
            continue
        if line.count("(") != line.count(")") or line.count("{") != line.count("}"):
            continue
        before = mask[:begin].rstrip()
        if not before.endswith((";", "{", "}", ":")):
            continue  # the rest of a longer statement
        if before.endswith("}") and re.search(r"\belse\s*$", before):
            continue
        begin += len(line) - len(line.lstrip())
        end = begin + len(line.strip())
        text = one_line(source[begin:end])
        yield Place(begin, end, "statement", [("", f"{text} -> ;")])


def places_of(source):
    """Returns the places of a file in order; none is inside another."""
    mask = code_mask(source)
    places = []
    for make in (condition_places, return_places, statement_places):
        places += make(source, mask)
    places.sort(key=lambda place: (place.begin, -place.end))
    disjoint, last = [], 0
    for place in places:
        if place.begin >= last and place.variants:
            disjoint.append(place)
            last = place.end
    return disjoint


def mutate(path, source, first, skipped):
    """Returns the source with all its mutants, numbered from `first`, and the list of mutants.

    Leaves out the changes in `skipped`, which do not compile.
    """
    out, mutants, at = [], [], 0
    regions = constexpr_regions(code_mask(source))
    for place in places_of(source):
        line = source.count("\n", 0, place.begin) + 1
        original = source[place.begin : place.end]
        choices = []
        is_constexpr = any(begin < place.begin < end for begin, end in regions)
        for text, change in place.variants:
            if (path, line, change) in skipped:
                continue
            mutants.append(Mutant(path, line, change, first + len(mutants), is_constexpr))
            choices.append((mutants[-1].number, text))
        if not choices:
            continue
        out.append(source[at : place.begin])
        at = place.end
        if place.kind == "statement":
            out.append(f"if (!{SWITCH}({choices[0][0]})) {original}")
            continue
        cast = "bool" if place.kind == "condition" else ""
        head = "".join(f"{SWITCH}({number}) ? {cast}({text}) : " for number, text in choices)
        out.append(f"({head}{cast}({original}))")
    out.append(source[at:])
    return "".join(out), mutants
