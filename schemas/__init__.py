"""What the data is: column tables, records and the words of the house."""
