"""Figures as text: tables for people, Markdown, JSON."""

import json
import math

import figures


def number(value):
    """Three digits that count, thousands apart."""
    if value is None or value in (float("inf"), float("-inf")):
        return "-"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def milliseconds(value):
    return "-" if value == float("inf") else f"{value:.3f}" if value < 10 else f"{value:.1f}"


def percent(part, whole):
    """Never more than there is: 100 is all of it, and what is not nothing is not 0."""
    share = 100 * part / max(1, whole)
    digits = 0 if share >= 1 else 1 if share >= 0.1 else 2
    return f"{math.floor(share * 10 ** digits) / 10 ** digits:.{digits}f} %"


def completeness(figure):
    """What became of the URLs that can be reached."""
    if figure.kind == "floor":
        return ""
    words = []
    if figure.is_cut:
        words.append(f"cut off after {figure.cut_after_s:.0f} s"
                     f" at {percent(figure.pages, figure.expected)}")
    elif figure.missing:
        words.append(f"{figure.missing} missing")
    words += [f"{count} {word}" for count, word in
              ((figure.extra, "extra"), (figure.repeated, "repeated")) if count]
    return ", ".join(words) or "100 %"


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
            speed = number(figures.times_faster(ours, figure))
            cpu = number(figures.times_less_cpu(ours, figure))
        yield (figure.name, number(figure.pages_per_s), milliseconds(figure.cpu_ms),
               number(figure.memory_mb), str(figure.runs), completeness(figure), speed, cpu)


HEADINGS = ("", "pages/s", "CPU ms/page", "memory MB", "runs", "complete", "ours is faster by",
            "uses less CPU by")
WORDS = (0, 5)  # columns of words; the others are of numbers


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
            cell.ljust(width) if i in WORDS else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))).rstrip())
    lines += ["  " + target_text(target) for target in figures.targets_of(measured)]
    denied = max((figure.denied for figure in measured), default=0)
    lines.append(f"  other programs had the client's core for up to {100 * denied:.0f} % of a run")
    lines += [f"  {figure.name}: {figure.problem}" for figure in measured if figure.problem]
    return "\n".join(lines) + "\n"


def markdown(site, measured):
    """A section's table, ours in bold; who ended badly, and which targets were met."""
    marks = ["---" if i in WORDS else "---:" for i in range(len(HEADINGS))]
    lines = [f"### {site.title}, {measured[0].expected:,} pages", "",
             "| " + " | ".join(HEADINGS) + " |", "|" + "|".join(marks) + "|"]
    for figure, row in zip(measured, rows(measured)):
        name = f"**{row[0]}**" if figure.kind == "ours" else row[0]
        lines.append("| " + " | ".join((name, *row[1:])) + " |")
    for figure in measured:
        if figure.problem:
            words = figure.problem.replace("`", "'")
            lines += ["", f"{figure.name} ended badly: `{words}`"]
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
        add(f"{title}: runs", figure.runs, "", problem=figure.problem)
        if figure.kind != "floor":
            add(f"{title}: pages fetched", figure.pages, "", floor=figure.expected,
                ratio=figure.pages / max(1, figure.expected))
            add(f"{title}: missing", figure.missing, "")
            add(f"{title}: extra", figure.extra, "")
            add(f"{title}: repeated", figure.repeated, "")
            add(f"{title}: cut off after", figure.cut_after_s, "s")
    for target in figures.targets_of(measured):
        add(f"peers, {site.key}: {target.what}", target.value, "", target=target.bound,
            ok=target.is_met)
    return "\n".join(lines)
