"""The launcher ./gossamer where something fails: with stand-ins for apt-get, CMake and ninja."""

import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = """
    awk bash cat chmod comm cut date df dirname env flock grep head mkdir nproc paste
    readlink rm sed sleep sort tail tee tput tr
""".split()


class LauncherTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = pathlib.Path(folder.name, "bin")
        self.bin.mkdir()
        for tool in TOOLS:
            os.symlink(shutil.which(tool), self.bin / tool)
        os.symlink(sys.executable, self.bin / "python3")
        self.tree = pathlib.Path(folder.name, "tree")
        self.tree.mkdir()
        shutil.copytree(ROOT / "setup", self.tree / "setup")
        shutil.copy(ROOT / "gossamer", self.tree)
        (self.tree / "CMakePresets.json").touch()

    def stand_in(self, name, script):
        path = self.bin / name
        path.write_text("#!/usr/bin/env bash\n" + textwrap.dedent(script), encoding="utf-8")
        path.chmod(0o755)

    def stand_in_tools(self, ninja):
        """A system without dpkg, with all tools; `ninja` is what building does."""
        for tool in ("clang++-19", "pkg-config"):
            self.stand_in(tool, "")
        configured = self.tree / "build/release/build.ninja"
        self.stand_in(
            "cmake",
            f"""
            mkdir -p '{configured.parent}' && : >'{configured}'
            echo "$*" >>'{self.tree}/cmake-runs'
            """,
        )
        self.stand_in("ninja", ninja)

    def stand_in_ctest(self, tests, *, status="run"):
        """A ctest that has these tests: they pass, unless `status` is another."""
        described = [
            {"name": name, "command": [f"{self.tree}/build/release/{name}"],
             "properties": [{"name": "LABELS", "value": ["unit"]}]}
            for name in tests
        ]
        described.append({"name": "not_built", "properties": []})
        (self.tree / "tests.json").write_text(json.dumps({"tests": described}), encoding="utf-8")
        self.stand_in(
            "ctest",
            f"""
            [[ $* != *--show-only* ]] || exec cat '{self.tree}/tests.json'
            [[ $* =~ -E\ ([^ ]*) ]] && excluded=${{BASH_REMATCH[1]}} || excluded=none
            echo "<testsuite>" >'{self.tree}/build/release/results.xml'
            for name in {" ".join(tests)}; do
              [[ ! $name =~ $excluded ]] || continue
              echo "$name" >>'{self.tree}/tests-run'
              echo "<testcase name='$name' status='{status}'/>"
            done >>'{self.tree}/build/release/results.xml'
            echo "</testsuite>" >>'{self.tree}/build/release/results.xml'
            """,
        )

    def names_run(self):
        """The tests that ran since the last call."""
        path = self.tree / "tests-run"
        names = path.read_text(encoding="utf-8").split() if path.exists() else []
        path.unlink(missing_ok=True)
        return names

    def build_tests(self, *names):
        """Writes test programs, as ninja would."""
        for name in names:
            (self.tree / "build/release" / name).write_text(f"{name} {time.monotonic_ns()}")
        (self.tree / "build/release/.ninja_log").write_text("# ninja log v5\n", encoding="utf-8")

    def debian(self, packages, *, installed, apt_get):
        """Debian with these packages wanted by the program; `apt_get` is what apt-get does."""
        (self.tree / "setup/packages.txt").write_text("\n".join(packages), encoding="utf-8")
        self.stand_in("dpkg-query", f"printf 'installed %s, \\n' {' '.join(installed)}")
        self.stand_in("apt-get", apt_get)
        if os.geteuid() != 0:
            self.stand_in("sudo", '"$@"')

    def launch(self, *words):
        return subprocess.run(
            [self.tree / "gossamer", *words],
            env={"PATH": str(self.bin)}, capture_output=True, text=True,
        )

    def assert_fails(self, run, *fragments):
        self.assertEqual(run.returncode, 1, run.stderr)
        for fragment in fragments:
            self.assertIn(fragment, run.stderr)

    def test_missing_tools_are_named_where_nothing_can_be_installed(self):
        self.assert_fails(self.launch("demo"), "not found: clang++-19 cmake ninja pkg-config")

    def test_packages_and_tests_for_other_processors_must_be_possible(self):
        self.assert_fails(self.launch("package", "--arch", "mips"), "use --arch arm64, or none")
        self.assert_fails(self.launch("test", "--arm64"), "name kinds of tests")

    def test_it_becomes_the_program_that_it_built(self):
        program = self.tree / "build/release/gossamer"
        self.stand_in_tools(f"printf '#!/bin/sh\\necho ran $*' >{program} && chmod +x {program}")
        run = self.launch("crawl", "--depth", "1")
        self.assertEqual((run.returncode, run.stdout), (0, "ran crawl --depth 1\n"), run.stderr)

    def test_a_failed_build_shows_its_errors_and_the_command(self):
        self.stand_in_tools(
            """
            echo '[1/2] Building a.o'
            echo 'FAILED: a.o'
            echo 'clang++-19 a very long command'
            echo 'a.cc:1:5: error: no such thing'
            exit 1
            """
        )
        run = self.launch("demo")
        self.assert_fails(run, "FAILED: a.o", "error: no such thing", "to try again: ninja -C")
        self.assertNotIn("a very long command", run.stderr)

    def test_too_little_space_is_said_before_anything_is_built(self):
        self.stand_in_tools("echo built >&2")
        (self.bin / "df").unlink()
        self.stand_in("df", "printf 'header\\n/dev/x 100 90 10 90%% /\\n'")
        run = self.launch("demo")
        self.assert_fails(run, "MiB are free")
        self.assertNotIn("built", run.stderr)

    def test_it_says_that_it_waits_for_another_build(self):
        log = self.tree / "build/log"
        log.mkdir(parents=True)
        self.stand_in_tools("exit 1")
        with open(log / "lock-release", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write("4711\n")
            lock.flush()
            launcher = subprocess.Popen(
                [self.tree / "gossamer", "demo"],
                env={"PATH": str(self.bin)}, stderr=subprocess.PIPE, text=True,
            )
            said = launcher.stderr.readline()
        launcher.communicate()
        self.assertIn("waiting for another build in build/release (process 4711)", said)

    def test_packages_that_cannot_be_installed_end_it_with_the_reason(self):
        unknown = "echo 'E: Unable to locate package b'; exit 1"
        self.debian(["a", "b"], installed=["a"], apt_get=unknown)
        run = self.launch("demo")
        self.assert_fails(run, "E: Unable to locate package b", "apt-get install b")
        self.assertNotIn("apt-get install a", run.stderr)

    def test_a_failed_installation_has_a_remedy_for_its_cause(self):
        causes = {
            "Err:1 http://mirror Temporary failure resolving 'mirror'": "check the network",
            "E: Failed to fetch a.deb  Could not connect to mirror:80": "check the network",
            "E: Unable to locate package b": "does not have: b. Gossamer needs Debian 12",
            "E: Package 'b' has no installation candidate": "does not have: b. Gossamer needs",
            "E: You don't have enough free space in /var/cache/apt/archives/.": "free some space",
            "dpkg: error: cannot write: No space left on device": "free some space",
            "E: dpkg was interrupted, you must run it by hand": "run: dpkg --configure -a",
            "E: Failed to fetch a.deb  404  Not Found": "lacks files that its own lists name",
        }
        for words, remedy in causes.items():
            with self.subTest(words):
                self.debian(["b"], installed=["a"], apt_get=f'echo "{words}"; exit 100')
                self.assert_fails(self.launch("demo"), remedy, "apt-get install b")

    def test_packages_that_sudo_does_not_allow_are_named(self):
        if os.geteuid() == 0:
            self.skipTest("root needs no sudo")
        self.debian(["b"], installed=["a"], apt_get="exit 1")
        self.stand_in("sudo", "echo 'sudo: a password is required' >&2; exit 1")
        self.assert_fails(self.launch("demo"), "sudo does not let you", "apt-get install b")

    def test_a_tree_that_cannot_be_written_is_named(self):
        self.stand_in_tools("")
        (self.tree / "build").touch()  # root may write to every folder
        run = self.launch("demo")
        self.assert_fails(run, f"cannot write to {self.tree}/build; copy the source tree")
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)

    def test_a_tree_may_have_a_blank_in_its_path(self):
        tree = self.tree.with_name("a tree")
        self.tree.rename(tree)
        self.tree = tree
        program = tree / "build/release/gossamer"
        self.stand_in_tools(f"printf '#!/bin/sh\\necho ran' >'{program}' && chmod +x '{program}'")
        self.assertEqual(self.launch("demo").stdout, "ran\n")

    def cmake_runs(self):
        return (self.tree / "cmake-runs").read_text(encoding="utf-8").splitlines()

    def configured_parts(self):
        """The parts that CMake was told to configure, each time that it ran."""
        return [sorted(re.findall(r"-DGOSSAMER_(\w+)=ON", run)) for run in self.cmake_runs()]

    def test_only_the_program_is_configured_for_it(self):
        self.stand_in_tools("")
        self.stand_in_ctest([])
        self.launch("demo")
        self.launch("test", "unit")
        self.launch("demo")
        self.assertEqual(self.configured_parts(), [[], ["PYTHON", "TESTS"]])

    def test_a_part_more_keeps_what_was_compiled(self):
        # --fresh deletes the precompiled headers, so everything would be compiled again.
        self.stand_in_tools("")
        self.stand_in_ctest([])
        self.launch("demo")
        self.launch("test", "unit")
        self.assertEqual([" --fresh " in f" {run} " for run in self.cmake_runs()], [True, False])

    def test_a_folder_that_moved_is_configured_from_nothing(self):
        self.stand_in_tools("")
        self.launch("demo")
        self.tree = self.tree.rename(self.tree.with_name("moved"))
        self.stand_in_tools("")
        self.launch("demo")
        self.assertEqual([" --fresh " in f" {run} " for run in self.cmake_runs()], [True, True])

    def test_what_only_tests_need_does_not_stop_the_program(self):
        self.stand_in_tools(
            f"""
            tail -n 1 '{self.tree}/cmake-runs' | grep -q TESTS=ON || exit 0
            echo 'FAILED: build.ninja'
            exit 1
            """
        )
        self.assert_fails(self.launch("test", "unit"), "the build failed")
        program = self.tree / "build/release/gossamer"
        program.write_text("#!/bin/sh\necho ran", encoding="utf-8")
        program.chmod(0o755)
        run = self.launch("demo")
        self.assertEqual(run.stdout, "ran\n", run.stderr)
        self.assertEqual(self.configured_parts()[-1], [])

    def test_it_tries_again_while_another_process_uses_apt(self):
        self.stand_in_tools("exit 1")
        self.debian(
            ["a"],
            installed=["z"],
            apt_get=f"""
            [[ -e {self.tree}/tried ]] && exit 0
            : >{self.tree}/tried
            echo 'E: Could not get lock /var/lib/apt/lists/lock'
            exit 100
            """,
        )
        (self.bin / "sleep").unlink()
        self.stand_in("sleep", "")
        run = self.launch("demo")
        self.assertNotIn("installing packages failed", run.stderr)
        self.assertIn("the build failed", run.stderr)

    def test_packages_are_installed_in_a_tree_that_was_never_built(self):
        # As tests/bare_machine/run does, in a fresh clone.
        self.debian(["a"], installed=["z"], apt_get="exit 0")
        run = subprocess.run(
            [
                "bash", "-euc",
                """
                root=$0 log_dir=$0/build/log
                . "$root/setup/progress.sh"
                . "$root/setup/packages.sh"
                ensure_packages "$root/setup/packages.txt"
                """,
                self.tree,
            ],
            env={"PATH": str(self.bin)}, capture_output=True, text=True,
        )
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_browser_is_installed_only_for_commands_that_render(self):
        self.debian(["a"], installed=["a"], apt_get="echo would install $* >&2; exit 1")
        for words in (
            ["fetch", "--render", "a.example"], ["crawl", "--render=auto", "a.example"],
            ["fetch", "a.example", "--pdf", "a.pdf"], ["fetch", "--screenshot=a.png", "a.example"],
        ):
            self.assert_fails(self.launch(*words), "chromium-headless-shell")
        self.stand_in_tools("exit 1")
        for words in (
            ["fetch", "a.example"], ["crawl", "--render", "never", "a.example"],
            ["crawl", "--render=never"], ["extract", "render"], ["fetch", "a.example/--render"],
            ["crawl", "--render=auto", "--render-with=ws://127.0.0.1:9/x", "a.example"],
            ["crawl", "--render", "always", "--render-with", "ws://127.0.0.1:9/x", "a.example"],
        ):
            self.assertNotIn("chromium", self.launch(*words).stderr)

    def test_tests_that_passed_do_not_run_again_until_their_program_changes(self):
        self.stand_in_tools("")
        self.stand_in_ctest(["a_test", "b_test"])
        self.launch("test", "unit")
        self.names_run()
        self.build_tests("a_test", "b_test")
        self.assertEqual(self.launch("test", "unit").returncode, 0)
        self.assertEqual(self.names_run(), ["a_test", "b_test"])
        run = self.launch("test", "unit")
        self.assertEqual((run.returncode, self.names_run()), (0, []), run.stderr)
        self.assertIn("not run: 2 tests that passed before", run.stderr)
        self.build_tests("b_test")
        self.launch("test", "unit")
        self.assertEqual(self.names_run(), ["b_test"])
        self.launch("test", "unit", "--again")
        self.assertEqual(self.names_run(), ["a_test", "b_test"])

    def test_tests_that_failed_or_were_skipped_run_again(self):
        self.stand_in_tools("")
        for status in ("fail", "notrun"):
            self.stand_in_ctest(["a_test"], status=status)
            self.launch("test", "unit")
            self.names_run()
            self.launch("test", "unit")
            self.assertEqual(self.names_run(), ["a_test"], status)

    def test_tests_that_passed_and_failed_later_run_again(self):
        self.stand_in_tools("")
        self.stand_in_ctest(["a_test"])
        self.launch("test", "unit")
        self.build_tests("a_test")
        self.launch("test", "unit")
        self.stand_in_ctest(["a_test"], status="fail")
        self.launch("test", "unit", "--again")
        self.names_run()
        self.launch("test", "unit")
        self.assertEqual(self.names_run(), ["a_test"])

    def test_packages_of_single_tests_may_be_missing(self):
        self.stand_in_tools("")
        self.stand_in_ctest(["a_test"])
        (self.tree / "setup/packages-test.txt").write_text("a", encoding="utf-8")
        (self.tree / "setup/packages-test-programs.txt").write_text("b", encoding="utf-8")
        self.debian(["a"], installed=["a"], apt_get="echo 'E: Unable to locate package b'; exit 1")
        run = self.launch("test")
        self.assertEqual((run.returncode, self.names_run()), (0, ["a_test"]), run.stderr)
        self.assertIn("skipped, because they are not installed: b", run.stderr)


