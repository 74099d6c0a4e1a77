"""Finds the functions of a C++ file, well enough to measure them.

This is no parser. It walks the braces of the code (comments, literals and preprocessor lines are
blank by then) and judges each opening brace by the text before it.
"""

import dataclasses
import re

TEMPLATE_WORD = re.compile(r"\btemplate\s*(?=<)")
CONTAINER = re.compile(
    r"^(?:(?:inline|export|typedef|friend|static|constexpr|extern)\s+|\[\[.*?\]\]\s*)*"
    r"(?:namespace|class|struct|union|enum|extern)\b"
)
ASSIGNMENT = re.compile(r"(?<![=!<>+\-*/%&|^])=(?!=)")
OPERATOR_NAME = re.compile(r"\boperator\s*[^\s\w(]{1,3}")
ACCESS_LABELS = re.compile(r"\s*(?:(?:public|private|protected)\s*:\s*)*")
MARK = re.compile(r"[{};]")
CONTINUES = re.compile(r"\s*[,{]")  # Pair(int a) : first_{a}, second_{a} {
NAME = re.compile(
    r"(?!(?:requires|noexcept|alignas|decltype|explicit|const)\b)"
    r"([~\w:]+|operator\s*(?:\(\)|[^\s\w(]{1,3}|\w+))\s*\("
)


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    first_line: int
    last_line: int

    @property
    def line_count(self):
        return self.last_line - self.first_line + 1


@dataclasses.dataclass
class Block:
    is_container: bool
    is_function: bool
    head_start: int  # where the declaration that owns the block begins
    head: str


def balanced_end(text, start, opening, closing):
    """The offset after the bracket that closes the one at start, or len(text)."""
    depth = 0
    for bracket in re.compile(f"[{re.escape(opening + closing)}]").finditer(text, start):
        depth += 1 if bracket[0] == opening else -1
        if depth == 0:
            return bracket.end()
    return len(text)


def without_templates(head):
    """The head without its template<...> introducers."""
    while match := TEMPLATE_WORD.search(head):
        head = head[: match.start()] + head[balanced_end(head, match.end(), "<", ">") :]
    return head


def without_arguments(head):
    """The head with nothing between its outermost parentheses, which may contain defaults."""
    kept, depth = [], 0
    for char in head:
        depth -= char == ")"
        if depth == 0:
            kept.append(char)
        depth += char == "("
    return "".join(kept)


def opens_function(head):
    if head.count("(") > head.count(")") or "(" not in head:
        return False  # inside of an argument list, or a braced initialiser
    if ASSIGNMENT.search(OPERATOR_NAME.sub("operator", without_arguments(head))):
        return re.search(r"\]\s*(?:<[^=]*>\s*)?\(", head) is not None  # f = [](...) {
    return True


def function_name(head):
    match = NAME.search(OPERATOR_NAME.sub(lambda m: m[0].replace("(", ""), head))
    if not match:
        return "?"
    if re.fullmatch(r"[A-Z][A-Z_]*", match[1]):  # TEST(Suite, Name)
        return re.sub(r"\s+", "", head[match.start() :])
    return match[1]


def functions_of(file):
    text = file.statements
    found, blocks = [], []
    head_start = 0
    for mark in MARK.finditer(text):
        char, offset = mark[0], mark.start()
        in_container = not blocks or blocks[-1].is_container
        if char == "{":
            head_start = ACCESS_LABELS.match(text, head_start).end()
            head = without_templates(text[head_start:offset]).strip()
            is_container = in_container and CONTAINER.match(head) is not None
            is_function = in_container and not is_container and opens_function(head)
            blocks.append(Block(is_container, is_function, head_start, head))
            if is_container:
                head_start = offset + 1
        elif char == "}" and blocks:
            block = blocks.pop()
            if block.is_function and not CONTINUES.match(text, offset + 1):
                first, last = file.line_of(block.head_start), file.line_of(offset)
                found.append(Function(function_name(block.head), first, last))
                head_start = offset + 1
            elif block.is_container:
                head_start = offset + 1
        elif char == ";" and in_container:
            head_start = offset + 1
    return found
