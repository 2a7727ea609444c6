#!/usr/bin/env bash
# +---------------------------------------------------------------------------+
# | container-update.sh - renew the containers, one service at a time         |
# +---------------------------------------------------------------------------+
#
# ================
# PURPOSE
# ================
# Pulls newer images for the services in docker-compose.yml and restarts those
# whose image changed. A service that does not come up healthy is put back on
# the image it had.
#
# ================
# OPERATIONAL MODEL
# ================
# Pull, compare, replace
#   The image id before and after the pull is compared. Equal ids mean there is
#   nothing to do and the service is not touched.
#
# Health gate
#   After a restart the script waits up to IMAGES_HEALTH_WAIT seconds for the
#   container to call itself healthy, and only then goes on to the next.
#
# ================
# DESIGN PRINCIPLES
# ================
# One service at a time
#   When something breaks after the update, only one thing has changed. All at
#   once would be quicker and would leave us guessing.
#
# Weekly, in daylight
#   Updates run on Saturday at ten, when somebody is awake to notice. Nightly
#   updates only move the surprise to breakfast.
#
# ================
# OPERATIONAL SAFEGUARDS
# ================
# Not beside a backup
#   While backup.lock is taken nothing is restarted, as a database that stops in
#   the middle of a snapshot is saved in two halves.
#
# Rollback
#   If the health gate fails, the old image is tagged back and the service is
#   started again from it. Set IMAGES_ROLLBACK to no to leave the broken one
#   running for inspection.
#
# Pruning comes last
#   Old images are removed only when every service passed its gate.
#
# ================
# CONFIGURATION
# ================
# Settings come from upkeep.conf.
#
# IMAGES_HEALTH_WAIT
#   Longest wait for a healthy container (default: 2m).
#
# IMAGES_PRUNE
#   Whether unused images are removed at the end (default: on).
#
# IMAGES_ROLLBACK
#   Whether a failed update is undone (default: yes).
#
# ================
# RUNTIME MODES
# ================
# --only SERVICE
#   Renew this service and no other.
#
# --check
#   Pull and report what would be restarted; restart nothing.
#
# ================
# REQUIREMENTS
# ================
# docker with the compose plugin, and jq. The services need a health check in
# docker-compose.yml; one without is taken as healthy as soon as it runs.
#
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib-lock.sh
. "$here/lib-lock.sh"
conf=${LARDER_CONF_DIR:-/etc/larder}/upkeep.conf
# shellcheck disable=SC1090
if [[ -r $conf ]]; then . "$conf"; fi

: "${IMAGES_HEALTH_WAIT:=120}"
: "${IMAGES_PRUNE:=yes}"
: "${IMAGES_ROLLBACK:=yes}"

cd -- "$here/.."
only='' check=0 failed=0
while (($#)); do
    case $1 in
        --only) only=${2:?--only needs a service}; shift ;;
        --check) check=1 ;;
        *) echo "container-update: unknown option: $1" >&2; exit 2 ;;
    esac
    shift
done
take_lock /run/larder/containers.lock || exit 75
lock_is_free /run/larder/backup.lock || { echo 'backup is running, later'; exit 75; }

image_of() { docker compose config --format json | jq -r --arg s "$1" '.services[$s].image'; }
image_id() { docker image inspect --format '{{.Id}}' "$1" 2>/dev/null || true; }

healthy() {
    local id state deadline=$((SECONDS + IMAGES_HEALTH_WAIT))
    while ((SECONDS < deadline)); do
        id=$(docker compose ps -q "$1")
        state=$(docker inspect --format '{{if .State.Health}}{{.State.Health.Status}}{{else}}{{.State.Status}}{{end}}' "$id")
        case $state in healthy | running) return 0 ;; unhealthy | exited) return 1 ;; esac
        sleep 3
    done
    return 1
}

mapfile -t services < <(docker compose config --services)
for service in "${services[@]}"; do
    if [[ -n $only && $service != "$only" ]]; then continue; fi
    image=$(image_of "$service")
    before=$(image_id "$image")
    docker compose pull --quiet "$service"
    if [[ $before == "$(image_id "$image")" ]]; then continue; fi
    echo "newer image for $service"
    if ((check)); then continue; fi
    docker compose up -d --no-deps "$service"
    if healthy "$service"; then continue; fi
    failed=1
    "$here/notify.sh" --level error "containers: $service is not healthy after its update"
    if [[ $IMAGES_ROLLBACK == yes && -n $before ]]; then
        docker tag "$before" "$image"
        docker compose up -d --no-deps "$service"
    fi
done
if [[ $IMAGES_PRUNE == yes ]] && ((!failed && !check)); then docker image prune --force >/dev/null; fi
exit "$failed"
