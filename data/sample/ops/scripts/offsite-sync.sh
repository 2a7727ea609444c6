#!/usr/bin/env bash
# =============================================================================
# offsite-sync.sh - carry the newest snapshot to the second site
# =============================================================================
#
# =============================================================================
# PURPOSE
# =============================================================================
# Fire, theft and a bad controller take all local snapshots at once. This script
# copies the newest complete snapshot to a machine in another building, at night
# and slowly enough that the line stays usable.
#
# =============================================================================
# OPERATIONAL MODEL
# =============================================================================
# Newest snapshot only
#   The far side keeps its own history: it snapshots what arrives. Sending every
#   local date as well would cost the line and gain nothing.
#
# Push over ssh
#   The server connects outwards with a key that may do nothing but run rsync in
#   OFFSITE_PATH. The far side never opens a connection to us.
#
# Resumable
#   Unfinished files stay in .rsync-partial on the far side, so an interrupted
#   night goes on where it ended.
#
# =============================================================================
# DESIGN PRINCIPLES
# =============================================================================
# The far side deletes, not we
#   The key we hold cannot remove history over there. Somebody who owns this
#   server can spoil the next copy but not the earlier ones.
#
# A slow line is normal
#   There is no deadline. A first copy of the whole pool takes weeks and is
#   expected to; what counts is that each night adds something.
#
# =============================================================================
# OPERATIONAL SAFEGUARDS
# =============================================================================
# Waits for the backup
#   While backup.lock is taken there is no newest snapshot to rely on. The sync
#   leaves with code 75, and the next night sends what was missed.
#
# Host key pinning
#   Only the key in conf/known_hosts is accepted. An unknown host is an error,
#   never a question.
#
# Attempts are bounded
#   After OFFSITE_RETRIES failed tries in one run the script gives up and sends
#   a warning, rather than hammering a machine that is down.
#
# =============================================================================
# CONFIGURATION
# =============================================================================
# Settings come from backup.conf, shared with backup.sh.
#
# OFFSITE_HOST
#   Name of the machine at the second site.
#
# OFFSITE_RETRIES
#   Tries per run (default: 4).
#
# OFFSITE_COMPRESS
#   Compress on the wire (default: off). Worth it on a thin line with documents;
#   useless for films and photographs.
#
# OFFSITE_KEY_FILE
#   Private key for ssh (default: none, which leaves the choice to the agent).
#
# =============================================================================
# RUNTIME MODES
# =============================================================================
# --dry-run
#   Show what would be sent.
#
# --bwlimit N
#   Use N KiB/s for this run in place of the configured rate.
#
# --full
#   Compare by checksum, not by size and time. Takes a day on both sides; meant
#   for the quarterly audit.
#
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib-lock.sh
. "$here/lib-lock.sh"
conf_dir=${LARDER_CONF_DIR:-/etc/larder}
# shellcheck disable=SC1091
if [[ -r $conf_dir/backup.conf ]]; then . "$conf_dir/backup.conf"; fi

: "${BACKUP_SNAPSHOT_DIR:=/mnt/array/.snapshots}"
: "${OFFSITE_HOST:=backup.example.com}"
: "${OFFSITE_PATH:=/srv/larder}"
: "${OFFSITE_BWLIMIT:=4000}"
: "${OFFSITE_COMPRESS:=no}"
: "${OFFSITE_RETRIES:=4}"
: "${OFFSITE_KEY_FILE:=}"

say() { printf '%s offsite: %s\n' "$(date '+%F %T')" "$*"; }
extra=()
while (($#)); do
    case $1 in
        --dry-run) extra+=(--dry-run --itemize-changes) ;;
        --bwlimit) OFFSITE_BWLIMIT=${2:?--bwlimit needs a number}; shift ;;
        --full) extra+=(--checksum) ;;
        *) echo "offsite-sync: unknown option: $1" >&2; exit 2 ;;
    esac
    shift
done

take_lock /run/larder/offsite.lock || { say 'another sync is running'; exit 75; }
lock_is_free /run/larder/backup.lock || { say 'backup is running, later'; exit 75; }

newest=$(find "$BACKUP_SNAPSHOT_DIR" -mindepth 1 -maxdepth 1 -name '20*' | sort | tail -n 1)
if [[ -z $newest ]]; then say 'no snapshot to send'; exit 1; fi

ssh_command="ssh -o StrictHostKeyChecking=yes -o UserKnownHostsFile=$conf_dir/known_hosts"
if [[ -n $OFFSITE_KEY_FILE ]]; then ssh_command+=" -i $OFFSITE_KEY_FILE"; fi
if [[ $OFFSITE_COMPRESS == yes ]]; then extra+=(--compress); fi

for ((try = 1; try <= OFFSITE_RETRIES; try++)); do
    if rsync -aH --delete --partial-dir=.rsync-partial --bwlimit="$OFFSITE_BWLIMIT" \
        -e "$ssh_command" "${extra[@]}" -- "$newest/" "$OFFSITE_HOST:$OFFSITE_PATH/"; then
        say "sent ${newest##*/}"
        exit 0
    fi
    say "try $try of $OFFSITE_RETRIES failed"
    sleep $((try * 60))
done
"$here/notify.sh" --level warn "offsite: gave up after $OFFSITE_RETRIES tries"
exit 1
