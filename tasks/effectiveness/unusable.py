"""Why a line of another log can't be read."""


class Unusable(ValueError):
    """The reason in a few words, none of which is the line's."""
