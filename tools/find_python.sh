#!/bin/sh
# Print a Python of this machine that Arena runs on, or say what is missing.
# Usage: find_python.sh [PYTHON]   (with an argument, only that one will do)
#
# A version manager's shim may exist and yet refuse to run, and some distributions leave out venv,
# so that each candidate is asked rather than looked up.
in_range='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 13))'
candidates=${1:-python3 python3.12 python3.11 python}

for candidate in $candidates; do
    if "$candidate" -c "$in_range" </dev/null >/dev/null 2>&1 &&
        "$candidate" -c 'import venv, ensurepip' </dev/null >/dev/null 2>&1; then
        command -v "$candidate"
        exit 0
    fi
done

{
    echo "No usable Python found: RoboRacer Arena needs Python 3.11 or 3.12 with its venv module."
    for candidate in $candidates; do
        version=$("$candidate" --version </dev/null 2>/dev/null)
        if [ -z "$version" ]; then
            echo "  $candidate: not found, or does not run"
        elif "$candidate" -c "$in_range" </dev/null >/dev/null 2>&1; then
            echo "  $candidate: $version lacks venv or ensurepip (Debian, Ubuntu: apt install python3-venv)"
        else
            echo "  $candidate: $version is too old or too new"
        fi
    done
    echo "Install one of them, or name it: make PYTHON=/path/to/python3.12"
} >&2
exit 1
