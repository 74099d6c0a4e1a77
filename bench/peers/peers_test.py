"""What of the benchmark is arithmetic and text. Measuring itself is not tested here."""

import pathlib
import sys
import tempfile
import time
import types
import unittest
from xml.etree import ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import documents  # noqa: E402
import figures  # noqa: E402
import job  # noqa: E402
import measure  # noqa: E402
import peers  # noqa: E402
import plot  # noqa: E402
import tables  # noqa: E402
import tally  # noqa: E402
import truth  # noqa: E402

SURE = {"/": 200, "/a": 200, "/gone": 404}
POSSIBLE = {**SURE, "/feed": 200}


def run(pages=100, wall_s=1.0, cpu_s=0.1, missing=0, extra=0, is_cut=False):
    return figures.Run(pages, wall_s, cpu_s, 10_000_000, missing, extra, is_cut, 0.0)


def figure(name, kind="peer", **values):
    return figures.figure_of(name, kind, 100, [run(**values)])


class TallyTest(unittest.TestCase):
    def test_a_log_of_nginx_is_read(self):
        lines = ["200 GET /a b.html\n", "404 HEAD /x?y\n"]
        self.assertEqual(tally.read_nginx_log(lines),
                         [(200, "GET", "/a b.html"), (404, "HEAD", "/x?y")])

    def test_a_log_of_the_synthetic_site_is_read(self):
        lines = ['{"begun": 0.1, "method": "GET", "target": "/a?b", "status": 200}\n']
        self.assertEqual(tally.read_site_log(lines), [(200, "GET", "/a?b")])

    def test_a_whole_crawl_is_complete(self):
        counts = tally.tally([(200, "GET", "/"), (200, "GET", "/a"), (404, "GET", "/gone")],
                             SURE, POSSIBLE)
        self.assertTrue(counts.is_complete)
        self.assertEqual((counts.pages, counts.expected, counts.repeated), (2, 2, 0))

    def test_what_is_missing_and_what_is_extra_is_counted(self):
        counts = tally.tally([(200, "GET", "/"), (404, "GET", "/gone"), (404, "GET", "/never"),
                              (200, "GET", "/style.css")], SURE, POSSIBLE)
        self.assertEqual((counts.missing, counts.extra, counts.pages), (1, 2, 1))
        self.assertFalse(counts.is_complete)

    def test_robots_txt_and_what_only_some_take_for_linked_are_no_extra(self):
        counts = tally.tally([(404, "GET", "/robots.txt"), (200, "GET", "/feed")], SURE, POSSIBLE)
        self.assertEqual((counts.extra, counts.missing), (0, 3))

    def test_one_url_in_two_spellings_is_one(self):
        counts = tally.tally([(200, "GET", "/%61"), (200, "GET", "/a")], {"/a": 200}, {"/a": 200})
        self.assertEqual((counts.pages, counts.extra, counts.missing, counts.repeated),
                         (1, 0, 0, 1))

    def test_a_head_request_fetches_no_page(self):
        counts = tally.tally([(200, "HEAD", "/a")], {"/a": 200}, {"/a": 200})
        self.assertEqual((counts.pages, counts.missing), (0, 0))


class TruthTest(unittest.TestCase):
    def test_what_links_lead_to_is_closed(self):
        links = {"/": {"/a"}, "/a": {"/", "/b"}, "/island": {"/c"}}
        self.assertEqual(truth.closure("/", links), {"/", "/a", "/b"})

    def test_references_are_resolved_against_page_and_folder(self):
        page = "http://site/x/y.html"
        self.assertEqual(truth.resolve(page, "z.html#top"), "http://site/x/z.html")
        self.assertEqual(truth.resolve(page, "../a"), "http://site/a")
        self.assertEqual(truth.resolve(page, "?q=1"), "http://site/x/y.html?q=1")
        self.assertEqual(truth.resolve(page, "#top"), page)
        self.assertIsNone(truth.resolve(page, "mailto:a@b"))


