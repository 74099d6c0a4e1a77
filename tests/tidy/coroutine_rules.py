"""Rules about coroutines that a compiler does not enforce (co_lint)."""

import re

from functions import balanced_end

COROUTINE_TYPES = r"(?:Task|AsyncGenerator|Generator)"
COROUTINE_HINT = re.compile(r"co_(?:await|return|yield)|(?:Task|Generator)\s*<")
COROUTINE_WORD = re.compile(r"\bco_(?:await|return|yield)\b")
RETURNS_COROUTINE = re.compile(rf"->\s*(?:\w+::)*{COROUTINE_TYPES}\s*<")

# The start of a lambda: a bracket that neither subscripts nor opens an attribute.
LAMBDA_BRACKET = re.compile(r"(?<![\w)\]\[>\"])(\[)(?!\[)")
KEYWORD_BRACKET = re.compile(r"\b(?:return|co_return|co_await|co_yield|case|else)\s*(\[)(?!\[)")


class Lambda:
    """One lambda: its captures, its declared return type, the position of its body."""

    def __init__(self, text, bracket):
        self.start = bracket
        self.captures_end = balanced_end(text, bracket, "[", "]")
        self.captures = text[bracket + 1 : self.captures_end - 1].strip()
        offset = skip_spaces(text, self.captures_end)
        if text[offset : offset + 1] == "<":
            offset = skip_spaces(text, balanced_end(text, offset, "<", ">"))
        self.parameters = ""
        if text[offset : offset + 1] == "(":
            end = balanced_end(text, offset, "(", ")")
            self.parameters = text[offset + 1 : end - 1]
            offset = end
        opening = re.compile(r"[{;)\]]").search(text, offset)
        self.is_lambda = opening is not None and opening[0] == "{"
        self.body_start = opening.start() if self.is_lambda else offset
        self.signature = text[offset : self.body_start]
        self.body_end = balanced_end(text, self.body_start, "{", "}") if self.is_lambda else offset


def skip_spaces(text, offset):
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def lambdas_of(text):
    brackets = {match.start(1) for match in LAMBDA_BRACKET.finditer(text)}
    brackets |= {match.start(1) for match in KEYWORD_BRACKET.finditer(text)}
    found = [Lambda(text, bracket) for bracket in sorted(brackets)]
    return [each for each in found if each.is_lambda]


def own_body(text, outer, all_lambdas):
    """The body of a lambda without the bodies of the lambdas inside it."""
    body = text[outer.body_start : outer.body_end]
    for inner in all_lambdas:
        if outer.body_start < inner.start and inner.body_end <= outer.body_end:
            begin, end = inner.body_start - outer.body_start, inner.body_end - outer.body_start
            body = body[:begin] + " " * (end - begin) + body[end:]
    return body


def capturing_coroutines(tree):
    """No coroutine is a lambda with captures: they die with the lambda, the frame lives on."""
    problems = []
    for file in tree.cpp_files:
        text = file.statements
        found = lambdas_of(text) if COROUTINE_HINT.search(text) else []
        for each in found:
            if not each.captures:
                continue
            if COROUTINE_WORD.search(own_body(text, each, found)) or RETURNS_COROUTINE.search(
                each.signature
            ):
                problems.append(
                    f"{file.path}:{file.line_of(each.start)}: a coroutine lambda captures "
                    f"[{each.captures}]: pass it as a parameter, by value"
                )
    return problems


FUNCTION_START = re.compile(rf"(?<![\w:])(?:\w+::)*{COROUTINE_TYPES}\s*(?=<)")
BORROWED = re.compile(
    r"&|\b(?:string_view|StringView|Bytes|MutableBytes)\b|\bspan\s*<|\binitializer_list\s*<"
)


def coroutine_functions(text):
    """(offset, name, parameters) of the functions that return a Task or a generator."""
    for match in FUNCTION_START.finditer(text):
        behind = balanced_end(text, match.end(), "<", ">")
        named = re.compile(r"\s+((?:\w+::)*\w+)\s*(\()").match(text, behind)
        if named:
            end = balanced_end(text, named.start(2), "(", ")")
            yield match.start(), named[1], text[named.start(2) + 1 : end - 1]
    for match in RETURNS_COROUTINE.finditer(text):
        close = text.rfind(")", 0, match.start())
        start = matching_open(text, close)
        if start is not None:
            name = re.search(r"((?:\w+::)*\w+)\s*$", text[:start])
            yield start, name[1] if name else "a lambda", text[start + 1 : close]


def matching_open(text, close):
    depth = 0
    for offset in range(close, -1, -1):
        depth += {")": 1, "(": -1}.get(text[offset], 0)
        if depth == 0:
            return offset
    return None


def says_borrows(file, first_line, last_line):
    """Whether BORROWS is on these lines or in the comment directly above them."""
    lines = file.lines
    above = first_line - 1
    while above > 0 and re.match(r"\s*(?://|template\b|requires\b|\[\[)", lines[above - 1]):
        above -= 1
    return any("BORROWS" in line for line in lines[above:last_line])


def borrowing_declarations(file):
    """({names declared with BORROWS}, [(line, name) of those that borrow and do not say so])"""
    marked, unmarked = set(), []
    text = file.statements
    for offset, name, parameters in coroutine_functions(text):
        if not BORROWED.search(parameters):
            continue
        first_line = file.line_of(offset)
        end = re.compile(r"[;{]").search(text, offset + len(parameters))
        last_line = file.line_of(end.start()) if end else first_line
        if says_borrows(file, first_line, last_line):
            marked.add(name.rpartition("::")[2])
        else:
            unmarked.append((first_line, name))
    return marked, unmarked


def borrowed_parameters(tree):
    """A coroutine takes its parameters by value, or says BORROWS where it is declared."""
    problems = []
    for file in tree.library_files:
        if not file.is_cpp or file.is_test:
            continue
        header = tree.by_path.get(file.path.removesuffix(".cc") + ".h")
        declared = borrowing_declarations(header)[0] if header and header is not file else set()
        for line, name in borrowing_declarations(file)[1]:
            # A definition follows its declaration; members are declared in their class.
            if file.path.endswith(".cc") and ("::" in name or name in declared):
                continue
            problems.append(
                f"{file.path}:{line}: {name} borrows a parameter across its waits: take it by "
                "value, or say `// BORROWS: ...`"
            )
    return problems
