"""Writes the version script of libgossamer.so, and the list of the symbols that it shares:

    version_script.py NM ARCHIVE FOLDER-OF-HEADERS SCRIPT LIST

What the installed headers declare is exported, and nothing else: classes with their members,
functions and variables. The script names each symbol, because a linker takes long to compare
patterns. The variables that headers define are shared: a program and the library must use the same
one.
"""

import pathlib
import re
import subprocess
import sys

NAMESPACE = re.compile(r"namespace (gossamer(?:::\w+)*) \{")
CLASS = re.compile(r"^(?:class|struct|union)(?: \[\[\w+\]\])? (\w+)(?:[ :<].*)?$")
FUNCTION = re.compile(r"\b(\w+)\(")  # also finds types of parameters, which harms nothing
VARIABLE = re.compile(r"^extern .*?\b(\w+);")
SHARED = re.compile(r"^ *inline .*\bthread_local .*?\b(\w+)(?:\[\w+\])? =", re.MULTILINE)
# Names of the Itanium ABI: members and functions, or tables, guards and thunks of them.
SYMBOL = re.compile(r"_Z(?:T?[A-Z]{0,3}|T[hv].*?_)NK?(8gossamer.*)")


def declarations(text):
    """Qualified names. clang-format puts declarations of namespaces at the margin."""
    namespace = None
    for line in text.splitlines():
        if found := NAMESPACE.match(line):
            namespace = found[1]
        elif namespace and re.match(r"\w|\[\[", line):
            for pattern in (CLASS, VARIABLE, FUNCTION):
                yield from (f"{namespace}::{name}" for name in pattern.findall(line))


def scopes(mangled):
    """The qualified name of a symbol, and of what it is in: gossamer, gossamer::url, ..."""
    names = []
    while length := re.match(r"\d+", mangled):
        end = length.end() + int(length[0])
        names.append(mangled[length.end():end])
        mangled = mangled[end:]
        yield "::".join(names)


def symbols_of(nm, archive):
    command = [nm, "--defined-only", "--extern-only", "--format=just-symbols", archive]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return sorted(set(done.stdout.split()))


def main(nm, archive, folder, script, shared_list):
    headers = [header.read_text(encoding="utf-8") for header in pathlib.Path(folder).rglob("*.h")]
    declared = {name for text in headers for name in declarations(text)}
    variables = tuple({f"{len(name)}{name}E" for text in headers for name in SHARED.findall(text)})

    symbols = [symbol for symbol in symbols_of(nm, archive) if SYMBOL.fullmatch(symbol)]
    shared = [symbol for symbol in symbols if symbol.endswith(variables)]
    exported = [symbol for symbol in symbols
                if not declared.isdisjoint(scopes(SYMBOL.fullmatch(symbol)[1]))]
    write(script, "global:", sorted({*exported, *shared}), "local: *;")
    write(shared_list, "", shared, "")


def write(path, first, symbols, last):
    lines = ["{", first, *(f"  {symbol};" for symbol in symbols), last, "};", ""]
    pathlib.Path(path).write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
