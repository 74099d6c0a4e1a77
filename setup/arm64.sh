# shellcheck shell=bash
# A root of Debian's packages for ARM64, which clang compiles and links with (cmake/arm64.cmake).
# Nothing of it is installed on this machine. Sourced by ./gossamer, after packages.sh.

arm64_root=$root/build/arm64-root

# Unpacks a package, and notes it as dpkg does, so that dpkg-shlibdeps can look it up there:
# unpack_arm64 <package file>
unpack_arm64() {
  local dpkg=$arm64_root/var/lib/dpkg control name part
  control=$(mktemp -d)
  dpkg-deb --control "$1" "$control"
  name=$(dpkg-deb --field "$1" Package)
  dpkg-deb --fsys-tarfile "$1" |
    tar -C "$arm64_root" --keep-directory-symlink --no-same-owner -xvf - |
    sed -E "s,^\./(lib/)?,$arm64_root/\1,; s,^$arm64_root/lib/,$arm64_root/usr/lib/," \
      >"$dpkg/info/$name.list"
  for part in symbols shlibs; do
    [[ ! -e $control/$part ]] || cp "$control/$part" "$dpkg/info/$name.$part"
  done
  { sed '/^Package:/a Status: install ok installed' "$control/control" && echo; } >>"$dpkg/status"
  rm -r "$control"
}

# Fetches and unpacks the libraries of the given files and all that they need.
fill_arm64_root() {
  local state=$arm64_root.apt package
  local -a packages apt_there
  mkdir -p "$state"/{lists,archives}/partial "$arm64_root"/{usr/lib,var/lib/dpkg/info}
  : >"$state/status"
  apt_there=(apt-get -q -y -o "Dir::State=$state" -o "Dir::Cache=$state"
    -o "Dir::State::status=$state/status" -o APT::Architecture=arm64 -o APT::Architectures=arm64
    -o APT::Sandbox::User=root)
  # python3-dev has programs, too; its headers are those of libpython3-dev.
  mapfile -t packages < <(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e 's/^python3-dev/lib&/' "$@" |
    grep -e '-dev$' | sort -u)
  "${apt_there[@]}" update
  "${apt_there[@]}" install --no-install-recommends --download-only \
    libc6-dev libstdc++-12-dev "${packages[@]}"
  ln -sfn usr/lib "$arm64_root/lib"
  for package in "$state"/archives/*.deb; do unpack_arm64 "$package"; done
  # The linker takes absolute links for those of this machine.
  find "$arm64_root/usr/lib" -type l -lname '/*' -printf '%p\t%l\n' |
    while IFS=$'\t' read -r link target; do ln -sfnr "$arm64_root$target" "$link"; done
  rm -r "$state"
}

# Makes it, unless it is complete, and installs what compiling for ARM64 needs here.
ensure_arm64() {
  local wanted
  local -a lists=("$root"/setup/packages{,-test}.txt)
  ensure_packages "$root/setup/packages-arm64.txt"
  wanted=$(cat "${lists[@]}" "${BASH_SOURCE[0]}" | sha256sum)
  [[ $(cat "$arm64_root/complete" 2>/dev/null) != "$wanted" ]] || return 0
  rm -rf "$arm64_root" "$arm64_root.apt"
  logged "fetching packages for ARM64" "$log_dir/arm64-root.log" fill_arm64_root "${lists[@]}" ||
    fail_with_log "there are no packages for ARM64" "$log_dir/arm64-root.log" \
      "apt must reach a mirror of Debian"
  printf '%s\n' "$wanted" >"$arm64_root/complete"
}
