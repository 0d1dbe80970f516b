#!/usr/bin/env bash
# The reader written from docs/ewf.md finds in files of the library what was put there.
set -euo pipefail
samples=$1
tests=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$samples" "$tests/data" "$folder"
for file in "$folder"/*.ewf; do
    python3 "$tests/read_ewf.py" "$file" >"$folder/found"
    cmp "$folder/found" "${file%.ewf}.txt"
    echo "$(basename "$file"): $(wc -l <"$folder/found") lines agree"
done
