#!/usr/bin/env bash
#
# mover.sh - move cold files from the cache tier to the array
#
# PURPOSE
#
# New files land on the SSDs because that is where writing is quick and quiet.
# The mover carries the ones nobody has touched for a while down to the disks,
# so that the cache tier keeps room for the next upload and the disks can stay
# asleep for most of the day.
#
# OPERATIONAL MODEL
#
# One run is one pass: decide whether to run at all, list the candidates, take
# them one after another, write one summary line.
#
# Water marks
#   A run starts work only when the cache tier is fuller than MOVER_HIGH_WATER
#   per cent, and it stops as soon as the fill level is back at MOVER_LOW_WATER.
#   Between the two marks nothing happens, which keeps the disks from spinning
#   up for a handful of files.
#
# Candidate list
#   Regular files below MOVER_CACHE_ROOT whose last change is older than
#   MOVER_MIN_AGE, coldest first. The spool is never listed: what lies there
#   belongs to spool-drain.sh until it has been filed.
#
# One file at a time
#   Files are copied singly and in order. Two parallel copies to the same disk
#   make its heads seek and are slower than one after the other.
#
# Summary line
#   A pass that was not held ends with "moved N files, B bytes, skipped S". The
#   status page parses it; change it there as well if you change it here.
#
# DESIGN PRINCIPLES
#
# Copy, compare, then delete
#   A plain mv across file systems removes the source on the word of the kernel
#   alone. Here the original stays until the copy has been read back, because
#   the one copy on the SSD may be the only one in the house.
#
# No database
#   Which tier a file lives on is answered by looking at the two directories.
#   There is no catalogue that could disagree with the disks after a crash.
#
# Timer, not daemon
#   A pass that starts, works and ends can be understood from its log. A daemon
#   that watches for changes was tried and kept every disk awake all night.
#
# Skipping is not failing
#   A file that cannot be moved now is left where it is and counted. The next
#   pass looks at it again, so no retry logic is needed inside a pass.
#
# OPERATIONAL SAFEGUARDS
#
# Overlap lock
#   A second mover that finds MOVER_LOCK_FILE taken exits at once with code 75
#   and touches nothing. The lock is held by the kernel, so it vanishes with
#   the process and never has to be cleared by hand after a crash.
#
# Grace window
#   On TERM or INT no further file is begun. The copy in hand is given
#   MOVER_STOP_TIMEOUT seconds (default: 300) to finish; after that rsync is
#   ended and its unfinished copy is thrown away.
#
# Open-file check
#   A file that any process holds open, as fuser sees it, is left alone and
#   counted as skipped. This covers recordings still being written and films
#   somebody is watching.
#
# Free-space floor
#   Before each copy the mover subtracts the size of the file from what the
#   array has left. If less than MOVER_FREE_FLOOR bytes (default: 1 GiB) would
#   remain, the pass ends there instead of filling the disks to the brim.
#
# Parity-check pause
#   While the array is verifying or rebuilding its parity, no pass begins: both
#   jobs would crawl, and a rebuild should have the spindles to itself. Set
#   MOVER_PARITY_PAUSE to no to allow it all the same.
#
# Mount verification
#   Both roots have to be mount points. Without this test a missing disk set
#   would leave an ordinary empty directory behind, and the copies would land
#   on the system disk until that was full.
#
# Name collisions
#   An existing file on the destination is never overwritten. If the contents
#   are equal the source is simply dropped; if they differ, the newcomer is
#   stored beside it with the suffix .conflict-YYYYMMDD.
#
# Symlink refusal
#   Symbolic links are neither followed nor moved. A link that points out of
#   the share could otherwise pull foreign data into it, or lead the pass in a
#   circle.
#
# Leftover sweep
#   A copy is written under a name beginning with .mover-part. and renamed when
#   complete. Such names left over from a power cut are removed from the array
#   at the start of the next pass.
#
# Read-back comparison
#   With MOVER_CHECKSUM=yes the SHA-256 of source and copy are computed from
#   disk and must be equal before the source is deleted. On a mismatch the copy
#   is discarded and the run ends with code 1.
#
# Throughput ceiling
#   rsync is held to MOVER_RATE_LIMIT per second (default: 80M) and runs in the
#   idle I/O class. Streaming to the living room must not stutter because cold
#   files are being carried downstairs.
#
# Battery hold
#   When the UPS reports that it is running on battery, no further file is
#   begun. Idle disks stretch the remaining minutes, and ups-shutdown.sh needs
#   them.
#
# Quiet hours
#   From MOVER_QUIET_START to MOVER_QUIET_END no pass begins, as the disks are
#   audible in the next room. The rule is lifted when the cache tier is at
#   MOVER_PANIC_LEVEL per cent or above: noise is better than a failed upload.
#
# Faithful rehearsal
#   --dry-run takes the same lock and goes through every test listed here in
#   the same order; only the copy and the delete are left out. As nothing is
#   freed, its list does not end at the low water mark.
#
# CONFIGURATION
#
# Read from mover.conf in LARDER_CONF_DIR (default: /etc/larder). Values set in
# the environment count only where the file is silent.
#
# MOVER_CACHE_ROOT
#   Mount point of the cache tier (default: /mnt/cache).
#
# MOVER_ARRAY_ROOT
#   Mount point of the array (default: /mnt/array).
#
# MOVER_MIN_AGE
#   Seconds since the last change before a file counts as cold (default: 24h).
#
# MOVER_LOW_WATER
#   Fill level of the cache tier, in per cent, at which a pass stops
#   (default: 50).
#
# MOVER_CHECKSUM
#   Whether copies are read back and compared before the source goes
#   (default: true).
#
# MOVER_UPS_HOLD
#   Whether the state of the UPS is asked at all (default: yes). Turn it off on
#   a machine without one.
#
# MOVER_EXCLUDE
#   Shell pattern of file names that always stay on the SSDs (default: none).
#
# MOVER_ONLY_SHARE
#   Name of one top-level folder; the pass then looks at nothing else.
#
# RUNTIME MODES
#
# --dry-run
#   Print what would be moved and change nothing.
#
# --force
#   Start even below the high water mark and go on past the low one. The
#   safeguards stay in force.
#
# --limit N
#   End the pass after N files. Useful for a first run on a full cache.
#
# --status
#   Print the fill level and the reason for a hold, if there is one, and exit.
#
# --verbose
#   Log skipped files too, each with its reason.
#
# EXAMPLES
#
#   mover.sh --dry-run --verbose
#   mover.sh --force --limit 20
#
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib-lock.sh
. "$here/lib-lock.sh"
conf=${LARDER_CONF_DIR:-/etc/larder}/mover.conf
# shellcheck disable=SC1090
if [[ -r $conf ]]; then . "$conf"; fi

