"""What every shape of claim reads: lines that document, names of options, spelled values, and headings."""