class CompilerCacheTest(unittest.TestCase):
    """cmake/compile.sh: the sum of a precompiled header, by which the cache knows it."""

    def sum_in(self, tree, constant):
        """Precompiles `constant` in a tree, behind a header that CMake makes there."""
        tree.mkdir()
        (tree / "ccache").write_text("#!/bin/sh\n", encoding="utf-8")
        (tree / "ccache").chmod(0o755)
        (tree / "a.h").write_text(f"constexpr int k = {constant};\n", encoding="utf-8")
        (tree / "made.h").write_text(f'#include "{tree}/a.h"\n', encoding="utf-8")
        (tree / "made.pch.d").write_text(f"made.pch: \\\n {tree}/made.h \\\n {tree}/a.h\n",
                                         encoding="utf-8")
        subprocess.run(
            [ROOT / "cmake/compile.sh", tree, "true", "-emit-pch", "made.pch.d", "made.pch"],
            cwd=tree, check=True, env={"PATH": f"{tree}:{os.environ['PATH']}"})
        return (tree / "made.pch.sum").read_text(encoding="utf-8")

    def test_a_precompiled_header_has_the_same_sum_in_every_tree_and_another_when_it_changes(self):
        with tempfile.TemporaryDirectory() as folder:
            trees = pathlib.Path(folder)
            first = self.sum_in(trees / "first", 1)
            self.assertEqual(first, self.sum_in(trees / "second", 1))
            self.assertNotEqual(first, self.sum_in(trees / "third", 2))


if __name__ == "__main__":
    unittest.main()
