# Functions of the bash scripts here, which source this file. Sets `root` and changes to it.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
me=$(basename "$0")

# plain TEXT: prints the text as one line of limited length, with control characters escaped.
plain() {
    local text=$1 shown='' odd
    if [ ${#text} -gt 1500 ]; then text=${text:0:300}...; fi
    while [[ $text =~ [^[:print:]] ]]; do
        odd=${BASH_REMATCH[0]}
        shown+=${text%%"$odd"*}
        text=${text#*"$odd"}
        printf -v odd %q "$odd"  # $'\n'
        odd=${odd#"$'"}
        shown+=${odd%"'"}
    done
    printf '%s\n' "$shown$text"
}
say() { plain "$me: $*"; }
die() {
    plain "$me: $1" >&2
    exit "${2:-1}"
}

# The comment block under the first line of the calling script is its help text.
usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }

cores() { nproc 2>/dev/null || echo 2; }

# Adds an installed CUDA toolkit to PATH. Fails if there is none, or if it is too old or broken.
# Then nvcc_problem has the reason in one line.
find_nvcc() {
    local dir said object
    for dir in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda; do
        command -v nvcc >/dev/null && break
        if [ -n "$dir" ] && [ -x "$dir/bin/nvcc" ]; then export PATH="$dir/bin:$PATH"; fi
    done
    nvcc_problem='nvcc not found'
    command -v nvcc >/dev/null || return 1
    object=$(mktemp)
    if said=$(nvcc -std=c++20 -arch=sm_80 ${CUDAHOSTCXX:+-ccbin "$CUDAHOSTCXX"} \
        -c cmake/cuda_probe.cu -o "$object" 2>&1); then
        nvcc_problem=''
    else
        said=$({ grep -m1 -E 'error|fatal' || echo 'no reason given'; } <<<"$said")
        nvcc_problem="$(command -v nvcc) does not compile cmake/cuda_probe.cu: $said"
    fi
    rm -f "$object"
    [ -z "$nvcc_problem" ]
}

# Turns --arch LIST into CMake's list: 80,90 becomes 80-real;90. The last one also gets PTX, for
# later devices. `native` means the devices of this machine.
cuda_architectures() {
    case $1 in
        native) echo native ;;
        *[!0-9,]* | ,* | *, | *,,* | '') return 1 ;;
        *) tr , '\n' <<<"$1" | sort -nu | sed '$!s/$/-real/' | paste -sd ';' ;;
    esac
}

# configure_and_build PRESET [TARGET...]: builds the targets, by default all, for the devices in
# `architectures`, if set. Both steps are incremental.
configure_and_build() {
    local preset=$1
    shift
    cmake --preset "$preset" ${architectures:+-D "CMAKE_CUDA_ARCHITECTURES=$architectures"} \
        && cmake --build --preset "$preset" --parallel "$(cores)" ${1:+--target "$@"}
}
