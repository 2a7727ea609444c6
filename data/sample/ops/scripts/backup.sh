#!/usr/bin/env bash
# backup.sh - dated snapshots of the pool
#
# PURPOSE
# -------
# Keeps a snapshot of every share for each of the last days, weeks and months,
# so that a deleted or spoilt file can be fetched back by copying it out of a
# folder. Snapshots live on the array; offsite-sync.sh carries them elsewhere.
#
# OPERATIONAL MODEL
# -----------------
# Hard-link snapshots
#   rsync copies what changed and links everything else to the snapshot before.
#   Each dated folder looks complete, yet an unchanged file takes its space
#   only once.
#
# Incoming folder
#   The new snapshot grows in .incoming and is renamed to its date when rsync
#   has finished. A folder with a date in its name is therefore always whole.
#
# Thinning
#   After a good run snapshot_prune.py decides which dates stay: all of the
#   recent days, then one per week, then one per month.
#
# DESIGN PRINCIPLES
# -----------------
# Plain folders
#   A restore must work with cp from a rescue stick. That rules out archive
#   formats that need a program of the right version to open them.
#
# Pool, not tiers
#   The source is the merged pool. A file is saved whether it happens to lie on
#   the SSDs or on the disks, and the mover cannot hide anything from us.
#
# Prune last
#   Old snapshots go only after the new one is complete. A failing backup never
#   eats the good ones before it.
#
# OPERATIONAL SAFEGUARDS
# ----------------------
# Single run
#   A second backup leaves with code 75 while the first holds backup.lock. A
#   long first run over a slow link is thus not doubled by the next timer.
#
# Runaway limit
#   rsync is ended after BACKUP_TIMEOUT seconds. The incoming folder stays and
#   the next run continues in it.
#
# Shrink alarm
#   If the new snapshot holds less than half as many files as the last one, it
#   is kept but nothing is pruned, and an error goes out through notify.sh. A
#   share that failed to mount looks exactly like this.
#
# Room check
#   The run does not start when less than BACKUP_MIN_FREE_PERCENT of the array
#   is free.
#
# CONFIGURATION
# -------------
# Settings come from backup.conf.
#
# BACKUP_SOURCE
#   What is saved (default: /mnt/pool).
#
# BACKUP_SNAPSHOT_DIR
#   Where the dated folders are kept, all on one file system, because hard
#   links cannot cross its border (default: /mnt/array/.snapshots).
#
# BACKUP_TIMEOUT
#   Longest run of rsync in seconds (default: 4h).
#
# BACKUP_KEEP_WEEKLY, BACKUP_KEEP_MONTHLY
#   How many weekly and monthly snapshots survive the thinning.
#
# BACKUP_VERIFY_SAMPLE
#   Number of random files compared byte by byte after each run (default 200).
#   The value 0 leaves the comparison out.
#
# RUNTIME MODES
# -------------
# --dry-run
#   Let rsync list what it would copy; no snapshot is made.
#
# --no-prune
#   Keep all old snapshots this time.
#
# --label NAME
#   Append NAME to the date, for a snapshot before a risky change. Labelled
#   snapshots are never thinned.
#
# --list
#   Print the snapshots, oldest first, and exit.
#
# --verify-only
#   Compare the sample against the newest snapshot without making a new one.
#
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib-lock.sh
. "$here/lib-lock.sh"
conf=${LARDER_CONF_DIR:-/etc/larder}/backup.conf
# shellcheck disable=SC1090
if [[ -r $conf ]]; then . "$conf"; fi

: "${BACKUP_SOURCE:=/mnt/pool}"
: "${BACKUP_SNAPSHOT_DIR:=/mnt/array/.snapshots}"
: "${BACKUP_RETENTION_DAYS:=14}"
: "${BACKUP_KEEP_WEEKLY:=8}"
: "${BACKUP_KEEP_MONTHLY:=12}"
: "${BACKUP_MIN_FREE_PERCENT:=10}"
: "${BACKUP_TIMEOUT:=14400}"
: "${BACKUP_VERIFY_SAMPLE:=200}"
: "${BACKUP_PRE_HOOK:=}"

dry_run=0 prune=1 label=''
say() { printf '%s backup: %s\n' "$(date '+%F %T')" "$*"; }
snapshots() { find "$BACKUP_SNAPSHOT_DIR" -mindepth 1 -maxdepth 1 -name '20*' -printf '%f\n' | sort; }
count_files() { find "$1" -type f | wc -l; }

verify_sample() {
    local snapshot=$1 bad=0 file
    while IFS= read -r -d '' file; do
        cmp -s -- "$BACKUP_SOURCE/$file" "$snapshot/$file" || bad=$((bad + 1))
    done < <(find "$snapshot" -type f -printf '%P\0' | shuf -z -n "$BACKUP_VERIFY_SAMPLE")
    say "sample of $BACKUP_VERIFY_SAMPLE compared, $bad differ"
}

while (($#)); do
    case $1 in
        --dry-run) dry_run=1 ;;
        --no-prune) prune=0 ;;
        --label) label=-${2:?--label needs a name}; shift ;;
        --list) snapshots; exit 0 ;;
        *) echo "backup: unknown option: $1" >&2; exit 2 ;;
    esac
    shift
done

take_lock /run/larder/backup.lock || { say 'another backup is running'; exit 75; }
mountpoint -q -- "$BACKUP_SOURCE" || { say "not mounted: $BACKUP_SOURCE"; exit 1; }
used=$(df --output=pcent "$BACKUP_SNAPSHOT_DIR" | tail -n 1 | tr -dc '0-9')
if ((100 - used < BACKUP_MIN_FREE_PERCENT)); then say 'too little room on the array'; exit 1; fi
if [[ -n $BACKUP_PRE_HOOK ]]; then "$BACKUP_PRE_HOOK"; fi

last=$(snapshots | tail -n 1)
incoming=$BACKUP_SNAPSHOT_DIR/.incoming
options=(-a --delete --exclude=/.snapshots)
if [[ -n $last ]]; then options+=(--link-dest="$BACKUP_SNAPSHOT_DIR/$last"); fi
if ((dry_run)); then options+=(--dry-run --itemize-changes); fi

mkdir -p -- "$incoming"
timeout "$BACKUP_TIMEOUT" rsync "${options[@]}" -- "$BACKUP_SOURCE/" "$incoming/"
if ((dry_run)); then exit 0; fi

target=$BACKUP_SNAPSHOT_DIR/$(date +%F)$label
if [[ -e $target ]]; then say "already there: $target"; exit 1; fi
mv -- "$incoming" "$target"
say "made $target"
if ((BACKUP_VERIFY_SAMPLE > 0)); then verify_sample "$target"; fi

if [[ -n $last ]] && (($(count_files "$target") * 2 < $(count_files "$BACKUP_SNAPSHOT_DIR/$last"))); then
    "$here/notify.sh" --level error 'backup: snapshot shrank by more than half, nothing pruned'
    exit 1
fi
if ((prune)); then
    "$here/../tools/snapshot_prune.py" --root "$BACKUP_SNAPSHOT_DIR" --daily "$BACKUP_RETENTION_DAYS" \
        --weekly "$BACKUP_KEEP_WEEKLY" --monthly "$BACKUP_KEEP_MONTHLY" --apply
fi
