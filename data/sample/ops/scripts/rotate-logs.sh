#!/usr/bin/env bash
# rotate-logs.sh - keep /var/log/larder small and readable
#
# ━━━ PURPOSE ━━━
#
# Every script here writes to its own file in one directory. This one renames
# the large ones, packs last week's and drops what nobody will read again.
#
# ━━━ OPERATIONAL MODEL ━━━
#
# Copy and truncate
#   A log is copied to a dated name and then emptied in place. Writers keep the
#   file descriptor they have; none has to be told or restarted.
#
# Weekly packing
#   Dated files older than seven days are compressed, oldest first.
#
# ━━━ DESIGN PRINCIPLES ━━━
#
# Not the system's logrotate
#   The distribution's tool is fine, but its state file and ours would both
#   claim the same logs after a restore. One short script has no state at all.
#
# Size before age
#   A quiet log may grow for months without a rename; a noisy one is cut the
#   same day. What fills a disk is size.
#
# ━━━ OPERATIONAL SAFEGUARDS ━━━
#
# Never outside the directory
#   ROTATE_DIR has to lie below /var/log. A typing error in the settings cannot
#   point the deletion at a share.
#
# Copy must match
#   The log is emptied only if the copy has at least the size the log had when
#   the copy began. On a full disk the copy is removed and the log stays.
#
# One rotation at a time
#   rotate.lock keeps a manual call and the nightly timer apart.
#
# ━━━ CONFIGURATION ━━━
#
# Settings come from upkeep.conf.
#
# ROTATE_DIR
#   Directory of the logs (default: /var/log/larder).
#
# ROTATE_MAX_SIZE
#   Size in bytes from which a log is cut.
#   Default: 50 MiB
#
# ROTATE_KEEP_WEEK
#   Weeks for which packed logs are kept. Twelve cover one quarter.
#
# ROTATE_COMPRESS
#   Whether dated logs are packed.
#   Default: true
#
# ━━━ RUNTIME MODES ━━━
#
# --now
#   Cut every log that is not empty, whatever its size.
#
# --dry-run
#   Name the logs that would be cut, packed and dropped.
#
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib-lock.sh
. "$here/lib-lock.sh"
conf=${LARDER_CONF_DIR:-/etc/larder}/upkeep.conf
# shellcheck disable=SC1090
if [[ -r $conf ]]; then . "$conf"; fi

: "${ROTATE_DIR:=/var/log/larder}"
: "${ROTATE_MAX_SIZE:=104857600}"
: "${ROTATE_KEEP_WEEKS:=12}"
: "${ROTATE_COMPRESS:=yes}"
: "${ROTATE_DATE_FORMAT:=%Y%m%d}"

now=0 dry_run=0
for option in "$@"; do
    case $option in
        --now) now=1 ;;
        --dry-run) dry_run=1 ;;
        *) echo "rotate-logs: unknown option: $option" >&2; exit 2 ;;
    esac
done

case $(realpath -m -- "$ROTATE_DIR") in
    /var/log/*) ;;
    *) echo "rotate-logs: not below /var/log: $ROTATE_DIR" >&2; exit 1 ;;
esac
take_lock /run/larder/rotate.lock || exit 75

cut_log() {
    local log=$1 size copy
    size=$(stat -c %s -- "$log")
    copy=$log.$(date "+$ROTATE_DATE_FORMAT")
    if ((size == 0 || (size < ROTATE_MAX_SIZE && !now))); then return 0; fi
    if ((dry_run)); then echo "cut $log"; return 0; fi
    if ! cp -- "$log" "$copy" || (($(stat -c %s -- "$copy") < size)); then
        rm -f -- "$copy"
        return 1
    fi
    : >"$log"
}

failed=0
for log in "$ROTATE_DIR"/*.log; do
    if [[ -f $log ]]; then cut_log "$log" || failed=1; fi
done

action=(-delete)
if ((dry_run)); then action=(-print); fi
if [[ $ROTATE_COMPRESS == yes ]] && ((!dry_run)); then
    find "$ROTATE_DIR" -name '*.log.2*' ! -name '*.gz' -mtime +7 -exec gzip -- {} +
fi
find "$ROTATE_DIR" -name '*.log.2*' -mtime "+$((ROTATE_KEEP_WEEKS * 7))" "${action[@]}"
exit "$failed"
