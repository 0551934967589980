#!/bin/sh
# Runs a command against a new tally-fake. The command finds its address in TALLY_BASE_URL and a sandbox key in
# TALLY_API_KEY. If the command fails, the folder tally-fake-report keeps the requests and the state of tally-fake.
set -eu

folder=$(mktemp -d)
tally-fake --port 0 --ready-file "$folder/ready.json" >"$folder/log" 2>&1 &
fake=$!
finish() {
  kill "$fake" 2>/dev/null || :
  wait "$fake" || :
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

until [ -e "$folder/ready.json" ]; do
  if ! kill -0 "$fake" 2>/dev/null; then
    cat "$folder/log" >&2
    exit 1
  fi
  sleep 0.05
done
member() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/" "$folder/ready.json"; }
TALLY_BASE_URL=$(member url)
TALLY_API_KEY=$(member sandbox_key)
export TALLY_BASE_URL TALLY_API_KEY

status=0
"$@" || status=$?
if [ "$status" != 0 ]; then
  mkdir -p tally-fake-report
  for part in requests export; do
    curl --fail --silent --show-error --user "$TALLY_API_KEY:" --output "tally-fake-report/$part.json" \
      "$TALLY_BASE_URL/_fake/$part" || :
  done
fi
exit "$status"
