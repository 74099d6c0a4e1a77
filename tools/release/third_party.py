"""What others wrote and the self-contained program and the wheel have inside.

    third_party.py BUILD FILE    writes the licences of the libraries in the program of a build
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

# The licences of the libraries by Debian's source package, as SPDX expressions. Debian's own files
# list those of tools and tests, too.
LICENCES = {
    "brotli": "MIT", "bzip2": "bzip2-1.0.6", "c-ares": "MIT", "fmtlib": "MIT", "icu": "ICU",
    "libdeflate": "MIT", "libidn2": "LGPL-3.0-or-later OR GPL-2.0-or-later", "libpsl": "MIT",
    "libunistring": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "liburing": "MIT OR LGPL-2.1-or-later", "lz4": "BSD-2-Clause", "nghttp2": "MIT",
    "openssl": "Apache-2.0", "re2": "BSD-3-Clause", "rocksdb": "Apache-2.0 OR GPL-2.0-only",
    "snappy": "BSD-3-Clause", "snowball": "BSD-3-Clause", "sqlite3": "blessing",
    "xxhash": "BSD-2-Clause", "zlib": "Zlib", "libzstd": "BSD-3-Clause OR GPL-2.0-only",
}
GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"


def packages_with(paths, root=""):
    """The names of the Debian packages that installed these files, below a root."""
    # Some packages know their files by /lib, which is a link to /usr/lib.
    wanted = {str(path).removeprefix("/usr") for path in paths}
    shown = subprocess.run(["dpkg", f"--admindir={root}/var/lib/dpkg", "-S",
                            *sorted(wanted | {f"/usr{path}" for path in wanted})],
                           capture_output=True, text=True, check=False).stdout
    owners = {path.removeprefix("/usr"): package.split(":")[0]
              for package, path in re.findall(r"^(\S+): (\S+)$", shown, re.M)}
    missing = wanted - owners.keys()
    if missing:
        sys.exit(f"no package of Debian has {', '.join(sorted(missing))}")
    return set(owners.values())


def packages_of(build):
    """Those that the self-contained program of a build has parts of, and the root that they are in,
    after CMake's cache."""
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$",
                            (build / "CMakeCache.txt").read_text(encoding="utf-8"), re.M))
    root, compiler = cache.get("CMAKE_SYSROOT", ""), [cache["CMAKE_CXX_COMPILER"]]
    if root:
        compiler += [f"--sysroot={root}", f"--target={cache['CMAKE_CXX_COMPILER_TARGET']}"]
    paths = {path for name, path in cache.items() if name.startswith("GOSSAMER_ARCHIVE_")}
    paths.add(cache["fmt_DIR"] + "/fmt-config.cmake")
    for archive in ("libstdc++.a", "libgcc.a"):
        found = subprocess.run([*compiler, f"-print-file-name={archive}"],
                               capture_output=True, text=True, check=True).stdout
        paths.add(os.path.realpath(found.strip()))
    return sorted(packages_with(paths, root)), root


def copyright_of(package, root):
    path = pathlib.Path(f"{root}/usr/share/doc") / package / "copyright"
    return path.read_text(encoding="utf-8", errors="replace")


def licences(packages, root=""):
    """The licence texts of packages, one after the other."""
    return "\n".join(f"{'=' * 80}\n{package} {facts_of(package, root)[0]}\n{'=' * 80}\n"
                     f"{copyright_of(package, root)}" for package in sorted(packages))


def facts_of(package, root):
    shown = subprocess.run(
        ["dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f",
         "${Version}\t${source:Package}\t${Homepage}", package],
        capture_output=True, text=True, check=True).stdout
    return shown.split("\t")


def licence_of(source):
    if re.fullmatch(r"gcc-\d+", source):
        return GCC
    if source not in LICENCES:
        sys.exit(f"third_party.py does not know the licence of {source}; add it to LICENCES")
    return LICENCES[source]


def component_of(package, root):
    version, source, homepage = facts_of(package, root)
    component = {
        "type": "library", "bom-ref": f"deb:{package}", "name": source, "version": version,
        "purl": f"pkg:deb/debian/{package}@{version.replace(':', '%3A').replace('+', '%2B')}",
        "licenses": [{"expression": licence_of(source)}]}
    if homepage:
        component["externalReferences"] = [{"type": "website", "url": homepage}]
    return component


def write_bill(build, path, version, when):
    """List the libraries inside the program as a CycloneDX document."""
    packages, root = packages_of(build)
    components = [component_of(package, root) for package in packages]
    program = {"type": "application", "bom-ref": "gossamer", "name": "gossamer", "version": version,
               "licenses": [{"license": {"id": "MIT"}}]}
    content = json.dumps(components, sort_keys=True)
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}",
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(when, datetime.timezone.utc).isoformat(),
            "component": program},
        "components": components,
        "dependencies": [{"ref": "gossamer", "dependsOn": [c["bom-ref"] for c in components]}]}
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    pathlib.Path(sys.argv[2]).write_text(licences(*packages_of(pathlib.Path(sys.argv[1]))),
                                         encoding="utf-8")
