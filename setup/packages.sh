# shellcheck shell=bash
# Installs Debian packages for the launcher. Sourced by ./gossamer, after progress.sh.

# Prints the packages named in the given files that are neither installed nor provided by another
# package.
missing_packages() {
  local -x LC_ALL=C
  local -a wanted
  mapfile -t wanted < <(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$@" | sort -u)
  # shellcheck disable=SC2016  # dpkg-query expands the format, not the shell
  dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' "${wanted[@]}" 2>/dev/null |
    sed -n 's/^installed //p' | tr ',' '\n' | sed -e 's/(.*//' -e 's/ //g' | sort -u |
    comm -23 <(printf '%s\n' "${wanted[@]}") -
}

can_be_root() { ((EUID == 0)) || command -v sudo >/dev/null; }

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# Runs apt-get and waits up to ten minutes while another process installs packages.
# RUNLEVEL=1: a server that comes with a package is not started.
apt() {
  local tries
  for ((tries = 0; tries < 120; ++tries)); do
    as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
      apt-get -q -y -o DPkg::Lock::Timeout=600 "$@" && return
    # The timeout above does not apply to the locks of downloads and lists.
    tail -n 3 "$log_dir/packages.log" | grep -q 'Could not get lock\|Unable to lock' || return 1
    echo "another process is using apt; trying again in 5 s"
    sleep 5
  done
  return 1
}

# The lists of packages are fetched only if they are missing or stale.
apt_install() {
  apt install --no-install-recommends "$@" && return
  apt update && apt install --no-install-recommends "$@"
}

# Prints those of the given packages that apt can install.
installable() {
  local package
  for package in "$@"; do
    apt-get -s -q install --no-install-recommends "$package" >/dev/null 2>&1 && echo "$package"
  done
}

# Runs apt_install with its progress on the terminal. One launcher at a time.
install_logged() {
  local lock log=$log_dir/packages.log status=0
  mkdir -p "$log_dir"
  exec {lock}>>"$log_dir/lock-packages"
  flock -n "$lock" || { say "waiting for another installation of packages" && flock "$lock"; }
  say "installing Debian packages ($#): $*"
  # sudo may prompt for a password, so before the progress is shown.
  if as_root true 2> >(tee "$log" >&2); then
    logged "installing packages" "$log" apt_install "$@" || status=1
  else
    status=1
  fi
  exec {lock}>&-
  return "$status"
}

# Disables servers that were installed only for the tests.
disable_services() {
  local service
  [[ -d /run/systemd/system ]] || return 0
  for service in nginx caddy; do
    [[ " $* " != *" $service"* ]] || as_root systemctl disable --now --quiet "$service" || true
  done
}

# Without dpkg nothing can be installed here, so the tools must be there.
check_tools() {
  local tool
  local -a missing=()
  for tool in clang++-19 cmake ninja pkg-config; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  ((${#missing[@]} == 0)) ||
    die "not found: ${missing[*]}. This is not Debian: install the packages of setup/packages.txt \
by hand."
}

# Says what to do after a failed installation, by what apt or sudo said in the log.
remedy() {
  local unknown system
  local no_network='Temporary failure resolving|[Cc]ould not resolve|Network is unreachable'
  no_network+='|Could not connect|Unable to connect|Connection (timed out|failed|refused)'
  # shellcheck source=/dev/null
  system=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME-}")
  unknown=$(sed -nE "s/^E: (Unable to locate package |Package ')([^' ]+).*/\2/p" "$1" | sort -u |
    paste -sd ' ')
  if grep -qE "$no_network" "$1"; then
    echo "the package mirror cannot be reached; check the network and the proxy of apt"
  elif grep -qE 'No space left|enough free space' "$1"; then
    echo "the disk is full; free some space"
  elif [[ -n $unknown ]]; then
    echo "the package mirror does not have: $unknown. Gossamer needs Debian 12 or 13, and this is \
${system:-another system}; check the sources in /etc/apt"
  elif grep -q 'dpkg was interrupted' "$1"; then
    echo "an earlier installation was interrupted; run: dpkg --configure -a"
  elif grep -q '404 *Not Found' "$1"; then
    echo "the package mirror lacks files that its own lists name; try another mirror, or later"
  elif grep -q '^sudo:' "$1"; then
    echo "sudo does not let you install packages"
  else
    echo "fix that"
  fi
}

# Installs the missing packages of the given files. Exits if it cannot.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    check_tools
    return
  fi
  local -a missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} > 0)) || return 0
  can_be_root || die "these Debian packages are missing, and you are not root and have no sudo. \
As root, run: apt-get install ${missing[*]}"
  install_logged "${missing[@]}" || fail_with_log "installing packages failed" \
    "$log_dir/packages.log" "$(remedy "$log_dir/packages.log"). Then run the same command again, \
or install them yourself: apt-get install ${missing[*]}"
  disable_services "${missing[@]}"
}

# The same for packages that only some tests use: if one cannot be installed, its tests are skipped.
ensure_test_packages() {
  command -v dpkg-query >/dev/null || return 0
  local -a missing available
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} > 0)) || return 0
  if can_be_root && ! install_logged "${missing[@]}"; then
    mapfile -t available < <(installable "${missing[@]}")
    ((${#available[@]} == 0)) || install_logged "${available[@]}" || true
  fi
  disable_services "${missing[@]}"
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} == 0)) ||
    warn "the tests that need these packages are skipped, because they are not installed: \
${missing[*]}"
}
