"""Unpacks a container image, prints its user, and compares every digest: IMAGE INTO"""

import gzip
import hashlib
import io
import json
import pathlib
import sys
import tarfile


def blob(image, descriptor):
    content = image.extractfile(f"blobs/{descriptor['digest'].replace(':', '/')}").read()
    assert f"sha256:{hashlib.sha256(content).hexdigest()}" == descriptor["digest"]
    assert len(content) == descriptor["size"]
    return content


def main(path, into):
    with tarfile.open(path) as image:
        assert json.load(image.extractfile("oci-layout"))["imageLayoutVersion"] == "1.0.0"
        index = json.load(image.extractfile("index.json"))
        manifest = json.loads(blob(image, index["manifests"][0]))
        config = json.loads(blob(image, manifest["config"]))
        for layer, whole in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
            content = gzip.decompress(blob(image, layer))
            assert f"sha256:{hashlib.sha256(content).hexdigest()}" == whole
            with tarfile.open(fileobj=io.BytesIO(content)) as files:
                files.extractall(into, filter="fully_trusted")
    print(config["config"]["User"])


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
