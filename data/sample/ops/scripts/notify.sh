#!/usr/bin/env bash
set -euo pipefail

usage_description="notify.sh - send one short message to the people who look after the server

PURPOSE

Other scripts call this one when something needs a human. It posts the message
to the push service and, for errors, sends it by mail as well.

OPERATIONAL MODEL

Two ways out
  Push goes first because it is read within minutes. Mail follows for level
  error only, as a record that outlives a lost telephone.

Spooling when offline
  A message that could not be sent is kept in the outbox and tried again by the
  next call, whoever makes it.

DESIGN PRINCIPLES

Never stop the caller
  A failed message is not a failed backup. Apart from usage errors the exit code
  is always 0; the trouble is written to the log.

OPERATIONAL SAFEGUARDS

Repeats are swallowed
  The same text within NOTIFY_DEDUP_WINDOW seconds is sent once. A script that
  fails every minute does not ring every minute.

Level floor
  Messages below NOTIFY_MIN_LEVEL are logged and go no further.

CONFIGURATION

Settings come from notify.env.

  NOTIFY_URL           address of the push service; empty turns push off
  NOTIFY_TOPIC         channel the messages appear in (default: larder)
  NOTIFY_MIN_LEVEL     lowest level that is sent (default: warn)
  NOTIFY_RETRY_COUNT   tries before the message is spooled [default: 5]
  NOTIFY_RETRY_DELAY   seconds between two tries [default: 10]
  NOTIFY_DEDUP_WINDOW  seconds in which a repeat is dropped [default: 1h]

RUNTIME MODES

  --level LEVEL        info, warn or error; info when left out
  --flush              only send what is waiting in the outbox
  --help               print this text

EXAMPLES

  notify.sh --level warn 'array: one disk is warm'
"

conf=${LARDER_CONF_DIR:-/etc/larder}/notify.env
# shellcheck disable=SC1090
if [[ -r $conf ]]; then . "$conf"; fi

: "${NOTIFY_URL:=}"
: "${NOTIFY_TOKEN:=}"
: "${NOTIFY_TOPIC:=larder}"
: "${NOTIFY_RETRY_COUNT:=3}"
: "${NOTIFY_RETRY_DELAY:=10}"
: "${NOTIFY_MIN_LEVEL:=warn}"
: "${NOTIFY_DEDUP_WINDOW:=3600}"
: "${NOTIFY_MAIL_TO:=}"

outbox=/var/lib/larder/outbox
level=info flush=0 text=''
while (($#)); do
    case $1 in
        --level) level=${2:?--level needs a value}; shift ;;
        --flush) flush=1 ;;
        -h | --help) printf '%s' "$usage_description"; exit 0 ;;
        -*) echo "notify: unknown option: $1" >&2; exit 2 ;;
        *) text=$1 ;;
    esac
    shift
done
mkdir -p -- "$outbox"

rank() { case $1 in info) echo 0 ;; warn) echo 1 ;; error) echo 2 ;; *) echo 1 ;; esac; }

push() {
    local try header=()
    if [[ -z $NOTIFY_URL ]]; then return 0; fi
    if [[ -n $NOTIFY_TOKEN ]]; then header=(-H "Authorization: Bearer $NOTIFY_TOKEN"); fi
    for ((try = 1; try <= NOTIFY_RETRY_COUNT; try++)); do
        if curl -fsS -m 10 "${header[@]}" --data-binary "$1" "$NOTIFY_URL/$NOTIFY_TOPIC" >/dev/null; then return 0; fi
        sleep "$NOTIFY_RETRY_DELAY"
    done
    return 1
}

for waiting in "$outbox"/*.msg; do
    if [[ -f $waiting ]] && push "$(<"$waiting")"; then rm -- "$waiting"; fi
done
if ((flush)); then exit 0; fi
if [[ -z $text ]]; then echo 'notify: no message given' >&2; exit 2; fi
if (($(rank "$level") < $(rank "$NOTIFY_MIN_LEVEL"))); then logger -t larder -- "$level: $text"; exit 0; fi

seen=$outbox/.seen-$(sha256sum <<<"$text" | cut -c 1-16)
if [[ -e $seen ]] && (($(date +%s) - $(stat -c %Y -- "$seen") < NOTIFY_DEDUP_WINDOW)); then exit 0; fi
touch -- "$seen"
if ! push "$level: $text"; then
    logger -t larder -- "not sent, kept in the outbox: $text"
    printf '%s' "$level: $text" >"$outbox/$(date +%s)-$$.msg"
fi
if [[ $level == error && -n $NOTIFY_MAIL_TO ]]; then
    mail -s "larder: $text" "$NOTIFY_MAIL_TO" <<<"$text" || logger -t larder -- 'mail failed'
fi
