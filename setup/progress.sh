# shellcheck shell=bash
# The launcher's messages and progress. Sourced by ./gossamer.

say() { printf 'gossamer: %s\n' "$*" >&2; }

warn() { say "warning: $*"; }

die() {
  say "$*"
  exit 1
}

# The last line of a log, short enough for one line of a terminal.
last_line() { tail -n 1 "$1" 2>/dev/null | tr -d '\r' | cut -c "1-${2:-90}"; }

# Reports the last line of a log until it is killed or the launcher is gone: on a terminal in one
# line that is rewritten, otherwise every 15 seconds. report_progress <what> <log>
report_progress() {
  local pause=15 columns=90 began=$SECONDS nothing
  if [[ -t 2 ]]; then
    pause=0.3
    columns=$(($(tput cols 2>/dev/null || echo 80) - ${#1} - 20))
  fi
  # Not sleep: a process that outlives this shell would hold the launcher's output and locks.
  exec {nothing}<> <(:)
  while ! read -r -t "$pause" -u "$nothing" && kill -0 $$ 2>/dev/null; do
    if [[ -t 2 ]]; then
      printf '\r\e[Kgossamer: %s (%d s) %s' "$1" "$((SECONDS - began))" "$(last_line "$2" "$columns")" >&2
    else
      say "$1 ($((SECONDS - began)) s) $(last_line "$2")"
    fi
  done
}

# Runs a command with its output in a log, and reports its progress. The command runs in the
# foreground, so an interrupt reaches it. logged <what> <log> <command>...
logged() {
  local what=$1 log=$2 reporter status=0
  shift 2
  mkdir -p "$(dirname "$log")"
  : >"$log"
  report_progress "$what" "$log" &
  reporter=$!
  "$@" </dev/null >>"$log" 2>&1 || status=$?
  kill "$reporter" 2>/dev/null || true
  wait "$reporter" 2>/dev/null || true
  [[ ! -t 2 ]] || printf '\r\e[K' >&2
  return "$status"
}

# Prints the lines of a log that say why a command failed: those of apt, CMake, the compiler or the
# linker, otherwise the last ones.
decisive_lines() {
  local lines
  lines=$(awk '
    /^FAILED: / { print; is_command = 1; next }
    is_command { is_command = 0; next }  # the whole command line
    /^E: / || /No space left/ || /out of memory|Killed/ { shown = 1 }
    /error:/ { shown = 3 }
    /^CMake Error/ { shown = 8 }
    shown-- > 0 { print }' "$1" | cut -c 1-200 | head -n 25)
  [[ -n $lines ]] || lines=$(tail -n 15 "$1" | cut -c 1-200)
  printf '%s\n' "$lines" | sed 's/^/  | /'
}

# Exits after a failed step. fail_with_log <what failed> <log> <what to do>
fail_with_log() {
  say "$1:"
  decisive_lines "$2" >&2
  say "the whole log: $2"
  die "$3"
}
