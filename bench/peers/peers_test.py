"""What of the benchmark is arithmetic, text, and keeping on when something is not there."""

import contextlib
import io
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
from xml.etree import ElementTree

import documents
import entry
import figures
import job
import measure
import peers
import plot
import server
import tables
import tally
import truth
import undisturbed

SURE = {"/": 200, "/a": 200, "/gone": 404}
POSSIBLE = {**SURE, "/feed": 200}


def run(pages=100, wall_s=1.0, cpu_s=0.1, missing=0, extra=0, repeated=0, is_cut=False,
        problem=""):
    return figures.Run(pages, wall_s, cpu_s, 10_000_000, missing, extra, repeated, is_cut, 0.0,
                       problem)


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
        self.assertEqual(counts, tally.Tally(pages=2, missing=0, extra=0, repeated=0))

    def test_what_is_missing_and_what_is_extra_is_counted(self):
        counts = tally.tally([(200, "GET", "/"), (404, "GET", "/gone"), (404, "GET", "/never"),
                              (200, "GET", "/style.css")], SURE, POSSIBLE)
        self.assertEqual((counts.missing, counts.extra, counts.pages), (1, 2, 1))

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

    def test_ratios_are_of_turns_as_machines_change_their_speed(self):
        fast_and_slow = [run(wall_s=1, cpu_s=1), run(wall_s=3, cpu_s=3), run(wall_s=3, cpu_s=3)]
        ours = figures.figure_of("gossamer", "ours", 100, fast_and_slow)
        twice = [run(wall_s=2, cpu_s=4), run(wall_s=6, cpu_s=12), run(wall_s=1, cpu_s=1)]
        other = figures.figure_of("x", "peer", 100, twice)
        self.assertEqual((figures.times_faster(ours, other), figures.times_less_cpu(ours, other)),
                         (2, 4))
        self.assertEqual(figures.times_cpu_of(ours, other), 0.25)

    def test_who_had_fewer_turns_is_held_against_ours_of_the_same(self):
        ours = figures.figure_of("gossamer", "ours", 100, [run(wall_s=1), run(wall_s=5)])
        self.assertEqual(figures.times_faster(ours, figure("x", wall_s=3)), 3)
        self.assertIsNone(figures.times_less_cpu(ours, figure("x", pages=0)))

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
            "URLs missing, extra or repeated": (0, True),
            "pages/s of the fastest peer, wget2": (4, True),
            "CPU per page less than wget2": (4, False),
            "CPU per page less than wget": (20, True),
            "CPU per page of wrk": (2, True),
        })

    def test_the_python_package_is_held_against_crawlers_in_python_and_our_program(self):
        measured = [figure("gossamer, `for` in Python", "ours", wall_s=0.1, cpu_s=0.03),
                    figure("gossamer", "ours", wall_s=0.1, cpu_s=0.01),
                    figure("aiohttp", wall_s=1), figure("Scrapy, tuned", wall_s=2),
                    figure("requests, threads", wall_s=3)]
        verdicts = {target.what: (round(target.value, 3), target.is_met)
                    for target in figures.targets_of(measured)}
        self.assertEqual(verdicts, {
            "URLs missing, extra or repeated": (0, True),
            "pages/s of aiohttp": (10, True),
            "pages/s of Scrapy, tuned": (20, False),
            "CPU per page of gossamer": (3, False),
        })

    def test_what_ours_did_not_ask_for_before_it_was_cut_off_is_missing(self):
        ours = figure("gossamer", "ours", pages=30, missing=70, is_cut=True)
        target = figures.targets_of([ours])[0]
        self.assertEqual((target.value, target.is_met), (70, False))

    def test_what_ours_asked_for_twice_is_too_much(self):
        self.assertFalse(figures.targets_of([figure("gossamer", "ours", repeated=1)])[0].is_met)

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
        self.assertEqual(tables.completeness(figure("x", extra=1, repeated=3)),
                         "1 extra, 3 repeated")
        self.assertEqual(
            tables.completeness(figure("x", pages=30, wall_s=5.1, missing=70, is_cut=True)),
            "cut off after 5 s at 30 %")

    def test_a_part_is_never_told_as_the_whole_or_as_nothing(self):
        self.assertEqual([tables.percent(part, 60_000) for part in (60_000, 59_999, 47, 40, 6, 0)],
                         ["100 %", "99 %", "0.07 %", "0.06 %", "0.01 %", "0.00 %"])

    def test_ratios_are_ours_to_theirs(self):
        ours = figure("gossamer", "ours", wall_s=0.1, cpu_s=0.01)
        row = list(tables.rows([ours, figure("wget", wall_s=1, cpu_s=0.2)]))[1]
        self.assertEqual(row, ("wget", "100", "2.000", "10.0", "1", "100 %", "10.0", "20.0"))

    def test_a_missed_target_is_told_in_the_documents(self):
        ours = figure("gossamer", "ours", wall_s=0.5, cpu_s=0.01)
        page = tables.markdown(self.SITE, [ours, figure("wget", wall_s=1, cpu_s=0.2)])
        self.assertIn("| **gossamer** | 200 | 0.100 |", page)
        self.assertIn("2 of 3 targets met; missed: pages/s of the fastest peer, wget: 2.00", page)

    def test_who_ended_badly_is_told_everywhere(self):
        measured = [figure("wget", problem="signal 11: `a` | b")]
        self.assertIn("wget: signal 11: `a` | b", tables.for_people(self.SITE, measured))
        self.assertIn("wget ended badly: `signal 11: 'a' | b`",
                      tables.markdown(self.SITE, measured))
        self.assertIn('"problem": "signal 11: `a` | b"', tables.json_lines(self.SITE, measured))

    def test_json_has_the_form_of_the_other_benchmarks(self):
        lines = tables.json_lines(self.SITE, [figure("wget", pages=0)]).splitlines()
        self.assertIn('"name": "peers, site: wget: CPU per page", "value": null', lines[1])

    def test_a_table_in_markdown_has_as_many_cells_in_every_row(self):
        page = tables.markdown(self.SITE, [figure("gossamer", "ours"), figure("wget")])
        rows = [line for line in page.splitlines() if line.startswith("|")]
        self.assertEqual({line.count("|") for line in rows}, {len(tables.HEADINGS) + 1})


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
            (work.kept / "figures-old.json").write_text("{}", encoding="ascii")
            said = []
            found = documents.kept(work, ["site", "old", "unknown"], said.append)
        self.assertEqual([one.figures for one in found], [measured])
        self.assertEqual(found[0].versions, {"wget": "1.0"})
        self.assertEqual(len(said), 1)
        self.assertTrue(said[0].startswith("old: left out"), said)


