#!/usr/bin/env bash
#
# ups-shutdown.sh - bring the server down in good order before the battery ends
#
# PURPOSE
# =======
#
# Called by the UPS monitor when mains power fails. It watches the battery and,
# once it is clear that power will not come back in time, stops the services in
# the right order and powers off.
#
# OPERATIONAL MODEL
# =================
#
# Watch loop
#   Charge and remaining run time are read every poll_seconds. The loop ends by
#   itself when mains power is back.
#
# Either floor is enough
#   The shutdown begins when the charge falls to battery_floor or the run time
#   the UPS promises falls to runtime_floor, whichever is first.
#
# Order of stopping
#   Mover first, then containers, then shares, then the array, then power. Each
#   step needs the one after it to be still alive. The mover is killed without
#   its grace window: its source files are intact and its leftovers get swept.
#
# DESIGN PRINCIPLES
# =================
#
# Early beats clever
#   Batteries lie about their last third. The floors are set so that half of
#   the charge may be missing and the disks still park in time.
#
# No way back
#   Once the stopping has begun it is carried through, even when power returns
#   meanwhile. Half-stopped services are worse than five minutes of absence.
#
# OPERATIONAL SAFEGUARDS
# ======================
#
# Fires once
#   The monitor sends its event several times. The first call holds ups.lock and
#   all later ones end silently with code 0.
#
# Unknown is not empty
#   If the UPS cannot be read, the loop goes on and warns. Only three failed
#   readings in a row count as an empty battery.
#
# Container deadline
#   Containers get grace_seconds to stop and are then killed: a hanging database
#   must not use up the minutes the file systems need.
#
# CONFIGURATION
# =============
#
# Settings come from ups.ini.
#
# battery_floor
#   Charge in per cent at which the shutdown begins (default 20).
#
# runtime_floor
#   Promised seconds of run time at which it begins (default 300).
#
# grace_seconds
#   Time for the containers to stop (default 60).
#
# poll_seconds
#   Pause between two readings (default 15).
#
# stop_containers
#   Whether containers are stopped by this script (default yes). Say no if the
#   container engine has its own hook.
#
# outlet_off
#   Whether the UPS is told to cut its outlets at the very end (default no).
#   They come back by themselves with the mains.
#
# RUNTIME MODES
# =============
#
# --test
#   Go through the steps and print them; nothing is stopped.
#
# --now
#   Skip the watching and shut down at once.
#
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib-lock.sh
. "$here/lib-lock.sh"
ini=${LARDER_CONF_DIR:-/etc/larder}/ups.ini

setting() {
    local value=''
    if [[ -r $ini ]]; then value=$(sed -n "s/^$1 *= *//p" "$ini" | tail -n 1); fi
    printf '%s' "${value:-$2}"
}

ups=$(setting name ups@localhost)
poll=$(setting poll_seconds 15)
battery_floor=$(setting battery_floor 30)
runtime_floor=$(setting runtime_floor 300)
grace=$(setting grace_seconds 60)
stop_containers=$(setting stop_containers true)

run='' now=0
for option in "$@"; do
    case $option in
        --test) run='echo' ;;
        --now) now=1 ;;
        *) echo "ups-shutdown: unknown option: $option" >&2; exit 2 ;;
    esac
done
take_lock /run/larder/ups.lock || exit 0

failures=0
while ((!now)); do
    status=$(upsc "$ups" ups.status 2>/dev/null || true)
    charge=$(upsc "$ups" battery.charge 2>/dev/null || true)
    runtime=$(upsc "$ups" battery.runtime 2>/dev/null || true)
    if [[ $status == *OL* ]]; then exit 0; fi
    if [[ -z $status || -z $charge || -z $runtime ]]; then
        failures=$((failures + 1))
        "$here/notify.sh" --level warn "ups: no reading ($failures of 3)" || true
        if ((failures >= 3)); then break; fi
    else
        failures=0
        if ((${charge%.*} <= battery_floor || ${runtime%.*} <= runtime_floor)); then break; fi
    fi
    sleep "$poll"
done

"$here/notify.sh" --level error 'ups: battery low, shutting down' || true
$run systemctl kill --signal=SIGKILL mover.service
if [[ $stop_containers =~ ^(true|yes)$ ]]; then
    mapfile -t containers < <(docker ps -q)
    if ((${#containers[@]})); then $run docker stop --time "$grace" "${containers[@]}"; fi
fi
$run systemctl stop smbd.service nfs-server.service
$run umount /mnt/pool /mnt/array
if [[ $(setting outlet_off false) =~ ^(true|yes)$ ]]; then $run upscmd "$ups" shutdown.return; fi
$run systemctl poweroff
