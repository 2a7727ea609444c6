# shellcheck shell=bash
# take_lock FILE: kernel lock, released when the process ends.
take_lock() {
    mkdir -p -- "$(dirname -- "$1")"
    exec {LOCK_FD}>"$1"
    flock -n "$LOCK_FD"
}

lock_is_free() {
    [[ ! -e $1 ]] || flock -n "$1" true
}
