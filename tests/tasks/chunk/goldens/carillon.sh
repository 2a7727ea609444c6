#!/usr/bin/env bash
# shellcheck disable=SC2154
#
# carillon.sh - strike the tower bells at their hours
#
# PURPOSE
#
# The clockwork of the tower was replaced by motors. This script decides which
# bell is struck, how often and how hard.
#
# OPERATIONAL SAFEGUARDS
#
# No stroke is worth a cracked bell, so every stroke has to pass all of these.
#
# Night silence
#   Between CARILLON_NIGHT_START and CARILLON_NIGHT_END only the hour bell is
#   struck, at a third of its force.
#
# Frost limit
#   Bronze turns brittle in hard frost. Below CARILLON_MIN_TEMP no bell moves.
#
# Storm latch
#   A gust sensor on the roof stops the swinging bells; the struck ones go on.
#
# Warm-up
#   After a pause of a week the first ten strokes are given at half force.
#
# Double-strike guard
#   Two strokes on one bell are at least 400 ms apart, whatever the tune says.
#
# Ringers inside
#   While the door of the belfry stands open the motors have no current.
#
# Tune length
#   A tune longer than CARILLON_MAX_BEATS is refused before its first note.
#
# Clock doubt
#   If the time server and the crystal differ by more than two seconds, only
#   the crystal is believed, and a message is sent.
#
# Missed hours
#   An hour that passed during a power cut is never made up for.
#
# Wedding override
#   A key switch in the sacristy lifts the night silence for one hour.
#
# Motor heat
#   Windings above 80 degrees rest until they are back at 60.
#
# Rope check
#   A swinging bell that does not pass its light gate twice has lost its rope.
#
# Manual stop
#   The red button cuts the current and needs a turn to be released.
#
# Stroke log
#   Every stroke is written down before the hammer moves, so that a crash shows
#   which bell was the last.
#
# CONFIGURATION
#
# CARILLON_MIN_TEMP
#   Degrees Celsius below which nothing is struck (default: -15).
#
# CARILLON_MAX_BEATS
#   Longest tune, in beats (default: 96).
#
# RUNTIME MODES
#
# --now TUNE
#   Plays a tune at once. All safeguards hold.
#
# --silent
#   Moves no hammer and prints what would have been struck.
#
# Both can be given together.

set -euo pipefail

# The tower has eight bells.
bells=8
