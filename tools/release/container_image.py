"""A container image as an OCI archive, made without a daemon.

It has the program of the archive, the C library that it needs, and the certificates of the
authorities. Its user is not root. https://github.com/opencontainers/image-spec
"""

import datetime
import gzip
import hashlib
import io
import json
import pathlib
import platform
import subprocess
import tarfile

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
USER = 10001  # who may write to /home/crawler alone
PASSWD = (f"root:x:0:0:root:/:/nonexistent\n"
          f"crawler:x:{USER}:{USER}::/home/crawler:/nonexistent\n")
GROUP = f"root:x:0:\ncrawler:x:{USER}:\n"
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"


def files_of_libc(program):
    """What a program loads, and the modules of libc that find names."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    paths = {word for line in listed.splitlines() for word in line.split() if word.startswith("/")}
    folder = next(pathlib.Path(path).resolve().parent for path in paths if "libc.so" in path)
    names = ("libnss_dns.so.2", "libnss_files.so.2", "libresolv.so.2")
    return sorted(paths | {str(folder / name) for name in names if (folder / name).exists()})


class Layer:
    """A tar file whose bytes depend on nothing but its contents."""

    def __init__(self, when):
        self._when = when
        self._bytes = io.BytesIO()
        self._tar = tarfile.open(fileobj=self._bytes, mode="w", format=tarfile.GNU_FORMAT)
        self._folders = set()

    def _add(self, name, mode, owner, kind, content=b"", target=""):
        entry = tarfile.TarInfo(name.lstrip("/"))
        entry.type, entry.mode, entry.mtime, entry.linkname = kind, mode, self._when, target
        entry.uid = entry.gid = owner
        entry.size = len(content)
        self._tar.addfile(entry, io.BytesIO(content))

    def folder(self, name, mode=0o755, owner=0):
        if name in ("/", ".") or name in self._folders:
            return
        self.folder(str(pathlib.PurePosixPath(name).parent))
        self._folders.add(name)
        self._add(name, mode, owner, tarfile.DIRTYPE)

    def file(self, name, content, mode=0o644):
        self.folder(str(pathlib.PurePosixPath(name).parent))
        self._add(name, mode, 0, tarfile.REGTYPE, content)

    def link(self, name, target):
        self.folder(str(pathlib.PurePosixPath(name).parent))
        self._add(name, 0o777, 0, tarfile.SYMTYPE, target=target)

    def content(self):
        self._tar.close()
        return self._bytes.getvalue()


def program_in(archive):
    with tarfile.open(archive) as packed:
        name = next(name for name in packed.getnames() if name.endswith("/bin/gossamer"))
        return packed.extractfile(name).read()


def make_layer(archive, when, scratch):
    program = program_in(archive)
    copy = scratch.with_suffix(".program")
    copy.write_bytes(program)
    copy.chmod(0o755)
    libraries = files_of_libc(copy)
    copy.unlink()
    layer = Layer(when)
    layer.file("/usr/bin/gossamer", program, 0o755)
    for path in libraries:
        layer.file(path, pathlib.Path(path).read_bytes(), 0o755)
    layer.file(CERTIFICATES, pathlib.Path(CERTIFICATES).read_bytes())
    layer.link("/usr/lib/ssl/certs", "/etc/ssl/certs")
    layer.link("/usr/lib/ssl/cert.pem", CERTIFICATES)
    layer.file("/etc/passwd", PASSWD.encode())
    layer.file("/etc/group", GROUP.encode())
    layer.file("/etc/nsswitch.conf", b"hosts: files dns\n")
    layer.folder("/tmp", 0o1777)
    layer.folder("/home")
    layer.folder("/home/crawler", 0o750, USER)
    return layer.content()


def digest(content):
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def place_of(content):
    return f"blobs/sha256/{digest(content)[7:]}"


def as_json(value):
    return json.dumps(value, sort_keys=True).encode()


def make(archive, image, version, when):
    """Write the image of the program in an archive."""
    layer = make_layer(archive, when, image)
    packed = gzip.compress(layer, mtime=0)
    created = datetime.datetime.fromtimestamp(when, datetime.timezone.utc).isoformat()
    config = as_json({
        "architecture": ARCHITECTURES.get(platform.machine(), platform.machine()), "os": "linux",
        "created": created,
        "config": {"User": f"{USER}:{USER}", "WorkingDir": "/home/crawler",
                   "Entrypoint": ["/usr/bin/gossamer"], "Cmd": ["help"],
                   "Env": ["PATH=/usr/bin", "HOME=/home/crawler", f"SSL_CERT_FILE={CERTIFICATES}"],
                   "Labels": {"org.opencontainers.image.title": "gossamer",
                              "org.opencontainers.image.version": version,
                              "org.opencontainers.image.licenses": "MIT"}},
        "rootfs": {"type": "layers", "diff_ids": [digest(layer)]},
        "history": [{"created": created, "created_by": "gossamer release"}]})
    kind = "application/vnd.oci.image"
    manifest = as_json({
        "schemaVersion": 2, "mediaType": f"{kind}.manifest.v1+json",
        "config": {"mediaType": f"{kind}.config.v1+json", "digest": digest(config),
                   "size": len(config)},
        "layers": [{"mediaType": f"{kind}.layer.v1.tar+gzip", "digest": digest(packed),
                    "size": len(packed)}]})
    index = as_json({
        "schemaVersion": 2, "mediaType": f"{kind}.index.v1+json",
        "manifests": [{"mediaType": f"{kind}.manifest.v1+json", "digest": digest(manifest),
                       "size": len(manifest),
                       "annotations": {
                           "io.containerd.image.name": f"docker.io/library/gossamer:{version}",
                           "org.opencontainers.image.ref.name": version}}]})
    # What `docker load` reads where it does not know this format.
    docker = as_json([{"Config": place_of(config), "RepoTags": [f"gossamer:{version}"],
                       "Layers": [place_of(packed)]}])
    whole = Layer(when)
    whole.file("/oci-layout", as_json({"imageLayoutVersion": "1.0.0"}))
    whole.file("/index.json", index)
    whole.file("/manifest.json", docker)
    for blob in (config, packed, manifest):
        whole.file("/" + place_of(blob), blob)
    image.write_bytes(whole.content())
