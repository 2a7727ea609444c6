#!/usr/bin/env bash
# disk-health.sh - read the health of every disk and report the bad ones
#
# PURPOSE
#
# Most disks announce their end: sectors get reallocated, temperatures climb,
# self-tests fail. This script reads those signs once a day, so that a disk is
# replaced on a Saturday morning and not during a rebuild.
#
# OPERATIONAL MODEL
#
# Reading without waking
#   A disk in standby is asked with smartctl -n standby, which answers without
#   spinning it up. A sleeping disk is reported as "asleep" and tried the next
#   day.
#
# Two thresholds
#   Temperature and reallocated sectors are compared with HEALTH_MAX_TEMP and
#   HEALTH_REALLOC_LIMIT. Everything else the disk itself calls failing counts
#   as failing.
#
# Report file
#   The findings are written to /run/larder/health.txt, one line per disk, for
#   the status page and smart-summary.pl.
#
# DESIGN PRINCIPLES
#
# Trends need few numbers
#   Only two attributes are judged. Vendors disagree about the meaning of most
#   others, and an alarm that is wrong twice is ignored the third time.
#
# One message per run
#   All bad disks go into a single notification. Five messages at three in the
#   morning say no more than one.
#
# OPERATIONAL SAFEGUARDS
#
# No test during a rebuild
#   Self-tests are left out while the array verifies or rebuilds, because they
#   slow down the disks that carry the load.
#
# Missing disks count
#   A disk listed in HEALTH_DISKS that does not answer at all is reported as
#   failing. Silence is the worst answer a disk can give.
#
# CONFIGURATION
#
# Settings come from upkeep.conf.
#
# HEALTH_MAX_TEMP
#   Degrees Celsius from which a disk is reported (default: 45).
#
# HEALTH_REALLOC_LIMIT
#   Reallocated sectors from which a disk is reported (default: 8).
#
# HEALTH_SELFTEST
#   Kind of self-test that --test starts, short or long (default: short).
#
# HEALTH_DISKS
#   Space-separated devices. Left empty, all rotating disks are taken.
#
# RUNTIME MODES
#
# --test
#   Start a self-test on each disk that is awake, then exit.
#
# --quiet
#   Write the report file but send no notification.
#
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
conf=${LARDER_CONF_DIR:-/etc/larder}/upkeep.conf
# shellcheck disable=SC1090
if [[ -r $conf ]]; then . "$conf"; fi

: "${HEALTH_MAX_TEMP:=45}"
: "${HEALTH_REALLOC_LIMIT:=8}"
: "${HEALTH_SELFTEST:=short}"
: "${HEALTH_SPINUP_DELAY:=4}"
: "${HEALTH_DISKS:=}"

test_only=0 quiet=0
for option in "$@"; do
    case $option in
        --test) test_only=1 ;;
        --quiet) quiet=1 ;;
        *) echo "disk-health: unknown option: $option" >&2; exit 2 ;;
    esac
done

report=/run/larder/health.txt
if [[ -n $HEALTH_DISKS ]]; then
    read -ra disks <<<"$HEALTH_DISKS"
else
    mapfile -t disks < <(lsblk -dnpo NAME,ROTA | awk '$2 == 1 { print $1 }')
fi

if ((test_only)); then
    if grep -qE 'check|resync|recovery' /proc/mdstat; then echo 'array is busy, no self-test'; exit 0; fi
    for disk in "${disks[@]}"; do
        smartctl -n standby -t "$HEALTH_SELFTEST" "$disk" || true
        sleep "$HEALTH_SPINUP_DELAY"
    done
    exit 0
fi

judge() {
    local disk=$1 text rc=0 temp sectors
    text=$(smartctl -n standby -H -A "$disk" 2>/dev/null) || rc=$?
    if [[ $text == *STANDBY* ]]; then echo 'asleep'; return; fi
    if ((rc & 3)); then echo 'failing: no answer'; return; fi
    if ((rc & 8)); then echo 'failing: says so itself'; return; fi
    temp=$(awk '/Temperature_Celsius/ { print $10; exit }' <<<"$text")
    sectors=$(awk '/Reallocated_Sector_Ct/ { print $10; exit }' <<<"$text")
    if ((${sectors:-0} >= HEALTH_REALLOC_LIMIT)); then echo "failing: $sectors reallocated"; return; fi
    if ((${temp:-0} >= HEALTH_MAX_TEMP)); then echo "warm: $temp C"; return; fi
    echo "good: ${temp:-?} C"
}

mkdir -p -- "$(dirname -- "$report")"
for disk in "${disks[@]}"; do printf '%s %s\n' "$disk" "$(judge "$disk")"; done >"$report"
bad=$(grep -E ' (failing|warm):' "$report" || true)
if [[ -n $bad ]] && ((!quiet)); then "$here/notify.sh" --level error "disks: $bad"; fi
