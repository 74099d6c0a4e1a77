"""From single runs to figures: medians, ratios, targets."""

import dataclasses
import statistics

# Against wget2, against every other peer, against wrk.
CPU_OF_WGET2_MIN = 5.0
CPU_OF_PEER_MIN = 10.0
CPU_OF_WRK_MAX = 3.0
SPEED_OF_FASTEST_MIN = 3.0
# Our Python package, against crawlers in Python and against our program.
SPEED_OF_PYTHON_PEERS_MIN = {"aiohttp": 8.0, "Scrapy, tuned": 30.0}
CPU_OF_PROGRAM_MAX = 1.5


@dataclasses.dataclass(frozen=True)
class Run:
    pages: int
    wall_s: float
    cpu_s: float
    memory_bytes: int
    missing: int
    extra: int
    repeated: int
    is_cut: bool  # the time was up before it had ended
    denied_s: float  # it could have run, but others had its core
    problem: str = ""


@dataclasses.dataclass(frozen=True)
class Figure:
    """A contestant on a site, the median of its runs."""

    name: str
    kind: str
    runs: int
    pages_per_s: float
    cpu_ms: float  # per page
    memory_mb: float
    pages: int
    expected: int
    missing: int
    extra: int
    repeated: int  # was fetched again
    cut_after_s: float | None  # its time was up before it had ended
    denied: float  # share of the time in which others had its core
    turns: list  # of each run, [pages_per_s, cpu_ms]
    problem: str = ""  # of the first run that ended badly

    @property
    def is_cut(self):
        return self.cut_after_s is not None

    @property
    def faults(self):
        """How many URLs are not as they should be."""
        return self.missing + self.extra + self.repeated


def figure_of(name, kind, expected, runs):
    """REQUIRES: runs is not empty."""
    def median(value):
        return statistics.median(value(run) for run in runs)

    turns = [[run.pages / run.wall_s if run.wall_s else 0.0,
              1000 * run.cpu_s / run.pages if run.pages else float("inf")] for run in runs]
    worst = max(runs, key=lambda run: (run.missing + run.extra + run.repeated, run.is_cut))
    cut_after_s = [run.wall_s for run in runs if run.is_cut]
    return Figure(
        name=name,
        kind=kind,
        runs=len(runs),
        pages_per_s=statistics.median(pages_per_s for pages_per_s, _ in turns),
        cpu_ms=statistics.median(cpu_ms for _, cpu_ms in turns),
        memory_mb=median(lambda run: run.memory_bytes / 1e6),
        pages=round(median(lambda run: run.pages)),
        expected=expected,
        missing=worst.missing,
        extra=worst.extra,
        repeated=worst.repeated,
        cut_after_s=statistics.median(cut_after_s) if cut_after_s else None,
        denied=median(lambda run: run.denied_s / run.wall_s if run.wall_s else 0.0),
        turns=turns,
        problem=next((run.problem for run in runs if run.problem), ""),
    )


def seconds_left(seconds, runs):
    """How long one more run may take, or 0 if there is probably no time for all of it."""
    if not runs:
        return seconds
    spent = sum(run.wall_s for run in runs)
    left = seconds - spent
    return left if left > 1.2 * spent / len(runs) else 0


def ratio(pairs):
    """The median of a / b, or None where that says nothing.

    Of each turn by itself: what ran within the same seconds ran on a machine of the same speed,
    which on a shared one may be half as fast a minute later.
    """
    said = [a / b for a, b in pairs if b and b != float("inf") and a != float("inf")]
    return statistics.median(said) if said else None


def times_faster(ours, other):
    return ratio((mine[0], theirs[0]) for mine, theirs in zip(ours.turns, other.turns))


def times_less_cpu(ours, other):
    return ratio((theirs[1], mine[1]) for mine, theirs in zip(ours.turns, other.turns))


def times_cpu_of(ours, floor):
    return ratio((mine[1], theirs[1]) for mine, theirs in zip(ours.turns, floor.turns))


@dataclasses.dataclass(frozen=True)
class Target:
    what: str
    value: float
    bound: float
    is_at_most: bool

    @property
    def is_met(self):
        return self.value <= self.bound if self.is_at_most else self.value >= self.bound


def targets_of(figures):
    """What was aimed at, for the first contestant of ours among the figures of one site."""
    ours = next((figure for figure in figures if figure.kind == "ours"), None)
    if ours is None:
        return []
    targets = [Target("URLs missing, extra or repeated", ours.faults, 0, True)]
    if ours.name.endswith("in Python"):
        return targets + python_targets_of(ours, figures)
    peers = [figure for figure in figures if figure.kind == "peer" and figure.pages]
    if peers:
        fastest = max(peers, key=lambda peer: peer.pages_per_s)
        targets.append(Target(f"pages/s of the fastest peer, {fastest.name}",
                              times_faster(ours, fastest) or 0.0,
                              SPEED_OF_FASTEST_MIN, False))
    for peer in peers:
        bound = CPU_OF_WGET2_MIN if peer.name == "wget2" else CPU_OF_PEER_MIN
        targets.append(Target(f"CPU per page less than {peer.name}",
                              times_less_cpu(ours, peer) or 0.0, bound, False))
    for floor in figures:
        if floor.kind == "floor" and floor.pages:
            targets.append(Target(f"CPU per page of {floor.name}",
                                  times_cpu_of(ours, floor) or 0.0, CPU_OF_WRK_MAX, True))
    return targets


def python_targets_of(ours, figures):
    targets = [Target(f"pages/s of {peer.name}", times_faster(ours, peer) or 0.0,
                      SPEED_OF_PYTHON_PEERS_MIN[peer.name], False)
               for peer in figures if peer.name in SPEED_OF_PYTHON_PEERS_MIN and peer.pages]
    return targets + [Target(f"CPU per page of {program.name}",
                             times_cpu_of(ours, program) or 0.0, CPU_OF_PROGRAM_MAX, True)
                      for program in figures if program.name == "gossamer" and program.pages]
