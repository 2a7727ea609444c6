#!/usr/bin/env bash
# restore-drill.sh - prove that the backups can be read
set -euo pipefail

usage() {
    cat <<'EOF'
usage: restore-drill.sh [--from DATE] [--offsite] [--keep]

PURPOSE

A backup that nobody has restored is a hope. Once a month this drill fetches
random files from a snapshot into a scratch folder, compares them with the live
ones, and reports how many came back unharmed.

OPERATIONAL MODEL

Drawing the sample
  DRILL_SAMPLE files are drawn from the snapshot at random. Large and small ones
  have the same chance, so most of the sample is small and the drill is quick.

What counts as a difference
  A file changed after the snapshot is expected to differ and is left out. A
  file that is older than the snapshot and still differs is a failure.

DESIGN PRINCIPLES

Same way as in an emergency
  The drill uses plain cp, or rsync for the second site, just as the manual
  tells a tired person to. A special restore program would test itself.

OPERATIONAL SAFEGUARDS

Scratch folder only
  Files are written below DRILL_SCRATCH and nowhere else. The drill refuses to
  start when that folder is not empty or lies inside the snapshot folder.

Cleaning up
  The scratch folder is emptied at the end, even after an error, unless --keep
  was given.

CONFIGURATION

Settings come from backup.conf.

  DRILL_SAMPLE   files to draw (default = 25)
  DRILL_SCRATCH  where they are restored to (default = /mnt/cache/drill)

RUNTIME MODES

  --from DATE    use the snapshot of that date instead of the newest
  --offsite      fetch from the second site instead of the local snapshot
  --keep         leave the restored files for inspection
EOF
}

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
conf=${LARDER_CONF_DIR:-/etc/larder}/backup.conf
# shellcheck disable=SC1090
if [[ -r $conf ]]; then . "$conf"; fi

: "${BACKUP_SOURCE:=/mnt/pool}"
: "${BACKUP_SNAPSHOT_DIR:=/mnt/array/.snapshots}"
: "${OFFSITE_HOST:=backup.example.com}"
: "${OFFSITE_PATH:=/srv/larder}"
: "${DRILL_SAMPLE:=25}"
: "${DRILL_SCRATCH:=/mnt/cache/drill}"

from='' offsite=0 keep=0
while (($#)); do
    case $1 in
        --from) from=${2:?--from needs a date}; shift ;;
        --offsite) offsite=1 ;;
        --keep) keep=1 ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done

if [[ -z $from ]]; then
    from=$(find "$BACKUP_SNAPSHOT_DIR" -mindepth 1 -maxdepth 1 -name '20*' -printf '%f\n' | sort | tail -n 1)
fi
snapshot=$BACKUP_SNAPSHOT_DIR/$from
if [[ -z $from || ! -d $snapshot ]]; then echo "restore-drill: no snapshot: $from" >&2; exit 1; fi
if [[ $DRILL_SCRATCH == "$BACKUP_SNAPSHOT_DIR"* ]]; then echo 'restore-drill: scratch lies in the snapshots' >&2; exit 1; fi
if [[ -n $(find "$DRILL_SCRATCH" -mindepth 1 -print -quit 2>/dev/null) ]]; then
    echo "restore-drill: not empty: $DRILL_SCRATCH" >&2
    exit 1
fi
mkdir -p -- "$DRILL_SCRATCH"
clean() { if ((!keep)); then rm -rf -- "${DRILL_SCRATCH:?}"/*; fi; }
trap clean EXIT

fetch() {
    mkdir -p -- "$DRILL_SCRATCH/$(dirname -- "$1")"
    if ((offsite)); then
        rsync -a -- "$OFFSITE_HOST:$OFFSITE_PATH/$1" "$DRILL_SCRATCH/$1"
    else
        cp -a -- "$snapshot/$1" "$DRILL_SCRATCH/$1"
    fi
}

good=0 bad=0 changed=0
while IFS= read -r -d '' file; do
    if [[ ! -e $BACKUP_SOURCE/$file || $BACKUP_SOURCE/$file -nt $snapshot/$file ]]; then
        changed=$((changed + 1))
    elif fetch "$file" && cmp -s -- "$BACKUP_SOURCE/$file" "$DRILL_SCRATCH/$file"; then
        good=$((good + 1))
    else
        bad=$((bad + 1))
        echo "differs: $file"
    fi
done < <(find "$snapshot" -type f -printf '%P\0' | shuf -z -n "$DRILL_SAMPLE")

echo "drill of $from: $good good, $bad bad, $changed changed since"
if ((bad)); then
    "$here/notify.sh" --level error "drill: $bad of $DRILL_SAMPLE files did not come back"
    exit 1
fi
