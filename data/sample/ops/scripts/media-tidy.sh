#!/usr/bin/env bash
# media-tidy.sh - see usage_description below, or call with --help
set -euo pipefail

usage_description="media-tidy.sh - put names and folders of the media share in order

PURPOSE

Downloads arrive with odd names, empty folders stay behind and half-copied films
lie about for years. This script renames what it understands, moves rubbish to a
trash folder, and empties that folder after a while.

OPERATIONAL MODEL

Three passes
  Names first, then rubbish, then the trash. Each pass can be run alone with
  --pass and is safe to repeat.

Trash, not delete
  Nothing is deleted at once. Rubbish goes to .trash below MEDIA_ROOT and is
  removed only after MEDIA_TRASH_DAYS.

DESIGN PRINCIPLES

Rules a guest could guess
  Spaces become single, dots between words become spaces, the rest of the name
  stays. A cleverer renamer needs a database and is wrong in new ways.

OPERATIONAL SAFEGUARDS

Rehearsal unless told otherwise
  As shipped the script only prints. It acts when MEDIA_DRY_RUN is false or
  --apply is given, for renaming a thousand films cannot be taken back.

Not while the mover works
  The mover may hold a path that we are about to rename. When mover.lock is
  taken, the script leaves with code 75.

Clash keeps both
  If the tidy name is taken already, the file keeps its old name.

CONFIGURATION

Settings come from upkeep.conf.

  MEDIA_ROOT        folder to tidy (default: /mnt/pool/media)
  MEDIA_TRASH_DAYS  days in the trash (default: 30)
  MEDIA_MIN_SIZE    films below this many bytes are rubbish (default: 1 MiB)
  MEDIA_DRY_RUN     only print what would happen (default: yes)
  MEDIA_EMPTY_DIRS  remove empty folders (default: on)

RUNTIME MODES

  --apply           act, whatever MEDIA_DRY_RUN says
  --pass NAME       run one pass: names, rubbish or trash
  --help            print this text
"

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib-lock.sh
. "$here/lib-lock.sh"
conf=${LARDER_CONF_DIR:-/etc/larder}/upkeep.conf
# shellcheck disable=SC1090
if [[ -r $conf ]]; then . "$conf"; fi

: "${MEDIA_ROOT:=/mnt/pool/media}"
: "${MEDIA_TRASH_DAYS:=30}"
: "${MEDIA_MIN_SIZE:=1048576}"
: "${MEDIA_DRY_RUN:=true}"
: "${MEDIA_EMPTY_DIRS:=yes}"

pass=all apply=0
if [[ $MEDIA_DRY_RUN =~ ^(false|no|off)$ ]]; then apply=1; fi
while (($#)); do
    case $1 in
        --apply) apply=1 ;;
        --pass) pass=${2:?--pass needs a name}; shift ;;
        -h | --help) printf '%s' "$usage_description"; exit 0 ;;
        *) echo "media-tidy: unknown option: $1" >&2; exit 2 ;;
    esac
    shift
done

lock_is_free /run/larder/mover.lock || { echo 'the mover is running, later'; exit 75; }
take_lock /run/larder/media.lock || exit 75
trash=$MEDIA_ROOT/.trash

act() {
    if ((apply)); then "$@"; else printf 'would: %s\n' "$*"; fi
}

tidy_name() {
    local stem=${1%.*} ending=${1##*.}
    stem=${stem//./ }
    stem=$(tr -s ' _' ' ' <<<"$stem")
    printf '%s.%s' "$stem" "${ending,,}"
}

pass_names() {
    local file new
    while IFS= read -r -d '' file; do
        new=$(dirname -- "$file")/$(tidy_name "$(basename -- "$file")")
        if [[ $new != "$file" && ! -e $new ]]; then act mv -n -- "$file" "$new"; fi
    done < <(find "$MEDIA_ROOT" -path "$trash" -prune -o -type f -name '*.*' -print0)
}

pass_rubbish() {
    local file
    act mkdir -p -- "$trash"
    while IFS= read -r -d '' file; do
        act mv --backup=numbered -- "$file" "$trash/"
        act touch -- "$trash/$(basename -- "$file")"
    done < <(find "$MEDIA_ROOT" -path "$trash" -prune -o -type f \
        \( -name '*.part' -o -name '*.mkv' -size "-${MEDIA_MIN_SIZE}c" \) -print0)
    if [[ $MEDIA_EMPTY_DIRS == yes ]] && ((apply)); then
        find "$MEDIA_ROOT" -mindepth 2 -type d -empty -delete
    fi
}

pass_trash() {
    if [[ ! -d $trash ]]; then return 0; fi
    local file
    while IFS= read -r -d '' file; do act rm -- "$file"; done \
        < <(find "$trash" -type f -mtime "+$MEDIA_TRASH_DAYS" -print0)
}

case $pass in
    all) pass_names; pass_rubbish; pass_trash ;;
    names | rubbish | trash) "pass_$pass" ;;
    *) echo "media-tidy: no such pass: $pass" >&2; exit 2 ;;
esac