class FiguresTest(unittest.TestCase):
    def test_the_median_of_the_runs_counts(self):
        runs = [run(wall_s=1), run(wall_s=2), run(wall_s=100)]
        self.assertEqual(figures.figure_of("x", "peer", 100, runs).pages_per_s, 50)

    def test_the_least_complete_run_counts(self):
        runs = [run(), run(pages=99, missing=1), run()]
        self.assertEqual(figures.figure_of("x", "peer", 100, runs).missing, 1)

    def test_a_contestant_without_pages_has_no_cost_per_page(self):
        self.assertEqual(figure("x", pages=0).cpu_ms, float("inf"))

    def test_targets_are_held_against_the_fastest_peer_wget2_the_others_and_the_floor(self):
        measured = [figure("gossamer", "ours", wall_s=0.1, cpu_s=0.01),
                    figure("wget2", wall_s=0.4, cpu_s=0.04), figure("wget", wall_s=2, cpu_s=0.2),
                    figure("wrk", "floor", cpu_s=0.005)]
        verdicts = {target.what: (round(target.value, 3), target.is_met)
                    for target in figures.targets_of(measured)}
        self.assertEqual(verdicts, {
            "URLs missing or extra": (0, True),
            "pages/s of the fastest peer, wget2": (4, True),
            "CPU per page less than wget2": (4, False),
            "CPU per page less than wget": (20, True),
            "CPU per page of wrk": (2, True),
        })

    def test_a_contestant_has_as_many_turns_as_there_is_time_for(self):
        self.assertEqual(figures.seconds_left(6, []), 6)
        self.assertEqual(figures.seconds_left(6, [run(wall_s=1)]), 5)
        self.assertEqual(figures.seconds_left(6, [run(wall_s=2), run(wall_s=2)]), 0)
        self.assertEqual(figures.seconds_left(6, [run(wall_s=7)]), 0)

    def test_without_ours_there_is_no_target(self):
        self.assertEqual(figures.targets_of([figure("wget")]), [])


class TablesTest(unittest.TestCase):
    SITE = types.SimpleNamespace(key="site", title="Site")

    def test_numbers_have_three_digits(self):
        self.assertEqual([tables.number(value) for value in (12345.6, 45.67, 1.234, None)],
                         ["12,346", "45.7", "1.23", "-"])

    def test_what_became_of_the_urls_is_told(self):
        self.assertEqual(tables.completeness(figure("x")), "100 %")
        self.assertEqual(tables.completeness(figure("x", missing=2, extra=1)), "2 missing, 1 extra")
        self.assertEqual(tables.completeness(figure("x", pages=30, missing=70, is_cut=True)),
                         "cut off at 30 %")

    def test_ratios_are_ours_to_theirs(self):
        ours = figure("gossamer", "ours", wall_s=0.1, cpu_s=0.01)
        row = list(tables.rows([ours, figure("wget", wall_s=1, cpu_s=0.2)]))[1]
        self.assertEqual(row, ("wget", "100", "2.000", "10.0", "100 %", "10.0", "20.0"))

    def test_a_missed_target_is_told_in_the_documents(self):
        ours = figure("gossamer", "ours", wall_s=0.5, cpu_s=0.01)
        page = tables.markdown(self.SITE, [ours, figure("wget", wall_s=1, cpu_s=0.2)])
        self.assertIn("| **gossamer** | 200 | 0.100 |", page)
        self.assertIn("2 of 3 targets met; missed: pages/s of the fastest peer, wget: 2.00", page)

    def test_json_has_the_form_of_the_other_benchmarks(self):
        lines = tables.json_lines(self.SITE, [figure("wget", pages=0)]).splitlines()
        self.assertIn('"name": "peers, site: wget: CPU per page", "value": null', lines[1])

    def test_a_version_is_found_in_what_a_program_says(self):
        self.assertEqual(tables.version_in("GNU Wget 1.21.3 built on linux"), "1.21.3")
        self.assertEqual(tables.version_in("HTTrack version 3.49-4+lib"), "3.49-4")
        self.assertEqual(tables.version_in("nothing"), "")


