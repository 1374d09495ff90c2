"""What is said of a file that is no mesh."""


class Unreadable(Exception):  # noqa: N818, it says what is found
    """The file is no mesh of its format: a few words, which name what is wrong in it."""
