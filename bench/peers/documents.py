"""Puts the figures into docs/: the section of benchmarks.md between two marks, and two plots.

What was measured is kept beside the build, site by site, so that a site can be measured anew alone.
"""

import dataclasses
import json

import figures
import job
import plot
import tables

BEGIN = "<!-- begin: written by `./gossamer bench peers --write` -->"
END = "<!-- end: written by `./gossamer bench peers --write` -->"
PAGE = job.ROOT / "docs" / "benchmarks.md"
IMAGES = job.ROOT / "docs" / "images"
SHOWN_SITE = "javadoc"  # in the plot of the README: the largest
FORM = 3  # of what is remembered; grows when members of Figure change


def keep(work, site, measured, versions):
    """Remembers the figures of a site."""
    names = {figure.name for figure in measured}
    content = {"form": FORM, "title": site.title,
               "figures": [dataclasses.asdict(figure) for figure in measured],
               "versions": {name: text for name, text in versions.items() if name in names}}
    (work.kept / f"figures-{site.key}.json").write_text(json.dumps(content, indent=1),
                                                        encoding="utf-8")


@dataclasses.dataclass(frozen=True)
class Measured:
    key: str
    title: str
    figures: list
    versions: dict


def kept(work, keys, say):
    """What is remembered of these sites, in this order."""
    found = []
    for key in keys:
        file = work.kept / f"figures-{key}.json"
        if file.exists():
            content = json.loads(file.read_text(encoding="utf-8"))
            if content.get("form") != FORM:
                say(f"{key}: left out: what is remembered of it lacks figures; measure it again")
                continue
            found.append(Measured(key, content["title"],
                                  [figures.Figure(**entry) for entry in content["figures"]],
                                  content["versions"]))
    return found


def between_marks(page, content):
    """The page with new content between the marks. Raises ValueError if they are not there."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no marks for the peers: {BEGIN} and {END}")
    return f"{before}{begin}\n\n{content.strip()}\n\n{end}{after}"


def section(sites):
    """All tables."""
    versions = {}
    for site in sites:
        versions.update(site.versions)
    names = [f"{name} {version}".strip() for name, version in versions.items()
             if "," not in name]  # or it is another one differently set
    parts = [f"Contestants: {', '.join(names)}.",
             "![Pages a second and CPU per page](images/peers-sites.svg)"]
    parts += [tables.markdown(site, site.figures) for site in sites]
    denied = max((figure.denied for site in sites for figure in site.figures), default=0)
    parts.append(f"Other programs had a contestant's core for up to {100 * denied:.0f} % of its"
                 " time; where that is much, pages per second say less than CPU.")
    return "\n\n".join(parts)


def bars_of(measured, value, label):
    """Of ours and all peers that fetched something, largest first; the floor is no crawler."""
    shown = [figure for figure in measured if figure.pages and figure.kind != "floor"]
    shown.sort(key=value, reverse=True)
    return [(figure.name, value(figure), label(figure), figure.kind == "ours") for figure in shown]


def speed_panel(site, title):
    return (title, "pages a second; longer is better",
            bars_of(site.figures, lambda figure: figure.pages_per_s,
                    lambda figure: tables.number(figure.pages_per_s)))


def cpu_panel(site, title):
    return (title, "pages for a second of CPU; longer is better",
            bars_of(site.figures, lambda figure: 1000 / figure.cpu_ms,
                    lambda figure: tables.number(1000 / figure.cpu_ms)))


def write(work, keys, say):
    """Writes everything that is remembered of these sites."""
    sites = kept(work, keys, say)
    content = section(sites)
    PAGE.write_text(between_marks(PAGE.read_text(encoding="utf-8"), content), encoding="utf-8")
    panels = [panel for site in sites
              for panel in (speed_panel(site, site.title), cpu_panel(site, site.title))]
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "peers-sites.svg").write_text(plot.chart("All sites", panels), encoding="utf-8")
    for site in sites:
        if site.key == SHOWN_SITE:
            title = f"Crawling {site.title}, {site.figures[0].expected:,} pages"
            two = [speed_panel(site, title), cpu_panel(site, "What it costs")]
            (IMAGES / "peers.svg").write_text(plot.chart(title, two), encoding="utf-8")
