#!/usr/bin/env bash
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib-lock.sh
. "$here/lib-lock.sh"

spool=${SPOOL_DIR:-/mnt/cache/spool}
hold=${SPOOL_HOLD_SECONDS:-90}
take_lock /run/larder/spool.lock || exit 75

target_of() {
    case ${1,,} in
        *.pdf | *.tif | *.tiff) echo /mnt/pool/scans ;;
        *.jpg | *.jpeg | *.heic | *.raw) echo "/mnt/pool/photos/$(date -r "$1" +%Y/%m)" ;;
        *.mkv | *.mp4 | *.mp3 | *.flac) echo /mnt/pool/media/incoming ;;
        *) echo /mnt/pool/unsorted ;;
    esac
}

while IFS= read -r -d '' file; do
    if fuser -s -- "$file" 2>/dev/null; then continue; fi
    target=$(target_of "$file")
    mkdir -p -- "$target"
    mv --backup=numbered -- "$file" "$target/"
done < <(find "$spool" -type f ! -name '.*' ! -newermt "@$(($(date +%s) - hold))" -print0)

jobs=/run/larder/jobs
for job in "$jobs"/*.json; do
    if [[ ! -s $job ]]; then continue; fi
    case $(jq -r .event "$job") in
        link-down) "$here/notify.sh" --level warn 'router: the line is down' ;;
        motion) "$here/notify.sh" --level warn 'door: somebody is there' ;;
    esac
    : >"$job"
done
if [[ -d $jobs ]]; then find "$jobs" -name '*.json' -empty -mmin +60 -delete; fi
