# shellcheck shell=bash
# A bare Debian in the folder $debian: nothing but its essential packages and apt. Sourced by
# scripts that have the source tree in $root.

log_dir=$root/build/log
# shellcheck source=setup/progress.sh
. "$root/setup/progress.sh"
# shellcheck source=setup/packages.sh
. "$root/setup/packages.sh"

# Ends the script: no bare Debian can be made here.
skip() {
  say "skipped: $*"
  exit 77
}

# Makes it, with this machine's apt settings: make_bare_debian <log> [bookworm|trixie|...]
make_bare_debian() {
  local log=$1 release=${2:-bookworm} mirror settings keys name
  ((EUID == 0)) || skip "making a bare Debian needs root"
  ensure_packages "$root/setup/packages-bare-machine.txt"
  # shellcheck disable=SC2016  # apt-get expands it, not the shell
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
    sed -n 's/ bookworm$//p' | head -n 1)
  [[ -n $mirror ]] || skip "this machine's apt knows no mirror of Debian 12"
  # What lets apt reach its mirror here lets it do so there.
  proxies=()
  for name in http_proxy https_proxy no_proxy; do
    [[ -z ${!name-} ]] || proxies+=("$name=${!name}")
  done
  say "making a bare Debian ($release)"
  debootstrap --variant=minbase "$release" "$debian" "$mirror" >"$log" 2>&1 ||
    skip "debootstrap failed: $(tail -n 5 "$log")"
  mount -t proc proc "$debian/proc"
  cp /etc/resolv.conf "$debian/etc/resolv.conf"
  # Another release comes from the same mirror, and has no other sources.
  local -a copied=(apt.conf apt.conf.d trusted.gpg.d auth.conf.d)
  [[ $release != bookworm ]] || copied+=(sources.list sources.list.d)
  for settings in "${copied[@]}"; do
    [[ ! -e /etc/apt/$settings ]] || cp -r "/etc/apt/$settings" "$debian/etc/apt/"
  done
  for keys in /usr/share/keyrings /usr/local/share/ca-certificates /etc/ssl/certs; do
    [[ -d $keys ]] || continue
    mkdir -p "$debian$keys"
    cp -rL "$keys/." "$debian$keys/" 2>/dev/null || true
  done
  # Debian's packages alone: another source may have other versions.
  find "$debian/etc/apt/sources.list.d" -type f \
    -exec grep -qE '(^|[[:space:]])bookworm([-[:space:]]|$)' {} \; -o -type f -delete
  inside apt-get -q -y update >>"$log" 2>&1 || skip "apt reaches no mirror: $(tail -n 5 "$log")"
}

# Runs a command there, with no settings of this machine: inside <command>...
inside() {
  chroot "$debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    LC_ALL=C HOME=/root "${proxies[@]}" "$@"
}

# Removes the folder that $debian is in, and nothing that is mounted there.
remove_bare_debian() {
  local place
  # The deepest first.
  for place in $(cut -d " " -f 2 /proc/mounts | grep -F "$debian/" | tac); do
    umount "$(printf '%b' "$place")" || return
  done
  rm -rf --one-file-system "$1"
}
