# shellcheck shell=bash
# Configures and builds for the launcher. Sourced by ./gossamer, after progress.sh.

# The size of a whole build folder, in MiB. build_size <preset> <target>...
build_size() {
  case $1 in
    release) [[ ${*:2} == gossamer_program ]] && echo 400 || echo 1500 ;;
    *) echo 3000 ;;
  esac
}

# Exits if the disk has no room for a new build folder.
check_space() {
  local free needed
  [[ ! -e $root/build/$1/build.ninja ]] || return 0
  needed=$(build_size "$@")
  free=$(df -Pm "$log_dir" | awk 'NR == 2 { print $4 }')
  ((free >= needed)) || die "building needs $needed MiB in $root/build, but only $free MiB are free"
}

# Configures build/<preset>, unless that was already done for this tree and these presets.
configure() {
  local preset=$1 stamp=$root/build/$1/configured log=$log_dir/configure-$1.log
  if [[ -e $root/build/$preset/build.ninja && $stamp -nt $root/CMakePresets.json &&
    $(<"$stamp") == "$root" ]]; then
    return
  fi
  # --fresh: a cache made for another folder or preset is useless.
  logged configuring "$log" cmake --fresh -S "$root" --preset "$preset" ||
    fail_with_log "configuring failed" "$log" "to try again: cmake -S $root --preset $preset"
  printf '%s\n' "$root" >"$stamp"
}

# Builds targets: build <preset> <target>...
build() {
  local preset=$1 log=$log_dir/build-$1.log lock
  mkdir -p "$log_dir"
  check_space "$@"
  shift
  exec {lock}>>"$log_dir/lock-$preset" # concurrent builds would damage each other
  if ! flock -n "$lock"; then
    say "waiting for another build in build/$preset (process $(tail -n 1 "$log_dir/lock-$preset"))"
    flock "$lock"
  fi
  echo $$ >"$log_dir/lock-$preset"
  [[ -e $root/build/$preset/build.ninja ]] ||
    say "building $preset for the first time: this takes minutes on two cores"
  configure "$preset"
  NINJA_STATUS='[%f/%t] ' logged building "$log" \
    ninja -C "$root/build/$preset" -j "$(nproc)" "$@" ||
    fail_with_log "the build failed" "$log" "to try again: ninja -C $root/build/$preset $*"
  exec {lock}>&-
}
