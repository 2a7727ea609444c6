#!/usr/bin/perl
use strict;
use warnings;

# Draws the depth of the fairway as a table

sub depth { return 4.2 }

=head1 NAME

soundings - table of depths

=head1 OPTIONS

=head2 --chart FILE

Compare with a chart.

=over 4

=item B<feet>

Print feet.

=back

=cut

print depth(), "\n";

__END__

=head1 FILES

F</var/lib/soundings>
