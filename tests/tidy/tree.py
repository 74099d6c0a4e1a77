"""The source tree as the tidy rules see it."""

import dataclasses
import functools
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

TEXT_SUFFIXES = {".cc", ".h", ".py", ".cmake", ".txt", ".md", ".in", ".inc"}
TEXT_NAMES = {"gossamer", "run", "package.json", "package-lock.json"}
SKIPPED_FOLDERS = {"build", "__pycache__", "node_modules"}
LIBRARIES = ("src/", "tests/simulated/")  # the product, and the simulated world of its tests

# Numbers come first, because the quotes of 1'000'000 do not begin a character.
TOKEN = re.compile(
    r"""
    (?P<number>\b\d[\w.]*(?:'[\w.]+)*)
  | (?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
  | (?P<literal>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
              | "(?:\\.|[^"\\\n])*"
              | '(?:\\.|[^'\\\n])+')
    """,
    re.VERBOSE | re.DOTALL,
)
COMMENT_MARK = re.compile(r"//+|/\*|\*/")
PREPROCESSOR_LINE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)


def blank(text):
    """Spaces instead of text, so that every position keeps its line and column."""
    return "\n".join([" " * len(line) for line in text.split("\n")])


@dataclasses.dataclass(frozen=True)
class SourceFile:
    path: str  # from the root of the tree, with slashes
    text: str

    @property
    def is_cpp(self):
        return self.path.endswith((".cc", ".h"))

    @property
    def is_header(self):
        return self.path.endswith(".h")

    @property
    def is_test(self):
        return self.path.endswith("_test.cc") or not self.path.startswith(LIBRARIES)

    @property
    def wing(self):
        """The folder below src/ that holds its layer, or None."""
        parts = self.path.split("/")
        return parts[1] if len(parts) > 3 and parts[0] == "src" else None

    @property
    def layer(self):
        """The folder below the wing, or None."""
        return self.path.split("/")[2] if self.wing else None

    @property
    def include_path(self):
        """How other files include it: wings are the include roots."""
        return self.path.split("/", 2)[2] if self.wing else self.path

    @functools.cached_property
    def lines(self):
        return self.text.splitlines()

    @functools.cached_property
    def tokens(self):
        """(kind, start, end) of the comments and literals."""
        found = ((match.lastgroup, *match.span()) for match in TOKEN.finditer(self.text))
        return [token for token in found if token[0] != "number"]

    @functools.cached_property
    def uncommented(self):
        """The text with comments blanked; literals are kept."""
        return self.without("comment")

    @functools.cached_property
    def code(self):
        """The text with comments and literals blanked, so that only code is left."""
        return self.without("comment", "literal")

    @functools.cached_property
    def comments(self):
        """The text of comments, with all else blanked."""
        return self.only("comment")

    @functools.cached_property
    def words(self):
        """The text of comments and literals, with all else blanked."""
        return self.only("comment", "literal")

    @functools.cached_property
    def statements(self):
        """The code with preprocessor lines blanked too."""
        return PREPROCESSOR_LINE.sub(lambda m: blank(m[0]), self.code)

    @functools.cached_property
    def includes(self):
        """(line, path, is_quoted) of every #include."""
        found = []
        for match in re.finditer(
            r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', self.uncommented, re.MULTILINE
        ):
            found.append((self.line_of(match.start()), match[2], match[1] == '"'))
        return found

    def without(self, *kinds):
        """The text with the tokens of these kinds blanked."""
        parts, behind = [], 0
        for kind, start, end in self.tokens:
            if kind in kinds:
                parts += [self.text[behind:start], blank(self.text[start:end])]
                behind = end
        return "".join(parts) + self.text[behind:]

    def only(self, *kinds):
        """The tokens of these kinds, with all else and the marks of comments blanked."""
        parts, behind = [], 0
        for kind, start, end in self.tokens:
            if kind not in kinds:
                continue
            token = self.text[start:end]
            if kind == "comment":
                token = COMMENT_MARK.sub(lambda mark: " " * len(mark[0]), token)
            parts += [blank(self.text[behind:start]), token]
            behind = end
        return "".join(parts) + blank(self.text[behind:])

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1


class Tree:
    """Files by path. Rules take a Tree, so that tests can pass a bad one."""

    def __init__(self, texts, folders=()):
        self.files = [SourceFile(path, text) for path, text in sorted(texts.items())]
        self.by_path = {file.path: file for file in self.files}
        self.by_include = {file.include_path: file.path for file in self.files}
        self.folders = set(folders)
        for path in texts:
            self.folders.update(str(parent) for parent in pathlib.PurePosixPath(path).parents)

    @property
    def cpp_files(self):
        return [file for file in self.files if file.is_cpp]

    @property
    def library_files(self):
        return [file for file in self.files if file.path.startswith(LIBRARIES)]

    def below(self, folder):
        return [file for file in self.files if file.path.startswith(folder + "/")]

    def exists(self, path):
        return path in self.by_path or path in self.folders

    def listing(self, path):
        """The lines of a list file, without comments and empty lines."""
        text = self.by_path[path].text if path in self.by_path else ""
        stripped = (re.sub(r"#.*", "", line).strip() for line in text.splitlines())
        return [line for line in stripped if line]


def is_text(name):
    return pathlib.PurePosixPath(name).suffix in TEXT_SUFFIXES or name in TEXT_NAMES


@functools.cache
def whole_tree():
    """The tree on disk. Files that are not our text count as present but are not read."""
    texts, others = {}, set()
    for folder, subfolders, names in os.walk(ROOT):
        subfolders[:] = sorted(
            name
            for name in subfolders
            if name not in SKIPPED_FOLDERS and (not name.startswith(".") or name == ".ci")
        )
        for name in names:
            path = pathlib.Path(folder, name)
            relative = path.relative_to(ROOT).as_posix()
            if is_text(name):
                texts[relative] = path.read_text(encoding="utf-8", errors="surrogateescape")
            else:
                others.add(relative)
    return Tree(texts, folders=others)