: "${MOVER_CACHE_ROOT:=/mnt/cache}"
: "${MOVER_ARRAY_ROOT:=/mnt/array}"
: "${MOVER_MIN_AGE:=86400}"
: "${MOVER_HIGH_WATER:=70}"
: "${MOVER_LOW_WATER:=50}"
: "${MOVER_PANIC_LEVEL:=95}"
: "${MOVER_STOP_TIMEOUT:=600}"
: "${MOVER_FREE_FLOOR:=1073741824}"
: "${MOVER_RATE_LIMIT:=80M}"
: "${MOVER_CHECKSUM:=yes}"
: "${MOVER_PARITY_PAUSE:=yes}"
: "${MOVER_UPS_HOLD:=yes}"
: "${MOVER_QUIET_START:=18:00}"
: "${MOVER_QUIET_END:=23:00}"
: "${MOVER_LOCK_FILE:=/run/larder/mover.lock}"
: "${MOVER_SETTLE_SECONDS:=5}"
: "${MOVER_EXCLUDE:=}"
: "${MOVER_ONLY_SHARE:=}"

dry_run=0 force=0 limit=0 verbose=0 status=0
stopping=0 child='' watchdog='' moved=0 bytes=0 skipped=0

say() { printf '%s mover: %s\n' "$(date '+%F %T')" "$*"; }
skip() { skipped=$((skipped + 1)); if ((verbose)); then say "skip: $1 ($2)"; fi; }
cache_use() { df --output=pcent "$MOVER_CACHE_ROOT" | tail -n 1 | tr -dc '0-9'; }
array_free() { df -B1 --output=avail "$MOVER_ARRAY_ROOT" | tail -n 1 | tr -dc '0-9'; }
on_battery() { [[ $MOVER_UPS_HOLD == yes && $(upsc ups@localhost ups.status 2>/dev/null) == *OB* ]]; }

in_quiet_hours() {
    local now
    now=$(date +%H:%M)
    if [[ $MOVER_QUIET_START < $MOVER_QUIET_END ]]; then
        [[ ! $now < $MOVER_QUIET_START && $now < $MOVER_QUIET_END ]]
    else
        [[ ! $now < $MOVER_QUIET_START || $now < $MOVER_QUIET_END ]]
    fi
}

hold_reason() {
    if [[ $MOVER_PARITY_PAUSE == yes ]] && grep -qE 'check|resync|recovery' /proc/mdstat 2>/dev/null; then
        echo 'parity check running'
    elif on_battery; then
        echo 'on battery'
    elif in_quiet_hours && (($(cache_use) < MOVER_PANIC_LEVEL)); then
        echo 'quiet hours'
    fi
}

