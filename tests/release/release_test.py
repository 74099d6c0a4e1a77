"""Tests the parts of a release that need no build: the installer, the image, the repository."""

import hashlib
import io
import json
import os
import pathlib
import platform
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/release"))
import apt_repository  # noqa: E402
import container_image  # noqa: E402
import release  # noqa: E402

VERSION = release.version_of_project()
NAME = f"gossamer-{VERSION}-linux-{platform.machine()}"


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def make_archive(self, program=b"#!/bin/sh\necho gossamer 0.1.0\n"):
        path = self.folder / f"{NAME}.tar.gz"
        with tarfile.open(path, "w:gz") as packed:
            entry = tarfile.TarInfo(f"{NAME}/bin/gossamer")
            entry.mode, entry.size = 0o755, len(program)
            packed.addfile(entry, io.BytesIO(program))
        return path

    def install(self, version=VERSION):
        """Run the installer and return its exit code and what it says."""
        environment = os.environ | {"GOSSAMER_URL": str(self.folder), "GOSSAMER_VERSION": version,
                                    "PREFIX": str(self.folder / "installed")}
        done = subprocess.run(["sh", ROOT / "setup/install.sh"], env=environment, text=True,
                              capture_output=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_the_installer_installs_what_has_the_right_checksum(self):
        self.make_archive()
        release.write_checksums(self.folder, None)
        code, said = self.install()
        self.assertEqual(code, 0, said)
        self.assertIn("installed", said)
        self.assertTrue((self.folder / "installed/bin/gossamer").exists())

    def test_the_installer_rejects_what_was_changed(self):
        self.make_archive()
        release.write_checksums(self.folder, None)
        self.make_archive(b"#!/bin/sh\necho something else\n")
        code, said = self.install()
        self.assertEqual(code, 1)
        self.assertIn("checksum", said)
        self.assertFalse((self.folder / "installed").exists())

    def test_the_installer_names_what_a_release_does_not_have(self):
        self.make_archive()
        release.write_checksums(self.folder, None)
        self.assertEqual(self.install("9.9.9"),
                         (1, f"install.sh: this release has no {NAME.replace(VERSION, '9.9.9')}"
                          ".tar.gz\n"))

    def test_the_same_program_gives_the_same_image(self):
        archive = self.make_archive(pathlib.Path("/bin/true").read_bytes())
        images = [self.folder / "a.tar", self.folder / "b.tar"]
        for image in images:
            container_image.make(archive, image, "0.1.0", 1_700_000_000)
        self.assertEqual(images[0].read_bytes(), images[1].read_bytes())
        user = subprocess.run([sys.executable, "-B", ROOT / "tests/release/unpack_image.py",
                               images[0], self.folder / "root"], capture_output=True, text=True,
                              check=True).stdout
        self.assertNotIn(user.strip().split(":")[0], ("", "0", "root"))
        self.assertTrue((self.folder / "root/rootfs/usr/bin/gossamer").exists())

    def test_the_index_of_the_repository_has_every_package(self):
        control = self.folder / "made/DEBIAN/control"
        control.parent.mkdir(parents=True)
        control.write_text("Package: a\nVersion: 1\nArchitecture: amd64\nMaintainer: A <a@b>\n"
                           "Description: a\n", encoding="utf-8")
        package = self.folder / "a_1_amd64.deb"
        subprocess.run(["dpkg-deb", "-b", self.folder / "made", package], check=True,
                       capture_output=True)
        apt_repository.make([package], self.folder / "apt", 0, None)
        index = (self.folder / "apt/Packages").read_text(encoding="utf-8")
        self.assertIn("Filename: ./a_1_amd64.deb\n", index)
        self.assertIn(hashlib.sha256(package.read_bytes()).hexdigest(), index)
        listed = (self.folder / "apt/Release").read_text(encoding="utf-8")
        self.assertIn(f"{hashlib.sha256(index.encode()).hexdigest()} {len(index)} Packages", listed)
        self.assertIn("Architectures: amd64\n", listed)

    def test_the_notes_are_those_of_the_changelog(self):
        notes = release.notes_of("0.1.0")
        self.assertIn("# Gossamer 0.1.0", notes)
        self.assertIn("\n- ", notes)

    def run_action(self, broken, fail="true"):
        """Run the step of action.yml with a program that finds broken links, or none. Returns its
        exit code, its output and the summary."""
        results = [{"level": "error", "message": {"text": "broken: 404, gone"},
                    "locations": [{"physicalLocation": {
                        "artifactLocation": {"uri": "docs/a%20b.md"},
                        "region": {"startLine": 7}}}]}]
        program = self.folder / "bin/gossamer"
        program.parent.mkdir(exist_ok=True)
        document = json.dumps({"runs": [{"results": results if broken else []}]})
        program.write_text(
            "#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in -o) into=$2;; esac; shift; done\n"
            f"echo '{document}' >$into\nexit {2 if broken else 0}\n", encoding="utf-8")
        program.chmod(0o755)
        environment = os.environ | {
            "PATH": f"{program.parent}:{os.environ['PATH']}", "SOURCES": "README.md docs",
            "ARGS": "--no-external", "FAIL": fail, "SARIF": str(self.folder / "links.sarif"),
            "RUNNER_TEMP": str(self.folder), "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary")}
        done = subprocess.run([ROOT / "setup/action/check.sh"], env=environment, text=True,
                              capture_output=True, check=False)
        return (done.returncode, done.stdout,
                (self.folder / "summary").read_text(encoding="utf-8"))

    def test_the_action_marks_broken_links_and_fails(self):
        code, said, summary = self.run_action(broken=True)
        self.assertEqual(code, 2)
        self.assertIn("::error file=docs/a b.md,line=7::broken: 404, gone\n", said)
        self.assertIn("| docs/a b.md | 7 | broken: 404, gone |", summary)
        self.assertEqual((self.folder / "output").read_text(encoding="utf-8"), "exit-code=2\n")

    def test_the_action_can_report_broken_links_without_failing(self):
        self.assertEqual(self.run_action(broken=True, fail="false")[0], 0)

    def test_the_action_installs_the_program_of_its_version(self):
        """Without a program, and with a release whose program finds nothing broken."""
        self.make_archive(
            b"#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in -o) into=$2;; esac; shift; done\n"
            b"[ -z \"$into\" ] || echo '{\"runs\": [{\"results\": []}]}' >$into\n")
        release.write_checksums(self.folder, None)
        environment = os.environ | {
            "PATH": "/usr/bin:/bin", "SOURCES": "README.md", "ARGS": "", "FAIL": "true",
            "SARIF": str(self.folder / "links.sarif"), "RUNNER_TEMP": str(self.folder),
            "GITHUB_OUTPUT": str(self.folder / "output"), "GOSSAMER_URL": str(self.folder),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary")}
        done = subprocess.run([ROOT / "setup/action/check.sh"], env=environment, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue((self.folder / "gossamer/bin/gossamer").exists())

    def test_the_installer_of_the_source_tree_says_what_it_needs(self):
        environment = os.environ | {"GOSSAMER_VERSION": "0.1.0"}
        done = subprocess.run(["sh", ROOT / "setup/install.sh"], env=environment, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("set GOSSAMER_URL", done.stderr)

    def test_the_action_succeeds_without_broken_links(self):
        code, said, summary = self.run_action(broken=False)
        self.assertEqual((code, said), (0, ""))
        self.assertIn("0 findings", summary)


if __name__ == "__main__":
    unittest.main()
