#!/usr/bin/env bash
# A shared crawl on one machine that survives faults: six servers of Redis, three masters with a
# replica each, and three nodes. A node and a master are killed, and the master starts again.
#
#   examples/shared_crawl.sh URL...
#
# It needs gossamer, redis-server and redis-cli. The ports 7401 to 7406 and 17401 to 17406 of
# 127.0.0.1 must be free. GOSSAMER is the program, if it is not `gossamer`.
set -euo pipefail

(($# > 0)) || { echo "usage: $0 URL..." >&2; exit 2; }
gossamer=${GOSSAMER:-gossamer}
folder=$(mktemp -d)
declare -A server=() node=()
trap 'exec 2>/dev/null; kill -9 "${server[@]}" "${node[@]}"; wait; rm -rf "$folder"' EXIT
ports=(7401 7402 7403 7404 7405 7406)
cluster=redis://127.0.0.1:7402,127.0.0.1:7403/demo # not the server that will be killed

start_server() {
  mkdir -p "$folder/$1"
  redis-server --port "$1" --bind 127.0.0.1 --dir "$folder/$1" --save '' --appendonly yes \
    --cluster-enabled yes --cluster-node-timeout 2000 --cluster-require-full-coverage no \
    --repl-diskless-sync-delay 0 >>"$folder/redis.log" &
  server[$1]=$!
}

stop() { # without a word of the shell about it
  kill -9 "$1"
  wait "$1" 2>/dev/null || true
}

for port in "${ports[@]}"; do start_server "$port"; done
for port in "${ports[@]}"; do
  until redis-cli -p "$port" ping >/dev/null 2>&1; do sleep 0.1; done
done
redis-cli --cluster create "${ports[@]/#/127.0.0.1:}" --cluster-replicas 1 --cluster-yes >/dev/null
until redis-cli -p 7402 cluster info | grep -q cluster_state:ok; do sleep 0.1; done
echo "Redis runs: 3 masters, each with a replica"

for i in 1 2 3; do
  "$gossamer" crawl --no-config --cluster "$cluster" --cluster-lease 5s -q --no-progress \
    -o /dev/null -j "$folder/node$i" "$@" &
  node[$i]=$!
done
sleep 3
stop "${node[1]}" && echo "a node was killed"
sleep 2
stop "${server[7401]}" && echo "a master was killed; its replica replaces it"
sleep 6
start_server 7401 && echo "the server runs again, as a replica"

code=0
wait "${node[2]}" || code=$?
wait "${node[3]}" || code=$?
"$gossamer" cluster status "$cluster"
exit "$code"
