"""Settings as the module reads them."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Mapping


def _to_text(value: object, name: str) -> str:
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, datetime.timedelta):
        return f"{value // datetime.timedelta(milliseconds=1)}ms"
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    raise TypeError(f"{name} cannot be {value!r}")


def _words_of(name: str, value: object) -> bool | list[str]:
    """Return a setting as the module reads it."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Mapping):
        sign = ": " if name.endswith("header") else "="
        return [f"{key}{sign}{text}" for key, text in value.items()]
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike)):
        return [_to_text(item, name) for item in value]
    return [_to_text(value, name)]


def to_words(settings: Mapping[str, object]) -> dict[str, bool | list[str]]:
    """Return settings as the module reads them, without those that are None."""
    return {name: _words_of(name, value) for name, value in settings.items() if value is not None}


def to_list(words: str | Iterable[str], what: str) -> list[str]:
    """Return one str or several as a list."""
    listed = [words] if isinstance(words, str) else list(words)
    for word in listed:
        if not isinstance(word, str):
            raise TypeError(f"{what} must be a str, not {word!r}")
    return listed
