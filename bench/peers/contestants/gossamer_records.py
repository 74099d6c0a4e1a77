"""Gossamer with its records on: an object with all fields for every URL, in a file on tmpfs."""

from job import Contestant

def command(job):
    return [
        f"{job.build}/gossamer", "crawl", "--no-config", "--no-proxy", "--quiet",
        "--concurrency", str(job.at_once),
        "--output", f"{job.folder}/records.jsonl",
        job.url,
    ]


CONTESTANT = Contestant(
    name="gossamer, with JSONL",
    key="gossamer_records",
    kind="ours",
    command=command,
    version=("{build}/gossamer", "--version"),
    well=(0, 8),
)