on_stop() {
    stopping=1
    say 'stop requested, finishing the file in hand'
    if [[ -n $child ]]; then
        (sleep "$MOVER_STOP_TIMEOUT" && kill "$child" 2>/dev/null) {LOCK_FD}>&- &
        watchdog=$!
    fi
}

# wait returns early when the trap fires, hence the second look at the child.
copy() {
    local rc=0
    ionice -c 3 rsync -a --bwlimit="$MOVER_RATE_LIMIT" -- "$1" "$2" {LOCK_FD}>&- &
    child=$!
    wait "$child" || rc=$?
    while ((rc > 128)) && kill -0 "$child" 2>/dev/null; do
        rc=0
        wait "$child" || rc=$?
    done
    child=''
    return "$rc"
}

same() { [[ $(sha256sum <"$1") == "$(sha256sum <"$2")" ]]; }

move_one() {
    local src=$1 dest part size
    dest=$MOVER_ARRAY_ROOT/${src#"$MOVER_CACHE_ROOT"/}
    size=$(stat -c %s -- "$src")
    if [[ -L $src ]]; then skip "$src" symlink; return 0; fi
    if fuser -s -- "$src" 2>/dev/null; then skip "$src" open; return 0; fi
    if (($(array_free) - size < MOVER_FREE_FLOOR)); then say 'free-space floor reached'; stopping=1; return 0; fi
    if ((dry_run)); then say "would move: $src"; moved=$((moved + 1)); return 0; fi
    if [[ -e $dest ]]; then
        if same "$src" "$dest"; then rm -- "$src"; return 0; fi
        dest=$dest.conflict-$(date +%Y%m%d)
        if [[ -e $dest ]]; then skip "$src" conflict; return 0; fi
    fi
    part=$(dirname -- "$dest")/.mover-part.$(basename -- "$dest")
    mkdir -p -- "$(dirname -- "$dest")"
    if ! copy "$src" "$part"; then rm -f -- "$part"; skip "$src" 'copy failed'; return 0; fi
    if [[ $MOVER_CHECKSUM == yes ]] && ! same "$src" "$part"; then
        rm -f -- "$part"
        say "checksum mismatch: $src"
        exit 1
    fi
    mv -n -- "$part" "$dest"
    rm -- "$src"
    moved=$((moved + 1)) bytes=$((bytes + size))
}

while (($#)); do
    case $1 in
        --dry-run) dry_run=1 ;;
        --force) force=1 ;;
        --limit) limit=${2:?--limit needs a number}; shift ;;
        --status) status=1 ;;
        --verbose) verbose=1 ;;
        -h | --help) sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) echo "mover: unknown option: $1" >&2; exit 2 ;;
    esac
    shift
done

if ((status)); then say "cache at $(cache_use)%, hold: $(hold_reason)"; exit 0; fi
for root in "$MOVER_CACHE_ROOT" "$MOVER_ARRAY_ROOT"; do
    mountpoint -q -- "$root" || { say "not mounted: $root"; exit 1; }
done
take_lock "$MOVER_LOCK_FILE" || { say 'another mover is running'; exit 75; }
trap on_stop TERM INT

reason=$(hold_reason)
if [[ -n $reason ]]; then say "held: $reason"; exit 0; fi
if ((!force && $(cache_use) <= MOVER_HIGH_WATER)); then say 'below the high water mark'; exit 0; fi
if ((!dry_run)); then find "$MOVER_ARRAY_ROOT" -xdev -name '.mover-part.*' -delete; fi
sleep "$MOVER_SETTLE_SECONDS"

mapfile -d '' -t files < <(
    find "$MOVER_CACHE_ROOT/$MOVER_ONLY_SHARE" -xdev -path "$MOVER_CACHE_ROOT/spool" -prune -o \
        \( -type f -o -type l \) ! -name "$MOVER_EXCLUDE" \
        ! -newermt "@$(($(date +%s) - MOVER_MIN_AGE))" -printf '%T@\t%p\0' | sort -zn | cut -z -f 2-
)
for file in "${files[@]}"; do
    if ((stopping)) || on_battery; then break; fi
    if ((limit && moved >= limit)); then break; fi
    if ((!force && !dry_run && $(cache_use) <= MOVER_LOW_WATER)); then break; fi
    move_one "$file"
done
if [[ -n $watchdog ]]; then kill "$watchdog" 2>/dev/null || true; fi
say "moved $moved files, $bytes bytes, skipped $skipped"
