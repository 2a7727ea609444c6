"""Bills: from the text of a document to the payment it records, and from many of them to a total."""
