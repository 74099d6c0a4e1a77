#!/bin/sh
# Installs the released program of Gossamer for this user, or for all of them when run as root. It
# compares the archive with its checksum before anything is unpacked.
#
#   sh install.sh                        into ~/.local, or /usr/local for root
#   PREFIX=/opt/gossamer sh install.sh   elsewhere
#   GOSSAMER_URL=https://... sh install.sh   from another place, or a local folder

set -eu

version=${GOSSAMER_VERSION:-@VERSION@}
url=${GOSSAMER_URL:-@URL@}
if [ "$(id -u)" = 0 ]; then prefix=${PREFIX:-/usr/local}; else prefix=${PREFIX:-$HOME/.local}; fi
archive=gossamer-$version-linux-$(uname -m).tar.gz

die() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

get() {
  case $url in
    http://* | https://*)
      if command -v curl >/dev/null; then
        curl -fsSL --retry 3 -o "$2" "$url/$1"
      elif command -v wget >/dev/null; then
        wget -q -O "$2" "$url/$1"
      else
        die "curl or wget is needed to download"
      fi
      ;;
    *) cp "${url#file://}/$1" "$2" ;;
  esac || die "cannot get $url/$1"
}

# In the source tree nothing has been filled in.
case $url in @*) url= ;; esac
case $version in @*) die "set GOSSAMER_VERSION to the version to install" ;; esac
[ -n "$url" ] || die "set GOSSAMER_URL to the place that the release was published at"
[ "$(uname -s)" = Linux ] || die "there is a program for Linux only"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
get SHA256SUMS "$work/SHA256SUMS"
expected=$(awk -v name="$archive" '$2 == name { print $1 }' "$work/SHA256SUMS")
[ -n "$expected" ] || die "this release has no $archive"
get "$archive" "$work/$archive"
found=$(sha256sum "$work/$archive" | cut -d ' ' -f 1)
[ "$found" = "$expected" ] || die "the checksum of $archive is wrong; nothing was installed"

mkdir -p "$prefix"
tar -xzf "$work/$archive" -C "$prefix" --strip-components=1 --no-same-owner
"$prefix/bin/gossamer" --version >"$work/said" 2>&1 ||
  die "the program does not run here: $(cat "$work/said"); it needs glibc 2.36 or newer"
printf 'installed %s/bin/gossamer (%s)\n' "$prefix" "$(cat "$work/said")"
# shellcheck disable=SC2016  # the user's shell expands it
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) printf 'add it to your PATH: export PATH="%s/bin:$PATH"\n' "$prefix" ;;
esac
