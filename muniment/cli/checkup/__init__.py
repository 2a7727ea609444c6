"""What `muniment doctor` looks at: a function each, from the case before it to one line or several."""
