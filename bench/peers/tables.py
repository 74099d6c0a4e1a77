"""Figures as text: tables for people, Markdown, JSON."""

import json
import re

import figures


RECORDS = "gossamer, records kept"


def version_in(text):
    """The first word that looks like a version, or "" if there is none."""
    match = re.search(r"\d+(?:\.\d+)+(?:-\d+)?", text)
    return match[0] if match else ""


def number(value):
    """Three digits that count, thousands apart."""
    if value is None or value in (float("inf"), float("-inf")):
        return "-"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def milliseconds(value):
    return "-" if value == float("inf") else f"{value:.3f}" if value < 10 else f"{value:.1f}"


def completeness(figure):
    """What became of the URLs that can be reached."""
    if figure.kind == "floor":
        return ""
    if figure.is_cut:
        return f"cut off at {100 * figure.pages / max(1, figure.expected):.0f} %"
    if figure.is_complete:
        return "100 %"
    words = [f"{count} {word}" for count, word in
             ((figure.missing, "missing"), (figure.extra, "extra")) if count]
    return ", ".join(words)


def progress(site, name, total, run):
    rate = number(run.pages / run.wall_s if run.wall_s else 0)
    text = (f"  {site}: {name}: {run.pages} of {total} pages in {run.wall_s:.2f} s, {rate}/s,"
            f" CPU {run.cpu_s:.2f} s, denied {run.denied_s:.2f} s")
    return text + (f" ({run.problem})" if run.problem else "")


def rows(measured):
    """Cells of every contestant of a site; ours against it."""
    ours = next((figure for figure in measured if figure.kind == "ours"), None)
    for figure in measured:
        speed = cpu = ""
        if ours is not None and figure is not ours:
            speed = number(figures.ratio(ours.pages_per_s, figure.pages_per_s))
            cpu = number(figures.ratio(figure.cpu_ms, ours.cpu_ms))
        yield (figure.name, number(figure.pages_per_s), milliseconds(figure.cpu_ms),
               number(figure.memory_mb), completeness(figure), speed, cpu)


HEADINGS = ("", "pages/s", "CPU ms/page", "memory MB", "complete", "ours is faster by",
            "uses less CPU by")


def target_text(target):
    sign = "<=" if target.is_at_most else ">="
    verdict = "met" if target.is_met else "MISSED"
    return f"{target.what}: {number(target.value)} (target {sign} {target.bound:g}): {verdict}"


def for_people(site, measured):
    cells = [HEADINGS, *rows(measured)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(HEADINGS))]
    lines = [f"{site.title}: {measured[0].expected} pages" if measured else site.title]
    for row in cells:
        lines.append("  " + "  ".join(
            cell.ljust(width) if i in (0, 4) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))).rstrip())
    lines += ["  " + target_text(target) for target in figures.targets_of(measured)]
    denied = max((figure.denied for figure in measured), default=0)
    lines.append(f"  other programs had the client's core for up to {100 * denied:.0f} % of a run")
    lines += [f"  {figure.name}: {figure.problem}" for figure in measured if figure.problem]
    return "\n".join(lines) + "\n"


def markdown(site, measured):
    """A section's table, ours in bold, and which targets were met."""
    lines = [f"### {site.title}, {measured[0].expected:,} pages", "",
             "| " + " | ".join(HEADINGS) + " |", "|---|" + "---:|" * 3 + "---|---:|---:|"]
    for figure, row in zip(measured, rows(measured)):
        name = f"**{row[0]}**" if figure.kind == "ours" else row[0]
        lines.append("| " + " | ".join((name, *row[1:])) + " |")
    targets = figures.targets_of(measured)
    missed = [target_text(target).removesuffix(": MISSED")
              for target in targets if not target.is_met]
    met = len(targets) - len(missed)
    lines += ["", f"{met} of {len(targets)} targets met" +
              ("." if not missed else "; missed: " + "; ".join(missed) + ".")]
    return "\n".join(lines)


def json_lines(site, measured):
    """An object per line, in the form of the other benchmarks: name, value, unit, ..."""
    lines = []

    def add(name, value, unit, **more):
        finite = None if value in (None, float("inf")) else value
        entry = {"name": name, "value": finite, "unit": unit, "floor": None, "ratio": None,
                 "target": None, "ok": None}
        lines.append(json.dumps({**entry, **more}))

    for figure in measured:
        title = f"peers, {site.key}: {figure.name}"
        add(f"{title}: pages", figure.pages_per_s, "1/s")
        add(f"{title}: CPU per page", figure.cpu_ms, "ms")
        add(f"{title}: memory", figure.memory_mb, "MB")
        if figure.kind != "floor":
            add(f"{title}: pages fetched", figure.pages, "", floor=figure.expected,
                ratio=figure.pages / max(1, figure.expected))
            add(f"{title}: missing", None if figure.is_cut else figure.missing, "")
            add(f"{title}: extra", figure.extra, "")
    for target in figures.targets_of(measured):
        add(f"peers, {site.key}: {target.what}", target.value, "", target=target.bound,
            ok=target.is_met)
    return "\n".join(lines)
