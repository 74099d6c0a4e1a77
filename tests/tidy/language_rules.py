"""Rules about the English of comments, messages and pages, and the names that they mention."""

import itertools
import re

import docs_rules

# (what not to write, what to write instead), in any case and over the ends of lines. They are
# searched in words in lower case with one space between them.
PHRASES = [
    (r"ask(?:s|ed|ing)? for", "fetch, request, require"),
    (r"ask(?:s|ed|ing)? again", "fetch again, refetch, repeat"),
    (r"(?:go|goes|going|went) on", "continue, resume"),
    (r"be had", "be fetched, be available"),
    (r"own (?:machine|network|hosts?)", "this machine, local network, local hosts"),
    (r"(?:was|were) (?:not )?content", "succeeded, failed"),
    (r"of nothing|one of something", "empty, not empty"),
    (r"(?:it|that|this|which|what) (?:is|are|was|were) no (?!longer|more|reason|\w+er\b)",
     "is not a"),
    (r"what is in flight", "requests in flight"),
    (r"manners", "politeness"),
    (r"strangers?", "other hosts, the public web"),
    (r"foretold", "predicted"),
    (r"makes? place", "frees a slot"),
    (r"how (?:it|they) gets? on", "progress"),
    (r"makes? other things of", "export"),
    (r"found different", "changed"),
    (r"(?:tell|tells|told|telling) (?:\w+ ){0,4}apart", "distinguish"),
    (r"at once", "concurrently, at the same time, immediately"),
    (r"wants? its", "requires"),
    (r"what is '[^']*' for", "unexpected argument"),
    (r"st(?:and|ands|ood) (?:in|there|here|at|on|before|behind|beside|between|above|below|where)",
     "is in, is there"),
    (r"may not", "must not, cannot, might not"),
    (r"a look at|another look|a closer look", "check, inspect"),
    (r"the rest stays", "the rest is kept"),
    (r"somebody|whoever", "the caller, the user, another process"),
    (r"has (?:had )?enough of|has had enough", "reached its limit"),
    (r"come by", "found"),
    (r"but for", "except"),
]
BANNED = re.compile(rf"\b(?:{'|'.join(phrase for phrase, _ in PHRASES)})\b")

BACKQUOTED = re.compile(r"`[^`\n]*`")


def plain_words(file):
    """The comments and literals of a file, or the prose of a page; all else is blank."""
    if file.path.endswith(".md"):
        return docs_rules.prose(file)
    return BACKQUOTED.sub(lambda match: " " * len(match[0]), file.words)


def nth_word(text, number):
    """The offset of the word with this number, from 0."""
    return next(itertools.islice(re.finditer(r"\S+", text), number, None)).start()


def phrases(tree):
    """Plain English: no phrase that reads like a translation."""
    problems = []
    for file in tree.cpp_files + docs_rules.pages(tree):
        words = plain_words(file)
        spaced = " ".join(words.split())
        for match in BANNED.finditer(spaced.lower()):
            instead = next(instead for phrase, instead in PHRASES if re.fullmatch(phrase, match[0]))
            line = file.line_of(nth_word(words, spaced.count(" ", 0, match.start())))
            found = spaced[match.start() : match.end()].strip()
            problems.append(f"{file.path}:{line}: `{found}`: write {instead}")
    return problems


# A function call without arguments, or a name in back quotes.
MENTION = re.compile(
    r"(?<![\w.:/\-$])((?:\w+::)*[A-Za-z_]\w*)\(\)|`((?:\w+::)*[A-Za-z_]\w*)(?:\(\))?`"
)
WORD = re.compile(r"[A-Za-z_]\w*")
EXAMPLE = re.compile(r"[ \t]*//   ")  # code that shows how something is used


def known_names(tree):
    """Every word outside of comments and pages."""
    names = set()
    for file in tree.files:
        if not file.path.endswith(".md"):
            names.update(WORD.findall(file.uncommented if file.is_cpp else file.text))
    return names


def mentioned_names(tree):
    """A name that a comment mentions as `name` or name() exists."""
    known, problems = known_names(tree), []
    for file in tree.cpp_files:
        lines = zip(file.comments.split("\n"), file.text.split("\n"))
        for number, (line, whole_line) in enumerate(lines, 1):
            if not ("()" in line or "`" in line) or EXAMPLE.match(whole_line):
                continue
            for match in MENTION.finditer(line):
                name = (match[1] or match[2]).split("::")
                if name[0] != "std" and name[-1] not in known:
                    problems.append(f"{file.path}:{number}: there is no `{'::'.join(name)}`")
    return problems
