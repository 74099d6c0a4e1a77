"""Unpacks a container image, comparing every digest, into what crun starts, and prints its user:

    unpack_image.py IMAGE INTO [ARGUMENT...]

The files are in INTO/rootfs, and INTO/config.json says how to start the program with the arguments
(https://github.com/opencontainers/runtime-spec). It has the network of who starts it.
"""

import gzip
import hashlib
import io
import json
import pathlib
import sys
import tarfile

MOUNTS = [("/proc", "proc", []), ("/dev", "tmpfs", ["nosuid", "mode=755"]), ("/tmp", "tmpfs", []),
          ("/home/crawler", "tmpfs", ["mode=777"])]


def blob(image, descriptor):
    content = image.extractfile(f"blobs/{descriptor['digest'].replace(':', '/')}").read()
    assert f"sha256:{hashlib.sha256(content).hexdigest()}" == descriptor["digest"]
    assert len(content) == descriptor["size"]
    return content


def how_to_start(config, arguments):
    user, group = config["User"].split(":")
    return {
        "ociVersion": "1.0.2",
        "process": {"user": {"uid": int(user), "gid": int(group)}, "cwd": config["WorkingDir"],
                    "env": config["Env"], "noNewPrivileges": True,
                    "args": config["Entrypoint"] + (arguments or config["Cmd"])},
        "root": {"path": "rootfs", "readonly": True},
        "mounts": [{"destination": place, "type": kind, "source": kind, "options": options}
                   for place, kind, options in MOUNTS],
        "linux": {"namespaces": [{"type": kind} for kind in ("pid", "mount", "ipc", "uts")]}}


def main(path, into, *arguments):
    into = pathlib.Path(into)
    with tarfile.open(path) as image:
        assert json.load(image.extractfile("oci-layout"))["imageLayoutVersion"] == "1.0.0"
        index = json.load(image.extractfile("index.json"))
        manifest = json.loads(blob(image, index["manifests"][0]))
        config = json.loads(blob(image, manifest["config"]))
        for layer, whole in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
            content = gzip.decompress(blob(image, layer))
            assert f"sha256:{hashlib.sha256(content).hexdigest()}" == whole
            with tarfile.open(fileobj=io.BytesIO(content)) as files:
                files.extractall(into / "rootfs", filter="fully_trusted")
    (into / "config.json").write_text(json.dumps(how_to_start(config["config"], list(arguments))),
                                      encoding="utf-8")
    print(config["config"]["User"])


main(*sys.argv[1:])