class PlotTest(unittest.TestCase):
    def test_a_chart_is_well_formed_and_bars_are_in_proportion(self):
        bars = [("a<b", 200, "200", True), ("c", 50, "50", False)]
        root = ElementTree.fromstring(plot.chart("T & t", [("one", "sub", bars)] * 3))
        rectangles = [element for element in root.iter() if element.tag.endswith("rect")]
        self.assertEqual(len(rectangles), 6)
        widths = [float(rectangle.get("width")) for rectangle in rectangles[:2]]
        self.assertAlmostEqual(widths[0] / widths[1], 4, places=1)
        words = [element.text for element in root.iter() if element.tag.endswith("text")]
        self.assertIn("a<b", words)

    def test_nothing_is_outside_of_the_chart(self):
        bars = [(name, 1, "1", False) for name in "abcdefgh"]
        root = ElementTree.fromstring(plot.chart("t", [("p", "s", bars)]))
        height = float(root.get("height"))
        for element in root.iter():
            self.assertLessEqual(float(element.get("y", 0)), height)


class DocumentsTest(unittest.TestCase):
    def test_only_what_is_between_the_marks_is_replaced(self):
        page = f"before\n{documents.BEGIN}\nold\n{documents.END}\nafter\n"
        self.assertEqual(documents.between_marks(page, "new\n"),
                         f"before\n{documents.BEGIN}\n\nnew\n\n{documents.END}\nafter\n")

    def test_a_page_without_marks_is_left_alone(self):
        with self.assertRaises(ValueError):
            documents.between_marks("no marks", "new")

    def test_the_page_has_the_marks(self):
        documents.between_marks(documents.PAGE.read_text(encoding="utf-8"), "new")

    def test_figures_are_remembered(self):
        site = types.SimpleNamespace(key="site", title="Site")
        measured = [figure("gossamer", "ours"), figure("wget", pages=0)]
        with tempfile.TemporaryDirectory() as folder:
            work = types.SimpleNamespace(kept=pathlib.Path(folder))
            documents.keep(work, site, measured, {"wget": "1.0", "other": "2.0"})
            found = documents.kept(work, ["site", "unknown"])
        self.assertEqual([one.figures for one in found], [measured])
        self.assertEqual(found[0].versions, {"wget": "1.0"})


class MeasureTest(unittest.TestCase):
    def test_memory_and_cpu_of_children_count(self):
        child = "import time; b = b'x' * (60 << 20); time.sleep(1)"
        command = [sys.executable, "-c", "import subprocess, sys;"
                   f" subprocess.run([sys.executable, '-c', {child!r}])"]
        cost = measure.run(command, 20)
        self.assertEqual(cost.exit_code, 0)
        self.assertGreater(cost.memory_bytes, 60 << 20)
        self.assertGreater(cost.cpu_s, 0)

    def test_a_program_that_takes_too_long_is_cut_off(self):
        begin = time.monotonic()
        cost = measure.run(["sleep", "60"], 0.2)
        self.assertIsNone(cost.exit_code)
        self.assertLess(time.monotonic() - begin, 30)


class CommandLineTest(unittest.TestCase):
    def test_contestants_are_chosen_and_ours_are_always_among_them(self):
        options = peers.parse(["--peer", "wget2", "--site", "slow"])
        self.assertEqual([one.key for one in options.contestants],
                         ["gossamer", "gossamer_records", "wrk", "wget2"])
        self.assertEqual([site.key for site in options.sites], ["slow"])

    def test_every_contestant_says_why_it_is_configured_so(self):
        contestants = job.contestants()
        self.assertEqual(len(contestants), len(job.MODULES))
        for name in job.MODULES:
            self.assertTrue(sys.modules[f"contestants.{name}"].__doc__, name)


if __name__ == "__main__":
    unittest.main()
