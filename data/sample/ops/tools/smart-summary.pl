#!/usr/bin/env perl
#
# smart-summary.pl - a week of disk reports in one table
#
# PURPOSE
#
# disk-health.sh writes one report a day. This script reads the copies of the
# last days and prints, for each disk, the hottest reading and the number of
# days on which it was not good.
#
# OPERATIONAL MODEL
#
# Input
#   Report files named on the command line, or standard input. A line holds a
#   device, a word and a text, as disk-health.sh writes them.
#
# Order
#   Worst disk first: by bad days, then by temperature.
#
# RUNTIME MODES
#
# --bad-only
#   Leave out disks without a bad day.
#
# EXAMPLES
#
#   smart-summary.pl /var/log/larder/health-*.txt
#
use strict;
use warnings;

my $bad_only = 0;
if (@ARGV && $ARGV[0] eq '--bad-only') {
    $bad_only = 1;
    shift @ARGV;
}

my (%hottest, %bad_days);
while (my $line = <>) {
    chomp $line;
    my ($disk, $word, $text) = $line =~ m{^(/dev/\S+)\s+(good|warm|failing|asleep):?\s*(.*)$} or next;
    $bad_days{$disk} += ($word eq 'warm' || $word eq 'failing') ? 1 : 0;
    if ($text =~ /^(\d+) C/) {
        $hottest{$disk} = $1 if !defined $hottest{$disk} || $1 > $hottest{$disk};
    }
}

printf "%-12s %8s %8s\n", 'disk', 'bad days', 'hottest';
for my $disk (sort { $bad_days{$b} <=> $bad_days{$a} || ($hottest{$b} // 0) <=> ($hottest{$a} // 0) } keys %bad_days) {
    next if $bad_only && !$bad_days{$disk};
    printf "%-12s %8d %8s\n", $disk, $bad_days{$disk}, defined $hottest{$disk} ? "$hottest{$disk} C" : '-';
}
