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

# Returns whether every word of the first text is in the second.
is_subset() {
  local word
  for word in $1; do [[ " $2 " == *" $word "* ]] || return 1; done
}

# Prints the parts that build/<preset> is configured with; fails if it must be configured again.
# configured_parts <preset>
configured_parts() {
  local folder=$root/build/$1
  local -a lines
  [[ -e $folder/build.ninja && $folder/configured -nt $root/CMakePresets.json ]] || return 1
  mapfile -t lines <"$folder/configured"
  [[ ${lines[0]-} == "$root" ]] || return 1
  printf '%s' "${lines[1]-}"
}

# Configures build/<preset> with these parts alone: configure_parts <preset> <parts> [--fresh].
# --fresh forgets what was configured before, and with it the precompiled headers: everything is
# compiled again.
configure_parts() {
  local preset=$1 parts=$2 log=$log_dir/configure-$1.log part
  local -a command=(cmake "${@:3}" -S "$root" --preset "$preset")
  for part in tests python bench link_time; do
    is_subset "$part" "$parts" || command+=("-DGOSSAMER_${part^^}=OFF")
    ! is_subset "$part" "$parts" || command+=("-DGOSSAMER_${part^^}=ON")
  done
  configure_command=$(printf '%q ' "${command[@]}")
  logged configuring "$log" "${command[@]}" || return
  printf '%s\n' "$root" "$parts" >"$root/build/$preset/configured"
}

# Configures build/<preset> with parts (tests, python, bench, link_time) beside the program, unless
# that was done before. Parts that it has already are kept, unless they prevent it: what only the
# tests need never stops the program. configure <preset> <parts>
configure() {
  local preset=$1 parts=$2 before configure_command
  if before=$(configured_parts "$preset"); then
    ! is_subset "$parts" "$before" || return 0
    configure_parts "$preset" "$parts $before" && return
  fi
  # Fresh: what was configured for another folder, or by hand, is useless.
  configure_parts "$preset" "$parts" --fresh ||
    fail_with_log "configuring failed" "$log_dir/configure-$preset.log" \
      "to try again: $configure_command"
}

# Builds targets: build <preset> <parts> <target>...
build() {
  local preset=$1 parts=$2 log=$log_dir/build-$1.log lock
  local -a ninja=(ninja -C "$root/build/$preset" -j "$(nproc)" "${@:3}")
  export NINJA_STATUS='[%f/%t] '
  check_space "$preset" "${@:3}"
  exec {lock}>>"$log_dir/lock-$preset" # concurrent builds would damage each other
  if ! flock -n "$lock"; then
    say "waiting for another build in build/$preset (process $(tail -n 1 "$log_dir/lock-$preset"))"
    flock "$lock"
  fi
  echo $$ >"$log_dir/lock-$preset"
  [[ -e $root/build/$preset/build.ninja ]] ||
    say "building $preset for the first time: this takes minutes on two cores"
  configure "$preset" "$parts"
  if ! logged building "$log" "${ninja[@]}"; then
    # Ninja configures again after a change, with all parts.
    { grep -q '^FAILED: build.ninja' "$log" && rm -f "$root/build/$preset/configured" &&
      configure "$preset" "$parts" && logged building "$log" "${ninja[@]}"; } ||
      fail_with_log "the build failed" "$log" "to try again: $(printf '%q ' "${ninja[@]}")"
  fi
  exec {lock}>&-
}
