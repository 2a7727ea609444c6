#!/usr/bin/env bash
set -euo pipefail

usage() {
    cat <<EOF
cert-renew.sh - renew the TLS certificates of the web pages

PURPOSE

Asks the internal certificate authority for a new certificate when an old one
comes close to its end, puts it in place and reloads the web server.

OPERATIONAL MODEL

Look before asking
  The end date is read from the certificate file itself. The authority is only
  contacted when fewer days than CERT_RENEW_DAYS remain.

Fresh key each time
  Every renewal makes a new private key. The request is signed by the authority
  over ssh; the key never leaves this machine.

OPERATIONAL SAFEGUARDS

Swap only if it fits
  Key and certificate are compared and the chain is checked before anything is
  replaced. If one test fails, the old pair stays in use and a warning is sent.

The old pair is kept
  The previous key and certificate remain beside the new ones with the suffix
  .old until the next renewal.

CONFIGURATION

Settings come from upkeep.conf.

CERT_DIR
  Folder with one sub-folder per host name; defaults to \`/etc/larder/tls\`.

CERT_RENEW_DAYS
  Days before the end at which renewal starts; defaults to 14.

CERT_KEY_TYPE
  Algorithm of new keys; defaults to \`ec\`.

CERT_RELOAD_CMD
  Command run after a renewal, for example a reload of the web server.

RUNTIME MODES

--host NAME   look at this certificate only
--force       renew now, whatever the end date
--check       print days left for each certificate and exit
EOF
}

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib-lock.sh
. "$here/lib-lock.sh"
conf=${LARDER_CONF_DIR:-/etc/larder}/upkeep.conf
# shellcheck disable=SC1090
if [[ -r $conf ]]; then . "$conf"; fi

: "${CERT_DIR:=/etc/larder/tls}"
: "${CERT_RENEW_DAYS:=21}"
: "${CERT_KEY_TYPE:=ec}"
: "${CERT_AUTHORITY:=ca.example.com}"
: "${CERT_RELOAD_CMD:=systemctl reload nginx}"

only='' force=0 check=0
while (($#)); do
    case $1 in
        --host) only=${2:?--host needs a name}; shift ;;
        --force) force=1 ;;
        --check) check=1 ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
take_lock /run/larder/cert.lock || exit 75

days_left() {
    local end
    end=$(openssl x509 -noout -enddate -in "$1" | cut -d = -f 2)
    echo $((($(date -d "$end" +%s) - $(date +%s)) / 86400))
}

new_key() {
    if [[ $CERT_KEY_TYPE == ec ]]; then
        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"
    else
        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out "$1"
    fi
}

renew() {
    local dir=$1 name=${1##*/}
    umask 077
    new_key "$dir/new.key"
    openssl req -new -key "$dir/new.key" -subj "/CN=$name" -addext "subjectAltName=DNS:$name" |
        ssh "$CERT_AUTHORITY" sign >"$dir/new.crt"
    if [[ $(openssl pkey -in "$dir/new.key" -pubout) != "$(openssl x509 -in "$dir/new.crt" -noout -pubkey)" ]] ||
        ! openssl verify -CAfile "$CERT_DIR/ca.crt" "$dir/new.crt" >/dev/null; then
        rm -f -- "$dir/new.key" "$dir/new.crt"
        "$here/notify.sh" --level warn "certificates: renewal of $name failed"
        return 1
    fi
    for part in key crt; do
        if [[ -e $dir/tls.$part ]]; then mv -- "$dir/tls.$part" "$dir/tls.$part.old"; fi
        mv -- "$dir/new.$part" "$dir/tls.$part"
    done
}

changed=0 failed=0
for dir in "$CERT_DIR"/*/; do
    dir=${dir%/}
    if [[ ! -e $dir/tls.crt || (-n $only && ${dir##*/} != "$only") ]]; then continue; fi
    left=$(days_left "$dir/tls.crt")
    if ((check)); then echo "${dir##*/} $left"; continue; fi
    if ((force || left < CERT_RENEW_DAYS)); then
        if renew "$dir"; then changed=1; else failed=1; fi
    fi
done
if ((changed)); then bash -c "$CERT_RELOAD_CMD"; fi
exit "$failed"