class MeasureTest(unittest.TestCase):
    def test_memory_of_children_counts(self):
        child = "import sys; b = b'x' * (60 << 20); print(len(b), flush=True); sys.stdin.read()"
        command = [sys.executable, "-c", "import subprocess, sys;"
                   f" subprocess.run([sys.executable, '-c', {child!r}])"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            processes = measure.processes_of(process.pid)
            self.assertEqual(len(processes), 2)
            self.assertGreater(measure.memory_bytes(processes), 60 << 20)
            process.stdin.close()

    def test_what_a_program_and_its_children_cost_is_told(self):
        child = "b = b'x' * (200 << 20); sum(range(300_000))"
        command = [sys.executable, "-c", "import subprocess, sys;"
                   f" subprocess.run([sys.executable, '-c', {child!r}])"]
        cost = measure.run(command, 20)
        self.assertEqual(cost.exit_code, 0)
        self.assertGreater(cost.memory_bytes, 200 << 20)
        self.assertGreater(cost.cpu_s, 0)

    def test_a_program_that_takes_too_long_is_cut_off(self):
        self.assertIsNone(measure.run(["sleep", "infinity"], 0.2).exit_code)

    def test_a_small_program_does_not_have_our_memory(self):
        ballast = b"x" * (40 << 20)
        cost = measure.run(["true"], 20)
        self.assertLess(cost.memory_bytes, len(ballast))

    def test_who_takes_long_to_look_at_is_looked_at_seldom(self):
        self.assertLess(measure.seconds_between(0.05, 0.00001), 0.005)
        self.assertEqual(measure.seconds_between(100, 0.00001), measure.LOOK_SECONDS_MAX)
        self.assertAlmostEqual(measure.seconds_between(100, 0.02), 0.02 / measure.LOOKING_MAX)

    def test_what_we_started_ends_with_us(self):
        code = ("import measure, os, signal, subprocess\n"
                "child = measure.start(['sleep', 'infinity'], measure.CLIENT_CORE)\n"
                "print(child.pid, flush=True)\n"
                "os.kill(os.getpid(), signal.SIGKILL)\n")
        done = subprocess.run([sys.executable, "-B", "-c", code], stdout=subprocess.PIPE,
                              check=False, cwd=job.HERE)
        self.assertEqual(done.returncode, -signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):  # it has ended already
            descriptor = os.pidfd_open(int(done.stdout))
            self.addCleanup(os.close, descriptor)
            ended = select.poll()
            ended.register(descriptor, select.POLLIN)
            self.assertTrue(ended.poll(30_000))


class ServerTest(unittest.TestCase):
    def test_a_server_that_does_not_start_is_tried_again_and_what_it_said_is_told(self):
        ports = []

        def command(port):
            ports.append(port)
            return ["sh", "-c", "echo no such file >&2; exit 1"]

        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(server.ServerFailed, "no such file"):
                server.started(command, pathlib.Path(folder, "errors"))
        self.assertEqual(len(ports), server.TRIES)

    def test_a_server_gets_the_port_that_was_kept_for_it_and_has_answered_before_it_is_used(self):
        def command(port):
            return [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(port)]

        with tempfile.TemporaryDirectory() as folder:
            errors = pathlib.Path(folder, "errors")
            with server.serving(command, errors, signal.SIGTERM):
                self.assertIn(server.ASKED_FOR, errors.read_text(encoding="utf-8"))
        self.assertIn(server.ASKED_FOR, tally.BY_THE_WAY)


class EntryTest(unittest.TestCase):
    WORK = types.SimpleNamespace(build="/nowhere", kept=pathlib.Path("/nowhere"))

    def why_not(self, *version):
        with self.assertRaises(entry.NotThere) as caught:
            entry.enter(job.Contestant("x", None, version), self.WORK, self.fail)
        return str(caught.exception)

    def test_a_version_is_found_in_what_a_program_says(self):
        self.assertEqual(entry.version_in("GNU Wget 1.21.3 built on linux"), "1.21.3")
        self.assertEqual(entry.version_in("HTTrack version 3.49-4+lib"), "3.49-4")
        self.assertEqual(entry.version_in("nothing"), "")

    def test_a_program_that_is_not_installed_does_not_take_part(self):
        self.assertEqual(self.why_not("{build}/x", "--version"), "it is not installed")

    def test_a_python_module_that_is_not_installed_does_not_take_part(self):
        self.assertIn("no_such_module", self.why_not(sys.executable, "-c",
                                                     "import no_such_module; print('1.2')"))

    def test_without_npm_what_it_installs_does_not_take_part(self):
        contestant = job.contestants()["crawlee"]
        with tempfile.TemporaryDirectory() as folder:
            work = types.SimpleNamespace(build="", kept=pathlib.Path(folder))
            for script, reason in ((None, "not installed"), ("exit 7", "exit code 7")):
                if script:
                    npm = pathlib.Path(folder, "npm")
                    npm.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
                    npm.chmod(0o755)
                with unittest.mock.patch.dict(os.environ, {"PATH": folder}):
                    with self.assertRaisesRegex(entry.NotThere, reason):
                        entry.enter(contestant, work, lambda text: None)


class UndisturbedTest(unittest.TestCase):
    def test_the_limit_is_put_back_however_it_ends(self):
        with tempfile.TemporaryDirectory() as folder:
            limit = pathlib.Path(folder, "limit")
            limit.write_text("950000\n", encoding="ascii")
            with self.assertRaises(SystemExit), undisturbed.lifted(self.fail, limit):
                self.assertEqual(limit.read_text(encoding="ascii"), "-1\n")
                sys.exit(130)
            self.assertEqual(limit.read_text(encoding="ascii"), "950000\n")

    def test_who_may_not_change_the_limit_is_warned(self):
        said = []
        with undisturbed.lifted(said.append, pathlib.Path("/nowhere/limit")):
            pass
        self.assertEqual(len(said), 1)


class CommandLineTest(unittest.TestCase):
    def test_contestants_are_chosen_and_ours_are_always_among_them(self):
        options = peers.parse(["--peer", "wget2", "--site", "slow"])
        self.assertEqual([one.key for one in options.contestants],
                         ["gossamer", "gossamer_records", "wrk", "wget2"])
        self.assertEqual([site.key for site in options.sites], ["slow"])

    def test_what_makes_no_sense_is_refused(self):
        for words in ("--turns 0", "--seconds 0", "--seconds nan", "--site nowhere",
                      "--write --quick", "--write --peer wget"):
            with self.subTest(words), contextlib.redirect_stderr(io.StringIO()):
                with self.assertRaises(SystemExit) as caught:
                    peers.parse(words.split())
                self.assertEqual(caught.exception.code, 2)

    def test_how_a_program_ended_badly_is_one_line(self):
        self.assertEqual(peers.problem_of(3, (0, 8), "a\n\n b\n"), "exit code 3: a b")
        self.assertEqual(peers.problem_of(-11, (0,), ""), "signal 11")
        self.assertEqual(peers.problem_of(8, (0, 8), "a"), "")
        self.assertEqual(peers.problem_of(None, (0,), "a"), "")

    def test_a_site_whose_server_fails_does_not_keep_the_others_from_being_measured(self):
        def visit(work, folder):
            raise server.ServerFailed("no")

        sites = [types.SimpleNamespace(key=key, title=key, at_once=1, lacks=lambda: "",
                                       expected=lambda work: ({}, {}), suits=lambda one: True,
                                       visit=visit) for key in ("one", "two")]
        options = types.SimpleNamespace(sites=sites, json=False, write=False, undisturbed=False,
                                        turns=1, seconds=1)
        one = entry.Entry(job.Contestant("x", lambda task: ["true"], ()), "", "1.0")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertFalse(peers.measure_all(options, None, [one]))
        self.assertIn("one: failed: no", said.getvalue())
        self.assertIn("two: failed: no", said.getvalue())

    def test_every_contestant_says_why_it_is_configured_so(self):
        contestants = job.contestants()
        self.assertEqual(len(contestants), len(job.MODULES))
        for name in job.MODULES:
            self.assertTrue(sys.modules[f"contestants.{name}"].__doc__, name)


if __name__ == "__main__":
    unittest.main()
