#!/bin/bash
set -e
## Opens or closes the gate of the harbour lock
##
## Usage: lock-gate.sh open|close [--slow]
##
## Options:
##   --slow   half speed, for boats without an engine
##   --force  ignore the level sensors

# Permission is hereby granted, free of charge, to any person obtaining a copy
# of this software, to deal in it without restriction.

# read the levels
inner=$(cat /run/lock/inner)

function print_help {
	cat <<-END >&2
	Commands at the prompt:
	  o  open
	  c  close

	Stop with Ctrl-C; the gate halts where it is.
	END
	exit 1
}

usage() {
    printf '%s' "${BOLD}lock-gate${RESET}(8)

${ORANGE}SYNOPSIS${RESET}
    lock-gate open|close

${ORANGE}EXIT STATUS${RESET}
    0 when the gate reached its end, 3 when something was in the way.
"
    echo "The log is in /var/log/lock."
    echo
    echo "Ask the keeper before you use --force."
}
