"""Who can take part: what npm has to install is installed, and everybody is asked its version."""

import dataclasses
import re
import shutil
import subprocess

import job

VERSION_SECONDS_MAX = 30


class NotThere(RuntimeError):
    """A contestant cannot take part, and why."""


@dataclasses.dataclass(frozen=True)
class Entry:
    contestant: job.Contestant
    packages: str  # where npm installed it, or ""
    version: str


def enter(contestant, work, say):
    """-> Entry. Raises NotThere."""
    packages = install(contestant, work, say) if contestant.npm else ""
    return Entry(contestant, packages, version_of(contestant, work, packages))


def install(contestant, work, say):
    """npm's packages of a contestant, in a folder of the build. -> the folder"""
    folder = work.kept / contestant.key
    wanted = (contestant.npm / "package.json").read_bytes()
    stamp = folder / "installed.json"
    is_installed = stamp.exists() and stamp.read_bytes() == wanted
    if not is_installed:
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(contestant.npm, folder, dirs_exist_ok=True)  # the crawler may be another
    if is_installed:
        return str(folder)
    say(f"installing {contestant.name} with npm...")
    try:
        done = subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund",
                               "--no-package-lock", "--loglevel=error"], cwd=folder, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    except FileNotFoundError as error:
        raise NotThere("npm is not installed") from error
    if done.returncode != 0:
        raise NotThere(f"npm could not install it, exit code {done.returncode}")
    stamp.write_bytes(wanted)
    return str(folder)


def version_of(contestant, work, packages):
    """What it prints about itself."""
    command = [word.format(build=work.build, packages=packages) for word in contestant.version]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=VERSION_SECONDS_MAX, check=False)
    except FileNotFoundError as error:
        raise NotThere("it is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise NotThere("it does not tell its version") from error
    version = version_in(done.stdout)  # exit codes vary, but errors go elsewhere
    if not version:
        last = (done.stderr.strip().splitlines() or ["it does not tell its version"])[-1]
        raise NotThere(last)
    return version


def version_in(text):
    """The first word that looks like a version, or "" if there is none."""
    match = re.search(r"\d+(?:\.\d+)+(?:-\d+)?", text)
    return match[0] if match else ""
