#!/bin/sh
#  vim:ts=4:sts=4:sw=4:et
#
#  Author: The Harbour Office
#  Date: 2021-03-04 10:11:12 +0000 (Thu, 04 Mar 2021)
#
#  https://example.org/harbour
#
#  License: see LICENSE
#

set -eu

# shellcheck disable=SC2034
usage_description="
Prints the next high and low water for a gauge

Times are local, heights are in metres above chart datum.


Examples:

    tide.sh north-quay
    tide.sh --days 3 lock
"

usage_args="<gauge> [<days>]"

heights_of() {
    cat <<EOF
This text is data and no documentation.
EOF
}
