# Shared by the bash scripts here: source it, do not run it. Sets `root` and moves there.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
me=$(basename "$0")

say() { printf '%s: %s\n' "$me" "$*"; }
die() {
    printf '%s: %s\n' "$me" "$1" >&2
    exit "${2:-1}"
}

# The comment block under the first line of the calling script is its help text.
usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }

cores() { nproc 2>/dev/null || echo 2; }

# Puts nvcc on PATH where the toolkit is installed but not on it; false without a toolkit.
find_nvcc() {
    command -v nvcc >/dev/null && return 0
    local dir
    for dir in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda; do
        if [ -n "$dir" ] && [ -x "$dir/bin/nvcc" ]; then
            export PATH="$dir/bin:$PATH"
            return 0
        fi
    done
    return 1
}

# configure_and_build PRESET [TARGET...]: all targets where none is named. Both steps are
# incremental.
configure_and_build() {
    local preset=$1
    shift
    cmake --preset "$preset" \
        && cmake --build --preset "$preset" --parallel "$(cores)" ${1:+--target "$@"}
}
