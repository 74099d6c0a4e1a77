#!/usr/bin/env bash
# The step of action.yml: installs Gossamer if it is not there, checks links, and tells GitHub what
# it found. The settings are in the environment: SOURCES, ARGS, FAIL, SARIF, GOSSAMER_URL.

set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

if ! command -v gossamer >/dev/null; then
  # That of the tree, for which the release was made.
  export GOSSAMER_VERSION
  GOSSAMER_VERSION=$(sed -n 's/.*kVersion = "\(.*\)".*/\1/p' "$here/../../src/ground/base/version.h")
  PREFIX=$RUNNER_TEMP/gossamer sh "$here/../install.sh"
  PATH=$RUNNER_TEMP/gossamer/bin:$PATH
fi

# Words are separated by blanks; quotes mean nothing, and no pattern is expanded.
# shellcheck disable=SC2153  # from the environment
read -r -d '' -a sources <<<"$SOURCES" || true
read -r -d '' -a arguments <<<"$ARGS" || true

code=0
gossamer check --no-progress --format sarif -o "$SARIF" "${arguments[@]}" -- "${sources[@]}" ||
  code=$?
printf 'exit-code=%s\n' "$code" >>"$GITHUB_OUTPUT"
if [[ -s $SARIF ]]; then
  python3 -B "$here/annotate.py" "$SARIF" >>"$GITHUB_STEP_SUMMARY" 2>"$RUNNER_TEMP/annotations"
  cat "$RUNNER_TEMP/annotations"
fi
((code == 2)) && [[ $FAIL != true ]] && exit 0
exit "$code"
